"""Statements in natural words, right or wrong by one clause: what the checks say of them alone.

`stated_rules.txt` has rules of our own, each with right (R) and wrong (W) statements on it. The
first 23 were written before the comparison, the others after it was first measured on those.
"""

from pathlib import Path

import pytest

from tests.benchmarks.pairs import judge_pairs, read_rows

RULES = Path(__file__).parent / "stated_rules.txt"


@pytest.fixture(scope="module")
def judged():
    return list(judge_pairs(read_rows(RULES)))


def count(judged, label, *levels):
    """How many statements of a label end with one of these levels."""
    return sum(one.row["label"] == label and one.level in levels for one in judged)


def test_right_statements_are_seldom_doubted_and_hardly_ever_refused(judged):
    assert sum(one.is_right for one in judged) == 88
    assert count(judged, "right", "fatal") <= 1
    assert count(judged, "right", "fatal", "doubt") <= 15


def test_most_wrong_statements_are_caught(judged):
    assert sum(not one.is_right for one in judged) == 120
    assert count(judged, "wrong", "fatal") >= 67
    assert count(judged, "wrong", "fatal", "doubt") >= 94


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("Lifeguards must close a lane at any time", "says “must” where it says “may”"),
        ("Lines must not be longer than 120 ft", "says “at most 120 ft” where it is"),
        ("The members shall present the accounts", "says “The members” where it says"),
        ("Every lane has to be kept free for at least ten minutes after", "the other side"),
        ("Every bid received after the deadline", "says “without exception”"),
        ("Every kart must have its engine limited", "leaves out “(Junior only)”"),
        ("Each correct answer scores one point", "of what it says “3 points” of"),
        ("A robot has exactly one emergency stop", "where it is “at least 1”"),
    ],
)
def test_what_is_proved_is_fatal_and_says_why(judged, statement, what):
    [one] = [one for one in judged if one.row["statement"].startswith(statement)]
    assert one.level == "fatal"
    assert any(what in check.message for check in one.failed)
