"""Ink that no text claims, and text without ink of its own.

Digits drawn as paths or pictures and typed annotations are not read: the line gets a sign for them,
which is doubted. Letters may be the clip of a picture, lie in the picture of a scan above text that
is not painted, or be painted by a pattern: they are seen if the picture of the page shows them.
"""

from collections.abc import Iterable, Iterator, Sequence

from core.rulebook.pdf.glyph_shapes import CHECKED, UNKNOWN, decides, looks_like, read_shape
from core.rulebook.pdf.glyphs import RawGlyphRun, StyleCache, extract_raw_runs, place_runs
from core.rulebook.pdf.page_content import Flaw, GlyphRun, box_around
from core.rulebook.pdf.visibility import MIDDLE_HEIGHT, SAME_LINE, TALLEST, PagePrint, PrintedRun
from core.rulebook.types import Box

_APART = 0.6  # ems between the middle of a line and that of what is typed into it
_HIGHEST, _LOWEST = 0.85, 0.25
"""Ems above and below the baseline, between which letters are: those of the standard fonts reach
0.74 and 0.22."""
_TALL = 0.95  # ems: what is higher is a border
_LOW = 0.45  # ems: lower ink is a dash or a point
_SHORT = 0.7  # ems: longer ink that is low is a line
_NEXT = 0.3  # ems, about a blank, between the ink and a digit, or two parts of a drawing
_FILLS = 0.6  # ems between the ink and the words on both its sides
_WIDEST = 8.0  # ems of a word that is drawn
_CROSSED = 0.6  # of a digit, by a line that strikes it
_SIGNS = frozenset("<>-")
_TOUCHES = 0.1  # of a digit, that a drawing lies on
_BORDER = 1.5  # points
_BESIDE = 3.0  # ems beyond a line, where words are added to it
_SHOWN = 0.8  # of the letters of a run look like themselves in an unusual font too; all digits do
_SHARED_WIDTH = 0.5  # of the width of a run
_MAX_RUNS = 200  # of one page: more are the recognised text of a scan, which is read anew


def mark_typed_words(page: PagePrint, typed: Iterable[tuple[Box, str]]) -> list[Box]:
    """Add what annotations and fields add to lines of a page, as words that are doubted.

    Return the boxes of those that do not say their words, as high as their ink.
    """
    silent = []
    for box, words in typed:
        if words:
            add_unread(page, box, words)
            continue
        left, top, right, bottom = box
        inner = (left + _BORDER, top + _BORDER, right - _BORDER, bottom - _BORDER)
        if page.pictures.drawn_edges.has_ink(inner):
            _, top, _, bottom = page.pictures.drawn_edges.ink_within(inner)
            silent.append((left, top, right, bottom))
    return silent


def add_unread(page: PagePrint, box: Box, shown: str = "") -> None:
    """Add a sign for words in a box to the line that they stand in, and doubt digits beside it."""
    left, top, right, bottom = box
    middle = (top + bottom) / 2
    near = [
        printed
        for printed in page.runs_between(middle - TALLEST, middle + TALLEST)
        if abs(printed.baseline - MIDDLE_HEIGHT * printed.size - middle) <= _APART * printed.size
        and left < printed.box[2] + _BESIDE * printed.size
        and right > printed.box[0] - _BESIDE * printed.size
    ]
    if not near:
        return
    line = max(near, key=lambda printed: printed.shared_width(box))
    place = (line.run.top, line.run.bottom, line.baseline, line.run.style)
    flaw = Flaw(left, right, "differs", " ".join(shown.split()))
    page.content.runs.append(GlyphRun([UNKNOWN], [left], [right], *place, True, True, flaws=[flaw]))
    for printed in near:
        for char, start, end in printed.glyphs:
            if char.isdigit() and max(start - right, left - end) <= _NEXT * printed.size:
                printed.doubt(start, end, "differs")


def mark_drawn_words(page: PagePrint, others: Iterable[Box], turned: Iterable[Box]) -> None:
    """Add a sign for each drawing that fills a gap of a line, or is beside a digit of it.

    Words in the boxes that are `turned` are none of the line either.
    """
    content = page.content
    parts = [*content.rules, *content.fills, *content.drawings, *content.images]
    boxes = sorted({area[:4] for area in parts} | set(others))
    small = [box for box in boxes if box[3] - box[1] < TALLEST]
    for box, printed in _find_in_lines(turned, page):
        if _gap_around(box, printed, page):
            add_unread(page, box)
    for box, printed in _find_in_lines(small, page):
        digits = list(_digits_under(box, printed, page))
        if not digits and not _gap_around(box, printed, page):
            continue
        edges, wide = page.pictures.drawn_edges, (box[0], box[1] - 1, box[2], box[3] + 1)
        if not edges.has_ink(wide):
            continue
        whole = edges.reach(wide)  # with the rest of a border that it may be a side of
        if not digits and _gap_around(whole, printed, page):
            add_unread(page, box)
        for other, left, right in digits:
            near = _NEXT * other.size
            if left - near < whole[0] and whole[2] < right + near:
                other.doubt(left, right, "differs", UNKNOWN)


