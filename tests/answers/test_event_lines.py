"""The events of a run in words: what a page writes of them, without a page."""

import pytest

from core.agent import DISCARDED_MESSAGE, events as ev
from core.agent.types import RunBudget
from core.answers import EventLines, describe_budget, describe_check, describe_end
from core.chats import CUT_OFF_MESSAGE, STOPPED_MESSAGE
from core.language import ENGLISH, Language
from core.verification.types import DraftCheck, Score, StatementVerdict

SCOPE = ev.ScopeView(documents={"d": "2024 Cup_Rules"}, why="newest")
ASKED = ev.Asked(
    question="How fast?",
    scope=SCOPE,
    limits=RunBudget(3, 7.0),
    answer_model="m",
    decision_model="m",
    offline=True,
)


def ended(outcome, **more):
    return ev.Ended(outcome=outcome, answer="", citations=(), **more)


def test_a_scope_is_said_again_only_when_it_is_another():
    lines = EventLines(ENGLISH)
    first, second = (" ".join(lines.describe(ASKED)) for _ in range(2))
    assert "2024 Cup\\_Rules" in first
    assert "Cup" not in second
    wider = SCOPE.model_copy(update={"left_out": {"e": "2023 Cup Rules"}})
    again = ASKED.model_copy(update={"scope": wider})
    assert any("Left out: 2023 Cup Rules" in line for line in lines.describe(again))


def test_foreign_words_are_escaped():
    [line] = EventLines(ENGLISH).describe(ev.Warned(iteration=1, code="x", message="[a](b)"))
    assert line == ":orange[:material/warning:] \\[a\\]\\(b\\)"


def test_a_check_names_its_subject_once():
    named = DraftCheck("number", False, "60 km", "60 km is in no rule.")
    assert describe_check(ENGLISH, named) == "60 km is in no rule\\."
    unnamed = DraftCheck("number", False, "60 km", "It is in no rule.")
    assert describe_check(ENGLISH, unnamed) == "“60 km”: It is in no rule\\."


def test_limits_are_said_in_the_language_of_the_reader():
    budget = RunBudget(3, 7.5)
    assert describe_budget(ENGLISH, budget).endswith("accepted from 7.5/10")
    assert "7,5/10" in describe_budget(Language("de", "de"), budget)


@pytest.mark.parametrize("message", [STOPPED_MESSAGE, CUT_OFF_MESSAGE, DISCARDED_MESSAGE])
def test_what_runs_end_with_is_said_in_german(message):
    """They are found by the English sentence, which is the same in the catalogue."""
    end = ended("cancelled", message=message)
    assert describe_end(ENGLISH, (end,), end) == message
    assert describe_end(Language("de", "de"), (end,), end) != message


def test_another_message_is_said_as_it_is():
    end = ended("failed", message="The model is away.")
    assert describe_end(Language("de", "de"), (end,), end) == "The model is away."
    assert describe_end(ENGLISH, (), ended("not_found", message="Nothing.")) == ""


def test_a_doubt_is_no_failed_check_and_what_overrules_it_is_told():
    doubt = DraftCheck("number", False, "60 km", "60 km is in no rule.", "doubt", 1)
    checked = ev.Verified(iteration=1, checks=(doubt,))
    *_, line = EventLines(ENGLISH).describe(checked)
    assert "question_mark" in line
    verdicts = (
        StatementVerdict(1, "It is 60 km.", "supported", "60 km", (doubt.message,)),
        StatementVerdict(2, "It is closed.", "contradicted", "is open"),
        StatementVerdict(3, "It is blue.", "contradicted", "is red", counts=False),
    )
    scored = ev.Scored(iteration=1, score=Score(9, 1, 9, 9), mean=7.0, by="m", statements=verdicts)
    _, count, overruled, contradicted, uncounted = EventLines(ENGLISH).describe(scored)
    assert "1 of 3" in count
    assert "60 km is in no rule" in overruled
    assert "contradicted by “is open”" in contradicted
    assert "does not count" in uncounted


def test_a_failed_check_of_an_older_run_is_fatal_and_its_score_has_no_verdicts():
    old = ev.to_json(ev.Verified(iteration=1, checks=(DraftCheck("sum", False, "a", "b"),)))
    old = old.replace(',"level":"fatal","statement":0', "")
    assert "level" not in old
    assert ev.from_json(old).checks[0].level == "fatal"
    score = ev.Scored(iteration=1, score=Score(9, 9, 9, 9), mean=9.0, by="m")
    assert ev.from_json(ev.to_json(score).replace(',"statements":[]', "")) == score
