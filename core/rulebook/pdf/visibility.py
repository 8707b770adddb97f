"""Whether the words of a page can be seen where its text says they are.

The objects of the page raise doubts: something is painted later, a picture or another run lies in
the same place, the text is clipped, transparent, light, or in a layer. Where there is a doubt, the
place is drawn with and without the run: where the picture does not change, nobody sees the run.
"""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import chain, groupby
from operator import attrgetter

from PIL import ImageChops

from core.rulebook.pdf.glyph_shapes import decides, find_other_character, read_shape
from core.rulebook.pdf.glyphs import GlyphPlaces, RawGlyphRun
from core.rulebook.pdf.page_content import (
    WHITE,
    Flaw,
    FlawKind,
    GlyphRun,
    PageContent,
    PageNote,
    color_distance,
    is_light_color,
    rgb_channels,
)
from core.rulebook.pdf.page_pictures import INK, Ink, InkMap, PagePictures
from core.rulebook.pdf.shapes import PaintedArea, PaintOrder, TextFacts
from core.rulebook.types import Box

_GAP = 0.75  # ems without ink: wider than a space, which has 0.25 to 0.6 in the standard fonts
_ASCENT, _DESCENT = 0.8, 0.25  # ems that letters fill; of the standard fonts up to 0.74 and 0.22
MIDDLE_HEIGHT = 0.3
"""Ems above the baseline, the middle of most letters: in the standard fonts half of an x is at 0.21
to 0.27, half of a capital at 0.28 to 0.36."""
_OVERLAP = 0.5  # of the narrower of two runs in one place
SAME_LINE = 0.3  # ems between the baselines of two runs in one place
_CAPITAL = 0.6  # ems of small capitals; capitals of the standard fonts have 0.56 to 0.72
_NEAR = 1.0  # points by which print may reach out of a clip
_LIKE = 64  # of 255: print and background that differ by more are told apart at a glance
_FEW = 12  # runs: with more, the whole page is drawn small before any are drawn large
_ORDERS, _NUMBER_SIGNS = "<>", ".,-/\u2013\u2212"
_MISSING = 0.15  # of the ink of a digit
_GRAZED = 0.2  # of the height of a line, by which something beside it may reach into it
TALLEST = 40.0  # points of print
_NEXT_LINE = 30.0  # points between two lines that are drawn at once
_MAX_GROUPS = 60  # of one page
_TOO_MANY = (
    "So much on this page may be unseen that not all of it was compared with its picture: compare"
    " what is quoted from it with the page."
)


@dataclass(eq=False)
class PrintedRun:
    """A run that its style allows to be seen, with the text object it belongs to."""

    run: GlyphRun
    raw: RawGlyphRun
    order: int
    box: Box
    text: str
    size: float
    baseline: float
    places: GlyphPlaces

    @cached_property
    def edges(self) -> tuple[list[float], list[float]]:
        """The left and the right edge of each glyph."""
        return self.places.edges(self.raw)

    @property
    def glyphs(self) -> Iterator[tuple[str, float, float]]:
        """Each character with its edges."""
        return zip(self.run.chars, *self.edges, strict=True)

    @property
    def spelled(self) -> str:
        """The text with one character for each glyph."""
        if len(self.text) == len(self.run.chars):
            return self.text
        return "".join(char if len(char) == 1 else " " for char in self.run.chars)

    def doubt(self, left: float, right: float, kind: FlawKind, shown: str = "") -> None:
        """Add a flaw to a part of the run."""
        self.run.add_flaws([Flaw(left, right, kind, shown)], self.edges)

    def doubt_whole(self, kind: FlawKind, shown: str = "") -> None:
        """Add a flaw to all of the run."""
        self.doubt(min(self.edges[0]), max(self.edges[1]), kind, shown)

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def is_unseen(self) -> bool:
        """True if all of it is known to be hidden."""
        left, _, right, _ = self.box
        return any(
            flaw.kind == "hidden" and flaw.left <= left + 1 and flaw.right >= right - 1
            for flaw in self.run.flaws
        )

    @property
    def is_light(self) -> bool:
        """True for print that is not clear on white paper."""
        return is_light_color(self.run.style.color)

    @property
    def glyphs_box(self) -> Box:
        """The box around all its glyphs, which need not follow each other."""
        top, bottom = min(self.box[1], self.run.top), max(self.box[3], self.run.bottom)
        return min(self.edges[0]), top, max(self.edges[1]), bottom

    def collides(self, other: "PrintedRun") -> bool:
        """True where the other is in its place, so that both cannot be drawn at once."""
        high = min(self.box[3], other.box[3]) - max(self.box[1], other.box[1])
        return self.shared_width(other.box) > 1.0 and high > 0.3 * (self.box[3] - self.box[1])

    def blends(self, pictures: PagePictures) -> bool:
        """True if its background has a shade like its own."""
        red, green, blue = rgb_channels(self.run.style.color)
        shade = (30 * red + 59 * green + 11 * blue) // 100
        return any(pictures.count_shades(self.box)[max(0, shade - _LIKE) : shade + _LIKE])

    def has_gap(self, ink: InkMap) -> bool:
        """True if a stretch of it longer than a space has no ink, or all of it."""
        columns = ink.columns(self.box)
        longest = bytes(max(2, round(_GAP * self.size * ink.scale)))
        return longest in columns or not any(columns)

    def shared_width(self, box: Box) -> float:
        """Return how far a box goes along it, in points; negative for one apart."""
        return min(self.box[2], box[2]) - max(self.box[0], box[0])


