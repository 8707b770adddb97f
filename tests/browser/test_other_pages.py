"""The pages beside the chat in a real browser. PICTURES=1 keeps pictures in tests/artefacts."""

import json
import re
from hashlib import sha256

import pytest
from playwright.sync_api import expect

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from tests.browser.app_server import begin_session, enter, picture, served
from tests.browser.person import ask, settled
from tests.rulebook.pdf_builder import Paper
from tests.test_server import shaken

pytestmark = pytest.mark.browser

NARROW = {"width": 380, "height": 1000}
PAGES = {
    "compare": "of .* clauses?",
    "search": "Words or article number",
    "runs": "runs? of",
    "evaluate": "Question set",
    "library": "Words or article number",
    "check_a_sheet": "Sheet of values",
}


def first_visit(tab, offline):
    """The sample rulebooks are read on the first visit of all."""
    enter(tab, offline)
    tab.get_by_test_id("stChatInputTextArea").wait_for(timeout=120_000)


def test_two_issues_are_compared(offline, tab):
    first_visit(tab, offline)
    enter(tab, f"{offline}/compare")
    tab.get_by_text(re.compile(r"\d+ of \d+ clauses")).wait_for()
    tab.get_by_role("combobox", name="Place").click()
    tab.get_by_role("option", name="Removed").click()
    tab.keyboard.press("Escape")
    tab.get_by_text(re.compile(r"^13 of \d+ clauses")).wait_for()
    settled(tab)
    assert "place=removed" in tab.url
    tab.get_by_role("button", name="Clear all").click()
    tab.get_by_label("Words").fill("wing")
    tab.keyboard.press("Enter")
    tab.get_by_text(re.compile(r"^(?!13)\d{1,2} of \d+ clauses")).wait_for()
    tab.locator("del").first.wait_for()
    settled(tab)
    tab.get_by_role("link", name=re.compile("in 20.. Meridian Cup")).first.click()
    tab.get_by_role("heading", name="Rulebooks").wait_for()
    assert "clause=" in tab.url


def test_a_page_keeps_its_width_when_something_is_clicked(offline, tab):
    first_visit(tab, offline)
    enter(tab, f"{offline}/compare")
    tab.get_by_text(re.compile(r"\d+ of \d+ clauses")).wait_for()
    settled(tab)
    page = tab.get_by_test_id("stMainBlockContainer")
    wide = page.bounding_box()["width"]
    tab.get_by_role("button", name="Swap").click()
    settled(tab)
    assert page.bounding_box()["width"] == wide
    enter(tab, f"{offline}/settings")
    tab.get_by_role("heading", name="Settings", exact=True).wait_for()
    settled(tab)
    assert page.bounding_box()["width"] < wide


def test_a_question_set_is_evaluated(offline, tab):
    first_visit(tab, offline)
    enter(tab, f"{offline}/evaluate")
    tab.get_by_text("Use the example").click()
    tab.get_by_role("button", name="Run 16 questions").click()
    tab.get_by_text("16 results of 16").wait_for(timeout=60_000)
    picture(tab, "evaluation")
    tab.get_by_test_id("stMetric").filter(has_text="Quotes that are correct").get_by_text(
        "100%"
    ).wait_for()
    tab.get_by_role("button", name=re.compile("What is the pit lane speed limit")).click()
    tab.get_by_role("heading", name="Runs").wait_for()
    tab.get_by_text(re.compile("^Iteration 1")).first.wait_for()
    tab.get_by_text("50 km/h").last.wait_for()
    picture(tab, "run_replayed")


def test_an_evaluation_is_stopped_and_keeps_what_it_had(offline, tab):
    first_visit(tab, offline)
    enter(tab, f"{offline}/evaluate")
    rows = "\n".join(
        f"What is the pit lane speed limit?,21.3,2024,meridian-sporting{''}" for _ in range(500)
    )
    questions = f"question,articles,season,document\n{rows}\n".encode()
    tab.locator("input[type=file]").set_input_files(
        {"name": "many.csv", "mimeType": "text/csv", "buffer": questions}
    )
    tab.get_by_role("button", name="Run 500 questions").click()
    tab.get_by_text(re.compile(r"many.csv: [1-9]\d* of 500")).wait_for()
    tab.reload()
    tab.get_by_role("button", name="Stop the evaluation").click()
    tab.get_by_role("button", name="Run the questions").wait_for()
    told = tab.get_by_text(re.compile(r"^\d+ results? of \d+$")).inner_text()
    assert 0 < int(told.split()[-1]) < 500


