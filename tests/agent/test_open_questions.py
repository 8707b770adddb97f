"""A term gets its definition, an open question is asked back, and what is nowhere is named.

Each story asks two small rulebooks of its own, without a model: Punt Rules and Sled Rules.
"""

import json

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.answers import view_answer
from core.answers.answer_text import describe_headline, describe_outcome
from core.language import ENGLISH
from core.library import ScopeChoice
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library

PUNT = (
    ("1.1", "Terms", "“Punt”: a boat with a flat bottom.\n“Quant”: the pole that moves it."),
    ("1.2", "Terms of racing", "A race between two punts on one course (a “Bump”) has no umpire."),
    ("2.1", "Pole", "The length of the pole must not exceed 5 m."),
    ("2.2", "Hull", "The hull must be at most 7 m in length."),
    ("2.4", "Deck", "The width of the deck must be at least 0.9 m."),
    ("2.3", "Towing", "A punt may be towed on the slipway."),
    ("3.1", "Crew", "A crew needs 3 life jackets. The crew must weigh no more than 300 kg."),
    ("3.2", "Slipway", "The slipway is closed at night. Nobody stands on the slipway in a race."),
)
SLED = (
    (
        "1.1",
        "Definitions",
        "“Slipway”: the ramp on which a sled begins.\n“Runner”: its steel rail.",
    ),
    ("2.1", "Runners", "The crew must weigh no more than 400 kg. A runner is made of steel."),
    ("2.2", "Brakes", "A sled has a brake that its last crew member pulls behind the finish."),
)


@pytest.fixture(scope="module")
def clubs(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("clubs"))
    for name, rules in (("Punt", PUNT), ("Sled", SLED)):
        lines = (
            {"document": f"{name} Rules", "season": 2025, "family": name.lower()}
            | {"article": article, "title": title, "text": text}
            for article, title, text in rules
        )
        list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"{name}.jsonl"))
    return library


@pytest.fixture(scope="module")
def punt(clubs):
    return ScopeChoice(family="punt")


def ask(library, question, choice):
    events = list(Agent(library, OfflineModel()).ask(Request(question, choice)))
    return events, events[-1]


@pytest.mark.parametrize("question", ["What is a quant?", "Quants - meaning?", "define “Quant”"])
def test_a_definition_comes_first_and_says_that_it_is_one(clubs, punt, question):
    events, ended = ask(clubs, question, punt)
    assert (ended.outcome, ended.definition.lower().rstrip("s")) == ("answered", "quant")
    assert ended.citations[0].quote == "“Quant”: the pole that moves it."
    headline = view_answer(events, ended).headline
    assert describe_headline(ENGLISH, headline).startswith("Definition: “Quant”")


def test_a_term_that_is_named_in_passing_is_defined_there(clubs, punt):
    _, ended = ask(clubs, "What is meant by a bump?", punt)
    assert (ended.outcome, ended.citations[0].article) == ("answered", "1.2")


def test_a_term_that_only_another_rulebook_defines_is_offered_there(clubs, punt):
    events, ended = ask(clubs, "What is a slipway?", punt)
    assert (ended.outcome, ended.undefined) == ("found", "slipway")
    said = describe_outcome(ENGLISH, events, ended)
    assert "“slipway” is defined nowhere in 2025 Punt Rules" in said
    assert [(one.question, one.document) for one in ended.choices] == [
        ("What is a slipway?", "2025 Sled Rules")
    ]
    _, there = ask(clubs, "What is a slipway?", ScopeChoice(document=ended.choices[0].document_id))
    assert there.definition == "slipway"


@pytest.mark.parametrize("question", ["What is the maximum length?", "maximum length"])
def test_an_amount_of_nothing_is_asked_back(clubs, punt, question):
    events, ended = ask(clubs, question, punt)
    assert ended.outcome == "clarification_needed"
    plain = question.rstrip("?")
    assert {one.question for one in ended.choices} == {f"{plain} (Pole)?", f"{plain} (Hull)?"}
    assert "Which do you mean?" in describe_outcome(ENGLISH, events, ended)
    _, pole = ask(clubs, f"{plain} (Pole)?", punt)
    assert pole.citations[0].article == "2.1"


def test_a_value_alone_is_asked_of_the_limits_of_its_unit(clubs, punt):
    _, ended = ask(clubs, "Is 310 kg ok?", punt)
    assert [one.article for one in ended.citations] == ["3.1"]


def test_a_minimum_is_no_answer_to_a_question_for_a_maximum(clubs, punt):
    events, ended = ask(clubs, "What is the maximum width of the deck?", punt)
    assert ended.outcome != "answered"
    headline = view_answer(events, ended).headline
    assert headline is None or not headline.values


def test_two_rulebooks_that_differ_are_asked_back(clubs):
    _, ended = ask(clubs, "How heavy may the crew be?", ScopeChoice())
    assert ended.outcome == "clarification_needed"
    assert {one.document for one in ended.choices} == {"2025 Punt Rules", "2025 Sled Rules"}
    _, named = ask(clubs, "How heavy may the crew be in the Sled Rules?", ScopeChoice())
    assert named.outcome in ("answered", "found")
    assert {one.document for one in named.citations} == {"2025 Sled Rules"}


@pytest.mark.slow
def test_issues_of_a_season_that_differ_are_asked_back(tmp_path):
    library = Library(tmp_path)
    for issue, limit in ((1, 300), (2, 320)):
        rule = {"article": "1", "title": "Crew", "text": f"The crew must weigh at most {limit} kg."}
        about = {"document": "Raft Rules", "season": 2025, "issue": issue, "family": "raft"}
        list(add_bytes(library, json.dumps(about | rule).encode(), f"raft{issue}.jsonl"))
    both = ScopeChoice(documents=tuple(one.document_id for one in library.documents()))
    _, ended = ask(library, "How heavy may the crew be?", both)
    assert (ended.outcome, len(ended.choices)) == ("clarification_needed", 2)
    _, named = ask(library, "How heavy may the crew be in Issue 1?", both)
    assert named.outcome in ("answered", "found")
    _, newest = ask(library, "How heavy may the crew be?", ScopeChoice())
    assert newest.outcome in ("answered", "found"), "the newest issue alone"


def test_a_series_that_nobody_knows_gets_no_rule_of_another(clubs, punt):
    for choice in (punt, ScopeChoice()):
        _, ended = ask(clubs, "How many life jackets in the Zephyr Cup?", choice)
        assert (ended.outcome, ended.citations) == ("not_found", ())
        assert "No rulebook in scope is of Zephyr Cup" in ended.answer


def test_no_iteration_repeats_a_search(clubs, punt):
    _, ended = ask(clubs, "Who repairs a punt on the slipway?", punt)
    assert (ended.outcome, ended.iterations) == ("found", 1)
