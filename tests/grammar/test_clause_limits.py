"""The limits of clauses: every number becomes a limit, or has a reason why it is none."""

import pytest

from core.grammar import amount_kinds_in, collect_limits, read_passages
from core.grammar.quantities import UNITS
from core.registers.register import read_register
from tests.registers.trike import clauses


def read_limits(text, heading="", own_numbers=None):
    """Return the limits of a text, and its numbers that are none."""
    return collect_limits(read_passages(text, own_numbers=own_numbers), heading)


def limits(text, heading=""):
    """Return the limits of a text as (relation, value, upper, unit)."""
    found, _ = read_limits(text, heading)
    numbers = ((one.relation, one.value, one.upper, one.unit) for one in found)
    return [(relation, *(n and float(n) for n in (v, u)), unit) for relation, v, u, unit in numbers]


def proved_limits(text):
    """The limits of a text whose direction is proved, which alone may yield a verdict."""
    return [one for one in read_limits(text)[0] if one.proved]


@pytest.mark.parametrize(
    ("text", "relation", "value", "unit"),
    [
        ("It must have a minimum wheelbase of 1525 mm.", "at least", 1525, "mm"),
        ("It must be no less than 75% of the other.", "at least", 75, "%"),
        ("Its lowest point should be 75 mm or less.", "at most", 75, "mm"),
        ("The static voltage must be less than 120 V DC.", "less than", 120, "V DC"),
        ("The voltage must not exceed 120 V DC.", "at most", 120, "V DC"),
        ("Play is limited to seven degrees (7°) in total.", "at most", 7, "degrees"),
        ("Wheels must be 203.2 mm (8.0 inches) or more in diameter.", "at least", 203.2, "mm"),
        ("It must be more than 350 mm from the ground.", "more than", 350, "mm"),
        ("The lamp must be no lower than 150 mm below the top.", "at most", 150, "mm"),
        ("No wing may extend further rearward than 250 mm.", "at most", 250, "mm"),
        ("Papers must come no later than 14 days before the event.", "at least", 14, "days"),
        ("A protest must be filed within 30 minutes.", "at most", 30, "minutes"),
        ("The course length will be 75 m.", "equal", 75, "m"),
        ("Each team may attempt up to four runs.", "at most", 4, ""),
        ("It must have two independent hydraulic circuits.", "equal", 2, ""),
        ("Exceptions must be reported at least seven (7) days before.", "at least", 7, "days"),
        ("A team shall pay a fine of $15.00.", "equal", 15, "$"),
        ("A withstand force of 2000 N is the minimum.", "at least", 2000, "N"),
        ("600 V DC is the maximum permitted voltage between them.", "at most", 600, "V DC"),
        ("The mount must withstand a rearward force of 890 N.", "at least", 890, "N"),
        ("It shall be designed to carry a load of 30 kN.", "at least", 30, "kN"),
        ("Each driver must carry ballast of 5 kg.", "equal", 5, "kg"),
        ("It shall report no later than 30 days after the year's end.", "at most", 30, "days"),
        ("The camping fee amounts to 70€/person.", "equal", 70, "€"),
        ("Reports must come within Thirty Days.", "at most", 30, "Days"),
        ("Parts, no matter if large, must resist below 300 mOhm.", "less than", 300, "mOhm"),
        ("Costs shall not exceed two point five per cent.", "at most", 2.5, "per cent"),
        ("At least half of them must be of steel.", "at least", 50, "percent"),
        ("Slots must be at least a quarter of an inch wide.", "at least", 0.25, "inch"),
        ("Pauses must take no more than one half hour.", "at most", 0.5, "hour"),
        ("The gap must exceed three quarters of the width.", "more than", 75, "percent"),
        ("Its slope must not be steeper than or equal to 12°.", "less than", 12, "°"),
        ("The gap must never be equal to or smaller than 3 mm.", "more than", 3, "mm"),
        ("No trailer may have a mass heavier than or equal to 90 kg.", "less than", 90, "kg"),
        ("A pedal must not travel 40 mm or more.", "less than", 40, "mm"),
        ("The gap must be no less than 5 mm or more.", "at least", 5, "mm"),
        ("All teams must bring a mat with an area above 4 m².", "more than", 4, "m²"),
        ("The chains must be at least class 80.", "at least", 80, ""),
        ("The steel must be of grade 4.6 or better.", "at least", 4.6, ""),
        ("He may cross the line no more than twice.", "at most", 2, ""),
        ("The session will go on for ten 10 minutes.", "equal", 10, "minutes"),
        ("A sticker of at least 750 mm² must be applied.", "at least", 750, "mm²"),
        ("A system of three buttons must be installed.", "equal", 3, ""),
        ("25 points are awarded to every team that arrives.", "equal", 25, "points"),
        ("At least one member has to stay with the cell(s) / car.", "at least", 1, ""),
        ("At no time may this be less than 80kg.", "at least", 80, "kg"),
        ("Two second penalty for each cone.", "equal", 2, "second"),
        ("The maximum voltage that may occur between any two points is 60 V.", "at most", 60, "V"),
        (
            "Walls must be built so that no single cell stack holds more than 5 MJ.",
            "at most",
            5,
            "MJ",
        ),
        ("Sound exceeding 110 dBC is prohibited.", "at most", 110, "dBC"),
        ("It must be capable of speeds exceeding 30 km/h.", "more than", 30, "km/h"),
        ("The cells must stay below 60 ◦C.", "less than", 60, "°C"),
        ("The trike must have 3\n◦ wheels", "equal", 3, ""),
        ("It must have an area of at least 90 sq. mm (0.140 sq in).", "at least", 90, "sq. mm"),
        ("It must not use more than 0.30l/100km of oil.", "at most", 0.3, "l/100km"),
        ("It must reach 15 miles per hour or more.", "at least", 15, "miles per hour"),
        ("Notice must be given five (5) working days before.", "equal", 5, "working days"),
        ("Only twelve members are permitted on the wall.", "at most", 12, ""),
        ("A load of 150 lbs (minimum) is applied.", "at least", 150, "lbs"),
        ("Each lug must measure 25 mm (1.0 in) minimum across it.", "at least", 25, "mm"),
        ("The energy absorbed must meet or exceed 7350 Joules.", "at least", 7350, "Joules"),
        ("It may steer if stops limit it to a maximum of 6°.", "at most", 6, "°"),
        ("Drivers must have raced in June or have run a minimum of 5 km.", "at least", 5, "km"),
        ("It may only run within a period of 14 days.", "at most", 14, "days"),
        ("The start must be no less than thirty-six\n(36) hours later.", "at least", 36, "hours"),
        ("It should not go into the cell more than 50 mm deep.", "at most", 50, "mm"),
        ("The corners must have radii of no more than R15mm.", "at most", 15, "mm"),
        ("A lead rated for 1000 V CAT III or better must be worn.", "at least", 1000, "V"),
        ("Signs (e.g. lamps) must be lit for 3 s.", "equal", 3, "s"),
        ("If it is not welded, a minimum of four bolts must hold it.", "at least", 4, ""),
        ("No person under the age of 18 years may drive.", "at least", 18, "years"),
        ("A witness must be of or above the age of 18 years.", "at least", 18, "years"),
        ("Unless told otherwise, the maximum gap between two cones is 5 m.", "at most", 5, "m"),
        (
            "Racing is banned, but not loading (the maximum speed is 30 km/h).",
            "at most",
            30,
            "km/h",
        ),
        ("To see its wall, 4.5 mm (0.18 inch) holes must be drilled.", "equal", 4.5, "mm"),
        ("A document must not exceed 5MB.", "at most", 5, "MB"),
        ("Each team has four runs.", "equal", 4, ""),
        ("The arbiter shall give two extra minutes.", "equal", 2, "minutes"),
        ("A wheelbase in excess of 3000 mm is not acceptable.", "at most", 3000, "mm"),
        ("A pressure of 5 bar or more is unacceptable.", "less than", 5, "bar"),
        ("The trike must not be without at least two lamps.", "at least", 2, ""),
        ("Not less then 30 mm must be left between them.", "at least", 30, "mm"),
        ("Up to five points will be deducted.", "at most", 5, "points"),
        ("No more than 20 trikes will be admitted.", "at most", 20, ""),
        ("It must have no side that exceeds 60 mm.", "at most", 60, "mm"),
    ],
)
def test_a_sentence_sets_a_limit(text, relation, value, unit):
    assert limits(text) == [(relation, value, None, unit)]


