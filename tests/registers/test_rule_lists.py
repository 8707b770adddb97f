"""Lists of limits, obligations and unread numbers, filtered, without a page."""

import pytest

from core.language import ENGLISH
from core.registers import ChecklistEntry, RuleLists
from core.registers.obligations import read_obligations
from core.registers.register import read_register
from core.shapes import checklist_row, rule_row
from tests.library.test_scope import S24
from tests.registers.trike import clauses

LISTS = RuleLists(ENGLISH)


@pytest.fixture(scope="module")
def register():
    return read_register(clauses())


def test_limits_are_filtered_by_relation_unit_and_words(register):
    everything = LISTS.limits(register)
    assert len(everything.rules) == everything.total == len(register.limits)
    volts = LISTS.limits(register, ["less than"])
    assert [str(rule) for rule in volts.rules] == ["less than 60 V DC"]
    assert volts.total == everything.total
    assert not LISTS.limits(register, ["less than"], ["mm"]).rules
    found = everything.find_rules("tread depth", True)
    assert [rule.article for rule in found] == ["1.3"]
    assert rule_row(S24, found[0]).document == S24.file


def test_obligations_come_with_what_is_noted_of_them():
    listed = read_obligations(clauses())
    duty = listed.obligations[0]
    noted = {duty: ChecklistEntry("Ann", "open")}
    shown = LISTS.obligations(listed, noted)
    assert shown.total == len(listed.obligations)
    assert shown.cells(duty)["owner"] == checklist_row(S24, duty, noted).owner == "Ann"
    others = LISTS.obligations(listed, noted, ["no such duty"])
    assert (list(others.rules), others.total) == ([], shown.total)


def test_unread_numbers_say_which_figures_are_not_read(register):
    shown = LISTS.unread(register)
    assert shown.total == len(register.unread)
    has_figures = any(one.reason.startswith("figure") for one in register.unread)
    assert bool(shown.summary) == has_figures