def test_offered_questions_are_whole_on_a_telephone(tab, tmp_path):
    rule = "No driver may overtake where a yellow flag is shown to them or to a driver before them."
    titles = {
        "Alpine Trophy": "Overtaking drivers beside waved yellow flags",
        "Coastal Trophy": "Overtaking drivers behind doubled yellow flags",
    }
    lines = [
        {"document": name, "article": "2.1", "title": title, "text": rule}
        for name, title in titles.items()
    ]
    library = Library(tmp_path / "library")
    assert all(
        held.document
        for held in add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "flags.jsonl")
    )
    tab.set_viewport_size(NARROW)
    with served(tmp_path) as app:
        enter(tab, app)
        tab.get_by_text("Try one of these").wait_for()
        settled(tab)
        picture(tab, "narrow_first")
        offered = tab.locator("[class*=st-key-example-] button p").all()
        assert [len(question.inner_text()) > 60 for question in offered] == [True, True]
        for question in offered:
            assert question.evaluate("element => element.scrollWidth <= element.clientWidth"), (
                question.inner_text()
            )


def test_nothing_scrolls_sideways_on_a_telephone(offline, tab):
    first_visit(tab, offline)
    ask(tab, "What is the pit lane speed limit?")
    tab.get_by_text("50 km/h").last.wait_for(timeout=30_000)
    tab.set_viewport_size(NARROW)
    for page, ready in PAGES.items():
        enter(tab, f"{offline}/{page}")
        tab.get_by_text(re.compile(ready)).first.wait_for()
        settled(tab)
        picture(tab, f"narrow_{page}")
        assert tab.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], page
        main = tab.get_by_test_id("stMain")
        assert main.evaluate("element => element.scrollWidth <= element.clientWidth"), page


def introduced_rules():
    """A rulebook with two pages of headings without a number before its numbered rules."""
    paper = Paper().line("2025 Rowing Club Rules", bold=True).line("Issue 2").page()
    for name in ("Purpose of the rules", "Who may take part", "How to protest"):
        paper.line(name, left=72, bold=True, gap=12)
        paper.line("The rule itself is written in these words.", left=72, gap=4)
    paper.page()
    for number in ("1", "1.1", "1.2", "2"):
        paper.heading(number, "Boats").line("Every boat must carry a number.", gap=4)
    return paper.pdf()


def test_a_person_looks_at_what_was_left_over_and_says_what_a_line_is(offline, tab, brought):
    first_visit(tab, offline)
    [added] = add_bytes(brought, introduced_rules(), "rowing.pdf")
    enter(tab, f"{offline}/library")
    tab.get_by_text("2025 Rowing Club Rules, Issue 2").last.click()
    tab.get_by_role("button", name="Look at its pages").click()
    tab.get_by_role("img", name="Page 2 of 2025 Rowing Club Rules").wait_for()
    settled(tab)
    picture(tab, "lines_left_over")
    tab.get_by_role("combobox", name=re.compile("Lines that are marked")).click()
    tab.get_by_role("option", name="Purpose of the rules").click()
    settled(tab)
    tab.get_by_role("button", name="Read again with this").click()
    tab.get_by_text("Page 2, “Purpose of the rules”: heading of level 1").wait_for()
    settled(tab)
    picture(tab, "lines_read_again")
    articles = [clause.article for clause in brought.clauses(added.document.document_id)]
    assert articles[1:4] == ["Purpose of the rules", "Who may take part", "How to protest"]


def test_a_person_sees_where_they_are_let_in_and_ends_it_there(offline, tab):
    """A session that was begun in another browser is listed, and ended for good."""
    key, cookie = begin_session(offline, "Tablet")
    enter(tab, f"{offline}/settings")
    tab.get_by_text("This browser, since").first.wait_for()
    session = sha256(cookie.partition("=")[2].encode()).hexdigest()
    tab.locator(f".st-key-end-{session}").get_by_role("button").click()
    expect(tab.get_by_text("Tablet, since")).to_have_count(0)
    assert shaken(offline, offline.removeprefix("http://"), offline, key) == 403
