"""What can be checked in a draft without a model: its quotes, its numbers, its markers. Nothing here judges quality."""

import re
from collections.abc import Sequence
from decimal import Decimal
from math import inf, isclose

from core.agent.evidence import (
    CITATION_MARKER,
    QUOTED_PASSAGE,
    Evidence,
    shorten_text,
    split_sentences,
)
from core.agent.text.quantities import find_quantities
from core.agent.types import Citation, ComplianceRow, DraftCheck, Score, Source
from core.agent.verification.compliance import overall_verdict
from core.agent.verification.modality import check_duties
from core.rulebook import article_label

MIN_QUOTE_LENGTH = 12
"""Characters from which a passage in quotation marks counts as a quote."""
_FATAL = ("quote", "marker")
_CAPS = {"quote": 3, "verdict": 3, "marker": 4, "duty": 4, "sum": 4, "number": 5}
"""Accuracy is capped at this where a check of the kind has failed."""

_BLOCK_QUOTE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)

_ITEM = re.compile(
    r"\b(?:articles?|art\.|rules?|sections?|regulations?)\s+\w+(?:\.\w+)*\s?(?:\w{1,5}\))+", re.I
)
"""An article's lettered item ("Article 30.5 m)"), which is no amount."""
_SUM = re.compile(
    r"(?<![\w.])(?<![+*/×÷–−-])(?<![+*/×÷–−-]\s)(?P<a>\d[\d,]*(?:\.\d+)?)\s*(?:[a-zA-Z/²%]{0,5})\s*(?P<sign>[+*/×÷–−-])\s*"
    r"(?P<b>\d[\d,]*(?:\.\d+)?)\s*(?:[a-zA-Z/²%]{0,5})\s*=\s*(?P<result>\d[\d,]*(?:\.\d+)?)"
)
_SIGNS = {"×": "*", "÷": "/", "–": "-", "−": "-"}
_ILLEGAL = re.compile(
    r"\b(?:not|n['’]t|never) (?:\w+ ){0,2}(?:legal|allowed|permitted|compliant|comply|acceptable|enough|ok|meet)\b|"
    r"^\W*no\b|\billegal\b|\bnon-?compliant\b|\bfails?\b|\b(?:too|under|over)(?:size| (?:low|high|small|large|thin|"
    r"light|heavy|fast|wide|short|long))",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"^\W*yes\b|\b(?:legal|allowed|permitted|compliant|complies|comply|acceptable|meets?|within the limit)\b",
    re.I,
)


def verify(
    draft: str,
    citations: Sequence[Citation],
    evidence: Evidence,
    question: str,
    rows: Sequence[ComplianceRow] = (),
) -> tuple[DraftCheck, ...]:
    """Check a draft against the evidence of its run; `rows` hold the question's values against what it quotes.

    A quote must stand, normalised and contiguous, in the clause that its citation names, and a passage in quotation
    marks in some clause of the evidence; a number with its unit in a cited clause or in the question; a marker must
    name a clause; a sum must come out; a sentence that cites a clause may not turn its must, may or must not round.
    """
    checks = [_check_citation(citation, evidence) for citation in citations]
    cited = [
        source for citation in citations if (source := evidence.find_by_clause(citation.clause_id))
    ]
    checks += _check_passages(draft, citations, evidence)
    checks += _check_markers(draft, evidence)
    checks += _check_sums(draft)
    checks += _check_numbers(draft, cited, question, rows)
    checks += _check_verdict(draft, rows)
    checks += check_duties(draft, evidence)
    return tuple(checks)


def has_grounding(reply: str, known_texts: Sequence[str]) -> bool:
    """True where every passage in quotation marks and every number with a unit in a reply was said before."""
    texts = [normalize_text(text) for text in known_texts]
    known = {key for text in known_texts for key in _numbers(text)}
    passages = (
        normalize_text(match.group(1) or match.group(2)) for match in QUOTED_PASSAGE.finditer(reply)
    )
    quotes_stand = all(
        len(p) < MIN_QUOTE_LENGTH or any(p in text for text in texts) for p in passages
    )
    return quotes_stand and _numbers(reply).keys() <= known


def cap_score(score: Score, checks: Sequence[DraftCheck]) -> Score:
    """The score with its accuracy held down by what verification found."""
    failed = [check for check in checks if not check.passed]
    worst = min(failed, key=lambda check: _CAPS[check.kind], default=None)
    if worst is None or score.accuracy <= _CAPS[worst.kind]:
        return score
    reasons = dict(score.reasons) | {
        "accuracy": f"Held down to {_CAPS[worst.kind]}: {worst.message}"
    }
    return Score(
        score.completeness,
        _CAPS[worst.kind],
        score.clarity,
        score.specificity,
        reasons=reasons,
        missing=score.missing,
    )


def has_valid_citations(checks: Sequence[DraftCheck]) -> bool:
    """False where a quote or a marker is not what it claims: such a draft may not pass, whatever its score."""
    return all(check.passed or check.kind not in _FATAL for check in checks)


def failure_messages(checks: Sequence[DraftCheck]) -> tuple[str, ...]:
    """What failed, a sentence each."""
    return tuple(check.message for check in checks if not check.passed)


def normalize_text(text: str) -> str:
    """Case, quotation marks, dashes and white space made alike, for comparing a quote with its clause."""
    text = text.casefold().translate(str.maketrans("‘’“”–—−\u00a0", "''\"\"--- "))
    return re.sub(r"\s+", " ", text).strip().rstrip(".,;:").strip()


