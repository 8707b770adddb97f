"""Evaluations and their results in the words of a language, as plain text."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.evaluation.metrics import classify_result, common_results, compute_metrics
from core.evaluation.runner import HIT_DEPTH, Evaluation, QuestionResult
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


def describe_evaluation(language: Language, evaluation: Evaluation, time: str) -> str:
    """Return an evaluation on one line: its time, as it is given, set, method, how far it got."""
    method = evaluation.model or language.say("evaluation-search-only")
    label = " · ".join((time, evaluation.name, method))
    if evaluation.is_complete:
        return label
    done = {"done": len(evaluation.results), "count": evaluation.questions}
    return language.say("evaluation-stopped", evaluation=label, **done)


def list_metrics(
    language: Language, evaluation: Evaluation, earlier: Evaluation | None
) -> Iterator[MetricLine]:
    """Yield the metrics that have a value; changes are those of the questions in both."""
    metrics = compute_metrics(evaluation.results)
    pairs = common_results(evaluation, earlier) if earlier else ()
    both = [compute_metrics(results) for results in zip(*pairs, strict=True)]
    formats: dict[str, Callable[[float], str]] = {
        **dict.fromkeys(_SHARES, language.format_share),
        "score": lambda score: language.format_number(score, "0.0"),
        "cost": lambda cost: f"${language.format_number(cost, '0.00')}",
        "seconds": language.format_seconds,
        "failed": language.format_number,
    }
    for name, format_value in formats.items():
        value = getattr(metrics, name)
        if value is None or (not value and name in ("cost", "failed")):
            continue
        label, about = _label_metric(language, name), language.say(f"metric-{name}-about")
        line = MetricLine(label, about, format_value(value))
        known = [one for side in both if (one := getattr(side, name)) is not None]
        if len(known) < 2:
            yield line
            continue
        now, then = known
        size = format_value(abs(now - then))
        if size == format_value(0.0):
            same = language.say("metric-same")
            yield MetricLine(label, about, line.value, same, is_same=True)
            continue
        change = f"{'-' if now < then else '+'}{size}"
        better = None if name in _NEITHER_IS_BETTER else name not in _LOWER_IS_BETTER
        yield MetricLine(label, about, line.value, change, rise_is_better=better)


def _label_metric(language: Language, name: str) -> str:
    if name == "hit_5":
        return language.say("metric-hit_5", depth=HIT_DEPTH)
    return language.say(f"metric-{name}")


def list_shares(language: Language, evaluation: Evaluation) -> list[tuple[str, int]]:
    """Return the metrics that are shares, in percent, by their labels."""
    metrics = compute_metrics(evaluation.results)
    shares = ((name, getattr(metrics, name)) for name in _SHARES)
    return [
        (_label_metric(language, name), round(100 * share))
        for name, share in shares
        if share is not None
    ]


def list_result_facts(language: Language, result: QuestionResult) -> Iterator[str]:
    """Yield what there is to say of a result: its line, class, expectation, checks and costs."""
    yield language.say("fact-line", line=result.line)
    if found := classify_result(result):
        yield language.say(f"result-{found}")
    if result.refusal:
        yield language.say("fact-no-rule")
    if result.articles:
        yield _describe_expectation(language, result)
    if result.cited is not None:
        yield language.say("fact-cited" if result.cited else "fact-not-cited")
    if result.said is not None:
        words = ", ".join(language.say("quoted", words=said) for said in result.says)
        yield language.say("fact-quoted" if result.said else "fact-not-quoted", words=words)
    if result.quotes:
        yield language.say("fact-stand", standing=result.standing, count=result.quotes)
    if result.score is not None:
        yield language.format_score(result.score)
    if result.cost:
        yield language.format_cost(result.cost)
    yield language.format_seconds(result.seconds)


def _describe_expectation(language: Language, result: QuestionResult) -> str:
    """Return the expected articles, and where the first of them was found."""
    articles = ", ".join(result.articles)
    place = language.say("fact-not-among", depth=HIT_DEPTH)
    if result.rank:
        place = language.say("fact-at-place", rank=result.rank)
    if not result.answer_season:
        return language.say("fact-expected", articles=articles, place=place)
    season = str(result.answer_season)
    return language.say("fact-expected-season", articles=articles, season=season, place=place)
