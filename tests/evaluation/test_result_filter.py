"""Which filters of results are offered."""

from core.evaluation import Evaluation


def test_filters_that_compare_need_an_earlier_evaluation():
    assert Evaluation.list_filters(None) == ("all", "missed", "wrong")
    earlier = Evaluation.start("set.csv", "search", 0)
    assert Evaluation.list_filters(earlier) == ("all", "missed", "wrong", "worse", "better")
