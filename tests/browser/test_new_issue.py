"""A new issue in a real browser: from adding it to the last suspect that is cleared."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.app_server import enter, picture, served
from tests.browser.person import ask, finished, settled, whole_answer
from tests.rulebook.pdf_builder import Paper

pytestmark = pytest.mark.browser

FIRST = "What does Article 1.1 of the Rowing Rules say?"
SECOND = "What does Article 1.2 of the Rowing Rules say?"


def rowing_rules(issue, weight):
    """An issue of a small rulebook whose Article 1.1 names a weight."""
    paper = Paper().line(f"2025 Rowing Rules, Issue {issue}", bold=True)
    paper.clause("1", "BOATS", bold=True)
    paper.clause("1.1", f"Every boat of the regatta must weigh at least {weight} kg without oars.")
    paper.clause("1.2", "Every boat of the regatta must carry its number on both sides of the bow.")
    name = f"rowing-{issue}.pdf"
    return {"name": name, "mimeType": "application/pdf", "buffer": paper.pdf()}


def add(tab, address, issue, weight):
    enter(tab, f"{address}/library")
    tab.get_by_role("heading", name="Rulebooks").first.wait_for(timeout=40_000)
    tab.locator("input[type=file]").first.set_input_files(rowing_rules(issue, weight))
    tab.get_by_text(f"Added 2025 Rowing Rules, Issue {issue}").first.wait_for()


def test_what_a_new_issue_touches_is_cleared_by_a_person(tab, tmp_path, cup_rules):
    shutil.copytree(cup_rules, tmp_path / "library")
    with served(tmp_path) as address:
        add(tab, address, 1, 14)
        enter(tab, address)
        ask(tab, FIRST)
        assert "at least 14 kg" in whole_answer(tab)
        ask(tab, SECOND)
        tab.get_by_text("both sides of the bow").first.wait_for()
        finished(tab)
        add(tab, address, 2, 15)

        enter(tab, f"{address}/changes")
        tab.get_by_text("1 answer to look at.").wait_for(timeout=40_000)
        tab.get_by_text(re.compile("Compared with 2025 Rowing Rules, Issue 1")).wait_for()
        main = tab.get_by_test_id("stMain")
        assert FIRST in main.inner_text()
        assert SECOND not in main.inner_text()
        picture(tab, "suspect")
        tab.get_by_role("button", name="I have looked at it").click()
        tab.get_by_text("All answers that cite a changed rule have been looked at.").wait_for()
        tab.reload()
        expect(main.get_by_text("Cleared", exact=True)).to_be_visible(timeout=40_000)
        settled(tab)
        assert not tab.get_by_role("button", name="I have looked at it").count()
