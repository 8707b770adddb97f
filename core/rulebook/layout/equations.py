"""Equations that text cannot hold: a fraction is known by its bar, with print right above and right below it.

Their words are taken out of the running text and kept together, so that nobody computes with what is left of them.
"""

from collections.abc import Sequence

from core.rulebook.layout.blocks import Drawing
from core.rulebook.layout.lines import RowPiece, TextRow
from core.rulebook.layout.ruled_tables import slice_piece
from core.rulebook.layout.text import spans_text
from core.rulebook.pdf.page_content import Area, PageContent, RuledLine

_SHORTEST, _LONGEST = 8.0, 260.0  # points: the bar of a fraction
_LONGEST_WORDS = 60  # letters of a piece: more is prose


def take_equations(
    rows: list[TextRow],
    content: PageContent,
    table_boxes: Sequence[tuple[float, float, float, float]],
) -> list[Drawing]:
    """The equations of a page, their pieces taken out of `rows`; rules within `tables` are no bars."""
    equations: list[Drawing] = []
    for bar in sorted(content.rules, key=lambda rule: rule.top):
        if (
            _is_flat(bar)
            and not any(_inside(bar, table) for table in table_boxes)
            and (parts := _parts(bar, rows))
        ):
            taken = {id(piece) for piece in parts}
            for row in rows:
                row[:] = [
                    left
                    for piece in row
                    if (left := _out_of_force(piece) if id(piece) in taken else piece)
                ]
            equations.append(_equation(parts, bar))
    rows[:] = [row for row in rows if row]
    return equations


def _out_of_force(piece: RowPiece) -> RowPiece | None:
    """What an equation leaves behind of a piece: its struck and its hidden words."""
    spans = [span for span in piece.spans if span.state != "live"]
    return slice_piece(piece, spans) if spans else None


def _is_flat(rule: RuledLine) -> bool:
    return rule.bottom - rule.top < 2.6 and _SHORTEST <= rule.right - rule.left <= _LONGEST


def _inside(bar: RuledLine, box: tuple[float, float, float, float]) -> bool:
    return (
        box[0] - 3 <= bar.left and bar.right <= box[2] + 3 and box[1] - 3 <= bar.top <= box[3] + 3
    )


def _parts(bar: RuledLine, rows: Sequence[TextRow]) -> list[RowPiece]:
    """The pieces of the equation around a bar; none if it is an underline or a border."""
    live = [piece for row in rows for piece in row if spans_text(piece.spans)]
    above = [p for p in live if _within(p, bar) and 0.15 < (bar.top - p.baseline) / p.size < 1.2]
    below = [p for p in live if _within(p, bar) and 0.6 < (p.baseline - bar.top) / p.size < 1.6]
    if not above or not below or any(_struck_by(bar, piece) for row in rows for piece in row):
        return []
    beside = [
        piece
        for piece in live
        if -1.0 < (piece.baseline - bar.top) / piece.size < 1.2
        and not _within(piece, bar)
        and len(piece.text) <= _LONGEST_WORDS
        and any(sign in piece.text for sign in "=×x*+-−")
    ]
    return sorted(
        {id(p): p for p in (*above, *beside, *below)}.values(), key=lambda p: (p.baseline, p.left)
    )


def _struck_by(bar: RuledLine, piece: RowPiece) -> bool:
    """The rule deletes words of a line that it crosses."""
    struck = [span for span in piece.spans if span.state == "deleted"]
    crosses = bar.top < piece.baseline < bar.bottom + 0.6 * piece.size
    return crosses and any(span.left < bar.right and bar.left < span.right for span in struck)


def _within(piece: RowPiece, bar: RuledLine) -> bool:
    return (
        bar.left - 4 <= piece.left
        and piece.right <= bar.right + 4
        and len(piece.text) <= _LONGEST_WORDS
    )


def _equation(parts: Sequence[RowPiece], bar: RuledLine) -> Drawing:
    box = Area(
        min(bar.left, *(piece.left for piece in parts)),
        min(piece.top for piece in parts),
        max(bar.right, *(piece.right for piece in parts)),
        max(piece.bottom for piece in parts),
        0,
    )
    return Drawing("equation", *box[:4], words=" ".join(spans_text(piece.spans) for piece in parts))
