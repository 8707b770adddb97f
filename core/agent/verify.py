"""What can be checked in a draft without a model: its quotes, its numbers, its markers. Nothing here judges quality."""

import re
from collections.abc import Sequence
from decimal import Decimal
from math import inf, isclose

from core.agent.evidence import Evidence, sentences
from core.agent.types import Check, Citation, Score, Source

QUOTE_MINIMUM = 12
"""Characters from which a passage in quotation marks counts as a quote."""
_FATAL = ("quote", "marker")
_CAPS = {"quote": 3, "marker": 4, "duty": 4, "sum": 4, "number": 5}
"""Accuracy is capped at this where a check of the kind has failed."""

_QUOTED = re.compile(r"“([^”]+)”|\"([^\"\n]+)\"")
_BLOCK_QUOTE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_MARKER = re.compile(r"\[(\d{1,3})\]")
_UNIT = (
    r"(?:%|°C?|mm²|mm2|mm|cm|km/h|kph|mph|km|m/s|kg/h|kg|g|kN|N|Nm|MPa|bar|kPa|kW|MW|W|MJ|kJ|J|kV|V|A|Hz|rpm|"
    r"litres?|laps?|seconds?|minutes?|hours?|days?|weeks?|months?|points?|sets?|grid (?:places?|positions?)|m|s)"
)
_NUMBER = re.compile(rf"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)\s?({_UNIT})(?![\w/])")

_SUM = re.compile(
    r"(?<![\w.])(?<![+*/×÷–−-])(?<![+*/×÷–−-]\s)(?P<a>\d[\d,]*(?:\.\d+)?)\s*(?:[a-zA-Z/²%]{0,5})\s*(?P<sign>[+*/×÷–−-])\s*"
    r"(?P<b>\d[\d,]*(?:\.\d+)?)\s*(?:[a-zA-Z/²%]{0,5})\s*=\s*(?P<result>\d[\d,]*(?:\.\d+)?)"
)
_SIGNS = {"×": "*", "÷": "/", "–": "-", "−": "-"}
_MUST_NOT = re.compile(
    r"\b(?:must|shall|may|can) (?:not|never|only)\b|\b(?:is|are) not (?:permitted|allowed)\b|\bcannot\b|"
    r"\b(?:prohibited|forbidden|illegal)\b|"
    r"\bno \w+(?: \w+){0,3} (?:may|shall|is permitted|are permitted)\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:must|shall|required to|has to|have to|obliged|mandatory|at least|no (?:less|more) than)\b", re.I
)
_MAY = re.compile(r"\b(?:may|permitted|allowed|free to|optional)\b", re.IGNORECASE)


def verify(draft: str, citations: Sequence[Citation], evidence: Evidence, question: str) -> tuple[Check, ...]:
    """Check a draft against the evidence of its run.

    A quote must stand, normalised and contiguous, in the clause that its citation names, and a passage in quotation
    marks in some clause of the evidence; a number with its unit in a cited clause or in the question; a marker must
    name a clause; a sum must come out; a sentence that cites a clause may not turn its must, may or must not round.
    """
    checks = [_check_citation(citation, evidence) for citation in citations]
    cited = [source for citation in citations if (source := evidence.of(citation.clause_id))]
    checks += _check_passages(draft, citations, evidence)
    checks += _check_markers(draft, evidence)
    checks += _check_sums(draft)
    checks += _check_numbers(draft, cited, question)
    checks += _check_duties(draft, evidence)
    return tuple(checks)


def supported(reply: str, said: Sequence[str]) -> bool:
    """True where every passage in quotation marks and every number with a unit in a reply was said before."""
    texts = [normalised(text) for text in said]
    known = {key for text in said for key in _numbers(text)}
    passages = (normalised(match.group(1) or match.group(2)) for match in _QUOTED.finditer(reply))
    quotes_stand = all(len(p) < QUOTE_MINIMUM or any(p in text for text in texts) for p in passages)
    return quotes_stand and _numbers(reply).keys() <= known


def capped(score: Score, checks: Sequence[Check]) -> Score:
    """The score with its accuracy held down by what verification found."""
    caps = [_CAPS[check.kind] for check in checks if not check.passed]
    if not caps or score.accuracy <= min(caps):
        return score
    reasons = dict(score.reasons) | {"accuracy": f"Held down to {min(caps)}: {failures(checks)[0]}"}
    return Score(
        score.completeness,
        min(caps),
        score.clarity,
        score.specificity,
        reasons=reasons,
        missing=score.missing,
    )


def trusted(checks: Sequence[Check]) -> bool:
    """False where a quote or a marker is not what it claims: such a draft may not pass, whatever its score."""
    return all(check.passed or check.kind not in _FATAL for check in checks)


def failures(checks: Sequence[Check]) -> tuple[str, ...]:
    """What failed, a sentence each."""
    return tuple(check.message for check in checks if not check.passed)


def normalised(text: str) -> str:
    """Case, quotation marks, dashes and white space made alike, for comparing a quote with its clause."""
    text = text.casefold().translate(str.maketrans("‘’“”–—−\u00a0", "''\"\"--- "))
    return re.sub(r"\s+", " ", text).strip().rstrip(".,;:").strip()


