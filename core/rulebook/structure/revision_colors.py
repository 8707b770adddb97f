"""Find out what the colours of a document's text mean: an insertion, or a note that does not bind.

A printed legend decides if there is one. Otherwise colours of words within body text are
insertions; the colours of headings, numbers, links and page design are not.
"""

import colorsys
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.grammar import find_citations
from core.rulebook.layout.blocks import Line, Page, Span, blocks_of, iter_lines
from core.rulebook.layout.text import line_text
from core.rulebook.pdf.page_content import color_distance, rgb_channels
from core.rulebook.types import Box

ColorMeaning: TypeAlias = Literal["plain", "inserted", "deleted", "hidden", "differs", "note"]

_LEGEND = re.compile(
    r"^\[?((?:[A-Z][a-z]+[\s/-]){0,2}[A-Z]?[a-z]+)(?:\s+\(?[Hh]ighlighted.*?)?\s+[Tt]ext\]?\s*:\s*(.*)",
    re.DOTALL,
)
_NOTES = re.compile(
    r"non-?\s?binding|not binding|non-?\s?regulatory|comment|explanat|guidance", re.IGNORECASE
)
_CHANGES = re.compile(r"chang|amend|modif|new\b|insert|add(?:ed|ition)", re.IGNORECASE)
_UNCHANGED = ("unchanged", "as approved", "information", "reference")
_FUTURE = ("subsequent years", "future")
_LINK = re.compile(r"https?://|www\.|@|^[A-Z]{1,3}\.\d")
_LEGEND_PAGES = 3
_TOLERANCE = 40  # of 255 a channel: one colour, printed twice


@dataclass(frozen=True, slots=True)
class ColorPalette:
    """The meaning of each colour that has one; all others are plain."""

    meanings: dict[int, ColorMeaning] = field(default_factory=dict)

    @property
    def has_notes(self) -> bool:
        return "note" in self.meanings.values()

    def span_meaning(self, span: Span) -> ColorMeaning:
        """The state of a span, or else the meaning of its colour."""
        if span.state != "live":
            return span.state
        if span.change:
            return "inserted"
        return self.meanings.get(span.style.color, "plain")


def build_palette(
    legend: Iterable[Line], lines: Sequence[Line], pages: Mapping[int, Page]
) -> ColorPalette:
    """The meanings of colours by the legend, else by their use."""
    labels = {color: _legend_meaning(words) for color, words in _legend_entries(legend)}
    if not labels:
        return ColorPalette(dict.fromkeys(_insertion_colors(lines, pages), "inserted"))
    colors = {span.style.color for line in lines for span in line.spans}
    return ColorPalette(
        {
            color: meaning
            for color in colors
            for label, meaning in labels.items()
            if meaning != "plain" and color_distance(color, label) <= _TOLERANCE
        }
    )


def take_legend(pages: Sequence[Page]) -> list[Line]:
    """Remove the lines of the legend from pages in place, but for those in tables; return all."""
    found: list[Line] = []
    for line in iter_lines(blocks_of(pages)):
        if line.page > _LEGEND_PAGES and not found:
            break
        continues = (
            found
            and line.page == found[-1].page
            and 0 < line.baseline - found[-1].baseline < 1.6 * line.size
        )
        if continues or _LEGEND.match(line_text(line)):
            found.append(line)
    for page in pages:
        page.blocks = [b for b in page.blocks if not (isinstance(b, Line) and b in found)]
    return found


def describe_changes(lines: Iterable[Line]) -> str:
    """The legend's own words on the changes of this edition, "" if it has none."""
    entries = [words for _, words in _legend_entries(lines) if not _says(words, _FUTURE)]
    return "; ".join(words.strip() for words in entries if _legend_meaning(words) == "inserted")


def _legend_entries(legend: Iterable[Line]) -> list[tuple[int, str]]:
    """The colour of each label of the legend, read from the page, and the words after the label."""
    entries: list[tuple[int, str]] = []
    for line in legend:
        text = line_text(line)
        if found := _LEGEND.match(text):
            entries.append((line.spans[0].style.color, found[2]))
        elif entries:
            color, words = entries[-1]
            entries[-1] = color, f"{words} {text}"
    return [entry for entry in entries if entry[0] != 0]


def _legend_meaning(words: str) -> ColorMeaning:
    if _NOTES.search(words):
        return "note"
    return "inserted" if _CHANGES.search(words) and not _says(words, _UNCHANGED) else "plain"


def _insertion_colors(lines: Sequence[Line], pages: Mapping[int, Page]) -> list[int]:
    """Colours of words within body text, except those of links and cross-references."""
    uses: dict[int, list[tuple[Line, Span]]] = defaultdict(list)
    for line in lines:
        for span in line.spans:
            uses[span.style.color].append((line, span))
    lengths = {color: sum(len(span.text) for _, span in found) for color, found in uses.items()}
    most = 0.4 * sum(lengths.values())
    return [
        color
        for color, found in uses.items()
        if _is_chromatic(color) and lengths[color] <= most and _marks_insertions(found, pages)
    ]


def _marks_insertions(uses: Sequence[tuple[Line, Span]], pages: Mapping[int, Page]) -> bool:
    """True if the uses of a colour include deleted words, or are mostly neither links nor bold."""
    if any(span.state == "deleted" for _, span in uses):
        return True
    live = [(line, span) for line, span in uses if span.state == "live"]
    linked = sum(_is_link(line, span, pages[line.page].links) for line, span in live)
    bold = sum(span.style.bold for _, span in live)
    mostly_text = linked < 0.6 * len(live) and bold <= 0.7 * len(live)
    return mostly_text and any(_is_within_body(line, span) for line, span in live)


def _is_link(line: Line, span: Span, boxes: Sequence[Box]) -> bool:
    """True for an address, the number of a clause or a sign, and for text that can be clicked."""
    if _LINK.search(span.text) or find_citations(span.text) or not any(map(str.isalnum, span.text)):
        return True
    x, y = (span.left + span.right) / 2, line.baseline - 0.3 * line.size
    return any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in boxes)


def _is_within_body(line: Line, span: Span) -> bool:
    """True if words in black are on the same line as the words of a coloured span."""
    return any(map(str.isalnum, span.text)) and any(
        other.state == "live"
        and not _is_chromatic(other.style.color)
        and re.search(r"[^\W\d]{2}", other.text)
        for other in line.spans
    )


def _says(words: str, phrases: Iterable[str]) -> bool:
    return any(phrase in words.casefold() for phrase in phrases)


def _is_chromatic(color: int) -> bool:
    channels = (channel / 255 for channel in rgb_channels(color))
    _, lightness, saturation = colorsys.rgb_to_hls(*channels)
    return saturation > 0.35 and 0.12 < lightness < 0.9
