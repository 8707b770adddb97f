"""Times in the time zone and the style of the reader's browser."""

from datetime import UTC, date, datetime

import streamlit as st

from core.language import to_zone
from pages.components.words import language


def format_time(time: str) -> str:
    """An ISO time: "21 Nov 2026, 05:37", or "Nov 21, 2026, 5:37 AM" in the United States."""
    return language().format_time(to_local_time(time))


def local_day(time: str) -> date:
    """The day of an ISO time for the reader."""
    return to_local_time(time).date()


def format_recent_day(time: str) -> str:
    """The day of an ISO time: "Today", "Yesterday", or as `Language.format_day` has it."""
    today = local_day(datetime.now(UTC).isoformat())
    return language().format_recent_day(local_day(time), today)


def to_local_time(time: str) -> datetime:
    """An ISO time (UTC if it names no zone) in the reader's zone."""
    return to_zone(time, st.context.timezone)
