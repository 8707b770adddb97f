"""Control characters reach no page, whatever draws the text: Markdown, tables, code."""

import json

import pytest

from core.library.ingestion.ingest import add_bytes
from tests.pages.visit import ask, opened, reasoning, tables_of

TURNED = "\u202egnitirw\u202c\x1b[2J"


@pytest.fixture
def turned(library):
    """A library with a rulebook that turns the direction of writing wherever it can."""
    rule = {
        "document": f"Hovercraft {TURNED} Rules",
        "article": "7.1",
        "title": f"Skirt pressure {TURNED}",
        "text": f"The skirt pressure must not exceed 3 bar. It is measured {TURNED} by hand.",
        "season": 2024,
        "issue": 1,
        "family": "hovercraft",
    }
    [added] = add_bytes(library, json.dumps(rule).encode(), f"hover{TURNED}.jsonl")
    assert added.document is not None
    assert TURNED[0] in added.document.title
    return library


def obeyed(app):
    """What was sent to the browser with a turn of writing in it."""
    sent = [node.proto for node in app if getattr(node, "proto", None) is not None]
    assert sent
    told = [proto.SerializeToString().decode(errors="replace") for proto in sent]
    return [text for text in (*told, *map(str, reasoning(app))) if "\u202e" in text]


def click(app, kind):
    """The first button of its kind."""
    next(button for button in app.main.button if str(button.key).startswith(kind)).click().run()
    assert not app.exception
    return app


@pytest.mark.slow
def test_an_answer_an_opened_citation_and_the_trace_turn_no_writing(turned):
    app = ask(opened(), "What is the skirt pressure limit?")
    assert obeyed(app) == []
    assert click(app, "cite-").text, "the words of the clause"
    assert obeyed(app) == []
    runs = click(opened().switch_page("runs.py").run(), "run-")
    assert any(map(tables_of, reasoning(runs))), "the clauses that were found"
    assert obeyed(runs) == []


@pytest.mark.parametrize("page", ["rulebooks", "compare", "runs"])
def test_no_page_turns_writing(turned, page):
    app = opened().switch_page(f"{page}.py").run()
    assert not app.exception
    assert obeyed(app) == []


def test_an_article_in_browse_turns_no_writing(turned):
    app = opened().switch_page("rulebooks.py")
    app.query_params["clause"] = f"{turned.documents()[-1].document_id}:7.1"
    app.run()
    assert any("skirt pressure" in text.value for text in app.text)
    assert obeyed(app) == []
