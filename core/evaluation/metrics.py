"""What the results of an evaluation come to in figures, beside those of an earlier one.

They say nothing of questions that are not in the set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from core.evaluation.findings import classify_result
from core.evaluation.runner import Evaluation, QuestionResult


@dataclass(frozen=True, slots=True)
class Metrics:
    """Results in figures. Shares run from 0 to 1, and are None where there is nothing to take a share of.

    Those of what was accepted leave out questions that failed.
    """

    questions: int
    hit_1: float | None
    """Of questions with expected articles: one of them is first."""
    hit_5: float | None
    cited: float | None
    standing: float | None
    """Of all quotes."""
    right_accepted: float | None
    """Of questions with expected articles."""
    right_not_accepted: float | None
    """Of the same: what was drafted is right, and a person has to say so."""
    wrong_accepted: float | None
    """Of answers that were accepted."""
    refused_rightly: float | None
    """Of questions that no rule answers: no answer was accepted."""
    refused_wrongly: float | None
    """Of questions with expected articles."""
    failed: int
    score: float | None
    cost: float | None
    seconds: float
    """Of a question, in the mean."""


def compute_metrics(results: Sequence[QuestionResult]) -> Metrics:
    """The results in figures."""
    answerable = [result for result in results if result.articles]
    quotes = sum(result.quotes for result in results)
    found = [(result, came) for result in results if (came := classify_result(result))]
    scores = [result.score for result in results if result.score is not None]
    costs = [result.cost for result in results if result.cost is not None]
    return Metrics(
        questions=len(results),
        hit_1=_share(result.rank == 1 for result in answerable),
        hit_5=_share(result.rank is not None for result in answerable),
        cited=_share(result.cited for result in answerable if result.cited is not None),
        standing=sum(result.standing for result in results) / quotes if quotes else None,
        right_accepted=_share(
            came == "right_accepted" for result, came in found if result.articles
        ),
        right_not_accepted=_share(
            came == "right_not_accepted" for result, came in found if result.articles
        ),
        wrong_accepted=_share(
            came == "wrong_accepted" for result, came in found if result.is_accepted
        ),
        refused_rightly=_share(
            came == "refused_rightly" for result, came in found if result.refusal
        ),
        refused_wrongly=_share(
            result.refused for result in answerable if result.refused is not None
        ),
        failed=sum(bool(result.error) for result in results),
        score=fmean(scores) if scores else None,
        cost=sum(costs) if costs else None,
        seconds=fmean(result.seconds for result in results) if results else 0.0,
    )


def common_results(
    one: Evaluation, other: Evaluation
) -> tuple[tuple[QuestionResult, QuestionResult], ...]:
    """The results of the questions that both evaluations have put, in pairs, in the order of the first."""
    theirs = {_expectation(result): result for result in other.results}
    return tuple((own, theirs[key]) for own in one.results if (key := _expectation(own)) in theirs)


def _expectation(result: QuestionResult) -> tuple[object, ...]:
    """A question and what its set expects, by which it is known again."""
    return result.question, result.articles, result.says, result.answer_season


def find_earlier_evaluation(
    evaluation: Evaluation, evaluations: Iterable[Evaluation]
) -> Evaluation | None:
    """The evaluation to compare with: the newest one before it of the same method that has questions in common."""
    before = (
        other
        for other in evaluations
        if other.started_at <= evaluation.started_at and other is not evaluation
    )
    alike = (other for other in before if other.method == evaluation.method)
    return next(
        (
            other
            for other in alike
            if other.evaluation_id != evaluation.evaluation_id and common_results(evaluation, other)
        ),
        None,
    )


def _share(claims: Iterable[bool | None]) -> float | None:
    counted = [bool(claim) for claim in claims]
    return sum(counted) / len(counted) if counted else None


def evaluation_json(evaluation: Evaluation, earlier: Evaluation | None) -> dict[str, Any]:
    """The end of an evaluation for programs: its figures, and those of both for what an earlier one also asked."""
    told: dict[str, Any] = {
        "evaluation_id": evaluation.evaluation_id,
        "file": evaluation.name,
        "method": evaluation.method,
        "model": evaluation.model,
        "complete": evaluation.is_complete,
        "figures": asdict(compute_metrics(evaluation.results)),
    }
    if earlier is not None:
        pairs = common_results(evaluation, earlier)
        told["earlier"] = {
            "evaluation_id": earlier.evaluation_id,
            "started_at": earlier.started_at,
            "in_common": len(pairs),
            "figures_now": asdict(compute_metrics([now for now, _ in pairs])),
            "figures_then": asdict(compute_metrics([then for _, then in pairs])),
        }
    return told
