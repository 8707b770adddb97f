"""Compare the text of a page with its picture: what is unseen, struck, or not what it says.

A page of plain print is not drawn: only what its objects leave in doubt is.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any
from unicodedata import is_normalized

from core.rulebook.pdf.altered_words import (
    mark_broken_numbers,
    mark_displaced_digits,
    mark_mirrored_runs,
    mark_overprints,
    mark_printed_over,
    mark_replacements,
    mark_squeezed_runs,
)
from core.rulebook.pdf.annotations import Annotations
from core.rulebook.pdf.glyph_check import GlyphCheck
from core.rulebook.pdf.glyphs import GlyphPlaces, RawGlyphRun
from core.rulebook.pdf.page_content import PageContent, PageNote, PdfBox, box_around
from core.rulebook.pdf.page_pictures import BESIDE, PagePictures, are_twins
from core.rulebook.pdf.shapes import PaintedArea, PaintedPicture, PaintOrder, bounds_of
from core.rulebook.pdf.strokes import mark_crossed_out, mark_struck, select_strokes
from core.rulebook.pdf.unread_words import mark_drawn_words, mark_typed_words, reveal_shown_words
from core.rulebook.pdf.visibility import (
    PagePrint,
    PrintedRun,
    find_doubtful,
    mark_unseen,
    overlapping,
)
from core.rulebook.types import Box

_box_of = itemgetter(slice(4))
_SPECK = 0.3  # points: text without ink has no height
_LAST = 1 << 60  # in the paint order: annotations are drawn over a page


@dataclass(frozen=True, slots=True)
class PageObjects:
    """What pdfium knows of a loaded page, beside its content; `raw` are the runs one for one."""

    page: Any
    places: GlyphPlaces
    raw: list[RawGlyphRun]
    painted: PaintOrder
    annotations: Annotations

    def find_unread(self) -> tuple[dict[int, Box], list[int], set[int]]:
        """Return the text objects with ink in which nothing is read, each with its box.

        They are drawings too. Those that make others bold, or are their shadow, are listed apart,
        and last those others.
        """
        read = {run.address for run in self.raw if not all(map(str.isspace, run.chars))}
        silent = {
            address: edges
            for address in self.painted.text.keys() - read
            if min((edges := bounds_of(address))[2] - edges[0], edges[3] - edges[1]) > _SPECK
        }
        unread: dict[int, Box] = {}
        seconds: list[int] = []
        doubled: set[int] = set()
        if not silent:
            return unread, seconds, doubled
        # An accent that is read as part of its letter is no drawing.
        accented = [run for run in self.raw if not is_normalized("NFD", "".join(run.chars))]
        known = sorted((bounds_of(address), address) for address in read)
        lefts = [edges[0] for edges, _ in known]
        for address, edges in silent.items():
            if any(_stands_at(edges, run) for run in accented):
                continue
            first = bisect_left(lefts, edges[0] - BESIDE)
            end = bisect_right(lefts, edges[0] + BESIDE)
            if twins := {o for place, o in known[first:end] if are_twins(edges, place)}:
                seconds.append(address)
                doubled |= twins
            else:
                unread[address] = self.places.transform.map_box(*edges)
        return unread, seconds, doubled


def _stands_at(edges: PdfBox, run: RawGlyphRun) -> bool:
    """True if the middle of a box is in that of a run."""
    left, bottom, right, top = box_around(run.boxes)
    x, y = (edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2
    return left <= x <= right and bottom <= y <= top


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
    painted, annotations, places = objects.painted, objects.annotations, objects.places
    limits = [*painted.limits, *annotations.limits]
    content.notes += [
        PageNote("page_limit", f"Page holds {limit}: not all of them were looked at.")
        for limit in limits
    ]
    words: dict[int, str] = defaultdict(str)
    unread, seconds, doubled = objects.find_unread()
    read = [address for address in painted.text if address not in unread]
    others = [*painted.others, *unread, *seconds]
    pictures = PagePictures(objects.page, content, read, words, annotations.lines, others)
    page = PagePrint(content, places, pictures)
    replaced = painted.facts.replaced.values()
    given = {*chain.from_iterable(replaced)}
    inspected.glyphs.show_inked_blanks(objects.raw, given, page)
    page.add_runs(objects.raw, painted.text)
    runs = page.runs
    if not runs:
        return
    turned = [
        places.ink(raw)
        for run, raw in zip(content.runs, objects.raw, strict=True)
        if not run.upright and run.style.visible
    ]
    for printed in runs:
        words[printed.raw.address] += printed.text
    reveal_shown_words(page, objects.raw)
    lines = list(annotations.line_boxes)
    painted.areas += map(partial(PaintedArea, _LAST), (*annotations.boxes, *lines))
    drawn = [*annotations.boxes, *unread.values()]
    shapes = [*map(_box_of, content.drawings)]
    # What else may be the only ink in the place of print.
    whole = [(0.0, 0.0, content.width, content.height)] if limits else []
    inked = (*whole, *shapes, *painted.patterns, *lines, *drawn)
    over = _runs_over_pictures((*painted.pictures, *map(PaintedPicture, inked)), page)
    new = [printed for key, printed in over.items() if key not in inspected.runs]
    mark_squeezed_runs(runs)
    together = overlapping(runs)
    doubtful = find_doubtful(page, painted, together, new)
    content.notes += mark_unseen(doubtful, pictures, inspected.clear_looks)
    content.strokes = select_strokes(page)
    apart = [printed for printed in runs if printed.raw.address not in given]
    certain = [
        printed
        for printed in apart
        if printed not in together
        and not printed.run.flaws
        and not (printed.is_light and printed.raw.address in doubled)
    ]
    hollow = inspected.glyphs.learn(certain, page)
    content.notes += mark_unseen(hollow, pictures, inspected.clear_looks)
    inspected.glyphs.mark_lies(apart)
    mark_overprints(page)
    mark_displaced_digits(apart)
    mark_mirrored_runs(runs)
    mark_printed_over(apart)
    crosses = {*shapes, *map(_box_of, content.images), *drawn, *lines}
    mark_crossed_out(sorted(crosses), page)
    mark_struck(new, [*painted.rings, *annotations.rings], shapes, page)
    mark_replacements(page, objects.page.raw, replaced)
    silent = mark_typed_words(page, annotations.words)
    mark_drawn_words(page, [*silent, *unread.values()], turned)
    mark_broken_numbers(page)
    inspected.runs.update(key for key, printed in over.items() if not printed.run.flaws)


def _runs_over_pictures(
    pictures: Iterable[PaintedPicture], page: PagePrint
) -> dict[tuple[str, Box, tuple[PaintedPicture, ...]], PrintedRun]:
    """The runs on pictures, by what they are known again by."""
    below: dict[PrintedRun, list[PaintedPicture]] = defaultdict(list)
    for picture in pictures:
        for printed in page.runs_under(picture.box):
            below[printed].append(picture)
    return {(printed.text, printed.box, tuple(found)): printed for printed, found in below.items()}
