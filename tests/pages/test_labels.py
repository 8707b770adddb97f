"""Numbers and times as the reader of a page writes them, by what their browser tells of itself."""

import pytest

from tests.pages.visit import page_of


def page():
    import streamlit as st

    from pages.components.dates import format_time
    from pages.components.words import say

    st.text(say("clauses", count=12_345))
    st.text(format_time("2026-11-21T17:05:00+00:00"))


@pytest.mark.parametrize(
    ("locale", "zone", "number", "time"),
    [
        ("en-US", "America/New_York", "12,345 clauses", "Nov 21, 2026, 12:05\u202fPM"),
        ("en-GB", "Europe/London", "12,345 clauses", "21 Nov 2026, 17:05"),
        ("de-DE", "Europe/Berlin", "12.345 Bestimmungen", "21.11.2026, 18:05"),
        ("fr-FR", "Europe/Paris", "12,345 clauses", "21 Nov 2026, 18:05"),
        ("", "Nowhere/Atall", "12,345 clauses", "21 Nov 2026, 17:05"),
        ("", "America", "12,345 clauses", "21 Nov 2026, 17:05"),
        ("", "x" * 5000, "12,345 clauses", "21 Nov 2026, 17:05"),
    ],
)
def test_numbers_and_times_are_the_reader_s(locale, zone, number, time):
    app = page_of(page)
    app.context["locale"], app.context["timezone"] = locale, zone
    app.run()
    assert [text.value for text in app.text] == [number, time]
