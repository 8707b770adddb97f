"""A visitor of the app: opens it, asks, reads; and a small PDF to bring along."""

import json
import re
import time
from collections.abc import Callable
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from core.library.storage.library import Library
from tests.cup import queue_in
from tests.patience import PATIENCE

APP = Path(__file__).parents[2] / "pages" / "main.py"


def opened(locale: str = "", **address: str) -> AppTest:
    """The app in a new tab, at an address, of a reader whose browser tells this locale."""
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    app._bidi_component_manager = installed_components()
    app.context["locale"] = locale
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def page_of(function: Callable[..., object], *arguments: object) -> AppTest:
    """An app whose only page is a function with these arguments, not yet run."""
    app = AppTest.from_function(function, args=arguments, default_timeout=PATIENCE)
    app._bidi_component_manager = installed_components()
    return app


@cache
def installed_components() -> BidiComponentManager:
    """The components of installed packages, as a server looks for them: once, at its start."""
    components = BidiComponentManager()
    components.discover_and_register_components(start_file_watching=False)
    return components


def at_library() -> AppTest:
    """The library page in a new tab."""
    app = opened().switch_page("rulebooks.py").run()
    assert not app.exception
    return app


def all_added(app: AppTest, library: Library) -> AppTest:
    """Wait for the files in the queue, and look at the page again."""
    end = time.monotonic() + PATIENCE
    while any(entry.unfinished for entry in queue_in(library.folder).list_jobs()):
        assert time.monotonic() < end, "the files were not added"
        time.sleep(0.1)
        app.run()  # as the page does by itself, once a second
    app.run()
    assert not app.exception
    return app


def ask(app: AppTest, question: str) -> AppTest:
    """Type a question and wait for what comes of it."""
    app.chat_input[0].set_value(question).run()
    return answered(app)


def answered(app: AppTest) -> AppTest:
    """Wait for the runs of the open chat, and look at the page again."""
    end = time.monotonic() + PATIENCE
    while any(button.key == "stop" for button in app.button):
        assert time.monotonic() < end, "a run did not end"
        app.run()  # as the page does by itself
    assert not app.exception
    return app


def unfolded(app: AppTest, box: str) -> AppTest:
    """Open a box, whose contents are drawn only while it is open."""
    app.session_state[box] = True
    app.run()
    assert not app.exception
    return app


def offered(app: AppTest) -> dict[str, Button]:
    """The questions on buttons, as a reader sees them, and their buttons."""
    buttons = (
        button for button in app.main.button if str(button.key).startswith(("example-", "next-"))
    )
    return {button.label.replace("\\", ""): button for button in buttons}


def text_of(app: AppTest) -> str:
    """All that Markdown, captions and messages say, in order of their kind, as a reader sees it."""
    elements = (
        *app.title,
        *app.subheader,
        *app.markdown,
        *app.caption,
        *app.error,
        *app.warning,
        *app.info,
    )
    said = "\n".join(str(element.value) for element in elements)
    said = said.replace("\\", "").replace("\u2060", "").replace("**", "")
    return re.sub(r"\[(\[\d+\])\]\(\?[^)]*\)", r"\1", said)  # a marker that is a link


def labels(app: AppTest) -> list[str]:
    """The labels of all panels."""
    told = [panel.label for panel in (*app.expander, *app.status)]
    told += [panel["label"] for panel in reasoning(app)]
    return [label.replace("\\", "").replace("**", "") for label in told]


def reasoning(app: AppTest) -> list[dict[str, Any]]:
    """The panels of each run's reasoning, as the browser draws them."""
    drawn = (json.loads(component.proto.json) for component in app.get("bidi_component"))
    return [panel for panels in drawn for panel in panels]


def lines_of(panel: dict[str, Any]) -> list[str]:
    """What a panel says: its lines and its texts."""
    texts = (
        (part,) if isinstance(part, str) else (part.get("title"), part["text"])
        for part in panel["parts"]
        if "rows" not in part
    )
    return [*filter(None, chain.from_iterable(texts))]


def tables_of(panel: dict[str, Any]) -> list[list[list[str]]]:
    """The tables of a panel, each with its head."""
    return [part["rows"] for part in panel["parts"] if "rows" in part]


def pdf(*lines: str) -> bytes:
    """A one-page PDF with these lines on it."""
    file = BytesIO()
    canvas = Canvas(file)
    canvas.setTitle(lines[0])
    for row, line in enumerate(lines):
        canvas.drawString(72, 770 - 18 * row, line)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


KART_RULES = pdf(
    "2025 Karting Club Sporting Regulations",
    "Issue 3",
    "1 KARTS",
    "1.1 Every kart must carry a yellow bumper of at least 40 mm.",
    "1.2 A kart may not weigh less than 150 kg with its driver.",
    "2 FLAGS",
    "2.1 A driver who ignores a blue flag receives a ten second penalty.",
)
