"""The numbers of a draft, looked up in the words that it cites, in the question and in its sums."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal

from core.agent.text.figures import Figure, find_figures
from core.agent.text.limits import find_limits
from core.agent.text.stems import content_words
from core.agent.types import DraftCheck
from core.agent.verification.statements import ParsedDraft, Piece, Statement, plain_words

MAX_COUNT = 12
"""Up to here a number without a unit may count what the draft shows: "three conditions"."""
CLEARLY_MORE = 0.2
"""By so much of a statement's words a piece with another number must be closer to it."""
_SEPARATOR = re.compile(r"[,;:(]|\b(?:and|or|but|while|whereas|against)\b")


class NumberCheck:
    """Looks up numbers. `question` and `others` are texts whose numbers a draft may use."""

    def __init__(self, draft: ParsedDraft, question: str, others: Iterable[str] = ()) -> None:
        self._draft = draft
        self._yours = find_figures(question)
        self._others = [figure for text in others for figure in find_figures(text)]
        self._last: Sequence[Figure] = ()
        self._near: list[Figure] = []
        """Numbers of the statement that is checked, and of the one before it."""
        self._known: list[Figure] = []
        self._counts = set(draft.counts)

    def check(self, statement: Statement, notes: Sequence[str] = ()) -> Iterator[DraftCheck]:
        """Yield a check for each number of a statement; `notes` are further words it rests on."""
        pieces = self._draft.pieces_of(statement.sources or self._draft.sources)
        own, written = find_figures(statement.own), find_figures(statement.text)
        self._near = [*self._last, *written]
        self._last = written
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
        is_closer = closest is not None and closest[0] > share + CLEARLY_MORE
        if bearing and not is_closer:
            return "quoted", ""
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
        pool = [f for f in (*self._yours, *self._near, *self._others) if not figure.equals(f)]
        return any(_rounds_to(one, figure, pool) for one in pool) or any(
            _computes(a, b, figure) for a in pool for b in pool
        )


def _any_equal(figure: Figure, others: Iterable[Figure]) -> bool:
    return any(figure.equals(other) for other in others)


def _base(figure: Figure, like: Figure) -> Decimal | None:
    """Return a number in the unit that another compares in; None where their measures differ."""
    if figure.quantity and like.quantity:
        return figure.quantity.base if figure.quantity.is_comparable(like.quantity) else None
    if figure.quantity or not like.quantity:
        return None if figure.quantity else figure.value
    return figure.value * like.quantity.base / (like.value or 1)  # "from 42 to 29 hours"


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
    digits = re.search(r"[\d.]+", result.text.replace(",", ""))
    written = Decimal(digits[0].strip(".")) if digits else result.value
    scale = result.value / written if written else 1
    digit = Decimal(1).scaleb(min(0, int(written.as_tuple().exponent))) * scale
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
