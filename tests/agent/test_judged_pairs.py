"""Statements in natural words through the loop: two judges over HTTP, and what they are shown."""

from itertools import groupby
from pathlib import Path

import pytest

from tests.benchmarks.pairs import group_by_clause, judge_in_loop, read_rows

RULES = Path(__file__).parents[1] / "verification" / "stated_rules.txt"
CLAUSES = 12

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ruled():
    """What two judges made of the first right and the first wrong statement on each clause."""
    rows = [
        next(own)
        for group in group_by_clause(read_rows(RULES))[:CLAUSES]
        for _, own in groupby(group, lambda row: row["label"])
    ]
    return list(judge_in_loop(rows))


def test_a_judge_who_knows_accepts_no_wrong_statement_and_refuses_no_right_one(ruled):
    known = [one for one in ruled if one.judge == "knowing"]
    assert len(known) == 2 * CLAUSES
    for one in known:
        is_refused = one.row["label"] == "wrong" or one.is_fatal
        assert one.is_accepted is not is_refused, one.row


def test_a_kind_judge_accepts_what_the_checks_alone_do_not_refuse(ruled):
    kind = [one for one in ruled if one.judge == "kind"]
    assert [one.is_accepted for one in kind] == [not one.is_fatal for one in kind]


def test_a_judge_sees_the_words_that_decide_of_every_statement(ruled):
    assert not [one.row for one in ruled if one.hidden]
