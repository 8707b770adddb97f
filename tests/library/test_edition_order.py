"""How a document stands among the other issues of its family."""

from dataclasses import replace

from core.library.ingestion.edition_order import Standing, standing
from core.library.types import Document

FOURTH = Document(
    "4", "four.pdf", "Cup Rules", "cup", 2025, 4, None, 1, 1, 1, "2025-01-01T00:00:00"
)
FIFTH = replace(FOURTH, document_id="5", issue=5)
NEXT_YEAR = replace(FOURTH, document_id="1", season=2026, issue=1)
OTHER = replace(FOURTH, document_id="o", family="other", issue=9)
ALL = (FOURTH, FIFTH, NEXT_YEAR, OTHER)


def test_the_issue_before_and_the_newest_are_told():
    assert standing(FOURTH, ALL) == Standing(later=NEXT_YEAR)
    assert standing(FIFTH, ALL) == Standing(earlier=FOURTH, later=NEXT_YEAR)
    assert standing(NEXT_YEAR, ALL) == Standing(earlier=FIFTH)
    assert standing(OTHER, ALL) == Standing()


def test_another_file_of_the_same_issue_is_told():
    assert standing(replace(FOURTH, document_id="copy"), ALL).same == FOURTH


def test_a_document_that_is_not_described_stands_nowhere():
    assert standing(replace(FIFTH, issue=None), ALL) == Standing()
    assert standing(FIFTH, [replace(FOURTH, season=None)]) == Standing()
