"""What one person may use of the app, and the budget that a person chooses. It counts nothing."""

from dataclasses import dataclass, replace

from core.agent import RunBudget, budget_of
from core.choices import Mode
from core.copied_fields import copy_fields
from core.errors import LibraryError
from core.settings import Settings

MAX_CHOSEN_ITERATIONS = 10
"""As many as a person can choose for a run."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What one person may do; None is no limit."""

    runs_at_a_time: int | None = None
    questions_a_minute: int | None = None
    dollars_a_day: float | None = None
    uploads_an_hour: int | None = None

    @classmethod
    def from_settings(cls, settings: Settings) -> "Quota":
        """Return the quota that the settings give everybody."""
        return copy_fields(cls, settings)

    def check_question(self, runs: int, questions: int, dollars: float) -> None:
        """Raise LibraryError `limit` if another question is one too many.

        `runs` are open, `questions` of the last minute, US `dollars` of the last 24 hours.
        """
        asked = f"You have asked {_count(questions, 'question')} in the last minute"
        cost = f"Your questions of the last 24 hours have cost ${dollars:.2f}"
        for limit, used, message in (
            (
                self.runs_at_a_time,
                runs,
                f"You have {_count(runs, 'question')} being answered; wait for one of them or stop"
                " it, then ask again.",
            ),
            (self.questions_a_minute, questions, f"{asked}; wait a moment, then ask again."),
            (self.dollars_a_day, dollars, f"{cost}, which is what is allowed for a day."),
        ):
            if limit is not None and used >= limit:
                raise LibraryError(message, code="limit")

    def check_upload(self, earlier: int, more: int) -> None:
        """Raise LibraryError `limit` if `more` files are too many after those of the last hour."""
        limit = self.uploads_an_hour
        if limit is not None and earlier + more > limit:
            files = _count(limit, "file")
            message = f"Within an hour {files} can be added, and you have added {earlier}"
            raise LibraryError(f"{message}: choose fewer, or wait.", code="limit")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def choose_budget(
    settings: Settings, mode: Mode, iterations: int | None = None, threshold: float | None = None
) -> RunBudget:
    """Return the budget of a mode with what a person chose; without a score nothing can be chosen.

    Values are clamped: a browser may send what no slider allows.
    """
    budget = budget_of(settings, mode)
    if not budget.scoring:
        return budget
    most = budget.max_iterations if iterations is None else iterations
    least = budget.quality_threshold if threshold is None else threshold
    return replace(
        budget,
        max_iterations=min(max(most, 1), MAX_CHOSEN_ITERATIONS),
        quality_threshold=min(max(least, 1.0), 10.0),
    )
