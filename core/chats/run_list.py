"""Runs as a person looks for them: a filter, and orders."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from core.agent import Outcome
from core.chats.queries import RunSummary
from core.exports import csv_file
from core.language import Language
from core.library import has_words

RunOrder = Literal["newest", "oldest", "best score", "worst score", "dearest", "slowest"]
ORDERS: dict[RunOrder, tuple[Callable[[RunSummary], Any], bool]] = {
    "newest": (lambda line: line.started_at, True),
    "oldest": (lambda line: line.started_at, False),
    "best score": (lambda line: line.score or 0.0, True),
    "worst score": (lambda line: 11.0 if line.score is None else line.score, False),
    "dearest": (lambda line: line.cost or 0.0, True),
    "slowest": (lambda line: line.seconds, True),
}
"""Each order's key, and True if the greatest comes first. Runs without a score come last."""


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs to show. An empty choice matches every run."""

    outcomes: Sequence[Outcome] = ()
    words: str = ""
    days: Sequence[date] = ()
    """Empty, a first day, or a first and a last day."""

    def matches_run(self, line: RunSummary, day: date) -> bool:
        """True for a run that was asked on this day, in the reader's time zone."""
        first, last, *_ = (*self.days, date.max, date.max) if self.days else (date.min, date.max)
        return (
            (not self.outcomes or line.outcome in self.outcomes)
            and has_words(line.question, self.words)
            and first <= day <= last
        )


def sort_runs(lines: Sequence[RunSummary], order: RunOrder) -> list[RunSummary]:
    key, greatest_first = ORDERS[order]
    return sorted(lines, key=key, reverse=greatest_first)


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
