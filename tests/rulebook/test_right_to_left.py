"""Lines of Arabic and Hebrew: in the order in which they are read."""

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.rulebook.layout.lines import build_line, build_text_rows
from core.rulebook.layout.text import line_text
from core.rulebook.pdf.page_content import GlyphRun, PageContent, Style
from core.rulebook.pdf.pages import open_pdf
from tests.rulebook.pdf_builder import spelled

STYLE = Style("Serif", 12.0, bold=False, italic=False, color=0, visible=True)


def run(text, right, backwards=True):
    """A run of letters of 6 points each that ends at `right`, as pdfium gives it."""
    lefts = [right - 6.0 * (number + 1) for number in range(len(text))]
    lefts = lefts if backwards else lefts[::-1]
    rights = [left + 6.0 for left in lefts]
    return GlyphRun(list(text), lefts, rights, 100.0, 112.0, 110.0, STYLE, True, True)


def read(*runs):
    content = PageContent(1, 600.0, 800.0, 0, list(runs))
    [row] = build_text_rows(content)
    line = build_line(row)
    return line_text(line), line


def test_a_number_behind_its_word_is_read_behind_it():
    text, line = read(run("3", 455, backwards=False), run("المادة", 500))
    assert text == "المادة 3"
    assert (line.left, line.right) == (449.0, 500.0)


def test_a_run_from_right_to_left_lies_between_its_last_and_its_first_letter():
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setFont("Helvetica", 12)
    canvas.drawString(100, 700, "EDCBA")
    canvas.save()
    with open_pdf(
        spelled(out.getvalue(), {"A": "ن", "B": "ت", "C": "ؤ", "D": "ث", "E": "ر"})
    ) as document:
        [row] = build_text_rows(document.read_page(1))
    line = build_line(row)
    assert line.left == pytest.approx(100, abs=1)
    assert line.right == pytest.approx(100 + canvas.stringWidth("EDCBA", "Helvetica", 12), abs=1)


def test_brackets_named_by_their_shape_are_turned_round():
    number = run("12", 468, backwards=False)
    pieces = run("رقم", 500), run(")", 478), number, run("(", 450), run("هنا", 440)
    assert read(*pieces)[0] == "رقم ( 12 ) هنا"


def test_words_of_other_scripts_keep_their_order():
    of, rule = run("of", 406, backwards=False), run("rule", 436, backwards=False)
    assert read(run("חוק ומשפט", 500), of, rule)[0] == "חוק ומשפט of rule"


def test_lines_of_other_scripts_are_left_as_they_are():
    assert read(run("one", 100, backwards=False), run("two", 130, backwards=False))[0] == "one two"


def test_letters_that_one_glyph_joins_keep_their_order():
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setFont("Helvetica", 12)
    canvas.drawString(72, 700, "EDCB A")  # from right to left: A, a blank, B, C, D, E
    canvas.save()
    with open_pdf(
        spelled(out.getvalue(), {"A": "لا", "B": "ت", "C": "ؤ", "D": "ث", "E": "ر"})
    ) as document:
        [row] = build_text_rows(document.read_page(1))
    assert line_text(build_line(row)) == "لا تؤثر"
