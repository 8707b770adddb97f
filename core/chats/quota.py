"""What one person may use of the app, and the sentence that says when it is used up; it counts nothing itself."""

from dataclasses import dataclass

from core.errors import LibraryError
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class Quota:
    """What one person may do; None for as much as they like."""

    runs_at_a_time: int | None = None
    questions_a_minute: int | None = None
    dollars_a_day: float | None = None
    uploads_an_hour: int | None = None


@dataclass(frozen=True, slots=True)
class QuotaUsage:
    """What one person has used: runs going on, questions of the last minute, US dollars of the last 24 hours."""

    runs: int
    questions: int
    dollars: float


def quota_from_settings(settings: Settings) -> Quota:
    """The quota that the settings give everybody."""
    return Quota(
        settings.runs_at_a_time,
        settings.questions_a_minute,
        settings.dollars_a_day,
        settings.uploads_an_hour,
    )


def check_question_quota(quota: Quota, used: QuotaUsage) -> None:
    """Raises LibraryError `limit` where another question is one too many."""
    if _reached(used.runs, quota.runs_at_a_time):
        told = f"You have {_questions(used.runs)} being answered; wait for one of them or stop it, then ask again."
    elif _reached(used.questions, quota.questions_a_minute):
        told = f"You have asked {_questions(used.questions)} in the last minute; wait a moment, then ask again."
    elif _reached(used.dollars, quota.dollars_a_day):
        told = f"Your questions of the last 24 hours have cost ${used.dollars:.2f}, which is what is allowed for a day."
    else:
        return
    raise LibraryError(told, code="limit")


def check_upload_quota(quota: Quota, earlier: int, more: int) -> None:
    """Raises LibraryError `limit` where `more` files are too many, `earlier` having come in the last hour."""
    most = quota.uploads_an_hour
    if most is not None and earlier + more > most:
        raise LibraryError(
            f"Within an hour {_files(most)} can be added, and you have added {earlier}: choose fewer, or wait.",
            code="limit",
        )


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"


def _questions(number: int) -> str:
    return "1 question" if number == 1 else f"{number} questions"


def _reached(used: float, allowed: float | None) -> bool:
    return allowed is not None and used >= allowed