def _check_citation(citation: Citation, evidence: Evidence) -> Check:
    source = evidence.of(citation.clause_id)
    subject = _short(citation.quote)
    if source is None:
        return Check("quote", False, subject, f"The clause cited for “{subject}” is not among the evidence.")
    if _stands(normalised(citation.quote), normalised(_words_of(source))):
        return Check("quote", True, subject, f"Stands word for word in Article {source.article}.")
    return Check("quote", False, subject, f"“{subject}” does not stand in Article {source.article}.")


def _stands(quote: str, text: str) -> bool:
    """True where whole words of a text are the quote."""
    return bool(quote) and re.search(rf"(?<!\w){re.escape(quote)}(?!\w)", text) is not None


def _check_passages(draft: str, citations: Sequence[Citation], evidence: Evidence) -> list[Check]:
    known = [normalised(citation.quote) for citation in citations]
    texts = [normalised(_words_of(source)) for source in evidence.sources]
    checks = []
    for match in _QUOTED.finditer(_BLOCK_QUOTE.sub("", draft)):
        passage = normalised(match.group(1) or match.group(2))
        if len(passage) < QUOTE_MINIMUM or any(passage in quote for quote in known):
            continue
        found = any(_stands(passage, text) for text in texts)
        subject = _short(match.group(1) or match.group(2))
        message = "Stands in the evidence." if found else f"“{subject}” stands in no clause that was found."
        checks.append(Check("quote", found, subject, message))
    return checks


def _check_markers(draft: str, evidence: Evidence) -> list[Check]:
    unknown = sorted({int(m) for m in _MARKER.findall(draft) if evidence.marked(int(m)) is None})
    return [Check("marker", False, f"[{n}]", f"The marker [{n}] names no clause.") for n in unknown]


def _check_numbers(draft: str, cited: Sequence[Source], question: str) -> list[Check]:
    """Each number with a unit is quoted (in a cited clause), yours (in the question) or computed (a sum's result)."""
    quoted = {key for source in cited for key in _numbers(_words_of(source))}
    yours, results = _numbers(question).keys(), {_plain_number(match["result"]) for match in _SUM.finditer(draft)}
    checks = []
    for key, subject in _numbers(draft).items():
        kind = "quoted" if key in quoted else "yours" if key in yours else "computed" if key[0] in results else None
        message = f"{subject}: {kind}." if kind else f"{subject} stands neither in a cited clause nor in the question."
        checks.append(Check("number", kind is not None, subject, message))
    return checks


def _check_sums(draft: str) -> list[Check]:
    checks = []
    for match in _SUM.finditer(draft):
        a, b, result = (float(match[name].replace(",", "")) for name in ("a", "b", "result"))
        right = {"+": a + b, "*": a * b, "/": a / b if b else inf, "-": a - b}[_SIGNS.get(match["sign"], match["sign"])]
        passed = isclose(right, result, rel_tol=0.005, abs_tol=0.005)
        subject = " ".join(match[0].split())
        checks.append(Check("sum", passed, subject, "Comes out." if passed else f"{subject} does not come out."))
    return checks


def _check_duties(draft: str, evidence: Evidence) -> list[Check]:
    """A sentence with a marker says must, may or must not only where the clause it cites says so too."""
    checks = []
    for sentence in sentences(_QUOTED.sub(" ", draft)):
        cited = [source for n in _MARKER.findall(sentence) if (source := evidence.marked(int(n)))]
        said = _duties(sentence)
        told = {duty for source in cited for duty in _duties(" ".join((*source.lead_in, source.text)))}
        if cited and said and told and not said <= told:
            turned = ", ".join(sorted(said - told))
            numbers = ", ".join(dict.fromkeys(source.article for source in cited))
            message = f"“{_short(sentence)}” says “{turned}”, which Article {numbers} does not."
            checks.append(Check("duty", False, _short(sentence), message))
    return checks


def _duties(text: str) -> set[str]:
    """What a text obliges to, permits and forbids: "must", "may", "must not"."""
    forbidden = bool(_MUST_NOT.search(text))
    rest = _MUST_NOT.sub(" ", text)
    duties = {"must"} if _MUST.search(rest) else set()
    duties |= {"may"} if _MAY.search(rest) else set()
    return duties | ({"must not"} if forbidden else set())


def _numbers(text: str) -> dict[tuple[str, str], str]:
    """The numbers with units of a text, as they compare ("10", "second") and as they stand ("10 seconds")."""
    bare = re.sub(r"\((\d[\d.,]*)\)", r"\1", text)
    return {
        (_plain_number(value), unit.removesuffix("s") or unit): f"{value} {unit}"
        for value, unit in _NUMBER.findall(bare)
    }


def _plain_number(value: str) -> str:
    """A number as it compares: "1,525" and "1525.0" are the same."""
    return format(Decimal(value.replace(",", "")).normalize(), "f")


def _words_of(source: Source) -> str:
    return f"{source.title}\n{source.text}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 120 else f"{text[:117]}..."
