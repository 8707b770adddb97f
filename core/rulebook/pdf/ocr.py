"""Text recognition for pages that are only images: the picture of a page becomes a `Sheet` of runs, like any other.

RapidOCR does the reading (the optional part `ocr`; its package carries its models). It tells no struck-out words, no
bold print and no colours; what the pages' text comes to is for the other modules to say.
"""

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import Any, TypeAlias

from core.rulebook.pdf.page_content import Area, GlyphRun, PageContent, Style

PixelArray: TypeAlias = Any
"""A NumPy array: rows, columns, three channels. NumPy is not imported here: every process that reads would load it."""
Point = tuple[float, float]

RENDER_SCALE = 2.5
"""Pixels a point: 180 dpi, at which ten-point print is read well and a page is not yet slow."""
MAX_SIDE = 4_000
"""Pixels of a side; the picture of a larger page is made smaller."""
_THREADS = 2  # of one page: two documents at once take no more than what a small machine has
_EM = 0.75  # of the height of a found line: measured on scans of 11-point print
_DESCENT = 0.2  # of the height of a found line, below the baseline
_SAME_SIZE = 0.25  # by which heights of one print differ
MIN_CONFIDENCE = 0.85
"""How sure it is at the least of a page it can read: 0.97 and more of English scans, below 0.8 of Greek ones or of a
page on its head (measured; see `tests/rulebook/test_ocr.py`)."""
_SIDEWAYS = 0.6  # of the lines of a turned page are higher than wide


def is_available() -> bool:
    """True where the optional part is installed."""
    return (
        importlib.util.find_spec("rapidocr") is not None
        and importlib.util.find_spec("onnxruntime") is not None
    )


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as it was found, in pixels: its corners clockwise from the top left, and its words with theirs."""

    corners: tuple[Point, ...]
    words: tuple[tuple[str, tuple[Point, ...]], ...]
    score: float

    @property
    def height(self) -> float:
        return math.dist(self.corners[0], self.corners[3])

    @property
    def width(self) -> float:
        return math.dist(self.corners[0], self.corners[1])


def recognize_page(picture: PixelArray, number: int, scale: float) -> tuple[PageContent, float]:
    """What stands on the picture of page `number`, drawn with `scale` pixels a point; and how sure that is, 0 to 1.

    A page that lies on its side is turned: `Sheet.turn` tells how far.
    """
    turn, lines = _upright(picture)
    height, width = (edge / scale for edge in picture.shape[:2])
    if turn % 2:
        width, height = height, width
    sheet = PageContent(number, width, height, turn, [], images=[Area(0, 0, width, height, 0)])
    slope = _slope(lines)
    sizes = _sizes(lines)
    sheet.runs = [
        run
        for line, size in zip(lines, sizes, strict=True)
        for run in _runs(line, size / scale, slope, scale)
    ]
    return sheet, _sureness(lines)


def _upright(picture: PixelArray) -> tuple[int, list[_Line]]:
    """The quarter turns that set a page upright, and its lines then."""
    lines = _found(picture)
    sideways = sum(line.height > line.width for line in lines) > _SIDEWAYS * len(lines)
    if not lines or (not sideways and _sureness(lines) >= MIN_CONFIDENCE):
        return 0, lines
    tried = {turn: _found(_turned(picture, turn)) for turn in ((1, 3) if sideways else (2,))}
    tried[0] = lines
    best = max(tried, key=lambda turn: _sureness(tried[turn]))
    return best, tried[best]


def _turned(picture: PixelArray, turn: int) -> PixelArray:
    """A picture turned clockwise by quarter turns."""
    for _ in range(turn):
        picture = picture[::-1].transpose(1, 0, 2)
    return picture.copy()


def _sureness(lines: Sequence[_Line]) -> float:
    """Of the average letter: a page that stands on its head gives many sure little words, and no sure long ones."""
    letters = [(sum(len(text) for text, _ in line.words), line.score) for line in lines]
    return sum(count * score for count, score in letters) / max(
        sum(count for count, _ in letters), 1
    )


def _found(picture: PixelArray) -> list[_Line]:
    # Without its classifier of lines, which turns each line for itself: a page is turned as a whole.
    result = _engine()(picture, use_cls=False, return_word_box=True)
    if result.boxes is None:
        return []
    return [
        _Line(_corners(corners), _words(words), float(score))
        for corners, words, score in zip(
            result.boxes, result.word_results, result.scores, strict=True
        )
        if words
    ]


@lru_cache(maxsize=1)
def _engine() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "error",
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
        }
    )


def _words(found: Sequence[tuple[str, float, Any]]) -> tuple[tuple[str, tuple[Point, ...]], ...]:
    return tuple((text, _corners(corners)) for text, _, corners in found if text.strip())


def _corners(corners: Any) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)


def _slope(lines: Sequence[_Line]) -> float:
    """By how much lines fall for each pixel to the right: a page seldom lies straight on the glass."""
    long = [line for line in lines if line.width > 8 * line.height]
    return (
        median((line.corners[1][1] - line.corners[0][1]) / line.width for line in long)
        if long
        else 0.0
    )


def _sizes(lines: Sequence[_Line]) -> list[float]:
    """The size of the print of each line in pixels: that of most lines where it is about the same."""
    if not lines:
        return []
    common = median(line.height for line in lines)
    return [
        _EM * (common if abs(line.height - common) <= _SAME_SIZE * common else line.height)
        for line in lines
    ]


def _runs(line: _Line, size: float, slope: float, scale: float) -> list[GlyphRun]:
    """A run a word, in points, on the straightened line."""
    left = line.corners[0][0]
    top, bottom = ((line.corners[a][1] + line.corners[b][1]) / 2 for a, b in ((0, 1), (3, 2)))
    middle = (left + line.corners[1][0]) / 2
    top, bottom = (edge - slope * middle for edge in (top, bottom))
    baseline = bottom - _DESCENT * line.height
    style = Style("", size, False, False, 0, True)
    runs = []
    for text, corners in line.words:
        start, end = min(x for x, _ in corners) / scale, max(x for x, _ in corners) / scale
        edges = [start + (end - start) * index / len(text) for index in range(len(text) + 1)]
        edges_of = (list(text), edges[:-1], edges[1:])
        runs.append(
            GlyphRun(*edges_of, top / scale, bottom / scale, baseline / scale, style, True, True)
        )
    return runs
