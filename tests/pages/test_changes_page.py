"""The page of what to check again: from a new issue to the last answer that was looked at."""

import json

import pytest

from core.library import Library
from core.library.ingestion.ingest import add_bytes
from tests.cup import RULES
from tests.pages.visit import ask, opened, text_of

SPEED = "What is the speed limit in the pit lane in 2024?"
TYRES = "How many sets of Prime tyres may each driver use at an Event in 2024?"


def add_issue_2(library: Library) -> str:
    """Add a second issue of 2024, in which the speed limit is another; return its id."""
    lines = [
        {
            "document": "Cup Rules 2024, second issue",
            "article": article,
            "title": title,
            "text": text.format(speed=40),
            "season": 2024,
            "issue": 2,
            "family": "cup",
        }
        for article, title, text in RULES
    ]
    [added] = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "cup2.jsonl")
    assert added.document
    return added.document.document_id


def at_changes(**address):
    app = opened(**address).switch_page("compare.py")
    for name, value in {"compare-view": "touched", **address}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


@pytest.mark.slow
def test_an_answer_is_suspect_from_the_new_issue_until_somebody_has_looked_at_it(library):
    app = ask(ask(opened(), SPEED), TYRES)
    second = add_issue_2(library)

    app = at_changes(after=second)
    assert ":orange-badge[Rule changed since] " + SPEED in text_of(app)
    assert TYRES not in text_of(app)
    assert "1 answer to look at." in text_of(app)

    next(b for b in app.main.button if b.label == "I have looked at it").click().run()
    assert not app.exception
    assert ":green-badge[Cleared] " + SPEED in text_of(app)
    assert "Cleared by " in text_of(app)
    assert not [button for button in app.main.button if button.label == "I have looked at it"]
    app = at_changes(after=second)
    assert ":green-badge[Cleared]" in text_of(app)

    next(b for b in app.main.button if str(b.key).startswith("difference-")).click().run()
    assert "1 of 8 clauses" in text_of(app)
    assert ":red-background[~~50~~]" in text_of(app)


@pytest.mark.slow
def test_a_citation_of_a_superseded_text_bears_a_badge_with_the_new_issue(library):
    app = ask(ask(opened(), SPEED), TYRES)
    assert "badge[Changed in" not in text_of(app)
    add_issue_2(library)
    app.run()
    assert text_of(app).count(":orange-badge[Changed in 2024 Cup Rules 2024, second issue") <= 1
    assert text_of(app).count("-badge[Changed in") == 1


def test_one_issue_of_each_rulebook_changes_nothing(library):
    for document in library.documents()[1:]:
        library.remove_document(document.document_id)
    assert "Comparing takes two documents" in text_of(at_changes())


def test_without_answers_the_page_says_so_and_names_the_issue_before(library):
    app = at_changes()
    assert "Compared with Cup Rules 2023" in text_of(app)
    assert "No answer and no check cites" in "".join(str(e.value) for e in app.success)


@pytest.mark.slow
def test_the_difference_is_one_click_away(library):
    first, second = library.documents()
    address = {"before": first.document_id, "after": second.document_id, "article": "21.3"}
    app = opened(**address).switch_page("compare.py")
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert app.selectbox(key="before").value == first.document_id
    assert "1 of 8 clauses" in text_of(app)
    assert ":red-background[~~60~~]" in text_of(app)
