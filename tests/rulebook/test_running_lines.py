"""Headers and footers, and the rules drawn with them, are no part of equations and tables."""

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper

WORDS = "ash birch cedar dogwood elm fir".split()


def read_pages(decorate):
    """Read six pages whose last line is just above the footer that `decorate` draws."""
    paper = Paper()
    for page, word in enumerate(WORDS, start=1):
        if page > 1:
            paper.page()
        paper.heading(str(page), f"WOOD OF {word.upper()}")
        paper.clause(f"{page}.1", "A plank of this wood is sanded.")
        paper.y = 86
        paper.clause(f"{page}.2", f"The last words are about {word}.")
        decorate(paper, page)
    return {clause.article: clause for clause in read_here(paper.pdf()).clauses}


def footer_below_a_short_rule(paper, page):
    paper.canvas.line(72, 52, 300, 52)
    paper.at(72, HEIGHT - 40, f"Plank Rules 2025   {page}", size=9)


def footer_between_three_rules(paper, page):
    for y in (52, 36, 20):
        paper.canvas.line(72, y, 520, y)
    for y, left, right in ((40, "Plank Rules 2025", f"Page {page}"), (25, "Club", "Issue 4")):
        paper.at(72, HEIGHT - y, left, size=9).at(480, HEIGHT - y, right, size=9)


def header_in_a_grid(paper, page):
    for x, width, text in ((72, 150, "Club"), (222, 200, "Plank Rules"), (422, 99, f"Page {page}")):
        paper.canvas.rect(x, HEIGHT - 60, width, 24)
        paper.at(x + 5, 52, text, size=9)


@pytest.mark.parametrize(
    "decorate", [footer_below_a_short_rule, footer_between_three_rules, header_in_a_grid]
)
def test_running_lines_take_no_line_of_the_text_with_them(decorate):
    found = read_pages(decorate)
    assert len(found) == 3 * len(WORDS)
    for page, word in enumerate(WORDS, start=1):
        assert found[f"{page}.1"].text == "A plank of this wood is sanded."
        assert found[f"{page}.2"].text == f"The last words are about {word}."
    assert not any(clause.figures for clause in found.values())


def test_a_table_ends_before_the_rule_of_the_footer():
    def decorate(paper, page):
        if page == 3:
            paper.y = 186
            for name, size in (("Part", "Size"), ("Keel", "A"), ("Deck", "B"), ("Mast", "C")):
                paper.line(name, left=120, gap=6).at(240, HEIGHT - paper.y, size)
                paper.canvas.line(72, paper.y - 6, 300, paper.y - 6)
        footer_below_a_short_rule(paper, page)

    found = read_pages(decorate)
    assert found["3.1"].text.endswith("| Deck | B |\n| Mast | C |")
    assert found["3.2"].text == "The last words are about cedar."


def test_the_head_of_a_table_on_every_page_is_no_header():
    paper = Paper()
    paper.headers_footers = [(72, 40, "Plank Rules 2025"), (300, HEIGHT - 30, "Page #")]
    paper.heading("1", "PLANKS").clause("1.1", "The planks are:")
    for page in range(1, 7):
        rows = [[f"{one} {page}", other] for one in WORDS for other in WORDS[:5]]
        paper.grid([["Plank", "Glued to"], *rows])
        if page < 6:
            paper.page()
            paper.y += 20
    [clause] = [c for c in read_here(paper.pdf()).clauses if c.article == "1.1"]
    head, *rows = clause.text.splitlines()[1:]
    assert head == "| Plank | Glued to |"
    assert "Plank" not in " ".join(rows)
    assert len(rows) == 1 + 6 * 30


@pytest.mark.parametrize("label", ["Page 1", "1", "- 1 -", "Seite 1 von 1"])
def test_the_number_of_the_only_page_is_no_law(label):
    paper = Paper().heading("1", "WOOD").clause("1.1", "A plank is sanded.")
    paper.clause("1.2", "A beam is not.").at(280, 800, label)
    found = read_here(paper.pdf()).clauses
    assert [clause.text for clause in found] == ["", "A plank is sanded.", "A beam is not."]


def laws_in_headers(word, numbers, printed="", footer=False):
    """Two pages for each law, whose number is in the running line alone, or `printed` too."""
    paper = Paper()
    for number in numbers:
        for half in ("first", "second"):
            y = 800 if footer else 40
            paper.y -= 80  # the text is away from the running lines
            paper.at(72, y, f"{word} {number}").at(380, y, "Games of the Meadow")
            if printed and half == "first":
                paper.line(printed.format(number), left=72, bold=True, gap=10)
            for line in range(6):
                text = f"In game {number} the {half} bell rings and {line} players must wait."
                paper.line(text, left=72)
            paper.page()
    return read_here(paper.pdf())


@pytest.mark.parametrize("footer", [False, True])
@pytest.mark.parametrize("word", ["LAW", "Regel"])
def test_numbers_that_only_running_lines_have_begin_articles(word, footer):
    book = laws_in_headers(word, range(1, 6), footer=footer)
    assert len(book.clauses) == 5
    for number, clause in enumerate(book.clauses, start=1):
        assert clause.article in (str(number), f"LAW {number}")
        assert clause.text.startswith(f"In game {number} the first bell")
        assert "Meadow" not in clause.text


@pytest.mark.parametrize("printed", ["{}. THE GAME", "{}.1 The game"])
def test_numbers_of_running_lines_that_are_printed_below_begin_no_article_twice(printed):
    book = laws_in_headers("Section", range(1, 6), printed)
    assert len(book.clauses) == 5