@pytest.mark.parametrize(
    ("text", "lower", "upper", "unit"),
    [
        ("It must flash between 2 Hz and 5 Hz.", 2, 5, "Hz"),
        (
            "Its angle must be between forty degrees (40°) and sixty degrees (60°).",
            40,
            60,
            "degrees",
        ),
        ("It must last between five (5) and ten (10) seconds.", 5, 10, "seconds"),
        ("It must be between 203.2 mm (8.0 in) and 300 mm (11.8 in) long.", 203.2, 300, "mm"),
        ("Lines shall be between 3.0-3.5 inches thick.", 3, 3.5, "inches"),
        ("The bore must be 80mm (+/- 0.1mm).", 79.9, 80.1, "mm"),
        ("The axis must be between X_R= -60 and X_R=60.", -60, 60, "mm"),
        ("The helmet must be between X_C= -50 and X_C= -125.", -125, -50, "mm"),
        ("It must not charge when the speed is between 0 and 5 km/h.", 0, 5, "km/h"),
    ],
)
def test_a_range_is_one_limit(text, lower, upper, unit):
    assert limits(text) == [("between", lower, upper, unit)]


@pytest.mark.parametrize(
    "text",
    [
        "If the voltage exceeds 60 V, the lamp must be red.",
        "The judges will stop any presentation exceeding ten minutes.",
        "Any part that is less than 350 mm above the ground must be shielded.",
        "A lap is defined as 400 m on the track.",
        "The speed is rounded to the nearest 500 rpm.",
        "It must not roll, corresponding to 17 m/s².",
        "Tubes, e.g. 25 mm, must be round.",
        "Example:\nIf it is 5 kg heavier, 5 kg minus 3 kg equals 20 points.",
        "The score is 95.5 * ( T / 2 ).",
        "The tubes must be made of ISO 4762 steel.",
        "It must use a four bar linkage.",
        "All four wheels must lock.",
        "Forms must come on 15 December.",
        "The studs must lie at [480, ±100, 15].",
        "There were 40 teams.",
        "In the event that fewer than 21 races are held, it shall be shorter.",
        "Should the number of judges fall below six, others must be elected.",
        "Hill 2 is where pushing shall begin.",
        "Lanes 1 and 2 shall have a common edge.",
        "Use a 3-point-bend test.",
        "This 15 m distance shall be measured to the nose.",
        "The frame may be made from more than one piece.",
        "(The plate weighs approximately 40 kg.)",
        "A day shall be considered to be 9 hours.",
        "Spares are not limited to 3 sets.",
        "The load is not restricted to 80 kg.",
        "The steel must be of grade 4.6.",
        "It must be no shorter than its mate and made of class 4.6 steel.",
        "Nobody may touch any wires with a voltage above 60 V.",
        "The bottom 200 mm circle will be placed on the seat.",
        "No engine may run between the hours of 2000 to 0800.",
        "The pit lane opens between 2000 and 0800 hours.",
        "The offices are open from 0700 hours to 1900 hours.",
        "Formula 2 Trikes must comply.",
        "0 V to 50 V 1.6 mm 1.6 mm 1.0 mm",
    ],
)
def test_a_number_that_is_no_limit_is_none_that_is_proved(text):
    assert proved_limits(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The gap need not be more than 5 mm.",
        "It does not have to be at least 5 mm wide.",
        "Nobody may be within 2 m of the track.",
        "Bends up to 5 mm are not permitted.",
        "Gaps up to 3 mm will be rejected.",
        "A gap of less than 5 mm leads to disqualification.",
        "There is no minimum thickness of 5 mm.",
        "Not all tubes must be at least 2 mm thick.",
        "The limit of 5 mm does not apply.",
        "Its mass is no longer limited to 300 kg.",
    ],
)
def test_a_limit_whose_direction_is_not_known_is_not_proved(text):
    assert proved_limits(text) == []


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("No driver may fail to stop within 30 m.", "at most"),
        ("The camber must not exceed (be more negative than) -2.5 degrees.", "at least"),
        ("Changes are allowed up to 36 hours prior to the start.", "at least"),
        ("Entries may be changed no later than 2 hours before the start.", "at least"),
        ("It must not be opened until 10 minutes before the start.", "at most"),
        ("Entry is open only if attendance is not less than 75 %.", "at least"),
    ],
)
def test_a_direction_is_a_product_of_comparison_negation_and_side(text, relation):
    assert [one.relation for one in proved_limits(text)] == [relation]