def quote_matches(citation: Citation, evidence: Evidence) -> bool:
    """True where the quote of a citation stands word for word in its clause."""
    source = evidence.find_by_clause(citation.clause_id)
    return source is not None and contains_words(
        normalize_text(citation.quote), normalize_text(_words_of(source))
    )


def _check_citation(citation: Citation, evidence: Evidence) -> DraftCheck:
    source = evidence.find_by_clause(citation.clause_id)
    subject = shorten_text(citation.quote)
    if source is None:
        return DraftCheck(
            "quote", False, subject, f"The clause cited for “{subject}” is not among the evidence."
        )
    if quote_matches(citation, evidence):
        return DraftCheck(
            "quote", True, subject, f"Stands word for word in {article_label(source.article)}."
        )
    return DraftCheck(
        "quote", False, subject, f"“{subject}” does not stand in {article_label(source.article)}."
    )


def contains_words(quote: str, text: str) -> bool:
    """True where whole words of a text are the quote."""
    return bool(quote) and re.search(rf"(?<!\w){re.escape(quote)}(?!\w)", text) is not None


def _check_passages(
    draft: str, citations: Sequence[Citation], evidence: Evidence
) -> list[DraftCheck]:
    known = [normalize_text(citation.quote) for citation in citations]
    texts = [normalize_text(_words_of(source)) for source in evidence.sources]
    checks = []
    for match in QUOTED_PASSAGE.finditer(_BLOCK_QUOTE.sub("", draft)):
        passage = normalize_text(match.group(1) or match.group(2))
        if len(passage) < MIN_QUOTE_LENGTH or any(passage in quote for quote in known):
            continue
        found = any(contains_words(passage, text) for text in texts)
        subject = shorten_text(match.group(1) or match.group(2))
        message = (
            "Stands in the evidence."
            if found
            else f"“{subject}” stands in no clause that was found."
        )
        checks.append(DraftCheck("quote", found, subject, message))
    return checks


def _check_markers(draft: str, evidence: Evidence) -> list[DraftCheck]:
    unknown = sorted(
        {int(m) for m in CITATION_MARKER.findall(draft) if evidence.find_by_marker(int(m)) is None}
    )
    return [
        DraftCheck("marker", False, f"[{n}]", f"The marker [{n}] names no clause.") for n in unknown
    ]


def _check_numbers(
    draft: str, cited: Sequence[Source], question: str, rows: Sequence[ComplianceRow]
) -> list[DraftCheck]:
    """Each number with a unit is quoted (in a cited clause), yours (in the question) or computed (a sum, a check)."""
    quoted = {key for source in cited for key in _numbers(_words_of(source))}
    yours = _numbers(question).keys()
    results = {_plain_number(match["result"]) for match in _SUM.finditer(draft)}
    told = {key for row in rows for key in _numbers(f"{row.yours}, {row.margin.lstrip('+−±')}")}
    checks = []
    for amount in {
        amount.key: amount for amount in find_quantities(_ITEM.sub(" ", draft))
    }.values():
        key, subject = amount.key, str(amount)
        computed = _plain_number(str(amount.value)) in results or key in told
        kind = (
            "quoted"
            if key in quoted
            else "yours"
            if key in yours
            else "computed"
            if computed
            else None
        )
        message = (
            f"{subject}: {kind}."
            if kind
            else f"{subject} stands neither in a cited clause nor in the question."
        )
        checks.append(DraftCheck("number", kind is not None, subject, message))
    return checks


def _check_verdict(draft: str, rows: Sequence[ComplianceRow]) -> list[DraftCheck]:
    """What a draft says at its beginning, before it quotes, is what the check of the question's values comes to."""
    verdict = overall_verdict(rows) if rows else "cannot tell"
    opening = " ".join(split_sentences(QUOTED_PASSAGE.sub(" ", draft))[:2])
    against, for_it = (
        bool(_ILLEGAL.search(opening)),
        bool(_LEGAL.search(_ILLEGAL.sub(" ", opening))),
    )
    if verdict == "cannot tell" or against == for_it:
        return []
    passed = against == (verdict == "not legal")
    message = (
        f"The verdict is that of the check: {verdict}."
        if passed
        else (f"The draft says otherwise than the check of the values, which comes to: {verdict}.")
    )
    return [DraftCheck("verdict", passed, verdict, message)]


def _check_sums(draft: str) -> list[DraftCheck]:
    checks = []
    for match in _SUM.finditer(draft):
        a, b, result = (float(match[name].replace(",", "")) for name in ("a", "b", "result"))
        right = {"+": a + b, "*": a * b, "/": a / b if b else inf, "-": a - b}[
            _SIGNS.get(match["sign"], match["sign"])
        ]
        passed = isclose(right, result, rel_tol=0.005, abs_tol=0.005)
        subject = " ".join(match[0].split())
        checks.append(
            DraftCheck(
                "sum", passed, subject, "Comes out." if passed else f"{subject} does not come out."
            )
        )
    return checks


def _numbers(text: str) -> dict[tuple[str, Decimal], str]:
    """The amounts of a text, as they compare (1.5 m and 1500 mm are one) and as they stand ("10 seconds")."""
    return {amount.key: str(amount) for amount in find_quantities(text)}


def _plain_number(value: str) -> str:
    """A number as it compares: "1,525" and "1525.0" are the same."""
    return format(Decimal(value.replace(",", "")).normalize(), "f")


def _words_of(source: Source) -> str:
    return f"{source.title}\n{source.text}"
