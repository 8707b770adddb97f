"""Results of an evaluation: each in a word, all as metrics, beside an earlier one, and as files.

They describe the questions of the set alone.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from statistics import fmean
from typing import Any, Literal, TypeVar

from core.agent import Outcome
from core.exports import csv_file

Method = Literal["agent", "search"]
ResultKind = Literal[
    "right_accepted", "right_not_accepted", "refused_rightly", "wrong_accepted", "missed"
]
"""Missed: a rule answers it, but no answer was accepted, and no draft is right."""
ResultFilter = Literal["all", "missed", "wrong", "worse", "better"]
_Value = TypeVar("_Value")
_GRADES: dict[ResultKind | None, int] = {
    "wrong_accepted": 0,
    "missed": 1,
    "right_not_accepted": 2,
    "right_accepted": 3,
    "refused_rightly": 3,
}


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """A result. What the method does not give, or the set does not expect, is None."""

    line: int
    question: str
    articles: tuple[str, ...]
    """Articles expected."""
    refusal: bool
    """A refusal is expected."""
    found: tuple[str, ...] = ()
    """Articles of the first clauses found, best first."""
    rank: int | None = None
    """Place from 1 of the first expected article among them; None if there is none."""
    cited: bool | None = None
    """The answer cites an expected article, of the season expected."""
    quotes: int = 0
    standing: int = 0
    """Quotes of the answer, and how many are word for word in the clause they name."""
    refused: bool | None = None
    outcome: Outcome | None = None
    score: float | None = None
    iterations: int = 0
    cost: float | None = None
    """US dollars."""
    seconds: float = 0.0
    model: str = ""
    """Wrote the answer; empty for search alone."""
    run_id: str | None = None
    error: str = ""
    """Why it could not be asked, or failed, in a sentence."""
    says: tuple[str, ...] = ()
    answer_season: int | None = None
    """Words and season expected."""
    said: bool | None = None
    """The quotes of the expected articles hold those words."""

    @property
    def is_accepted(self) -> bool:
        """True if the run accepted its answer; nothing was left to a person."""
        return self.outcome == "answered"

    @property
    def is_right(self) -> bool:
        """True if it meets all that the set expects, be it accepted or not."""
        if self.error:
            return False
        if self.refusal:
            return not self.is_accepted
        hit = self.cited if self.cited is not None else self.rank is not None
        quotes_hold = self.standing == self.quotes and self.said is not False
        return quotes_hold and (hit or not self.articles)

    @property
    def kind(self) -> ResultKind | None:
        """None if the set expects nothing, search alone ran, or it failed."""
        if self.outcome is None or self.error or not (self.refusal or self.articles):
            return None
        if not self.is_right:
            return "wrong_accepted" if self.is_accepted else "missed"
        if self.refusal:
            return "refused_rightly"
        return "right_accepted" if self.is_accepted else "right_not_accepted"

    @property
    def grade(self) -> int:
        """From 0, wrong and accepted, to 3, to compare two runs of a question."""
        return _GRADES.get(self.kind, 3 if self.is_right else 1)

    @property
    def as_json(self) -> dict[str, Any]:
        """For programs, with its kind under `finding`."""
        return {**asdict(self), "finding": self.kind}


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

    def share(kind: ResultKind, among: Iterable[QuestionResult]) -> float | None:
        return _mean(lambda each: each == kind, filter(None, (one.kind for one in among)))

    return Metrics(
        questions=len(results),
        hit_1=_mean(lambda result: result.rank == 1, answerable),
        hit_5=_mean(lambda result: result.rank is not None, answerable),
        cited=_mean(lambda result: result.cited, answerable),
        standing=sum(result.standing for result in results) / quotes if quotes else None,
        right_accepted=share("right_accepted", answerable),
        right_not_accepted=share("right_not_accepted", answerable),
        wrong_accepted=share("wrong_accepted", (one for one in results if one.is_accepted)),
        refused_rightly=share("refused_rightly", (one for one in results if one.refusal)),
        refused_wrongly=_mean(lambda result: result.refused, answerable),
        failed=sum(bool(result.error) for result in results),
        score=_mean(lambda result: result.score, results),
        cost=sum(costs) if costs else None,
        seconds=_mean(lambda result: result.seconds, results) or 0.0,
    )


def _mean(read: Callable[[_Value], float | None], values: Iterable[_Value]) -> float | None:
    """Return the mean of what `read` gives, without None; None if that is nothing."""
    known = [number for number in map(read, values) if number is not None]
    return fmean(known) if known else None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A question set and its results so far. It was stopped if they are fewer than `questions`."""

    evaluation_id: str
    name: str
    """Of the set's file, as its sender gave it; only to be shown."""
    method: Method
    started_at: str
    """ISO time, UTC."""
    questions: int
    results: tuple[QuestionResult, ...] = ()

    @classmethod
    def start(cls, name: str, method: Method, questions: int) -> "Evaluation":
        started = datetime.now(UTC).isoformat(timespec="microseconds")
        return cls(secrets.token_hex(8), name, method, started, questions)

    @property
    def is_complete(self) -> bool:
        return len(self.results) == self.questions

    @property
    def model(self) -> str:
        """The model that wrote the answers; empty for search alone."""
        return next((result.model for result in self.results if result.model), "")

    def pair_results(
        self, other: "Evaluation | None"
    ) -> list[tuple[QuestionResult, QuestionResult]]:
        """Pair the results of the questions that both asked, in the order of this one.

        A question is the same with its text and what its set expects.
        """

        def key(result: QuestionResult) -> tuple[object, ...]:
            return result.question, result.articles, result.says, result.answer_season

        theirs = {key(result): result for result in other.results} if other else {}
        pairs = ((result, theirs.get(key(result))) for result in self.results)
        return [(result, match) for result, match in pairs if match]

    def find_earlier(self, evaluations: Iterable["Evaluation"]) -> "Evaluation | None":
        """Return the newest earlier one of the same method that has questions in common.

        `evaluations` come newest first, as from `EvaluationStore.load_all`.
        """
        for other in evaluations:
            is_earlier = (
                other.evaluation_id != self.evaluation_id and other.started_at <= self.started_at
            )
            if is_earlier and other.method == self.method and self.pair_results(other):
                return other
        return None

    @staticmethod
    def list_filters(earlier: "Evaluation | None") -> tuple[ResultFilter, ...]:
        """Return the filters; those that compare need an earlier evaluation."""
        return ("all", "missed", "wrong", *(("worse", "better") if earlier else ()))

    def filter_results(
        self, earlier: "Evaluation | None", which: ResultFilter
    ) -> list[QuestionResult]:
        """Return the results that match; "worse" and "better" compare with the earlier one."""
        match which:
            case "all":
                return list(self.results)
            case "missed":
                return [result for result in self.results if not result.is_right]
            case "wrong":
                return [result for result in self.results if result.kind == "wrong_accepted"]
        sign = 1 if which == "better" else -1
        pairs = self.pair_results(earlier)
        return [now for now, then in pairs if sign * (now.grade - then.grade) > 0]

    def to_json(self, earlier: "Evaluation | None") -> dict[str, Any]:
        """Return it for programs, with the metrics of both on their common questions."""
        report: dict[str, Any] = {
            "evaluation_id": self.evaluation_id,
            "file": self.name,
            "method": self.method,
            "model": self.model,
            "complete": self.is_complete,
            "figures": asdict(compute_metrics(self.results)),
        }
        if earlier is not None:
            pairs = self.pair_results(earlier)
            report["earlier"] = {
                "evaluation_id": earlier.evaluation_id,
                "started_at": earlier.started_at,
                "in_common": len(pairs),
                "figures_now": asdict(compute_metrics([now for now, _ in pairs])),
                "figures_then": asdict(compute_metrics([then for _, then in pairs])),
            }
        return report

    def format_csv(self) -> bytes:
        """Return the results, one row each. Semicolons separate several values in a cell."""
        rows = [result.as_json for result in self.results]
        names = list(rows[0]) if rows else []

        def cell(value: object) -> object:
            return "; ".join(map(str, value)) if isinstance(value, tuple) else value

        return csv_file(names, ([cell(row[name]) for name in names] for row in rows))
