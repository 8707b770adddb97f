"""The limits of a clause: every number of its passages becomes a limit or has a reason why not."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from core.grammar.denials import DOUBT, find_doubt
from core.grammar.directions import (
    Relation,
    find_bound,
    find_denied_bound,
    find_direction,
    find_ending_bound,
    find_load_bound,
    find_negated_bound,
    find_subject_bound,
    turn_round,
)
from core.grammar.duties import Modality, governing_duty
from core.grammar.figures import find_figures
from core.grammar.number_roles import NumberPlace, find_role, is_clock_time, is_count
from core.grammar.passage_numbers import (
    AXIS,
    TOLERANCE,
    OwnNumbers,
    PassageNumber,
    find_numbers,
    is_row_of_cells,
)
from core.grammar.passages import Passage, PassageSource, split_passages
from core.grammar.quantities import UNITS
from core.grammar.stems import stem_words
from core.grammar.vocabulary import STOP_WORDS, any_word, list_words

_CONDITION = re.compile(rf"(?i)\b(?:{any_word('condition', 'circumstance')}|provided)\b[^,;.]*")
_BRACKETED = re.compile(r"\(([^()]*\b(?:only|if|when|for)\b[^()]*)\)", re.I)
_CONTINUES = re.compile(
    r"(?i)^[^.;]{0,80}\b(?:or|and)\s+(?:(?:for|if|when|where)\s+(?:[^\s.;:,]+\s+){1,9}?)?"
    r"(?:(?:a|an|the|at|of|for|to|between|from)\s+)*$|"
    r"^(?:\s+[^\s.,;]+){0,3},\s*$|^[^.;,]{0,60}(?:[x×]|\bby)\s*$"
)
"""What is between the numbers of a list, or of sides: "a maximum of 2 % sulphur, 1 % lead"."""
_ALTERNATIVE = re.compile(r"(?i)^([^.;:,]{1,60}?)\s(?:or|and)\s+(?:(?:a|an)\s+)?$")
"""What is between alternatives: "1.5 mm solid steel or 4 mm solid aluminum plates"."""
_TWIN = re.compile(r"\([^()]*\)")
_EXTREMES = stem_words(" ".join(list_words("minimum", "maximum", "comparison")))
"""Words that compare, and say nothing of what is compared: "more", not "longer"."""
_LOAD_KINDS = frozenset(list_words("load_kind"))
_ONLY = re.compile(r"(?i)\bonly\b")
_FIRST = re.compile(r"(?i)(?<!for the )first\s+$")
_POINTER = re.compile(r"(?i)\b(?:below|above|following)\s*:?\s*$")
_COMPARES = re.compile(r"[<>≤≥]|[<>]=|\b(?:up to|over|under|above|below|less|more)\b", re.I)
_MAY_BE = re.compile(r"(?i)\bmay\s+(?:be|have|exceed)\b(?!.*\b(?:only|not)\b)")
_EXCEEDING = re.compile(r"(?i)\bexceeding\s*$")
_OBLIGES = re.compile(rf"(?i)\b(?:{any_word('must', 'obliged')}|not|no)\b")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


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
    proved: bool = True
    """False where it is not proved which way the limit goes: it never yields a verdict."""
    thing: str = ""
    """What is limited, in the rule's words; empty where it is not known."""


@dataclass(frozen=True, slots=True)
class OmittedNumber:
    """A number that is no limit, and why."""

    text: str
    reason: str
    quote: str


def read_figure_limits(texts: Iterable[str], caption: str) -> list[ClauseLimit]:
    """Return the limits of a figure's texts that say so: a drawing has many other sizes."""
    found = (limit for text in texts for limit in read_limits(text)[0])
    plain = (one for one in found if one.relation in ("at least", "at most", "between"))
    return [replace(one, source="figure", lead=caption) for one in plain]


def read_limits(
    text: str,
    heading: str = "",
    lead_in: Sequence[str] = (),
    axis_unit: str = "mm",
    own_numbers: OwnNumbers = lambda _: False,
) -> tuple[tuple[ClauseLimit, ...], tuple[OmittedNumber, ...]]:
    """Return the limits of a clause's text and its numbers that are none.

    `axis_unit` is the unit of coordinates ("Z=90"), which print none; `own_numbers` is true of the
    numbers of the document's own articles, which look like "T 3.2".
    """
    found = [
        one
        for passage in split_passages(text, lead_in)
        for one in read_passage(passage, heading, axis_unit, own_numbers)
    ]
    limits = tuple(one for one in found if isinstance(one, ClauseLimit))
    return limits, tuple(one for one in found if isinstance(one, OmittedNumber))


