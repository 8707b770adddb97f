"""Times as the reader has them: in the time zone of their browser."""

from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def moment(time: str) -> str:
    """An ISO time as day and time, "21 Nov 2026, 05:37"."""
    local = here(time)
    return f"{local.day} {local:%b %Y, %H:%M}"


def day_of(time: str) -> date:
    """The day of an ISO time."""
    return here(time).date()


def here(time: str) -> datetime:
    """An ISO time (UTC where it names no zone) in the reader's zone."""
    told = datetime.fromisoformat(time)
    return told.replace(tzinfo=told.tzinfo or UTC).astimezone(_zone())


def _zone() -> tzinfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):  # the browser's word
        return UTC
