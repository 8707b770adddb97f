"""A value is legal only if it measures the thing that a rule limits, in a sheet and when asked."""

from dataclasses import replace
from itertools import product

import pytest

from core.registers.register import read_register
from core.sheets import LimitIndex, SheetRow, check_row, check_values, overall_verdict
from tests.registers.trike import clauses

RULES = (
    ("1", "Harness", "The harness must be held by a tube that is at least 40 mm wide."),
    ("2", "Wheels", "The free zone of each wheel must have a diameter of at least 350 mm."),
    ("3", "Frame", "Each steel tube of the frame must have a wall of at least 1.6 mm."),
    ("4", "Push bar", "The push bar must be at least 600 mm long."),
    ("5", "Test", "A rider who sits the test for the full marks must score at least 40 %."),
    ("6", "Paddock", "The area of a team must be at least 14 m wide and at least 11 m deep."),
    ("7", "Box", "The box is at most 300 mm wide and at most 500 mm long."),
    ("8", "Mast", "A mast of steel must be at least 4 mm thick."),
    ("9", "Cranks", "For 24 inch rims the cranks must be no shorter than 125 mm."),
    ("10", "Motor", "The motor must not run between 4,000 rpm and 5,000 rpm."),
    ("11", "Weight", "The trike without its rider must weigh at least 25 kg."),
    ("12", "Seats", "The seat of the rider must be at least 400 mm wide."),
    ("13", "Guests", "A seat behind the rider must be at least 350 mm wide."),
    ("14", "Visor", "The rider's visor must be no more than 30 mm from the rider's nose."),
    ("15", "Lugs", "Each lug must be at least 3 mm thick and the pin must be at least 8 mm thick."),
    ("16", "Power", "The power at the terminals of the pack must not exceed 2 kW."),
    *(
        (f"99.{n}", "", f"Each {name} must be at least {n} mm wide.")
        for n, name in enumerate(map("".join, product("bdfg", "aeiou", ("rka", "lbo"))), 1)
    ),
)


@pytest.fixture(scope="module")
def register():
    return read_register(clauses(RULES))


@pytest.fixture(scope="module")
def index(register):
    return LimitIndex(register)


def in_sheet(index, parameter, value, unit):
    return check_row(SheetRow("1", parameter, value, unit), index)


def asked(index, question):
    return overall_verdict(check_values(question, [index]))


@pytest.mark.parametrize(
    ("parameter", "value", "unit"),
    [
        ("harness width", "44", "mm"),
        ("harness width", "30", "mm"),
        ("wheel diameter", "400", "mm"),
        ("wheel hub diameter", "300", "mm"),
        ("push bar tube wall thickness", "1.8", "mm"),
        ("attendance at the test", "45", "%"),
        ("team area", "12", "m"),
        ("rim size", "24", "inch"),
        ("motor speed", "4500", "rpm"),
        ("weight of the trike with its rider", "95", "kg"),
        ("seat width", "500", "mm"),
    ],
)
def test_an_amount_of_another_thing_decides_nothing(index, parameter, value, unit):
    assert in_sheet(index, parameter, value, unit).verdict == "cannot tell"
    assert asked(index, f"Is a {parameter} of {value} {unit} legal?") == "cannot tell"


@pytest.mark.parametrize(
    ("parameter", "value", "unit", "verdict"),
    [
        ("harness tube width", "44", "mm", "legal"),
        ("free zone diameter", "300", "mm", "not legal"),
        ("frame tube wall thickness", "1.8", "mm", "legal"),
        ("score in the test", "45", "%", "legal"),
        ("area width", "11", "m", "not legal"),
        ("area depth", "11", "m", "legal"),
        ("box length", "400", "mm", "legal"),
        ("box width", "400", "mm", "not legal"),
        ("seat width", "300", "mm", "not legal"),
        ("distance of the visor from the rider's nose", "20", "mm", "legal"),
        ("distance of the visor from the rider's nose", "40", "mm", "not legal"),
        ("lug thickness", "4", "mm", "legal"),
        ("pin thickness", "4", "mm", "not legal"),
        ("peak power of the pack", "1.8", "kW", "legal"),
    ],
)
def test_a_sheet_and_a_question_have_one_verdict(index, parameter, value, unit, verdict):
    assert in_sheet(index, parameter, value, unit).verdict == verdict
    assert asked(index, f"Is a {parameter} of {value} {unit} legal?") == verdict


def test_a_width_is_not_held_against_the_depth_beside_it(index):
    [row] = check_values("Is an area 11 m wide legal?", [index])
    assert (row.limit, row.verdict) == ("at least 14 m", "not legal")


def test_of_two_limits_of_one_sentence_both_are_shown_without_a_verdict(index):
    rows = check_values("Is a paddock area of 12 m legal?", [index])
    assert [(row.limit, row.margin, row.verdict) for row in rows] == [
        ("at least 14 m", "−2 m", "cannot tell"),
        ("at least 11 m", "+1 m", "cannot tell"),
    ]


