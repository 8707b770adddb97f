"""Which lines name something: titles of sections and lettered parts, and unnumbered headings.

They are known by their print (bold, capitals, a short line) and by the space around them.
"""

import re
from collections.abc import Iterator, Sequence

from core.grammar import has_marker, list_cues
from core.rulebook.layout.blocks import Block, Drawing, Line, lines_of
from core.rulebook.layout.text import is_bullet, is_formula, line_text
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.families import CAPTION
from core.rulebook.structure.typography import (
    SAME_SIZE,
    BodyPrint,
    Prominence,
    are_bold,
    breaks_early,
    ends_bold,
    heading_lines,
    is_apart,
    is_in_middle,
    is_larger,
    is_outline_above,
    prominence_of,
)

SENTENCE_VERB = list_cues("modal", "auxiliary").pattern
_CODED_NUMBER = re.compile(r"([A-Z]{1,3})\.?\d+(?:\.\d+)*\s")
_CODE_NAME = re.compile(r"([A-Z]{1,3})\s+[-–—]\s+\S")
_MAX_PHRASE = 20  # words of a title in the print of the text
_SENTENCE_END = (".", ";", ":", ",", "?", "-", "\u00ad")
_NO_END = (".", ";", ",", "-", "\u00ad", "…")
QUOTES = re.compile(r"[“”\"«»„]")
"""What may be around the name of a part."""
_MOST_WORDS = 12  # of an unnumbered heading
_SAME_EDGE = 6.0  # points between the left edges of headings
_TAIL = 8  # blocks at the end of a section among which the headings of the next one are


def split_title(
    head: Heading, blocks: list[Block], body: BodyPrint
) -> tuple[list[Line], list[Block]]:
    """The lines of a section's title, and the other blocks of the section."""
    title = [head.line] if head.kind == "named" else _find_title(head, blocks, body)
    return title, blocks[len(title) :]


def _find_title(head: Heading, blocks: Sequence[Block], body: BodyPrint) -> list[Line]:
    first = _first_paragraph(blocks, body)
    behind = blocks[len(first) :]
    text = " ".join(line_text(line, "deleted" if head.deleted else "live") for line in first)
    text = without_label(text, head).lstrip(" \t.):–—-")
    groups = head.groups_rules(text)
    if not text:  # the number has its line for itself
        below = _first_paragraph(behind, body)
        words = " ".join(map(line_text, below))
        is_title = groups or _looks_like_title(below, words, behind[len(below) :], body)
        return first + (below if is_title else [])
    if groups:
        stands_out = prominence_of(head.line).stands_out(body)
        return max(heading_lines(blocks, body) if stands_out else [], first, key=len)
    if not behind and body.is_smaller_than(first[0]) and _is_short_name(text):
        return first
    is_phrase = _ends_within(text, _MAX_PHRASE)
    is_led = head.lead_word and is_phrase and _ends_apart(first[-1], text, behind, body)
    return first if is_led or _looks_like_title(first, text, behind, body) else []


def without_label(text: str, head: Heading) -> str:
    """The text of a section behind its number, if it begins with it."""
    label = head.label.rstrip()
    return text[len(label) :].lstrip() if text.startswith(label) else text


def _first_paragraph(blocks: Sequence[Block], body: BodyPrint) -> list[Line]:
    lines: list[Line] = []
    for block in blocks[:4]:
        if not isinstance(block, Line) or (lines and not _continues(lines[-1], block, body)):
            break
        lines.append(block)
    return lines


def _continues(last: Line, line: Line, body: BodyPrint) -> bool:
    """True for the same column and print, usual space, and no room left on the last line."""
    return (
        not is_apart(last, line, body.within)
        and ends_bold(line) == ends_bold(last)
        and abs(line.size - last.size) <= 0.6
        and not breaks_early(last, line)
    )


def _is_short_name(text: str) -> bool:
    return text[:1].isupper() and _ends_within(text, most=10)


def _ends_within(text: str, most: int) -> bool:
    """True for so many words at the most that are not the end of a sentence."""
    return len(text.split()) <= most and not text.endswith(_SENTENCE_END)


def _looks_like_title(
    lines: list[Line], text: str, behind: Sequence[Block], body: BodyPrint
) -> bool:
    if not text or len(text) > 160 or len(lines) > 3:
        return False
    if text.endswith((".", "!", "?")) and not behind:
        return False  # a rule of one line, however it is printed
    if text.endswith(":") and SENTENCE_VERB.search(text):
        return False
    if are_bold(lines) or (text.isupper() and len(text) > 3):
        return not text.endswith((".", ";")) or len(text) < 60
    is_name = len(lines) == 1 and _is_short_name(text) and _ends_apart(lines[0], text, behind, body)
    return is_name and not isinstance(behind[0], Drawing)


def _ends_apart(line: Line, text: str, behind: Sequence[Block], body: BodyPrint) -> bool:
    """True for words without a verb that end before what is behind them, which is not nothing."""
    if not behind or SENTENCE_VERB.search(text):
        return False
    after = behind[0]
    return (
        not isinstance(after, Line)
        or is_apart(line, after, body.within)
        or breaks_early(line, after)
    )


