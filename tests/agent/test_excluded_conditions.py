"""A rule for the case that a question excludes is not taken for the one that it asks about."""

import pytest

from core.agent.models.offline.excluded_conditions import (
    find_excluded_stem,
    find_side,
    opposes_condition,
)
from core.agent.models.offline.passages import extract_passage
from core.agent.question import Question
from core.library import content_words
from tests.agent.stories import source

WITHOUT = "At an Event where no warm-up is held, the grid opens at 14:00."
WITH = "At an Event where a warm-up is held, the grid opens at 15:00."


@pytest.mark.parametrize(
    "question",
    [
        "When does the grid open at an event without a warm-up?",
        "When does the grid open if there is no warm-up that day?",
        "When does the grid open when there isn't a warm-up?",
    ],
)
def test_the_rule_for_the_other_case_opposes_the_question(question: str) -> None:
    assert [find_side(question, text) for text in (WITHOUT, WITH)] == ["excludes", "includes"]
    assert opposes_condition(question, (WITH, WITHOUT), str) == [True, False]


def test_alone_it_may_be_the_rule_that_forbids_the_case() -> None:
    question = "May we race without a helmet?"
    assert opposes_condition(question, ["A helmet must be worn."], str) == [False]


@pytest.mark.parametrize(
    "question", ["What happens when a driver does not attend?", "Who must not enter the pit lane?"]
)
def test_a_negated_verb_excludes_no_thing(question: str) -> None:
    assert not find_excluded_stem(question)


def test_of_a_long_rule_the_case_that_is_asked_for_is_quoted() -> None:
    text = "When does the grid open at an event without a warm-up?"
    words = content_words(text)
    question = Question(text, words=words, weights=dict.fromkeys(words, 1.0))
    filling = " ".join(f"Word {number} is here." for number in range(60))
    clause = source(1, "4.2", f"{WITH}\n{filling}\n{WITHOUT}")
    assert WITHOUT in extract_passage(question, clause, max_words=30)