def test_a_grade_stands_between_a_size_and_its_minimum():
    first, *_ = limits("Bolts must be 10 mm Grade 9.8 (3/8 in. Grade 8) minimum.")
    assert first == ("at least", 10, None, "mm")


def test_a_negation_in_the_lead_in_turns_the_direction():
    text = "No gear pair may be:\na. Less than 12 mm wide.\nb. Less than 600 g in mass."
    assert limits(text) == [("at least", 12, None, "mm"), ("at least", 600, None, "g")]


def test_a_lead_in_and_a_title_give_the_direction_of_what_is_listed():
    text = "The maximum diameters are:\na. Petrol 20.0 mm\nb. Ethanol 19.0 mm"
    assert limits(text) == [("at most", 20, None, "mm"), ("at most", 19, None, "mm")]
    assert limits("a. At idle 103 dBC", "Maximum Sound Level") == [("at most", 103, None, "dBC")]


def test_an_alternative_goes_on_from_the_limit_before_it():
    text = "Diameter must not exceed 725mm when for dry tyres or 735mm for wet tyres."
    assert limits(text) == [("at most", 725, None, "mm"), ("at most", 735, None, "mm")]


def test_the_numbers_of_a_list_share_a_direction():
    elements = "Steel must have a maximum content of 0.3 % carbon, 1.7 % iron and 0.6 % lead."
    assert limits(elements) == [("at most", share, None, "%") for share in (0.3, 1.7, 0.6)]
    sides = "It must be at least 100 mm (3.9 in) high and 200 mm wide."
    assert limits(sides) == [("at least", side, None, "mm") for side in (100, 200)]


