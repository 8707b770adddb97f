"""Times as the reader has them: in the time zone of their browser."""

from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def format_time(time: str) -> str:
    """An ISO time as day and time: "21 Nov 2026, 05:37", or "Nov 21, 2026, 5:37 AM" in the United States."""
    local = to_local_time(time)
    told = f"{local.hour % 12 or 12}:{local:%M %p}" if _american() else f"{local:%H:%M}"
    return f"{format_day(local.date())}, {told}"


def format_day(day: date) -> str:
    """A day: "21 Nov 2026", or "Nov 21, 2026" in the United States."""
    return f"{day:%b} {day.day}, {day.year}" if _american() else f"{day.day} {day:%b %Y}"


def local_day(time: str) -> date:
    """The day of an ISO time."""
    return to_local_time(time).date()


def to_local_time(time: str) -> datetime:
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