def find_lettered_headings(blocks: Sequence[Block]) -> dict[Line, str]:
    """Headings such as "GR - GENERAL REGULATIONS" above "GR.1", with their letters."""
    lines = lines_of(blocks)
    letters = {number[1] for line in lines if (number := _CODED_NUMBER.match(line_text(line)))}
    names = ((line, _CODE_NAME.match(line_text(line))) for line in lines if ends_bold(line))
    return {line: name[1] for line, name in names if name and name[1] in letters}


def find_unnumbered_headings(
    blocks: Sequence[Block], body: BodyPrint
) -> Iterator[tuple[int, Prominence]]:
    """Yield the index of each heading without a number, and how it stands out."""
    around = zip([None, *blocks], blocks, [*blocks[1:], None], strict=False)
    for index, (before, line, after) in enumerate(around):
        if isinstance(line, Line) and _may_name(line):
            prominence = prominence_of(line)
            apart_above = is_apart(before, line)
            if prominence.stands_out(body):
                if _is_between_texts(before, after, prominence, is_apart=apart_above):
                    yield index, prominence
            elif apart_above and is_apart(line, after) and _is_name(line, after, body):
                yield index, prominence


def find_names_of_chapters(
    blocks: Sequence[Block], number: Line, body: BodyPrint
) -> dict[int, Prominence]:
    """The unnumbered headings above a number: in larger print, or as the file says; by index."""
    return {
        at: prominence
        for at, prominence in find_unnumbered_headings(blocks, body)
        if prominence.stands_out(body)
        and isinstance(line := blocks[at], Line)
        and (prominence.size > number.size + SAME_SIZE or is_outline_above(line, number))
        and not is_formula(line_text(line))
    }


def split_headings_of_next(
    blocks: Sequence[Block], following: Heading, body: BodyPrint
) -> tuple[list[Block], list[list[Line]]]:
    """The blocks of a section, and the unnumbered headings at their end that are for the next one.

    They are in larger print than the number that follows, or stand out as much, apart from the
    text and no further right. Of several each is above the next; two that look alike are one.
    """
    if following.deleted:
        return list(blocks), []
    start = max(0, len(blocks) - _TAIL)
    tail = [*blocks[start:], following.line]
    headings: list[list[Line]] = []
    end = len(tail) - 1
    for at, prominence in reversed(list(find_unnumbered_headings(tail, body))):
        lines = heading_lines(tail[at:end], body)
        if at + len(lines) != end or not lines or not prominence.stands_out(body):
            continue
        apart = is_apart(tail[at - 1] if at else None, lines[0]) and is_apart(lines[-1], tail[end])
        below = prominence_of(headings[0][0]) if headings else prominence
        if prominence < below or not _is_above(lines[0], following.line, apart=apart):
            break
        if headings and prominence == below:
            headings[0] = lines + headings[0]
        else:
            headings.insert(0, lines)
        end = at
    return list(blocks[: start + end]), headings


def _is_above(heading: Line, number: Line, *, apart: bool) -> bool:
    """True for larger print than a number's, or as prominent and apart, no further right."""
    if is_larger(heading, number):
        return True
    own, other = prominence_of(heading), prominence_of(number)
    as_far = heading.left < number.left + _SAME_EDGE or is_in_middle(heading)
    return apart and own >= other and (as_far or own.bold > other.bold)


def _is_between_texts(
    before: Block | None, after: Block | None, prominence: Prominence, *, is_apart: bool
) -> bool:
    """True unless the sentence above a line, or that of the line, goes on in other print."""
    ends = is_apart
    if not is_apart and isinstance(before, Line):
        stops = line_text(before).endswith((".", ";", ":", "!", "?", "”", ")"))
        ends = stops and prominence_of(before) != prominence
        ends |= prominence.size > before.size + SAME_SIZE
    if not isinstance(after, Line) or not line_text(after)[:1].islower():
        return ends
    return ends and prominence_of(after) == prominence


def _may_name(line: Line) -> bool:
    """True for a few words that begin like a name and are not the end of a sentence."""
    text = line_text(line)
    first, words = text[:1], text.split()
    return (
        (first.isupper() or first.isalpha())
        and not first.islower()
        and not text.endswith(_NO_END)
        and len(words) <= _MOST_WORDS
        and not has_marker(text)
        and not is_bullet(words[0])
        and not CAPTION.match(text)
        and sum(map(str.isalpha, text)) > 2
    )


def _is_name(line: Line, after: Block | None, body: BodyPrint) -> bool:
    """True for words in the print of the text that are no sentence, above text that begins one."""
    text = line_text(line)
    long = [word for word in text.split() if len(word) > 3]
    below = line_text(after) if isinstance(after, Line) else ""
    return (
        bool(long)
        and sum(word[0].isupper() for word in long) >= 0.7 * len(long)
        and line.size > body.size - 0.5
        and text[-1] not in "”»"
        and below[:1].isupper()
        and ":" not in text
        and not SENTENCE_VERB.search(text)
    )
