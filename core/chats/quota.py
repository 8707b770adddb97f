"""What one person may use of the app, and the budget that a person chooses. It counts nothing."""

from dataclasses import dataclass, replace

from core.agent import RunBudget, budget_of
from core.choices import Mode
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


@dataclass(frozen=True, slots=True)
class QuotaUsage:
    """Open runs, questions of the last minute and US dollars of the last 24 hours of a person."""

    runs: int
    questions: int
    dollars: float


def quota_from_settings(settings: Settings) -> Quota:
    """Return the quota that the settings give everybody."""
    return Quota(
        settings.runs_at_a_time,
        settings.questions_a_minute,
        settings.dollars_a_day,
        settings.uploads_an_hour,
    )


def check_question_quota(quota: Quota, used: QuotaUsage) -> None:
    """Raise LibraryError `limit` if another question is one too many."""
    if _is_at_limit(quota.runs_at_a_time, used.runs):
        runs = _count(used.runs, "question")
        message = (
            f"You have {runs} being answered; wait for one of them or stop it, then ask again."
        )
    elif _is_at_limit(quota.questions_a_minute, used.questions):
        questions = _count(used.questions, "question")
        message = f"You have asked {questions} in the last minute; wait a moment, then ask again."
    elif _is_at_limit(quota.dollars_a_day, used.dollars):
        cost = f"${used.dollars:.2f}, which is what is allowed for a day"
        message = f"Your questions of the last 24 hours have cost {cost}."
    else:
        return
    raise LibraryError(message, code="limit")


def check_upload_quota(quota: Quota, earlier: int, more: int) -> None:
    """Raise LibraryError `limit` if `more` files are too many after `earlier` of the last hour."""
    limit = quota.uploads_an_hour
    if limit is not None and earlier + more > limit:
        files = _count(limit, "file")
        message = f"Within an hour {files} can be added, and you have added {earlier}"
        raise LibraryError(f"{message}: choose fewer, or wait.", code="limit")


def _is_at_limit(limit: float | None, used: float) -> bool:
    return limit is not None and used >= limit


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
        budget, max_iterations=clamp_iterations(most), quality_threshold=min(max(least, 1.0), 10.0)
    )


def clamp_iterations(count: int) -> int:
    return min(max(count, 1), MAX_CHOSEN_ITERATIONS)


def mode_of(budget: RunBudget) -> Mode:
    """Return the mode that has such a budget."""
    if not budget.scoring:
        return "quick"
    return "deep" if budget.max_tool_rounds is None else "standard"
