"""Words that a page shows though no text is painted in their place.

Letters may be the clip of a picture, lie in the picture of a scan above text that is not painted,
or be painted by a pattern. They are seen if the picture of the page shows these letters there.
"""

from collections.abc import Iterable, Iterator, Sequence

from core.rulebook.pdf.glyph_shapes import CHECKED, looks_like, read_shape
from core.rulebook.pdf.glyphs import (
    GlyphPlaces,
    RawGlyphRun,
    StyleCache,
    extract_raw_runs,
    place_runs,
)
from core.rulebook.pdf.page_content import GlyphRun, PageContent
from core.rulebook.pdf.page_pictures import PagePictures
from core.rulebook.pdf.visibility import PrintedRun, runs_between
from core.rulebook.types import Box

_MOST = 0.8  # of the letters of a run look like themselves in an unusual font too; all digits do
_SHARED = 0.5  # of the width of a run
_SAME_LINE = 0.3  # ems
_MAX_RUNS = 200  # of one page: more are the recognised text of a scan, which is read anew


def reveal_shown_words(
    content: PageContent,
    places: GlyphPlaces,
    raw: Sequence[RawGlyphRun],
    printed: Sequence[PrintedRun],
    pictures: PagePictures,
) -> None:
    """Call words visible that are not painted as text, but that the picture shows."""
    unpainted = [
        (run, each)
        for run, each in zip(content.runs, raw, strict=True)
        if not run.style.visible and run.upright and not _is_printed_over(run, printed)
    ]
    for run, each in unpainted if len(unpainted) <= _MAX_RUNS else ():
        if _is_shown(zip(each.chars, places.inks(each), strict=True), pictures):
            run.style = run.style._replace(visible=True)


def select_shown_runs(
    content: PageContent,
    places: GlyphPlaces,
    boxes: Sequence[Box],
    pictures: PagePictures,
) -> Iterator[GlyphRun]:
    """Yield those runs of another page, in the place of this one, that its picture shows.

    Only those in some boxes are looked at.
    """
    raw = list(extract_raw_runs(places.glyphs, StyleCache()))
    for run, each in zip(place_runs(places, raw, content.rules), raw, strict=True):
        x, y = (min(run.lefts) + max(run.rights)) / 2, (run.top + run.bottom) / 2
        inside = any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in boxes)
        glyphs = zip(each.chars, places.inks(each), strict=True)
        if inside and run.upright and _is_shown(glyphs, pictures):
            yield run


def _is_printed_over(run: GlyphRun, printed: Sequence[PrintedRun]) -> bool:
    """True if other words are printed in its place."""
    left, right = min(run.lefts), max(run.rights)
    near = _SAME_LINE * run.style.size
    return any(
        each.shared_width((left, run.top, right, run.bottom)) > _SHARED * (right - left)
        for each in runs_between(printed, run.baseline - near, run.baseline + near)
    )


def _is_shown(glyphs: Iterable[tuple[str, Box]], pictures: PagePictures) -> bool:
    """True if the picture shows all digits and most letters of these."""
    found = [(char, box) for char, box in glyphs if char in CHECKED and box[0] < box[2]]
    if not found:
        return False
    shapes = map(read_shape, pictures.close_crops([box for _, box in found]))
    seen = [
        (char, shape is not None and looks_like(shape, char))
        for (char, _), shape in zip(found, shapes, strict=True)
    ]
    digits = all(is_seen for char, is_seen in seen if char.isdigit())
    return digits and sum(is_seen for _, is_seen in seen) >= _MOST * len(seen)
