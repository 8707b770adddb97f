"""Decide which lines are titles of sections and of lettered parts.

Titles are known by their print (bold, capitals, a short line) and by the space around them.
"""

import re
from collections.abc import Sequence

from core.grammar import cue_pattern
from core.rulebook.layout.blocks import Block, Drawing, Line, lines_of
from core.rulebook.layout.text import line_text
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

SENTENCE_VERB = cue_pattern("modal", "auxiliary")
_CODED_NUMBER = re.compile(r"([A-Z]{1,3})\.?\d+(?:\.\d+)*\s")
_CODE_NAME = re.compile(r"([A-Z]{1,3})\s+[-–—]\s+\S")
_MAX_PHRASE = 20  # words of a title in the print of the text
_SENTENCE_END = (".", ";", ":", ",", "?", "-", "\u00ad")
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


def find_lettered_headings(blocks: Sequence[Block]) -> dict[Line, str]:
    """Headings such as "GR - GENERAL REGULATIONS" above "GR.1", with their letters."""
    lines = lines_of(blocks)
    texts = list(map(line_text, lines))
    letters = {number[1] for number in map(_CODED_NUMBER.match, texts) if number}
    found = zip(lines, map(_CODE_NAME.match, texts), strict=True)
    return {
        line: name[1] for line, name in found if name and name[1] in letters and ends_bold(line)
    }
