"""Pages of a PDF as pdfium sees them, each as a `PageContent`, and pages as images.

Says what is on the page and where, never what it means. pdfium is native code and not thread-safe:
it is called in sandboxed processes only (see `isolation`), and from one thread.
"""

import io
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, suppress
from typing import Any

import pypdfium2

from core.errors import ReadError
from core.rulebook.pdf.annotations import add_annotations
from core.rulebook.pdf.glyphs import (
    GlyphPlaces,
    PageGlyphs,
    RawGlyphRun,
    StyleCache,
    extract_raw_runs,
    place_runs,
)
from core.rulebook.pdf.inspection import Inspected, PageObjects, inspect_page
from core.rulebook.pdf.page_content import (
    AffineTransform,
    GlyphRun,
    PageContent,
    Point,
    display_transform,
    reading_transform,
)
from core.rulebook.pdf.page_pictures import PagePictures
from core.rulebook.pdf.shapes import add_shapes
from core.rulebook.pdf.unread_words import select_shown_runs
from core.rulebook.pdf.visibility import PagePrint
from core.rulebook.types import Box


class PdfFile(AbstractContextManager["PdfFile"]):
    """An open PDF. Raises ReadError with code `encrypted` or `damaged`."""

    def __init__(self, data: bytes, password: str = "") -> None:
        try:
            self._pdf = pypdfium2.PdfDocument(data, password=password)
            self._pdf.init_forms()  # before any page is loaded: else fields are not drawn
        except pypdfium2.PdfiumError as error:
            if any(word in str(error).lower() for word in ("password", "security")):
                message = "The PDF is protected with a password."
                raise ReadError(message, code="encrypted") from error
            message = "The PDF is damaged and cannot be opened."
            raise ReadError(message, code="damaged") from error
        self._data = data
        self._style_cache = StyleCache()
        self._inspected = Inspected()

    def __exit__(self, *_: object) -> None:
        self._pdf.close()

    def __len__(self) -> int:
        return len(self._pdf)

    def read_metadata(self) -> dict[str, str]:
        """Title, Subject, CreationDate and the like, those that are set."""
        return {key: value for key, value in self._pdf.get_metadata_dict().items() if value}

    def read_page(self, number: int) -> PageContent:
        """Read page `number` (from 1). Raises ReadError if pdfium cannot load it."""
        try:
            page = self._pdf[number - 1]
            with closing(page):
                return self._extract_content(page, number)
        except pypdfium2.PdfiumError as error:
            raise ReadError(f"Page {number} could not be loaded.", code="damaged") from error

    def _extract_content(self, page: pypdfium2.PdfPage, number: int) -> PageContent:
        glyphs = PageGlyphs(page.get_textpage())
        raw = list(extract_raw_runs(glyphs, self._style_cache))
        left, bottom, right, top = page.get_bbox()
        rotation = page.get_rotation() // 90 % 4
        to_display = display_transform(rotation, (left, bottom, right, top))
        width, height = right - left, top - bottom
        if rotation % 2:
            width, height = height, width
        turn = _dominant_turn(raw, to_display)
        transform = reading_transform(turn, width, height).compose(to_display)
        if turn % 2:
            width, height = height, width
        content = PageContent(number, width, height, turn, [])
        painted = add_shapes(content, self._pdf.raw, page.raw, transform)
        annotations = add_annotations(content, page.raw, transform, self._data)
        places = GlyphPlaces(glyphs, transform)
        content.runs = list(place_runs(places, raw, content.rules))
        objects = PageObjects(page, places, raw, painted, annotations)
        inspect_page(objects, content, self._inspected)
        if painted.patterns:
            content.runs += self._read_patterns(page, content, transform, painted.patterns)
        return content

    def _read_patterns(
        self,
        page: pypdfium2.PdfPage,
        content: PageContent,
        transform: AffineTransform,
        boxes: Sequence[Box],
    ) -> list[GlyphRun]:
        """The words that patterns paint into boxes of a page, in reading coordinates."""
        from core.rulebook.pdf.pypdf_fallback import write_pattern_page

        data = write_pattern_page(self._data, content.number)
        if not data:
            return []
        with PdfFile(data) as patterns, suppress(pypdfium2.PdfiumError):
            places = GlyphPlaces(PageGlyphs(patterns._pdf[0].get_textpage()), transform)
            print_ = PagePrint(content, places, PagePictures(page, content, (), {}))
            return list(select_shown_runs(print_, boxes))
        return []

    def iter_glyphs(self, number: int) -> Iterator[tuple[str, Box]]:
        """Yield the characters of page `number` in file order, each with its box as displayed."""
        page = self._pdf[number - 1]
        transform = display_transform(page.get_rotation() // 90 % 4, page.get_bbox())
        text_page = page.get_textpage()
        for index in range(text_page.count_chars()):
            box = text_page.get_charbox(index, loose=True)
            yield text_page.get_text_range(index, 1), transform.map_box(*box)

    def render_pixels(self, number: int, scale: float, max_side: int) -> tuple[Any, float]:
        """Draw page `number` as an array of rows, columns and three channels.

        Returns it with its pixels a point: `scale`, or fewer if a side would have more than
        `max_side` pixels. Raises ReadError.
        """
        try:
            page = self._pdf[number - 1]
            scale = min(scale, max_side / max(*page.get_size(), 1.0))
            return page.render(scale=scale).to_numpy(), scale
        except pypdfium2.PdfiumError as error:
            raise ReadError(f"Page {number} could not be drawn.", code="damaged") from error


def open_pdf(data: bytes) -> PdfFile:
    """Open a PDF with pdfium, or what pypdf makes of it if pdfium cannot. Raises ReadError."""
    try:
        return PdfFile(data)
    except ReadError:
        from core.rulebook.pdf.pypdf_fallback import rewrite_pdf

        rewritten = rewrite_pdf(data)
        if rewritten is None:
            raise
        return PdfFile(rewritten)


def remove_password(data: bytes, password: str) -> bytes:
    """Return a copy that opens without a password; no bytes if the file already does.

    The same file gives the same copy, which pdfium would not do. Raises ReadError with code
    `encrypted` if the password is wrong, else `damaged`.
    """
    try:
        with open_pdf(data):
            return b""
    except ReadError as error:
        if error.code != "encrypted":
            return b""  # any other fault is reported when the file is read
        from core.rulebook.pdf.pypdf_fallback import rewrite_pdf

        if copy := rewrite_pdf(data, password):
            return copy
        PdfFile(data, password)  # raises ReadError if the password is wrong
        raise ReadError("The PDF opens, but cannot be written again.", code="damaged") from error


def render_page(data: bytes, page: int, scale: float) -> bytes:
    """Draw page `page` (from 1) as PNG, `scale` pixels a point. Raises ReadError."""
    try:
        with pypdfium2.PdfDocument(data) as pdf:
            pdf.init_forms()
            picture = pdf[page - 1].render(scale=scale).to_pil()
    except (pypdfium2.PdfiumError, IndexError) as error:
        raise ReadError(f"Page {page} of this PDF cannot be shown.", code="damaged") from error
    out = io.BytesIO()
    picture.save(out, format="PNG")
    return out.getvalue()


def _dominant_turn(raw: list[RawGlyphRun], to_display: AffineTransform) -> int:
    """Clockwise quarter turns of most glyphs on the page as displayed."""
    directions: Counter[Point] = Counter()
    for run in raw:
        directions[run.direction] += len(run.chars)
    turns: Counter[int] = Counter()
    for direction, count in directions.items():
        x, y = to_display.map_direction(*direction)
        turns[round(math.atan2(y, x) / (math.pi / 2)) % 4] += count
    return turns.most_common(1)[0][0] if turns else 0
