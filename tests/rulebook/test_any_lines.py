"""For lines that begin with any number: each word is in one clause, and the clauses form a tree."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain, product

import pytest
from hypothesis import given, note, strategies as st

from core.errors import ReadError
from core.rulebook.layout.blocks import Block, Line, Page, Span
from core.rulebook.pdf.page_content import Style
from core.rulebook.pipeline import DocumentSource, build_rulebook
from core.rulebook.structure.headings import find_headings
from core.rulebook.structure.section_tree import Section, build_sections

WORD = re.compile("z[a-y]{3}q")
WORDS = tuple(f"z{a}{b}{c}q" for a, b, c in product("bcdfgh", repeat=3))
"""Words that no pattern knows, so that each can be found again."""
LEADS = st.sampled_from(
    "ARTICLE {}|Article {}:|Art. {}|Rule {}|§ {}|APPENDIX {}|Annex {}|PART {}|CHAPTER {}|"
    "{}|{}|{}|{}.|{})|({})|{}:|{} -|{}.1|1.{}|1.{}.1|2.{}.|GR.{}|A.{}|"
    "B1.{}|{}.a|{}A|37{}|({})({})|a{}|{} mm|20{}|0{}|{}.{}.{}.{}".split("|")
)
COUNTED = st.integers(1, 6).map(str) | st.sampled_from("I II IV A B c ii 12 99 999".split())
NUMBERS = st.builds(lambda lead, count: lead.replace("{}", count), LEADS, COUNTED)
ODD = st.text("0123456789.()[]:§-–—•ABIVXabivx ", max_size=8).map(str.strip)
STARTS = (
    st.just("")
    | NUMBERS
    | NUMBERS
    | ODD
    | st.sampled_from(["a)", "b)", "(c)", "i.", "•", "-", "APPENDIX", "GR -"])
)
NOISE = st.sampled_from(
    "||shall|see Article 3.1|and|Changes for 2027|FLAGS|must not:|12|in 5.2|....... 7".split("|")
)


@dataclass(frozen=True)
class LineSpec:
    """A line of a document as its author typed it."""

    start: str
    noise: str
    words: int
    bold: bool
    capitals: bool
    apart: bool
    struck: bool
    indent: int
    gap: float
    stop: str
    new_page: bool


LINE_SPECS = st.builds(
    LineSpec,
    STARTS,
    NOISE,
    st.integers(0, 4),
    st.booleans(),
    st.just(False),
    st.booleans(),
    st.sampled_from([False, False, False, True]),
    st.sampled_from([0, 0, 0, 20, 40]),
    st.sampled_from([0.0, 0.0, 8.0, 20.0]),
    st.sampled_from(["", ".", ":", ";", ",", "-"]),
    st.sampled_from([False, False, False, False, True]),
)
DOCUMENTS = st.lists(LINE_SPECS, min_size=1, max_size=25)


def lay_out(specs: list[LineSpec]) -> list[Page]:
    """The lines on A4 pages, one below the other, each with its own words."""
    words = iter(WORDS * 10)
    pages: list[Page] = []
    y = 1000.0
    for line in specs:
        if y > 700 or line.new_page:
            pages.append(Page(len(pages) + 1, 595.0, 842.0))
            y = 140.0
        y += 14.0 + line.gap
        if block := _line(line, [next(words) for _ in range(line.words)], y):
            block.page = len(pages)
            pages[-1].blocks.append(block)
            pages[-1].letter_count += len(block.visible_text)
            note(f"{len(pages)} {is_struck(block):d} {block.left:4} {block.visible_text!r}")
    return pages


def _line(spec: LineSpec, words: list[str], y: float) -> Line | None:
    style = Style("Plain", 10.0, spec.bold, False, 0, True)
    rest = " ".join(filter(None, (spec.noise, *words))) + spec.stop
    texts = [f"{spec.start}{chr(9) if spec.apart else ' '}" if spec.start else "", rest]
    left, spans = 72.0 + spec.indent, []
    for text in filter(str.strip, texts):
        spans.append(
            Span(text, left, left + 5.0 * len(text), style, "deleted" if spec.struck else "live")
        )
        left = spans[-1].right
    if not spans:
        return None
    return Line(spans[0].left, y - 10, spans[-1].right, y + 3, tuple(spans), y, 10.0, 72.0, 520.0)


def is_struck(line: Line) -> bool:
    return all(span.state == "deleted" for span in line.spans)


def words_of(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def is_above(parent: Section, child: Section) -> bool:
    """True if the number of `child` begins with that of `parent`, or `parent` is no number."""
    if parent.head is None or parent.head.kind in ("appendix", "part"):
        return True
    assert child.head is not None
    above, below = parent.head.key, child.head.key
    return len(below) > len(above) and below[: len(above)] == above


def own_blocks(section: Section) -> list[Block]:
    """The blocks of a section, with the unnumbered headings just before it."""
    opened = section.topics[len(section.topics) - section.opened :]
    return [*chain.from_iterable(opened), *section.title, *section.blocks]


@pytest.mark.slow
@given(DOCUMENTS)
def test_every_line_is_in_one_section_and_every_section_below_an_earlier_one(specs):
    blocks = [block for page in lay_out(specs) for block in page.blocks]
    found = find_headings(blocks, 2025)
    sections = build_sections(found, 2025)
    placed = [block for section in sections for block in own_blocks(section)]
    known = {id(block) for block in placed}
    assert len(known) == len(placed)
    live = [id(block) for block in placed if not is_struck(block)]
    assert live == [id(block) for block in blocks if not is_struck(block) and id(block) in known]
    apart = {id(block) for texts in (found.contents, *found.changelogs) for block in texts}
    assert {id(block) for block in blocks if id(block) not in known} <= apart
    for index, section in enumerate(sections):
        above = section.parent
        if above is not None:
            assert any(above is before for before in sections[:index])
            assert section in above.children
            assert is_above(above, section)


@given(DOCUMENTS)
def test_every_word_is_in_force_or_deleted_once_as_it_was_printed(specs):
    pages = lay_out(specs)
    spans = [span for page in pages for block in page.blocks for span in block.spans]
    live, struck = (
        words_of(" ".join(s.text for s in spans if s.state == state))
        for state in ("live", "deleted")
    )
    try:
        book = build_rulebook(pages, DocumentSource("d" * 64, "any.pdf"))
    except ReadError:
        return
    in_force = words_of(" ".join(f"{clause.title}\n{clause.text}" for clause in book.clauses))
    in_force |= words_of(
        " ".join({crumb for clause in book.clauses for crumb in clause.breadcrumb})
    )  # lettered parts
    deleted = words_of(
        " ".join(
            mark.text for clause in book.clauses for mark in clause.marks if mark.kind == "deleted"
        )
    )
    if book.other_texts:
        others = words_of(" ".join(f"{text.title}\n{text.text}" for text in book.other_texts))
        assert in_force <= live
        assert live.keys() <= in_force.keys() | others.keys()
        assert deleted <= struck
    else:
        assert (in_force, deleted) == (live, struck)
    ids = [clause.clause_id for clause in book.clauses]
    assert len(set(ids)) == len(ids)
