"""Accents that are drawn apart from their letters, as TeX does, become part of them."""

from itertools import chain
from unicodedata import combining, normalize

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont

from core.rulebook.quote_locator import find_quote_boxes
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper, spelled

SIZE = 11
SIGNS = dict(zip("\u0300\u0301\u0302\u0303\u0308\u030c\u0327", "`´ˆ˜¨ˇ¸", strict=True))
SIGNS |= dict(zip("\u0306\u0307\u030a\u0328", "˘˙˚˛", strict=True))
ABOVE = 230  # Unicode's class of marks above a letter
RULES = {
    "de": ["Die Übersicht für Züge gehört zur Prüfungsordnung;", "Änderungen müssen warten."],
    "et": ["Võistleja näitab ümbrikku kohtunikule, kes öösel šokolaadi", "ja žetoone ei võta."],
    "pt": [
        "A condução dá-se até às três horas; não há exceções,",
        "à parte as já previstas, lê-se.",
    ],
    "cs": ["Účastník závodu předloží kůň, žlutý štítek i číslo", "před během, jinak čeká."],
    "tr": ["Yarışmacı İzmir'de çağrıyı öğleden önce görür;", "güç şarttır, ılık su değil."],
    "pl": ["Każdy następny zespół płaci."],
}
ORDERS = ("before", "after", "line before", "line after")


@pytest.fixture(autouse=True, scope="module")
def vera():
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))


def width(text):
    return pdfmetrics.stringWidth(text, "Vera", SIZE)


def rulebook_with(lines, order):
    """Draw a rule whose accents are glyphs of their own, and one without accents below it."""
    paper = Paper(size=SIZE).heading("1", "TITLE").line(gap=8)
    for number, words in enumerate(lines):
        paper.line(number="" if number else "1.1")
        for sign in draw_apart(words, HEIGHT - paper.y, order):
            paper.at(*sign, font="Vera")
    return paper.heading("2", "NEXT").clause("2.1", "No word is lost here.").pdf()


def draw_apart(words, base, order):
    """The places of letters and their accents in the order of a file: next to each other or not."""
    x, letters, pairs = 100, "", []
    for letter, *marks in (normalize("NFD", sign) for sign in words):
        if letter == "i" and marks and combining(marks[0]) == ABOVE:
            letter = "ı"
        raised = 2.5 if letter.isupper() and marks and combining(marks[0]) == ABOVE else 0
        accents = [
            (x + (width(letter) - width(SIGNS[mark])) / 2, base - raised, SIGNS[mark])
            for mark in marks
        ]
        pairs.append((accents, [(x, base, letter)]))
        letters += letter
        x += width(letter)
    all_accents = [accent for accents, _ in pairs for accent in accents]
    whole = [(100, base, letters)]
    return {
        "before": list(chain.from_iterable(accents + letter for accents, letter in pairs)),
        "after": list(chain.from_iterable(letter + accents for accents, letter in pairs)),
        "line before": all_accents + whole,
        "line after": whole + all_accents,
    }[order]


def read_text(data):
    [clause] = [c for c in read_here(data).clauses if c.article == "1.1"]
    return clause.text


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("language", RULES)
def test_an_accent_above_or_below_a_letter_is_part_of_it(language, order):
    words = RULES[language]
    data = rulebook_with(words, order)
    assert read_text(data) == " ".join(words)
    assert find_quote_boxes(data, 1, words[0].split()[1])


def test_an_accent_beside_a_letter_is_a_sign_of_its_own():
    paper = Paper().heading("1", "TITLE").clause("1.1", "The sign ¨ is wide, and it can´t be ´ed.")
    assert read_text(paper.pdf()) == "The sign ¨ is wide, and it can´t be ´ed."


@pytest.mark.parametrize("stored", [" \u0308", "\u0308"])
def test_an_accent_that_its_font_names_a_mark_is_part_of_its_letter(stored):
    paper = Paper(size=SIZE).heading("1", "TITLE").clause("1.1", "Alle Zuge warten.")
    over = 100 + stringWidth("Alle Z", "Helvetica", SIZE)
    paper.at(over + 1.2, HEIGHT - paper.y, "¨").heading("2", "NEXT").clause("2.1", "Nothing.")
    letters = {chr(code): chr(code) for code in range(33, 127)}
    assert read_text(spelled(paper.pdf(), letters | {"¨": stored})) == "Alle Züge warten."
