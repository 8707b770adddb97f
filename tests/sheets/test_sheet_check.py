"""A sheet of values: legal only where words, condition and unit point to one rule."""

import pytest

from core.grammar.quantities import UNITS
from core.registers.register import read_register
from core.sheets.limit_search import LimitIndex
from core.sheets.sheet_check import SheetRow, check_row, uncovered_limits
from tests.registers.trike import clauses


@pytest.fixture(scope="module")
def index():
    return LimitIndex(read_register(clauses()))


def check(index, parameter, value, unit="", note="", **more):
    return check_row(SheetRow("1", parameter, value, unit, note, **more), index)


@pytest.mark.parametrize(
    ("parameter", "value", "unit", "note", "verdict", "margin"),
    [
        ("wheelbase", "1200", "mm", "", "legal", "0 mm"),
        ("wheel base", "1.1", "m", "", "not legal", "-100 mm"),
        ("wheelbase", "48", "in", "", "legal", "19.2 mm"),
        ("seat post tube wall thickness", "2.4", "mm", "", "legal", "0.4 mm"),
        ("seat post brace tube wall", "1.0", "mm", "", "not legal", "-0.2 mm"),
        ("pack voltage", "60", "V", "DC", "not legal", "0 V DC"),
        ("pack energy", "0.5", "kWh", "", "legal", "0.2 MJ"),
        ("bleed resistor, 48 V pack", "10000", "ohm", "", "legal", "0 kOhm"),
        ("bleed resistor, 48 V rain build", "10000", "ohm", "", "legal", "0 kOhm"),
        ("wheelbase (rain build)", "1200", "mm", "", "legal", "0 mm"),
        ("safety flag width", "100", "mm", "", "legal", "40 mm"),
        ("horn sound level at idle", "80", "dBC", "", "legal", "0 dBC"),
        ("lamps distance apart", "22", "mm", "no lens", "not legal", "-2 mm"),
        ("lamps distance apart", "18", "mm", "", "legal", "2 mm"),
        ("siren frequency", "150", "Hz", "", "legal", "50 Hz"),
        ("siren frequency", "220", "Hz", "", "not legal", "-20 Hz"),
        ("siren frequency (battery lamps)", "90", "Hz", "", "not legal", "-10 Hz"),
    ],
)
def test_a_value_is_decided(index, parameter, value, unit, note, verdict, margin):
    result = check(index, parameter, value, unit, note)
    assert (result.verdict, result.margin) == (verdict, margin)


@pytest.mark.parametrize(
    ("parameter", "value", "unit", "missing"),
    [
        ("tube wall thickness", "1.5", "mm", "which of these is meant"),
        ("horn sound level", "85", "dBC", "which of these is meant"),
        ("handlebar tube wall thickness", "1.0", "mm", "whether this is the"),
        ("tread depth", "2.0", "mm", "front"),
        ("bleed resistor", "10", "kOhm", "the value for"),
        ("lamps distance apart", "22", "mm", "without a lens"),
        ("bell", "90", "dBC", "only recommends"),
        ("flag in the wind test", "90", "N", "at most 80 N"),
        ("wheelbase", "1,200", "mm", "thousand or a decimal"),
        ("wheelbase", "1200", "smoots", "known unit"),
        ("wheelbase", "=B2*25.4", "mm", "a formula is not computed"),
    ],
)
def test_what_cannot_be_told_says_what_is_missing(index, parameter, value, unit, missing):
    result = check(index, parameter, value, unit)
    assert result.verdict == "cannot tell"
    assert missing in result.missing


@pytest.mark.parametrize(
    ("parameter", "value", "unit"),
    [
        ("logbook colour", "red", ""),
        ("flags in the garden", "7", ""),
        ("bell", "80", "dBA"),
        ("wheelbase", "1e9999", "mm"),
        ("wheelbase", "NaN", "mm"),
        ("orange safety flag thickness", "100", "mm"),
    ],
)
def test_what_no_rule_limits_is_said(index, parameter, value, unit):
    assert check(index, parameter, value, unit).verdict == "no rule"


def test_what_begins_with_a_zero_is_no_thousand(index):
    assert check(index, "wheelbase", "0,925", "m").margin == "-275 mm"
    assert check(index, "wheelbase", "0,525,000", "mm").verdict == "no rule"


def test_a_decimal_comma_is_read_where_the_sheet_uses_them(index):
    assert check(index, "wheelbase", "1,25", "m", decimal_comma=True).margin == "50 mm"
    assert check(index, "wheelbase", "1.250,5", "mm", decimal_comma=True).margin == "50.5 mm"
    assert check(index, "wheelbase", "0.925", "m", decimal_comma=True).verdict == "not legal"
    unclear = check(index, "cargo box height", "1.250", "mm", decimal_comma=True)
    assert (unclear.verdict, "write no point" in unclear.missing) == ("cannot tell", True)


def test_a_person_picks_the_rule_once(index):
    row = SheetRow("1", "length over wheels", "1100", "mm")
    assert check_row(row, index).verdict in ("cannot tell", "no rule")
    picked = check_row(row, index, {row.key: "1.1"})
    assert (picked.verdict, picked.articles) == ("not legal", ("1.1",))


