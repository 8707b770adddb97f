"""Checks of a draft without a model: its quotes, numbers, markers and sums, not its quality."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from math import inf, isclose

from core.agent.evidence import (
    CITATION_MARKER,
    QUOTED_PASSAGE,
    Evidence,
    shorten_text,
    split_sentences,
)
from core.agent.text.quantities import amount_keys, find_quantities
from core.agent.text.vocabulary import any_word
from core.agent.types import Citation, ComplianceRow, DraftCheck, Score, Source
from core.agent.verification.compliance import overall_verdict
from core.agent.verification.modality import check_duties
from core.rulebook import article_label

MIN_QUOTE_LENGTH = 12
"""Characters from which a passage in quotation marks counts as a quote."""
_FATAL = ("quote", "marker")
_CAPS = {"quote": 3, "verdict": 3, "marker": 4, "duty": 4, "sum": 4, "number": 5}
"""Accuracy is capped at this where a check of the kind has failed."""

_ITEM = re.compile(
    r"(?i)\b(?:articles?|art\.|rules?|sections?|regulations?)\s+\w+(?:\.\w+)*\s?(?:\w{1,5}\))+"
)
"""An article's lettered item ("Article 30.5 m)"), which is no amount."""
_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_SUM = re.compile(
    rf"(?<![\w.])(?<![+*/×÷–−-])(?<![+*/×÷–−-]\s)(?P<a>{_NUMBER})\s*(?:[a-zA-Z/²%]{{0,5}})\s*"
    rf"(?P<sign>[+*/×÷–−-])\s*(?P<b>{_NUMBER})\s*(?:[a-zA-Z/²%]{{0,5}})\s*=\s*(?P<result>{_NUMBER})"
)
_SIGNS = str.maketrans("×÷–−", "*/--")
_ILLEGAL = re.compile(
    rf"(?i)\b(?:not|n['’]t|never) (?:\w+ ){{0,2}}(?:{any_word('verdict')}|enough|ok|meet)\b|"
    r"^\W*no\b|\billegal\b|\bnon-?compliant\b|\bfails?\b|\b(?:too|under|over)"
    r"(?:size| (?:low|high|small|large|thin|light|heavy|fast|wide|short|long))"
)
_LEGAL = re.compile(
    rf"(?i)^\W*yes\b|\b(?:{any_word('verdict')}|complies|meets?|within the limit)\b"
)


def verify(
    draft: str,
    citations: Sequence[Citation],
    evidence: Evidence,
    question: str,
    rows: Sequence[ComplianceRow] = (),
) -> tuple[DraftCheck, ...]:
    """Check a draft against the evidence of its run; `rows` are the question's values as checked.

    A quote must be in the clause that its citation names, word for word once normalized, and a
    passage in quotation marks in some clause of the evidence. A number with its unit must be in a
    cited clause or in the question, a marker must name a clause, a sum must be right. A sentence
    that cites a clause must keep its must, may or must not.
    """
    return (
        *(_check_citation(citation, evidence) for citation in citations),
        *_check_passages(draft, citations, evidence),
        *_check_markers(draft, evidence),
        *_check_sums(draft),
        *_check_numbers(draft, citations, evidence, question, rows),
        *_check_verdict(draft, rows),
        *check_duties(draft, evidence),
    )


def has_grounding(reply: str, known_texts: Sequence[str]) -> bool:
    """True where all passages in quotation marks and all amounts of a reply are in known texts."""
    texts = [normalize_text(text) for text in known_texts]
    passages = (normalize_text(m[1] or m[2]) for m in QUOTED_PASSAGE.finditer(reply))
    quotes_are_known = all(
        len(passage) < MIN_QUOTE_LENGTH or any(passage in text for text in texts)
        for passage in passages
    )
    return quotes_are_known and amount_keys(reply) <= amount_keys(*known_texts)


def cap_score(score: Score, checks: Sequence[DraftCheck]) -> Score:
    """Return the score with its accuracy capped by the worst check that failed."""
    failed = [check for check in checks if not check.passed]
    worst = min(failed, key=lambda check: _CAPS[check.kind], default=None)
    if worst is None or score.accuracy <= _CAPS[worst.kind]:
        return score
    cap = _CAPS[worst.kind]
    reasons = {**score.reasons, "accuracy": f"Lowered to {cap}: {worst.message}"}
    return replace(score, accuracy=cap, reasons=reasons)


def has_valid_citations(checks: Sequence[DraftCheck]) -> bool:
    """False where a quote or a marker is wrong: such a draft may not pass, whatever its score."""
    return all(check.passed or check.kind not in _FATAL for check in checks)


def failure_messages(checks: Sequence[DraftCheck]) -> tuple[str, ...]:
    """Return what failed, a sentence each."""
    return tuple(check.message for check in checks if not check.passed)


def normalize_text(text: str) -> str:
    """Return a text with its case, quotation marks, dashes and white space made alike."""
    text = text.casefold().translate(str.maketrans("‘’“”–—−\u00a0", "''\"\"--- "))
    return re.sub(r"\s+", " ", text).strip().rstrip(".,;:").strip()


