"""The limits of a clause: every number of its passages becomes a limit or has a reason why not."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from core.copied_fields import copy_fields
from core.grammar.clause_sentences import BAND, FROM_BELOW, ReadPassage, read_passages
from core.grammar.clauses import find_half, mark_clauses
from core.grammar.comparisons import Relation
from core.grammar.cues import scan
from core.grammar.duties import Modality
from core.grammar.passages import Passage, PassageSource
from core.grammar.relations import find_direction
from core.grammar.sentence import CONDITIONAL, UNLIKELY, Amount, Sentence
from core.grammar.stems import stem_words
from core.grammar.vocabulary import STOP_WORDS, any_word

_BRACKETED = re.compile(r"\(([^()]*\b(?:only|if|when|for)\b[^()]*)\)", re.I)
_ALTERNATIVE = re.compile(r"(?i)^([^.;:,]{1,60}?)\s(?:or|and)\s+(?:(?:a|an)\s+)?$")
"""What is between alternatives: "1.5 mm solid steel or 4 mm solid aluminum plates"."""
_TWIN = re.compile(r"\([^()]*\)")
_ALONE = re.compile(r"\W*\d+(?:\.\d+)+\W*")
"""A number of a rule that is printed apart: nothing says what it would limit."""
_END = re.compile(r"[;.]\s")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
CASE_BEFORE = re.compile(rf"\W*({any_word('case_before')})\b", re.IGNORECASE)
"""What begins a sentence that holds in the case alone of which the one before it speaks."""
_LISTED = ("limit", "sanction")
"""Roles of amounts that are rows of the register: what is allowed, and what a breach costs."""
_REASONS = {
    "threshold": "condition",
    "size_name": "name",
    "fact": "fact",
    "date": "date",
    "reference": "citation",
    "tolerance": "tolerance",
    "other": "no duty",
}
"""What is said of a number that is no limit, by its role."""
_FROM_ABOVE = ("at most", "less than")


@dataclass(frozen=True, slots=True)
class ClauseLimit:
    """A limit as a clause sets it. `unit` is empty for a count or a ratio."""

    subject: str
    relation: Relation
    value: Decimal
    upper: Decimal | None
    unit: str
    condition: str
    modality: Modality
    source: PassageSource
    quote: str
    lead: str = ""
    label: str = ""
    """What a table's row is called."""
    other_end: Decimal | None = None
    """The other limit of "a minimum of 80 dBA and a maximum of 90 dBA"."""
    doubt: str = ""
    """Why its relation is not proved; empty where it is."""

    @property
    def proved(self) -> bool:
        """True where every factor of its relation is known, so that it may yield a verdict."""
        return not self.doubt

    @property
    def may_limit_nothing(self) -> bool:
        """True where it is in doubt whether the number limits anything, not only which way."""
        return self.doubt in (CONDITIONAL, UNLIKELY)


@dataclass(frozen=True, slots=True)
class OmittedNumber:
    """A number that is no limit, and why."""

    text: str
    reason: str
    quote: str


def read_figure_limits(texts: Iterable[str], caption: str, language: str = "") -> list[ClauseLimit]:
    """Return the limits of a figure's texts that say so: a drawing has many other sizes."""
    passages = (read_passages(text, (), (language,) if language else ()) for text in texts)
    found = (limit for own in passages for limit in collect_limits(own)[0])
    plain = (one for one in found if one.relation in ("at least", "at most", "between"))
    return [replace(one, source="figure", lead=caption) for one in plain]


def collect_limits(
    passages: Iterable[ReadPassage], heading: str = ""
) -> tuple[tuple[ClauseLimit, ...], tuple[OmittedNumber, ...]]:
    """Return the limits of a clause's passages and their numbers that are none."""
    found: list[ClauseLimit | OmittedNumber] = []
    before = ""
    for read in passages:
        case = CASE_BEFORE.match(read.passage.text)
        told = f"{case[1]}: {before}".replace(";", ",").rstrip(": ") if case else ""
        for one in _list_numbers(read, heading):
            if told and isinstance(one, ClauseLimit):
                one = replace(one, condition="; ".join(filter(None, (told, one.condition))))
            found.append(one)
        before = read.passage.text
    limits = tuple(one for one in found if isinstance(one, ClauseLimit))
    return limits, tuple(one for one in found if isinstance(one, OmittedNumber))


def _list_numbers(read: ReadPassage, heading: str) -> list[ClauseLimit | OmittedNumber]:
    """Return each number of a passage: a limit, or why it is none."""
    passage, sentence = read.passage, read.sentence
    amounts: Sequence[Amount] = sentence.amounts
    if passage.source != "table":
        amounts = [one for one in amounts if one.kind == "amount"]
        if passage.text == passage.quote and not passage.lead and _ALONE.fullmatch(passage.text):
            return [OmittedNumber(one.text, _REASONS["other"], passage.quote) for one in amounts]
        if _is_row_of_cells(passage.text, amounts):
            reason = "row of a table that was not read"
            return [OmittedNumber(one.text, reason, passage.quote) for one in amounts]
    found: list[ClauseLimit | OmittedNumber] = []
    begin = 0
    for place, one in enumerate(amounts):
        end = amounts[place + 1].start if place + 1 < len(amounts) else len(passage.text)
        words = _complete_words(passage.text, amounts, place, end)
        limit = _read_amount(passage, sentence, heading, one, words)
        last = found[-1] if found else None
        between = passage.text[begin : one.start]
        match last, limit:
            case ClauseLimit(), ClauseLimit() if _are_ends(last, limit, between):
                found[-1] = replace(last, other_end=limit.value)
                limit = replace(limit, other_end=last.value)
        found.append(limit)
        begin = one.end
    return found


