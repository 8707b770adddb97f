"""Values of a question are checked against limits of quoted clauses; what is unclear says so."""

from decimal import Decimal

import pytest

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.base import ReplyRequest
from core.agent.models.messages import build_messages
from core.agent.models.offline.model import OfflineModel
from core.grammar.quantities import find_quantities
from core.sheets import overall_verdict
from core.sheets.compliance_question import values_in_question
from core.verification.evidence import Evidence
from tests.agent.stories import PLAN, asked, checked, drafted, source
from tests.agent.test_loop import events_of
from tests.verification.drafts import verify

MASS = source(
    1,
    "4.1",
    "The mass of the car, without fuel, must not be less than 798kg at all times.",
    title="Mass",
)
USES = source(
    2,
    "F.3",
    "| Application | Tube must meet |\n|---|---|\n"
    "| a. Main Hoop | Size A |\n| b. Main Hoop Bracing | Size B |",
)
SIZES = source(
    3,
    "F.4",
    "A tube must meet all of these:\n"
    "|  | Tube | Minimum Area | Minimum Outside Diameter | Minimum Wall Thickness |\n"
    "|---|---|---|---|---|\n"
    "| a. | Size A | 173 mm² | 25.0 mm | 2.0 mm |\n| b. | Size B | 114 mm² | 25.0 mm | 1.2 mm |",
)
TYRES = source(
    4,
    "10.8",
    "b. Tyre width must lie between 345mm and 375mm when fitted to the front of the car and between"
    " 440mm and 470mm when fitted to the rear.\n"
    "c. Tyre diameter must not exceed 725mm for dry tyres or 735mm for wet tyres.",
    title="Tyre dimensions",
)
LANE = source(
    5,
    "B1.6",
    "A speed limit of 80km/h will be imposed in the pit lane. However, this limit may be amended.",
    title="",
)
WING = source(
    6,
    "3.9",
    "A bracket must be 4 mm thick. The wing must be no more than 60 mm thick.",
    title="Wing",
)


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("25.0 x 2.0 mm", [("length", "25.0"), ("length", "2.0")]),
        (
            "1,525 mm, 1,3 bar and 80km/h",
            [("length", "1525"), ("pressure", "1.3"), ("speed", "80")],
        ),
        ("1.5 m and 1 inch", [("length", "1500.0"), ("length", "25.4")]),
        ("a five (5) second penalty", [("time", "5")]),
        (
            "173 mm2, 7°, 75% and 13 sets",
            [("area", "173"), ("angle", "7"), ("share", "75"), ("sets", "13")],
        ),
        ("Article 5.2 and Article B8.2.2, 4 cars", []),
    ],
)
def test_amounts_are_read_with_their_units(text, amounts):
    assert [(q.kind, q.base) for q in find_quantities(text)] == [
        (kind, Decimal(value)) for kind, value in amounts
    ]


def test_where_a_part_is_attached_says_nothing_of_its_size():
    braces = source(
        5,
        "5.9.4",
        "The Main Hoop Braces must be attached 160 mm or less below the top of the Main Hoop.",
    )
    assert [row.verdict for row in checked("Is 24.5 mm legal for the main hoop?", braces)] == [
        "cannot tell"
    ]


INLETS = source(
    7,
    "7.2",
    "The maximum inlet diameters of an engine are:\na. Petrol engines 30.0 mm\n"
    "b. Ethanol engines 28.0 mm\nInlets are sealed.",
    title="Inlet",
)


@pytest.mark.parametrize(
    ("question", "verdicts", "whole"),
    [
        ("Is an inlet of 29 mm legal with petrol?", ["legal"], "legal"),
        ("Is an inlet of 29 mm legal with ethanol?", ["not legal"], "not legal"),
        ("Is an inlet diameter of 29 mm legal?", ["cannot tell"] * 2, "cannot tell"),
        ("Is an inlet diameter of 31 mm legal?", ["not legal", "not legal"], "not legal"),
    ],
)
def test_a_list_below_the_direction_of_its_limits_is_read_like_a_table(question, verdicts, whole):
    found = checked(question, INLETS)
    assert sorted(row.verdict for row in found) == sorted(verdicts)
    assert overall_verdict(found) == whole


@pytest.mark.parametrize(
    "question",
    [
        "What is the minimum mass?",
        "What follows from driving 80 km/h?",
        "What happens to a car 5 km/h too fast?",
        "May a driver take part in more than three races on 21 June 2025?",
        "Is an entry by 1 March in time?",
    ],
)
def test_only_a_question_for_a_verdict_is_a_check(question):
    assert not values_in_question(question)
    assert not checked(question, MASS, LANE)


