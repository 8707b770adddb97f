"""Film the main case in the browser, light and dark: `make pictures`.

A question, its answer, the reasoning as it opens, a citation and its page with the words marked:
the real program over the sample rulebooks, offline, in the system's Chromium. Written to
docs/pictures as animated WebP, which GitHub, package indices and browsers show without a player.
"""

import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from core.library import Library, add_sample_rulebooks
from core.library.storage.vectors import embed_clauses
from core.sheets import complete_library
from tests.browser.app_server import enter, new_window, served
from tests.browser.conftest import NAMES
from tests.browser.person import ask, settled, whole_answer

PICTURES = Path(__file__).parents[1] / "pictures"
SIZE = {"width": 1240, "height": 820}
SCALE = 1.5
"""Pixels of the picture for one of the page: sharp on most screens, at 0.4 MB."""
QUESTION = "We want to run 340 mm brake discs. Allowed?"
MAX_BYTES = 3_000_000
"""Of one picture: a page that shows it has to load on a slow line."""
Frame = tuple[bytes, int]
"""A screenshot and the milliseconds for which it is shown."""


def main(library: str = "") -> None:
    """Write both pictures; LIBRARY is a data folder with the samples, else one is made."""
    chromium = next(filter(None, map(shutil.which, NAMES)))
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        if library:
            shutil.copytree(library, folder / "library")
        else:
            _make_library(folder / "library")
        with served(folder) as address:
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for scheme in ("light", "dark"):
                file = PICTURES / f"question-{scheme}.webp"
                write_animation(list(_film(browser, address, scheme)), file)
                print(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB")
            browser.close()


def _make_library(folder: Path) -> None:
    made = Library(folder, "hybrid")
    list(add_sample_rulebooks(made))
    embed_clauses(made)
    complete_library(made)


def _film(browser: Browser, address: str, scheme: str) -> Iterator[Frame]:
    """Yield what a person sees, step by step."""
    window = new_window(
        browser,
        viewport=SIZE,
        device_scale_factor=SCALE,
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    tab = window.new_page()
    enter(tab, address)
    tab.get_by_text("Try one of these").wait_for()
    settled(tab)
    yield tab.screenshot(), 1000
    field = tab.get_by_test_id("stChatInputTextArea")
    for length in (15, 30, len(QUESTION)):
        field.fill(QUESTION[:length])
        yield tab.screenshot(), 500
    ask(tab, QUESTION)
    whole_answer(tab)
    yield _look(tab), 3000
    panels = tab.locator("summary")
    panels.filter(has_text="articles read").click()
    yield _look(tab), 2500
    panels.filter(has_text="articles read").click()
    panels.filter(has_text="Iteration 1").click()
    yield _look(tab), 2000
    for found in panels.filter(has_text="Clauses found").all():
        found.click()
    yield _look(tab), 2000
    tab.get_by_text("Decision").last.scroll_into_view_if_needed()
    yield _look(tab), 2500
    panels.filter(has_text="Iteration 1").click()
    tab.get_by_role("button", name=re.compile("Article 11.2.1, page")).first.click()
    page = tab.locator(".st-key-cited-page").get_by_role("img", name=re.compile("^Page"))
    page.evaluate("image => image.decode()")
    yield _look(tab), 5000
    window.close()


def _look(tab: Page) -> bytes:
    settled(tab)
    tab.wait_for_timeout(400)  # what moves has come to rest
    tab.mouse.move(0, 0)
    return tab.screenshot()


def write_animation(frames: list[Frame], file: Path) -> None:
    """Write frames as an animation that begins anew. Raises SystemExit where it is too large."""
    pictures = [Image.open(io.BytesIO(picture)).convert("RGB") for picture, _ in frames]
    pictures[0].save(
        file,
        save_all=True,
        append_images=pictures[1:],
        duration=[milliseconds for _, milliseconds in frames],
        loop=0,
        lossless=True,
        method=6,
    )
    if file.stat().st_size > MAX_BYTES:
        raise SystemExit(f"{file} is larger than {MAX_BYTES} bytes.")


if __name__ == "__main__":
    main(*sys.argv[1:])
