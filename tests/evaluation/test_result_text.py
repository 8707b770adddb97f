"""An evaluation in words: metrics with their changes, and what is said of a result."""

from dataclasses import replace

from core.evaluation import Evaluation, EvaluationText
from core.language import ENGLISH, Language
from tests.evaluation.test_metrics import RIGHT

NOW = Evaluation("2", "set.csv", "agent", "2026-01-02", 1, (replace(RIGHT, rank=1, seconds=2.0),))
THEN = Evaluation("1", "set.csv", "agent", "2026-01-01", 2, (replace(RIGHT, seconds=3.0),))


def lines(language=ENGLISH, earlier=THEN):
    return {line.label: line for line in EvaluationText(language).list_metrics(NOW, earlier)}


def test_a_metric_says_how_it_changed_and_whether_that_is_better():
    metrics = lines()
    first, mean = metrics["Expected article first"], metrics["Time a question"]
    assert (first.value, first.change, first.rise_is_better) == ("100%", "+100%", True)
    assert (mean.value, mean.change, mean.rise_is_better) == ("2.0 s", "-1.0 s", False)


def test_what_did_not_change_is_neither():
    same = [line for line in lines().values() if line.is_same]
    assert same
    assert all(line.rise_is_better is None for line in same)


def test_alone_nothing_is_compared():
    assert {line.change for line in lines(earlier=None).values()} == {None}


def test_units_are_those_of_the_reader():
    assert "2,0 s" in {line.value for line in lines(Language("de", "de")).values()}


def test_shares_are_in_percent():
    assert ("Expected article first", 100) in EvaluationText(ENGLISH).list_shares(NOW)


def test_a_result_says_what_was_expected_and_where_it_was():
    facts = list(EvaluationText(ENGLISH).list_facts(NOW.results[0]))
    assert any("21.3" in fact for fact in facts)
    assert facts[-1] == "2.0 s"


def test_an_evaluation_that_was_stopped_says_how_far_it_got():
    assert (
        EvaluationText(ENGLISH).describe_evaluation(NOW, "today") == "today · set.csv · search only"
    )
    assert "1 of 2" in EvaluationText(ENGLISH).describe_evaluation(THEN, "today")