@pytest.mark.parametrize(
    ("question", "verdict", "margin"),
    [
        ("May we run 805 kg?", "legal", "+7 kg"),
        ("Is a car of 797.9 kg legal?", "not legal", "−0.1 kg"),
        ("Is a car of 798 kg ok?", "legal", "±0 kg"),
        ("Is a car of 700,000 g legal?", "not legal", "−98 kg"),
    ],
)
def test_limit_yours_margin_and_verdict(question, verdict, margin):
    [row] = checked(question, MASS)
    assert (row.limit, row.verdict, row.margin) == ("at least 798 kg", verdict, margin)
    assert [(c.article, c.marker) for c in row.citations] == [("4.1", 1)]


def test_a_tube_meets_every_column_of_the_row_that_another_table_leads_to():
    found = checked("Is a 25.0 x 2.0 mm main hoop tube legal?", USES, SIZES)
    assert [(row.limit, row.yours, row.verdict) for row in found] == [
        ("at least 25.0 mm", "25.0 mm", "legal"),
        ("at least 2.0 mm", "2.0 mm", "legal"),
        ("at least 173 mm²", "145 mm²", "not legal"),
    ]
    assert "π/4 × (25.0² − 21.0²)" in found[2].note
    assert {citation.article for row in found for citation in row.citations} == {"F.3", "F.4"}
    assert overall_verdict(found) == "not legal"
    assert (
        overall_verdict(checked("Is a 25 x 2.5 mm main hoop tube legal?", USES, SIZES)) == "legal"
    )
    assert (
        overall_verdict(checked("Is a square 25 x 2.0 mm main hoop tube legal?", USES, SIZES))
        == "legal"
    )


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Is 25.0 mm outside diameter with a 2.0 mm wall legal for the main hoop?", "not legal"),
        ("Is a square tube of 25 mm with a wall of 2 mm legal for the main hoop?", "legal"),
        ("Is a main hoop tube of 25 mm or 30 mm diameter legal?", "cannot tell"),
    ],
)
def test_two_lengths_are_a_doubt_only_where_they_lead_to_one_limit(question, verdict):
    assert overall_verdict(checked(question, USES, SIZES)) == verdict


def test_a_tube_whose_use_is_open_is_computed_without_a_verdict():
    found = checked("Is 25.0 mm outside diameter with a 2.0 mm wall legal?", USES, SIZES)
    areas = [(row.limit, row.yours, row.verdict) for row in found if "mm²" in row.limit]
    assert areas == [
        ("at least 173 mm²", "145 mm²", "cannot tell"),
        ("at least 114 mm²", "145 mm²", "cannot tell"),
    ]


def test_of_two_limits_the_one_is_meant_that_says_more_of_the_question():
    inner = source(7, "11.4", "The inner stop switch must have a diameter of at least 24 mm.")
    outer = source(8, "11.3", "The outer stop switch must have a diameter of at least 40 mm.")
    for question, verdict in (
        ("Is an outer stop switch of 35 mm diameter legal?", "not legal"),
        ("Is an inner stop switch of 35 mm diameter legal?", "legal"),
        ("Is a stop switch of 35 mm diameter legal?", "cannot tell"),
    ):
        assert overall_verdict(checked(question, inner, outer)) == verdict


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        (
            "Is a battery of 500 V legal?",
            "Each battery segment must have a maximum voltage of 120 V.",
        ),
        ("Is 24.5 mm legal for the hoop?", "The hoop braces must be 160 mm or less below the top."),
        (
            "A wall of 2.5 mm?",
            "The wall must be at least 1.2 mm thick if made from steel or 3 mm if from aluminium.",
        ),
        ("Is 799 kg with fuel legal?", "The mass of the car without fuel must be at least 798 kg."),
        ("Is a height of 900 mm legal?", "A distance of at least 1000 mm must be kept."),
    ],
)
def test_a_limit_on_a_part_or_another_case_decides_nothing(question, rule):
    limit = source(1, "1.1", rule, nearness=0.9)
    assert overall_verdict(checked(question, limit)) == "cannot tell"


def test_a_tube_without_a_use_has_no_verdict():
    found = checked("Is a 25.0 x 2.0 mm tube legal?", USES, SIZES)
    subjects = {row.subject.split(":")[0] for row in found}
    assert subjects == {"Main Hoop, Tube Size A", "Main Hoop Bracing, Tube Size B"}
    assert overall_verdict(found) == "cannot tell"


@pytest.mark.parametrize(
    ("question", "verdicts", "whole"),
    [
        ("Is a tyre 360 mm wide legal?", ["cannot tell"] * 2, "cannot tell"),
        ("Is a wet tyre of 730 mm diameter legal?", ["legal"], "legal"),
        ("Is a 360 mm tyre legal?", ["cannot tell"] * 4, "cannot tell"),
    ],
)
def test_where_several_limits_may_be_meant_all_are_shown_and_none_decides(
    question, verdicts, whole
):
    found = checked(question, TYRES)
    assert sorted(row.verdict for row in found) == sorted(verdicts)
    assert overall_verdict(found) == whole


def test_a_plain_size_says_nothing_of_another():
    bracket = source(1, "1", "A bracket must be 4 mm thick.")
    for size, verdict in (("4 mm", "legal"), ("5 mm", "cannot tell")):
        [row] = checked(f"Is a bracket {size} thick ok?", bracket)
        assert (row.limit, row.verdict) == ("4 mm", verdict)


