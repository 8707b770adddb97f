"""The other issues of a document's family by age."""

from dataclasses import replace

import pytest

from core.library import Editions
from core.library.scope import resolve_scope
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


def status(document, documents):
    """The editions before and after a document."""
    editions = Editions(documents)
    return editions.find_earlier(document), editions.find_later(document)


def test_the_issue_before_and_the_newest_are_found():
    assert status(FOURTH, ALL) == (None, NEXT_YEAR)
    assert status(FIFTH, ALL) == (FOURTH, NEXT_YEAR)
    assert status(NEXT_YEAR, ALL) == (FIFTH, None)
    assert status(OTHER, ALL) == (None, None)


def test_another_file_of_the_same_issue_is_found():
    assert Editions(ALL).find_twin(replace(FOURTH, document_id="copy")) == FOURTH


def test_a_document_is_ordered_by_what_it_shares_with_others():
    without_issue = replace(FIFTH, issue=None)
    assert status(without_issue, [FOURTH, FIFTH]) == (None, None)
    assert status(without_issue, ALL) == (None, NEXT_YEAR)
    assert status(FIFTH, [replace(FOURTH, season=None)]) == (None, None)
    assert status(replace(FIFTH, family=None), ALL) == (None, None)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"version": "v1.2"}, {"version": "v1.10"}),
        ({"issue": 1}, {"version": "Version 1.0.1"}),
        ({"version": "V0.9"}, {"issue": 1}),
        ({"version": "Rev. B"}, {"version": "Rev. C"}),
        ({"version": "Version 1.2a"}, {"version": "Version 1.2b"}),
        ({"version": "Version 2025.2", "issue": 2}, {"version": "Version 2025.3", "issue": 3}),
        ({"version": "Rev. C", "season": 2024}, {"version": "Rev. A", "season": 2025}),
        ({"date": "2024-12-31"}, {"season": 2025}),
        ({"date": "2025-03-12", "version": "v2.0"}, {"date": "2025-04-01", "version": "v1.9"}),
        ({"season": 2025, "date": "2024-11-01"}, {"season": 2025, "date": "2025-01-01"}),
    ],
)
def test_editions_are_ordered_by_year_version_and_date_as_printed(before, after):
    one, other = (replace(FOURTH, **{"season": None, "issue": None} | it) for it in (before, after))
    assert one.is_before(other)
    assert not other.is_before(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"version": "v1.2"}, {"date": "2025-03-12"}),
        ({"season": 2025, "issue": 3}, {"season": 2025}),
        ({"version": "v1.2", "season": 2025}, {"version": "v1.3"}),
        ({}, {"season": 2025}),
    ],
)
def test_nothing_is_guessed_of_editions_that_print_different_things(one, other):
    first, second = (replace(FOURTH, **{"season": None, "issue": None} | it) for it in (one, other))
    assert not first.is_before(second)
    assert not second.is_before(first)


def test_a_rulebook_whose_editions_are_before_one_another_stays_in_scope():
    """One has no season and goes by its date, the others by their seasons."""
    seasons = ((2026, "2025-06-01"), (2025, "2025-12-01"), (None, "2025-09-01"))
    held = [
        replace(FOURTH, document_id=str(n), season=season, date=date)
        for n, (season, date) in enumerate(seasons)
    ]
    assert resolve_scope(held).documents == tuple(held)


def test_a_label_has_the_version_as_it_is_printed():
    assert replace(FOURTH, issue=None, version="Rev. C").label == "2025 Cup Rules, Rev. C"
    given = replace(FOURTH, issue=None, version="Rev. C").overlay({"issue": 3})
    assert (given.label, given.edition[1]) == ("2025 Cup Rules, Issue 3", (3,))


def test_the_two_newest_issues_are_of_one_rulebook():
    assert Editions(ALL).find_last_two() == (FIFTH, NEXT_YEAR)
    later = replace(OTHER, document_id="l", season=2027)
    assert Editions([*ALL, later]).find_last_two() == (OTHER, later)


def test_without_two_issues_of_one_rulebook_there_is_no_pair():
    assert Editions([FOURTH, OTHER]).find_last_two() is None
    assert Editions([FOURTH, replace(FOURTH, document_id="copy")]).find_last_two() is None
    assert Editions([replace(one, family=None) for one in ALL]).find_last_two() is None
