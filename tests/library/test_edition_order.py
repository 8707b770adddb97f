"""The other issues of a document's family by age."""

from dataclasses import replace

from core.library.scope import EditionStatus, edition_status, newest_two
from core.library.types import Document

FOURTH = Document(
    title="Cup Rules",
    family="cup",
    season=2025,
    issue=4,
    document_id="4",
    file="four.pdf",
    pages=1,
    clauses=1,
    size=1,
    added_at="2025-01-01T00:00:00",
)
FIFTH = replace(FOURTH, document_id="5", issue=5)
NEXT_YEAR = replace(FOURTH, document_id="1", season=2026, issue=1)
OTHER = replace(FOURTH, document_id="o", family="other", issue=9)
ALL = (FOURTH, FIFTH, NEXT_YEAR, OTHER)


def test_the_issue_before_and_the_newest_are_found():
    assert edition_status(FOURTH, ALL) == EditionStatus(later=NEXT_YEAR)
    assert edition_status(FIFTH, ALL) == EditionStatus(earlier=FOURTH, later=NEXT_YEAR)
    assert edition_status(NEXT_YEAR, ALL) == EditionStatus(earlier=FIFTH)
    assert edition_status(OTHER, ALL) == EditionStatus()


def test_another_file_of_the_same_issue_is_found():
    assert edition_status(replace(FOURTH, document_id="copy"), ALL).same == FOURTH


def test_a_document_without_season_or_issue_has_no_order():
    assert edition_status(replace(FIFTH, issue=None), ALL) == EditionStatus()
    assert edition_status(FIFTH, [replace(FOURTH, season=None)]) == EditionStatus()


def test_the_two_newest_issues_are_of_one_rulebook():
    assert newest_two(ALL) == (FIFTH, NEXT_YEAR)
    later = replace(OTHER, document_id="l", season=2027)
    assert newest_two([*ALL, later]) == (OTHER, later)


def test_without_two_issues_of_one_rulebook_there_is_no_pair():
    assert newest_two([FOURTH, OTHER]) is None
    assert newest_two([FOURTH, replace(FOURTH, document_id="copy")]) is None
    assert newest_two([replace(one, family=None) for one in ALL]) is None
