"""Boxes of quotes: the words under them are the quote, or there are none."""

import io
import os
import re
import unicodedata
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader, PdfWriter

from core.errors import ReadError
from core.grammar.sentences import split_sentences
from core.rulebook.quote_locator import find_quote_boxes
from tests.made_once import SHELF, needs_shelf
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import Paper

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"
QUOTES = int(os.environ.get("QUOTES", "5"))
"""Of each published rulebook; with 50 it is looked at 600."""
LIGATURES = re.compile(r"ff[il]?|f[ilt]|t[tih]")


def fold(text):
    """Letters and digits, without case and accents."""
    whole = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in whole if character.isalnum())


def text_in_boxes(data, page, boxes):
    """The letters and digits whose glyphs have their middle in a box; for unrotated pages."""
    with pypdfium2.PdfDocument(data) as pdf:
        pdf_page = pdf[page - 1]
        left, _, _, top = pdf_page.get_bbox()
        text = pdf_page.get_textpage()
        glyphs = [
            (text.get_charbox(index), text.get_text_range(index, 1))
            for index in range(text.count_chars())
        ]
        return fold(
            "".join(
                character
                for (x0, y0, x1, y1), character in glyphs
                if any(
                    b[0] <= (x0 + x1) / 2 - left <= b[2] and b[1] <= top - (y0 + y1) / 2 <= b[3]
                    for b in boxes
                )
            )
        )


def marked_text(data, clause, quote):
    """The marked words of a quote, on the page where it begins and those after it."""
    found = ""
    for page in range(clause.page_first, clause.page_last + 1):
        near = [box for place in clause.places if place.page == page for box in place.boxes]
        found += text_in_boxes(data, page, find_quote_boxes(data, page, quote, near))
        if len(found) >= len(fold(quote)):
            break
    return found


def quotable_sentences(clauses):
    """Every sentence of the numbered clauses in force, with its clause.

    Preambles are covers and titles; "[Equation ..." is our own text.
    """
    return [
        (clause, sentence)
        for clause in clauses
        if clause.status == "in_force" and clause.article != "Preamble"
        for sentence in split_sentences(clause.text)
        if len(fold(sentence)) >= 12 and not sentence.startswith("[Equation")
    ]


def same_letters(found, quote):
    """True for the same letters; a font may extract a ligature as other letters or not at all."""
    wanted = fold(quote)
    loose = LIGATURES.sub(lambda ligature: f"(?:{ligature[0]}|.{{0,2}})", wanted)
    return found == wanted or re.fullmatch(loose, found) is not None


@cache
def read_sample():
    data = SAMPLE.read_bytes()
    return data, read_here(data, SAMPLE.name)


def find_clause(article):
    return next(clause for clause in read_sample()[1].clauses if clause.article == article)


@pytest.mark.slow
def test_sentences_of_a_rulebook_are_marked_word_for_word_or_not_at_all():
    data, rulebook = read_sample()
    found = [
        (fold(quote), marked_text(data, clause, quote))
        for clause, quote in quotable_sentences(rulebook.clauses)[::15]
    ]
    assert not [(quote, words) for quote, words in found if words not in (quote, "")]
    assert len([quote for quote, words in found if words]) >= 0.95 * len(found) > 20


@pytest.mark.slow
def test_struck_words_within_a_quote_are_passed_over():
    data, _ = read_sample()
    quote = find_clause("21.6.2").text
    boxes = find_quote_boxes(data, 10, quote)
    assert text_in_boxes(data, 10, boxes) == fold(quote)
    assert len(boxes) == 3


@pytest.mark.slow
def test_a_line_has_one_box():
    data, _ = read_sample()
    [box] = find_quote_boxes(data, 9, "The pit lane speed limit is 50 km/h during the whole Event.")
    assert box[0] == pytest.approx(102, abs=2)
    assert 700 < box[1] < box[3] < 716


@pytest.mark.slow
def test_case_hyphens_quotes_and_spaces_do_not_matter():
    data, _ = read_sample()
    assert find_quote_boxes(data, 9, "“THE pit-lane  speed limit is 50km/h") == find_quote_boxes(
        data, 9, "The pit lane speed limit is 50 km/h"
    )


def test_a_quote_goes_over_two_pages():
    data, _ = read_sample()
    clause = find_clause("31.4")
    quote = split_sentences(clause.text)[-1]
    parts = []
    for page in (clause.page_first, clause.page_last):
        near = [box for place in clause.places if place.page == page for box in place.boxes]
        parts.append(text_in_boxes(data, page, find_quote_boxes(data, page, quote, near)))
    assert all(parts)
    assert "".join(parts) == fold(quote)


@pytest.mark.parametrize(
    ("page", "quote"),
    [
        (9, "The pit lane speed limit is 90 km/h during the whole Event."),
        (10, "The pit lane speed limit is 50 km/h during the whole Event."),
        (9, "“ ”"),
        (10, "The use of a powered lifting device in the Working Lane is allowed"),  # struck
    ],
)
def test_words_missing_from_the_page_or_deleted_are_not_marked(page, quote):
    assert find_quote_boxes(read_sample()[0], page, quote) == ()


def test_words_that_occur_twice_are_marked_within_their_clause_or_not_at_all():
    data, _ = read_sample()
    twice = "Fast Lane"
    assert find_quote_boxes(data, 10, twice) == ()
    near = [box for place in find_clause("21.10").places for box in place.boxes]
    assert text_in_boxes(data, 10, find_quote_boxes(data, 10, twice, near)) == "fastlane"


def test_a_quote_is_marked_from_the_beginning_of_its_first_word():
    data = Paper().line("(ii) deduction of points;").line("(i) deduction of points.").pdf()
    page = [(0, 0, 595, 842)]
    [other] = find_quote_boxes(data, 1, "(ii) deduction of points", page)
    [box] = find_quote_boxes(data, 1, "(i) deduction of points", page)
    assert text_in_boxes(data, 1, [box]) == "ideductionofpoints"
    assert box[1] > other[1]


def test_on_a_turned_page_the_places_are_those_of_the_page_as_shown():
    data, _ = read_sample()
    writer = PdfWriter()
    writer.add_page(PdfReader(io.BytesIO(data)).pages[8]).rotate(90)
    turned = io.BytesIO()
    writer.write(turned)
    quote = "The pit lane speed limit is 50 km/h during the whole Event."
    [upright] = find_quote_boxes(data, 9, quote)
    [box] = find_quote_boxes(turned.getvalue(), 1, quote)
    assert (box[1], box[3]) == pytest.approx((upright[0], upright[2]))
    assert box[3] - box[1] > 10 * (box[2] - box[0])


def test_a_missing_page_is_refused():
    data, _ = read_sample()
    with pytest.raises(ReadError, match="no page 99"):
        find_quote_boxes(data, 99, "The pit lane speed limit")


@pytest.mark.slow
@needs_shelf
@pytest.mark.parametrize("part", range(3))
def test_quotes_of_published_rulebooks_are_marked_word_for_word(published, part):
    files, wrong = sorted(SHELF.glob("*.pdf"))[part::3], []
    for file in files:
        data, quotes = file.read_bytes(), quotable_sentences(published(file.stem)[1])
        chosen = [quotes[index * len(quotes) // QUOTES] for index in range(QUOTES)]
        wrong += [
            (file.name, clause.article, quote)
            for clause, quote in chosen
            if not same_letters(marked_text(data, clause, quote), quote)
        ]
    assert len(wrong) <= max(1, QUOTES * len(files) // 100), "\n".join(map(str, wrong))
