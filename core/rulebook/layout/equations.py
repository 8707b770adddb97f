"""Equations that plain text cannot express: fractions, found by a bar with print above and below.

Their words are taken out of the running text, so that nobody computes with the remains.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from core.rulebook.layout.blocks import Drawing, RowPiece, TextRow
from core.rulebook.layout.geometry import HasEdges, are_close, bounding_box, contains_point
from core.rulebook.layout.marks import strikes_piece
from core.rulebook.layout.text import spans_text
from core.rulebook.pdf.page_content import RuledLine

_SHORTEST, _LONGEST = 8.0, 260.0  # points: the bar of a fraction
_MAX_LETTERS = 60  # of a piece: more is prose
_INNER = 4.0  # points between a bar and a fraction above or below it
_OPERATORS = frozenset("=×x*+-−")


def take_equations(
    rows: list[TextRow], rules: Iterable[RuledLine], tables: Sequence[HasEdges]
) -> list[Drawing]:
    """Remove equations from `rows` and return them; struck words stay there."""
    equations: list[Drawing] = []
    for bar in sorted(rules, key=lambda rule: rule.top):
        is_short = _SHORTEST <= bar.right - bar.left <= _LONGEST and bar.bottom - bar.top < 2.6
        if not is_short or any(
            contains_point(table, bar.left, bar.top, 3)
            and contains_point(table, bar.right, bar.top, 3)
            for table in tables
        ):
            continue
        # One side of a bar may be a fraction itself, whose parts were taken before.
        inner = [other for other in equations if are_close(other, bar, _INNER)]
        if parts := _parts_around(bar, rows, inner):
            own = (spans_text(piece.spans) for piece in parts)
            words = " ".join((*(other.words for other in inner), *own))
            _remove_live_words(rows, parts)
            equations = [other for other in equations if other not in inner]
            equations.append(Drawing(*bounding_box([bar, *parts, *inner]), "equation", words=words))
    rows[:] = filter(None, rows)
    return equations


def _remove_live_words(rows: list[TextRow], parts: Sequence[RowPiece]) -> None:
    """Leave of `parts` only the words that are struck or hidden."""
    dead = {id(p): [span for span in p.spans if span.state != "live"] for p in parts}
    for row in rows:
        row[:] = [
            piece.slice_spans(dead[id(piece)]) if id(piece) in dead else piece
            for piece in row
            if dead.get(id(piece), True)
        ]


def _parts_around(
    bar: RuledLine, rows: Sequence[TextRow], inner: Sequence[Drawing]
) -> list[RowPiece]:
    """The pieces around a bar, beside `inner` ones on one side only; none for an underline."""
    above: list[RowPiece] = []
    beside: list[RowPiece] = []
    below: list[RowPiece] = []
    pieces = list(chain.from_iterable(rows))
    for piece, drop in _pieces_near(bar, pieces):
        if bar.left - 4 <= piece.left and piece.right <= bar.right + 4:
            if drop < -0.15:
                above.append(piece)
            elif drop > 0.6:
                below.append(piece)
        elif -1.0 < drop < 1.2 and not _OPERATORS.isdisjoint(piece.text):
            beside.append(piece)
    has_sides = any if inner else all
    has_columns = min(len(above), len(below)) > 1 and not inner and not beside
    if not has_sides((above, below)) or has_columns or any(strikes_piece(bar, p) for p in pieces):
        return []
    return sorted((*above, *beside, *below), key=lambda piece: (piece.baseline, piece.left))


def _pieces_near(bar: RuledLine, pieces: Sequence[RowPiece]) -> Iterator[tuple[RowPiece, float]]:
    """Short pieces in force next to a bar, with the drop of their baseline below it in ems."""
    for piece in pieces:
        drop = (piece.baseline - bar.top) / piece.size
        near = -1.2 < drop < 1.6 and len(piece.text) <= _MAX_LETTERS
        if near and spans_text(piece.spans):
            yield piece, drop
