"""Which filters of results are offered."""

from core.evaluation import list_filters, new_evaluation


def test_filters_that_compare_need_an_earlier_evaluation():
    assert list_filters(None) == ("all", "missed", "wrong")
    earlier = new_evaluation("set.csv", "search", ())
    assert list_filters(earlier) == ("all", "missed", "wrong", "worse", "better")
