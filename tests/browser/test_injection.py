"""Foreign text in a real browser: either wall alone keeps it from loading, running or linking.

The first wall escapes text before it is drawn, the second are the headers (`server.security`).
"""

import json
import re
from pathlib import Path

import pytest

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from tests.browser.app_server import ROOT, enter, served
from tests.browser.person import ask, bring_file, open_all, settled
from tests.browser.planted_text import Listener, blocks, one_liners
from tests.messages_server import (
    MessagesServer,
    assessed,
    called,
    citing,
    classified,
    said,
    tool_use,
)
from tests.pages.visit import KART_RULES, pdf

pytestmark = pytest.mark.browser

RAW = Path(__file__).with_name("raw_texts.py")
QUESTION = "What is the speed limit in the pit lane?"
FETCHED = {
    "/image.png",
    "/titled.png",
    "/reference.png",
    "/mermaid.png",
    "/table.png",
    "/quote.png",
    "/split.png",
}
"""Planted addresses that a browser fetches without any wall; some of them, at least."""
ACTS = (
    "a[href^=http]:not([href^='http://127.0.0.1:{port}/']), a[href^='javascript:'],"
    " a[href^='data:'], a[href^=mailto], img[src*='{planted}'], iframe, object, embed, .katex,"
    " [id*=mermaid], .graphviz"
)


def behind(folder: Path, script: Path, policy: bool) -> Path:
    """A script that serves another one behind the walls, with the policy or without."""
    app = folder / "walled.py"
    app.write_text(
        "import streamlit as st\nfrom starlette.middleware import Middleware\n"
        "from server.security import SecurityMiddleware\n"
        f"walls = [Middleware(SecurityMiddleware, policy={policy})]\n"
        f"app = st.App({str(script)!r}, middleware=walls)\n"
    )
    return app


def raw_page(tab, folder, planted, policy):
    """Draw the planted texts until the browser has fetched them or reported a violation."""
    texts = folder / "texts.json"
    texts.write_text(json.dumps([one_liners(planted.url), blocks(planted.url)]))
    said = []
    tab.on("console", lambda message: said.append(message.text))
    with served(folder, behind(folder, RAW, policy), PLANTED_TEXTS=str(texts)) as app:
        enter(tab, app)
        tab.get_by_text("All is drawn.").wait_for(timeout=30_000)
        for _ in range(100):  # diagrams take their time
            blocked = {
                path
                for path in FETCHED
                if any(f"{planted.url}{path}' violates" in words for words in said)
            }
            if blocked | set(planted.asked) >= FETCHED:
                break
            tab.wait_for_timeout(300)
        tab.locator(".vega-embed svg.marks").first.wait_for()
    return blocked


def test_without_any_wall_a_browser_fetches_what_was_planted(tab, tmp_path):
    """The counter-test: if Streamlit stops fetching by itself, the others prove nothing."""
    with Listener() as planted:
        raw_page(tab, tmp_path, planted, policy=False)
        assert set(planted.asked) >= FETCHED


def test_the_headers_alone_keep_every_request_in(tab, tmp_path):
    with Listener() as planted:
        blocked = raw_page(tab, tmp_path, planted, policy=True)
        assert planted.asked == []
    assert "OWNED" not in tab.title()
    assert blocked == FETCHED


def hostile_library(folder: Path, url: str) -> None:
    """A library whose documents carry planted text wherever a document can."""
    attacks = [*one_liners(url), *blocks(url)]
    titled = [
        {"article": str(number), "title": text, "text": f"{text} {text}"}
        for number, text in enumerate(attacks, 1)
    ]
    ruled = {
        "article": "99",
        "title": attacks[0],
        "text": f"The speed limit in the pit lane is 60 km/h. {attacks[0]}",
    }
    about = {"document": f"Rules {attacks[0]}", "season": 2025, "issue": 1, "family": attacks[9]}
    lines = [json.dumps(about | clause) for clause in (*titled, ruled)]
    library = Library(folder)
    added = [
        *add_bytes(library, "\n".join(lines).encode(), f"{attacks[0]}.jsonl"),
        *add_bytes(library, hostile_pdf(attacks), attacks[3]),
    ]
    assert [addition.message for addition in added] == [None, None]


