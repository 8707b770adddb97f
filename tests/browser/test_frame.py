"""The frame around the chat, and the pages beside it, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from tests.browser.app_server import enter, new_window, picture, served
from tests.browser.person import ask, finished, settled
from tests.cup import add_cup_rules
from tests.pages.visit import KART_RULES
from tests.rulebook.pdf_builder import HEIGHT, Paper
from tests.rulebook.test_language_tables import ENGLISH, GERMAN, WORDS

pytestmark = pytest.mark.browser

LAPTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def cup(chromium, tmp_path_factory):
    """The address of an app with two seasons of a small rulebook."""
    folder = tmp_path_factory.mktemp("cup")
    add_cup_rules(Library(folder / "library"))
    with served(folder) as address:
        yield address


def side(tab):
    return tab.get_by_test_id("stSidebar")


def test_chats_ticks_and_limits_are_in_view_on_a_laptop(cup, tab):
    tab.set_viewport_size(LAPTOP)
    enter(tab, cup)
    side(tab).get_by_role("slider", name="Quality threshold").wait_for(timeout=40_000)
    ask(tab, "What is the speed limit in the pit lane?")
    finished(tab)
    settled(tab)
    link = side(tab).get_by_role("link", name="What is the speed limit")
    assert link.bounding_box()["y"] < side(tab).get_by_text("Sources").bounding_box()["y"]
    assert side(tab).get_by_test_id("stCheckbox").count() == 2
    tops = [
        side(tab).get_by_text(label, exact=True).first.bounding_box()["y"]
        for label in ("New chat", "Chats", "Sources", "Thoroughness", "Quality threshold")
    ]
    assert tops == sorted(tops)
    tab.wait_for_timeout(500)
    for name in ("Maximum iterations", "Quality threshold"):
        box = side(tab).get_by_role("slider", name=name).bounding_box()
        assert box["y"] + box["height"] <= LAPTOP["height"], name
    picture(tab, "limits_in_view")
    slider = side(tab).get_by_role("slider", name="Maximum iterations")
    slider.focus()
    tab.keyboard.press("ArrowRight")
    beside = tab.get_by_test_id("stBottom")
    beside.get_by_text("up to 4 iterations, accepted from 7/10").wait_for()
    assert tab.get_by_test_id("stSidebarLogo").is_visible()


def test_the_pages_speak_the_language_of_the_browser_and_then_the_chosen_one(cup, browser):
    window = new_window(browser, viewport=LAPTOP, locale="de-DE")
    tab = window.new_page()
    enter(tab, cup)
    tab.get_by_text("Zum Ausprobieren").wait_for()
    tab.get_by_role("link", name="Einstellungen").click()
    tab.get_by_role("combobox", name="Sprache").click()
    tab.get_by_role("option", name="English").click()
    tab.get_by_role("heading", name="Settings", exact=True).wait_for()
    tab.get_by_test_id("stTopNav").get_by_role("link", name="Chat").click()
    tab.get_by_text("Try one of these").wait_for()
    window.close()


def test_what_is_ticked_is_counted_and_searched(cup, tab):
    enter(tab, cup)
    tab.get_by_test_id("stBottom").get_by_text("1 of 2 documents").wait_for(timeout=40_000)
    ticks = side(tab).get_by_test_id("stCheckbox")
    expect(ticks).to_have_count(2)
    expect(side(tab).get_by_role("checkbox", checked=True)).to_have_count(1)
    ticks.filter(has_text="2023").locator("label").click()
    tab.get_by_test_id("stBottom").get_by_text("2 of 2 documents").wait_for()
    ticks.filter(has_text="2024").locator("label").click()
    tab.get_by_test_id("stBottom").get_by_text("Cup Rules 2023, Issue 1 · 1 of 2").wait_for()
    picture(tab, "sources")
    ask(tab, "What is the speed limit in the pit lane?")
    finished(tab)
    tab.get_by_text("60 km/h").first.wait_for()
    assert tab.get_by_text("50 km/h").count() == 0
    tab.reload()
    tab.get_by_test_id("stBottom").get_by_text("Cup Rules 2023, Issue 1 · 1 of 2").wait_for()
    tab.get_by_role("combobox", name=re.compile("^Use")).click()
    tab.get_by_role("option", name="Newest", exact=True).click()
    tab.get_by_test_id("stBottom").get_by_text("Cup Rules 2024, Issue 1 · 1 of 2").wait_for()


@pytest.mark.usefixtures("brought")
def test_uploads_go_forward_the_newest_on_top_and_a_duplicate_is_none(offline, tab):
    enter(tab, f"{offline}/library")
    tab.get_by_role("heading", name="Rulebooks").wait_for(timeout=40_000)
    chosen = tab.locator("input[type=file]").first
    paper = Paper().line("2025 Long Rowing Rules, Issue 1", bold=True)
    for number in range(1, 61):
        paper.clause(f"1.{number}", f"Every boat of class {number} must carry a number.").page()
    file = {"name": "rowing.pdf", "mimeType": "application/pdf", "buffer": paper.pdf()}
    chosen.set_input_files(file)
    bar, seen = tab.get_by_role("progressbar"), []
    while not tab.get_by_text("Added 2025 Long Rowing").count():
        seen += bar.evaluate_all("bars => bars.map(bar => Number(bar.ariaValueNow))")[:1]
        tab.wait_for_timeout(100)
    assert seen == sorted(seen)
    chosen.set_input_files(
        {"name": "again.pdf", "mimeType": "application/pdf", "buffer": file["buffer"]}
    )
    tab.get_by_text("Nothing to add: again.pdf").wait_for()
    lines = [line for line in tab.get_by_test_id("stMain").inner_text().split("\n") if line]
    places = [
        next(n for n, line in enumerate(lines) if word in line)
        for word in ("again.pdf", "Added 2025 Long Rowing")
    ]
    assert places == sorted(places)
    tab.get_by_test_id("stTopNav").get_by_role("link", name="Chat").click()
    side(tab).get_by_text("1 file added · 1 already there").wait_for()


def test_words_and_numbers_are_searched_in_all_rulebooks(cup, tab):
    enter(tab, f"{cup}/search")
    tab.get_by_label("Words or article number").fill("speed limits")
    tab.keyboard.press("Enter")
    tab.get_by_text("1 clause in 1 document").wait_for(timeout=40_000)
    marked = tab.get_by_test_id("stMarkdown").locator("strong", has_text=re.compile("^speed$"))
    marked.first.wait_for()
    tab.get_by_text("Earlier issues too").click()
    tab.get_by_text("2 clauses in 2 documents").wait_for()
    tab.get_by_label("Words or article number").fill("38.3")
    tab.keyboard.press("Enter")
    tab.get_by_role("link", name=re.compile("^38.3")).first.wait_for()
    settled(tab)
    picture(tab, "search")
    assert "q=38.3" in tab.url
    tab.get_by_role("link", name=re.compile("^38.3")).first.click()
    tab.get_by_role("heading", name="Rulebooks").wait_for()
    tab.get_by_text("a drive-through penalty").first.wait_for()


def test_a_rulebook_is_a_tree_with_its_items_indented(cup, tab):
    enter(tab, f"{cup}/rulebooks")
    tab.get_by_role("button", name="Read").first.click(timeout=40_000)
    heading = tab.get_by_role("button", name="38 PENALTIES")
    heading.click(timeout=40_000)
    rule = tab.get_by_role("button", name=re.compile("^38.3"))
    rule.wait_for()
    settled(tab)
    assert rule.bounding_box()["x"] > heading.bounding_box()["x"]
    expect(tab.get_by_role("button", name="40 TYRES")).to_be_visible()
    rule.click()
    tab.get_by_test_id("stText").get_by_text("a) a time penalty").wait_for()
    settled(tab)
    picture(tab, "tree")
    text = tab.get_by_test_id("stText").first.inner_text().splitlines()
    assert text[1].startswith("\u2003a)")


def test_a_rule_in_two_languages_is_read_side_by_side(chromium, tab, tmp_path):
    paper, words = Paper(size=9), iter(WORDS)
    for chapter in (1, 2, 3):
        for number in (1, 2, 3):
            word, top, paper.y = next(words), paper.y, paper.y - 60
            for left, lines in ((60, GERMAN), (300, ENGLISH)):
                paper.canvas.rect(left, paper.y, 240, 60)
                for row, line in enumerate((f"{chapter}.{number} {word}.", *lines)):
                    paper.at(left + 4, HEIGHT - (top - 13 - 12 * row), line)
        paper.page()
    library = Library(tmp_path / "library")
    [added] = add_bytes(library, paper.pdf(), "languages.pdf")
    clause = library.clauses(added.document.document_id)[0]
    with served(tmp_path) as address:
        enter(tab, f"{address}/browse?clause={clause.clause_id}")
        said = ("Das Reglement gilt", "The regulations apply")
        both = [tab.get_by_test_id("stText").filter(has_text=words) for words in said]
        for text in both:
            text.wait_for(timeout=40_000)
        settled(tab)
        picture(tab, "languages")
        boxes = [text.bounding_box() for text in both]
        assert abs(boxes[0]["y"] - boxes[1]["y"]) < 30
        assert abs(boxes[0]["x"] - boxes[1]["x"]) > 100


def test_future_text_is_switched_on(cup, tab):
    enter(tab, f"{cup}/rulebooks")
    tab.get_by_role("button", name="Read").first.click(timeout=40_000)
    tab.get_by_text("Choose an article").wait_for(timeout=40_000)
    for name in ("New in this issue", "Struck out, not in force", "For a later season"):
        tab.get_by_test_id("stButtonGroup").get_by_text(name).wait_for()


def test_the_differences_are_on_the_first_screen_and_place_and_wording_are_two_filters(
    offline, tab
):
    tab.set_viewport_size(LAPTOP)
    enter(tab, f"{offline}/compare")
    tab.get_by_text(re.compile(r"\d+ of \d+ clauses")).wait_for(timeout=60_000)
    settled(tab)
    picture(tab, "compare")
    assert tab.locator("del").first.bounding_box()["y"] < LAPTOP["height"]
    for filter, choice in (("Place", "Renumbered"), ("Wording", "Same words")):
        tab.get_by_role("combobox", name=filter).click()
        tab.get_by_role("option", name=choice).click()
        tab.keyboard.press("Escape")
        settled(tab)
    tab.get_by_text(re.compile(r"^[1-9]\d* of \d+ clauses")).wait_for()
    assert tab.get_by_test_id("stMain").locator("del").count() == 0
    assert "place=renumbered" in tab.url


def test_one_evaluation_and_one_run_are_plotted(tab, tmp_path):
    add_cup_rules(Library(tmp_path / "library"))
    with served(tmp_path) as address:
        enter(tab, address)
        ask(tab, "What is the speed limit in the pit lane?")
        finished(tab)
        enter(tab, f"{address}/runs")
        tab.get_by_role("heading", name="Runs").wait_for()
        expect(tab.get_by_test_id("stVegaLiteChart").first.locator("svg, canvas")).to_be_visible()
        settled(tab)
        picture(tab, "one_run")
        enter(tab, f"{address}/evaluate")
        questions = (
            b"question,articles,season\nWhat is the speed limit in the pit lane?,21.3,2024\n"
        )
        tab.locator("input[type=file]").set_input_files(
            {"name": "one.csv", "mimeType": "text/csv", "buffer": questions}
        )
        tab.get_by_role("button", name="Run 1 question").click()
        tab.get_by_text("1 result of 1").wait_for()
        chart = tab.get_by_test_id("stVegaLiteChart").locator("svg, canvas")
        expect(chart.first).to_be_visible()
        settled(tab)
        picture(tab, "one_evaluation")


def test_a_file_that_needs_a_password_is_told_in_words_of_the_page(cup, tab):
    from io import BytesIO

    from pypdf import PdfReader, PdfWriter

    writer, locked = PdfWriter(clone_from=PdfReader(BytesIO(KART_RULES))), BytesIO()
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(locked)
    enter(tab, f"{cup}/library")
    tab.get_by_role("heading", name="Rulebooks").wait_for(timeout=40_000)
    file = {"name": "kart.pdf", "mimeType": "application/pdf", "buffer": locked.getvalue()}
    tab.locator("input[type=file]").first.set_input_files(file)
    tab.get_by_text("kart.pdf needs a password").wait_for()
    tab.get_by_role("textbox", name="Password for this file").wait_for()
    assert "--password" not in tab.get_by_test_id("stMain").inner_text()
