"""Evaluations and their results in the words of a language, as plain text."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from core.evaluation.results import Evaluation, QuestionResult, compute_metrics
from core.evaluation.runner import HIT_DEPTH
from core.language import Language

_SHARES = (
    "hit_1",
    "hit_5",
    "cited",
    "standing",
    "right_accepted",
    "right_not_accepted",
    "wrong_accepted",
    "refused_rightly",
    "refused_wrongly",
)
_LOWER_IS_BETTER = ("wrong_accepted", "refused_wrongly", "failed", "cost", "seconds")
_NEITHER_IS_BETTER = ("right_not_accepted",)
"""A lower value can mean that more was accepted, or that more is wrong."""


@dataclass(frozen=True, slots=True)
class MetricLine:
    """A metric with its value as it is written, and how it changed since an earlier evaluation."""

    label: str
    about: str
    value: str
    change: str | None = None
    """None where there is nothing to compare with."""
    is_same: bool = False
    rise_is_better: bool | None = None
    """None where a change is neither, or there is none."""


@dataclass(frozen=True, slots=True)
class EvaluationText:
    """Says in a language what an evaluation found."""

    language: Language

    def describe_evaluation(self, evaluation: Evaluation, time: str) -> str:
        """Return an evaluation on one line: its time, as given, set, method, how far it got."""
        method = evaluation.model or self.language.say("evaluation-search-only")
        label = " · ".join((time, evaluation.name, method))
        if evaluation.is_complete:
            return label
        done = {"done": len(evaluation.results), "count": evaluation.questions}
        return self.language.say("evaluation-stopped", evaluation=label, **done)

    def list_metrics(
        self, evaluation: Evaluation, earlier: Evaluation | None
    ) -> Iterator[MetricLine]:
        """Yield the metrics that have a value; changes are those of the questions in both."""
        metrics = compute_metrics(evaluation.results)
        pairs = evaluation.pair_results(earlier)
        both = [compute_metrics(results) for results in zip(*pairs, strict=True)]
        say = self.language
        formats: dict[str, Callable[[float], str]] = {
            **dict.fromkeys(_SHARES, say.format_share),
            "score": lambda score: say.format_number(score, "0.0"),
            "cost": lambda cost: f"${say.format_number(cost, '0.00')}",
            "seconds": say.format_seconds,
            "failed": say.format_number,
        }
        for name, format_value in formats.items():
            value = getattr(metrics, name)
            if value is None or (not value and name in ("cost", "failed")):
                continue
            about = say.say(f"metric-{name}-about")
            line = MetricLine(self._label_metric(name), about, format_value(value))
            known = [one for side in both if (one := getattr(side, name)) is not None]
            if len(known) == 2:
                now, then = known
                size = format_value(abs(now - then))
                if size == format_value(0.0):
                    line = replace(line, change=say.say("metric-same"), is_same=True)
                else:
                    change = f"{'-' if now < then else '+'}{size}"
                    better = None if name in _NEITHER_IS_BETTER else name not in _LOWER_IS_BETTER
                    line = replace(line, change=change, rise_is_better=better)
            yield line

    def _label_metric(self, name: str) -> str:
        depth = {"depth": HIT_DEPTH} if name == "hit_5" else {}
        return self.language.say(f"metric-{name}", **depth)

    def list_shares(self, evaluation: Evaluation) -> list[tuple[str, int]]:
        """Return the metrics that are shares, in percent, by their labels."""
        metrics = compute_metrics(evaluation.results)
        shares = ((name, getattr(metrics, name)) for name in _SHARES)
        return [
            (self._label_metric(name), round(100 * share))
            for name, share in shares
            if share is not None
        ]

    def list_facts(self, result: QuestionResult) -> Iterator[str]:
        """Yield what there is to say of a result: its line, class, expectation, checks, costs."""
        say = self.language.say
        yield say("fact-line", line=result.line)
        if result.kind:
            yield say(f"result-{result.kind}")
        if result.refusal:
            yield say("fact-no-rule")
        if result.articles:
            yield self._describe_expectation(result)
        if result.cited is not None:
            yield say("fact-cited" if result.cited else "fact-not-cited")
        if result.said is not None:
            words = ", ".join(say("quoted", words=said) for said in result.says)
            yield say("fact-quoted" if result.said else "fact-not-quoted", words=words)
        if result.quotes:
            yield say("fact-stand", standing=result.standing, count=result.quotes)
        if result.score is not None:
            yield self.language.format_score(result.score)
        if result.cost:
            yield self.language.format_cost(result.cost)
        yield self.language.format_seconds(result.seconds)

    def _describe_expectation(self, result: QuestionResult) -> str:
        """Return the expected articles, and where the first of them was found."""
        say, articles = self.language.say, ", ".join(result.articles)
        place = say("fact-not-among", depth=HIT_DEPTH)
        if result.rank:
            place = say("fact-at-place", rank=result.rank)
        if not result.answer_season:
            return say("fact-expected", articles=articles, place=place)
        season = str(result.answer_season)
        return say("fact-expected-season", articles=articles, season=season, place=place)
