"""Limits and verdicts as rows of tables, and the rules that a row of a sheet may mean."""

import pytest

from core.language import ENGLISH
from core.registers import RuleLists
from core.registers.register import read_register
from core.sheets import (
    CheckedRow,
    LimitIndex,
    SheetRow,
    check_row,
)
from tests.library.test_scope import S24
from tests.registers.trike import clauses

ROW = SheetRow("7", "wheelbase", "1100", "mm")


@pytest.fixture(scope="module")
def register():
    return read_register(clauses())


@pytest.fixture(scope="module")
def result(register):
    return check_row(ROW, LimitIndex(register))


def test_a_verdict_names_its_rulebook_where_there_are_several(result):
    cells = CheckedRow(S24, ROW, result).cells(ENGLISH, "")
    assert "rulebook" not in cells
    assert (cells["value"], cells["article"]) == ("1100 mm", "1.1")
    assert CheckedRow(S24, ROW, result).cells(ENGLISH, "Cup")["rulebook"] == "Cup"


def test_a_limit_has_a_cell_for_what_it_is(register):
    limit = next(one for one in register.limits if one.article == "1.1")
    assert RuleLists(ENGLISH).limit_cells(limit)["limit"] == "at least 1200 mm"


def test_the_rules_to_pick_from_begin_with_the_picked_and_the_found(register, result):
    names = CheckedRow(S24, ROW, result).list_choices(ENGLISH, register, "3.8")
    assert list(names)[:3] == ["", "3.8", "1.1"]
    assert names["1.1"].startswith("1.1: at least 1200 mm")
    assert set(names) == {"", *(one.article for one in register.limits)}