def hostile_pdf(attacks: list[str]) -> bytes:
    """A PDF whose title, headings and rules are planted."""
    rules = (
        f"1.{n} Every kart must carry a bumper {text}." for n, text in enumerate(attacks[:15], 1)
    )
    heads = (
        f"2025 Karting Club Sporting Regulations {attacks[0]}",
        "Issue 3",
        f"1 KARTS {attacks[0]}",
    )
    return pdf(*heads, *rules)


def worst_replies(url: str) -> list:
    """A model that a rulebook has turned: every field that it may fill holds planted text."""
    text, everything = one_liners(url)[0], "\n\n".join([*one_liners(url), *blocks(url)])
    told = {"missing": text, "reason": everything, "query": text}
    return [
        classified(
            query=f"speed limit pit lane {text}", reason=everything, question=f"{QUESTION} {text}"
        ),
        called(tool_use(f"fetch {text}", url=url, **{text: text}), aloud=everything),
        *[said(f"{everything}\n\nTASK_COMPLETE: {everything}")] * 2,
        assessed(2, "REFINE_QUERY", **told | {"query": "speed limit in the pit lane"}),
        *[
            citing(
                "The speed limit in the pit lane is 60 km/h.",
                before=f"{everything}\n\nTASK_COMPLETE: {everything}\n\n",
            )
        ]
        * 2,
        assessed(9, **told),
    ]


def visit_all(tab, on_page=lambda: None):
    """Go to every page of the navigation and look at it with its panels open."""
    links = tab.get_by_test_id("stTopNavLink")
    links.first.wait_for()
    for number in range(links.count()):
        links.nth(number).click()
        settled(tab)
        open_all(tab)
        on_page()


def test_disarming_alone_leaves_nothing_to_fetch_to_run_or_to_click(tab, tmp_path):
    with Listener() as planted, MessagesServer(worst_replies(planted.url)) as model:
        hostile_library(tmp_path / "library", planted.url)
        app = behind(tmp_path, ROOT / "pages" / "main.py", policy=False)
        with served(
            tmp_path, app, ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none"
        ) as address:
            acts = ACTS.format(port=address.rpartition(":")[2], planted=planted.url)
            opened = []

            def look():
                opened.append(tab.url)
                found = [
                    element.evaluate("e => e.outerHTML.slice(0, 300)")
                    for element in tab.locator(acts).all()
                ]
                assert not found, tab.url

            tab.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
            enter(tab, address)
            ask(tab, f"{QUESTION} ![sketch]({planted.url}/question.png)")
            tab.get_by_text(re.compile(r"\b2 iterations\b")).first.wait_for(timeout=40_000)
            settled(tab)
            look()
            open_all(tab)
            settled(tab)
            look()
            tab.get_by_role("button", name=re.compile("Article 99, page")).first.click()
            tab.get_by_text("To copy: the source alone").wait_for()
            settled(tab)
            look()
            tab.keyboard.press("Escape")
            visit_all(tab, look)
            assert len(set(opened)) >= 3
            assert "OWNED" not in tab.title()
        assert planted.asked == []


@pytest.mark.usefixtures("brought")
def test_no_page_breaks_the_policy(offline, tab):
    """Pictures, tables, charts, uploads and downloads work under the headers."""
    complaints = []
    tab.on(
        "console",
        lambda told: (
            complaints.append(told.text) if "Content Security Policy" in told.text else None
        ),
    )
    enter(tab, offline)
    tab.get_by_text("Try one of these").wait_for(timeout=90_000)
    kart = {
        "name": "policy.pdf",
        "mimeType": "application/pdf",
        "buffer": KART_RULES + b"\n% another",
    }
    bring_file(tab, kart)
    tab.get_by_text(re.compile("Added ")).first.wait_for()
    ask(tab, "What does Article 1.1 say?")
    tab.get_by_text("Copy answer").wait_for()
    settled(tab)
    open_all(tab)
    visit_all(tab)
    tab.get_by_role("link", name="Rulebooks").click()
    tab.get_by_role("button", name="Read").first.click()
    tab.get_by_label("Words or article number").fill("1.1")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name=re.compile("^1.1")).first.click()
    page = tab.get_by_role("img", name=re.compile("^Page 1 of|^Page"))
    page.first.wait_for()
    assert page.first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 500
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Checklist").first.click()
    assert download.value.suggested_filename.endswith(".csv")
    assert complaints == []
