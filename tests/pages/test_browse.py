"""A rulebook on the page Rulebooks: the tree of articles, their marks, references and figures."""

import csv
import io
import json
from io import BytesIO

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from core.exports import checklist_csv
from core.library import Outline
from core.library.comparison.comparison_text import split_insertions
from core.library.ingestion.ingest import add_bytes
from core.library.retrieval.references import find_referring_clauses
from core.library.storage.library import Library
from core.library.types import Scope
from core.rulebook.page_renders import crop_page
from core.rulebook.types import ClauseMark
from tests.pages.visit import answered, opened, text_of


def at_browse():
    app = opened().switch_page("rulebooks.py").run()
    assert not app.exception
    for button in app.main.button:
        if str(button.key).startswith("articles-"):  # the newest edition is the first
            return button.click().run()
    return app


def articles(app):
    """The labels of the articles in the tree."""
    links = [button for button in app.main.button if str(button.key).startswith("open-listed-")]
    return [link.label.replace("\\", "") for link in links]


def read(app, *names):
    """Click through the tree of articles."""
    for name in names:
        next(b for b in app.main.button if b.label.replace("\\", "").startswith(name)).click().run()
        assert not app.exception
    return app


@pytest.mark.slow
def test_the_articles_are_a_tree_to_click_through(library):
    app = at_browse()
    listed = articles(app)
    assert listed == ["21 PIT LANE", "38 PENALTIES", "40 TYRES"]
    read(app, "21 PIT LANE", "21.3 Speed limit")
    assert "21.3 Speed limit" in text_of(app)
    assert app.text[0].value.startswith("The speed limit in the pit lane is 50 km/h")


@pytest.mark.slow
def test_an_article_is_found_by_number_and_by_words(library):
    app = at_browse()
    app.text_input(key="q").set_value("38.3").run()
    assert [label.split()[0] for label in articles(app)] == ["38.3", "21.6"]
    app.text_input(key="q").set_value("prime sets").run()
    assert articles(app) == ["40.1 Number of sets"]
    app.text_input(key="q").set_value("buses").run()
    assert "No article has this number or these words." in text_of(app)


@pytest.mark.slow
def test_what_is_struck_out_is_shown_as_such_or_not_at_all(sporting):
    document = sporting.documents()[0]
    clauses = sporting.clauses(document.document_id)
    struck = next(clause for clause in clauses if clause.deleted and clause.status == "in_force")
    app = at_browse()
    app.text_input(key="q").set_value(struck.article).run()
    read(app, struck.article)
    assert "Struck out, not in force" in text_of(app)
    assert len(app.get("image")) == 1
    app.pills(key="marks").set_value([]).run()
    assert "Struck out, not in force" not in text_of(app)


@pytest.mark.slow
def test_references_lead_both_ways(library):
    app = read(at_browse(), "21 PIT LANE", "21.6")
    assert "Refers to" in text_of(app)
    app.button(key="open-to-0").click().run()
    assert "Referred to from" in text_of(app)
    assert (
        app.button(key="open-from-0")
        .label.replace("\\", "")
        .startswith("21.6 :gray[A car released")
    )


def test_another_document_that_refers_to_a_clause_is_named(library):
    lines = [
        {
            "document": "Technical Rules 2024",
            "article": "3",
            "text": "Speed in the pits: see Article 21.3 of the Cup Rules.",
        },
        {
            "document": "Technical Rules 2024",
            "article": "4",
            "text": "Fuel is kept as in Article 3.",
        },
    ]
    rules = [line | {"season": 2024, "issue": 1, "family": "technical"} for line in lines]
    list(add_bytes(library, "\n".join(map(json.dumps, rules)).encode(), "technical.jsonl"))
    technical = next(d for d in library.documents() if d.family == "technical")
    cup = next(d for d in library.documents() if d.family == "cup" and d.season == 2024)
    speed = next(clause for clause in library.clauses(cup.document_id) if clause.article == "21.3")
    found = find_referring_clauses(library, speed, Scope((cup, technical), "of the same season"))
    assert [(clause.document_id, clause.article) for clause in found] == [
        (technical.document_id, "3")
    ]


@pytest.mark.slow
def test_an_article_has_an_address(sporting):
    [document] = sporting.documents()
    app = read(at_browse(), "21 ", "21.3")
    address = app.query_params["clause"]
    assert address == f"{document.document_id}:21.3"
    app = opened().switch_page("rulebooks.py")
    app.query_params["clause"] = address
    app.run()
    assert "21.3" in text_of(app)
    assert f"Page {sporting.clause(address).page_first} of" in text_of(app)


def test_addresses_of_nothing_are_told(library):
    app = opened().switch_page("rulebooks.py")
    app.query_params["clause"] = f"{'0' * 64}:21.3"
    app.run()
    assert "not in the library" in text_of(app)
    app.query_params["clause"] = f"{library.documents()[0].document_id}:99"
    app.run()
    assert "has no such article" in text_of(app)


