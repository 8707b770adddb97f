"""Times as the reader has them: in the time zone of their browser."""

from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def moment(time: str) -> str:
    """An ISO time as day and time: "21 Nov 2026, 05:37", or "Nov 21, 2026, 5:37 AM" in the United States."""
    local = here(time)
    told = f"{local.hour % 12 or 12}:{local:%M %p}" if _american() else f"{local:%H:%M}"
    return f"{day_told(local.date())}, {told}"


def day_told(day: date) -> str:
    """A day: "21 Nov 2026", or "Nov 21, 2026" in the United States."""
    return f"{day:%b} {day.day}, {day.year}" if _american() else f"{day.day} {day:%b %Y}"


def day_of(time: str) -> date:
    """The day of an ISO time."""
    return here(time).date()


def here(time: str) -> datetime:
    """An ISO time (UTC where it names no zone) in the reader's zone."""
    told = datetime.fromisoformat(time)
    return told.replace(tzinfo=told.tzinfo or UTC).astimezone(_zone())


def _american() -> bool:
    return (st.context.locale or "").lower() == "en-us"


def _zone() -> tzinfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (
        ZoneInfoNotFoundError,
        ValueError,
        OSError,
    ):  # the browser's word; "America" is a folder
        return UTC
