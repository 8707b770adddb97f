"""Decide which lines are titles: of sections, of lettered parts, or at the head of the text itself.

Titles are known by their print (bold, capitals, a short line) and by the space around them.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from core.grammar import cue_pattern, has_marker
from core.rulebook.layout.blocks import Block, Drawing, Line, Span, lines_of
from core.rulebook.layout.text import line_text, normalize_characters
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.paragraphs import has_room_for
from core.rulebook.structure.typography import (
    BodyPrint,
    are_bold,
    ends_bold,
    heading_lines,
    is_apart,
    prominence_of,
)

if TYPE_CHECKING:
    from core.rulebook.structure.section_tree import Section

SENTENCE_VERB = cue_pattern("modal", "auxiliary")
_CODED_NUMBER = re.compile(r"([A-Z]{1,3})\.?\d+(?:\.\d+)*\s")
_CODE_NAME = re.compile(r"([A-Z]{1,3})\s+[-–—]\s+\S")
_MAX_PHRASE = 20  # words of a title in the print of the text
_SENTENCE_END = (".", ";", ":", ",", "?", "-", "\u00ad")
_MOST_WORDS = 14
_MIN_SIBLINGS = 2
_SHARE = 0.6  # of the sections of one level that have a title, if one at the head of a text is one
_STOPS = (".", ":", "—", "–")
_STOP = re.compile(r"\s*[.:—–]\s|\s+-\s|\s*[\t\u2003]")
_WIDE = "\t\u2003"
QUOTES = re.compile(r"[“”\"«»„]")
"""What may be around the name of a part."""


def split_title(
    head: Heading, blocks: list[Block], body: BodyPrint
) -> tuple[list[Line], list[Block]]:
    """The lines of a section's title, and the other blocks of the section."""
    title = [head.line] if head.kind == "named" else _find_title(head, blocks, body)
    return title, blocks[len(title) :]


def _find_title(head: Heading, blocks: Sequence[Block], body: BodyPrint) -> list[Line]:
    first = _first_paragraph(blocks)
    behind = blocks[len(first) :]
    text = " ".join(line_text(line, "deleted" if head.deleted else "live") for line in first)
    text = without_label(text, head).lstrip(" \t.):–—-")
    groups = head.groups_rules(text)
    if not text:  # the number has its line for itself
        below = _first_paragraph(behind)
        words = " ".join(map(line_text, below))
        is_title = groups or _looks_like_title(below, words, behind[len(below) :])
        return first + (below if is_title else [])
    if groups:
        stands_out = prominence_of(head.line).stands_out(body)
        return max(heading_lines(blocks, body) if stands_out else [], first, key=len)
    alone = not behind and body.is_smaller_than(first[0]) and _is_short_name(text)
    is_title = alone or _looks_like_title(first, text, behind)
    is_phrase = len(text.split()) <= _MAX_PHRASE and not text.endswith(_SENTENCE_END)
    is_led = head.is_led and is_phrase and _ends_apart(first[-1], text, behind)
    return first if is_title or is_led else []


def without_label(text: str, head: Heading) -> str:
    """The text of a section behind its number, if it begins with it."""
    label = head.label.rstrip()
    return text[len(label) :].lstrip() if text.startswith(label) else text


def _first_paragraph(blocks: Sequence[Block]) -> list[Line]:
    """The first line and up to three that continue it."""
    lines: list[Line] = []
    for block in blocks[:4]:
        if not isinstance(block, Line) or (lines and not _continues(lines[-1], block)):
            break
        lines.append(block)
    return lines


def _continues(last: Line, line: Line) -> bool:
    """True for the same column and print, usual space, and no room left on the last line."""
    return (
        not is_apart(last, line)
        and ends_bold(line) == ends_bold(last)
        and abs(line.size - last.size) <= 0.6
        and not _breaks_early(last, line)
    )


def _breaks_early(line: Line, following: Line) -> bool:
    """True if the first word of the next line would have fitted on this one."""
    words = line_text(following).split()
    return bool(words) and has_room_for(line, words[0], line.size)


def _is_short_name(text: str) -> bool:
    """True for up to ten words that begin with a capital and are not the end of a sentence."""
    return text[:1].isupper() and len(text.split()) <= 10 and not text.endswith(_SENTENCE_END)


def _looks_like_title(lines: list[Line], text: str, behind: Sequence[Block]) -> bool:
    if not text or len(text) > 160 or len(lines) > 3:
        return False
    if text.endswith((".", "!", "?")) and not behind:
        return False  # a rule of one line, however it is printed
    if text.endswith(":") and SENTENCE_VERB.search(text):
        return False
    if are_bold(lines) or (text.isupper() and len(text) > 3):
        return not text.endswith((".", ";")) or len(text) < 60
    is_name = len(lines) == 1 and _is_short_name(text) and _ends_apart(lines[0], text, behind)
    return is_name and not isinstance(behind[0], Drawing)


