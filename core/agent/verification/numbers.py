"""The numbers of a draft, looked up in the words that it cites, in the question and in its sums."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from core.agent.text.limits import find_limits
from core.agent.text.quantities import (
    NUMBER,
    Quantity,
    find_quantities,
    parse_number,
)
from core.agent.text.stems import content_words, stem_words
from core.agent.text.vocabulary import any_word
from core.agent.types import DraftCheck
from core.agent.verification.statements import ParsedDraft, Piece, Statement, plain_words
from core.rulebook import find_citations, has_marker

MAX_COUNT = 12
"""Up to here a number without a unit may count what the draft shows: "three conditions"."""
CLEARLY_MORE = 0.2
"""By so much of a statement's words a piece with another number must be closer to it."""
_NUMBERED = re.compile(
    rf"(?i)\b(?:{any_word('numbered')})\s*\d+|(?<![\w.,])(?:19|20)\d\d(?![\w.,]\w)"
)
_CLOCK = re.compile(
    r"(?i)(?<![\w.:])(?P<hour>\d{1,2})(?:[:h](?P<minute>\d\d))?(?:\s?(?P<half>[ap])\.?m\b\.?)?(?!\w)"
)
_PLAIN = re.compile(rf"(?<![\w.,/±-]){NUMBER}(?!\w|[.,/-]\d)")
_SEPARATOR = re.compile(r"[,;:(]|\b(?:and|or|but|while|whereas|against)\b")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a text: an amount, a time of day, or a plain number with the words it counts."""

    value: Decimal
    quantity: Quantity | None
    text: str
    start: int
    end: int
    counted: frozenset[str] = frozenset()
    """Stems of the words behind it."""
    is_clock: bool = False

    def equals(self, other: "Figure") -> bool:
        """True where both may be one number; a unit may stand in a table's head."""
        if self.quantity and other.quantity:
            same = self.quantity.base == other.quantity.base
            return same and self.quantity.is_comparable(other.quantity)
        counted = self.counted | other.counted
        units = [figure.quantity.unit for figure in (self, other) if figure.quantity]
        is_other_thing = units and counted and counted.isdisjoint(stem_words(units[0]))
        return self.value == other.value and not is_other_thing

    def rivals(self, other: "Figure") -> bool:
        """True where the other says something else of the same measure or of the same things."""
        if self.equals(other) or self.is_clock != other.is_clock:
            return False
        if self.quantity and other.quantity:
            return self.quantity.kind == other.quantity.kind
        return self.is_clock or bool(self.counted & other.counted)


@lru_cache(maxsize=2_000)
def find_figures(text: str) -> tuple[Figure, ...]:
    """Return every number of a text, in order, without those of articles, pages and seasons."""
    spans = [(c.start, c.end) for c in find_citations(text)]
    spans += [match.span() for match in _NUMBERED.finditer(text)]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    found = [
        Figure(q.value, q, text[q.start : q.end], q.start, q.end) for q in find_quantities(text)
    ]
    found += _find_clocks(text)
    taken = [(figure.start, figure.end) for figure in found]
    for match in _PLAIN.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            value, counted = parse_number(match[0]), _counted_words(text[match.end() :])
            found.append(Figure(value, None, match[0], *match.span(), counted))
    return tuple(sorted(found, key=lambda figure: figure.start))


def _find_clocks(text: str) -> Iterator[Figure]:
    for match in _CLOCK.finditer(text):
        if match["minute"] or match["half"]:
            later = 12 if (match["half"] or "").lower() == "p" and int(match["hour"]) < 12 else 0
            value = int(match["hour"]) + later + Decimal(match["minute"] or 0) / 60
            yield Figure(value, None, match[0], *match.span(), is_clock=True)


def _counted_words(behind: str) -> frozenset[str]:
    words = re.match(r"(?:\s?\(\d+\))?(-[^\W\d]+|(?:\s+[^\W\d]+){0,3})", behind)
    return frozenset(content_words(words[1])) if words else frozenset()