def test_limits_that_no_row_answers_are_listed(index):
    register = read_register(clauses())
    rows = [SheetRow("1", "wheelbase", "1300", "mm")]
    results = [check_row(row, index) for row in rows]
    open_articles = {limit.article for limit in uncovered_limits(register.limits, results)}
    assert "1.1" not in open_articles
    assert "1.2" in open_articles


def test_a_unit_made_of_two_is_known_without_a_list_that_grows():
    before = len(UNITS)
    assert UNITS["mm per 100 km"][0] == "length per length"
    assert "mm/0 km" not in UNITS  # for nothing
    assert len(UNITS) == before  # it is read by several threads


THINGS = (
    ("1", "Wings", "The front wing must not be wider than 1400 mm. A rear wing is allowed."),
    ("2", "Frame", "The wall of a tube must be at least 2.0 mm thick."),
    ("3", "Skid plate", "A skid plate must be at least 3.0 mm thick."),
    ("4", "Fuel tank", "The fuel tank must hold no more than 7 litres."),
    ("5", "Mass", "The mass of the trike must be at least 60 kg."),
    (
        "6",
        "Charging",
        "While a trike is charged, one person must stand by with an extinguisher of at least 2 kg.",
    ),
    ("7", "Wheelbase", "The wheelbase must be at least 1200 mm."),
    ("8", "Meter", "The power that the meter reads must not exceed 80 kW."),
    ("9", "Bell", "The bell must not weigh more than 2 kg."),
    ("10", "Summary of masses", "The bell must not weigh more than 2 kg."),
    ("11", "Front wing end plates", "End plates must be at most 300 mm high."),
    (
        "12",
        "Mirrors",
        "Officials have the right to measure. A mirror must be at least 120 mm wide.",
    ),
    ("13", "Chain guard of steel", "The chain guard must be at least 2.5 mm thick."),
    (
        "14",
        "Belt bolts",
        "The diameter of a belt bolt must be at least 10 mm or what its maker names, whichever is"
        " smaller.",
    ),
)


@pytest.fixture(scope="module")
def things():
    return LimitIndex(read_register(clauses(THINGS)))


def test_a_rule_on_another_thing_decides_nothing(things):
    rear = check(things, "rear wing width", "1200", "mm")
    assert (rear.verdict, "front" in rear.missing) == ("cannot tell", True)
    assert check(things, "front wing width", "1200", "mm").verdict == "legal"
    tank = check(things, "fuel tank wall thickness", "4", "mm")
    assert (tank.verdict, "“fuel tank”" in tank.missing) == ("cannot tell", True)
    assert check(things, "tube wall thickness", "4", "mm").verdict == "legal"
    plate = check(things, "rear wing end plate height", "250", "mm")
    assert (plate.verdict, "“front wing”" in plate.missing) == ("cannot tell", True)
    assert check(things, "front wing end plate height", "250", "mm").verdict == "legal"


def test_a_word_for_the_other_side_says_nothing_of_another_thing(things):
    assert check(things, "left mirror width", "150", "mm").verdict == "legal"


def test_a_rule_that_stands_in_two_clauses_decides(things):
    bell = check(things, "bell mass", "1.5", "kg")
    assert bell.verdict == "legal"


def test_a_gross_breach_of_the_very_rule_is_one(things):
    short = check(things, "wheelbase", "525", "mm")
    assert (short.verdict, short.articles) == ("not legal", ("7",))


def test_what_stands_by_a_thing_does_not_weigh_it(things):
    heavy = check(things, "trike mass", "300", "kg")
    assert (heavy.verdict, heavy.articles) == ("legal", ("5",))


def test_the_only_rule_on_a_power_is_named_and_decides_nothing(things):
    motor = check(things, "motor power", "85", "kW")
    assert (motor.verdict, motor.articles) == ("cannot tell", ("8",))
    assert check(things, "motor mass", "85", "kg").verdict == "no rule"
    assert check(things, "motor torque", "85", "Nm").verdict == "no rule"


def test_a_rule_on_steel_decides_nothing_of_carbon(things):
    carbon = check(things, "chain guard thickness", "4", "mm", "carbon fibre")
    assert (carbon.verdict, "“steel”" in carbon.missing) == ("cannot tell", True)
    assert check(things, "chain guard thickness", "4", "mm", "steel").verdict == "legal"


def test_of_two_amounts_of_which_one_counts_the_other_is_asked_for(things):
    bolt = check(things, "belt bolt diameter", "9.6", "mm")
    assert (bolt.verdict, "the other amount" in bolt.missing) == ("cannot tell", True)


def test_both_ends_of_one_rule_hold_together():
    said = "The sound level of the horn must be a minimum of 80 dBC and a maximum of 90 dBC."
    of_horn = LimitIndex(read_register(clauses([("9", "Horn", said)])))
    result = check(of_horn, "sound level of the horn", "120", "dBC")
    assert (result.verdict, result.limit) == ("not legal", "at least 80 dBC and at most 90 dBC")
