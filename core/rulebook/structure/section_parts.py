"""Title sections, and part long ones, by the print of their texts.

A title may run in with the text: "Tyres. Only slicks may be used." A long section is parted at its
unnumbered headings, or at the terms of a list.

A part keeps the number of its section and is named by its heading or term: no number is invented.
A heading that stands out more than the section's own is above it and begins a section without a
number.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from core.grammar import has_marker
from core.rulebook.layout.blocks import Block, Line, Span, iter_lines
from core.rulebook.layout.text import line_text, normalize_characters
from core.rulebook.structure.section_tree import Section
from core.rulebook.structure.titles import (
    QUOTES,
    SENTENCE_VERB,
    find_names_of_chapters,
    find_unnumbered_headings,
)
from core.rulebook.structure.typography import (
    SAME_SIZE,
    BodyPrint,
    Prominence,
    heading_lines,
    is_apart,
    is_outline_above,
    prominence_of,
)

_LONG = 4_500  # letters: about a page of print
_MIN_TERMS = 5  # of a list of definitions
_TERM_SHARE = 0.5  # of its paragraphs that begin with a term
_MOST_TERM_WORDS = 8
_MIN_ITEMS = 3
_MOST_WORDS = 14  # of a title that runs in
_SHARE = 0.6  # of the sections of one level that have a title, if one at the head of a text is one
_STOPS = (".", ":", "—", "–")
_STOP = re.compile(r"\s*[.:—–]\s|\s+-\s|\s*[\t\u2003]")
_WIDE = "\t\u2003"
_TERM = re.compile(
    r"[“\"«„](?P<quoted>[^”\"»\n]{1,60})[”\"»]|(?P<plain>[^\W\d_][^:\n“”]{0,60}?)\s?:(?=\s+\S)"
)


def part_long_sections(sections: Sequence[Section], body: BodyPrint) -> list[Section]:
    """The sections, each long one followed by the parts that were cut off it."""
    parted: list[Section] = []
    is_alone = all(section.head is None for section in sections)
    for section in sections:
        parted.append(section)
        letters = sum(len(line_text(line)) for line in iter_lines(section.blocks))
        if section.deleted:
            continue
        for part in _cut_section(section, body, is_long=letters > _LONG or is_alone):
            part.future = section.future
            if part.parent:
                part.parent.children.append(part)
            parted.append(part)
    return parted


def _cut_section(section: Section, body: BodyPrint, *, is_long: bool) -> Iterator[Section]:
    """Cut a section at the headings and terms within; a short one at names of chapters only."""
    blocks = section.blocks
    own = prominence_of(section.head.line) if section.head else None
    headings: dict[int, Prominence] = {}
    terms: dict[int, str] = {}
    if is_long:
        headings = dict(find_unnumbered_headings(blocks, body))
        terms = _find_run_in_titles(blocks, body) | _find_terms(blocks)
    elif section.head:
        headings = find_names_of_chapters(blocks, section.head.line, body)
    cuts = sorted({*headings, *terms})
    if not cuts and is_long:
        yield from _cut_at_counted_items(section)
    if not cuts:
        return
    above: Section | None = section
    section.blocks = blocks[: cuts[0]]
    for start, end in pairwise([*cuts, len(blocks)]):
        title = [] if start in terms else heading_lines(blocks[start:end], body)
        name = terms.get(start) or QUOTES.sub("", " ".join(map(line_text, title))).strip()
        if start not in terms and (
            own is None
            or headings[start].size > own.size + SAME_SIZE
            or (section.head and is_outline_above(blocks[start], section.head.line))
        ):
            above = None
        article = f"{above.article} “{name}”" if above else name
        yield Section(article, title, blocks[start + len(title) : end], parent=above, part=name)


def _cut_at_counted_items(section: Section) -> Iterator[Section]:
    """Cut a numbered section at its items "(1)", "(2)" ...: they are cited as "44(1)"."""
    blocks = section.blocks
    cuts: list[int] = []
    for at, line in enumerate(blocks):
        if isinstance(line, Line) and line_text(line).startswith(f"({len(cuts) + 1}) "):
            cuts.append(at)
    if section.head and len(cuts) >= _MIN_ITEMS:
        section.blocks = blocks[: cuts[0]]
        for number, (start, end) in enumerate(pairwise([*cuts, len(blocks)]), start=1):
            article = f"{section.article}({number})"
            yield Section(article, [], blocks[start:end], parent=section)


def _find_terms(blocks: Sequence[Block]) -> dict[int, str]:
    """The terms that a list of definitions explains, by the index of the line they begin."""
    starts = [0, *(at for at, (one, two) in enumerate(pairwise(blocks), 1) if _begins(one, two))]
    terms = {
        at: name
        for at, line in ((at, blocks[at]) for at in starts[: len(blocks)])
        if isinstance(line, Line) and (name := _term(line_text(line)))
    }
    is_list = len(terms) >= _MIN_TERMS and len(terms) >= _TERM_SHARE * len(starts)
    return terms if is_list else {}


def _find_run_in_titles(blocks: Sequence[Block], body: BodyPrint) -> dict[int, str]:
    """The titles that paragraphs begin with in print of their own, by the index of their line."""
    titles: dict[int, str] = {}
    for at, line in enumerate(blocks):
        if not isinstance(line, Line):
            continue
        begins = not at or _begins(blocks[at - 1], line) or line.left > line.start + 4
        name = lead_in_print(line.spans, body) if begins else ""
        if name.endswith(_STOPS) and len(name) > 3 and len(name.split()) <= _MOST_WORDS:
            titles[at] = QUOTES.sub("", name).rstrip(".:—– ")
    return titles if len(titles) > 1 else {}


def _begins(one: Block, two: Block) -> bool:
    """True if the second line is no continuation: of a new column, apart, or further left."""
    return (
        not isinstance(one, Line)
        or not isinstance(two, Line)
        or is_apart(one, two)
        or two.left < one.left - 4
        or (line_text(one).endswith((".", ";")) and two.left < two.start + 6)
    )


def _term(text: str) -> str:
    found = _TERM.match(text)
    if not found:
        return ""
    if found["quoted"]:
        return found["quoted"].strip()
    name = found["plain"].strip()
    is_term = len(name.split()) <= _MOST_TERM_WORDS and not name[0].islower()
    return QUOTES.sub("", name) if is_term and not SENTENCE_VERB.search(name) else ""


def take_run_in_titles(sections: Sequence[Section], body: BodyPrint) -> None:
    """Set `run_in` of sections whose text begins with a title, as most of a level do."""
    names = {section: name for section in sections if (name := _find_name(section, body))}
    levels: dict[object, list[bool]] = defaultdict(list)
    for section in sections:
        for level in _levels_of(section):
            levels[level].append(bool(section.title) or section in names)
    titled = {level for level, found in levels.items() if sum(found) >= max(2, _SHARE * len(found))}
    for section in sections:
        if not titled.isdisjoint(_levels_of(section)):
            section.run_in = names.get(section, section.run_in)


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


def _levels_of(section: Section) -> Iterator[object]:
    if head := section.head:
        level = head.kind, head.lead_word.casefold(), len(head.key)
        yield level
        yield (*level, section.parent)


def _find_name(section: Section, body: BodyPrint) -> str:
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
    kept: list[Span] = []
    for span in spans:
        text = span.text[length:]
        length = max(0, length - len(span.text))
        text = text if kept else text.lstrip(" .):–—-\t\u2003")
        if kept or text:
            kept.append(span._replace(text=text))
    return kept


def _lead_before_gap(spans: Sequence[Span]) -> str:
    """The capitals above other words, or the few words before the only wide gap of a line."""
    text = "".join(span.text for span in spans)
    for gap in _STOP.finditer(text):
        name, rest = text[: gap.start()], text[gap.end() :].lstrip()
        words = (word for word in rest.split() if sum(map(str.isalpha, word)) > 1)
        if name.isupper() and not next(words, "X").isupper():
            return name
    name, _, rest = text.partition("\t")
    is_only = not any(sign in name + rest for sign in _WIDE)
    return name if is_only and name[:1].isupper() and rest[:1].isupper() else ""
