"""The page of what to check again: a saved sheet from the new issue until somebody looked at it."""

from dataclasses import replace

import pytest

from core.library import Library
from core.sheets import SavedSheet, SheetRow, SheetStore
from tests.pages.visit import opened, text_of
from tests.registers.trike import add_trike_rules


@pytest.mark.slow
def test_a_sheet_is_suspect_with_each_row_before_and_now_until_it_is_cleared(data):
    library = Library(data)
    first = add_trike_rules(library)
    rows = (SheetRow("1", "wheelbase", "1250", "mm"), SheetRow("2", "cargo box height", "5", "mm"))
    SheetStore(data).save_sheet(replace(SavedSheet.from_rows("Frame", rows), documents=(first,)))
    second = add_trike_rules(
        library, 2, {"1.1": "The trike must have a minimum wheelbase of 1300 mm."}
    )

    app = opened(after=second).switch_page("compare.py")
    app.query_params.update({"compare-view": "touched", "after": second})
    app.run()
    assert not app.exception
    assert ":orange-badge[Rule changed since] Frame" in text_of(app)
    [table] = [one.value for one in app.dataframe if "Before" in one.value]
    assert list(table["Before"]) == ["✓ legal"]
    assert list(table["Now"]) == ["✗ not legal"]

    next(b for b in app.main.button if b.label == "I have looked at it").click().run()
    assert not app.exception
    assert ":green-badge[Cleared] Frame" in text_of(app)
