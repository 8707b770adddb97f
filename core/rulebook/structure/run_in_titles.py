"""Titles that stand at the head of the text itself: in print of their own, or before a wide gap."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import takewhile

from core.grammar import has_marker
from core.rulebook.layout.blocks import Line, Span
from core.rulebook.layout.text import normalize_characters
from core.rulebook.structure.section_titles import SENTENCE_VERB
from core.rulebook.structure.section_tree import Section
from core.rulebook.structure.typography import BodyPrint

_MOST_WORDS = 14
_MIN_SIBLINGS = 2
_SHARE = 0.6  # of the sections of one level that have a title, if one at the head of a text is one
_STOPS = (".", ":", "—", "–")
_STOP = re.compile(r"\s*[.:—–]\s|\s+-\s|\s*[\t\u2003]")
_WIDE = "\t\u2003"
QUOTES = re.compile(r"[“”\"«»„]")
"""What may be around the name of a part."""


def take_run_in_titles(sections: Sequence[Section], body: BodyPrint) -> None:
    """Set `run_in` of the sections whose text begins with a title, as most of their level have one.

    A level is the sections below one parent, or all of the document whose numbers are as deep.
    """
    names = {id(section): name for section in sections if (name := _find_name(section, body))}
    titled = _find_titled_levels(sections, names)
    for section in sections:
        if not titled.isdisjoint(_levels_of(section)):
            section.run_in = names.get(id(section), section.run_in)


def _find_titled_levels(sections: Sequence[Section], names: Container[int]) -> set[object]:
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


def _levels_of(section: Section) -> Iterator[object]:
    if head := section.head:
        level = head.kind, head.lead_word.casefold(), len(head.key)
        yield level
        yield (*level, id(section.parent))


def _find_name(section: Section, body: BodyPrint) -> str:
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