def read_passage(
    passage: Passage, heading: str, axis_unit: str, own_numbers: OwnNumbers
) -> list[ClauseLimit | OmittedNumber]:
    """Return each number of a passage: a limit, or why it is none."""
    numbers = find_numbers(passage, axis_unit, own_numbers)
    before: tuple[PassageNumber, ClauseLimit] | None = None
    found: list[ClauseLimit | OmittedNumber] = []
    begin = 0
    if passage.source != "table" and is_row_of_cells(passage.text, numbers):
        reason = "row of a table that was not read"
        return [OmittedNumber(number.figure.text, reason, passage.quote) for number in numbers]
    for number, following in zip(numbers, [*numbers[1:], None], strict=False):
        end = following.start if following else len(passage.text)
        words = _complete_words(passage.text, numbers, number, end)
        one = _read_number(passage, heading, number, (begin, end), before, words)
        between = passage.text[begin : number.start]
        if found and _shares_doubt(one, found[-1], _TWIN.sub("", between)):
            one = OmittedNumber(number.figure.text, DOUBT, passage.quote)
        if isinstance(one, ClauseLimit):
            if before and before[1] is found[-1] and _are_ends(before[1], one, between):
                found[-1] = replace(before[1], other_end=one.value)
                one = replace(one, other_end=before[1].value)
            before = number, one
        begin = number.end
        found.append(one)
    return found


def _shares_doubt(
    one: ClauseLimit | OmittedNumber, before: ClauseLimit | OmittedNumber, between: str
) -> bool:
    """True of a plain amount that goes on from one whose direction is not proved."""
    is_doubted = isinstance(before, OmittedNumber) and before.reason == DOUBT
    is_plain = isinstance(one, ClauseLimit) and one.relation == "equal"
    return is_doubted and is_plain and bool(_CONTINUES.match(between))


def _are_ends(lower: ClauseLimit, upper: ClauseLimit, between: str) -> bool:
    """True of a minimum and the maximum right behind it, which is no condition's."""
    words = stem_words(_TWIN.sub("", between)) - STOP_WORDS - _EXTREMES
    is_pair = lower.relation in ("at least", "more than") and upper.relation in (
        "at most",
        "less than",
    )
    is_one = not words and not _CONDITION.search(between) and lower.unit == upper.unit
    return is_pair and is_one and lower.value <= upper.value


def _read_number(
    passage: Passage,
    heading: str,
    number: PassageNumber,
    span: tuple[int, int],
    before: tuple[PassageNumber, ClauseLimit] | None,
    words: tuple[str, str],
) -> ClauseLimit | OmittedNumber:
    """Read a number.

    `span` is what is free of others around it, `before` the limit before it, and `words` are those
    before and behind it that say what it limits.
    """
    place = _find_place(passage, heading, number, span, before)
    left = place.left
    # A sentence that begins with a number of things has a duty of its own, whatever leads to it.
    own = governing_duty("", place.rest) if place.is_count and not left.strip() else None
    modality = own or governing_duty(f"{passage.lead} {left}", place.rest) or "must"
    forbids = modality == "must not" and not _ONLY.search(left)
    if reason := _find_reason(passage, number, place, forbids):
        return OmittedNumber(number.figure.text, reason, passage.quote)
    relation = _turn_bound(place, forbids, before[1].relation if before else None)
    if doubt := find_doubt(
        passage.lead, left, place.right, place.rest, is_bound=relation is not None
    ):
        return OmittedNumber(number.figure.text, doubt, passage.quote)
    is_most = modality == "may" and (place.is_count or _FIRST.search(left))
    value, upper = number.bounds
    return ClauseLimit(
        subject=_subject_of(passage, *words),
        relation=relation or ("at most" if is_most else "equal"),
        value=value,
        upper=upper,
        unit=number.unit,
        condition=_condition_of(passage, *words),
        modality=modality,
        source=passage.source,
        quote=passage.quote,
        lead=passage.lead,
        label=passage.label,
    )


def _turn_bound(place: NumberPlace, forbids: bool, before: Relation | None) -> Relation | None:
    """Return a number's direction after what denies or forbids it."""
    if denied := find_denied_bound(place.left, place.right):
        return denied
    goes_on = place.continues and place.bound == before
    if goes_on or not forbids:
        return place.bound
    return turn_round(place.bound, place.left, place.right)


def _find_place(
    passage: Passage,
    heading: str,
    number: PassageNumber,
    span: tuple[int, int],
    before: tuple[PassageNumber, ClauseLimit] | None,
) -> NumberPlace:
    """Return a number in its sentence, with the direction that its words or a limit before give."""
    text, (begin, end) = passage.text, span
    left, right, rest = text[: number.start], text[number.end : end], text[number.end :]
    bound = _find_relation(passage, heading, number, begin, right)
    since, continues = None, False
    if before:
        since = _TWIN.sub("", text[before[0].end : number.start])
        continues = bool(_CONTINUES.match(since)) and number.is_same_kind(before[0])
        if bound is None and continues and before[1].relation != "between":
            bound = before[1].relation
    example = passage.column if passage.source == "table" else ""
    return NumberPlace(
        number.figure, left, right, rest, passage.lead, example, bound, since, continues
    )