class NumberCheck:
    """Looks up numbers. `question` and `others` are texts whose numbers a draft may use."""

    def __init__(self, draft: ParsedDraft, question: str, others: Iterable[str] = ()) -> None:
        self._draft = draft
        self._yours = find_figures(question)
        self._others = [figure for text in others for figure in find_figures(text)]
        written = (find_figures(statement.text) for statement in draft.statements)
        self._written = [figure for figures in written for figure in figures]
        self._known: list[Figure] = []
        self._counts = set(_count_things(draft))

    def check(self, statement: Statement, notes: Sequence[str] = ()) -> Iterator[DraftCheck]:
        """Yield a check for each number of a statement; `notes` are further words it rests on."""
        pieces = self._draft.pieces_of(statement.sources or self._draft.sources)
        own = find_figures(statement.own)
        asserted = {
            limit.amount.start
            for limit in find_limits(statement.own)
            if limit.relation != "unclear"
        }
        for figure in own:
            is_limit = figure.start in asserted
            words = plain_words(_words_around(statement.own, figure, own))
            origin, problem = self._look_up(figure, words or statement.words, pieces, is_limit)
            if problem and any(figure.equals(f) for note in notes for f in find_figures(note)):
                origin, problem = "noted", ""
            if not problem:
                self._known.append(figure)
            if problem or figure.quantity:
                subject = str(figure.quantity or figure.text)
                message = problem or f"{subject}: {origin}."
                yield DraftCheck("number", not problem, subject, message)

    def _look_up(
        self, figure: Figure, words: dict[str, str], pieces: Sequence[Piece], is_limit: bool
    ) -> tuple[str, str]:
        """Return where a number is from, and what is wrong with it; one of both is empty."""
        bearing = [p for p in pieces if _any_equal(figure, find_figures(p.text))]
        others = [
            (piece.covers(words), other)
            for piece in pieces
            if piece.is_cited and piece not in bearing
            for other in find_figures(piece.text)
            if figure.rivals(other)
        ]
        closest = max(others, key=lambda one: one[0], default=None)
        share = max((piece.covers(words) + 0.1 * piece.is_cited for piece in bearing), default=0.0)
        instead = (
            closest and f"“{figure.text}” is said where the cited words say “{closest[1].text}”."
        )
        if bearing:
            is_worse = closest is not None and closest[0] > share + CLEARLY_MORE
            return ("", str(instead)) if is_worse else ("quoted", "")
        if instead and is_limit:
            return "", instead
        if _any_equal(figure, self._yours):
            return "yours", ""
        if _any_equal(figure, self._others) or self._is_derived(figure):
            return "computed", ""
        if instead:
            return "", instead
        if _any_equal(figure, self._known) or self._is_count(figure, pieces):
            return "said before", ""
        unknown = (
            f"{figure.quantity or figure.text} is neither in a cited clause nor in the question."
        )
        return "", unknown

    def _is_count(self, figure: Figure, pieces: Sequence[Piece]) -> bool:
        """True of a small number that counts what is shown, or things of which no rule speaks."""
        if figure.quantity or figure.is_clock or figure.value > MAX_COUNT:
            return False
        words = content_words(" ".join(piece.text for piece in pieces))
        return (
            figure.value == 1 or figure.value in self._counts or not figure.counted & words.keys()
        )

    def _is_derived(self, figure: Figure) -> bool:
        """True of a sum, difference, product or rounding of other numbers of draft and question."""
        pool = [f for f in (*self._yours, *self._written, *self._others) if not figure.equals(f)]
        return any(_rounds_to(one, figure, pool) for one in pool) or any(
            _computes(a, b, figure) for a in pool for b in pool
        )


def _any_equal(figure: Figure, others: Iterable[Figure]) -> bool:
    return any(figure.equals(other) for other in others)


def _base(figure: Figure, like: Figure) -> Decimal | None:
    """Return a number in the unit that another compares in; None where their measures differ."""
    if figure.quantity and like.quantity:
        return figure.quantity.base if figure.quantity.is_comparable(like.quantity) else None
    return figure.value if not like.quantity else None


def _computes(a: Figure, b: Figure, result: Figure) -> bool:
    one, other = _base(a, result), _base(b, result)
    whole = result.quantity.base if result.quantity else result.value
    if one is not None and other is not None and whole in (one + other, one - other):
        return True
    factor = b.value / 100 if b.quantity and b.quantity.kind == "share" else b.value
    return one is not None and a is not b and whole == one * factor and factor not in (0, 1)


def _rounds_to(figure: Figure, result: Figure, pool: Collection[Figure]) -> bool:
    """True where a number becomes the result when rounded to its digits or to a named step."""
    value = figure.value
    if figure.quantity and result.quantity:
        if not figure.quantity.is_comparable(result.quantity):
            return False
        value = figure.quantity.base * result.value / (result.quantity.base or 1)
    digit = Decimal(1).scaleb(min(0, int(result.value.as_tuple().exponent)))
    steps = [digit, *(f.value for f in pool if 0 < f.value <= 10)]
    return any(
        value % step and not result.value % step and abs(value - result.value) < step
        for step in steps
    )


def _words_around(text: str, figure: Figure, others: Sequence[Figure]) -> str:
    """Return what of a statement speaks of one of its numbers."""
    ends = [other.end for other in others if other.end <= figure.start]
    starts = [other.start for other in others if other.start >= figure.end]
    opens, closes = max(ends, default=0), min(starts, default=len(text))
    if ends:
        opens = max(
            (m.end() for m in _SEPARATOR.finditer(text, opens, figure.start)), default=opens
        )
    if starts:
        parts = [m.start() for m in _SEPARATOR.finditer(text, figure.end, closes)]
        closes = max(parts, default=closes)
    return text[opens : figure.start] + " " + text[figure.end : closes]


def _count_things(draft: ParsedDraft) -> Iterator[int]:
    yield from (len(draft.sources), len(draft.statements), len(draft.statements) - 1)
    for source in draft.sources:
        lines = source.text.splitlines()
        yield from (sum(map(has_marker, lines)), sum(line.startswith("|") for line in lines) - 2)
