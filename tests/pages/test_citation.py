"""An opened citation: the page with the quote marked, and the clause beside it. Offline."""

import io

import pytest
from PIL import Image

from core.library import OMISSION_MARK, Hit
from core.rulebook.page_renders import MARKER_COLOR, draw_marked_page
from core.verification.evidence import Evidence, cite
from pages.components.citation import citation_boxes
from pages.components.page_image import cached_quote_boxes
from tests.pages.visit import ask, opened, text_of, unfolded

SPEED = "What is the pit lane speed limit?"
QUOTE = "The pit lane speed limit is 50 km/h during the whole Event."


def citations(app):
    return [button for button in app.main.button if str(button.key).startswith("cite-")]


@pytest.mark.slow
def test_a_citation_opens_its_page_beside_its_clause(sporting):
    app = ask(opened(), SPEED)
    [citation] = citations(app)
    citation.click().run()
    assert not app.exception
    text = text_of(app)
    assert "Page 9 of 19" in text
    assert "\n2024 Meridian Cup Sporting Regulations, Issue 1 (invented)\n" in text
    assert QUOTE in app.text[-1].value
    assert len(app.get("image")) == 1
    assert "not marked" not in text


@pytest.mark.slow
def test_an_address_that_names_a_citation_opens_its_page(sporting):
    app = ask(opened(), SPEED)
    citations(app)[0].click().run()
    assert "cite" in app.query_params
    app.button(key="close-citation").click().run()
    assert "cite" not in app.query_params
    assert "Page 9 of 19" not in text_of(app)


@pytest.mark.slow
def test_a_citation_stays_open_when_the_page_is_loaded_anew(sporting):
    app = ask(opened(), SPEED)
    citations(app)[0].click().run()
    again = opened(**app.query_params)
    assert "Page 9 of 19" in text_of(again)


@pytest.mark.slow
def test_an_address_of_a_citation_that_the_run_has_not_opens_none(sporting):
    app = ask(opened(), SPEED)
    run = str(citations(app)[0].key).split("-", 1)[1].rpartition("-")[0]
    for wrong in (f"{run}.7", f"{run}.", "nonsense", f"{run}.-1"):
        assert "Page 9 of 19" not in text_of(opened(chat=app.query_params["chat"], cite=wrong))


@pytest.mark.slow
def test_a_place_is_told_once(sporting):
    app = ask(opened(), SPEED)
    assert "Article 21.3, page 9" in citations(app)[0].label.replace("\\", "")
    assert "Article 21.3, page 9" not in text_of(app)


@pytest.mark.slow
def test_a_citation_can_be_copied_as_one_writes_it(sporting):
    app = ask(opened(), SPEED)
    citations(app)[0].click().run()
    copied = [code.value for code in app.code]
    assert "2024 Meridian Cup Sporting Regulations, Issue 1 (invented), Art. 21.3, p. 9" in copied
    assert any(text.startswith("“The pit lane speed limit is 50 km/h") for text in copied)


@pytest.mark.slow
def test_an_answer_can_be_copied_with_its_places(sporting):
    app = ask(opened(), SPEED)
    run_id = citations(app)[0].key.removeprefix("cite-").rpartition("-")[0]
    unfolded(app, f"copy-{run_id}")
    assert app.code[0].value.endswith(
        "[1] 2024 Meridian Cup Sporting Regulations, Issue 1 (invented), Art. 21.3, p. 9"
    )


@pytest.mark.slow
def test_an_opened_citation_leads_to_its_clause_in_browse(sporting):
    app = ask(opened(), SPEED)
    citations(app)[0].click().run()
    [link] = [link for link in app.get("page_link") if link.label == "Open in its rulebook"]
    assert link.proto.query_string.startswith("clause=")


@pytest.mark.slow
def test_the_strip_around_a_quote_holds_it_and_is_less_than_half_the_page(sporting):
    file = sporting.stored_file(sporting.documents()[0].document_id)
    boxes = cached_quote_boxes(file, 9, QUOTE, ())
    whole, strip = (
        Image.open(io.BytesIO(draw_marked_page(file, 9, boxes, zoom))) for zoom in (1.0, 0.0)
    )
    assert (strip.width, strip.height < whole.height / 2) == (whole.width, True)
    assert count_marked_pixels(strip) == count_marked_pixels(whole) > 1_000


