"""Times in the time zone and the style of the reader's browser."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from pages.components.words import language, say


def format_time(time: str) -> str:
    """An ISO time: "21 Nov 2026, 05:37", or "Nov 21, 2026, 5:37 AM" in the United States."""
    return language().format_time(to_local_time(time))


def local_day(time: str) -> date:
    """The day of an ISO time for the reader."""
    return to_local_time(time).date()


def format_recent_day(time: str) -> str:
    """The day of an ISO time: "Today", "Yesterday", or as `Language.format_day` has it."""
    day = local_day(time)
    age = (local_day(datetime.now(UTC).isoformat()) - day).days
    return {0: say("today"), 1: say("yesterday")}.get(age) or language().format_day(day)


def to_local_time(time: str) -> datetime:
    """An ISO time (UTC if it names no zone) in the reader's zone."""
    parsed = datetime.fromisoformat(time)
    parsed = parsed.replace(tzinfo=parsed.tzinfo or UTC)
    try:
        return parsed.astimezone(ZoneInfo(st.context.timezone or "UTC"))
    except (KeyError, ValueError, OSError):  # sent by the browser: not a zone, or a folder of zones
        return parsed.astimezone(UTC)
