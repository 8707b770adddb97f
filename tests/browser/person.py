"""What a person does in a tab of the app: ask, wait until all is drawn, open every panel."""

import re

from playwright.sync_api import expect

SENT = 100
"""Milliseconds until a click or typed text has reached the server and its script runs."""


def ask(tab, question):
    """Type a question and send it."""
    tab.get_by_test_id("stChatInputTextArea").fill(question)
    tab.keyboard.press("Enter")


def finished(tab):
    """The line of the last run's reasoning, once the whole of the run is there."""
    last_answer(tab).get_by_text("Scope:").wait_for()
    return tab.get_by_text(re.compile(r"(^|· )\d+ iterations?(,| ·)")).last


def last_answer(tab):
    """The last answer, as far as it is drawn."""
    return tab.get_by_test_id("stChatMessage").last


def whole_answer(tab):
    """The text of the last answer, once its thumbs are drawn, which come last."""
    finished(tab)
    last_answer(tab).get_by_test_id("stFeedback").wait_for()
    settled(tab)
    return last_answer(tab).inner_text()


def shows(tab, answer):
    """Wait until the last answer is this one."""
    expect(last_answer(tab)).to_have_text(answer, use_inner_text=True, timeout=30_000)


def settled(tab):
    """Wait until the page's script is at rest and each element is drawn.

    Before that, elements may be drawn again; the first of a kind is empty until its code is there.
    """
    tab.wait_for_timeout(SENT)
    tab.locator(
        "[data-test-connection-state=CONNECTED][data-test-script-state=notRunning]"
    ).wait_for()
    expect(tab.get_by_test_id("stSkeleton")).to_have_count(0)


def open_all(tab):
    """Open every panel on the page, nested ones too, without waiting for animations."""
    for _ in range(5):
        closed = tab.locator("details:not([open]) > summary")
        if not closed.count():
            break
        closed.evaluate_all("panels => panels.forEach(panel => panel.click())")
        settled(tab)


def bring_file(tab, file):
    """Add a file by the side bar of the chat."""
    tab.get_by_test_id("stSidebar").locator("input[type=file]").set_input_files(file)
