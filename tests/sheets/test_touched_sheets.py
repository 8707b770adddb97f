"""A saved sheet when the next issue comes: checked again, suspect where it rests on a change."""

import json
import os
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from core.chats import Conversations
from core.cli.app import app
from core.errors import SheetError
from core.impact import Impact, assess_impact, format_digest
from core.library import Library
from core.sheets import SavedSheet, SheetRow, SheetStore
from tests.registers.trike import add_trike_rules

SETTINGS = {name: None for name in os.environ if name.startswith(("ANTHROPIC_", "SCRUTINEER_"))}
WHEELBASE = SheetRow("1", "wheelbase", "1250", "mm")
CARGO_BOX = SheetRow("2", "cargo box height", "500", "mm")
LONGER = {"1.1": "The trike must have a minimum wheelbase of 1300 mm."}


@pytest.fixture
def library(tmp_path):
    """A library with the first issue of the rules."""
    library = Library(tmp_path / "data")
    add_trike_rules(library)
    return library


def save(library: Library, name: str, *rows: SheetRow) -> SavedSheet:
    """Save a sheet that was checked against all rulebooks that are here."""
    known = tuple(one.document_id for one in library.documents())
    sheet = replace(SavedSheet.from_rows(name, rows), documents=known)
    SheetStore(library.folder).save_sheet(sheet)
    return sheet


def impact_of(library: Library, issue: str) -> Impact:
    chats = Conversations(f"sqlite:///{library.folder}/chats.db")
    return assess_impact(library, chats, SheetStore(library.folder), issue)


def test_the_sheet_that_rests_on_a_changed_rule_is_suspect_and_the_other_is_not(library):
    save(library, "Frame", WHEELBASE, CARGO_BOX)
    save(library, "Box", CARGO_BOX)
    impact = impact_of(library, add_trike_rules(library, 2, LONGER))
    [sheet] = impact.suspect_sheets
    assert sheet.name == "Frame"
    [row] = sheet.rows
    assert (row.id, row.verdict_before, row.verdict) == ("1", "legal", "not legal")
    assert (row.limit_before, row.limit) == ("at least 1200 mm", "at least 1300 mm")
    assert [(one.article, one.article_now) for one in row.citations] == [("1.1", "1.1")]
    digest = format_digest(impact)
    assert "Frame, 1 wheelbase (1250 mm): legal (at least 1200 mm) → not legal" in digest


def test_a_row_whose_rule_was_removed_or_came_is_touched(library):
    save(library, "Frame", WHEELBASE)
    save(library, "Seat", SheetRow("1", "saddle weight", "3", "kg"))
    changes = {"1.1": "Any wheelbase will do.", "4": "The saddle weight must be at least 4 kg."}
    touched = impact_of(library, add_trike_rules(library, 2, changes)).sheets
    verdicts = {one.name: (one.rows[0].verdict_before, one.rows[0].verdict) for one in touched}
    assert verdicts == {"Frame": ("legal", "no rule"), "Seat": ("no rule", "not legal")}


@pytest.mark.slow
def test_a_sheet_that_was_saved_with_the_new_issue_is_suspect_of_the_next_one_only(library):
    second = add_trike_rules(library, 2, LONGER)
    save(library, "Frame", WHEELBASE)
    assert impact_of(library, second).sheets == ()
    shorter = {"1.1": "The trike must have a minimum wheelbase of 1000 mm."}
    [sheet] = impact_of(library, add_trike_rules(library, 3, shorter)).sheets
    assert (sheet.rows[0].verdict_before, sheet.rows[0].verdict) == ("not legal", "legal")


@pytest.mark.slow
def test_a_sheet_is_suspect_until_somebody_has_looked_at_it(library):
    sheet = save(library, "Frame", WHEELBASE)
    second = add_trike_rules(library, 2, LONGER)
    environment = SETTINGS | {"SCRUTINEER_DATA_DIR": str(library.folder)}

    def ask_impact(*arguments: str):
        command = ["impact", second, *arguments, "--json"]
        done = CliRunner().invoke(app, command, env=environment)
        return done.exit_code, json.loads(done.stdout)

    status, impact = ask_impact()
    assert (status, impact["suspects"], impact["sheets"][0]["suspect"]) == (1, 1, True)
    status, impact = ask_impact("--clear", sheet.sheet_id, "--by", "Ada")
    assert (status, impact["suspects"]) == (0, 0)
    assert impact["sheets"][0]["cleared_by"] == "Ada"
    assert ask_impact() == (0, impact)


def test_a_sheet_that_is_not_there_cannot_be_cleared(library):
    with pytest.raises(SheetError) as caught:
        SheetStore(library.folder).clear_sheet("none", "issue", "Ada")
    assert caught.value.code == "unknown_sheet"