def _is_row_of_cells(text: str, amounts: Sequence[Amount]) -> bool:
    """True of amounts of which nothing says what they are: "0 V to 50 V 1.6 mm 1.6 mm"."""
    gaps = [text[one.end : other.start].isspace() for one, other in pairwise(amounts)]
    if not any(all(pair) for pair in pairwise(gaps)):
        return False
    is_band = amounts[0].upper is not None and amounts[0].measure != amounts[1].measure
    return is_band or not any(one.unit for one in amounts)


def _read_amount(
    passage: Passage,
    sentence: Sentence,
    heading: str,
    amount: Amount,
    words: tuple[str, str],
) -> ClauseLimit | OmittedNumber:
    """Read an amount; `words` are those before and behind it that say what it limits."""
    if passage.holds_unread:
        return OmittedNumber(amount.text, "formula", passage.quote)
    is_required = amount.role == "threshold" and amount.is_required
    if amount.relation is None or (amount.role not in _LISTED and not is_required):
        return OmittedNumber(amount.text, _REASONS[amount.role], passage.quote)
    relation, doubt = amount.relation, amount.doubt
    value, upper = amount.ends
    if amount.tolerance is not None:
        relation = "between"
    if not amount.is_compared and relation == "equal" and passage.source != "table":
        headed = find_direction(heading, sentence.language)
        if headed and not sentence.duties:
            relation, doubt = headed, ""
    return copy_fields(
        ClauseLimit,
        passage,
        subject=_subject_of(passage, *words),
        relation=relation,
        value=value,
        upper=upper,
        unit=amount.unit,
        condition=_condition_of(passage, sentence.language, *words),
        modality=_modality_of(sentence, amount),
        doubt=doubt,
    )


def _modality_of(sentence: Sentence, amount: Amount) -> Modality:
    """Return the duty under which an amount is: the last before it, else the first behind."""
    duties = [one for one in sentence.duties if one.is_main] or [*sentence.main_duties]
    before = [one for one in duties if one.start < amount.start]
    nearest = next(iter((*reversed(before), *duties)), None)
    return nearest.modality if nearest else "must"


def _are_ends(lower: ClauseLimit, upper: ClauseLimit, between: str) -> bool:
    """True of a minimum and the maximum right behind it, which is no condition's."""
    is_pair = lower.relation in FROM_BELOW and upper.relation in _FROM_ABOVE
    cues = scan(_TWIN.sub("", between), "en")
    words = stem_words(" ".join(one.text for one in cues if one.kind == "word")) - STOP_WORDS
    has_condition = any(one.has("condition") for one in cues)
    return is_pair and not words and not has_condition and lower.unit == upper.unit


def _complete_words(text: str, amounts: Sequence[Amount], place: int, end: int) -> tuple[str, str]:
    """Return the words before and behind an amount, up to `end`, that say what it limits.

    Of two alternatives each has its own words, and both what is printed once: of "a 1.5 mm solid
    steel or 4 mm solid aluminum plate must", the first is on "a … solid steel plate must".
    """
    amount = amounts[place]
    left, right = text[: amount.start], text[amount.end : end]
    for one, other in pairwise(amounts[max(0, place - 1) : place + 2]):
        between = _ALTERNATIVE.match(_TWIN.sub("", text[one.end : other.start]))
        if between is None or one.measure != other.measure:
            continue
        if amount is other:
            left = text[: one.start]
        else:  # as many words are its own as of the other one
            behind = _END.split(_TWIN.sub("", text[other.end :]))[0].split()
            right = " ".join((between[1], *behind[len(between[1].split()) :]))
    return left, right


def _subject_of(passage: Passage, left: str, right: str) -> str:
    """Return the words that say what a limit is on, without the number."""
    if passage.source == "table":
        parts = (f"{passage.label_heading} {passage.label}".strip(), passage.column)
        return ": ".join(filter(None, parts)) or _trim(f"{left} … {right}")
    own = _trim(f"{_trim(left)} … {_trim(_END.split(right)[0])}")
    return own if _LETTERS.search(own) else _trim(passage.lead)


def _trim(words: str) -> str:
    return " ".join(words.split()).strip(" ,;:.(…-–−")


def _condition_of(passage: Passage, language: str, left: str, right: str) -> str:
    """Return under which condition a limit holds, in the rule's words."""
    if passage.source == "table" and BAND.search(passage.label):
        return f"{passage.label_heading} {passage.label}".strip()
    text = f"{left} … {right}"
    pieces = scan(text, language)
    place = next(at for at, one in enumerate(pieces) if one.start >= len(left) + 1)
    half = find_half(pieces, mark_clauses(pieces), place)
    text = text[pieces[half.start].start : pieces[half.stop - 1].end]
    found = [*_find_conditions(text, language)]
    found += [match[1] for match in _BRACKETED.finditer(text)]
    found += [*_find_conditions(passage.lead, language)]
    return "; ".join(dict.fromkeys(map(_trim, found)))


def _find_conditions(text: str, language: str) -> Iterator[str]:
    """Yield the conditions of a text, each up to the next comma."""
    pieces = iter(scan(text, language))
    for opening in pieces:
        if opening.has("condition", "circumstance"):
            ends = (one.start for one in pieces if one.text in (",", ";", "."))
            yield text[opening.start : next(ends, len(text))]
