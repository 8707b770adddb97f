"""Wherever strokes, colours and glyphs lie: no struck word is in force, no other word is lost."""

import re
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, strategies as st

from core.errors import ReadError
from core.rulebook.layout.blocks import Drawing, iter_lines
from core.rulebook.layout.reading_order import layout_page
from core.rulebook.pdf.page_content import Area, GlyphRun, PageContent, RuledLine, Style
from core.rulebook.pipeline import DocumentSource, build_rulebook
from core.rulebook.types import Rulebook

WORD = re.compile("z[a-y]{3}q")
WORDS = tuple(f"z{a}{b}{c}q" for a, b, c in product("bcdfghjk", repeat=3))
WIDTH, HEIGHT = 595.0, 842.0
SIZE = 10.0
GLYPH = 5.0  # points wide
COLORS = st.sampled_from(
    [0x000000, 0x000000, 0x000000, 0xCC0000, 0x0000CC, 0x00AA00, 0xFF00FF, 0x777777]
)
STROKES = st.floats(0.12, 0.46)
"""Ems above the baseline: a stroke there crosses letters of any kind."""
OTHER_LINES = st.sampled_from([-0.25, -0.1, 0.02, 0.62, 0.75, 0.9, 1.1])
"""Ems above the baseline: an underline, a border, the line of a table."""


def run(text: str, left: float, baseline: float, style: Style) -> GlyphRun:
    lefts = [left + GLYPH * index for index in range(len(text))]
    rights = [at + GLYPH for at in lefts]
    return GlyphRun(
        list(text), lefts, rights, baseline - 9, baseline + 3, baseline, style, True, True
    )


@st.composite
def marked_pages(draw: st.DrawFn) -> tuple[PageContent, Counter[str], Counter[str]]:
    """Draw a page of lines with struck words; the words in force, and those that are struck."""
    content = PageContent(1, WIDTH, HEIGHT, 0, [])
    words = iter(WORDS)
    struck: list[str] = []
    live: list[str] = []
    baseline = 140.0
    for number in range(1, draw(st.integers(1, 14)) + 1):
        baseline += draw(st.sampled_from([13.0, 14.0, 20.0]))
        bold = draw(st.booleans())
        left = 72.0
        if draw(st.booleans()):
            content.runs.append(
                run(f"{number}.{draw(st.integers(1, 9))}", left, baseline, _style(0, bold))
            )
        left = 72.0 + draw(st.sampled_from([28.0, 40.0, 60.0]))
        for _ in range(draw(st.integers(1, 6))):
            word, right = next(words), left + 5 * GLYPH
            content.runs.append(run(word, left, baseline, _style(draw(COLORS), bold)))
            if draw(st.sampled_from([False, False, True])):
                content.rules.append(
                    _rule(left, right, baseline - SIZE * draw(STROKES), draw(COLORS))
                )
                struck.append(word)
            else:
                live.append(word)
            if draw(st.sampled_from([False] * 6 + [True])):
                content.rules.append(
                    _rule(left, right, baseline - SIZE * draw(OTHER_LINES), draw(COLORS))
                )
            left = right + draw(st.sampled_from([2.8, 2.8, 2.8, 6.0, 25.0]))
    return content, Counter(live), Counter(struck)


def _style(color: int, bold: bool) -> Style:
    return Style("Plain", SIZE, bold, False, color, True)


def _rule(left: float, right: float, y: float, color: int) -> RuledLine:
    return RuledLine(left, y - 0.3, right, y + 0.3, color)


def read(content: PageContent) -> Rulebook | None:
    try:
        content.strokes = content.rules  # all of them can be seen
        return build_rulebook([layout_page(content)], DocumentSource("d" * 64, "any.pdf"))
    except ReadError:
        return None


def words_of(text: str) -> Counter[str]:
    return Counter(WORD.findall(text))


def in_force(book: Rulebook) -> Counter[str]:
    return words_of(" ".join(f"{clause.title}\n{clause.text}" for clause in book.clauses))


def deleted(book: Rulebook) -> Counter[str]:
    return words_of(
        " ".join(m.text for clause in book.clauses for m in clause.marks if m.kind == "deleted")
    )


@pytest.mark.slow
@given(marked_pages())
def test_struck_words_are_deleted_and_all_others_are_in_force_once(page):
    content, live, struck = page
    book = read(content)
    if book is not None:
        assert not in_force(book).keys() & struck.keys()
        assert in_force(book) == live
        assert deleted(book) == struck


def anywhere(low: float, high: float) -> st.SearchStrategy[float]:
    return st.integers(int(low), int(high)).map(float)


