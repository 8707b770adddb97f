"""What came of one question, in a word: was it right, and was it accepted? The figures count these."""

from dataclasses import asdict
from typing import Any, Literal

from core.evaluation.runner import QuestionResult

ResultKind = Literal[
    "right_accepted", "right_not_accepted", "refused_rightly", "wrong_accepted", "missed"
]
RESULT_LABELS: dict[ResultKind, str] = {
    "right_accepted": "right, accepted",
    "right_not_accepted": "right, not accepted",
    "refused_rightly": "refused rightly",
    "wrong_accepted": "wrong, accepted",
    "missed": "missed",
}
"""How a person is told. Missed: a rule answers it, but no answer was accepted, and none that was drafted is right."""


def is_right(result: QuestionResult) -> bool:
    """True where nothing that the set asks for is amiss; an answer may be right without being accepted."""
    if result.error:
        return False
    if result.refusal:
        return not result.is_accepted
    hit = result.cited if result.cited is not None else result.rank is not None
    return (
        result.standing == result.quotes
        and result.said is not False
        and (hit or not result.articles)
    )


def classify_result(result: QuestionResult) -> ResultKind | None:
    """What came of a question; None where the set expects nothing, search alone was asked, or the question failed."""
    if result.outcome is None or result.error or not (result.refusal or result.articles):
        return None
    if not is_right(result):
        return "wrong_accepted" if result.is_accepted else "missed"
    if result.refusal:
        return "refused_rightly"
    return "right_accepted" if result.is_accepted else "right_not_accepted"


def grade_result(result: QuestionResult) -> int:
    """How good that is, for telling better from worse: from 0, wrong and accepted, to 3."""
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
    """A result for programs, what came of it included."""
    return {**asdict(result), "finding": classify_result(result)}