def test_coordinates_on_two_axes_are_no_range():
    assert limits("Its axis must be at X_C= -975 and Z=660.") == [
        ("equal", -975, None, "mm"),
        ("equal", 660, None, "mm"),
    ]


def test_what_a_permission_is_tied_to_is_a_limit():
    text = (
        "Walls need not be covered, provided their area does not exceed\n"
        "a) 10% of the ceiling, or\nb) 25% of the floor."
    )
    assert limits(text) == [("at most", 10, None, "%"), ("at most", 25, None, "%")]


def test_what_belongs_to_things_that_must_be_there_is_a_limit():
    text = "Two lamps with cables of 4 mm must be attached."
    assert limits(text) == [("equal", 2, None, ""), ("equal", 4, None, "mm")]


def test_a_limit_of_the_lead_in_gives_no_direction_to_other_numbers():
    text = "A team may have no more than two cars, except when:\na. Five parts are broken."
    assert limits(text)[0] == ("at most", 2, None, "")
    assert [one.value for one in proved_limits(text)] == [2]


def test_a_place_that_must_be_where_is_a_limit():
    text = "The pad must be mounted where:\na. It is no more than 25 mm away."
    assert limits(text) == [("at most", 25, None, "mm")]


def test_a_penalty_has_a_sign_and_its_limit_too():
    penalties = (
        "Penalties:\nA late report: -10 (ten) points for each day, up to a maximum of -50 points.\n"
        "A missing number: up to -2 points"
    )
    assert limits(penalties) == [
        ("equal", -10, None, "points"),
        ("at most", -50, None, "points"),
        ("at most", -2, None, "points"),
    ]
    assert limits("The penalty is −50 points.") == [("equal", -50, None, "points")]


