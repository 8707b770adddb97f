"""Text recognition for pages that are only images: the picture of a page becomes a `PageContent`.

RapidOCR reads (the extra `ocr`; its package contains its models). It recognizes no strike-through,
no bold print and no colours. What the text means is for other modules.
"""

import importlib.util
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Any, TypeAlias

from core.rulebook.pdf.page_content import Area, GlyphRun, PageContent, Point, Style

PixelArray: TypeAlias = Any
"""A NumPy array: rows, columns, three channels. Importing NumPy would slow down every process."""
RENDER_SCALE = 2.5
"""Pixels a point: at 180 dpi ten-point print is read well, and a page is not slow yet."""
MAX_SIDE = 4_000
"""Pixels of a side: an A3 page has 2,977. Larger pages are drawn smaller."""
MIN_CONFIDENCE = 0.85
"""Least confidence in a page that was read: English scans have 0.97 and more, Greek ones and pages
upside down less than 0.8 (measured; see `tests/rulebook/test_ocr.py`)."""
_THREADS = 2  # for one page, so that two documents at once do not block a small machine
_SIZE_SHARE = 0.75  # size of print to height of its line: measured on scans of 11-point print
_DESCENT = 0.2  # of the height of a line, below the baseline
_SAME_SIZE = 0.25  # by which line heights of one size of print differ
_LINE_GAP = 0.6  # of the height of a line, between lines of a text: measured on a drawn diagram
_SIDEWAYS = 0.6  # of the lines of a turned page are higher than wide


def is_available() -> bool:
    """Return True if the extra `ocr` is installed."""
    return all(importlib.util.find_spec(module) for module in ("rapidocr", "onnxruntime"))


@dataclass(frozen=True, slots=True)
class _RecognizedLine:
    """A line in pixels: its corners clockwise from the top left, its words with theirs."""

    corners: tuple[Point, ...]
    words: tuple[tuple[str, tuple[Point, ...]], ...]
    score: float

    @property
    def height(self) -> float:
        return math.dist(self.corners[0], self.corners[3])

    @property
    def width(self) -> float:
        return math.dist(self.corners[0], self.corners[1])

    def is_below(self, other: "_RecognizedLine") -> bool:
        """True of a line that goes on from another, as in a paragraph of any alignment."""
        gap = self.corners[0][1] - other.corners[3][1]
        left = max(self.corners[0][0], other.corners[0][0])
        right = min(self.corners[1][0], other.corners[1][0])
        return abs(gap) < _LINE_GAP * other.height and left < right


def recognize_page(picture: PixelArray, number: int, scale: float) -> tuple[PageContent, float]:
    """Return what is on the picture of page `number`, and the confidence in it, 0 to 1.

    The picture has `scale` pixels a point. A page that lies on its side is turned; `turn` of the
    content says how far.
    """
    turn, lines = _turn_upright(picture)
    height, width = (side / scale for side in picture.shape[:2])
    if turn % 2:
        width, height = height, width
    # By how much lines fall per pixel: few pages lie straight on a scanner.
    long_lines = (line for line in lines if line.width > 8 * line.height)
    slopes = [(line.corners[1][1] - line.corners[0][1]) / line.width for line in long_lines]
    slope = median(slopes) if slopes else 0.0
    common = median([line.height for line in lines]) if lines else 0.0
    runs: list[GlyphRun] = []
    for line in lines:
        is_common = abs(line.height - common) <= _SAME_SIZE * common
        size = _SIZE_SHARE * (common if is_common else line.height)
        runs += _line_runs(line, size / scale, slope, scale)
    images = [Area(0, 0, width, height, 0)]
    return PageContent(number, width, height, turn, runs, images=images), _confidence(lines)


def recognize_blocks(picture: PixelArray) -> tuple[str, ...]:
    """Return the texts on a picture from top to bottom, each of lines close below each other.

    A line that begins with a small letter or a number goes on from the line above it.
    """
    lines = (line for line in _recognize_lines(picture, 0) if line.score >= MIN_CONFIDENCE)
    blocks: list[list[_RecognizedLine]] = []
    for line in sorted(lines, key=lambda one: one.corners[0][1]):
        above = next((block for block in blocks if line.is_below(block[-1])), None)
        if above is None:
            blocks.append([line])
        else:
            above.append(line)
    texts = (
        "\n".join(" ".join(text for text, _ in one.words) for one in block) for block in blocks
    )
    return tuple(re.sub(r"\n(?=[a-z\d])", " ", text) for text in texts)


def _turn_upright(picture: PixelArray) -> tuple[int, list[_RecognizedLine]]:
    """Return the clockwise quarter turns that set a page upright, and its lines then."""
    lines = _recognize_lines(picture, 0)
    sideways = sum(line.height > line.width for line in lines) > _SIDEWAYS * len(lines)
    if not lines or (not sideways and _confidence(lines) >= MIN_CONFIDENCE):
        return 0, lines
    turns = (1, 3) if sideways else (2,)
    by_turn = {turn: _recognize_lines(picture, turn) for turn in turns} | {0: lines}
    return max(by_turn.items(), key=lambda item: _confidence(item[1]))


def _confidence(lines: Sequence[_RecognizedLine]) -> float:
    """Return the score of the average letter.

    A page upside down yields many short words with a high score, but no long ones.
    """
    letters = [sum(len(text) for text, _ in line.words) for line in lines]
    scores = (count * line.score for count, line in zip(letters, lines, strict=True))
    return sum(scores) / max(sum(letters), 1)


def _recognize_lines(picture: PixelArray, turn: int) -> list[_RecognizedLine]:
    """Recognize the lines of a picture turned clockwise by `turn` quarter turns."""
    for _ in range(turn):
        picture = picture[::-1].transpose(1, 0, 2)
    # `use_cls` would turn each line by itself; here a page is turned as a whole.
    result = _engine()(picture.copy() if turn else picture, use_cls=False, return_word_box=True)
    if result.boxes is None:
        return []
    return [
        _RecognizedLine(
            _to_points(corners),
            tuple((text, _to_points(box)) for text, _, box in words if text.strip()),
            float(score),
        )
        for corners, words, score in zip(
            result.boxes, result.word_results, result.scores, strict=True
        )
        if words
    ]


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR

    threads = "EngineConfig.onnxruntime.intra_op_num_threads"
    return RapidOCR(params={"Global.log_level": "error", threads: _THREADS})


def _to_points(corners: Any) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)


def _line_runs(
    line: _RecognizedLine, size: float, slope: float, scale: float
) -> Iterator[GlyphRun]:
    """Yield one run a word, in points, on the straightened line."""
    (left, y0), (right, y1), (_, y2), (_, y3) = line.corners
    fall = slope * (left + right) / 2
    top, bottom = (y0 + y1) / 2 - fall, (y3 + y2) / 2 - fall
    baseline = (bottom - _DESCENT * line.height) / scale
    top, bottom = top / scale, bottom / scale
    style = Style("", size, bold=False, italic=False, color=0, visible=True)
    for text, corners in line.words:
        start, end = min(x for x, _ in corners) / scale, max(x for x, _ in corners) / scale
        edges = [start + (end - start) * index / len(text) for index in range(len(text) + 1)]
        lefts, rights = edges[:-1], edges[1:]
        yield GlyphRun(list(text), lefts, rights, top, bottom, baseline, style, True, True)
