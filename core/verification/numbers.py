"""The numbers of a draft, looked up in the words that it cites, in the question and in its sums."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from core.grammar import (
    Quantity,
    Sentence,
    WrittenNumber,
    detect_language,
    find_cues,
    find_figures,
    read_sentence,
)
from core.library import content_words, coverage
from core.verification.arithmetic import find_sums, follows_from
from core.verification.statements import (
    CLEARLY_MORE,
    FIXED,
    WAYS,
    ParsedDraft,
    Statement,
    StatementPiece,
    plain_words,
    words_beside,
)
from core.verification.types import ComplianceRow, DraftCheck, doubt_or_fail

MAX_COUNT = 12
"""Up to here a number without a unit may count what the draft shows: "three conditions"."""
MAX_OPERANDS = 60
"""The numbers of which one may be computed: these make 1,770 pairs."""


@dataclass(frozen=True, slots=True)
class _Rival:
    """A number that cited words say where a statement says another one."""

    figure: WrittenNumber
    piece: StatementPiece

    def may_admit(self, other: WrittenNumber, statement: Sentence) -> bool:
        """True of a bound beside an instance: "a shed of 20 m²", or what is permitted within it."""
        amounts = (one for one in self.piece.sentence.amounts if one.is_compared)
        bounds = [one for one in amounts if one.start <= self.figure.start < one.end]
        own = [one for one in statement.amounts if one.start == other.start]
        before = statement.text[: other.start].rstrip()
        is_of = any(one.end == len(before) for one in find_cues(before, "of"))
        if not bounds or any(one.is_compared or (one.proved and not is_of) for one in own):
            return False
        permits = (one for one in statement.duties if one.modality == "may" and one.is_main)
        is_permitted = any(one.start <= other.start for one in permits)
        return not is_permitted or self._is_within(bounds[0].relation, other)

    def _is_within(self, relation: str | None, other: WrittenNumber) -> bool:
        limit, value = self.figure.value_beside(other), other.value_beside(self.figure)
        side, _ = WAYS.get(relation or "", FIXED)
        return limit is not None and value is not None and (value - limit) * side >= 0

    def is_left_over(self, figure: WrittenNumber, own: Sequence[WrittenNumber]) -> bool:
        """True where a statement has all numbers like this one that the piece has, but for this."""
        mine = [one for one in own if one.rivals(figure)]
        theirs = [one for one in list_figures(self.piece.sentence) if one.rivals(figure)]
        rest = [one for one in theirs if not _holds_figure(mine, one)]
        is_rest = bool(rest) and all(map(self.figure.equals, rest))
        return is_rest and all(_holds_figure(theirs, one) for one in mine)


@dataclass(frozen=True, slots=True)
class _Compared:
    """A number of a statement, whether pieces bear it, or only ones on something else do, and what
    closer ones say instead of it.
    """

    figure: WrittenNumber
    is_quoted: bool
    is_elsewhere: bool
    rival: _Rival | None


class NumberCheck:
    """Looks up numbers that a draft may use: of its question, and of checked values (`rows`)."""

    def __init__(
        self, draft: ParsedDraft, question: str, rows: Sequence[ComplianceRow] = ()
    ) -> None:
        self._draft = draft
        self._language = detect_language(draft.text) or ""
        self._yours = self._list_figures(question)
        told = (f"{row.limit}, {row.yours}, {row.margin.lstrip('+−±')}" for row in rows)
        self._others = [figure for text in told for figure in find_figures(text)]
        texts = (*(statement.text for statement in draft.statements), *(row.note for row in rows))
        sums = (one for text in texts for one in find_sums(text))
        self._sums = [one for one in sums if one.is_right and one.is_shown]
        self._known: list[WrittenNumber] = []
        self._last: Sequence[WrittenNumber] = ()

    def check(self, statement: Statement, notes: Sequence[str] = ()) -> Iterator[DraftCheck]:
        """Yield a check for each number of a statement; `notes` are further words it rests on."""
        own = self._list_figures(statement.own)
        written = self._list_figures(statement.text)
        before, self._last = self._last, written
        if not own:
            return
        pieces = self._draft.pieces_of(statement.sources or self._draft.sources)
        noted = list(chain.from_iterable(map(find_figures, notes)))
        near = [*written, *self._yours, *self._others, *before][:MAX_OPERANDS]
        read = read_sentence(statement.own, language=self._language)
        compared = [self._compare(figure, statement, pieces, own) for figure in own]
        for one in compared:
            figure, is_asserted = one.figure, _is_asserted(one.figure, read)
            is_noted = _holds_figure(noted, figure)
            if one.is_quoted or (is_noted and not one.rival):
                origin = "quoted"
            elif one.rival and is_asserted:
                origin = "computed" if follows_from(figure, written, (), self._sums) else ""
            else:
                origin = self._find_origin(figure, near, pieces, bool(one.rival))
            if not origin and not is_noted:
                yield _fail_number(figure, one.rival, _is_other(one, compared, read))
                continue
            self._known.append(figure)
            if name := str(figure.quantity or ""):
                yield DraftCheck("number", True, name, f"{name}: {origin or 'known'}.")

    def _list_figures(self, text: str) -> list[WrittenNumber]:
        return list_figures(read_sentence(text, language=self._language))

    def _find_origin(
        self,
        figure: WrittenNumber,
        near: Sequence[WrittenNumber],
        pieces: Sequence[StatementPiece],
        has_rival: bool,
    ) -> str:
        """Return where a number that no clause says comes from; empty where that is not known."""
        if _holds_figure(self._yours, figure):
            return "yours"
        cited = (
            [] if has_rival else [one for piece in pieces for one in list_figures(piece.sentence)]
        )
        if _holds_figure(self._others, figure) or follows_from(
            figure, near, cited[:MAX_OPERANDS], self._sums
        ):
            return "computed"
        is_operand = any(float(figure.value) in one.operands for one in self._sums)
        if has_rival and not is_operand:
            return ""
        is_known = (
            is_operand or _holds_figure(self._known, figure) or self._is_count(figure, pieces)
        )
        return "known" if is_known else ""

    def _compare(
        self,
        figure: WrittenNumber,
        statement: Statement,
        pieces: Sequence[StatementPiece],
        own: Sequence[WrittenNumber],
    ) -> _Compared:
        spans = words_beside(statement.own, figure, own)
        words = plain_words(spans[len(own) < 2]) or statement.words
        bearing = [piece for piece in pieces if _holds_figure(list_figures(piece.sentence), figure)]
        others = [
            (coverage(words, piece.text), not _holds_figure(own, other), _Rival(other, piece))
            for piece in pieces
            if piece.is_cited and piece not in bearing
            for other in list_figures(piece.sentence)
            if figure.rivals(other)
        ]
        shares = (coverage(words, piece.text) + 0.1 * piece.is_cited for piece in bearing)
        share = max(shares, default=0.0)
        closest, _, rival = max(others, key=lambda one: one[:2], default=(0.0, "", None))
        is_quoted = bool(bearing) and closest <= share + CLEARLY_MORE
        rival = None if is_quoted else rival
        return _Compared(figure, is_quoted, bool(bearing) and not is_quoted, rival)

    def _is_count(self, figure: WrittenNumber, pieces: Sequence[StatementPiece]) -> bool:
        """True of a small number that counts what is shown, or things of which no rule speaks."""
        if figure.quantity or figure.value > MAX_COUNT:
            return False
        words = content_words(" ".join(piece.text for piece in pieces))
        is_shown = figure.value == 1 or figure.value in self._draft.counts
        return is_shown or figure.counted.isdisjoint(words)


def _is_asserted(figure: WrittenNumber, read: Sentence) -> bool:
    """True of a number that a statement surely sets a limit with."""
    own = (one for one in read.amounts if one.start == figure.start and one.is_compared)
    return any(one.role == "limit" and one.proved for one in own)


def _fail_number(figure: WrittenNumber, rival: _Rival | None, is_sure: bool) -> DraftCheck:
    """Return the check of a number that comes from nowhere; `is_sure` if it is for its rival."""
    name = str(figure.quantity or figure.text)
    if rival is None:
        message = f"{name} is neither in a cited clause nor in the question."
        return doubt_or_fail("number", name, message, "unknown number")
    message = f"“{figure.text}” is said where the cited words say “{rival.figure.text}”."
    reason = "other amount" if is_sure else "other number"
    return doubt_or_fail("number", name, message, reason)


def _is_other(one: _Compared, compared: Sequence[_Compared], read: Sentence) -> bool:
    """True where a number surely stands for its rival: swapped with another, or new beside it."""
    are_swapped = sum(each.is_elsewhere for each in compared) > 1
    if one.rival is None or are_swapped or _is_asserted(one.figure, read):
        return True
    own = [each.figure for each in compared]
    quoted = [each.figure for each in compared if each.is_quoted]
    is_beside = any(map(one.figure.rivals, quoted))
    is_beside = is_beside and not one.rival.is_left_over(one.figure, own)
    return not (one.is_elsewhere or is_beside or one.rival.may_admit(one.figure, read))


def list_figures(sentence: Sentence) -> list[WrittenNumber]:
    """Return the numbers of a sentence, with those that only a reader of its language finds."""
    found = list(find_figures(sentence.text))
    for one in sentence.amounts:
        plain = [other for other in found if other.start == one.start and not other.quantity]
        if sentence.text[one.end :].startswith("-") or (one.fraction and not plain):
            continue  # "twenty" of "twenty-fifth", "a third"
        for value in filter(None, (one.value, one.upper)):
            quantity = Quantity(value, one.unit, one.start, one.end) if one.measure else None
            figure = WrittenNumber(value, quantity, one.text, one.start, one.end)
            if quantity:
                found = [other for other in found if other not in plain]
            if not _holds_figure(found, figure):
                found.append(figure)
    return found


def _holds_figure(figures: Iterable[WrittenNumber], figure: WrittenNumber) -> bool:
    return any(figure.equals(other) for other in figures)
