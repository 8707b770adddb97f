"""Accents that are drawn apart from their letters, as TeX does, become part of them."""

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from reportlab.pdfbase.pdfmetrics import stringWidth

from core.rulebook.quote_locator import find_quote_boxes
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper

SIZE = 11
ACCENTS = "¨´`¸ˆ"


def width(text):
    return stringWidth(text, "Helvetica", SIZE)


def rulebook_with(words, accent_first=True):
    """Draw a rule in which each accent of `words` is a glyph of its own over the next letter."""
    paper = Paper(size=SIZE).heading("1", "TITLE").line(number="1.1", gap=16)
    x, base = 100, HEIGHT - paper.y
    pieces = iter(words)
    for sign in pieces:
        if sign not in ACCENTS:
            paper.at(x, base, sign)
            x += width(sign)
            continue
        letter = next(pieces)
        raised = 3 if letter.isupper() else 0
        over = (x + (width(letter) - width(sign)) / 2, base - raised, sign)
        drawn = [over, (x, base, letter)]
        for each in drawn if accent_first else reversed(drawn):
            paper.at(*each)
        x += width(letter)
    return paper.pdf()


def read_text(data):
    [clause] = [c for c in read_here(data).clauses if c.article == "1.1"]
    return clause.text


@pytest.mark.parametrize("accent_first", [True, False])
def test_an_accent_over_a_letter_is_part_of_it(accent_first):
    words = "Die ¨Ubersicht f¨ur Z¨uge; un v´ehicule gar¸con d´ej`a lˆa."
    data = rulebook_with(words, accent_first)
    assert read_text(data) == "Die Übersicht für Züge; un véhicule garçon déjà lâ."
    assert find_quote_boxes(data, 1, "Übersicht für Züge")


def test_an_accent_beside_a_letter_is_a_sign_of_its_own():
    paper = Paper().heading("1", "TITLE").clause("1.1", "The sign ¨ is wide, and it can´t be ´ed.")
    assert read_text(paper.pdf()) == "The sign ¨ is wide, and it can´t be ´ed."
