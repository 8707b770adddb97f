"""What one person may use of the app, and the error once it is used up. It counts nothing."""

from dataclasses import dataclass

from core.errors import LibraryError
from core.settings import Settings


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
    runs, questions = _count(used.runs, "question"), _count(used.questions, "question")
    limits = (
        (
            used.runs,
            quota.runs_at_a_time,
            f"You have {runs} being answered; wait for one of them or stop it, then ask again.",
        ),
        (
            used.questions,
            quota.questions_a_minute,
            f"You have asked {questions} in the last minute; wait a moment, then ask again.",
        ),
        (
            used.dollars,
            quota.dollars_a_day,
            f"Your questions of the last 24 hours have cost ${used.dollars:.2f}, which is what is"
            " allowed for a day.",
        ),
    )
    for amount, allowed, message in limits:
        if allowed is not None and amount >= allowed:
            raise LibraryError(message, code="limit")


def check_upload_quota(quota: Quota, earlier: int, more: int) -> None:
    """Raise LibraryError `limit` if `more` files are too many after `earlier` of the last hour."""
    limit = quota.uploads_an_hour
    if limit is not None and earlier + more > limit:
        files = _count(limit, "file")
        message = f"Within an hour {files} can be added, and you have added {earlier}"
        raise LibraryError(f"{message}: choose fewer, or wait.", code="limit")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
