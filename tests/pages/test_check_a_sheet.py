"""The page Check a sheet: a team's values against a rulebook."""

import io
import json
from zipfile import ZipFile

import pytest

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.shapes import verdict_row
from core.sheets import SheetResult, SheetRow
from core.sheets.sheet_storage import SheetStore
from core.table_files import make_workbook
from tests.pages.visit import opened, text_of
from tests.registers.trike import add_trike_rules

SHEET = b"""id,parameter,value,unit,note
1,wheelbase,1300,mm,
2,cargo box height,700,mm,
3,tread depth,2,mm,
4,lucky charm,3,kg,
"""


@pytest.fixture
def trike(data) -> Library:
    library = Library(data)
    add_trike_rules(library)
    return library


def at_sheet():
    app = opened().switch_page("limits.py")
    app.query_params["limits-view"] = "sheet"
    app.run()
    assert not app.exception
    return app


def upload(app, content=SHEET, name="trike.csv"):
    app.file_uploader[0].set_value((name, content, "text/csv")).run()
    assert not app.exception
    return app


def verdicts(app):
    table = next(one.value for one in app.dataframe if "Verdict" in one.value)
    return {row: verdict for row, [verdict] in zip(table["Id"], table["Verdict"], strict=True)}


def click(app, label):
    next(button for button in app.main.button if button.label.endswith(label)).click().run()
    assert not app.exception
    return app


def choose_verdict(app, number):
    """Click a row of the table of verdicts."""
    table = next(one for one in app.dataframe if "Verdict" in one.value)
    app.session_state[table.key] = {"selection": {"rows": [number]}}
    app.run()
    assert not app.exception
    return app


def test_before_a_sheet_there_is_a_template(trike):
    app = at_sheet()
    assert "Upload a sheet" in text_of(app)
    labels = [button.label for button in app.get("download_button")]
    assert labels == ["CSV", "XLSX"]


def test_each_row_gets_a_verdict_and_uncovered_rules_are_listed(trike):
    app = upload(at_sheet())
    found = verdicts(app)
    assert (found["1"], found["2"]) == ("✓ legal", "✗ not legal")
    assert found["3"] == "? cannot tell"
    assert found["4"] == "– none found"
    uncovered = app.dataframe[-1].value
    assert "1.1" not in list(uncovered["Article"])
    assert "3.1" in list(uncovered["Article"])
    app.pills(key="verdicts").set_value(["not legal"]).run()
    assert verdicts(app) == {"2": "✗ not legal"}


def test_a_sheet_of_another_rulebook_is_asked_after(trike):
    sheet = b"id,parameter,value,unit,note\n1,rear wing span,1300,mm,\n2,gearbox oil,2,l,\n"
    assert "Is this sheet for another rulebook?" in text_of(upload(at_sheet(), sheet))
    assert "another rulebook" not in text_of(upload(at_sheet()))


def test_a_verdict_opens_its_clause(trike):
    app = choose_verdict(upload(at_sheet()), 1)
    click(app, "page 1")
    assert app.title[0].value == "Rulebooks"
    assert "1.2 Cargo box" in text_of(app)


def add_sleds(library, text="The wheelbase must be at least 1400 mm.") -> str:
    """Add a newer rulebook of one rule, and return its id."""
    rule = {"document": "Sleds", "article": "1.1", "title": "Wheelbase", "text": text}
    [added] = add_bytes(library, json.dumps(rule | {"season": 2031}).encode(), "sleds.jsonl")
    return added.document.document_id


def test_the_rulebook_is_the_one_that_fits_the_sheet_then_what_a_person_chooses(trike):
    [known] = trike.documents()
    sleds = add_sleds(trike)
    app = at_sheet()
    assert app.multiselect(key="sheet-rulebooks").value == [sleds]  # the newest one
    app = upload(app)
    assert app.multiselect(key="sheet-rulebooks").value == [known.document_id]
    assert "Rulebook" not in next(one.value for one in app.dataframe if "Verdict" in one.value)
    both = [known.document_id, sleds]
    app.multiselect(key="sheet-rulebooks").set_value(both).run()
    table = next(one.value for one in app.dataframe if "Verdict" in one.value)
    assert list(table.columns)[1:5] == ["Verdict", "Rulebook", "Value", "Article"]
    app.switch_page("rulebooks.py").run()
    app.switch_page("limits.py")
    app.query_params["limits-view"] = "sheet"
    app.run()
    assert app.multiselect(key="sheet-rulebooks").value == both


def test_a_value_on_which_no_rulebook_has_a_rule_is_one_line(trike):
    [known] = trike.documents()
    both = [known.document_id, add_sleds(trike)]
    app = upload(at_sheet())
    app.multiselect(key="sheet-rulebooks").set_value(both).run()
    table = next(one.value for one in app.dataframe if "Verdict" in one.value)
    assert list(table["Id"]).count("4") == 1
    assert list(table["Id"]).count("1") == 2  # both have a rule on it


def test_beside_the_verdicts_is_the_rule_of_the_first_breach(trike):
    app = upload(at_sheet())
    assert "2: cargo box height, 700 mm · ✗ not legal" in text_of(app)


def test_what_is_chosen_for_the_chat_is_checked_at_first(trike):
    rule = {"document": "Sleds", "article": "1.1", "title": "Bells", "text": "A sled has a bell."}
    [added] = add_bytes(trike, json.dumps(rule).encode(), "sleds.jsonl")
    app = opened(season="ticks", ticks=added.document.document_id)
    app.switch_page("limits.py")
    app.query_params["limits-view"] = "sheet"
    app.run()
    assert app.multiselect(key="sheet-rulebooks").value == [added.document.document_id]


def test_a_rule_is_picked_once_for_a_parameter(trike):
    app = choose_verdict(upload(at_sheet()), 2)
    picker = next(box for box in app.selectbox if box.label.startswith("Rule that is meant"))
    picker.set_value("1.3").run()
    assert not app.exception
    assert verdicts(app)["3"] == "✗ not legal"
    [document] = trike.documents()
    assert SheetStore(trike.folder).choices_for(trike, document) == {"tread depth": "1.3"}
    assert verdicts(upload(at_sheet()))["3"] == "✗ not legal"


def test_a_sheet_is_saved_and_opened_again(trike):
    app = upload(at_sheet())
    app.text_input(key="sheet-name").set_value("Trike, week 12").run()
    click(app, "Save with the library")
    app = click(at_sheet(), "Open")
    assert verdicts(app)["1"] == "✓ legal"
    assert app.text_input(key="sheet-name").value == "Trike, week 12"
    click(app, "Yes, remove it")
    assert SheetStore(trike.folder).load_sheets() == ()


def test_a_file_that_is_no_sheet_is_refused_with_the_reason(trike):
    app = upload(at_sheet(), b"a,b\n1,2\n")
    assert any("has no column id" in error.value for error in app.error)


def test_verdicts_go_into_files(trike):
    [document] = trike.documents()
    row = SheetRow("1", "=1+1", "3", "kg")
    shown = verdict_row(document, SheetResult("1", "no rule", missing="a rule")).model_dump()
    assert shown["verdict"] == "no rule"
    with ZipFile(io.BytesIO(make_workbook([row.cells | shown]))) as book:
        assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")
