"""What can be checked in a draft without a model: its quotes, its numbers, its markers. Nothing here judges quality."""

import re
from collections.abc import Sequence

from core.agent.evidence import Evidence
from core.agent.types import Check, Citation, Score, Source

QUOTE_MINIMUM = 12
"""Characters from which a passage in quotation marks counts as a quote."""
_CAPS = {"quote": 3, "marker": 4, "number": 5}
"""Accuracy is capped at this where a check of the kind has failed."""

_QUOTED = re.compile(r"“([^”]+)”|\"([^\"\n]+)\"")
_MARKER = re.compile(r"\[(\d{1,3})\]")
_UNIT = (
    r"(?:%|°C?|mm²|mm2|mm|cm|km/h|kph|mph|km|m/s|kg/h|kg|g|kN|N|Nm|MPa|bar|kPa|kW|MW|W|MJ|kJ|J|kV|V|A|Hz|rpm|"
    r"litres?|laps?|seconds?|minutes?|hours?|days?|weeks?|months?|points?|sets?|grid (?:places?|positions?)|m|s)"
)
_NUMBER = re.compile(rf"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)\s?({_UNIT})(?![\w/])")


def verify(draft: str, citations: Sequence[Citation], evidence: Evidence, question: str) -> tuple[Check, ...]:
    """Check a draft against the evidence of its run.

    A quote must stand, normalised and contiguous, in the clause that its citation names, and a passage in quotation
    marks in some clause of the evidence; a number with its unit in a cited clause or in the question; a marker must
    name a clause.
    """
    checks = [_check_citation(citation, evidence) for citation in citations]
    cited = [source for citation in citations if (source := evidence.of(citation.clause_id))]
    checks += _check_passages(draft, citations, evidence)
    checks += _check_markers(draft, evidence)
    checks += _check_numbers(draft, cited, question)
    return tuple(checks)


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
    if normalised(citation.quote) in normalised(_words_of(source)):
        return Check("quote", True, subject, f"Stands word for word in Article {source.article}.")
    return Check("quote", False, subject, f"“{subject}” does not stand in Article {source.article}.")


def _check_passages(draft: str, citations: Sequence[Citation], evidence: Evidence) -> list[Check]:
    known = [normalised(citation.quote) for citation in citations]
    texts = [normalised(_words_of(source)) for source in evidence.sources]
    checks = []
    for match in _QUOTED.finditer(draft):
        passage = normalised(match.group(1) or match.group(2))
        if len(passage) < QUOTE_MINIMUM or any(passage in quote for quote in known):
            continue
        found = any(passage in text for text in texts)
        subject = _short(match.group(1) or match.group(2))
        message = "Stands in the evidence." if found else f"“{subject}” stands in no clause that was found."
        checks.append(Check("quote", found, subject, message))
    return checks


def _check_markers(draft: str, evidence: Evidence) -> list[Check]:
    unknown = sorted({int(m) for m in _MARKER.findall(draft) if evidence.marked(int(m)) is None})
    return [Check("marker", False, f"[{n}]", f"The marker [{n}] names no clause.") for n in unknown]


def _check_numbers(draft: str, cited: Sequence[Source], question: str) -> list[Check]:
    told = _numbers(question).keys() | {key for source in cited for key in _numbers(_words_of(source))}
    checks = []
    for key, subject in _numbers(draft).items():
        message = "Stands in a cited clause or in the question."
        if key not in told:
            message = f"{subject} stands neither in a cited clause nor in the question."
        checks.append(Check("number", key in told, subject, message))
    return checks


def _numbers(text: str) -> dict[tuple[str, str], str]:
    """The numbers with units of a text, as they compare ("10", "second") and as they stand ("10 seconds")."""
    bare = re.sub(r"\((\d[\d.,]*)\)", r"\1", text)
    return {
        (value.replace(",", ""), unit.removesuffix("s") or unit): f"{value} {unit}"
        for value, unit in _NUMBER.findall(bare)
    }


def _words_of(source: Source) -> str:
    return f"{source.title}\n{source.text}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 120 else f"{text[:117]}..."
