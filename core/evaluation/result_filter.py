"""Which results of an evaluation are looked at."""

from typing import Literal

from core.evaluation.metrics import classify_result, common_results, grade_result, is_right
from core.evaluation.runner import Evaluation, QuestionResult

ResultFilter = Literal["all", "missed", "wrong", "worse", "better"]


def list_filters(earlier: Evaluation | None) -> tuple[ResultFilter, ...]:
    """Return the filters; those that compare need an earlier evaluation."""
    return ("all", "missed", "wrong", *(("worse", "better") if earlier else ()))


def filter_results(
    evaluation: Evaluation, earlier: Evaluation | None, which: ResultFilter
) -> list[QuestionResult]:
    """The results that match a filter. "worse" and "better" compare with the earlier evaluation."""
    results = evaluation.results
    pairs = common_results(evaluation, earlier) if earlier else ()
    match which:
        case "all":
            return list(results)
        case "missed":
            return [result for result in results if not is_right(result)]
        case "wrong":
            return [result for result in results if classify_result(result) == "wrong_accepted"]
        case "better":
            return [now for now, then in pairs if grade_result(now) > grade_result(then)]
        case "worse":
            return [now for now, then in pairs if grade_result(now) < grade_result(then)]
