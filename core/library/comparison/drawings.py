"""Figures that two editions draw differently, though caption and words may be the same.

The pages are drawn, and the ink of a figure is looked for on the other page, wherever it is there.
"""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.library.comparison.alignment import join_parts
from core.library.types import ClausePair
from core.rulebook import Clause, Figure, page_images

SCALE = 2.0
"""Pixels per point: thin lines and small letters keep their shape."""
DARK, BLANK = 100, 225
"""Of 255: ink is missed where it is darker than one and nothing near is darker than the other, so
that an edge which falls between two pixels counts as neither."""
TOLERANCE = 2
"""Pixels, a point: two programs draw one line so far apart. Of 169 pairs of figures and equations
in five comparisons 31 have ink beyond it on both sides, of 40 in three others that were put aside
5. Looked at, all 36 are drawn differently; half of them say the same (a name in a formula with an
underscore, a decimal comma, a table laid out anew, a picture cropped anew)."""
MAX_STRETCH = 0.03
"""Of the ratio of height and width: pictures that differ less may be one, drawn larger."""
MARGIN = 200
"""Pixels around a page where a figure may be looked for that is wider than the other."""
MAX_PIXELS = 20_000_000
"""Of a page, A1 at this scale: a larger one is not compared."""
MAX_FIGURES = 200
"""Figures of a comparison that are looked at: one that fills half a page takes a second or two."""

Picture = NDArray[np.uint8]


def add_redrawn_figures(
    pairs: Sequence[ClausePair],
    before: tuple[Path | None, Sequence[Clause]],
    after: tuple[Path | None, Sequence[Clause]],
) -> tuple[ClausePair, ...]:
    """Return the pairs with the figures that the later document draws differently.

    Each document is its file and its clauses. Compared are pairs of clauses with as many figures
    each. Where a page cannot be drawn nothing is said.
    """
    (old_file, old_clauses), (new_file, new_clauses) = before, after
    if old_file is None or new_file is None:
        return tuple(pairs)
    twins = list(_pair_figures(pairs, _figures_of(old_clauses), _figures_of(new_clauses)))
    twins = twins[:MAX_FIGURES]
    old_pages = _draw_pages(old_file, (old for _, old, _ in twins))
    new_pages = _draw_pages(new_file, (new for _, _, new in twins))
    redrawn: dict[int, list[Figure]] = {}
    for number, old, new in twins:
        old_page, new_page = _open(old_pages.get(old.page)), _open(new_pages.get(new.page))
        if old_page is None or new_page is None:
            continue
        if is_redrawn((old_page, old), (new_page, new)):
            redrawn.setdefault(number, []).append(new)
    return tuple(
        _set_redrawn(pair, tuple(redrawn[number])) if number in redrawn else pair
        for number, pair in enumerate(pairs)
    )


def is_redrawn(one: tuple[Picture, Figure], other: tuple[Picture, Figure]) -> bool:
    """True if each of two figures, each on its page, has ink that the other's page has not there.

    Ink on one side alone proves nothing: the box of a figure may hold a letterhead or another one.
    """
    return _misses_ink(one, other) and _misses_ink(other, one)


def _misses_ink(one: tuple[Picture, Figure], other: tuple[Picture, Figure]) -> bool:
    """True if the page of another figure lacks ink of a figure wherever that may be on it."""
    from PIL import Image

    (page, _), figure, theirs = other, _crop(*one), _crop(*other)
    if not figure.size or not theirs.size:
        return False
    (height, width), (their_height, their_width) = figure.shape, theirs.shape
    if abs(height * their_width / (width * their_height) - 1) <= MAX_STRETCH:
        scaled = Image.fromarray(figure).resize((their_width, their_height))
        if not _has_other_ink(np.asarray(scaled), theirs):
            return False
    page = np.pad(page, max(MARGIN, *(np.array(figure.shape) - page.shape)), constant_values=255)
    top, left = _locate(figure, page)
    return _has_other_ink(figure, page[top : top + height, left : left + width])


def _has_other_ink(figure: Picture, there: Picture) -> bool:
    """True if ink of a picture has none near it in another of the same size."""
    from scipy.ndimage import binary_dilation

    return bool(np.any((figure < DARK) & ~binary_dilation(there < BLANK, iterations=TOLERANCE)))


def _locate(figure: Picture, page: Picture) -> tuple[int, int]:
    """Return top and left of where the ink of a page agrees best with that of a figure."""
    from scipy.signal import fftconvolve

    middle = (DARK + BLANK) // 2
    ink, printed = ((picture < middle).astype(np.float32) for picture in (figure, page))
    shared = fftconvolve(printed, ink[::-1, ::-1], mode="valid")
    around = fftconvolve(printed, np.ones_like(ink), mode="valid")
    best = np.argmax(shared / (ink.sum() + np.maximum(around, 0) + 1.0))
    top, left = np.unravel_index(best, shared.shape)
    return int(top), int(left)


def _crop(page: Picture, figure: Figure) -> Picture:
    left, top, right, bottom = (max(int(SCALE * edge), 0) for edge in figure.box)
    return page[top:bottom, left:right]


def _open(png: bytes | None) -> Picture | None:
    """Return a picture in shades of gray; None without one, and for one that is too large."""
    from PIL import Image

    with suppress(Image.DecompressionBombError):
        image = Image.open(io.BytesIO(png)) if png else None
        if image and image.width * image.height <= MAX_PIXELS:
            return np.asarray(image.convert("L"))
    return None


def _draw_pages(file: Path, figures: Iterable[Figure]) -> dict[int, bytes]:
    pages = sorted({figure.page for figure in figures})
    return page_images(file.read_bytes(), pages, SCALE) if pages else {}


def _figures_of(clauses: Sequence[Clause]) -> dict[str, list[Figure]]:
    """Return the figures of whole articles, by the id of the clause."""
    _, wholes = join_parts(clauses)
    figures: dict[str, list[Figure]] = {}
    for clause in clauses:
        whole = wholes.get(clause.clause_id, clause.clause_id)
        figures.setdefault(whole, []).extend(clause.figures)
    return figures


def _pair_figures(
    pairs: Sequence[ClausePair],
    old: Mapping[str, Sequence[Figure]],
    new: Mapping[str, Sequence[Figure]],
) -> Iterator[tuple[int, Figure, Figure]]:
    """Yield the figures of paired clauses with as many each, with the number of their pair."""
    for number, pair in enumerate(pairs):
        own, other = old.get(pair.clause_a or "", ()), new.get(pair.clause_b or "", ())
        if len(own) == len(other):
            yield from ((number, *twins) for twins in zip(own, other, strict=True))


def _set_redrawn(pair: ClausePair, figures: tuple[Figure, ...]) -> ClausePair:
    """Return a pair with figures that are drawn differently; if its record said so, it is found."""
    is_declared = pair.said and pair.declaration == "not_found"
    return replace(
        pair,
        kind="changed" if pair.kind == "unchanged" else pair.kind,
        redrawn=figures,
        declaration="found" if is_declared else pair.declaration,
    )