def test_an_alternative_that_is_not_read_leaves_a_condition_open(register):
    rule = "The floor must be at least 1 mm thick if made of steel or 3 mm if made of brass."
    floor = LimitIndex(read_register(clauses((("1", "Floor", rule), *RULES[-40:]))))
    assert in_sheet(floor, "floor thickness", "2", "mm").verdict == "cannot tell"
    assert in_sheet(floor, "floor thickness, steel", "2", "mm").verdict == "legal"


def test_a_share_is_of_what_stands_by_it(index):
    assert asked(index, "May a rider with 45 % attendance sit the test?") == "cannot tell"


def test_what_is_not_proved_decides_nothing(register):
    unproved = replace(
        register, limits=tuple(replace(one, doubt="denied") for one in register.limits)
    )
    for value in ("200", "400"):
        result = in_sheet(LimitIndex(unproved), "box length", value, "mm")
        assert (result.verdict, "is not proved" in result.missing) == ("cannot tell", True)


TUBES = (
    ("1", "Uses", "| Use | Size |\n|---|---|\n| a. Roll Bar | Size A |\n| b. Side Bar | Size B |"),
    (
        "2",
        "Sizes",
        "A tube must meet all of these:\n"
        "| Tube | Minimum Area | Minimum Outside Diameter | Minimum Wall Thickness |\n"
        "|---|---|---|---|\n"
        "| Size A | 173 mm² | 25.0 mm | 2.0 mm |\n| Size B | 114 mm² | 25.0 mm | 1.2 mm |",
    ),
)


@pytest.mark.parametrize(
    "question",
    [
        "Is a roll bar of 25.0 mm outside diameter with a 2.0 mm wall legal?",
        "Is 25.0 mm outside diameter with a 2.0 mm wall legal for the roll bar?",
    ],
)
def test_two_lengths_of_a_tube_are_checked_each_and_its_section_computed(question):
    rows = check_values(question, [LimitIndex(read_register(clauses((*TUBES, *RULES[-40:]))))])
    assert [(row.limit, row.yours, row.verdict) for row in rows] == [
        ("at least 25.0 mm", "25.0 mm", "legal"),
        ("at least 2.0 mm", "2.0 mm", "legal"),
        ("at least 173 mm²", "145 mm²", "not legal"),
    ]


def test_two_values_of_one_measure_have_no_verdict(index):
    question = "The front box is 280 mm wide, the rear box 290 mm wide. Legal?"
    assert asked(index, question) == "cannot tell"


def test_a_number_of_things_beside_a_value_is_not_passed_over():
    rule = "The pit must have at least two extinguishers of at least 5 kg."
    index = LimitIndex(read_register(clauses((*RULES, ("17", "Extinguishers", rule)))))
    assert asked(index, "Is 1 extinguisher of 5 kg legal?") == "cannot tell"
    assert asked(index, "Is an extinguisher of 5 kg legal?") == "legal"
    assert asked(index, "Is 1 extinguisher of 2 kg legal?") == "not legal"


def test_days_of_another_kind_are_no_days():
    rule = "A complaint shall be submitted within 3 working days after the race."
    index = LimitIndex(read_register(clauses((*RULES, ("18", "Complaints", rule)))))
    result = in_sheet(index, "complaint", "4", "calendar days")
    assert (result.verdict, "in working days" in result.missing) == ("cannot tell", True)
    assert in_sheet(index, "complaint", "4", "business days").verdict == "not legal"
    assert asked(index, "Is a complaint after 2 days in time?") == "cannot tell"
    assert asked(index, "Is a complaint after 2 working days in time?") == "legal"


def test_a_number_of_things_is_a_value_where_the_rule_counts_them():
    rule = "A team may register at most 6 drivers."
    index = LimitIndex(read_register(clauses((*RULES, ("18", "Drivers", rule)))))
    assert in_sheet(index, "team", "7", "drivers").verdict == "not legal"
    assert asked(index, "May a team register 7 drivers?") == "not legal"
    assert asked(index, "May a team register 5 drivers?") == "legal"
    assert asked(index, "May a team register 7 cars?") == "cannot tell"


def test_units_of_a_sheet_are_known_in_the_language_of_its_rules():
    rules = (
        ("1", "Vortrag", "Ein Vortrag darf höchstens 20 Minuten dauern."),
        ("2", "Arbeit", "Die Bearbeitungszeit beträgt höchstens 12 Wochen."),
        ("3", "Einladung", "Die Einladung ist mindestens 14 Tage vorher zu versenden."),
        ("4", "Gruppen", "Eine Gruppe darf höchstens 4 Personen umfassen."),
    )
    index = LimitIndex(read_register(clauses(rules)))
    assert in_sheet(index, "Vortrag", "0.5", "Stunden").verdict == "not legal"
    assert asked(index, "Darf ein Vortrag 15 Minuten dauern?") == "legal"
