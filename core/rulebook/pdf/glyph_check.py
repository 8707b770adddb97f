"""The glyphs of a document's fonts, looked at where they are first printed.

A font may have empty glyphs, or glyphs that look like other characters than it says. Letters and
digits are compared with those of the standard fonts that pdfium carries. A font that says "9" for
a glyph that looks like a 6 has no other explanation than a fault or a fraud.
"""

import ctypes
import math
import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import NamedTuple, cast

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

from core.rulebook.pdf.page_content import Flaw
from core.rulebook.pdf.page_pictures import CLOSE, PagePictures
from core.rulebook.pdf.visibility import GlyphEdges, PrintedRun
from core.rulebook.types import Box

CHECKED = frozenset(string.ascii_letters + string.digits + "<>")
_FONTS = (
    "Helvetica",
    "Helvetica-Bold",
    "Helvetica-Oblique",
    "Helvetica-BoldOblique",
    "Times-Roman",
    "Times-Bold",
    "Times-Italic",
    "Times-BoldItalic",
    "Courier",
    "Courier-Bold",
)
_ALIKE = (
    "Il1ij",
    "O0oQD",
    "Cc",
    "Kk",
    "Pp",
    "Ss5",
    "Uu",
    "Vv",
    "Ww",
    "Xx",
    "Yy",
    "Zz2",
    "Mm",
    "Jj",
)
_SIZE = (12, 18)  # pixels of a shape, whatever its size on the page
_PRINT_SIZE, _CELL = 24, 40  # of a reference: its size of print, and its place in a grid
_CANDIDATES = 8  # shapes that are compared by all their shades
_CONTRAST = 48  # of 255: less is no ink
_NEAR = 0.12  # a shape that differs by less from its character's is that character
_FAR = 0.45  # a digit that differs by more is none; those of 40 rulebooks differ by up to 0.40
_NEARER, _NEARER_DIGIT, _NEARER_LETTER = 0.6, 0.7, 0.5
"""Times the distance of a digit to its own character: so near is a letter, or another digit; and of
a letter. In 42 rulebooks no digit is, apart from ornaments, and few letters are."""
_ENOUGH = 1.6
"""The sum of the logarithms of how much nearer the letters of a font are to others: in all but one
of these rulebooks it is below 0.9, and in that one letters are covered."""
_HALF, _LEAST = 0.5, 0.01
_SOLID = 235  # of 255, the average ink of a box
UNKNOWN = "\u25a1"
"""Stands for a shape that is like no letter or digit."""
_FEWEST_PIXELS = 5  # of a glyph's height: smaller ones have no shape
_WITNESSES = 3  # places of a glyph on its first page: all have to agree that it is another
_SMALLEST = 5.0  # points of print whose shapes can be told apart
_WORD = re.compile(r"\S+")
_POINTS = frozenset(".,")
_OTHERS = CHECKED | _POINTS
_LETTER_OR_POINT = re.compile(r"[^.,]|(?<=\d)[.,](?=\d)")
"""A point decides among digits alone."""
_TAIL = 0.07  # ems below the baseline: in 343 fonts of rulebooks full stops end above, at 0.03 and
# less, and commas below, at 0.12 and more
_HIGHEST_POINT = 0.45  # ems: a higher box is that of all glyphs of a font, and not of this one
GlyphBox = Callable[[int, int], Box]
"""The box around the ink of a glyph, by the index of its run and its own."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The picture of a glyph, and how wide it is for its height."""

    pixels: bytes
    ratio: float
    bits: int
    """One bit a pixel, to find shapes that may be near."""

    @property
    def is_solid(self) -> bool:
        """True for a filled box."""
        return sum(self.pixels) >= _SOLID * len(self.pixels)


SPECK = Shape(bytes(_SIZE[0] * _SIZE[1]), 1.0, 0)


