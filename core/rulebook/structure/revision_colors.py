"""What the colours of a document's text mean: plain print, an insertion, or a note that does not bind.

A printed legend rules where there is one. Without it, colours of runs within body text are insertions; those of
headings, numbers, links and page design are not.
"""

import colorsys
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.rulebook.layout.blocks import Line, Span
from core.rulebook.layout.text import line_text
from core.rulebook.pdf.page_content import rgb_channels
from core.rulebook.structure.numbering import find_citations
from core.rulebook.types import Box

ColorMeaning: TypeAlias = Literal["plain", "inserted", "deleted", "hidden", "note"]

_LEGEND = re.compile(
    r"^\[?((?:[A-Z][a-z]+[\s/-]){0,2}[A-Z]?[a-z]+)(?:\s+\(?[Hh]ighlighted.*?)?\s+[Tt]ext\]?\s*:\s*(.*)",
    re.DOTALL,
)
_NOTES = re.compile(
    r"non-?\s?binding|not binding|non-?\s?regulatory|comment|explanat|guidance", re.IGNORECASE
)
_CHANGES = re.compile(r"chang|amend|modif|new\b|insert|add(?:ed|ition)", re.IGNORECASE)
_UNCHANGED = re.compile(r"unchanged|as approved|information|reference", re.IGNORECASE)
_FUTURE = re.compile(r"subsequent years|future", re.IGNORECASE)
_LINK = re.compile(r"https?://|www\.|@|^[A-Z]{1,3}\.\d")
_LEGEND_PAGES = 3
_NEAR = 40  # of 255 a channel: one colour, printed twice


@dataclass(frozen=True, slots=True)
class ColorPalette:
    """The meaning of each colour that has one; all others are plain."""

    meanings: dict[int, ColorMeaning] = field(default_factory=dict)
    from_legend: bool = False

    @property
    def has_notes(self) -> bool:
        """True where some colour marks words that do not bind."""
        return "note" in self.meanings.values()

    def span_meaning(self, span: Span) -> ColorMeaning:
        """What a span says of itself: its state, else what its colour means."""
        if span.state != "live":
            return span.state
        return self.meanings.get(span.style.color, "plain")


def build_palette(lines: Iterable[Line], links: Mapping[int, Sequence[Box]]) -> ColorPalette:
    """The meanings of the colours in a document's lines (legend first, then use); `links` are boxes by page."""
    lines = list(lines)
    colors = {span.style.color for line in lines for span in line.spans}
    legend = _legend(lines)
    if legend:
        meanings: dict[int, ColorMeaning] = {
            color: meaning
            for color in colors
            for known, meaning in legend.items()
            if _alike(color, known) and meaning != "plain"
        }
        return ColorPalette(meanings, from_legend=True)
    return ColorPalette(dict.fromkeys(_used_for_insertions(lines, links), "inserted"))


def find_legend_lines(lines: Iterable[Line]) -> list[Line]:
    """The lines of the legend themselves, with those that go on from them."""
    found: list[Line] = []
    for line in lines:
        if line.page > _LEGEND_PAGES and not found:
            break
        if _LEGEND.match(line_text(line)) or (found and _goes_on(found[-1], line)):
            found.append(line)
    return found


def describe_changes(lines: Iterable[Line]) -> str:
    """What the legend says of the changes it marks, in its own words; empty where it says nothing of any."""
    told = (
        words.strip()
        for color, words in _entries(lines)
        if color != 0 and _told(words) == "inserted"
    )
    return "; ".join(words for words in told if not _FUTURE.search(words))


def _goes_on(last: Line, line: Line) -> bool:
    return line.page == last.page and 0 < line.baseline - last.baseline < 1.6 * line.size


def _legend(lines: list[Line]) -> dict[int, ColorMeaning]:
    """Colour of the label -> meaning. Colours of labels are read from the page, never from their names."""
    return {color: _told(words) for color, words in _entries(lines) if color != 0}


def _entries(lines: Iterable[Line]) -> list[tuple[int, str]]:
    """The colour of each label of the legend, and what it says of it."""
    entries: list[tuple[int, str]] = []
    for line in find_legend_lines(lines):
        found = _LEGEND.match(line_text(line))
        if found:
            entries.append((line.spans[0].style.color, found[2]))
        elif entries:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line_text(line)}")
    return entries


def _told(words: str) -> ColorMeaning:
    if _NOTES.search(words):
        return "note"
    if _CHANGES.search(words) and not _UNCHANGED.search(words):
        return "inserted"
    return "plain"


def _used_for_insertions(lines: list[Line], links: Mapping[int, Sequence[Box]]) -> list[int]:
    """Colours that runs within body text are printed in, links and cross-references apart."""
    body: Counter[int] = Counter()
    for line in lines:
        for span in line.spans:
            body[span.style.color] += len(span.text)
    struck = {span.style.color for line in lines for span in line.spans if span.state == "deleted"}
    total = sum(body.values())
    found = []
    for color, count in body.items():
        if not _is_chromatic(color) or count > 0.4 * total:
            continue
        places = [
            (line, s)
            for line in lines
            for s in line.spans
            if s.style.color == color and s.state == "live"
        ]
        uses = [span for _, span in places]
        linked = sum(_refers(span) or _is_linked(line, span, links) for line, span in places)
        within = sum(_within_body(line, color) for line in lines)
        if color in struck or (
            uses and linked < 0.6 * len(uses) and within >= 1 and not _is_design(uses)
        ):
            found.append(color)
    return found


def _refers(span: Span) -> bool:
    """An address or a number of a clause: coloured as such."""
    return bool(_LINK.search(span.text) or find_citations(span.text)) or not re.search(
        r"\w", span.text
    )


def _is_linked(line: Line, span: Span, links: Mapping[int, Sequence[Box]]) -> bool:
    x, y = (span.left + span.right) / 2, line.baseline - 0.3 * line.size
    return any(
        left <= x <= right and top <= y <= bottom
        for left, top, right, bottom in links.get(line.page, ())
    )


def _within_body(line: Line, color: int) -> bool:
    """A line that has words of this colour beside words in black."""
    inks = {
        span.style.color
        for span in line.spans
        if span.state == "live" and re.search(r"\w", span.text)
    }
    words = {
        span.style.color
        for span in line.spans
        if span.state == "live" and re.search(r"[^\W\d]{2}", span.text)
    }
    return color in inks and any(not _is_chromatic(other) for other in words)


def _is_design(uses: list[Span]) -> bool:
    """Mostly bold, or of another size than body text: headings."""
    return sum(span.style.bold for span in uses) > 0.7 * len(uses)


def _is_chromatic(color: int) -> bool:
    _, lightness, saturation = colorsys.rgb_to_hls(
        *(channel / 255 for channel in rgb_channels(color))
    )
    return saturation > 0.35 and 0.12 < lightness < 0.9


def _alike(one: int, other: int) -> bool:
    return all(
        abs(a - b) <= _NEAR for a, b in zip(rgb_channels(one), rgb_channels(other), strict=True)
    )
