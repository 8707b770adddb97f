"""The main ways through the app in a real browser. PICTURES=1 keeps pictures in tests/artefacts."""

import re

import pytest
from playwright.sync_api import expect

from core.library.storage.library import Library
from tests.browser.app_server import WIDE, enter, free_port, new_window, picture, served
from tests.browser.person import ask, bring_file, finished, last_answer, shows, whole_answer
from tests.cup import add_cup_rules
from tests.messages_server import MessagesServer, assessed, citing, classified
from tests.pages.visit import KART_RULES

pytestmark = pytest.mark.browser

EXAMPLE = "What is the pit lane speed limit?"
ANSWER = "The pit lane speed limit is 50 km/h"


@pytest.mark.story
def test_first_start_and_an_example_question(tab, tmp_path):
    """With nothing there but the sample rulebooks, which are read while one watches."""
    with served(tmp_path) as app:
        enter(tab, app)
        tab.get_by_text("Reading the sample rulebooks").wait_for()
        tab.get_by_text("Try one of these").wait_for(timeout=90_000)
        picture(tab, "first_start")
        tab.get_by_text("Offline mode").wait_for()
        tab.get_by_role("button", name=EXAMPLE).click()
        line = finished(tab)
        tab.get_by_text(ANSWER).first.wait_for()
        picture(tab, "answer")
        line.click()
        tab.get_by_text(re.compile("^Iteration 1 · Search")).click()
        tab.get_by_text("Completeness").first.wait_for()
        tab.get_by_text("Decision", exact=True).first.wait_for()


def test_a_refresh_keeps_the_chat(offline, tab):
    enter(tab, offline)
    ask(tab, "How many reprimands bring a grid drop?")
    answer = whole_answer(tab)
    assert "?chat=" in tab.url
    tab.reload()
    shows(tab, answer)
    tab.get_by_role("button", name="New chat").click()
    tab.get_by_text("Try one of these").wait_for()
    tab.get_by_role("link", name="How many reprimands").first.click()
    shows(tab, answer)


def test_a_restart_loses_nothing(tab, tmp_path):
    add_cup_rules(Library(tmp_path / "library"))
    port = free_port()
    with served(tmp_path, port=port) as app:
        enter(tab, app)
        ask(tab, EXAMPLE)
        answer = whole_answer(tab)
    with served(tmp_path, port=port):
        tab.reload()
        shows(tab, answer)
        tab.get_by_role("link", name=EXAMPLE).wait_for()


@pytest.mark.usefixtures("brought")
def test_a_pdf_comes_with_its_question(offline, tab):
    enter(tab, offline)
    tab.get_by_text("Try one of these").wait_for(timeout=90_000)
    file = {"name": "kart.pdf", "mimeType": "application/pdf", "buffer": KART_RULES}
    tab.locator("[data-testid=stChatInput] input[type=file]").set_input_files(file)
    tab.get_by_test_id("stChatInput").get_by_text("kart.pdf").wait_for()
    tab.get_by_test_id("stChatInputTextArea").fill("What is the penalty for ignoring a blue flag?")
    tab.wait_for_load_state(
        "networkidle"
    )  # the file is on its way: nothing is sent before it has come
    tab.get_by_test_id("stChatInputSubmitButton").click()
    finished(tab)
    tab.get_by_text("ten second penalty").first.wait_for()
    tab.get_by_text("Scope: 2025 Karting Club").last.wait_for()


def test_an_old_chat_is_found_by_its_words_and_deleting_it_can_be_undone(offline, tab):
    enter(tab, offline)
    ask(tab, "Which tyres are used when the track is wet?")
    answer = whole_answer(tab)
    tab.get_by_role("button", name="New chat").click()
    tab.get_by_text("Try one of these").wait_for()
    tab.get_by_label("Find a chat").fill("tyres wet")
    tab.keyboard.press("Enter")
    tab.get_by_text("Today").wait_for()
    tab.get_by_role("link", name="Which tyres are used").click()
    shows(tab, answer)
    tab.get_by_role("button", name="This chat").click()
    picture(tab, "this_chat")
    tab.get_by_role("button", name="Delete").click()
    tab.get_by_role("button", name="Undo").click()
    shows(tab, answer)