@pytest.mark.slow
def test_what_was_inserted_is_marked_in_its_sentence(sporting):
    document = sporting.documents()[0]
    clauses = sporting.clauses(document.document_id)
    new = next(
        c for c in clauses if c.inserted and c.inserted[0] in c.text and not c.text.startswith("|")
    )
    app = opened().switch_page("rulebooks.py")
    app.query_params["clause"] = new.clause_id
    app.run()
    assert any(":green-background[**" in element.value for element in app.markdown)
    app.pills(key="marks").set_value([]).run()
    assert not any(":green-background[**" in element.value for element in app.markdown)


def test_only_words_that_stand_once_are_marked_as_inserted():
    mark = lambda text: ClauseMark("inserted", text, 1, ())  # noqa: E731
    marks = (mark("may\nnot"), mark("may"), mark("gone"), ClauseMark("deleted", "cars", 1, ()))
    pieces, apart = split_insertions("The cars may not stop; they may turn.", marks)
    assert [(piece.kind, piece.text) for piece in pieces] == [
        ("same", "The cars "),
        ("inserted", "may not"),
        ("same", " stop; they may turn."),
    ]
    assert [mark.text for mark in apart] == ["may", "gone", "cars"]


@pytest.mark.slow
def test_figures_of_a_clause_are_cut_out_of_their_page(data):
    file = BytesIO()
    canvas = Canvas(file)
    for row, line in enumerate(
        ("2025 Wing Rules", "1 WINGS", "1.1 A wing looks as drawn below in this figure.")
    ):
        canvas.drawString(72, 770 - 18 * row, line)
    canvas.drawImage(ImageReader(Image.new("RGB", (60, 60), "red")), 100, 500, 200, 150)
    canvas.save()
    [added] = list(add_bytes(Library(data), file.getvalue(), "wings.pdf"))
    figured = next(c for c in Library(data).clauses(added.document.document_id) if c.figures)
    [figure] = figured.figures
    stored = Library(data).stored_file(added.document.document_id)
    cut = Image.open(BytesIO(crop_page(stored, figure.page, figure.box)))
    assert cut.getpixel((cut.width // 2, cut.height // 2))[:3] == (255, 0, 0)
    app = opened().switch_page("rulebooks.py")
    app.query_params["clause"] = figured.clause_id
    app.run()
    assert len(app.get("image")) == 2


def test_what_is_found_is_a_checklist_with_all_that_belongs_to_it(library):
    app = at_browse()
    app.text_input(key="q").set_value("unsafe condition").run()
    offered = [button.label for button in app.get("download_button")]
    assert offered == ["Checklist: 1 clause in this list", "Checklist: 2 clauses with this term"]


def test_a_clause_can_be_asked_about(library):
    app = read(at_browse(), "40 TYRES", "40.1")
    next(button for button in app.main.button if button.label == "Ask about this").click().run()
    app = answered(opened(chat=app.query_params["chat"]))
    assert "five sets of Prime tyres" in text_of(app)
    assert "Scope: Cup Rules 2024" in text_of(app)


def test_an_empty_library_says_what_to_do(library):
    for document in library.documents():
        library.remove_document(document.document_id)
    assert "Add a rulebook" in text_of(at_browse())


def test_a_subtree_is_a_checklist(library):
    clauses = library.clauses(library.documents()[0].document_id)
    [heading] = [clause for clause in clauses if clause.article == "21"]
    file = checklist_csv(Outline(clauses).list_branch(heading)).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(file)))
    assert [row["number"] for row in rows] == ["21", "21.3", "21.6"]
    assert list(rows[0]) == ["number", "text", "page", "owner", "status"]
    assert rows[1]["text"].startswith("Speed limit\nThe speed limit")


def test_the_tree_goes_by_numbers(library):
    clauses = library.clauses(library.documents()[0].document_id)
    outline = Outline(clauses)
    [heading] = [clause for clause in clauses if clause.article == "21"]
    assert [clause.article for clause in outline.children[heading.clause_id]] == ["21.3", "21.6"]
    assert [clause.article for clause in outline.filter("21")] == ["21", "21.3", "21.6"]


def test_the_address_of_a_rule_opens_it_with_its_history(library):
    app = opened(rule="cup/2023/1/21.3").switch_page("rulebooks.py")
    app.query_params["rule"] = "cup/2023/1/21.3"
    app.run()
    assert not app.exception
    assert app.text[0].value.startswith("The speed limit in the pit lane is 60 km/h")
    assert "Through the editions" in text_of(app)
    assert app.code[0].value.endswith("/rule/cup/2023/1/21.3")
    app.query_params["rule"] = "cup/2024/21.3"
    app.run()
    assert app.text[0].value.startswith("The speed limit in the pit lane is 50 km/h")


def test_an_address_that_leads_to_no_rule_says_what_is_held(library):
    app = opened().switch_page("rulebooks.py")
    for named, said in (
        ("cup/2024", "The address of a rule is /rule/FAMILY"),
        ("cap/2024/1/21.3", "It holds: cup."),
        ("cup/2024/3/21.3", "Did you mean this rule?"),
        ("cup/2024/1/99", "There is no rule 99 in"),
    ):
        app.query_params["rule"] = named
        app.run()
        assert not app.exception
        assert said in text_of(app)
