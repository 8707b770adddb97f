"""The browse page, as a person reads a rulebook with it."""

import csv
import io

from pages.components.outline import checklist, matching, outline
from tests.pages.visit import opened, text_of


def at_browse():
    app = opened().switch_page("browse.py").run()
    assert not app.exception
    return app


def read(app, *names):
    """Click one's way down the tree."""
    for name in names:
        next(b for b in app.main.button if b.label.replace("\\", "").startswith(name)).click().run()
        assert not app.exception
    return app


def test_the_articles_are_a_tree_to_click_through(library):
    app = at_browse()
    listed = [button.label.replace("\\", "") for button in app.main.button]
    assert listed == ["21 PIT LANE", "38 PENALTIES", "40 TYRES"]
    read(app, "21 PIT LANE", "21.3 Speed limit")
    assert "21.3 Speed limit" in text_of(app)
    assert app.text[0].value.startswith("The speed limit in the pit lane is 60 km/h")


def test_an_article_is_found_by_number_and_by_words(library):
    app = at_browse()
    app.text_input(key="wanted").set_value("38.3").run()
    assert [button.label.replace("\\", "") for button in app.main.button] == ["38.3", "21.6"]
    app.text_input(key="wanted").set_value("prime sets").run()
    assert [button.label.replace("\\", "") for button in app.main.button] == ["40.1 Number of sets"]
    app.text_input(key="wanted").set_value("buses").run()
    assert "No article has this number or these words." in text_of(app)


def test_what_is_struck_out_is_shown_as_such_or_not_at_all(sporting):
    document = sporting.documents()[0]
    clauses = sporting.clauses(document.document_id)
    struck = next(clause for clause in clauses if clause.deleted and clause.status == "in_force")
    app = at_browse()
    app.text_input(key="wanted").set_value(struck.article).run()
    read(app, struck.article)
    assert "Struck out, not in force" in text_of(app)
    assert len(app.get("image")) == 1
    app.pills(key="marks").set_value([]).run()
    assert "Struck out, not in force" not in text_of(app)


def test_references_lead_both_ways(library):
    app = read(at_browse(), "21 PIT LANE", "21.6")
    assert "Refers to" in text_of(app)
    app.button(key="open-to-0").click().run()
    assert "Referred to from" in text_of(app)
    assert app.button(key="open-from-0").label.replace("\\", "") == "21.6"


def test_a_clause_can_be_asked_about(library):
    app = read(at_browse(), "40 TYRES", "40.1")
    next(button for button in app.main.button if button.label == "Ask about this").click().run()
    assert not app.exception
    assert "five sets of Prime tyres" in text_of(app)
    assert "Scope: Cup Rules 2023" in text_of(app)


def test_an_empty_library_says_what_to_do(library):
    for document in library.documents():
        library.remove(document.document_id)
    assert "Add a rulebook" in text_of(at_browse())


def test_a_subtree_is_a_checklist(library):
    clauses = library.clauses(library.documents()[0].document_id)
    [heading] = [clause for clause in clauses if clause.article == "21"]
    rows = list(csv.DictReader(io.StringIO(checklist(heading, clauses).decode("utf-8-sig"))))
    assert [row["number"] for row in rows] == ["21", "21.3", "21.6"]
    assert list(rows[0]) == ["number", "text", "page", "owner", "status"]
    assert rows[1]["text"].startswith("Speed limit\nThe speed limit")


def test_the_tree_goes_by_numbers(library):
    clauses = library.clauses(library.documents()[0].document_id)
    tree = outline(clauses)
    [heading] = [clause for clause in clauses if clause.article == "21"]
    assert [clause.article for clause in tree[heading.clause_id]] == ["21.3", "21.6"]
    assert [clause.article for clause in matching(clauses, "21")] == ["21", "21.3", "21.6"]
