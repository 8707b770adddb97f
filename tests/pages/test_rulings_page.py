"""Rulings on the pages: below their rule as no law, and the documents that hold them."""

import pytest

from core.library import Library
from core.library.ingestion.ingest import add_bytes
from tests.pages.visit import all_added, ask, at_library, opened

ROWS = b"""id,date,question,answer,articles
Q1,2023-12-20,Is a car that is pushed bound?,Only the velvet one.,"21.3, 99.9"
"""


def add_rulings(library: Library, rows: bytes = ROWS) -> None:
    [rulebook] = library.documents()
    [added] = add_bytes(library, rows, "answers.csv", interprets=[rulebook.document_id])
    assert added.status == "added"


def rulings(app) -> list[str]:
    """The labels of the rulings that are drawn."""
    return [one.label for one in app.expander if "Ruling, not law" in one.label]


@pytest.mark.slow
def test_an_answer_lists_the_rulings_on_what_it_cites_as_no_law(sporting):
    add_rulings(sporting)
    app = ask(opened(), "What is the pit lane speed limit?")
    [label] = set(rulings(app))
    assert "Q1 · answers · 20 Dec 2023" in label
    assert "has changed" not in label
    assert any("Only the velvet one." in text.value for text in app.text)
    [first] = [b for b in app.button if str(b.key).startswith("cite-")][:1]
    first.click().run()
    assert not app.exception
    assert len(rulings(app)) == 2  # beside the cited page too


@pytest.mark.slow
def test_rulings_stand_below_the_rule_and_warn_where_it_is_not_known_to_be_the_same(sporting):
    add_rulings(sporting, ROWS.replace(b"2023-12-20", b""))
    [rulebook] = sporting.documents()
    [rule] = [c for c in sporting.clauses(rulebook.document_id) if c.article == "21.3"]
    app = opened(document=rulebook.document_id, clause=rule.clause_id)
    app.switch_page("rulebooks.py").run()
    assert not app.exception
    assert rulings(app)
    assert any("is not known" in warning.value for warning in app.warning)


@pytest.mark.slow
def test_rulings_are_uploaded_listed_and_become_a_rulebook_again(sporting):
    app = at_library()
    [rulebook] = sporting.documents()
    app.selectbox(key="upload-rulings").select_index(1).run()
    app.file_uploader[0].upload("answers.csv", ROWS, "text/csv").run()
    all_added(app, sporting)
    [held] = [one for one in sporting.list_every_document() if one.interprets]
    assert held.interprets == (rulebook.document_id,)
    panel = f"rulings-{held.document_id[:16]}"
    app.session_state[panel] = True
    app.run()
    assert not app.exception
    table = app.dataframe[0].value
    assert list(table["Tied to"]) == ["21.3"]
    assert list(table["Unresolved"]) == ["99.9"]
