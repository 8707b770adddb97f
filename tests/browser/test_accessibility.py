"""What axe-core finds on every page, light and dark: nothing serious or critical."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.app_server import enter, new_window, picture
from tests.browser.person import ask, finished, settled

axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
)
pytestmark = pytest.mark.browser

GRAVE = ("serious", "critical")
ALL = {"resultTypes": ["violations"]}
SCHEMES = {"light": ALL, "dark": ALL | {"runOnly": ["color-contrast", "link-in-text-block"]}}
"""What is tried in each theme: another one changes colours alone."""
BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(8, 14, 19)"}
"""What each theme of `.streamlit/config.toml` is known by, once the page has taken it."""
AT_REST = """() => document.getAnimations().every(
    motion => motion.playState !== "running" || motion.effect.getTiming().iterations === Infinity
)"""
"""Whether all that fades or opens has the colours that it keeps."""


@pytest.fixture
def tab(browser):
    """A tab into which axe-core can be put; the pages' own policy rightly forbids it."""
    context = new_window(browser, bypass_csp=True)
    page = context.new_page()
    yield page
    context.close()


def barriers(tab, name):
    """The serious violations on the page in both themes, each with its elements."""
    settled(tab)
    found = []
    for scheme, options in SCHEMES.items():
        tab.emulate_media(color_scheme=scheme)
        expect(tab.locator(".stApp")).to_have_css("background-color", BACKGROUNDS[scheme])
        tab.wait_for_function(AT_REST)
        picture(tab, f"barriers_{name}_{scheme}")
        violations = axe.Axe().run(tab, options=options).response["violations"]
        grave = [rule for rule in violations if rule["impact"] in GRAVE]
        found += [
            (name, scheme, rule["id"], node["html"]) for rule in grave for node in rule["nodes"]
        ]
    return found


def visit(tab, page):
    """Go to a page as a person does: no page is loaded anew."""
    tab.get_by_test_id("stTopNav").get_by_role("link", name=page).click()
    tab.get_by_test_id("stMain").get_by_role("heading", name=page, exact=True).wait_for()
    settled(tab)


def test_the_chat_has_no_serious_barrier(offline, tab):
    enter(tab, offline)
    tab.get_by_text("Try one of these").wait_for(timeout=120_000)
    found = barriers(tab, "empty_chat")
    ask(tab, "What is the pit lane speed limit?")
    finished(tab)
    tab.get_by_text(re.compile("^Iteration 1 · Search")).click()
    tab.get_by_text("Completeness").first.wait_for()
    found += barriers(tab, "whole_answer")
    tab.get_by_role("button", name="Article 21.3, page 9").click()
    tab.get_by_role("img", name=re.compile("^Page 9 of ")).first.wait_for()
    found += barriers(tab, "opened_citation")
    assert found == []


def test_no_other_page_has_a_serious_barrier(offline, tab):
    enter(tab, f"{offline}/rulebooks")
    tab.get_by_role("button", name="Read").first.click()
    tab.get_by_label("Words or article number").fill("21.3")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name=re.compile(r"^21\.3 ")).first.click()
    tab.get_by_role("img", name=re.compile(r"^Page \d+ of ")).wait_for()
    found = barriers(tab, "tree")
    for page in ("Compare", "Limits", "Check quotes", "Runs", "Settings"):
        visit(tab, page)
        found += barriers(tab, page.lower())
    visit(tab, "Rulebooks")
    tab.get_by_role("button", name="All rulebooks").click()
    found += barriers(tab, "rulebooks")
    tab.get_by_label("Words or article number").fill("speed limit")
    tab.keyboard.press("Enter")
    tab.get_by_text("the best first").wait_for()
    found += barriers(tab, "found")
    visit(tab, "Limits")
    tab.get_by_role("radio", name="Check a sheet").click()
    found += barriers(tab, "sheet")
    visit(tab, "Runs")
    tab.get_by_role("radio", name="Sets of questions").click()
    tab.get_by_text("Use the example").click()
    found += barriers(tab, "evaluate")
    assert found == []
