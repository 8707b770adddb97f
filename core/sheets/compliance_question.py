"""What a question asks a verdict on: its values, each with the words of what it is of."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from core.grammar import (
    AMOUNTS,
    UNITS,
    Quantity,
    WrittenNumber,
    find_cues,
    find_figures,
    find_quantities,
    list_cues,
    list_words,
    read_sentence,
    remove_quantities,
)
from core.library import content_words
from core.sheets.limited_things import LENGTH_WORDS

_ASKS_ELSE = re.compile(
    rf"(?i)(?:^|[.,;:?!–-]\s+|\s[–-]\s)(?:and\s+)?"
    rf"(?!what (?:if|about)\b)(?:{list_cues('question').any})\b"
)
"""A sentence, or a part of one, that asks for something else than a verdict."""
_ASKS_WHETHER = re.compile(rf"(?i)(?:{list_cues('verb', 'modal').any})\b")
_CHECKING_WORDS = frozenset((*list_words("checking"), *list_cues("verb")))
_BY = re.compile(r"\s?(?:[x×]|by)\s?")
_SHARE_OF = re.compile(r"\s(?:of\s(?:the\s)?)?([a-z]{4,})\b", re.I)
"""What a share is of: "45 % attendance"."""
_SEPARATOR = re.compile(r"[,;]|\b(?:and|or|but|with)\b", re.I)
_NOT_AS_WRITTEN = re.compile(
    rf"(?i)(?:[-−–±]|\+/[-−–])\s?$|\b(?:exceed(?:ing)?|between|{list_cues('place').any})\s+$"
)
"""Before a value that is negative, a tolerance, or an end of what is asked about."""
_WORDS_OF_BOUND = 3
"""Words before a value that may compare it: "not less than 5 mm"."""
_LENGTH_WORDS = frozenset[str]().union(*LENGTH_WORDS)


@dataclass(frozen=True, slots=True)
class QuestionValue:
    """A value of a question, the words of what it is of, and what the question says beside it.

    `column` is its place and their number where several are written as one size: "25 x 2 mm".
    """

    quantity: Quantity
    subject: str
    remarks: str = ""
    column: tuple[int, int] | None = None
    is_plain: bool = True
    """False of one that the question compares or negates ("above 60 V", "−20 °C")."""
    thing: str = ""
    """What a count is of: "drivers"."""


@lru_cache(maxsize=1_000)
def values_in_question(question: str) -> tuple[Quantity, ...]:
    """Return the values that a question asks a verdict on; none where it asks something else.

    A number in words is mostly no value: "from one set", "the first three laps". A number of things
    is one where it is alone: "May a team have 7 drivers?" A number of a day, a time of day or an
    article says when or where, and is none.
    """
    if _ASKS_ELSE.search(question):
        return ()
    said = [one for one in read_sentence(question).amounts if one.kind in ("date", "reference")]

    def is_value(one: Quantity | WrittenNumber) -> bool:
        return not any(beside.start < one.end and one.start < beside.end for beside in said)

    values = [*filter(is_value, _find_quantities(question))]
    figures = filter(is_value, find_figures(question))
    counts = (one for one in figures if one.counted and not one.quantity)
    counted = [Quantity(one.value, "", one.start, one.end) for one in counts if one.text.isdigit()]
    is_count = not values and len(counted) == 1 and _ASKS_WHETHER.match(question)
    found = counted if is_count else values
    return tuple(v for v in found if any(map(str.isdigit, question[v.start : v.end])))


def _find_quantities(question: str) -> Sequence[Quantity]:
    """Return the amounts of a question with the units of its language too."""
    read = read_sentence(question)
    if read.language == "en":
        return find_quantities(question)
    found = (one for one in read.amounts if one.unit in UNITS)
    return [Quantity(one.value, one.unit, one.start, one.end) for one in found if not one.upper]


def read_values(question: str) -> Iterator[QuestionValue]:
    """Yield the values that a question asks a verdict on, each with the words that it is of.

    Where it brings several, the words of a length that stand by another are of that one.
    """
    sizes = _group_sizes(question)
    for one in chain(*sizes) if read_sentence(question).language != "en" else ():
        question = question[: one.start] + " " * (one.end - one.start) + question[one.end :]
    parts = [question[start:end] for start, end in pairwise(_find_borders(question, sizes))]
    others = [_drop(_LENGTH_WORDS, part) for part in parts]
    for place, size in enumerate(sizes):
        about = " ".join((*others[:place], parts[place], *others[place + 1 :]))
        subject = _describe_subject(about)
        for number, value in enumerate(size):
            remarks = ", ".join(str(one) for one in chain(*sizes) if one.kind != value.kind)
            column = (number, len(size)) if len(size) > 1 else None
            is_plain = not _compares_value(question, value)
            subject = subject if content_words(subject) else _name_kind(value.kind)
            if noun := _SHARE_OF.match(question[value.end :]) if value.kind == "share" else None:
                subject = f"{noun[1]}; {subject}"
            thing = "" if value.unit else question[value.end :].split()[0].rstrip("?.,")
            yield QuestionValue(value, subject, remarks, column, is_plain, thing)


def _group_sizes(question: str) -> list[list[Quantity]]:
    """Return a question's values; those that are written as one size ("25 x 2 mm") together."""
    sizes: list[list[Quantity]] = []
    for value in values_in_question(question):
        if sizes and _BY.fullmatch(question[sizes[-1][-1].end : value.start]):
            sizes[-1].append(value)
        else:
            sizes.append([value])
    return sizes


