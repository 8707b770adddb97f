"""The glyphs of a document's fonts, looked at where they are first printed.

A font may have empty glyphs, or glyphs that look like other characters than it says.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from core.rulebook.pdf.glyph_shapes import (
    CHECKED,
    SPECK,
    OtherCharacter,
    Shape,
    find_other_character,
    read_shape,
)
from core.rulebook.pdf.page_content import Flaw
from core.rulebook.pdf.page_pictures import CLOSE, PagePictures
from core.rulebook.pdf.visibility import GlyphEdges, PrintedRun
from core.rulebook.types import Box

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