@dataclass
class PagePrint:
    """The print of a page, and how it looks; `runs` are sorted by baseline."""

    content: PageContent
    places: GlyphPlaces
    pictures: PagePictures
    runs: list[PrintedRun] = field(default_factory=list)

    def add_runs(self, raw: Sequence[RawGlyphRun], orders: Mapping[int, int]) -> None:
        """Add the upright runs with print; `orders` are the places of objects when painted."""
        for run, each in zip(self.content.runs, raw, strict=True):
            text = "".join(run.chars)
            if run.upright and run.style.visible and not text.isspace():
                size, baseline, order = run.style.size, run.baseline, orders.get(each.address, 0)
                top, bottom = baseline - _ASCENT * size, baseline + _DESCENT * size
                box = (min(run.lefts), top, max(run.rights), bottom)
                printed = PrintedRun(run, each, order, box, text, size, baseline, self.places)
                self.runs.append(printed)
        self.runs.sort(key=lambda printed: (printed.baseline, printed.box[0]))

    def runs_between(self, top: float, bottom: float) -> list[PrintedRun]:
        """Return the runs whose baselines are between two heights."""
        runs, baseline = self.runs, attrgetter("baseline")
        return runs[bisect_left(runs, top, key=baseline) : bisect_right(runs, bottom, key=baseline)]

    def runs_under(self, box: Box) -> list[PrintedRun]:
        """Return the runs that a box lies on."""
        left, top, right, bottom = box
        return [
            printed
            for printed in self.runs_between(top, bottom + TALLEST)
            if left < printed.box[2] and right > printed.box[0] and bottom > printed.box[1]
        ]


def runs_that_overlap(
    runs: Sequence[PrintedRun], least: float
) -> Iterator[tuple[PrintedRun, PrintedRun]]:
    """Yield pairs of runs on one line with other words, that share more than `least` ems."""
    for index, printed in enumerate(runs, start=1):
        lowest = printed.baseline + SAME_LINE * printed.size
        left, right = printed.box[0], printed.box[2]
        shortest = least * printed.size
        for other in runs[index:]:
            if other.baseline > lowest:
                break
            beside = other.box[0] >= right - shortest or other.box[2] <= left + shortest
            if not beside and printed.text != other.text:
                yield printed, other


def overlapping(runs: Sequence[PrintedRun]) -> dict[PrintedRun, None]:
    """Return the runs that are in one place with others of other words."""
    pairs = runs_that_overlap(runs, 0.0)
    together = (pair for pair in pairs if shared_part(*pair) > _OVERLAP)
    return dict.fromkeys(chain.from_iterable(together))


def shared_part(one: PrintedRun, other: PrintedRun) -> float:
    """Return which part of the narrower of two runs lies on the other."""
    return one.shared_width(other.box) / max(min(one.width, other.width), 0.1)