@pytest.mark.usefixtures("brought")
def test_upload_a_pdf_and_ask_about_it(offline, tab):
    enter(tab, offline)
    file = {"name": "kart.pdf", "mimeType": "application/pdf", "buffer": KART_RULES}
    bring_file(tab, file)
    tab.get_by_text(re.compile("Added |Unchanged")).first.wait_for()
    ask(tab, "What is the minimum weight of a kart with its driver?")
    finished(tab)
    tab.get_by_text("A kart may not weigh less than 150 kg").first.wait_for()
    tab.get_by_role("link", name="Rulebooks").click()
    tab.get_by_role("heading", name="Rulebooks", exact=True).wait_for()
    tab.locator("summary", has_text="Karting Club").first.click()
    tab.get_by_role("button", name="Save").wait_for()


def test_sliders_change_the_run(offline, tab):
    enter(tab, offline)
    tab.get_by_text("Try one of these").wait_for()
    threshold = tab.get_by_role("slider", name="Quality threshold")
    threshold.focus()
    tab.keyboard.press("End")
    ask(tab, "What is the pit lane speed limit for delivery vans?")
    assert "2 iterations" in finished(tab).inner_text()  # a third would find the same
    tab.get_by_text("Closest rules", exact=True).first.wait_for()
    tab.get_by_role("button", name="Try again").click()
    tab.get_by_text(re.compile(r"· [34] iterations")).first.wait_for()


def test_a_citation_shows_the_marked_page_beside_the_answer(offline, tab):
    enter(tab, offline)
    ask(tab, EXAMPLE)
    whole_answer(tab)
    tab.get_by_role("button", name="Article 21.3, page 9").click()
    opened = tab.locator(".st-key-cited-page")
    page = opened.get_by_role("img", name="Page 9 of 2024 Meridian Cup Sporting Regulations")
    page.wait_for()
    assert page.evaluate("image => image.decode().then(() => image.naturalWidth)") > 1000
    tab.wait_for_timeout(300)  # the picture fades in
    picture(tab, "citation")
    seen, answer = page.bounding_box(), last_answer(tab).bounding_box()
    assert seen["y"] + seen["height"] <= WIDE["height"], "the quote is in view without scrolling"
    assert answer["x"] + answer["width"] <= seen["x"], "the page covers nothing of the answer"
    assert len(tab.context.pages) == 1, "no other tab was opened"
    opened.get_by_text("At a venue where the pit lane is less than 12 m wide").first.wait_for()
    opened.get_by_role("radio", name="2×").click()
    opened.get_by_role("button", name=re.compile("^Next")).click()
    opened.get_by_role("img", name="Page 10 of").wait_for()
    opened.get_by_text("not marked on this page").wait_for()
    opened.get_by_role("button", name="Close").click()
    opened.wait_for(state="detached")
    assert "cite=" not in tab.url


def test_the_page_beside_the_answer_follows_the_citation(offline, tab):
    enter(tab, offline)
    ask(tab, "What is the penalty for an unsafe release?")
    whole_answer(tab)
    tab.get_by_role("button", name="Article 21.6.2, page 10").click()
    opened = tab.locator(".st-key-cited-page")
    opened.get_by_text(re.compile(r"\[\d\] Article 21\.6\.2")).wait_for()
    tab.get_by_role("table").first.get_by_text("fine of €5,000").wait_for()
    tab.get_by_text(re.compile(r"\d \w+ it refers to")).click()
    tab.get_by_role("button", name="Article 38.3 c), page 16").click()
    opened.get_by_text(re.compile(r"\[\d\] Article 38\.3 c\)")).wait_for()
    opened.get_by_role("img", name="Page 16 of").wait_for()


def test_decide_at_the_limit_with_another_scope(offline, tab):
    enter(tab, offline)
    tab.get_by_text("Try one of these").wait_for()
    tab.get_by_role("slider", name="Quality threshold").focus()
    tab.keyboard.press("End")
    ask(tab, "What is the pit lane speed limit for taxis?")
    finished(tab)
    tab.reload()
    finished(tab)
    tab.get_by_text("Is your answer among these rules?").wait_for()
    picture(tab, "decide")
    tab.get_by_role("button", name="Change scope").last.click()
    tab.get_by_role("combobox", name="Scope").click()
    tab.get_by_role("option", name="Season 2023").click()
    tab.get_by_label("What should it look for").fill("Look at the earlier season.")
    tab.get_by_role("button", name="Try again").click()
    tab.get_by_text("Scope: 2023 Meridian Cup").wait_for()
    tab.get_by_role("button", name="Accept this draft").click()
    tab.get_by_text("Is your answer among these rules?").wait_for(state="hidden")
    finished(tab)


