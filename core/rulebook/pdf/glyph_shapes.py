"""Shapes of single glyphs on pictures, and which characters they look like.

They are compared with the letters, digits and signs of the standard fonts that pdfium carries.
"""

import ctypes
import math
import string
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, cast

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops, ImageFilter, ImageOps

_LETTERS = string.ascii_letters + string.digits + "<>"
SIGNS = "%‰±°×÷½¼¾+=≤≥$€£"
"""Signs that change the value of a number; those of `_SYMBOLS` are in the font Symbol alone."""
_FRACTIONS = {"½": "12", "¼": "14", "¾": "34"}
_CORNERS = ((0, 0, 5, 9), (6, 9, 12, 18))  # pixels of a shape that have their two digits
_NEARER_CORNER = 0.6
"""Times the distance of a digit to that of the fraction: in 27 fonts none but two, whose fractions
are of another kind, are so near to another digit."""
_TURNED = 0.5
"""Times the distance of a shape to its character: so near is one that is turned round."""
_LOW = "°="  # signs that small print has no shape of
_SYMBOLS = {"≤": 0xA3, "≥": 0xB3}  # codes of the font Symbol (ISO 32000-1, annex D)
CHECKED = frozenset(_LETTERS + SIGNS)
_SAME_LOOK = frozenset(("৪8", "੪8", "৭9", "੧9", "٥0", "۵0"))
"""Digits of other scripts that look like another digit."""
_STYLES = ("<super>", "<sub>", "<wide>", "<font>")
_FONTS = (
    "Helvetica Helvetica-Bold Helvetica-Oblique Helvetica-BoldOblique Times-Roman Times-Bold"
    " Times-Italic Times-BoldItalic Courier Courier-Bold"
).split()
_ALIKE = "Il1ij O0oQD Cc Ss5 Uu Vv Ww Xx Zz2 Jj °oO0 ×xX".split()
_SIZE = (12, 18)  # pixels of a shape, whatever its size on the page
_PRINT_SIZE, _CELL, _COLUMNS = 48, 80, 64
"""Of the references: their size of print, and the grid that they are drawn in."""
_CANDIDATES = 8  # shapes that are compared by all their shades
_CONTRAST = 48  # of 255: less is no ink
_NEAR, _NEAR_DIGIT = 0.12, 0.05
"""A shape that differs by less from its character's is that character: 3 and 8 of one font differ
by 0.11."""
_LETTER_NEAR, _UNLIKE = 0.14, 0.3
"""A letter that differs by more, and by less from another, is that other: none of 46 rulebooks."""
_NEAR_SIGN = 0.2  # and by less is the character that a point or a digit of another script is like
_FAR = 0.45  # a digit that differs by more is none; those of 40 rulebooks differ by up to 0.40
_FAR_SIGN = 0.6  # a sign: those of rulebooks differ by up to 0.45
_NEARER, _NEARER_DIGIT, _NEARER_LETTER = 0.6, 0.7, 0.5
"""Times the distance of a digit to its own character: so near is a letter, or another digit; and of
a letter. In 42 rulebooks no digit is, apart from ornaments, and few letters are."""
_ENOUGH = 1.6
"""The sum of the logarithms of how much nearer the letters of a font are to others: in all but one
of these rulebooks it is below 0.9, and in that one letters are covered."""
_HALF, _LEAST = 0.5, 0.01
"""The weight of a solid box instead of a letter, so that two of a font decide; the least distance,
since another is divided by it."""
_MIDDLE, _BAR = slice(7, 13), 128  # rows of a shape; of 255, the ink in all columns of a line
_SOLID = 235  # of 255, the average ink of a box
UNKNOWN = "\u25a1"
"""Stands for a shape that is like no letter or digit."""
INKED = "\u25a2"
"""Stands for a blank that its font has ink for."""
_SLANTED = 0.05  # of its height, or of its width
_MOST_STRETCHED = 8.0  # times
_FEWEST_PIXELS = 5  # of a glyph's height: smaller ones have no shape


@dataclass(frozen=True, slots=True)
class Shape:
    """The picture of a glyph, and how wide it is for its height."""

    pixels: bytes
    ratio: float
    bits: int
    """One bit a pixel, to find shapes that may be near."""

    @property
    def picture(self) -> Image.Image:
        return Image.frombytes("L", _SIZE, self.pixels)

    @property
    def is_solid(self) -> bool:
        """True for a filled box."""
        return sum(self.pixels) >= _SOLID * len(self.pixels)


SPECK = Shape(bytes(_SIZE[0] * _SIZE[1]), 1.0, 0)