def _digits_under(
    box: Box, printed: PrintedRun, page: PagePrint
) -> Iterator[tuple[PrintedRun, float, float]]:
    """Digits and signs of a line that a small drawing changes into others, with their edges.

    A line through them strikes them, and one below them is none.
    """
    near = MIDDLE_HEIGHT * printed.size
    if box[1] > printed.baseline:
        return
    crossing = [
        stroke
        for stroke in page.content.strokes
        if stroke.bottom > box[1] and stroke.top < min(box[3], printed.baseline)
    ]
    for other in page.runs_between(printed.baseline - near, printed.baseline + near):
        if other.box[0] > box[2] or other.box[2] < box[0]:
            continue
        for char, left, right in other.glyphs:
            width = right - left
            changes = min(right, box[2]) - max(left, box[0]) > _TOUCHES * width
            is_struck = any(
                min(right, stroke.right) - max(left, stroke.left) > _CROSSED * width
                for stroke in crossing
            )
            is_sign = decides(char) or char in _SIGNS
            if changes and is_sign and box[2] - box[0] < 2 * width and not is_struck:
                yield other, left, right


def _find_in_lines(boxes: Iterable[Box], page: PagePrint) -> Iterator[tuple[Box, PrintedRun]]:
    """Boxes within the height of a line, those side by side as one, each with a run of the line."""
    found: dict[float, list[tuple[Box, PrintedRun]]] = {}
    for box in boxes:
        for printed in page.runs_between(box[1], box[3] + TALLEST):
            size, baseline = printed.size, printed.baseline
            inside = box[1] >= baseline - _HIGHEST * size and box[3] <= baseline + _LOWEST * size
            beside = max(printed.box[0] - box[2], box[0] - printed.box[2])
            low, width = box[3] - box[1] < _LOW * size, box[2] - box[0]
            fits = box[3] - box[1] <= _TALL * size and width <= (_SHORT if low else _WIDEST) * size
            if inside and fits and beside <= _WIDEST * size:
                clusters = found.setdefault(baseline, [])
                if clusters and box[0] - clusters[-1][0][2] <= _NEXT * size:
                    box = box_around([clusters.pop()[0], box])
                clusters.append((box, printed))
                break
    for clusters in found.values():
        yield from clusters


def _gap_around(box: Box, printed: PrintedRun, page: PagePrint) -> bool:
    """True if a box is in a gap between words that it fills, or right beside a digit."""
    size, near = printed.size, MIDDLE_HEIGHT * printed.size
    glyphs = [
        glyph
        for other in page.runs_between(printed.baseline - near, printed.baseline + near)
        if other.box[0] <= box[2] + size and other.box[2] >= box[0] - size
        for glyph in other.glyphs
        if glyph[0].strip()
    ]
    if any(left < box[2] - 1 and right > box[0] + 1 for _, left, right in glyphs):
        return False  # it is over or under print
    if _is_fraction_bar(box, printed, page):
        return False
    befores = [(box[0] - right, char) for char, _, right in glyphs if right <= box[0] + 1]
    afters = [(left - box[2], char) for char, left, _ in glyphs if left >= box[2] - 1]
    beside = [min(side, default=(TALLEST, "")) for side in (befores, afters)]
    by_digit = any(char.isdigit() and gap <= _NEXT * size for gap, char in beside)
    is_word = box[3] - box[1] >= _LOW * size
    return by_digit or (is_word and max(beside)[0] <= _FILLS * size)


def _is_fraction_bar(box: Box, printed: PrintedRun, page: PagePrint) -> bool:
    """True for a low box with print of another line close above or below it."""
    around = (box[0], box[1] - printed.size / 2, box[2], box[3] + printed.size / 2)
    near = MIDDLE_HEIGHT * printed.size
    return box[3] - box[1] < _LOW * printed.size and any(
        abs(other.baseline - printed.baseline) > near for other in page.runs_under(around)
    )


def reveal_shown_words(page: PagePrint, raw: Sequence[RawGlyphRun]) -> None:
    """Call words visible that are not painted as text, but that the picture shows."""
    unpainted = [
        (run, each)
        for run, each in zip(page.content.runs, raw, strict=True)
        if not run.style.visible and run.upright and not _is_printed_over(run, page)
    ]
    for run, each in unpainted if len(unpainted) <= _MAX_RUNS else ():
        if _is_shown(each, page):
            run.style = run.style._replace(visible=True)


def select_shown_runs(page: PagePrint, boxes: Sequence[Box]) -> Iterator[GlyphRun]:
    """Yield those runs in some boxes that the picture of a page shows.

    The places of the glyphs may be those of another page, in the place of this one.
    """
    raw = list(extract_raw_runs(page.places.glyphs, StyleCache()))
    for run, each in zip(place_runs(page.places, raw, page.content.rules), raw, strict=True):
        x, y = (min(run.lefts) + max(run.rights)) / 2, (run.top + run.bottom) / 2
        inside = any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in boxes)
        if inside and run.upright and _is_shown(each, page):
            yield run


def _is_printed_over(run: GlyphRun, page: PagePrint) -> bool:
    """True if other words are printed in its place."""
    left, right = min(run.lefts), max(run.rights)
    near = SAME_LINE * run.style.size
    return any(
        each.shared_width((left, run.top, right, run.bottom)) > _SHARED_WIDTH * (right - left)
        for each in page.runs_between(run.baseline - near, run.baseline + near)
    )


def _is_shown(run: RawGlyphRun, page: PagePrint) -> bool:
    """True if the picture shows all digits and most letters of a run."""
    glyphs = zip(run.chars, page.places.inks(run), strict=True)
    found = [(char, box) for char, box in glyphs if char in CHECKED and box[0] < box[2]]
    shapes = map(read_shape, page.pictures.close_crops([box for _, box in found]))
    unseen = [
        char
        for (char, _), shape in zip(found, shapes, strict=True)
        if not shape or not looks_like(shape, char)
    ]
    is_most = len(found) - len(unseen) >= _SHOWN * len(found) > 0
    return is_most and not any(map(str.isdigit, unseen))