def test_alternatives_share_what_is_printed_once():
    plates = "A 1.5 mm (0.060 in) solid steel or 4.0 mm solid aluminum plate must be fitted."
    found, _ = read_limits(plates)
    assert [one.subject for one in found] == [
        "A … solid steel plate must be fitted",
        "A … solid aluminum plate must be fitted",
    ]
    found, _ = read_limits("Walls must be at least 2 mm if welded or 3 mm if bolted.")
    assert [one.condition for one in found] == ["if welded", "if bolted"]


def test_other_units_in_brackets_are_the_same_limits():
    space = "A space 75 mm tall x 150 mm wide (3” tall x 6” wide) must be free."
    assert limits(space) == [("equal", 75, None, "mm"), ("equal", 150, None, "mm")]


def test_a_unit_before_a_number_is_no_articles_letter():
    assert limits("The gap of 50 V 1.6 mm must be kept.")[-1] == ("equal", 1.6, None, "mm")
    found, _ = read_limits("A 4 mm jack must be fitted.", own_numbers=lambda text: text == "A 4")
    assert [str(one.value) for one in found] == ["4"]


def test_a_dash_leads_to_a_list():
    text = "Notice shall be given either—\n(a) on three Sundays; or\n(b) for 14 days."
    assert limits(text) == [("equal", 3, None, ""), ("equal", 14, None, "days")]


def test_the_line_above_a_table_without_heads_says_what_its_amounts_are():
    text = "Item Minimum wall thickness\n| Main hoop | 2.0 mm |\n|---|---|\n| Brace | 1.2 mm |"
    found, _ = read_limits(text)
    assert all("wall thickness" in one.lead for one in found)


def test_each_side_of_a_thing_is_a_limit():
    assert limits("The panel must measure 275 mm×500 mm.") == [
        ("equal", 275, None, "mm"),
        ("equal", 500, None, "mm"),
    ]


def test_a_line_that_ends_with_a_colon_leads_the_next_one():
    text = "Tests are limited to the following:\na. “Open Test”:\nOne test of five days in May."
    days = read_limits(text)[0][-1]
    assert "limited to" in days.lead


def test_amounts_in_the_first_row_of_a_table_are_no_headings():
    text = "Tubes must be:\n| Hoop | 2.0 mm |\n|---|---|\n| Side | 1.2 mm |"
    assert [value for _, value, _, _ in limits(text)] == [2, 1.2]


def test_alike_amounts_below_are_no_reason_to_take_the_first_row_for_headings():
    text = (
        "They must keep:\n| U < 100 V DC | 10 mm |\n|---|---|\n| 100 V DC < U < 200 V DC | 20 mm |"
    )
    assert [value for _, value, _, _ in limits(text)] == [10, 20]


def test_numbers_of_articles_in_a_list_are_no_limits():
    own = {"44.2", "57", "8"}.__contains__
    for text in (
        "44.2 and 57, it must be 5 m.",
        "It must be 5 m, see 8.",
        "It must be 5 m (Rule\n57).",
    ):
        found, _ = read_limits(text, own_numbers=own)
        assert [one.value for one in found] == [5]


def test_a_table_has_directions_in_its_heads_and_units_in_a_column():
    text = (
        "| Property | Units | Min | Max | Method |\n|---|---|---|---|---|\n"
        "| Lead | mg/l |  | 5 | ASTM D 3237 |\n| Vapour pressure | kPa | 45 | 68 | EN 13016 |"
    )
    assert limits(text) == [
        ("at most", 5, None, "mg/l"),
        ("at least", 45, None, "kPa"),
        ("at most", 68, None, "kPa"),
    ]


def test_a_head_proves_no_cell_that_goes_another_way():
    rows = "| Part | Maximum length |\n|---|---|\n| Pin | not at least 5 mm |\n| Bar | < 7 mm |"
    assert [one.relation for one in proved_limits(rows)] == ["less than"]


