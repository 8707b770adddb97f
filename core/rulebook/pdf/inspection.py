"""Compare the text of a page with its picture: what is unseen, struck, or not what it says.

A page of plain print is not drawn: only what its objects leave in doubt is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from core.rulebook.pdf.altered_words import mark_overprinted, mark_replaced
from core.rulebook.pdf.annotations import Annotations
from core.rulebook.pdf.glyph_check import GlyphCheck
from core.rulebook.pdf.glyphs import RawGlyphRun, glyph_edges, ink_box
from core.rulebook.pdf.page_content import AffineTransform, PageContent, PageNote
from core.rulebook.pdf.page_pictures import PagePictures
from core.rulebook.pdf.shapes import PaintedArea, PaintedPicture, PaintOrder
from core.rulebook.pdf.shown_words import reveal_shown_words
from core.rulebook.pdf.strokes import (
    find_ringed,
    mark_crossed_out,
    mark_struck,
    runs_on_strokes,
    select_strokes,
)
from core.rulebook.pdf.visibility import (
    PrintedRun,
    find_doubtful,
    mark_broken_numbers,
    mark_squeezed,
    mark_unseen,
    printed_runs,
    runs_under,
)
from core.rulebook.types import Box

_LAST = 1 << 60  # in the paint order: annotations are drawn over a page


@dataclass(frozen=True, slots=True)
class PageObjects:
    """What pdfium knows of a loaded page, beside its content; `raw` are the runs one for one."""

    page: Any
    text_page: Any
    raw: list[RawGlyphRun]
    transform: AffineTransform
    painted: PaintOrder
    annotations: Annotations

    @property
    def limits(self) -> list[str]:
        return [*self.painted.limits, *self.annotations.limits]

    def glyph_edges(self, index: int) -> tuple[list[float], list[float]]:
        """The edges of the glyphs of a run in reading coordinates."""
        return glyph_edges(self.text_page, self.raw[index], self.transform)

    def ink_box(self, index: int, glyph: int | None = None) -> Box:
        """The box around the ink of a run, or of one of its glyphs, in reading coordinates."""
        return ink_box(self.text_page, self.raw[index], self.transform, glyph)


@dataclass(slots=True)
class Inspected:
    """What was found in the pages of a document so far, so that it is looked at once."""

    runs: set[tuple[str, Box, tuple[PaintedPicture, ...]]] = field(default_factory=set)
    """Runs over pictures that are as they are stored: running headers are many times."""
    clear_looks: set[bytes] = field(default_factory=set)
    """What runs that are seen well look like (see `mark_unseen`)."""
    glyphs: GlyphCheck = field(default_factory=GlyphCheck)


def inspect_page(objects: PageObjects, content: PageContent, inspected: Inspected) -> None:
    """Add to `content` its strokes, the flaws of its runs, and notes for a person."""
    content.notes += [
        PageNote("page_limit", f"Page holds {limit}: not all of them were looked at.")
        for limit in objects.limits
    ]
    owners = [(run.address, run.font) for run in objects.raw]
    runs = printed_runs(content, owners, objects.painted.text)
    if not runs:
        return
    painted, annotations, edges_of = objects.painted, objects.annotations, objects.glyph_edges
    words: dict[int, str] = {}
    for printed in runs:
        words[printed.address] = words.get(printed.address, "") + printed.text
    pictures = PagePictures(objects.page, content, painted.text, words, annotations.lines)
    placed = (objects.text_page, objects.raw, objects.transform)
    reveal_shown_words(content, *placed, runs, pictures)
    painted.areas += [PaintedArea(_LAST, box) for box in annotations.boxes]
    over = _runs_over_pictures(objects, content, runs)
    new = [printed for key, printed in over.items() if key not in inspected.runs]
    mark_squeezed(runs)
    doubtful = find_doubtful(content, runs, painted, new, pictures)
    content.notes += mark_unseen(doubtful, pictures, edges_of, inspected.clear_looks)
    content.strokes = select_strokes(content, runs, pictures)
    replaced = set(chain.from_iterable(painted.facts.replaced.values()))
    unclear = {*doubtful, *runs_on_strokes(content.strokes, runs)}
    unclear |= {printed for printed in runs if printed.address in replaced}
    certain = [printed for printed in runs if printed not in unclear and not printed.run.flaws]
    hollow = inspected.glyphs.learn(certain, pictures, objects.ink_box)
    content.notes += mark_unseen(hollow, pictures, edges_of, inspected.clear_looks)
    inspected.glyphs.mark_lies(runs, edges_of)
    mark_overprinted(content, runs, objects.ink_box, edges_of)
    mark_crossed_out([*painted.slants, *annotations.slants], runs, pictures, edges_of)
    ringed = find_ringed([*painted.rings, *annotations.rings], content.drawings, new)
    mark_struck([one for one in new if one not in ringed], runs, pictures, edges_of)
    mark_replaced(objects.page.raw, painted.facts.replaced.values(), runs, edges_of)
    mark_broken_numbers(runs, edges_of)
    inspected.runs.update(key for key, printed in over.items() if not printed.run.flaws)


def _runs_over_pictures(
    objects: PageObjects, content: PageContent, runs: Sequence[PrintedRun]
) -> dict[tuple[str, Box, tuple[PaintedPicture, ...]], PrintedRun]:
    """The runs on pictures or under annotations, by what they are known again by."""
    pictures = [
        *objects.painted.pictures,
        *(PaintedPicture(box, 0) for box in _other_boxes(objects, content)),
    ]
    below: dict[PrintedRun, list[PaintedPicture]] = {}
    for picture in pictures:
        for printed in runs_under([picture.box], runs):
            below.setdefault(printed, []).append(picture)
    return {(printed.text, printed.box, tuple(found)): printed for printed, found in below.items()}


def _other_boxes(objects: PageObjects, content: PageContent) -> Iterator[Box]:
    """The boxes of what else may be the only ink in the place of print."""
    if objects.limits:
        yield (0.0, 0.0, content.width, content.height)
    yield from (area[:4] for area in content.drawings)
    yield from objects.painted.patterns
    yield from objects.annotations.boxes
    for line in objects.annotations.lines:
        xs, ys = zip(*line.points, strict=True)
        yield min(xs), min(ys), max(xs), max(ys)