def has_bar(shape: Shape) -> bool:
    """Return True for a shape that a line runs through at the height where letters are open."""
    width, height = _SIZE
    rows = [shape.pixels[at : at + width] for at in range(0, width * height, width)]
    middle = [min(row) >= _BAR for row in rows[_MIDDLE]]
    return any(middle) and not all(middle)


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
    middle = Image.new("L", picture.size, strongest // 2 - 1)
    box = ImageChops.subtract(ink, middle).getbbox()
    if not box:
        return None
    if box[3] - box[1] < _FEWEST_PIXELS:
        return SPECK
    shape = ink.crop(box).resize(_SIZE, Image.Resampling.BOX)
    if strongest < 255:
        shape = shape.point([min(255, shade * 255 // strongest) for shade in range(256)])
    bits = int.from_bytes(shape.convert("1", dither=Image.Dither.NONE).tobytes(), "big")
    return Shape(shape.tobytes(), (box[2] - box[0]) / (box[3] - box[1]), bits)


def straighten(picture: Image.Image, skew: tuple[float, float]) -> Image.Image:
    """Return the picture of a glyph as it is in its font, without the skew of its matrix.

    `skew` is the slant, in parts of its height, and how much it is widened. A glyph as in a mirror
    stays so.
    """
    slant, stretch = skew[0], abs(skew[1])
    width, height = picture.width - round(abs(slant) * picture.height), picture.height
    if abs(slant) >= _SLANTED and width > 0:
        place = (1, -slant, max(0.0, slant * height), 0, 1, 0)
        size = (width, height)
        picture = picture.transform(size, Image.Transform.AFFINE, place, fillcolor=255)
    if abs(stretch - 1) >= _SLANTED and _MOST_STRETCHED > stretch > 1 / _MOST_STRETCHED:
        picture = picture.resize((max(1, round(picture.width / stretch)), height))
    return picture


class OtherCharacter(NamedTuple):
    """The character that a glyph looks like instead of its own."""

    char: str
    """`UNKNOWN` for a shape that is like none."""
    weight: float = 1.0
    """How much this says of the font: at 1 and more, enough by itself."""


def plain_form(char: str) -> str:
    """Return the character whose shape a raised, lowered, wide or styled one has."""
    style, _, code = unicodedata.decomposition(char[:1]).partition(" ")
    return chr(int(code, 16)) if style in _STYLES and " " not in code else char


def decides(char: str) -> bool:
    """Return True for digits, and for signs that change the value of a number."""
    return char.isdigit() or (char != "" and char in SIGNS)


def find_other_character(shape: Shape, char: str) -> OtherCharacter | None:
    """Return the character that a glyph looks like instead of `char`; None if it may be that."""
    char = plain_form(char)
    is_decisive = decides(char)
    if shape is SPECK:
        return OtherCharacter(UNKNOWN) if is_decisive and char not in _LOW else None
    if char not in CHECKED:
        return _find_resemblance(shape, char)
    if other := _find_other_fraction(shape, char):
        return OtherCharacter(other)
    own = _nearest(shape, char)
    if own < (_NEAR_DIGIT if char.isdigit() else _NEAR):
        return None
    if shape.is_solid and not _look_alike(char, "l"):
        return OtherCharacter(UNKNOWN, 1.0 if is_decisive else _HALF)
    distance, best = _nearest_other(shape, char)
    if is_decisive:
        return _judge_decisive(shape, char, own, distance, best)
    return _judge_letter(char, own, distance, best)


def _judge_letter(char: str, own: float, distance: float, best: str) -> OtherCharacter | None:
    """The letter that one of a distance `own` is, by its distance to the `best` other."""
    if distance >= _NEARER_LETTER * own:
        return None
    is_clear = distance < _LETTER_NEAR and (own > _UNLIKE or best == char.swapcase())
    weight = 1.0 if is_clear else math.log(own / max(distance, _LEAST)) / _ENOUGH
    return OtherCharacter(best, weight)


def _judge_decisive(
    shape: Shape, char: str, own: float, distance: float, best: str
) -> OtherCharacter | None:
    """The digit or sign that one of a distance `own` is, by its distance to the `best` other."""
    if distance < (_NEARER_DIGIT if best.isdigit() else _NEARER) * own:
        return OtherCharacter(best)
    is_other = own > (_FAR if char.isdigit() else _FAR_SIGN)
    if not is_other and own > _UNLIKE:  # in a mirror, upside down, or both
        picture = shape.picture
        pictures = ImageOps.mirror(picture), ImageOps.flip(picture), picture.rotate(180)
        turned = (Shape(each.tobytes(), shape.ratio, 0) for each in pictures)
        is_other = min(_nearest(each, char) for each in turned) < _TURNED * own
    return OtherCharacter(UNKNOWN) if is_other else None


def _find_other_fraction(shape: Shape, char: str) -> str:
    """The fraction of which one digit looks more like that of a shape; fractions are much alike."""
    for place, digit in enumerate(_FRACTIONS.get(char, "")):
        crop = partial(_crop, corner=_CORNERS[place])
        distances = {
            fraction: min(_distances(crop(shape), [*map(crop, draw_reference_shapes()[fraction])]))
            for fraction in _FRACTIONS
        }
        own = min(distances[one] for one, digits in _FRACTIONS.items() if digits[place] == digit)
        nearest = min(distances, key=distances.__getitem__)
        if distances[nearest] < _NEARER_CORNER * own:
            return nearest
    return ""


def _crop(shape: Shape, corner: tuple[int, int, int, int]) -> Shape:
    """A part of a shape, as large as a shape."""
    return Shape(shape.picture.crop(corner).resize(_SIZE).tobytes(), shape.ratio, 0)


def _find_resemblance(shape: Shape, char: str) -> OtherCharacter | None:
    """The character that a glyph clearly looks like, though it should not look like any.

    Blanks, points and dashes look like none, and digits of another script like none but those of
    the same value.
    """
    distance, best = _nearest_other(shape, char)
    if char.isdigit():
        is_other = distance < _NEAR_SIGN and best.isdigit() and char + best not in _SAME_LOOK
        is_other = is_other and int(best) != unicodedata.digit(char)
        return OtherCharacter(best) if is_other else None
    if char.isspace():
        return OtherCharacter(best if distance < _FAR else UNKNOWN)
    is_other = distance < _FAR and not shape.is_solid
    return OtherCharacter(best if distance < _NEAR_SIGN else UNKNOWN) if is_other else None


def looks_like(shape: Shape, char: str) -> bool:
    """Return True if no other character has a shape that is nearer."""
    return shape is not SPECK and _nearest(shape, char) <= _nearest_other(shape, char)[0]


def _nearest(shape: Shape, char: str) -> float:
    return min(_distances(shape, draw_reference_shapes()[char]))


def _nearest_other(shape: Shape, char: str) -> tuple[float, str]:
    """The distance to the nearest character that looks otherwise, and that character."""
    others = _other_shapes(char)
    differences = [(shape.bits ^ known.bits).bit_count() for known, _ in others]
    best = sorted(range(len(others)), key=differences.__getitem__)[:_CANDIDATES]
    shapes, chars = zip(*map(others.__getitem__, best), strict=True)
    return min(zip(_distances(shape, shapes), chars, strict=True))


@cache
def _other_shapes(char: str) -> list[tuple[Shape, str]]:
    """The shapes of all characters that look otherwise; signs are others of signs alone."""
    return [
        (known, other)
        for other, shapes in draw_reference_shapes().items()
        if not _look_alike(char, other)
        and (other not in SIGNS or char in SIGNS or not char.isalnum())
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
def draw_reference_shapes() -> dict[str, list[Shape]]:
    """Draw letters, digits and signs in the standard fonts."""
    cells = [(font, ord(char), char) for font in _FONTS for char in _LETTERS + SIGNS]
    cells = [cell for cell in cells if cell[2] not in _SYMBOLS]
    cells += [("Symbol", code, char) for char, code in _SYMBOLS.items()]
    pdf = pypdfium2.PdfDocument.new()
    page = pdf.new_page(_CELL * _COLUMNS, _CELL * (len(cells) // _COLUMNS + 1))
    places = [divmod(index, _COLUMNS) for index in range(len(cells))]
    for (name, code, _), (row, column) in zip(cells, places, strict=True):
        font = pdfium.FPDFText_LoadStandardFont(pdf, name.encode())
        text = pdfium.FPDFPageObj_CreateTextObj(pdf, font, _PRINT_SIZE)
        if name == "Symbol":
            pdfium.FPDFText_SetCharcodes(text, (ctypes.c_uint32 * 1)(code), 1)
        else:
            pdfium.FPDFText_SetText(text, (ctypes.c_ushort * 2)(code, 0))
        pdfium.FPDFPageObj_Transform(text, 1, 0, 0, 1, column * _CELL + 8, row * _CELL + 10)
        pdfium.FPDFPage_InsertObject(page, text)
    picture = page.render(scale=1, grayscale=True).to_pil().convert("L")
    shapes: dict[str, list[Shape]] = {char: [] for char in sorted(CHECKED)}
    for (name, _, char), (row, column) in zip(cells, places, strict=True):
        left, top = column * _CELL, picture.height - (row + 1) * _CELL
        cell = picture.crop((left, top, left + _CELL, top + _CELL))
        drawn = [cell, cell.filter(ImageFilter.MinFilter(3))] if name == "Symbol" else [cell]
        shapes[char] += filter(None, map(read_shape, drawn))  # Symbol is not bold: made so
    pdf.close()
    return shapes
