"""The glyphs of a document's fonts, looked at where they are first printed.

A font may have empty glyphs, or glyphs that look like other characters than it says.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.rulebook.pdf.glyph_shapes import (
    CHECKED,
    SPECK,
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

GlyphBox = Callable[[int, int], Box]
"""The box around the ink of a glyph, by the index of its run and its own."""


@dataclass(slots=True)
class GlyphCheck:
    """What is known of the glyphs of a document, by font and character."""

    _known: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    _hollow: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    _lies: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """The characters that glyphs look like instead of their own."""

    def learn(
        self, runs: Iterable[PrintedRun], pictures: PagePictures, box_of: GlyphBox
    ) -> list[PrintedRun]:
        """Look at glyphs that are new; return runs with glyphs that may be empty."""
        runs = list(runs)
        places: dict[tuple[int, str], list[Box]] = {}
        for printed in runs:
            for index, char in self._new_glyphs(printed):
                found = places.setdefault((printed.font, char), [])
                if len(found) < _WITNESSES:
                    found.append(box_of(printed.index, index))
        boxes = [box for found in places.values() for box in found]
        crops = pictures.close_crops(boxes) if boxes else iter(())
        for (font, char), found in places.items():
            shapes = filter(None, map(read_shape, [next(crops) for _ in found]))
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
            if other and all(find_other_character(each, char) == other for each in shapes):
                self._lies[font][char] = other

    def mark_lies(self, runs: Iterable[PrintedRun], edges_of: GlyphEdges) -> None:
        """Add flaws to words with glyphs that look like other characters."""
        for printed in runs:
            lies = self._lies.get(printed.font, {})
            letters = sum(map(str.isalpha, lies))  # one alone may be of an unusual shape
            lies = {char: lies[char] for char in lies if letters > 1 or not char.isalpha()}
            if lies and not printed.run.flaws and not lies.keys().isdisjoint(printed.run.chars):
                edges = edges_of(printed.index)
                printed.run.add_flaws(list(_lying_words(printed.run.chars, lies, *edges)), edges)

    def _new_glyphs(self, printed: PrintedRun) -> Iterator[tuple[int, str]]:
        known = self._known[printed.font]
        if printed.size < _SMALLEST or known.issuperset(printed.run.chars):
            return
        for index, char in enumerate(printed.run.chars):
            if char not in known and (char.isalnum() or char in CHECKED):
                yield index, char
        known.update(char for char in printed.run.chars if not char.isalnum())


def _lying_words(
    chars: Sequence[str], lies: dict[str, str], lefts: Sequence[float], rights: Sequence[float]
) -> Iterator[Flaw]:
    """Words with another look; a single letter may be a bullet of an ornamental font."""
    text = "".join(char if len(char) == 1 else " " for char in chars)
    for word in _WORD.finditer(text):
        shown = "".join(lies.get(char, char) for char in word[0])
        if shown != word[0] and (len(word[0]) > 1 or not word[0].isalpha()):
            start, end = word.span()
            yield Flaw(min(lefts[start:end]), max(rights[start:end]), "differs", shown)