def test_who_presses_while_the_page_is_drawn_is_not_scrolled_away(offline, tab):
    enter(tab, offline)
    ask(tab, EXAMPLE)
    whole_answer(tab)
    tab.set_viewport_size({"width": WIDE["width"], "height": 400})  # less than the answer
    tab.reload()
    main = tab.get_by_test_id("stMain")
    last_answer(tab).get_by_text("Scope:").wait_for()
    tab.wait_for_function(
        "() => window.shownTurn"
    )  # it scrolls now, and three times within a second
    tab.mouse.move(5, 5)
    tab.mouse.down()
    main.evaluate("main => { main.scrollTop = 0 }")
    tab.wait_for_timeout(1_200)
    assert main.evaluate("main => main.scrollTop") == 0
    tab.mouse.up()


def test_at_380_pixels_nothing_scrolls_sideways(offline, browser):
    context = new_window(browser, viewport={"width": 380, "height": 800}, color_scheme="light")
    tab = context.new_page()
    enter(tab, offline)
    ask(tab, EXAMPLE)
    finished(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") == 380
    headline = last_answer(tab).get_by_text("50 km/h · Article 21.3")
    expect(headline).to_be_in_viewport()
    tab.get_by_role("button", name="Article 21.3, page 9").click()
    opened = tab.locator(".st-key-cited-page")
    opened.get_by_role("img", name="Page 9").wait_for()
    tab.wait_for_timeout(300)
    picture(tab, "narrow")
    assert tab.evaluate("document.documentElement.scrollWidth") == 380
    assert opened.bounding_box()["width"] == 380
    opened.get_by_role("button", name="Close").click()
    ask(tab, "Is a car mass of 700 kg legal?")
    finished(tab)
    verdict = last_answer(tab).get_by_text("Legal: 700 kg")
    expect(verdict).to_be_in_viewport()
    legal = last_answer(tab).get_by_role("table").first.get_by_text("legal").first
    box = legal.bounding_box()
    assert box["x"] + box["width"] <= 380
    context.close()


def test_a_refusal_says_where_was_searched_and_what_is_not_there(offline, tab):
    enter(tab, offline)
    ask(tab, "What does Article 99.9 say?")
    answer = last_answer(tab)
    answer.get_by_text("There is no Article 99.9 in 2024 Meridian Cup Sporting").wait_for()
    answer.get_by_text("Searched: 2024 Meridian Cup").wait_for()
    answer.get_by_text("Nearest clauses").wait_for()
    assert "below the threshold" not in answer.inner_text()
    answer.get_by_role("link").first.click()
    tab.get_by_role("heading", name="Rulebooks").wait_for()


def test_an_answer_in_a_second_tab_is_seen_in_the_first(offline, tab):
    enter(tab, offline)
    ask(tab, EXAMPLE)
    whole_answer(tab)
    other = tab.context.new_page()
    other.goto(tab.url)
    last_answer(other).get_by_text("Copy answer").wait_for()
    ask(other, "How many reprimands bring a grid drop?")
    tab.get_by_text("three reprimands in a season").first.wait_for()
    other.close()


def test_back_leads_to_the_chat_before(offline, tab):
    enter(tab, offline)
    ask(tab, EXAMPLE)
    answer = whole_answer(tab)
    tab.get_by_role("button", name="New chat").click()
    tab.get_by_text("Try one of these").wait_for()
    tab.wait_for_timeout(1_000)
    tab.go_back()
    shows(tab, answer)
    tab.go_forward()
    tab.get_by_text("Try one of these").wait_for()


def test_browse_an_article_beside_its_page_and_ask_about_it(offline, tab):
    enter(tab, offline)
    tab.get_by_role("link", name="Rulebooks").click()
    tab.get_by_text("2024 Meridian Cup Sporting").wait_for()
    tab.get_by_role("button", name="Read").first.click()
    tab.get_by_label("Words or article number in 2024 Meridian Cup Sporting").fill("21.3")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name=re.compile(r"^21\.3\b")).click()
    tab.get_by_role("img", name="Page 9 of 2024 Meridian Cup Sporting").wait_for()
    tab.wait_for_timeout(500)
    picture(tab, "browse")
    tab.get_by_role("button", name="Ask about this").click()
    tab.get_by_text(ANSWER).first.wait_for()
    finished(tab)


