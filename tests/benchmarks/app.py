"""How quick the app is for one person, over the samples and without a model: `python
tests/benchmarks/app.py`.

From `make run` on an installed tree to the first page drawn; running the chat page's script again
with 200 messages, the script alone, as the server runs it; from the click on a citation to its
image decoded; and what an open tab takes in memory over 20 questions in one chat: the heap of its
scripts after a collection (Chromium tells it), and what the server grows by. The browser is the
system's Chromium; its tabs go through what a person would see.

Measured on two quiet cores:

    make run to the first page, an empty library, samples to read    7.5 s
    make run to the first page, the library of the last time         3.8 s
    rerun with 200 messages, all of them drawn, median and largest   143 and 221 ms
    click on a citation to its image, the first and the median       977 and 213 ms
    a tab, when opened and after 1, 10 and 20 questions              11, 15, 21 and 25 MiB
    the server, with the tab and after 20 questions                  392 and 395 MiB

Later, on a day on which the same machine took twice as long for the same work: 19.3 s, 5.9 s, 127
and 144 ms (the latest ten runs are drawn), 2,165 and 464 ms, 12, 13, 18 and 23 MiB, 536 and 528
MiB.
"""

import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Error as PlaywrightError, Page, sync_playwright
from streamlit.testing.v1 import AppTest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import Conversations
from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
from tests.benchmarks.watched import Watched
from tests.browser.app_server import WIDE, enter, free_port, printed_token, tokens
from tests.browser.person import ask, finished, settled

MESSAGES, TIMES = 200, 10
QUESTIONS, LOOKS = 20, 10
QUESTION = "What is the pit lane speed limit?"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """All of it, one after the other."""
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    _measure_reruns()
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with tempfile.TemporaryDirectory() as folder:
            for library in ("an empty library, samples to read", "the library of the last time"):
                with _made_run(Path(folder)) as (address, begun, _):
                    tab = _tab(browser)
                    _open(tab, address)
                    print(
                        f"make run to the first page, {library}:"
                        f" {time.perf_counter() - begun:.1f} s"
                    )
                    tab.context.close()
            with _made_run(Path(folder)) as (address, _, server):
                _measure_citations(_tab(browser), address)
                _measure_memory(browser, address, server)
        browser.close()


def _measure_reruns() -> None:
    """Fill a chat, open it, and run its page again and again."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SCRUTINEER_DATA_DIR"] = folder
        library = Library(Path(folder))
        list(add_file(library, ROOT / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"))
        chats = Conversations(f"sqlite:///{folder}/conversations.db")
        chat = chats.start_conversation(QUESTION)
        agent = Agent(library, OfflineModel())
        for _ in range(MESSAGES // 2):
            list(chats.save_events(chat, agent.ask(Request(QUESTION))))
        app = AppTest.from_file(ROOT / "pages" / "main.py", default_timeout=120)
        app.query_params["chat"] = chat
        taken = [_seconds(app) for _ in range(TIMES + 1)]
        again = [1000 * seconds for seconds in taken[1:]]
        print(f"{MESSAGES} messages: first {taken[0]:.2f} s")
        print(
            f"again: median {statistics.median(again):.0f} ms, from {min(again):.0f} to"
            f" {max(again):.0f} ms"
        )


def _seconds(app: AppTest) -> float:
    begun = time.perf_counter()
    app.run()
    assert not app.exception
    return time.perf_counter() - begun


@contextmanager
def _made_run(data: Path) -> Iterator[tuple[str, float, Watched]]:
    """The app as `make run` starts it, at its address; when it was begun, and its process."""
    port = free_port()
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANTHROPIC_", "SCRUTINEER_"))
    }
    log = data / "server.log"
    begun = time.perf_counter()
    with log.open("w") as printed:
        made = subprocess.Popen(
            ["make", "run", f"ARGS=--server.headless=true --server.port={port}"],
            cwd=ROOT,
            env=clean
            | {
                "SCRUTINEER_DATA_DIR": str(data / "library"),
                "SCRUTINEER_QUESTIONS_A_MINUTE": "100",
            },
            stdout=printed,
            stderr=printed,
            start_new_session=True,
        )
    try:
        while not (token := printed_token(log)):
            if made.poll() is not None:
                raise SystemExit(f"`make run` ended:\n{log.read_text()}")
            time.sleep(0.05)
        address = f"http://127.0.0.1:{port}"
        tokens[address] = token
        yield address, begun, Watched.at(port)
    finally:
        os.killpg(made.pid, signal.SIGTERM)
        made.wait(10)


def _tab(browser: Browser) -> Page:
    tab = browser.new_context(viewport=WIDE).new_page()
    tab.set_default_timeout(60_000)
    return tab


def _open(tab: Page, address: str) -> None:
    """Go there as soon as somebody answers, and wait for the first page to be whole."""
    while True:
        with suppress(PlaywrightError):
            enter(tab, address)
            break
        time.sleep(0.05)
    tab.get_by_text("Try one of these").wait_for()
    settled(tab)


def _measure_citations(tab: Page, address: str) -> None:
    """Open the same citation again and again; its image is decoded in the browser each time."""
    _open(tab, address)
    ask(tab, QUESTION)
    finished(tab)
    taken = []
    for _ in range(LOOKS + 1):
        settled(tab)
        begun = time.perf_counter()
        tab.get_by_role("button", name="Article 21.3, page 9").click()
        beside = tab.locator(".st-key-cited-page")
        image = beside.get_by_role("img", name=re.compile("^Page 9 of"))
        image.evaluate("image => image.decode()")
        taken.append(1000 * (time.perf_counter() - begun))
        beside.get_by_role("button", name="Close").click()
        beside.wait_for(state="hidden")
    again = taken[1:]
    print(
        f"click on a citation to its image: first {taken[0]:.0f} ms, again: median"
        f" {statistics.median(again):.0f} ms"
    )
    tab.context.close()


def _measure_memory(browser: Browser, address: str, server: Watched) -> None:
    """Ask twenty questions in one tab."""
    before = server.resident()
    tab = _tab(browser)
    _open(tab, address)
    print(
        f"an open tab: {_heap(tab):.0f} MiB in the browser; the server {before:.0f} ->"
        f" {server.resident():.0f} MiB"
    )
    for number in range(1, QUESTIONS + 1):
        ask(tab, QUESTION)
        tab.get_by_test_id("stChatMessage").nth(2 * number - 1).get_by_test_id(
            "stFeedback"
        ).wait_for()
        settled(tab)
        if number in (1, QUESTIONS // 2, QUESTIONS):
            print(
                f"after {number} questions: {_heap(tab):.0f} MiB in the browser; the server"
                f" {server.resident():.0f} MiB"
            )
    tab.context.close()


def _heap(tab: Page) -> float:
    """MiB that the scripts of a tab hold, what they have let go of being collected first."""
    inspector = tab.context.new_cdp_session(tab)
    inspector.send("HeapProfiler.collectGarbage")
    used: float = inspector.send("Runtime.getHeapUsage")["usedSize"]
    inspector.detach()
    return used / 2**20


if __name__ == "__main__":
    main()
