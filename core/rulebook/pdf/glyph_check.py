"""The glyphs of a document's fonts, looked at where they are first printed.

A font may have empty glyphs, glyphs that look like other characters than it says, a word for one
glyph, ink in its blanks, or a line through its letters. A font that says "9" for a glyph that looks
like a 6 has no other explanation than a fault or a fraud.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain, pairwise
from operator import attrgetter
from statistics import median

from core.rulebook.pdf.glyph_shapes import (
    CHECKED,
    INKED,
    SPECK,
    UNKNOWN,
    OtherCharacter,
    Shape,
    find_other_character,
    has_bar,
    looks_like,
    plain_form,
    read_shape,
    straighten,
)
from core.rulebook.pdf.glyphs import RawGlyphRun
from core.rulebook.pdf.page_content import Flaw, GlyphRun
from core.rulebook.pdf.page_pictures import CLOSE, PagePictures
from core.rulebook.pdf.visibility import PagePrint, PrintedRun
from core.rulebook.types import Box

_Outline = tuple[int, int, int]
"""The width, the height and the lower edge of a glyph in parts of an em."""
_Glyph = tuple[str, _Outline]
"""A font may have several glyphs for a character: their outlines tell them apart."""
_Look = tuple[bool, float]
"""Whether a glyph is looked at alone, and how much closer than usual."""
_WORD = re.compile(r"\S+")
_BLANKS = re.compile("[\\s\u200b-\u200f\u2060-\u2064\ufeff]+")
_ODD_BLANKS = re.compile(r"[^\S ]|[\u200b-\u200f\u2060-\u2064\ufeff]|  |\d \d|^ +$")
_DIGIT = re.compile(r"\d")
_WITNESSES = 3  # places of a glyph on its first page: all have to agree that it is another
_SMALL_PRINT = 9.0  # points: their digits have the 18 pixels of a shape at `CLOSE` pixels a point
_SMALLEST_SIZE, _SMALLEST = 3.0, 1.5  # points of print and of a glyph whose shape can be told
_POINTS, _DASHES = frozenset(".,"), frozenset("-\u2010\u2011\u2012\u2013\u2014\u2212")
_QUOTES = frozenset("'\"`^~\u00b0\u00b4\u00b7\u2018\u2019\u201c\u201d\u2032\u2033")
_SMALL = _POINTS | _DASHES | _QUOTES
_BETWEEN_DIGITS = re.compile(r"(?<=\d).(?=\d)")
"""Where it matters which of two points is printed."""
_TAIL = 0.07  # ems below the baseline: in 343 fonts of rulebooks full stops end above, at 0.03 and
# less, and commas below, at 0.12 and more
_HIGHEST_POINT, _HIGHEST_DASH = 0.45, 0.25
"""Ems: a higher box is that of all glyphs of a font, or no point. Points and quotes of the standard
fonts have up to 0.42, dashes up to 0.13."""
_HIGHEST = dict.fromkeys(_QUOTES, _HIGHEST_POINT) | dict.fromkeys(_DASHES, _HIGHEST_DASH)
_TALL = 1.1  # ems: what is higher is a bracket around several lines
_SIDE = 0.2  # of the box of a blank, where its neighbours may reach
_REACH = 150.0  # points below print, where the baseline of a large word behind it may be
_LEGIBLE = 4.0  # points of print
_DIGITS = frozenset("0123456789")
_RAISED, _HIGHEST_RAISED = 0.2, 0.55
"""Ems: the lower edge and the height of a raised digit. The standard fonts have those from 0.22 up
and up to 0.44 high, other digits from 0 and at least 0.60 high."""
_UNIT = 125  # parts of an em that outlines are told apart by
_OPEN = frozenset("chnouvwmdbpq0")
"""Letters with room for a line in their middle."""
_TWINS = frozenset("cmosuvwxzCMOSUVWXZ")
"""Letters whose two cases differ most in height."""
_LOW, _HIGH = frozenset("acemnorsuvwxz"), frozenset("ABCDEFGHIKLMNOPRSTUVWXYZbdfhkl")
"""Letters as high as an x, and as a capital."""
_SLOPE = 0.02  # of its length: letters of a steeper line are higher in their boxes
_FEWEST_HEIGHTS = 3  # of each in a font; with fewer, those of all fonts count
_CAPITALS = 1.2
"""Times as high as an x: small capitals are lower, capitals of the standard fonts 1.28 to 1.48."""
_FEWEST_BARRED = 3  # of these, so that a font is one of struck letters
_LETTER_WIDTH, _MOST_JOINED = 0.35, 3
"""Ems of a letter in a ligature, and letters of one: a glyph that stands for a word is narrower,
or a word of four letters and more."""
_JOINED = frozenset(
    "ff fi fl ffi ffl ft fft fj ffj fb ffb fh ffh fk ffk tt ti tti st ct ch ck sp Th Qu IJ"
    " ij".split()
)
"""Letters that fonts print with one glyph, beside those of Unicode, and those of other scripts."""


@dataclass(slots=True, eq=False)
class _Font:
    """What is known of the glyphs of one font."""

    known: set[_Glyph] = field(default_factory=set)
    hollow: set[str] = field(default_factory=set)
    lies: dict[_Glyph, OtherCharacter] = field(default_factory=dict)
    """The characters that glyphs look like instead of their own."""
    blanks: set[str] = field(default_factory=set)
    """Those that were looked at."""
    words: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)
    """Letters that one glyph stands for, and that are no ligature."""
    bars: dict[str, bool] = field(default_factory=dict)
    """Whether a line runs through a letter that is open."""
    twins: dict[_Glyph, Shape] = field(default_factory=dict)
    """The shapes of letters that are high in one case, and in level lines."""

    @property
    def is_barred(self) -> bool:
        """True for a font of letters that are struck through."""
        return len(self.bars) >= _FEWEST_BARRED and all(self.bars.values())


_Places = dict[tuple[_Font, _Glyph], list[tuple[Box, tuple[float, float]]]]
"""The boxes of glyphs and the skew of their print."""


class GlyphCheck:
    """What is known of the glyphs of a document, by font and character."""

    def __init__(self) -> None:
        self._fonts: dict[int, _Font] = defaultdict(_Font)

    def show_inked_blanks(
        self, raw: Iterable[RawGlyphRun], replaced: Container[int], page: PagePrint
    ) -> None:
        """Put the sign `INKED` in place of blanks with ink like a letter, in a line of text.

        `replaced` are the addresses of text objects whose blanks are not those of their fonts.
        """
        runs = page.content.runs
        for run, each in zip(runs, raw, strict=True):
            if each.address in replaced:
                continue
            known = self._fonts[each.font].blanks
            for place in _blank_places(run.chars, known):
                known.add(run.chars[place])
                left, top, right, bottom = page.places.inks(each, place, place + 1)[0]
                size = (bottom - top) / max(run.style.size, _LEGIBLE)
                if right - left > 1 and _HIGHEST_POINT < size < _TALL and _has_neighbour(run, runs):
                    side = _SIDE * (right - left)
                    inner = (left + side, top, right - side, bottom)
                    if any(map(read_shape, page.pictures.close_crops([inner], alone=True))):
                        run.chars[place] = INKED

    def learn(self, runs: Sequence[PrintedRun], page: PagePrint) -> list[PrintedRun]:
        """Look at glyphs of `runs` that are new; return runs with glyphs that may be empty.

        Print that touches other print is not looked at.
        """
        places: dict[_Look, _Places] = defaultdict(lambda: defaultdict(list))
        for printed in runs:
            font = self._fonts[printed.raw.font]
            new = list(_new_glyphs(printed, font))
            if new and _touches_print(printed, page):
                continue
            for glyph, box in new:
                if _judge_height(printed, glyph, box, font):
                    font.known.add(glyph)
                    continue
                if glyph[0] in _TWINS and min(map(abs, printed.raw.direction)) < _SLOPE:
                    font.twins[glyph] = SPECK
                look = (not printed.is_light, 1.0 if printed.size > _SMALL_PRINT else 2.0)
                found = places[look][font, glyph]
                if len(found) < _WITNESSES:
                    found.append((box, printed.raw.skew))
        for look, chosen in places.items():
            _look_at(chosen, page.pictures, *look)
        for font in {font for chosen in places.values() for font, _ in chosen}:
            self._judge_cases(font)
        fonts = self._fonts
        return [p for p in runs if not fonts[p.raw.font].hollow.isdisjoint(p.run.chars)]

    def _judge_cases(self, font: _Font) -> None:
        """Note letters of a font that are as high as those of the other case.

        Not where letters that have no twin are so too: a font may draw all letters as capitals,
        or capitals as small ones.
        """
        of_all_fonts = chain.from_iterable(map(attrgetter("known"), self._fonts.values()))
        for known in (font.known, list(of_all_fonts)):
            low = [height for char, (_, height, _) in known if char in _LOW]
            high = [height for char, (_, height, _) in known if char in _HIGH]
            if min(len(low), len(high)) >= _FEWEST_HEIGHTS:
                break
        else:
            return
        lower, upper = median(low), median(high)
        middle = (lower + upper) / 2
        mixed = {
            char.isupper()
            for char, (_, height, _) in font.known
            if (char in _LOW or (char.isupper() and char in _HIGH)) and char not in _TWINS
            if char.isupper() != (height > middle)
        }
        for glyph, shape in font.twins.items() if upper >= _CAPITALS * lower else ():
            char, (_, height, _) = glyph
            if char.isupper() == (height > middle) or char.isupper() in mixed:
                continue
            if any(looks_like(shape, each) for each in (char, char.swapcase())):
                font.lies[glyph] = OtherCharacter(char.swapcase())

    def mark_lies(self, runs: Iterable[PrintedRun]) -> None:
        """Add flaws to words with glyphs that look like other characters, or are struck."""
        for printed in runs:
            font = self._fonts[printed.raw.font]
            if printed.run.flaws:
                continue
            if font.is_barred:
                printed.doubt_whole("deleted")
            elif font.lies or font.joined or INKED in printed.text:
                joined = {text for text in font.joined if text in printed.text}
                shown = _read_shown(printed, font.lies)
                if joined or shown != printed.run.chars:
                    flaws = _lying_words(printed, shown, joined)
                    printed.run.add_flaws(list(flaws), printed.edges)


def _look_at(places: _Places, pictures: PagePictures, alone: bool, closer: float) -> None:
    """Judge glyphs by their shapes: light print as it is seen, other print alone."""
    crops_of = partial(pictures.close_crops, alone=alone, closer=closer)
    firsts = crops_of([first for (first, _), *_ in places.values()])
    for (font, glyph), found in places.items():
        boxes, skews = zip(*found, strict=True)
        crops = chain([next(firsts)], crops_of(boxes[1:]))  # drawn if they are needed
        shapes = filter(None, map(read_shape, map(straighten, crops, skews)))
        _judge(font, glyph, shapes, enlarged=pictures.close_scale == CLOSE)


def _judge(font: _Font, glyph: _Glyph, shapes: Iterator[Shape], *, enlarged: bool) -> None:
    """Note what the shapes of a glyph say; specks say nothing if they are not enlarged."""
    font.known.add(glyph)
    char, _ = glyph
    first = next(shapes, None)
    if first is None or (first is SPECK and not enlarged):
        font.hollow.add(char)
        return
    if glyph in font.twins:
        font.twins[glyph] = first
    if char in _OPEN:
        font.bars[char] = has_bar(first)
    if plain_form(char) not in CHECKED and char.isalnum() and not char.isdigit():
        return
    other = find_other_character(first, char)
    others = (find_other_character(each, char) for each in shapes)
    if other and (not char.isalnum() or all(e and e.char == other.char for e in others)):
        font.lies[glyph] = other


def _judge_height(printed: PrintedRun, glyph: _Glyph, box: Box, font: _Font) -> bool:
    """Judge a glyph by its box alone; false if its shape has to be looked at."""
    (char, _), (left, top, right, bottom) = glyph, box
    height, drop = (bottom - top) / printed.size, (bottom - printed.baseline) / printed.size
    shown = char
    if char in _POINTS and height < _HIGHEST_POINT:
        shown = "," if drop > _TAIL else "."
    elif plain_form(char) != char and char.isdigit() and height > _HIGHEST_RAISED:
        shown = plain_form(char)
    elif char in _DIGITS and -drop > _RAISED:
        shown = UNKNOWN
    else:
        is_tiny = printed.size < _SMALLEST_SIZE and bottom - top < _SMALLEST
        return is_tiny or height < _HIGHEST.get(char, 0.0)
    if shown != char and left < right:
        font.lies[glyph] = OtherCharacter(shown)
    return True


def _new_glyphs(printed: PrintedRun, font: _Font) -> Iterator[tuple[_Glyph, Box]]:
    """Yield glyphs of new words and numbers; note letters that lie in one place."""
    if font.words.issuperset(printed.text.split()):
        return
    for word in _WORD.finditer(printed.spelled):
        if word[0] in font.words:
            continue
        font.words.add(word[0])
        boxes = printed.places.inks(printed.raw, *word.span())
        joined = {box for box, following in pairwise(boxes) if box == following}
        for box in joined:
            letters = (char for char, own in zip(word[0], boxes, strict=True) if own == box)
            chars = "".join(letters)
            if not _may_be_one_glyph(chars, (box[2] - box[0]) / printed.size):
                font.joined.add(chars)
        for char, box in zip(word[0], boxes, strict=True):
            glyph = (char, _outline(printed, box))
            is_judged = char.isalnum() or char in CHECKED or char in _SMALL
            if is_judged and box not in joined and glyph not in font.known:
                yield glyph, box


def _may_be_one_glyph(chars: str, width: float) -> bool:
    """True for ligatures, and what is as wide in ems; and letters of other scripts than Latin."""
    is_latin = chars.isascii() and any(map(str.isalnum, chars))
    is_wide = len(chars) <= _MOST_JOINED and width >= _LETTER_WIDTH * len(chars)
    return (
        not is_latin
        or chars in _JOINED
        or chars in _composed_signs()
        or (is_wide and chars.isalpha())
    )


def _read_shown(printed: PrintedRun, lies: Mapping[_Glyph, OtherCharacter]) -> list[str]:
    """The characters that the glyphs of a run look like."""
    chars = printed.run.chars
    weights = {char: other.weight for (char, _), other in lies.items() if char.isalpha()}
    counts = sum(weights.values()) >= 1  # one letter alone may be of an unusual shape
    lying = {char for char, _ in lies if counts or not char.isalpha()}
    if lying.isdisjoint(chars) and INKED not in chars:
        return chars
    shown = []
    for char, box in zip(chars, printed.places.inks(printed.raw), strict=True):
        other = lies.get((char, _outline(printed, box))) if char in lying else None
        shown.append(UNKNOWN if char == INKED else other.char if other else char)
    return shown


def _touches_print(printed: PrintedRun, page: PagePrint) -> bool:
    """True if letters of other print lie on it: a shadow, or a large word behind it."""
    left, _, right, _ = printed.box
    top, bottom = printed.baseline - _RAISED * printed.size, printed.baseline
    return any(
        other is not printed
        and other.box[0] < right - 1
        and other.box[2] > left + 1
        and other.baseline - _HIGHEST_POINT * other.size < bottom
        for other in page.runs_between(top, bottom + _REACH)
    )


def _outline(printed: PrintedRun, box: Box) -> _Outline:
    left, top, right, bottom = box
    ems = _UNIT / printed.size
    below = bottom - printed.baseline
    return round((right - left) * ems), round((bottom - top) * ems), round(below * ems)


def _lying_words(printed: PrintedRun, shown: Sequence[str], joined: set[str]) -> Iterator[Flaw]:
    """Words with another look; a single letter may be a bullet of an ornamental font."""
    text, (lefts, rights) = printed.spelled, printed.edges
    for word in _WORD.finditer(text):
        start, end = word.span()
        between = {found.start() for found in _BETWEEN_DIGITS.finditer(word[0])}
        look = "".join(
            other
            if (place in between or not {char, other} <= _POINTS)
            and not _may_be_ligature(word[0], place)
            else char
            for place, (char, other) in enumerate(zip(word[0], shown[start:end], strict=True))
        )
        for letters in joined:
            first = text.find(letters, start, end)
            if first >= 0 and len({*lefts[first : first + len(letters)]}) == 1:
                look = look.replace(letters, UNKNOWN)
        is_bullet = len(word[0]) == 1 and word[0].isalpha() and look != word[0].swapcase()
        if look != word[0] and not is_bullet:
            yield Flaw(min(lefts[start:end]), max(rights[start:end]), "differs", look)


def _may_be_ligature(word: str, place: int) -> bool:
    """True for a sign in a word or at its end, as fonts have that do not name their ligatures."""
    sign, before, after = word[place], word[place - 1 : place], word[place + 1 : place + 2]
    is_sign = not sign.isalnum() and sign != INKED
    return is_sign and before.isalpha() and (not after or after.isalpha())


def _has_neighbour(run: GlyphRun, runs: Iterable[GlyphRun]) -> bool:
    """True if there are words in it, or beside it on its line."""
    if any(map(str.isalnum, run.chars)):
        return True
    size, left, right = run.style.size, min(run.lefts) - run.style.size, max(run.rights)
    return any(
        abs(other.baseline - run.baseline) < _HIGHEST_DASH * size
        and max(other.rights) > left
        and min(other.lefts) < right + size
        and any(map(str.isalnum, other.chars))
        for other in runs
    )


def _blank_places(chars: Sequence[str], known: set[str]) -> Iterator[int]:
    """The blanks of a run to look at: new ones, several in a row, those beside digits."""
    text = "".join(chars)
    if " " in known and not _ODD_BLANKS.search(text):
        return
    text = "".join(char[:1] or "_" for char in chars)
    for found in _BLANKS.finditer(text):
        start, end = found.span()
        around = text[max(0, start - 1) : start] + text[end : end + 1]
        is_whole = end - start == len(text)
        if end - start > 1 or is_whole or not known.issuperset(found[0]) or _DIGIT.search(around):
            yield from range(start, end)


@cache
def _composed_signs() -> frozenset[str]:
    """What Unicode has one character for: "ffi", "1/2", "kg", but no number of several digits."""
    parts = {unicodedata.normalize("NFKC", chr(code)) for code in range(0xA0, 0xFFFF)}
    spelled = {part.replace("\u2044", "/") for part in parts if len(part) > 1}
    return frozenset(part for part in spelled if not part.isdigit())