def test_stop_in_the_middle_and_go_on(tab, tmp_path):
    """A slow draft is stopped: what came so far stays, and the run can be continued."""
    slow, slower = (
        citing("50 km/h", f"TASK_COMPLETE: {word} " + f"{word} " * 200, pause=0.05)
        for word in ("Slowly.", "Slower.")
    )
    quick = [citing("50 km/h", "TASK_COMPLETE: It is fifty: "), assessed(9)]
    script = [classified(query=EXAMPLE), slow, slower, *quick]
    add_cup_rules(Library(tmp_path / "library"))
    with (
        MessagesServer(script) as model,
        served(tmp_path, ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none") as app,
    ):
        enter(tab, app)
        tab.get_by_text("Try one of these").wait_for(timeout=90_000)
        assert tab.get_by_text("Offline mode").count() == 0
        ask(tab, EXAMPLE)
        tab.get_by_text("Slowly. Slowly.").wait_for()
        picture(tab, "live")
        tab.get_by_test_id("stBottom").get_by_role("button", name="Stop").click()
        tab.get_by_role("button", name="Continue").wait_for()
        picture(tab, "stopped")
        assert model.hung_up.wait(5)
        tab.get_by_text("Slowly. Slowly.").wait_for()
        expect(tab.get_by_test_id("stChatMessage")).to_have_count(2)
        tab.get_by_role("button", name="Continue").click()
        tab.get_by_text("Slower. Slower.").wait_for()
        picture(tab, "live_again")
        tab.get_by_test_id("stBottom").get_by_role("button", name="Stop", exact=True).click()
        tab.get_by_role("button", name="Continue").wait_for()
        tab.get_by_role("button", name="Continue").click()
        tab.get_by_text("It is fifty").first.wait_for()
        finished(tab)


NASTY = (
    "![x](http://evil.example/x.png) http://evil.example www.evil.example a@evil.example"
    " :red[hot] :material/home: :streamlit: $x^2$ <b>bold</b> **loud** pit lane speed limit?"
)


def test_foreign_text_stays_text(offline, tab):
    """A question full of Markdown is drawn as typed in chat, trace and list of chats."""
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    enter(tab, offline)
    ask(tab, NASTY)
    finished(tab).click()
    tab.get_by_text(re.compile("^Iteration 1")).click()
    tab.get_by_text("Plan", exact=True).first.wait_for()
    tab.get_by_test_id("stChatMessage").first.get_by_text("![x](http:").wait_for()
    drawn = tab.locator("[data-testid=stChatMessage], [data-testid=stSidebar]")
    for kind in (
        "a[href*=evil]",
        "a[href^=mailto]",
        "img[src*=evil]",
        "b",
        ".katex",
        "span:text-is('hot')",
    ):
        assert drawn.locator(kind).count() == 0, kind
    assert not [url for url in asked if "evil" in url]


def test_a_closed_tab_does_not_end_its_run(browser, tmp_path):
    """Who closes the tab finds the answer in the chat when they return."""
    slow = citing("50 km/h", "TASK_COMPLETE: " + "Slowly. " * 40 + "It is fifty: ", pause=0.05)
    add_cup_rules(Library(tmp_path / "library"))
    with (
        MessagesServer([classified(query=EXAMPLE), slow, assessed(9)]) as model,
        served(tmp_path, ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none") as app,
    ):
        context = new_window(browser)
        tab = context.new_page()
        enter(tab, app)
        ask(tab, EXAMPLE)
        tab.get_by_text("Slowly. Slowly.").wait_for()
        context.close()
        context = new_window(browser)
        tab = context.new_page()
        enter(tab, app)
        tab.get_by_role("link", name=EXAMPLE).click()
        assert "It is fifty" in whole_answer(tab)
        assert len(model.requests) == 3
        context.close()
