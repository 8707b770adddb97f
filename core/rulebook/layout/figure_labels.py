"""The lettering of pictures: words that are short, scattered over a drawing, and no sentence.

What is printed in a panel, on a band or a photograph, or within an outline is text of the page.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from core.rulebook.layout.blocks import Drawing, RowPiece, TextRow
from core.rulebook.layout.geometry import HasEdges, contains_middle, contains_point
from core.rulebook.layout.lines import remove_pieces
from core.rulebook.layout.text import heaviest
from core.rulebook.rule_signs import is_rule_like

_NUMBER = re.compile(r"(?:[A-Z]{1,3}[ .]?)?\d{1,3}(?:\.\d{1,3})*[.:)]?")
_AROUND = 60.0  # points around a picture in which small print belongs to it
_LEADING = 1.9  # ems between the baselines of two lines of one text
_FEWEST_WORDS = 5  # of a sentence
_MOST = 0.4  # of a page's letters: a picture with more on it is a background
_SMALLEST = 5.0  # points: a smaller shape is a dot or the head of an arrow


def take_lettering(
    rows: list[TextRow], pictures: Iterable[Drawing], shapes: Sequence[HasEdges]
) -> list[str]:
    """Remove the words of pictures from `rows` and return them; an equation keeps its own."""
    pieces = list(chain.from_iterable(rows))
    total = _count_letters(pieces)
    common = heaviest(((piece.size, len(piece.text)) for piece in pieces), 0.0)
    lettering: list[str] = []
    for picture in pictures:
        # Lettering may be in a picture, or near it in much smaller print.
        near = [
            piece
            for piece in chain.from_iterable(rows)
            if contains_point(picture, *piece.middle, _AROUND if piece.size < 0.7 * common else 0.0)
            and any(span.state != "deleted" and span.text.strip() for span in piece.spans)
        ]
        if picture.kind == "equation":
            picture.words = " ".join((picture.words, *(piece.text for piece in near)))
        elif _is_panel(picture, near, shapes) or _count_letters(near) > _MOST * total:
            continue
        else:
            near = _select_lettering(near, rows)
            lettering += (piece.text for piece in near)
        remove_pieces(rows, near)
    return lettering


def _select_lettering(pieces: Sequence[RowPiece], rows: Iterable[TextRow]) -> list[RowPiece]:
    """The pieces of short texts, but numbers before text that is no lettering, in the same row."""
    texts = [text for text in _group_lines(pieces) if is_label(" ".join(p.text for p in text))]
    labels = {id(piece): piece for text in texts for piece in text}

    def numbers_text(piece: RowPiece) -> bool:
        row = next(row for row in rows if any(other is piece for other in row))
        behind = next((other for other in row if other.left > piece.left), None)
        is_number = _NUMBER.fullmatch(piece.text.strip()) is not None
        return is_number and behind is not None and id(behind) not in labels

    return [piece for piece in labels.values() if not numbers_text(piece)]


def _count_letters(pieces: Iterable[RowPiece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _is_panel(picture: Drawing, pieces: Sequence[RowPiece], shapes: Iterable[HasEdges]) -> bool:
    """True if all that is drawn in the place of a picture lies around the whole of its text."""
    return all(
        contains_point(shape, *piece.middle, 1.0)
        for shape in shapes
        if contains_middle(picture, shape)
        and max(shape.right - shape.left, shape.bottom - shape.top) > _SMALLEST
        for piece in pieces
    )


def _group_lines(pieces: Iterable[RowPiece]) -> list[list[RowPiece]]:
    """Group pieces that are below each other as the lines of one text are."""
    texts: list[list[RowPiece]] = []
    for piece in sorted(pieces, key=lambda piece: (piece.baseline, piece.left)):
        for text in texts:
            last = text[-1]
            overlaps = min(last.right, piece.right) > max(last.left, piece.left)
            leading = _LEADING * max(last.size, piece.size)
            if overlaps and 0 < piece.baseline - last.baseline <= leading:
                text.append(piece)
                break
        else:
            texts.append([piece])
    return texts


def is_label(words: str) -> bool:
    """True for a few words that are no sentence and have no sign of a rule."""
    return len(words.split()) < _FEWEST_WORDS and not is_rule_like(words)