def _ends_apart(line: Line, text: str, behind: Sequence[Block]) -> bool:
    """True for words without a verb that end before what is behind them, which is not nothing."""
    if not behind or SENTENCE_VERB.search(text):
        return False
    after = behind[0]
    return not isinstance(after, Line) or is_apart(line, after) or _breaks_early(line, after)


def find_lettered_headings(blocks: Sequence[Block]) -> dict[int, str]:
    """Headings such as "GR - GENERAL REGULATIONS" above "GR.1": the line's id and its letters."""
    lines = lines_of(blocks)
    texts = list(map(line_text, lines))
    letters = {number[1] for number in map(_CODED_NUMBER.match, texts) if number}
    found = zip(lines, map(_CODE_NAME.match, texts), strict=True)
    return {
        id(line): name[1] for line, name in found if name and name[1] in letters and ends_bold(line)
    }


def take_run_in_titles(sections: "Sequence[Section]", body: BodyPrint) -> None:
    """Set `run_in` of the sections whose text begins with a title, as most of their level have one.

    A level is the sections below one parent, or all of the document whose numbers are as deep.
    """
    names = {id(section): name for section in sections if (name := _find_name(section, body))}
    titled = _find_titled_levels(sections, names)
    for section in sections:
        if not titled.isdisjoint(_levels_of(section)):
            section.run_in = names.get(id(section), section.run_in)


def _find_titled_levels(sections: "Sequence[Section]", names: Container[int]) -> set[object]:
    """The levels of which most sections have a title, or one at the head of their text."""
    levels: dict[object, list[bool]] = defaultdict(list)
    for section in sections:
        for level in _levels_of(section):
            levels[level].append(bool(section.title) or id(section) in names)
    return {
        level
        for level, found in levels.items()
        if sum(found) >= max(_MIN_SIBLINGS, _SHARE * len(found))
    }


def lead_in_print(spans: Sequence[Span], body: BodyPrint) -> str:
    """The words in bold or italics that a line begins with, above plain ones, else ""."""
    first = spans[0].style
    if first.italic == (first.bold and not body.bold):
        return ""
    face = first.bold, first.italic
    lead = list(takewhile(lambda span: (span.style.bold, span.style.italic) == face, spans))
    behind = "".join(span.text for span in spans[len(lead) :])
    name = "".join(span.text for span in lead)
    ends = name.rstrip().endswith(_STOPS) or _STOP.match(name[len(name.rstrip()) :] + behind)
    return name.strip() if behind.strip() and ends and name.strip()[:1].isupper() else ""


def run_in_title(line: Line, body: BodyPrint) -> str:
    """The title that a line within a text begins with in print of its own, else ""."""
    name = lead_in_print(line.spans, body)
    is_title = name.endswith(_STOPS) and len(name) > 3 and len(name.split()) <= _MOST_WORDS
    return QUOTES.sub("", name).rstrip(".:—– ") if is_title else ""


def _levels_of(section: "Section") -> Iterator[object]:
    if head := section.head:
        level = head.kind, head.lead_word.casefold(), len(head.key)
        yield level
        yield (*level, id(section.parent))


def _find_name(section: "Section", body: BodyPrint) -> str:
    """The words at the head of a section's text that may be its title, else ""."""
    first = section.untitled_line
    if first is None or section.head is None:
        return ""
    spans = _drop_label(first.spans, len(section.head.label.rstrip()))
    name = ""
    if spans and all(span.state == "live" for span in spans):
        name = lead_in_print(spans, body) or _lead_before_gap(spans)
    name = " ".join(normalize_characters(name).split()).rstrip(" .:—–-")
    is_name = sum(map(str.isalpha, name)) > 3 and len(name.split()) <= _MOST_WORDS
    return name if is_name and not has_marker(name) and not SENTENCE_VERB.search(name) else ""


def _drop_label(spans: Sequence[Span], length: int) -> list[Span]:
    """The spans behind the first letters of a line."""
    kept: list[Span] = []
    for span in spans:
        text = span.text[length:]
        length = max(0, length - len(span.text))
        if kept or text.strip(" .):–—-\t\u2003"):
            kept.append(span._replace(text=text if kept else text.lstrip(" .):–—-\t\u2003")))
    return kept


def _capitals_above(text: str) -> Iterator[str]:
    """Yield the capitals before each stop behind which words in small letters begin."""
    for gap in _STOP.finditer(text):
        name, rest = text[: gap.start()], text[gap.end() :].lstrip()
        words = (word for word in rest.split() if sum(map(str.isalpha, word)) > 1)
        if name.isupper() and not next(words, "X").isupper():
            yield name


def _lead_before_gap(spans: Sequence[Span]) -> str:
    """The capitals above other words, or the few words before the only wide gap of a line."""
    text = "".join(span.text for span in spans)
    if name := next(_capitals_above(text), ""):
        return name
    name, _, rest = text.partition("\t")
    is_only = not any(sign in name + rest for sign in _WIDE)
    return name if is_only and name[:1].isupper() and rest[:1].isupper() else ""