def find_doubtful(
    page: PagePrint,
    painted: PaintOrder,
    together: Iterable[PrintedRun],
    pictured: Sequence[PrintedRun],
) -> list[PrintedRun]:
    """Return the runs that may be unseen, by the objects of the page.

    Those `together` are in one place; those `pictured` lie on pictures or under annotations: for
    them alone the page is drawn.
    """
    content, runs = page.content, page.runs
    shades = {WHITE, *(fill.color for fill in content.fills)}
    colors = {
        color
        for color in {printed.run.style.color for printed in runs}
        if any(color_distance(color, shade) < INK for shade in shades)
    }
    found = dict.fromkeys((*together, *_painted_over(page, painted.areas)))
    for printed in runs:
        is_near = printed.run.style.color in colors
        if _raises_doubt(printed, painted.facts, content) or (
            is_near and _blends_with_fill(printed.run, content, painted)
        ):
            found[printed] = None
    return [*found, *(one for one in pictured if one not in found and one.blends(page.pictures))]


def _raises_doubt(printed: PrintedRun, facts: TextFacts, content: PageContent) -> bool:
    """True for print that may be transparent or clipped, is light, or reaches beyond the page."""
    page = (0.0, 0.0, content.width, content.height)
    return (
        facts.has_text_clip
        or printed.raw.address in facts.doubtful
        or not _lies_within(printed, facts.clips.get(printed.raw.address, page))
        or (printed.is_light and printed.run.style.color != WHITE)
        or not _lies_within(printed, page)
    )


def _painted_over(page: PagePrint, areas: Iterable[PaintedArea]) -> Iterator[PrintedRun]:
    """Yield runs that something is painted over later."""
    first = min(printed.order for printed in page.runs)
    for order, box in areas:
        for printed in page.runs_under(box) if order > first else ():
            _, top, _, bottom = printed.box
            shared = min(box[3], bottom) - max(box[1], top)
            if printed.order < order and shared > _GRAZED * (bottom - top):
                yield printed


def _lies_within(printed: PrintedRun, clip: Box) -> bool:
    """True if nothing of a run is outside a clip; blanks at its ends may be."""
    left, top, right, bottom = clip
    wide = left - _NEAR < printed.box[0] and printed.box[2] < right + _NEAR
    upper = printed.baseline - _CAPITAL * printed.size
    return wide and top - _NEAR < upper and printed.baseline < bottom + _NEAR


def _blends_with_fill(run: GlyphRun, content: PageContent, painted: PaintOrder) -> bool:
    """True for print in the colour of the uppermost box that is filled below it, or of the paper.

    A fill may have holes, and a picture may lie below: whether print is seen, its picture says.
    """
    x, y = (run.lefts[0] + run.rights[-1]) / 2, (run.top + run.bottom) / 2
    fills = (
        fill.color
        for fill in reversed(content.fills)
        if fill.left <= x <= fill.right and fill.top <= y <= fill.bottom
        if fill not in painted.unsure_fills
    )
    return color_distance(run.style.color, next(fills, WHITE)) < INK


def mark_unseen(
    doubtful: Sequence[PrintedRun], pictures: PagePictures, clear_looks: set[bytes]
) -> Iterator[PageNote]:
    """Add flaws to runs that nobody sees, or hardly, wholly or in part; yield notes of the rest.

    A digit of which something is covered is compared with what is left of it.
    `clear_looks` are those of runs that were seen well before, on whatever page: pixels that showed
    these words once show them again. What was not seen is looked at each time, as it may be seen
    where other print is not drawn over it.
    """
    if len(doubtful) > _FEW:
        doubtful = _look_from_afar(doubtful, pictures.text_ink)
    is_faint, count = False, 0
    for near in _split_at_gaps(doubtful):
        looks = {}
        pictured = pictures.look_close([printed.glyphs_box for printed in near])
        for printed, pixels in zip(near, pictured, strict=True):
            words = repr((printed.text, printed.box)).encode()
            looks[printed] = blake2b(words + pixels, digest_size=16).digest()
        groups = _group_apart(printed for printed in near if looks[printed] not in clear_looks)
        for group in groups[: max(0, _MAX_GROUPS - count)]:
            addresses = {printed.raw.address for printed in group}
            ink = pictures.ink_of(addresses, [printed.glyphs_box for printed in group])
            for printed in group:
                if flaws := _find_unseen(printed, ink):
                    printed.run.add_flaws(flaws, printed.edges)
                else:
                    clear_looks.add(looks[printed])
                    is_faint |= ink.is_faint(printed.glyphs_box)
        count += len(groups)
    if is_faint:
        yield PageNote("faint_text", "Print on this page is so faint that it is hard to see.")
    if count > _MAX_GROUPS:
        yield PageNote("page_limit", _TOO_MANY)