def read_shape(picture: Image.Image) -> Shape | None:
    """Return the shape of the glyph on a grey picture, None if there is no ink.

    `SPECK` is ink that is too small for a letter or digit.
    """
    right, bottom = picture.width - 1, picture.height - 1
    corners = ((0, 0), (right, 0), (0, bottom), (right, bottom))
    background = sorted(cast("int", picture.getpixel(corner)) for corner in corners)[2]  # as most
    ink = ImageChops.difference(picture, Image.new("L", picture.size, background))
    strongest = cast("int", ink.getextrema()[1])
    if strongest < _CONTRAST:
        return None
    middle = strongest // 2
    box = ink.point([0] * middle + [255] * (256 - middle)).getbbox()
    if not box:
        return None
    if box[3] - box[1] < _FEWEST_PIXELS:
        return SPECK
    shape = ink.crop(box).resize(_SIZE, Image.Resampling.BOX)
    if strongest < 255:
        shape = shape.point([min(255, shade * 255 // strongest) for shade in range(256)])
    bits = int.from_bytes(shape.convert("1", dither=Image.Dither.NONE).tobytes(), "big")
    return Shape(shape.tobytes(), (box[2] - box[0]) / (box[3] - box[1]), bits)


class OtherCharacter(NamedTuple):
    """The character that a glyph looks like instead of its own."""

    char: str
    """`UNKNOWN` for a shape that is like none."""
    weight: float
    """How much this says of the font: at 1 and more, enough by itself."""


def find_other_character(shape: Shape, char: str) -> OtherCharacter | None:
    """Return the character that a glyph looks like instead of `char`; None if it may be that."""
    if shape is SPECK:
        return OtherCharacter(UNKNOWN, 1.0) if char.isdigit() else None
    own = _nearest(shape, char)
    if own < _NEAR:
        return None
    if shape.is_solid and not _look_alike(char, "l"):
        return OtherCharacter(UNKNOWN, 1.0 if char.isdigit() else _HALF)
    distance, best = _nearest_other(shape, char)
    if not char.isdigit() and distance < _NEARER_LETTER * own:
        return OtherCharacter(best, math.log(own / max(distance, _LEAST)) / _ENOUGH)
    if char.isdigit() and distance < (_NEARER_DIGIT if best.isdigit() else _NEARER) * own:
        return OtherCharacter(best, 1.0)
    return OtherCharacter(UNKNOWN, 1.0) if char.isdigit() and own > _FAR else None


def looks_like(shape: Shape, char: str) -> bool:
    """Return True if no other character has a shape that is nearer."""
    return shape is not SPECK and _nearest(shape, char) <= _nearest_other(shape, char)[0]


def _nearest(shape: Shape, char: str) -> float:
    return min(_distances(shape, _reference_shapes()[char]))


def _nearest_other(shape: Shape, char: str) -> tuple[float, str]:
    """The distance to the nearest character that looks otherwise, and that character."""
    others = _other_shapes(char)
    differences = [(shape.bits ^ known.bits).bit_count() for known, _ in others]
    best = sorted(range(len(others)), key=differences.__getitem__)[:_CANDIDATES]
    shapes, chars = zip(*map(others.__getitem__, best), strict=True)
    return min(zip(_distances(shape, shapes), chars, strict=True))


@cache
def _other_shapes(char: str) -> list[tuple[Shape, str]]:
    """The shapes of all characters that look otherwise."""
    return [
        (known, other)
        for other, shapes in _reference_shapes().items()
        if not _look_alike(char, other)
        for known in shapes
    ]


def _look_alike(one: str, other: str) -> bool:
    return one == other or any(one in group and other in group for group in _ALIKE)


def _distances(one: Shape, others: Sequence[Shape]) -> list[float]:
    """By how much a shape differs from each of others, 0 to 1; all are compared at once."""
    width, height = _SIZE
    stack = width, height * len(others)
    known = Image.frombytes("L", stack, b"".join(other.pixels for other in others))
    own = Image.frombytes("L", stack, one.pixels * len(others))
    shades, count = ImageChops.difference(own, known).tobytes(), width * height
    totals = [sum(shades[at : at + count]) for at in range(0, len(shades), count)]
    return [
        total / (255 * count) + abs(one.ratio - other.ratio) / max(one.ratio, other.ratio) / 4
        for total, other in zip(totals, others, strict=True)
    ]


@cache
def _reference_shapes() -> dict[str, list[Shape]]:
    """Draw letters and digits in the standard fonts."""
    chars = sorted(CHECKED)
    pdf = pypdfium2.PdfDocument.new()
    page = pdf.new_page(_CELL * len(chars), _CELL * len(_FONTS))
    for row, name in enumerate(_FONTS):
        font = pdfium.FPDFText_LoadStandardFont(pdf, name.encode())
        for column, char in enumerate(chars):
            text = pdfium.FPDFPageObj_CreateTextObj(pdf, font, _PRINT_SIZE)
            codes = (ctypes.c_ushort * 2)(ord(char), 0)
            pdfium.FPDFText_SetText(text, codes)
            pdfium.FPDFPageObj_Transform(text, 1, 0, 0, 1, column * _CELL + 8, row * _CELL + 10)
            pdfium.FPDFPage_InsertObject(page, text)
    picture = page.render(scale=1, grayscale=True).to_pil().convert("L")
    height = picture.height
    shapes: dict[str, list[Shape]] = {char: [] for char in chars}
    for row in range(len(_FONTS)):
        for column, char in enumerate(chars):
            top = height - (row + 1) * _CELL
            cell = picture.crop((column * _CELL, top, (column + 1) * _CELL, top + _CELL))
            if shape := read_shape(cell):
                shapes[char].append(shape)
    page.close()
    pdf.close()
    return shapes


@dataclass(slots=True)
class GlyphCheck:
    """What is known of the glyphs of a document, by font and character."""

    _known: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    _hollow: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    _lies: dict[int, dict[str, OtherCharacter]] = field(default_factory=lambda: defaultdict(dict))
    """The characters that glyphs look like instead of their own."""

    def learn(
        self, runs: Iterable[PrintedRun], pictures: PagePictures, box_of: GlyphBox
    ) -> list[PrintedRun]:
        """Look at glyphs that are new; return runs with glyphs that may be empty."""
        runs = list(runs)
        places: dict[tuple[int, str], list[Box]] = {}
        for printed in runs:
            for index, char in list(self._new_glyphs(printed)):
                if char in _POINTS:
                    self._judge_point(printed, char, box_of(printed.index, index))
                    continue
                found = places.setdefault((printed.font, char), [])
                if len(found) < _WITNESSES:
                    found.append(box_of(printed.index, index))
        firsts = pictures.close_crops([first for first, *_ in places.values()])
        for (font, char), (_, *others) in places.items():
            crops = chain([next(firsts)], pictures.close_crops(others))  # drawn if they are needed
            shapes = filter(None, map(read_shape, crops))
            self._judge(font, char, shapes, enlarged=pictures.close_scale == CLOSE)
        return [
            printed
            for printed in runs
            if not self._hollow.get(printed.font, set()).isdisjoint(printed.run.chars)
        ]

    def _judge(self, font: int, char: str, shapes: Iterator[Shape], *, enlarged: bool) -> None:
        """Note what the shapes of a glyph say; specks say nothing if they are not enlarged."""
        self._known[font].add(char)
        first = next(shapes, None)
        if first is None or (first is SPECK and not enlarged):
            self._hollow[font].add(char)
        elif char in CHECKED:
            other = find_other_character(first, char)
            others = (find_other_character(each, char) for each in shapes)
            if other and all(each and each.char == other.char for each in others):
                self._lies[font][char] = other

    def _judge_point(self, printed: PrintedRun, char: str, box: Box) -> None:
        """Note a full stop that looks like a comma, or the other way round."""
        left, top, right, bottom = box
        is_small = left < right and bottom - top < _HIGHEST_POINT * printed.size
        shown = "," if bottom - printed.baseline > _TAIL * printed.size else "."
        if is_small and shown != char:
            self._lies[printed.font][char] = OtherCharacter(shown, 1.0)

    def mark_lies(self, runs: Iterable[PrintedRun], edges_of: GlyphEdges) -> None:
        """Add flaws to words with glyphs that look like other characters."""
        for printed in runs:
            found = self._lies.get(printed.font, {})
            letters = sum(other.weight for char, other in found.items() if char.isalpha())
            lies = {  # one letter alone may be of an unusual shape
                char: other.char
                for char, other in found.items()
                if letters >= 1 or not char.isalpha()
            }
            if lies and not printed.run.flaws and not lies.keys().isdisjoint(printed.run.chars):
                edges = edges_of(printed.index)
                printed.run.add_flaws(list(_lying_words(printed.run.chars, lies, *edges)), edges)

    def _new_glyphs(self, printed: PrintedRun) -> Iterator[tuple[int, str]]:
        known = self._known[printed.font]
        if printed.size < _SMALLEST or known.issuperset(printed.run.chars):
            return
        for index, char in enumerate(printed.run.chars):
            if char not in known and (char.isalnum() or char in _OTHERS):
                yield index, char
        known.update(char for char in printed.run.chars if not char.isalnum())


def _lying_words(
    chars: Sequence[str], lies: dict[str, str], lefts: Sequence[float], rights: Sequence[float]
) -> Iterator[Flaw]:
    """Words with another look; a single letter may be a bullet of an ornamental font."""
    text = "".join(char if len(char) == 1 else " " for char in chars)
    for word in _WORD.finditer(text):
        shown = _LETTER_OR_POINT.sub(lambda found: lies.get(found[0], found[0]), word[0])
        if shown != word[0] and (len(word[0]) > 1 or not word[0].isalpha()):
            start, end = word.span()
            yield Flaw(min(lefts[start:end]), max(rights[start:end]), "differs", shown)