def count_marked_pixels(image):
    return sum(count for count, colour in image.getcolors(1_000_000) if colour == MARKER_COLOR)


@pytest.mark.slow
def test_a_quote_that_goes_on_overleaf_says_so_on_both_pages(sporting):
    clauses = sporting.clauses(sporting.documents()[0].document_id)
    [clause] = [clause for clause in clauses if clause.article == "29.2"]
    first, last = clause.page_first, clause.page_last
    app = ask(opened(), "What does Article 29.2 say?")
    next(b for b in citations(app) if "Article 29.2" in b.label.replace("\\", "")).click().run()
    next(b for b in app.main.button if b.label == f"Also on page {last}").click().run()
    assert f"Page {last} of" in text_of(app)
    assert any(button.label == f"Also on page {first}" for button in app.main.button)


@pytest.mark.slow
def test_one_can_leaf_through_the_document(sporting):
    app = ask(opened(), SPEED)
    citations(app)[0].click().run()
    app.button(key="turn-next").click().run()
    assert not app.exception
    assert citations(app)


@pytest.mark.slow
def test_a_document_that_has_left_the_library_still_shows_its_clause(sporting):
    app = ask(opened(), SPEED)
    sporting.remove_document(sporting.documents()[0].document_id)
    citations(app)[0].click().run()
    assert not app.exception
    assert "There is no picture of the page" in text_of(app)
    assert "The pit lane speed limit is 50 km/h" in app.text[-1].value


def test_a_document_without_pages_shows_its_clause(library):
    app = ask(opened(), "What is the speed limit in the pit lane?")
    citations(app)[0].click().run()
    assert not app.exception
    assert "There is no picture of the page" in text_of(app)
    assert (
        app.text[-1].value
        == "The speed limit in the pit lane is 50 km/h throughout the Event, for every car."
    )


@pytest.mark.slow
def test_the_words_of_the_quote_are_marked_in_the_picture_of_the_page(sporting):
    file = sporting.stored_file(sporting.documents()[0].document_id)
    [box] = cached_quote_boxes(file, 9, QUOTE, ())
    marked, plain = (
        Image.open(io.BytesIO(draw_marked_page(file, 9, boxes, 1.0))) for boxes in ((box,), ())
    )
    assert marked.size == plain.size
    point = (round(2 * box[0]) - 1, round(box[1] + box[3]))
    assert (plain.getpixel(point), marked.getpixel(point)) == ((255, 255, 255), MARKER_COLOR)


@pytest.mark.slow
def test_of_an_item_its_words_and_what_leads_to_them_are_marked(sporting):
    document = sporting.documents()[0].document_id
    [clause] = [clause for clause in sporting.clauses(document) if clause.article == "7.3"]
    [found] = Evidence().add_hits([Hit(clause, 1.0, "exact")], {})
    quote = f"The Race Director alone decides on:\n{OMISSION_MARK}c) the use of the safety car"
    boxes = citation_boxes(sporting, sporting.stored_file(document), cite(found, quote), 4)
    assert len(boxes) == 2


@pytest.mark.slow
def test_an_enlarged_page_shows_the_marked_words(sporting):
    file = sporting.stored_file(sporting.documents()[0].document_id)
    boxes = cached_quote_boxes(file, 9, QUOTE, ())
    whole, part = (
        Image.open(io.BytesIO(draw_marked_page(file, 9, boxes, zoom))) for zoom in (1.0, 3.0)
    )
    assert part.size == whole.size
    assert count_marked_pixels(part) > 5_000


@pytest.mark.slow
def test_a_quote_that_is_cut_says_so_where_its_place_is_told(sporting):
    app = ask(opened(), "May a driver take a drive-through penalty in the last laps?")
    assert any("(in part), page" in button.label.replace("\\", "") for button in citations(app))
    assert "(in part)" not in text_of(app)
