"""Results of an evaluation: each in a word, all as metrics, beside an earlier one, and as files.

They describe the questions of the set alone.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Literal, TypeVar

from core.evaluation.runner import Evaluation, QuestionResult
from core.exports import csv_file

ResultKind = Literal[
    "right_accepted", "right_not_accepted", "refused_rightly", "wrong_accepted", "missed"
]
"""Missed: a rule answers it, but no answer was accepted, and no draft is right."""
_Value = TypeVar("_Value")
ResultFilter = Literal["all", "missed", "wrong", "worse", "better"]


def is_right(result: QuestionResult) -> bool:
    """True if the result meets all that the set expects, be it accepted or not."""
    if result.error:
        return False
    if result.refusal:
        return not result.is_accepted
    hit = result.cited if result.cited is not None else result.rank is not None
    quotes_hold = result.standing == result.quotes and result.said is not False
    return quotes_hold and (hit or not result.articles)


def classify_result(result: QuestionResult) -> ResultKind | None:
    """Classify a result; None if the set expects nothing, search alone ran, or it failed."""
    if result.outcome is None or result.error or not (result.refusal or result.articles):
        return None
    if not is_right(result):
        return "wrong_accepted" if result.is_accepted else "missed"
    if result.refusal:
        return "refused_rightly"
    return "right_accepted" if result.is_accepted else "right_not_accepted"


def grade_result(result: QuestionResult) -> int:
    """Grade a result from 0, wrong and accepted, to 3, to compare two runs of a question."""
    match classify_result(result):
        case "wrong_accepted":
            return 0
        case "missed":
            return 1
        case "right_not_accepted":
            return 2
        case "right_accepted" | "refused_rightly":
            return 3
        case None:
            return 3 if is_right(result) else 1


def result_json(result: QuestionResult) -> dict[str, Any]:
    """Return a result for programs, with its class under `finding`."""
    return {**asdict(result), "finding": classify_result(result)}


@dataclass(frozen=True, slots=True)
class Metrics:
    """Results in figures. Shares run from 0 to 1, and are None where nothing can be counted.

    `answerable` questions have expected articles. Shares of what was accepted leave out questions
    that failed.
    """

    questions: int
    hit_1: float | None
    """Share of answerable questions whose first clause is of an expected article."""
    hit_5: float | None
    """The same among the first five clauses."""
    cited: float | None
    """Share of answerable questions whose answer cites an expected article."""
    standing: float | None
    """Share of all quotes that are word for word in their clause."""
    right_accepted: float | None
    """Share of answerable questions."""
    right_not_accepted: float | None
    """Share of answerable questions: the draft is right, and a person has to accept it."""
    wrong_accepted: float | None
    """Share of accepted answers."""
    refused_rightly: float | None
    """Share of questions that no rule answers: no answer was accepted."""
    refused_wrongly: float | None
    """Share of answerable questions."""
    failed: int
    score: float | None
    cost: float | None
    seconds: float
    """Mean of a question."""


def compute_metrics(results: Sequence[QuestionResult]) -> Metrics:
    answerable = [result for result in results if result.articles]
    costs = [result.cost for result in results if result.cost is not None]
    quotes = sum(result.quotes for result in results)
    return Metrics(
        questions=len(results),
        hit_1=_mean(lambda result: result.rank == 1, answerable),
        hit_5=_mean(lambda result: result.rank is not None, answerable),
        cited=_mean(lambda result: result.cited, answerable),
        standing=sum(result.standing for result in results) / quotes if quotes else None,
        right_accepted=_share_of("right_accepted", answerable),
        right_not_accepted=_share_of("right_not_accepted", answerable),
        wrong_accepted=_share_of(
            "wrong_accepted", filter(lambda result: result.is_accepted, results)
        ),
        refused_rightly=_share_of(
            "refused_rightly", filter(lambda result: result.refusal, results)
        ),
        refused_wrongly=_mean(lambda result: result.refused, answerable),
        failed=sum(bool(result.error) for result in results),
        score=_mean(lambda result: result.score, results),
        cost=sum(costs) if costs else None,
        seconds=_mean(lambda result: result.seconds, results) or 0.0,
    )


def _share_of(kind: ResultKind, results: Iterable[QuestionResult]) -> float | None:
    found = filter(None, map(classify_result, results))
    return _mean(lambda each: each == kind, found)


def _mean(read: Callable[[_Value], float | None], values: Iterable[_Value]) -> float | None:
    """Return the mean of what `read` gives, without None; None if that is nothing."""
    known = [number for number in map(read, values) if number is not None]
    return fmean(known) if known else None


def common_results(
    evaluation: Evaluation, other: Evaluation
) -> tuple[tuple[QuestionResult, QuestionResult], ...]:
    """Pair the results of the questions that both evaluations asked, in the order of the first."""
    theirs = {_question_key(result): result for result in other.results}
    pairs = ((result, theirs.get(_question_key(result))) for result in evaluation.results)
    return tuple((result, match) for result, match in pairs if match)


def _question_key(result: QuestionResult) -> tuple[object, ...]:
    """Return what identifies a question: its text and what its set expects."""
    return result.question, result.articles, result.says, result.answer_season


def find_earlier_evaluation(
    evaluation: Evaluation, evaluations: Iterable[Evaluation]
) -> Evaluation | None:
    """Return the newest earlier one of the same method that has questions in common.

    `evaluations` come newest first, as from `EvaluationStore.load_all`.
    """
    for other in evaluations:
        if (
            other.evaluation_id != evaluation.evaluation_id
            and other.started_at <= evaluation.started_at
            and other.method == evaluation.method
            and common_results(evaluation, other)
        ):
            return other
    return None


def evaluation_json(evaluation: Evaluation, earlier: Evaluation | None) -> dict[str, Any]:
    """Return an evaluation for programs, with the metrics of both on their common questions."""
    report: dict[str, Any] = {
        "evaluation_id": evaluation.evaluation_id,
        "file": evaluation.name,
        "method": evaluation.method,
        "model": evaluation.model,
        "complete": evaluation.is_complete,
        "figures": asdict(compute_metrics(evaluation.results)),
    }
    if earlier is not None:
        pairs = common_results(evaluation, earlier)
        report["earlier"] = {
            "evaluation_id": earlier.evaluation_id,
            "started_at": earlier.started_at,
            "in_common": len(pairs),
            "figures_now": asdict(compute_metrics([now for now, _ in pairs])),
            "figures_then": asdict(compute_metrics([then for _, then in pairs])),
        }
    return report


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


def results_csv(evaluation: Evaluation) -> bytes:
    """The results as CSV, one row each. Several values in a cell are separated by semicolons."""
    rows = [result_json(result) for result in evaluation.results]
    names = list(rows[0]) if rows else []

    def cell(value: object) -> object:
        return "; ".join(map(str, value)) if isinstance(value, tuple) else value

    return csv_file(names, ([cell(row[name]) for name in names] for row in rows))


def results_json(evaluation: Evaluation, earlier: Evaluation | None) -> str:
    value: Mapping[str, object] = {
        **evaluation_json(evaluation, earlier),
        "results": [result_json(result) for result in evaluation.results],
    }
    return json.dumps(value, ensure_ascii=False, indent=1)
