"""Words that a page shows though no text is painted in their place.

Letters may be the clip of a picture, lie in the picture of a scan above text that is not painted,
or be painted by a pattern. They are seen if the picture of the page shows these letters there.
"""

from collections.abc import Iterator, Sequence

from core.rulebook.pdf.glyph_shapes import CHECKED, looks_like, read_shape
from core.rulebook.pdf.glyphs import RawGlyphRun, StyleCache, extract_raw_runs, place_runs
from core.rulebook.pdf.page_content import GlyphRun
from core.rulebook.pdf.visibility import PagePrint
from core.rulebook.types import Box

_MOST = 0.8  # of the letters of a run look like themselves in an unusual font too; all digits do
_SHARED = 0.5  # of the width of a run
_SAME_LINE = 0.3  # ems
_MAX_RUNS = 200  # of one page: more are the recognised text of a scan, which is read anew


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
    near = _SAME_LINE * run.style.size
    return any(
        each.shared_width((left, run.top, right, run.bottom)) > _SHARED * (right - left)
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
    is_most = len(found) - len(unseen) >= _MOST * len(found) > 0
    return is_most and not any(map(str.isdigit, unseen))