def quote_matches(citation: Citation, evidence: Evidence) -> bool:
    """True where the quote of a citation is word for word in its clause."""
    source = evidence.find_by_clause(citation.clause_id)
    return source is not None and contains_words(
        normalize_text(citation.quote), normalize_text(_words_of(source))
    )


def contains_words(quote: str, text: str) -> bool:
    """True where whole words of a text are the quote."""
    return bool(quote) and re.search(rf"(?<!\w){re.escape(quote)}(?!\w)", text) is not None


def _check_citation(citation: Citation, evidence: Evidence) -> DraftCheck:
    source = evidence.find_by_clause(citation.clause_id)
    subject = shorten_text(citation.quote)
    if source is None:
        message = f"The clause cited for “{subject}” is not among the evidence."
        return DraftCheck("quote", False, subject, message)
    article, passed = article_label(source.article), quote_matches(citation, evidence)
    message = f"Word for word in {article}." if passed else f"“{subject}” is not in {article}."
    return DraftCheck("quote", passed, subject, message)


def _check_passages(
    draft: str, citations: Sequence[Citation], evidence: Evidence
) -> list[DraftCheck]:
    cited = [normalize_text(citation.quote) for citation in citations]
    texts = [normalize_text(_words_of(source)) for source in evidence.sources]
    checks = []
    for match in QUOTED_PASSAGE.finditer(re.sub(r"(?m)^[ \t]*>[ \t]?", "", draft)):
        passage, subject = normalize_text(match[1] or match[2]), shorten_text(match[1] or match[2])
        if len(passage) < MIN_QUOTE_LENGTH or any(passage in quote for quote in cited):
            continue
        passed = any(contains_words(passage, text) for text in texts)
        unknown = f"“{subject}” is in no clause that was found."
        message = "In the evidence." if passed else unknown
        checks.append(DraftCheck("quote", passed, subject, message))
    return checks


def _check_markers(draft: str, evidence: Evidence) -> list[DraftCheck]:
    markers = sorted(set(map(int, CITATION_MARKER.findall(draft))))
    return [
        DraftCheck("marker", False, f"[{n}]", f"The marker [{n}] names no clause.")
        for n in markers
        if evidence.find_by_marker(n) is None
    ]


def _check_numbers(
    draft: str,
    citations: Sequence[Citation],
    evidence: Evidence,
    question: str,
    rows: Sequence[ComplianceRow],
) -> list[DraftCheck]:
    """Check that each number with a unit is in a cited clause, in the question or computed."""
    cited = (evidence.find_by_clause(citation.clause_id) for citation in citations)
    quoted = amount_keys(*(_words_of(source) for source in cited if source))
    yours = amount_keys(question)
    computed = amount_keys(*(f"{row.yours}, {row.margin.lstrip('+−±')}" for row in rows))
    results = {Decimal(match["result"].replace(",", "")) for match in _SUM.finditer(draft)}
    checks = []
    amounts = find_quantities(_ITEM.sub(" ", draft))
    for amount in {amount.key: amount for amount in amounts}.values():
        origins = {
            "quoted": amount.key in quoted,
            "yours": amount.key in yours,
            "computed": amount.key in computed or amount.value in results,
        }
        origin = next((name for name, found in origins.items() if found), None)
        unknown = f"{amount} is neither in a cited clause nor in the question."
        message = f"{amount}: {origin}." if origin else unknown
        checks.append(DraftCheck("number", origin is not None, str(amount), message))
    return checks


def _check_verdict(draft: str, rows: Sequence[ComplianceRow]) -> list[DraftCheck]:
    """Check that a draft, before it quotes, says the verdict on the question's values."""
    verdict = overall_verdict(rows) if rows else "cannot tell"
    opening = " ".join(split_sentences(QUOTED_PASSAGE.sub(" ", draft))[:2])
    says_illegal = bool(_ILLEGAL.search(opening))
    says_legal = bool(_LEGAL.search(_ILLEGAL.sub(" ", opening)))
    if verdict == "cannot tell" or says_illegal == says_legal:
        return []
    passed = says_illegal == (verdict == "not legal")
    message = (
        f"The verdict agrees with the check: {verdict}."
        if passed
        else f"The draft contradicts the check of the values: {verdict}."
    )
    return [DraftCheck("verdict", passed, verdict, message)]


def _check_sums(draft: str) -> list[DraftCheck]:
    checks = []
    for match in _SUM.finditer(draft):
        a, b, result = (float(match[name].replace(",", "")) for name in ("a", "b", "result"))
        results = {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else inf}
        right = results[match["sign"].translate(_SIGNS)]
        passed = isclose(right, result, rel_tol=0.005, abs_tol=0.005)
        subject = " ".join(match[0].split())
        message = "Correct." if passed else f"{subject} is not correct."
        checks.append(DraftCheck("sum", passed, subject, message))
    return checks


def _words_of(source: Source) -> str:
    return "\n".join((source.title, source.text, *source.footnotes))
