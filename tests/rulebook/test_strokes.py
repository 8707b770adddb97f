"""A stroke deletes the glyphs that it crosses, whatever their size and height on the line."""

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper

STRIKE = 0.27  # ems above the baseline


def read_line(*parts):
    """Read a clause of one line: its words in force, and those deleted.

    Parts are (text, size, rise, y of a stroke through or below it, None for none).
    """
    paper = Paper().heading("1", "AREAS").line(number="1.1", gap=16)
    x = 100
    for text, size, rise, stroke in parts:
        paper.at(x, HEIGHT - paper.y - rise, text, size=size)
        end = x + stringWidth(text, "Helvetica", size)
        if stroke is not None:
            paper.canvas.setLineWidth(0.6)
            paper.canvas.line(x, paper.y + stroke, end, paper.y + stroke)
        x = end
    [clause] = [c for c in read_here(paper.pdf()).clauses if c.article == "1.1"]
    return clause.text, clause.deleted


def plain(text, stroke=None):
    return text, 11, 0, stroke


def raised(text, stroke=None):
    return text, 7, 4, stroke


def lowered(text, stroke=None):
    return text, 7, -3, stroke


THROUGH_LINE, THROUGH_RAISED, THROUGH_LOWERED = STRIKE * 11, 4 + STRIKE * 7, -3 + STRIKE * 7
BELOW_LINE = -1.5


def test_a_superscript_is_struck_at_its_own_height():
    kept = plain(" and 60 mm"), raised("3"), plain(" are left.")
    gone = plain("50 mm", THROUGH_LINE), raised("2", THROUGH_RAISED)
    assert read_line(plain("Areas of "), *gone, *kept) == (
        "Areas of and 60 mm³ are left.",
        ("50 mm²",),
    )


def test_a_stroke_through_the_line_strikes_its_superscripts_too():
    gone = plain("50 mm", THROUGH_LINE), raised("2", THROUGH_LINE)
    assert read_line(plain("Areas of "), *gone, plain(" are left.")) == (
        "Areas of are left.",
        ("50 mm²",),
    )


def test_only_the_struck_one_of_two_superscripts_is_deleted():
    powers = raised("3", THROUGH_RAISED), raised("2")
    assert read_line(plain("An area of 50 mm"), *powers)[0] == "An area of 50 mm²"
    words = plain("fast", THROUGH_LINE), raised("2"), plain(" here.")
    assert read_line(plain("A car runs "), *words)[0] == "A car runs ² here."


def test_an_index_is_struck_at_its_own_height_but_not_by_an_underline():
    struck = lowered("max", THROUGH_LOWERED), lowered("min")
    assert read_line(plain("The voltage U"), *struck)[0] == "The voltage U_min"
    underlined = plain("U", BELOW_LINE), lowered("max", BELOW_LINE)
    assert read_line(plain("The voltage "), *underlined) == ("The voltage U_max", ())


def test_a_border_above_small_print_beside_large_print_deletes_nothing():
    large, small = ("A", 30, 0, None), (" small words", 9, 0, 11.0)
    assert read_line(large, small)[1] == ()


def test_the_bar_of_a_fraction_in_a_line_deletes_nothing():
    paper = Paper().heading("1", "AREAS").line(number="1.1", gap=16)
    base = HEIGHT - paper.y
    paper.at(100, base, "Each wing has").at(178, base, "of the area.")
    paper.at(173, base - 5, "1", size=6).at(173, base + 2, "4", size=6)
    paper.canvas.setLineWidth(0.4)
    paper.canvas.line(172, paper.y + 3.5, 177, paper.y + 3.5)
    [clause] = [c for c in read_here(paper.pdf()).clauses if c.article == "1.1"]
    assert clause.deleted == ()


def test_a_raised_mark_that_is_hardly_smaller_is_part_of_its_line():
    text, _ = read_line(plain("until the 24"), ("th", 9.2, 5, None), plain(" of January"))
    assert text == "until the 24th of January"
