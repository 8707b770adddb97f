"""Where the words of a quote stand on a page of a PDF. It reads no clauses: it looks for the words themselves.

It says nothing rather than a wrong place: a quote that is not there, or is there twice, has no boxes.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.errors import ReadError
from core.rulebook.layout.lines import build_text_rows
from core.rulebook.layout.text import normalize_characters
from core.rulebook.pdf.pages import PageContent, PdfFile
from core.rulebook.types import Box

_SHORTEST = 3  # letters and digits: what is shorter stands in too many places
_SURE = 20  # letters besides ligatures that make a mended quote sure
_LIGATURE = re.compile(r"f(?:f(i|l)?|[ilt])|t[tih]")
_LEAST_SHARED = 0.3  # of the lower of two glyphs: less, and they stand on different lines
_WIDEST_GAP = 2.0  # heights of a glyph: what is further apart is in another column or cell


@dataclass(frozen=True, slots=True)
class _Letters:
    """The letters and digits of a page that are in force, folded, in the order of the file.

    `boxes` holds the glyph of each as displayed; `breaks` the positions before which something in force is not;
    `begins` those that follow a space or a sign.
    """

    text: str = ""
    boxes: tuple[Box, ...] = ()
    breaks: frozenset[int] = frozenset()
    begins: frozenset[int] = frozenset()
    upright: bool = True


CharRange = tuple[int, int]
"""Positions in the text of some letters: the first, and the one after the last."""


def find_quote_boxes(
    data: bytes, page: int, quote: str, near: Sequence[Box] = ()
) -> tuple[Box, ...]:
    """The boxes of a quote's words on page `page` (from 1), one a line, in points from the top left as displayed.

    Letters and digits are compared, whatever their case, ligatures, hyphens, spaces and signs; words that are struck
    through or cannot be seen are passed over. `near` are the boxes of its clause on this page: only there are the
    words looked for, the first of them where the clause says them twice, and a quote may begin on the page before or
    go on to the next (the part on this page is told). Without `near` the whole quote must stand on the page, once.
    Empty where it does not. Raises ReadError for a PDF or a page that cannot be read.
    """
    words = [folded for word in quote.split() if (folded := _folded(word))]
    wanted = "".join(words)
    if len(wanted) < _SHORTEST:
        return ()
    letters = _letters(data, page)
    spans = _occurrences(wanted, letters.text) or _mended(wanted, letters.text)
    if not spans and near:
        spans = _part(words, data, page, letters)
    if near:
        spans = [span for span in spans if _is_near(letters.boxes[slice(*span)], near)]
        spans = [span for span in spans if span[0] in letters.begins][:1] or spans[:1]
    return tuple(_lines(letters, spans[0])) if len(spans) == 1 else ()


def _folded(text: str) -> str:
    """Letters and digits only, without case and accents; "²" is "2", "ﬁ" is "fi"."""
    whole = unicodedata.normalize("NFKD", normalize_characters(text)).casefold()
    return "".join(character for character in whole if character.isalnum())


def _occurrences(wanted: str, text: str) -> list[CharRange]:
    found: list[CharRange] = []
    start = text.find(wanted)
    while start >= 0:
        found.append((start, start + len(wanted)))
        start = text.find(wanted, start + 1)
    return found


def _mended(wanted: str, text: str) -> list[CharRange]:
    """Where a quote stands in a font that shows its ligatures and says other letters, or none, for them."""
    if len(_LIGATURE.sub("", wanted)) < _SURE or not _LIGATURE.search(wanted):
        return []
    pattern = _LIGATURE.sub(lambda found: f"(?:{found[0]}|.?{found[1] or ''}|.?)", wanted)
    return [found.span() for found in re.finditer(pattern, text)]


def _part(words: Sequence[str], data: bytes, page: int, letters: _Letters) -> list[CharRange]:
    """Where the words of a quote stand whose others are on the next page, or on the one before."""
    wanted, here = "".join(words), letters.text
    after = _letters(data, page + 1, _Letters()).text
    before = _letters(data, page - 1).text if page > 1 else ""
    if wanted in after or wanted in before:
        return []
    if cut := _cut(words, here, after):
        return _occurrences("".join(words[:cut]), here)[::-1]
    if cut := _cut(words, before, here):
        return _occurrences("".join(words[cut:]), here)
    return []


def _cut(words: Sequence[str], first: str, second: str) -> int:
    """After how many words a quote goes over from one page to the next; 0 where it does not."""
    begun = _longest(len(words), lambda number: "".join(words[:number]) in first)
    ended = _longest(len(words), lambda number: "".join(words[-number:]) in second)
    # Where both pages have a word, the first has it by chance: after its last line come a footer or a header.
    return len(words) - ended if begun and ended and begun + ended >= len(words) else 0


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    """The greatest number that fits, where all smaller ones do too; 0 where none does."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _is_near(boxes: Sequence[Box], near: Sequence[Box]) -> bool:
    """True where the first and the last glyph stand within the boxes of the clause."""
    return all(any(_holds(area, _middle(box)) for area in near) for box in (boxes[0], boxes[-1]))


