"""Gaps too narrow for a blank and too wide for a word: the words of the document decide."""

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper

SIZE = 11


def rulebook_with(words, *others, gap):
    """Draw a rule whose parts are `gap` ems apart, without blanks in the file, below others."""
    paper = Paper(size=SIZE).heading("1", "TITLE")
    for number, other in enumerate(others, start=1):
        paper.clause(f"1.{number}", other)
    paper.heading("2", "NEXT").line(number="2.1", gap=8)
    x = 100
    for part in words.split("|"):
        paper.at(x, HEIGHT - paper.y, part)
        x += stringWidth(part, "Helvetica", SIZE) + gap * SIZE
    return paper.pdf()


def read_text(data):
    [clause] = [c for c in read_here(data).clauses if c.article == "2.1"]
    return clause.text


@pytest.mark.parametrize("gap", [0.1, 0.13])
def test_a_narrow_gap_parts_words_that_the_document_has_apart(gap):
    rules = "No penalty is added twice.", "Ten points are the most."
    assert read_text(rulebook_with("Add 25 penalty|points.", *rules, gap=gap)) == (
        "Add 25 penalty points."
    )
    assert read_text(rulebook_with("Add 25 penalty|points.", gap=gap)) == "Add 25 penaltypoints."


@pytest.mark.parametrize("gap", [0.17, 0.19])
def test_a_gap_within_a_word_that_the_document_has_whole_parts_nothing(gap):
    rules = "The limit is 60 VDC here.", "Each V shape and each DC source is drawn."
    assert read_text(rulebook_with("At most 600 V|DC.", rules[0], gap=gap)) == "At most 600 VDC."
    assert read_text(rulebook_with("At most 600 V|DC.", rules[1], gap=gap)) == "At most 600 V DC."


@pytest.mark.parametrize("gap", [0.09, 0.15])
def test_a_blank_of_the_file_parts_words_however_narrow_it_is(gap):
    paper = Paper(size=SIZE).heading("2", "NEXT").line(number="2.1", gap=8)
    base, end = HEIGHT - paper.y, 100 + stringWidth("Add penalty", "Helvetica", SIZE)
    paper.at(100, base, "Add penalty ").at(end + gap * SIZE, base, "points.")
    assert read_text(paper.pdf()) == "Add penalty points."