def test_the_caption_of_a_table_gives_its_direction():
    rows = "| Hoop | 2.0 mm |\n|---|---|\n| Side | 1.2 mm |\n"
    at_least = [("at least", 2, None, "mm"), ("at least", 1.2, None, "mm")]
    assert limits(f"Sizes are as follows.\n{rows}Table 4: Minimum wall thickness") == at_least


def test_the_entries_of_a_list_of_conditions_are_no_limits():
    text = "It must open the circuit when a hard brake occurs, whilst\n• power is more than 5 kW."
    assert proved_limits(text) == []


def test_the_example_column_of_a_table_sets_no_limit():
    text = (
        "A tube must meet:\n| Tube | Minimum Wall | Example Sizes |\n|---|---|---|\n"
        "| Size A | 2.0 mm | 25 x 2.5 mm |"
    )
    assert limits(text) == [("at least", 2, None, "mm")]


def test_a_band_of_a_table_is_the_condition_of_its_row():
    found, _ = read_limits(
        "Sized as follows:\n| Voltage | Resistor |\n|---|---|\n| 200 V < U <= 400 V | 10 kOhm |"
    )
    [limit] = found
    assert (limit.relation, limit.unit) == ("equal", "kOhm")
    assert limit.condition == "Voltage 200 V < U <= 400 V"


def test_modality_and_condition_are_kept():
    [limit] = read_limits("If a mirror is used, it should be 50 mm or more.")[0]
    assert (limit.modality, limit.condition) == ("should", "If a mirror is used")


def test_the_register_accounts_for_every_clause_with_a_number():
    register = read_register(clauses())
    with_numbers = {one.article for one in clauses() if any(map(str.isdigit, one.text))}
    accounted = {one.article for one in (*register.limits, *register.unread)}
    assert with_numbers <= accounted
    assert "limits in force" in register.summary


def test_numbers_of_own_articles_are_no_limits():
    register = read_register(clauses())
    assert [str(limit) for limit in register.limits if limit.article == "4"] == ["2"]


@pytest.mark.parametrize(
    ("written", "symbol"),
    [("feet", "ft"), ("kilometres", "km"), ("miles per hour", "mph"), ("V DC", "V DC")],
)
def test_a_unit_in_words_has_a_symbol_unless_it_says_how_it_is_measured(written, symbol):
    assert UNITS.symbol_of(written) == symbol


def test_a_limit_is_headed_by_the_nearest_title():
    headings = {limit.heading for limit in read_register(clauses()).limits}
    assert headings
    assert all(part.strip() for one in headings for part in one.split(" / "))


@pytest.mark.parametrize(
    ("text", "are_ends"),
    [
        ("It must be no less than 20 kg and must not exceed 25 kg.", True),
        ("It must be at least 20 mm and no more than 50 mm.", True),
        ("It must be at least 20 mm wide and not taller than 50 mm.", False),
    ],
)
def test_a_minimum_knows_the_maximum_of_the_same_thing(text, are_ends):
    (lower, upper), _ = read_limits(text)
    ends = (lower.other_end, upper.other_end)
    assert ends == ((upper.value, lower.value) if are_ends else (None, None))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("A pit lane of 12 m, and 53 laps.", {"length", "laps"}),
        (
            "| Lane | Speed (km/h) | Air [°C] |\n|---|---|---|\n| A | 1 000 | ≥ 5 |",
            {"speed", "temperature"},
        ),
        ("| Track | Laps |\n|---|---|\n| Hills | 53 |", {"laps"}),
        ("The number of sets of tyres is:\n| Tyres | Race |\n|---|---|\n| Dry | 13 |", {"sets"}),
        ("Wings are painted in a wide band:\n| Wing | Colours |\n|---|---|\n| 1 | 2 |", set()),
        ("The second driver:\n| 1 | Red |\n| 2 | Blue |", set()),
    ],
)
def test_a_bare_number_in_a_table_is_of_the_unit_that_its_head_or_the_line_before_it_says(
    text, kinds
):
    assert amount_kinds_in(text) == kinds


def test_a_number_of_a_rule_that_is_printed_apart_limits_nothing():
    limits, [omitted] = collect_limits(read_passages("3.2"))
    assert (limits, omitted.reason) == ((), "no duty")
