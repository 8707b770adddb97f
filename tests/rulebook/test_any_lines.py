"""Whatever numbers lines begin with, every word of theirs ends in one clause, and the clauses make one tree."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import product

from hypothesis import given, note
from hypothesis import strategies as st

from core.errors import ReadError
from core.rulebook.layout.blocks import Block, Line, Page, Span
from core.rulebook.pdf.page_content import Style
from core.rulebook.pipeline import DocumentSource, build_rulebook
from core.rulebook.structure.section_tree import Section, build_sections

WORD = re.compile("z[a-y]{3}q")
WORDS = tuple(f"z{a}{b}{c}q" for a, b, c in product("bcdfgh", repeat=3))
"""Words that no rule of the grammar knows, so that each can be found again."""
LEADS = st.sampled_from(
    [
        *(
            "ARTICLE {}",
            "Article {}:",
            "Art. {}",
            "Rule {}",
            "§ {}",
            "APPENDIX {}",
            "Annex {}",
            "PART {}",
            "CHAPTER {}",
        ),
        *(
            "{}",
            "{}",
            "{}",
            "{}.",
            "{})",
            "({})",
            "{}:",
            "{} -",
            "{}.1",
            "1.{}",
            "1.{}.1",
            "2.{}.",
            "GR.{}",
            "A.{}",
        ),
        *("B1.{}", "{}.a", "{}A", "37{}", "({})({})", "a{}", "{} mm", "20{}", "0{}", "{}.{}.{}.{}"),
    ]
)
COUNTED = st.integers(1, 6).map(str) | st.sampled_from(
    ["I", "II", "IV", "A", "B", "c", "ii", "12", "99", "999"]
)
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
    [
        "",
        "",
        "shall",
        "see Article 3.1",
        "and",
        "Changes for 2027",
        "FLAGS",
        "must not:",
        "12",
        "in 5.2",
        "....... 7",
    ]
)


@dataclass(frozen=True)
class Typed:
    """A line of a document as its writer typed it."""

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


TYPED = st.builds(
    Typed,
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
DOCUMENTS = st.lists(TYPED, min_size=1, max_size=25)


def printed(typed: list[Typed]) -> list[Page]:
    """The lines on pages of A4, below each other, each with words of its own."""
    words = iter(WORDS * 10)
    pages: list[Page] = []
    y = 1000.0
    for line in typed:
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


def _line(typed: Typed, words: list[str], y: float) -> Line | None:
    style = Style("Plain", 10.0, typed.bold, False, 0, True)
    rest = " ".join(filter(None, (typed.noise, *words))) + typed.stop
    texts = [f"{typed.start}{chr(9) if typed.apart else ' '}" if typed.start else "", rest]
    left, spans = 72.0 + typed.indent, []
    for text in filter(str.strip, texts):
        spans.append(
            Span(text, left, left + 5.0 * len(text), style, "deleted" if typed.struck else "live")
        )
        left = spans[-1].right
    if not spans:
        return None
    return Line(tuple(spans), spans[0].left, y - 10, spans[-1].right, y + 3, y, 10.0, 72.0, 520.0)


def is_struck(line: Line) -> bool:
    return all(span.state == "deleted" for span in line.spans)


def words_of(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def is_above(parent: Section, child: Section) -> bool:
    """A number is below the one that it goes on from; an appendix or a lettered part holds whatever stands in it."""
    if parent.head is None or parent.head.kind in ("appendix", "part"):
        return True
    assert child.head is not None
    return child.head.key[: len(parent.head.key)] == parent.head.key and len(child.head.key) > len(
        parent.head.key
    )


def _lines_of(section: Section) -> list[Block]:
    """What stands in a section, from the unnumbered heading just before it."""
    return [*(section.topic if section.opens_topic else ()), *section.title, *section.blocks]


@given(DOCUMENTS)
def test_every_line_is_in_one_section_in_order_and_every_section_below_an_earlier_one(typed):
    blocks = [block for page in printed(typed) for block in page.blocks]
    sections, contents_pages = build_sections(blocks, 2025)
    placed = [block for section in sections for block in _lines_of(section)]
    known = {id(block) for block in placed}
    assert len(known) == len(placed)
    live = [id(block) for block in placed if not is_struck(block)]
    assert live == [id(block) for block in blocks if not is_struck(block) and id(block) in known]
    contents = set(contents_pages)
    assert {block.page for block in blocks if id(block) not in known} <= contents
    for index, section in enumerate(sections):
        above = section.parent
        if above is not None:
            assert any(above is before for before in sections[:index])
            assert section in above.children
            assert is_above(above, section)


@given(DOCUMENTS)
def test_every_word_is_in_force_or_deleted_once_as_it_was_printed(typed):
    pages = printed(typed)
    spans = [span for page in pages for block in page.blocks for span in block.spans]
    live, struck = (
        words_of(" ".join(s.text for s in spans if s.state == state))
        for state in ("live", "deleted")
    )
    try:
        book = build_rulebook(pages, DocumentSource("d" * 64, "any.pdf"))
    except ReadError:
        return
    told = words_of(" ".join(f"{clause.title}\n{clause.text}" for clause in book.clauses))
    told |= words_of(
        " ".join({crumb for clause in book.clauses for crumb in clause.breadcrumb})
    )  # lettered parts
    deleted = words_of(
        " ".join(
            mark.text for clause in book.clauses for mark in clause.marks if mark.kind == "deleted"
        )
    )
    if book.report.counts["contents_pages"]:
        assert told <= live
        assert deleted <= struck
    else:
        assert (told, deleted) == (live, struck)
    ids = [clause.clause_id for clause in book.clauses]
    assert len(set(ids)) == len(ids)
