"""Runs as a person looks for them: a filter, and orders."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from core.agent import Outcome
from core.chats.queries import RunSummary
from core.exports import csv_file
from core.language import Language
from core.library import has_words

ORDERS: dict[str, tuple[Callable[[RunSummary], Any], bool]] = {
    "newest": (lambda line: line.started_at, True),
    "oldest": (lambda line: line.started_at, False),
    "best score": (lambda line: line.score or 0.0, True),
    "worst score": (lambda line: 11.0 if line.score is None else line.score, False),
    "dearest": (lambda line: line.cost or 0.0, True),
    "slowest": (lambda line: line.seconds, True),
}
"""Each order's key, and True if the greatest comes first. Runs without a score come last."""


def choose_runs(
    lines: Iterable[RunSummary],
    order: str,
    day_of: Callable[[str], date],
    outcomes: Collection[Outcome] = (),
    words: str = "",
    days: Sequence[date] = (),
) -> list[RunSummary]:
    """Return the runs that match every choice, in an order; an empty choice matches all.

    `days` are a first day, or a first and a last one; `day_of` returns the reader's day of a time.
    """
    first, last, *_ = (*days, date.max, date.max) if days else (date.min, date.max)
    chosen = [
        line
        for line in lines
        if (not outcomes or line.outcome in outcomes)
        and has_words(line.question, words)
        and first <= day_of(line.started_at) <= last
    ]
    key, greatest_first = ORDERS[order]
    return sorted(chosen, key=key, reverse=greatest_first)


def list_run_facts(language: Language, line: RunSummary) -> Iterator[str]:
    """Yield what a line on a run says beside its question: score, iterations, time, cost."""
    if line.score is not None:
        yield language.format_score(line.score)
    if line.outcome:
        yield language.say("iterations", count=line.iterations)
        yield language.format_seconds(line.seconds)
    if line.cost:
        yield language.format_cost(line.cost)


def runs_csv(lines: Sequence[RunSummary]) -> bytes:
    """A table of runs: what was asked when, how it ended, and in which chat."""
    columns = "started_at question outcome score iterations seconds cost title run_id".split()
    return csv_file(columns, ([getattr(line, name) for name in columns] for line in lines))