def _look_from_afar(doubtful: Sequence[PrintedRun], ink: InkMap) -> list[PrintedRun]:
    """The runs that share their place with another, or lack ink at one pixel a point."""
    together = overlapping(doubtful)
    return [
        printed
        for printed in doubtful
        if printed in together or (printed.has_gap(ink) and _unseen_parts(printed, ink))
    ]


def _split_at_gaps(runs: Iterable[PrintedRun]) -> Iterator[list[PrintedRun]]:
    """Yield the runs that lie near each other, those in one place too."""
    near: list[PrintedRun] = []
    for printed in sorted(runs, key=attrgetter("baseline")):
        if near and printed.baseline - near[-1].baseline >= _NEXT_LINE:
            yield near
            near = []
        near.append(printed)
    if near:
        yield near


def _group_apart(runs: Iterable[PrintedRun]) -> list[list[PrintedRun]]:
    """Sorted runs in groups that are drawn at once: near each other, and no two in one place."""
    groups: list[list[PrintedRun]] = []
    for printed in runs:
        for group in groups:
            near = printed.baseline - group[-1].baseline < _NEXT_LINE
            if near and not any(map(printed.collides, group)):
                group.append(printed)
                break
        else:
            groups.append([printed])
    return groups


def _find_unseen(printed: PrintedRun, ink: Ink) -> list[Flaw]:
    """What nobody sees of a run, all of it if it is too faint; then digits that lack a part."""
    changed = ink.changed if printed.size >= TALLEST else ink.clear
    if flaws := _unseen_parts(printed, changed):
        return flaws
    for char, left, right in printed.glyphs:
        if not decides(char):
            continue
        box = (left, printed.run.top, right, printed.run.bottom)
        shape = read_shape(ImageChops.invert(ink.alone.crop(box)))
        other = shape and find_other_character(shape, char)
        if other or ink.missing_share(box) > _MISSING:
            flaws.append(Flaw(left, right, "differs", other.char if other else ""))
    return flaws


def _unseen_parts(printed: PrintedRun, ink: InkMap) -> list[Flaw]:
    """The parts of a run whose glyphs have no ink; all of it where no letter or digit has."""
    run, (lefts, rights) = printed.run, printed.edges
    needed = [index for index in range(len(run.chars)) if _needs_ink(run.chars, index)]
    unseen = {
        index
        for index in needed
        if not ink.has_ink((lefts[index], run.top, rights[index], run.bottom))
    }
    if unseen and len(unseen) == len(needed):
        return [Flaw(min(lefts), max(rights), "hidden")]
    stretches = groupby(range(len(run.chars)), unseen.__contains__)
    parts = [list(group) for is_unseen, group in stretches if is_unseen]
    return [
        Flaw(min(lefts[part[0] : part[-1] + 1]), max(rights[part[0] : part[-1] + 1]), "hidden")
        for part in parts
    ]


def _needs_ink(chars: Sequence[str], index: int) -> bool:
    """True for letters and digits, and for signs that change the value of a number."""
    kind = unicodedata.category(chars[index][0]) if chars[index] else ""
    if kind[:1] in ("L", "N") or decides(chars[index]) or chars[index] in _ORDERS:
        return True
    before, after = "".join(chars[index - 1 : index]), "".join(chars[index + 1 : index + 2])
    is_minus, is_alone = kind in ("Pd", "Sm"), not before.strip() and not after.strip()
    if kind[:1] not in ("P", "S"):
        return False
    return (is_alone and chars[index] in _NUMBER_SIGNS) or (
        after.isdigit() and (is_minus or before.isdigit())
    )