def test_a_condition_of_the_rule_is_noted_beside_the_verdict():
    [row] = checked("Is 85 km/h in the pit lane legal?", LANE)
    assert (row.verdict, row.note) == ("not legal", "“However, this limit may be amended.”")


def test_limits_for_different_cases_of_one_clause_are_alternatives():
    sets = source(
        7,
        "16.2",
        "a) At most 12 sets of dry tyres may be used at an Event where a prelude is scheduled.\n"
        "b) At most 13 sets of dry tyres may be used at an Event where no prelude is scheduled.",
        title="Sets of dry tyres",
    )
    found = checked("May we use 13 sets of dry tyres at an Event?", sets)
    assert [(row.limit, row.margin, row.verdict) for row in found] == [
        ("at most 12 sets", "−1 sets", "cannot tell"),
        ("at most 13 sets", "±0 sets", "cannot tell"),
    ]
    assert overall_verdict(found) == "cannot tell"
    assert (
        overall_verdict(checked("May we use 14 sets of dry tyres at an Event?", sets))
        == "not legal"
    )


def test_offline_all_cases_are_quoted(library):
    longer = "The tyres of an Event are marked and allocated by the Council before it begins. " * 12
    sets = source(
        7,
        "16.2",
        f"{longer}\n"
        "a) At most 12 sets of dry tyres may be used at an Event where a prelude is scheduled.\n"
        "b) At most 13 sets of dry tyres may be used at an Event where no prelude is scheduled.\n"
        "c) Used sets stay.",
        title="Sets of dry tyres",
    )
    (quote,) = drafted("May we use 13 sets of dry tyres at an Event?", sets).citations
    assert quote.quote.startswith("a) At most 12")
    assert quote.quote.endswith("no prelude is scheduled.")


def test_a_value_without_a_limit_keeps_the_whole_from_being_legal():
    found = checked("Is a car of 805 kg at 1.3 bar legal?", MASS)
    assert [(row.yours, row.verdict) for row in found] == [
        ("805 kg", "legal"),
        ("1.3 bar", "cannot tell"),
    ]
    assert overall_verdict(found) == "cannot tell"


def test_without_a_quoted_limit_there_is_no_verdict():
    [row] = checked("Is a tyre pressure of 1.3 bar ok?", TYRES)
    assert (row.yours, row.verdict, row.citations) == ("1.3 bar", "cannot tell", ())


@pytest.mark.parametrize(
    ("draft", "passes"),
    [
        ("Not legal. It is 25 mm short.", [True]),
        ("No: the car is too light.", [True]),
        ("Yes, this is legal.", [False]),
        ("The car complies.", [False]),
        ("The clause speaks of the mass.", []),
    ],
)
def test_a_verdict_against_the_check_fails(draft, passes):
    found = checked("Is a car of 797 kg legal?", MASS)
    checks = verify(draft, (), Evidence([MASS]), "Is a car of 797 kg legal?", found)
    assert [check.passed for check in checks if check.kind == "verdict"] == passes


def test_a_margin_counts_as_computed():
    found = checked("Is a car of 797 kg legal?", MASS)
    checks = verify("It is 1 kg short.", (), Evidence([MASS]), "Is a car of 797 kg legal?", found)
    assert [check.message for check in checks] == ["1 kg: computed."]


def first_prompt(question, rule):
    """What the model that answers is asked first."""
    request = ReplyRequest(
        asked=asked(question, rule),
        intent="SEARCH",
        plan=PLAN,
        iteration=1,
        max_iterations=3,
        evidence=(rule,),
        requirements=checked(question, rule),
    )
    return build_messages(request, server_citations=False)[0]["content"][0]["text"]


def test_the_model_that_answers_sees_the_checked_values():
    prompt = first_prompt("Is a car of 797 kg legal?", MASS)
    assert "| at least 798 kg | 797 kg | −1 kg | not legal |" in prompt
    assert "| Limit |" not in first_prompt("Is a tyre pressure of 1.3 bar ok?", TYRES)


def test_offline_a_value_is_answered_as_a_check(library):
    ended = list(Agent(library, OfflineModel()).ask(Request("Is 55 km/h in the pit lane legal?")))[
        -1
    ]
    [row] = ended.requirements
    assert (ended.outcome, row.limit, row.verdict, row.margin) == (
        "answered",
        "at most 50 km/h",
        "not legal",
        "−5 km/h",
    )
    assert row.citations[0] in ended.citations or row.citations[0].clause_id in {
        c.clause_id for c in ended.citations
    }


def test_the_check_is_in_the_events_and_comes_back_the_same(library):
    events = list(
        Agent(library, OfflineModel()).ask(Request("May we drive 50 km/h in the pit lane?"))
    )
    assert events_of(events, ev.Verified)[-1].requirements == events[-1].requirements != ()
    assert [ev.from_json(event.model_dump_json()) for event in events] == events
