"""Titles that announce rules of a later season, and those that only look so."""

import pytest

from core.rulebook.structure.groups import announced_season, proposed_season
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import Paper


@pytest.mark.parametrize(
    ("title", "season"),
    [
        ("Approved changes for 2026", 2026),
        ("Amendments to the regulations for the following season", 2026),
        ("Rules for the following classes", None),
        ("Changes for future reference", None),
    ],
)
def test_a_later_season_is_announced_by_a_year_or_a_season(title, season):
    assert announced_season(title, 2025, is_appendix=True) == season


@pytest.mark.parametrize(
    ("title", "season"),
    [
        ("POSSIBLE FUTURE RULES CHANGES", 2026),
        ("Amendments proposed for the future", 2026),
        ("Future amendments", None),
        ("Proposed amendments", None),
    ],
)
def test_what_may_be_changed_in_the_future_is_not_in_force(title, season):
    assert proposed_season(title, 2025) == season


def test_a_proposal_ends_with_its_article():
    paper = Paper().line("2025 Kart Sporting Regulations").heading("1", "POSSIBLE FUTURE CHANGES")
    paper.clause("1.1", "The wheelbase of a kart must be at least 900 mm.")
    paper.heading("2", "KARTS").clause("2.1", "The wheelbase of a kart must be at least 950 mm.")
    book = read_here(paper.pdf())
    status = {clause.article: clause.status for clause in book.clauses}
    assert (status["1.1"], status["2.1"]) == ("future", "in_force")