def _find_reason(
    passage: Passage, number: PassageNumber, place: NumberPlace, forbids: bool
) -> str | None:
    """Return why a number is no limit; None where it is one."""
    if passage.is_equation:
        return "formula"
    if passage.source == "table" and not (number.unit or place.bound or passage.counts_things):
        return "number without a unit in a table"
    reason = "name" if number.lower and is_clock_time(number.lower) else find_role(place)
    if forbids and reason == "condition" and number.lower:
        return None  # the range in which something is forbidden
    if forbids and reason is None and place.bound is None and place.is_count:
        return "no direction"
    if (
        reason is None
        and place.bound in ("less than", "more than")
        and _MAY_BE.search(place.clause)
    ):
        return "permission"  # "its straps may be less than 44 mm wide"
    if not forbids and _EXCEEDING.search(left := place.left) and not _OBLIGES.search(left):
        return reason or "threshold"  # "will stop any run exceeding ten minutes"
    return reason


def _find_relation(
    passage: Passage, heading: str, number: PassageNumber, begin: int, right: str
) -> Relation | None:
    """Return the direction of a number: of its own words, else of what leads to it."""
    if number.lower or number.tolerance:
        return "between"
    left = passage.text[: number.start]
    if TOLERANCE.search(left):
        return "at most"
    found = None
    if passage.source == "table":
        label = "" if _COMPARES.search(passage.label) else passage.label
        found = find_direction(passage.column) or find_direction(label)
    in_words = _directions_in_words(passage, heading, number, begin, right)
    found = found or next(filter(None, in_words), None)
    return None if found == "unclear" else found


def _directions_in_words(
    passage: Passage, heading: str, number: PassageNumber, begin: int, right: str
) -> Iterator[Relation | None]:
    """Yield the directions that words give to a number, the nearest words first."""
    left = AXIS.sub("", passage.text[: number.start])
    own = left[begin:]
    is_led = not governing_duty(left)
    led = f"{_POINTER.sub('', passage.lead)} {left}"
    if is_led:
        yield find_negated_bound(led, right)
    yield find_negated_bound(left, right)
    yield find_bound(own, right)
    if number.unit:
        yield find_ending_bound(passage.text[number.end :])
    yield find_subject_bound(left)
    if is_led and not begin:
        yield find_bound(led, right)
    if is_led:
        numbers = find_figures(passage.lead)  # whose directions are their own
        yield find_direction(passage.lead[numbers[-1].end :] if numbers else passage.lead)
        yield find_direction(heading)
    if not is_count(number.figure) and not _CONDITION.search(own):
        yield find_direction(re.split(r"[,;]\s", own)[-1])
    if number.unit in UNITS and UNITS[number.unit][0] in _LOAD_KINDS:
        yield find_load_bound(left)


def _complete_words(
    text: str, numbers: Sequence[PassageNumber], number: PassageNumber, end: int
) -> tuple[str, str]:
    """Return the words before and behind a number, up to `end`, that say what it limits.

    Of two alternatives each has its own words, and both what is printed once: of "a 1.5 mm solid
    steel or 4 mm solid aluminum plate must", the first is on "a … solid steel plate must".
    """
    left, right = text[: number.start], text[number.end : end]
    place = numbers.index(number)
    for one, other in pairwise(numbers[max(0, place - 1) : place + 2]):
        between = _ALTERNATIVE.match(_TWIN.sub("", text[one.end : other.start]))
        if between is None or not one.is_same_kind(other):
            continue
        if number is other:
            left = text[: one.start]
        else:  # as many words are its own as of the other one
            behind = re.split(r"[;.]\s", _TWIN.sub("", text[other.end :]))[0].split()
            right = " ".join((between[1], *behind[len(between[1].split()) :]))
    return left, right


def _subject_of(passage: Passage, left: str, right: str) -> str:
    """Return the words that say what a limit is on, without the number."""
    if passage.source == "table":
        parts = (f"{passage.label_heading} {passage.label}".strip(), passage.column)
        return ": ".join(filter(None, parts)) or _trim(f"{left} … {right}")
    tail = re.split(r"[;.]\s", right)[0]
    own = _trim(f"{_trim(left)} … {_trim(tail)}")
    return own if _LETTERS.search(own) else _trim(passage.lead)


def _trim(words: str) -> str:
    return " ".join(words.split()).strip(" ,;:.(…-–−")


def _condition_of(passage: Passage, left: str, right: str) -> str:
    """Return under which condition a limit holds, in the rule's words."""
    if passage.source == "table" and _COMPARES.search(passage.label):
        return f"{passage.label_heading} {passage.label}".strip()
    text = f"{left} … {right}"
    found = [match[0] for match in _CONDITION.finditer(text)]
    found += [match[1] for match in _BRACKETED.finditer(text)]
    found += [match[0] for match in _CONDITION.finditer(passage.lead)]
    return "; ".join(dict.fromkeys(map(_trim, found)))
