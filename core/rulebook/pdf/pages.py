"""Pages of a PDF as pdfium sees them, each as a `Sheet`, and pages as images.

Says what is on the page and where, never what it means. pdfium is native code and not thread-safe: all of it is called
in child processes that have no second thread for it (see `child`).
"""

import io
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from core.errors import ReadError
from core.rulebook.pdf.glyphs import RawGlyphRun, StyleCache, extract_raw_runs, place_runs
from core.rulebook.pdf.page_content import (
    AffineTransform,
    PageContent,
    display_transform,
    reading_transform,
)
from core.rulebook.pdf.shapes import add_shapes
from core.rulebook.types import Box

__all__ = ["PdfFile", "PageContent", "render_page"]


class PdfFile:
    """An open PDF; `close` it, or use it in a `with`."""

    def __init__(self, data: bytes, password: str = "") -> None:
        """Raises ReadError with code `encrypted` or `damaged`."""
        try:
            self._pdf = pypdfium2.PdfDocument(data, password=password)
        except pypdfium2.PdfiumError as error:
            raise _refusal(str(error)) from error
        self._looks = StyleCache()

    def __enter__(self) -> "PdfFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of it."""
        self._pdf.close()

    def __len__(self) -> int:
        return len(self._pdf)

    def page_labels(self) -> list[str]:
        """The page labels ("B19"), empty strings where there are none."""
        return [self._pdf.get_page_label(index) for index in range(len(self))]

    def read_metadata(self) -> dict[str, str]:
        """Title, Subject, CreationDate ... as far as they are set."""
        return {key: value for key, value in self._pdf.get_metadata_dict().items() if value}

    def read_page(self, number: int) -> PageContent:
        """Page `number`, from 1. Raises ReadError where pdfium cannot load it."""
        try:
            page = self._pdf[number - 1]
        except pypdfium2.PdfiumError as error:
            raise ReadError(f"Page {number} could not be loaded.", code="damaged") from error
        try:
            return _sheet(page, number, self._looks)
        finally:
            page.close()

    def iter_glyphs(self, number: int) -> Iterator[tuple[str, Box]]:
        """The characters of page `number` in the order of the file, each with its box as displayed."""
        page = self._pdf[number - 1]
        left, bottom, right, top = page.get_bbox()
        text_page = page.get_textpage()
        text = text_page.get_text_range
        for index in range(text_page.count_chars()):
            x0, y0, x1, y1 = text_page.get_charbox(index, loose=True)
            match page.get_rotation():
                case 90:
                    box = (y0 - bottom, x0 - left, y1 - bottom, x1 - left)
                case 180:
                    box = (right - x1, y0 - bottom, right - x0, y1 - bottom)
                case 270:
                    box = (top - y1, right - x1, top - y0, right - x0)
                case _:
                    box = (x0 - left, top - y1, x1 - left, top - y0)
            yield text(index, 1), box

    def render_pixels(self, number: int, scale: float, max_side: int) -> Any:
        """Page `number` as an array of rows, columns and three channels, `scale` pixels a point, and that scale.

        It is smaller where a side would have more than `largest` pixels. Raises ReadError.
        """
        try:
            page = self._pdf[number - 1]
            scale = min(scale, max_side / max(*page.get_size(), 1.0))
            return page.render(scale=scale).to_numpy(), scale
        except pypdfium2.PdfiumError as error:
            raise ReadError(f"Page {number} could not be drawn.", code="damaged") from error


def render_page(data: bytes, page: int, scale: float) -> bytes:
    """Page `page` (from 1) as PNG, `scale` pixels a point. Raises ReadError for a page that cannot be shown."""
    try:
        with pypdfium2.PdfDocument(data) as pdf:
            picture = pdf[page - 1].render(scale=scale).to_pil()
    except (pypdfium2.PdfiumError, IndexError) as error:
        raise ReadError(f"Page {page} of this PDF cannot be shown.", code="damaged") from error
    out = io.BytesIO()
    picture.save(out, format="PNG")
    return out.getvalue()


def _refusal(reason: str) -> ReadError:
    if "password" in reason.lower() or "security" in reason.lower():
        return ReadError("The PDF is protected with a password.", code="encrypted")
    return ReadError("The PDF is damaged and cannot be opened.", code="damaged")


def _sheet(page: pypdfium2.PdfPage, number: int, looks: StyleCache) -> PageContent:
    text_page = pdfium.FPDFText_LoadPage(page.raw)
    try:
        return _drawn(page, number, text_page, looks)
    finally:
        if text_page:
            pdfium.FPDFText_ClosePage(text_page)


def _drawn(page: pypdfium2.PdfPage, number: int, text_page: Any, looks: StyleCache) -> PageContent:
    raw = list(extract_raw_runs(text_page, looks)) if text_page else []
    left, bottom, right, top = page.get_bbox()
    rotation = page.get_rotation() // 90 % 4
    shown = display_transform(rotation, (left, bottom, right, top))
    width, height = (
        (right - left, top - bottom) if rotation % 2 == 0 else (top - bottom, right - left)
    )
    turn = _dominant_turn(raw, shown)
    frame = reading_transform(turn, width, height).compose(shown)
    if turn % 2:
        width, height = height, width
    sheet = PageContent(number, width, height, turn, [])
    add_shapes(sheet, page.raw, frame)
    sheet.runs = list(place_runs(text_page, raw, frame, sheet.rules))
    return sheet


def _dominant_turn(raw: list[RawGlyphRun], shown: AffineTransform) -> int:
    """Quarter turns by which most glyphs are turned clockwise on the page as displayed."""
    turns: Counter[int] = Counter()
    for run in raw:
        dx, dy = run.direction
        x, y = shown.a * dx + shown.c * dy, shown.b * dx + shown.d * dy
        turns[round(math.atan2(y, x) / (math.pi / 2)) % 4] += len(run.chars)
    return turns.most_common(1)[0][0] if turns else 0