def _lines(letters: _Letters, span: CharRange) -> Iterator[Box]:
    """One box a line, cut around what is not part of the quote."""
    start, end = span
    line = letters.boxes[start]
    for position in range(start + 1, end):
        box = letters.boxes[position]
        if position in letters.breaks or not _on_one_line(line, box, letters.upright):
            yield line
            line = box
        else:
            line = (
                min(line[0], box[0]),
                min(line[1], box[1]),
                max(line[2], box[2]),
                max(line[3], box[3]),
            )
    yield line


def _on_one_line(line: Box, box: Box, upright: bool) -> bool:
    along, across = (0, 1) if upright else (1, 0)
    shared = min(line[across + 2], box[across + 2]) - max(line[across], box[across])
    height = min(line[across + 2] - line[across], box[across + 2] - box[across])
    gap = max(box[along] - line[along + 2], line[along] - box[along + 2])
    return shared >= _LEAST_SHARED * height and gap <= _WIDEST_GAP * height


def _letters(data: bytes, page: int, missing: _Letters | None = None) -> _Letters:
    """The letters of a page; `missing` for a page behind the last. Raises ReadError."""
    with PdfFile(data) as document:
        if not 1 <= page <= len(document):
            if missing is not None:
                return missing
            raise ReadError(f"This PDF has no page {page}: it has {len(document)}.", code="damaged")
        sheet = document.read_page(page)
        return _in_force(document.iter_glyphs(page), sheet)


def _in_force(glyphs: Iterable[tuple[str, Box]], sheet: PageContent) -> _Letters:
    dead = list(_dead(sheet))
    text: list[str] = []
    boxes: list[Box] = []
    breaks: set[int] = set()
    begins: set[int] = {0}
    for character, box in glyphs:
        folded = _folded(character)
        if not folded:
            begins.add(len(boxes))
        if folded and any(_holds(area, _middle(box)) for area in dead):
            breaks.add(len(boxes))
            continue
        text.append(folded)
        boxes += [box] * len(folded)
    return _Letters(
        "".join(text), tuple(boxes), frozenset(breaks), frozenset(begins), sheet.turn % 2 == 0
    )


def _dead(sheet: PageContent) -> Iterator[Box]:
    """The areas of a page, as displayed, whose words are struck through or cannot be seen."""
    for piece in (piece for row in build_text_rows(sheet) for piece in row):
        top, bottom = piece.baseline - 0.7 * piece.size, piece.baseline + 0.1 * piece.size
        for span in piece.spans:
            if span.state != "live":
                yield sheet.to_display((span.left, top, span.right, bottom))


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _holds(area: Box, point: tuple[float, float]) -> bool:
    return area[0] <= point[0] <= area[2] and area[1] <= point[1] <= area[3]