def _find_borders(question: str, sizes: Sequence[Sequence[Quantity]]) -> Iterator[int]:
    """Yield where the words of each size begin, and where the last end."""
    yield 0
    for one, other in pairwise(sizes):
        found = _SEPARATOR.finditer(question, one[-1].end, other[0].start)
        yield max((match.start() for match in found), default=one[-1].end)
    yield len(question)


def _compares_value(question: str, value: Quantity) -> bool:
    left = " ".join(question[: value.start].split()[-_WORDS_OF_BOUND:])
    if find_cues(left, "borne"):
        return False
    left = _drop(_CHECKING_WORDS, left)
    near = f"{left} {question[value.start :]}"
    amounts = read_sentence(near).amounts
    is_bound = any(one.start <= len(left) + 1 < one.end and one.is_compared for one in amounts)
    return bool(_NOT_AS_WRITTEN.search(left)) or is_bound


def _describe_subject(text: str) -> str:
    """Return the words of what a value is of: neither the value nor words of asking.

    Words that say a kind of amount which its unit says too tell no limits apart, except lengths.
    """
    kinds = {value.kind for value in find_quantities(text)} - {"length"}
    said = {word for one in AMOUNTS if one.kinds <= kinds for word in one.adjectives}
    return " ".join(_drop(_CHECKING_WORDS | said, remove_quantities(text)).split()).rstrip(" ?")


def _drop(words: frozenset[str], text: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda word: "" if word[0].casefold() in words else word[0], text)


def subject_words(question: str) -> Mapping[str, str]:
    """Return, by stem, the words of what a value is of, else of what its unit measures."""
    words = content_words(_describe_subject(question))
    values = find_quantities(question)
    return words if words or not values else content_words(_name_kind(values[0].kind))


def names_subject(question: str) -> bool:
    """True where a question says what its values are of: not of "is 85 kW legal?"."""
    return bool(content_words(_describe_subject(question)))


def _name_kind(kind: str) -> str:
    """Return words for what alone has units of a kind: "rotation speed"; else the kind itself."""
    nouns = [one.nouns[:2] for one in AMOUNTS if kind in one.kinds]
    return " ".join((kind, *nouns[0])) if len(nouns) == 1 else kind
