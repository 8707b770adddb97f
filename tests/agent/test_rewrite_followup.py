"""A follow-up that needs the question before is joined to it; others are left as they are."""

import json

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.agent.models.offline.rewrite_followup import make_standalone
from core.agent.types import Turn
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library


@pytest.mark.parametrize(
    ("before", "question", "meant"),
    [
        (
            "What is the pit lane speed limit in 2025?",
            "And in 2026?",
            "What is the pit lane speed limit in 2026?",
        ),
        (
            "What is the minimum weight?",
            "and the maximum?",
            "What is the minimum weight: the maximum?",
        ),
        ("rear wing width", "and what is the height?", "rear wing width: what is the height?"),
        (
            "What is the penalty for an unsafe release?",
            "And what is it for speeding?",
            "What is the penalty for an unsafe release: what is it for speeding?",
        ),
        (
            "What is the pit lane speed limit?",
            "And what is the limit in the race?",
            "What is the pit lane speed limit: what is the limit in the race?",
        ),
        (
            "How heavy must the gearbox be?",
            "What about the power unit?",
            "How heavy must the gearbox be: the power unit?",
        ),
        (
            "How many points is the design event worth?",
            "And how many for the presentation?",
            "How many points is the design event worth: how many for the presentation?",
        ),
        (
            "What is the fine for the first car?",
            "And what about the second car?",
            "What is the fine for the first car: the second car?",
        ),
        (
            "How far back may the wheel be?",
            "And how high may it be?",
            "How far back may the wheel be: how high may it be?",
        ),
        (
            "What is the speed limit in the pit lane?",
            "Who may amend it?",
            "What is the speed limit in the pit lane: Who may amend it?",
        ),
        ("May the fuel be cooled?", "Who decides?", "May the fuel be cooled: Who decides?"),
        (
            "May a car be pushed?",
            "What is the penalty?",
            "May a car be pushed: What is the penalty?",
        ),
    ],
)
def test_an_elliptical_follow_up_is_joined_to_the_question_before(before, question, meant):
    assert make_standalone(question, (Turn(before, ""),)) == meant


@pytest.mark.parametrize(
    ("before", "question", "meant"),
    [
        (
            "What is the pit lane speed limit?",
            "But who appoints the stewards?",
            "Who appoints the stewards?",
        ),
        (
            "What is the minimum weight of the car?",
            "And what is the speed limit in the pit lane?",
            "What is the speed limit in the pit lane?",
        ),
        (
            "What is the minimum weight of the car?",
            "And what is the wheelbase?",
            "What is the wheelbase?",
        ),
        (
            "What is the cost cap?",
            "What about the penalty for an overspend?",
            "The penalty for an overspend?",
        ),
        ("What is the cost cap?", "Who are the stewards?", "Who are the stewards?"),
        ("What is the cost cap?", "Is DRS allowed?", "Is DRS allowed?"),
        (
            "What is the cost cap?",
            "When is a car weighed if it stops on the track?",
            "When is a car weighed if it stops on the track?",
        ),
        (
            "What is the cost cap?",
            "Which engines may be used this season?",
            "Which engines may be used this season?",
        ),
    ],
)
def test_a_question_on_another_subject_leaves_the_old_one_behind(before, question, meant):
    assert make_standalone(question, (Turn(before, ""),)) == meant


def test_it_keeps_the_season_and_issue_that_were_named():
    before = (Turn("What is the pit lane speed limit in 2024 issue 1?", ""),)
    assert make_standalone("And how many engines may a driver use?", before) == (
        "How many engines may a driver use in 2024 issue 1?"
    )
    assert make_standalone("And how many engines may a driver use in 2026?", before) == (
        "How many engines may a driver use in 2026?"
    )


CUPS = (
    ("Cup Rules", "cup", 2024, 50),
    ("Cup Rules", "cup", 2023, 60),
    ("Kart Sporting Rules", "kart-sporting", 2023, 40),
    ("Kart Sporting Rules", "kart-sporting", 2022, 30),
)


@pytest.fixture(scope="module")
def two_series(tmp_path_factory):
    """Two series: one of 2023 and 2024, another of 2022 and 2023."""
    library = Library(tmp_path_factory.mktemp("series"))
    lines = [
        {
            "document": f"{title} {season}",
            "article": "21.3",
            "title": "Speed limit",
            "text": f"The speed limit in the pit lane is {speed} km/h throughout the Event.",
            "season": season,
            "issue": 1,
            "family": family,
        }
        for title, family, season, speed in CUPS
    ]
    added = list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "series.jsonl"))
    assert {addition.status for addition in added} == {"added"}
    return library


def chat(library, *questions):
    """The ends of a conversation."""
    history, ends = (), []
    for question in questions:
        ends.append(
            list(Agent(library, OfflineModel()).ask(Request(question, history=history)))[-1]
        )
        history = (*history, Turn(question, ends[-1].answer, ends[-1].citations))
    return ends


@pytest.mark.slow
def test_a_follow_up_on_another_season_keeps_the_rulebook(two_series):
    first, then = chat(two_series, "What is the pit lane speed limit in 2024?", "And in 2023?")
    assert [c.document for c in first.citations] == ["Cup Rules 2024, Issue 1"]
    assert [c.document for c in then.citations] == ["Cup Rules 2023, Issue 1"]


def test_where_the_rulebook_has_no_such_season_it_says_so_and_asks_no_other(two_series):
    _, then = chat(two_series, "What is the pit lane speed limit in 2024?", "And in 2022?")
    assert then.outcome == "not_found"
    assert not then.citations
    assert "from cup, of which the library holds 2023, 2024" in then.answer


def test_a_question_that_is_no_follow_up_is_asked_of_all_however_it_is_written(two_series):
    _, then = chat(
        two_series,
        "What is the pit lane speed limit in 2024?",
        "What is the pit lane speed limit in 2022 \n",
    )
    assert [c.document for c in then.citations] == ["Kart Sporting Rules 2022, Issue 1"]


def test_a_follow_up_may_name_another_rulebook(two_series):
    _, then, newest = chat(
        two_series,
        "What is the pit lane speed limit in 2024?",
        "And in kart in 2022?",
        "And in kart?",
    )
    assert [c.document for c in then.citations] == ["Kart Sporting Rules 2022, Issue 1"]
    assert newest.citations[0].document.startswith("Kart Sporting Rules")
