"""Follow-up questions: what leans on the question before is joined to it, what stands alone is left alone."""

import pytest

from core.agent.models.offline.following import standalone
from core.agent.types import Exchange


@pytest.mark.parametrize(
    ("before", "question", "meant"),
    [
        ("What is the pit lane speed limit in 2025?", "And in 2026?", "What is the pit lane speed limit in 2026?"),
        ("What is the minimum weight?", "and the maximum?", "What is the minimum weight: the maximum?"),
        ("rear wing width", "and what is the height?", "rear wing width: what is the height?"),
        (
            "What is the penalty for an unsafe release?",
            "And what is it for speeding?",
            "What is the penalty for an unsafe release: what is it for speeding?",
        ),
        (
            "What is the pit lane speed limit?",
            "And what is the limit in the race?",
            "What is the pit lane speed limit: what is the limit in the race?",
        ),
    ],
)
def test_what_leans_on_the_question_before_is_joined_to_it(before, question, meant):
    assert standalone(question, (Exchange(before, ""),)) == meant


@pytest.mark.parametrize(
    ("before", "question", "meant"),
    [
        ("What is the pit lane speed limit?", "But who appoints the stewards?", "Who appoints the stewards?"),
        (
            "What is the minimum weight of the car?",
            "And what is the speed limit in the pit lane?",
            "What is the speed limit in the pit lane?",
        ),
        ("What is the cost cap?", "What about the penalty for an overspend?", "The penalty for an overspend?"),
    ],
)
def test_a_question_on_another_subject_leaves_the_old_one_behind(before, question, meant):
    assert standalone(question, (Exchange(before, ""),)) == meant


def test_it_keeps_the_season_and_issue_that_were_named():
    before = (Exchange("What is the pit lane speed limit in 2024 issue 1?", ""),)
    assert standalone("And how many engines may a driver use?", before) == (
        "How many engines may a driver use in 2024 issue 1?"
    )
    assert standalone("And how many engines may a driver use in 2026?", before) == (
        "How many engines may a driver use in 2026?"
    )
