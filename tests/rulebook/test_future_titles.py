"""Titles that announce rules of a later season, and those that only look so."""

import pytest

from core.rulebook.structure.groups import announced_season


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