@st.composite
def scattered_pages(draw: st.DrawFn) -> tuple[PageContent, Counter[str]]:
    """Draw words of any size on the page and off it, among any rules, fills and images."""
    content = PageContent(
        1, WIDTH, HEIGHT, draw(st.integers(0, 3)), [run("1.1", 72.0, 140.0, _style(0, True))]
    )
    used = WORDS[: draw(st.integers(1, 12))]
    for word in used:
        size, bold, visible = draw(SIZES), draw(st.booleans()), draw(st.booleans())
        style = Style("Plain", size, bold, False, draw(COLORS), visible)
        placed = run(word, draw(anywhere(-60, 620)), draw(anywhere(-30, 870)), style)
        width = draw(st.sampled_from([GLYPH, GLYPH, GLYPH, 0.0, -3.0, 90.0]))
        placed.rights = [left + width for left in placed.lefts]
        placed.space_before = draw(st.booleans())
        placed.upright = draw(st.sampled_from([True, True, True, False]))
        content.runs.append(placed)
    content.rules = draw(
        st.lists(st.builds(_between, BOXES, COLORS, st.just(RuledLine)), max_size=8)
    )
    content.fills, content.images, content.drawings = (
        draw(st.lists(st.builds(_between, BOXES, COLORS, st.just(Area)), max_size=2))
        for _ in range(3)
    )
    return content, Counter(used)


SIZES = st.sampled_from([10.0, 10.0, 10.0, 6.0, 14.0, 1.0, 0.01, 200.0])
BOXES = st.tuples(
    anywhere(-50, 650),
    anywhere(-50, 900),
    anywhere(0, 400),
    st.sampled_from([0.0, 0.5, 0.5, 40.0, 500.0]),
)


def _between(box, color, kind):
    left, top, width, height = box
    return kind(left, top, left + width, top + height, color)


def lettering(block) -> str:
    """Return all words of a block, in force or not."""
    return (
        block.words
        if isinstance(block, Drawing)
        else " ".join(line.visible_text for line in iter_lines([block]))
    )


@pytest.mark.slow
@given(scattered_pages())
def test_wherever_words_are_each_letter_is_read_once(scattered):
    content, words = scattered
    content.strokes = content.rules
    page = layout_page(content)
    hidden = [s.text for line in iter_lines(page.blocks) for s in line.spans if s.state == "hidden"]
    texts = [*map(lettering, page.blocks), *page.picture_labels, *page.rotated_texts, *hidden]
    # Counted by letters: the line of a table may split a word.
    read, printed = Counter(filter(str.isalpha, "".join(texts))), Counter("".join(words))
    assert not read - printed
    assert not printed - read - Counter("".join(words_behind_print(content)))


def words_behind_print(content: PageContent) -> list[str]:
    """The words of 200 points on which smaller print begins: watermarks, which are left out."""
    upright = [run for run in content.runs if run.upright]
    smaller = [run for run in upright if run.style.size < 200.0]
    return [
        "".join(word.chars)
        for word in upright
        if word.style.size == 200.0
        and any(
            word.top < run.baseline <= word.baseline
            and word.lefts[0] < run.lefts[0] < max(word.rights)
            for run in smaller
        )
    ]


def test_a_large_word_that_print_begins_on_is_left_out_and_one_beside_print_is_not():
    small = _style(0, bold=False)
    for left, read in ((48.0, "1.1"), (40.0, "zbbbq1.1")):
        runs = [run("1.1", 72.0, 140.0, small), run("Wheels", 72.0, 300.0, small)]
        runs.append(run("zbbbq", left, 140.0, small._replace(size=200.0)))
        page = layout_page(PageContent(1, WIDTH, HEIGHT, 0, runs))
        assert [*map(lettering, page.blocks)] == [read, "Wheels"]


@pytest.mark.slow
@given(marked_pages().map(lambda page: page[0]) | scattered_pages().map(lambda page: page[0]))
def test_boxes_lie_on_the_page(content):
    book = read(content)
    wide, high = (HEIGHT, WIDTH) if content.turn % 2 else (WIDTH, HEIGHT)
    for clause in book.clauses if book else ():
        for left, top, right, bottom in boxes_of(clause):
            assert 0 <= left <= right <= wide
            assert 0 <= top <= bottom <= high


def boxes_of(clause):
    yield from (box for place in clause.places for box in place.boxes)
    yield from (box for mark in clause.marks for box in mark.boxes)
    yield from (figure.box for figure in clause.figures)


def test_a_cell_that_is_not_a_rectangle_is_read_once():
    style = _style(0, bold=False)
    corner, rest = run("Tube", 80.0, 118.0, style), run("Wall", 210.0, 148.0, style)
    across = [RuledLine(72.0, y, 330.0, y, 0) for y in (100.0, 160.0)]
    upright = [RuledLine(x, 100.0, x, 160.0, 0) for x in (72.0, 330.0)]
    around = [RuledLine(72.0, 130.0, 200.0, 130.0, 0), RuledLine(200.0, 100.0, 200.0, 130.0, 0)]
    page = layout_page(
        PageContent(1, 595.0, 842.0, 0, [corner, rest], rules=[*across, *upright, *around])
    )
    assert "".join(lettering(block) for block in page.blocks).split() == ["Tube", "Wall"]
