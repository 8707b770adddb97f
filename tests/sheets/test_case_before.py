"""A limit for the case of which the sentence before speaks decides nothing in other cases."""

import pytest

from core.grammar import collect_limits, read_passages
from core.registers.register import read_register
from core.sheets import LimitIndex, SheetRow, check_row
from core.sheets.row_conditions import find_gates, is_of_case
from tests.registers.trike import clauses

EXEMPT = "Boats of class E are exempt from this."


@pytest.mark.parametrize(
    "opening", ["For them", "For these", "In this case", "Otherwise", "Für sie", "Dans ce cas"]
)
def test_what_holds_in_the_case_before_has_it_as_its_condition(opening):
    [limit] = collect_limits(read_passages(f"{EXEMPT} {opening} the mass must not exceed 290 kg."))[
        0
    ]
    [gate] = find_gates(limit.condition)
    assert gate == f"{opening}: {EXEMPT}"
    assert is_of_case(gate)


def test_a_sentence_that_goes_on_of_its_own_has_none():
    [limit] = collect_limits(read_passages(f"{EXEMPT} The mass must not exceed 290 kg."))[0]
    assert not limit.condition


def test_a_value_that_keeps_it_is_not_legal_in_another_case():
    rule = f"{EXEMPT} For them the mass of the boat must not exceed 290 kg."
    index = LimitIndex(read_register(clauses((("1", "Mass", rule),))))
    for parameter in ("mass of a class C boat", "mass of the boat"):
        checked = check_row(SheetRow("1", parameter, "270", "kg"), index)
        assert checked.verdict == "cannot tell"
        assert "For them" in checked.missing


def test_a_value_that_keeps_the_limits_of_both_cases_of_one_sentence_is_legal():
    rule = "The width of the sail must be at least 100 mm, except where it is a jib, in which case"
    for rest in (" it must be at least 50 mm.", " it must be marked."):
        index = LimitIndex(read_register(clauses((("1", "Sails", rule + rest),))))
        for value, verdict in (("120", "legal"), ("60", "cannot tell")):
            checked = check_row(SheetRow("1", "width of the sail", value, "mm"), index)
            assert checked.verdict == verdict


def test_what_breaks_the_limit_of_a_class_is_not_illegal_in_others():
    rule = "For class B the area of the sail must not exceed 15 m²."
    index = LimitIndex(read_register(clauses((("1", "Sails", rule),))))

    def check(parameter, value):
        return check_row(SheetRow("1", parameter, value, "m²"), index).verdict

    assert check("area of the sail", "16") == "cannot tell"
    assert check("area of the sail, class A", "16") == "cannot tell"
    assert check("area of the sail, class B", "13") == "legal"
    assert check("area of the sail, class B", "16") == "not legal"
