"""Pages are drawn and searched in a process of their own: whatever happens to it is a ReadError."""

import pytest

from core.errors import ReadError
from core.rulebook import locate_quote, page_image
from core.rulebook.quote_locator import find_quote_boxes
from tests.rulebook.pdf_builder import Paper


@pytest.fixture(scope="module")
def rules():
    paper = Paper().heading("1.", "SPEED")
    return paper.clause("1.1", "The pit lane speed limit is 80 km/h.").pdf()


def test_a_page_is_drawn_and_a_quote_found_as_in_one_process(rules):
    assert page_image(rules, 1, 0.5).startswith(b"\x89PNG")
    quote = "The pit lane speed limit is 80 km/h."
    assert locate_quote(rules, 1, quote) == find_quote_boxes(rules, 1, quote) != ()


def test_a_missing_page_and_a_broken_file_raise_an_error(rules):
    with pytest.raises(ReadError, match="Page 9"):
        page_image(rules, 9, 1.0)
    with pytest.raises(ReadError):
        locate_quote(b"%PDF-1.7 nothing", 1, "speed limit")


def test_a_huge_page_ends_its_process_and_nothing_else(rules):
    with pytest.raises(ReadError, match="cannot be shown"):
        page_image(rules, 1, 400.0)
