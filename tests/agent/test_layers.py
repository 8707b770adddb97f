"""Rules in layers: what overrides a rule is told before it, and no rule is law against it."""

import pytest

from core.agent import Agent, Ended, Request
from core.agent.endings import DAY_MESSAGE
from core.agent.models.offline.model import OfflineModel
from core.answers import view_answer, write_answer
from core.language import ENGLISH
from core.library import ScopeChoice
from core.library.storage.library import Library
from core.library.types import Relation
from core.rulebook import MetadataOverride
from tests.benchmarks.layers import judge_answer, read_questions
from tests.layered_cup import add_harbour_cup
from tests.library.cup import add_rulebook


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("harbour"))
    add_harbour_cup(library)
    return library


@pytest.mark.parametrize("row", read_questions("cup"), ids=lambda row: row["id"])
def test_no_overridden_rule_is_told_as_law(library, row):
    judged, _ = judge_answer(library, row)
    assert judged == "right"


def ask(library: Library, question: str) -> Ended:
    *_, ended = Agent(library, OfflineModel()).ask(Request(question))
    return ended


def test_an_answer_shows_both_rules_and_the_words_that_say_who_prevails(library):
    ended = ask(library, "May radios be used during a race?")
    law, base, said = ended.citations
    assert (law.article, base.article, said.article) == ("H 2.4", "3.5", "H 1.1")
    assert "in place of Article 3.5" in law.caution
    assert "overridden by Article H 2.4, Harbour Cup Handbook 2025" in base.caution
    assert said.quote.endswith("the handbook prevails.")


def test_a_contradiction_that_nothing_settles_is_told_as_one(library):
    ended = ask(library, "How old must a crew member be?")
    assert {one.article for one in ended.citations} == {"2.3", "S 1"}
    assert any("nothing says which prevails" in one for one in ended.unsettled)
    assert ended.outcome == "found", "a person decides"


def test_a_contradiction_in_other_words_is_told_though_one_rulebook_alone_is_asked(tmp_path):
    library = Library(tmp_path)
    given = {"season": 2025}
    base = ("8.3", "Radio communication between driver and team is permitted.", "Signals")
    rules = add_rulebook(library, "Northern Rules", base, family="north", **given)
    said = ("S 4", "No radio may be used by drivers or teams during races.", "Radios")
    above = add_rulebook(library, "Kiel Handbook", said, family="kiel", **given)
    library.relate(above.document_id, Relation("supplements", rules.document_id))
    choice = ScopeChoice(document=above.document_id)
    asked = Request("May a driver use a radio with the team?", choice)
    *_, ended = Agent(library, OfflineModel()).ask(asked)
    assert isinstance(ended, Ended)
    assert {one.article for one in ended.citations} == {"8.3", "S 4"}
    assert any("nothing says which prevails" in one for one in ended.unsettled)
    assert ended.outcome == "found"


def test_of_two_answers_that_of_the_document_that_prevails_comes_first(tmp_path):
    library = Library(tmp_path)
    given = {"season": 2025}
    base = ("10.3", "Going out is forbidden in a wind above 25 knots.", "Safety")
    rules = add_rulebook(library, "Lake Rules", base, family="lake", **given)
    said = ("H 5", "No boat leaves the beach when the wind exceeds 20 knots.", "Leaving")
    above = add_rulebook(library, "Kiel Handbook", said, family="kiel", **given)
    library.relate(above.document_id, Relation("supplements", rules.document_id, "this"))
    ended = ask(library, "In a wind of how many knots is nobody out?")
    assert [one.article for one in ended.citations] == ["H 5", "10.3"]
    assert "may change it" in ended.citations[1].caution


@pytest.mark.parametrize(
    ("question", "deleted", "first"),
    [
        ("May a driver start without a helmet?", "5.3", "4.3"),
        ("Must a driver wear a helmet in the car?", "4.3", "B 2"),
        ("Is a push allowed at the start?", "4.2", "B 2"),
    ],
)
def test_where_an_exception_is_deleted_the_rule_answers_that_holds(
    tmp_path, question, deleted, first
):
    library = Library(tmp_path)
    clauses = (
        ("4.2", "A push of at most 10 m is allowed at the start."),
        ("4.3", "A driver must wear a helmet in the car."),
        ("5.3", "A driver may start without a helmet in the parade."),
    )
    rules = add_rulebook(library, "Soapbox Rules", *clauses, family="rules")
    said = ("B 1", "This bulletin is of May."), ("B 2", f"Rule {deleted} is deleted.")
    above = add_rulebook(library, "Bulletin", *said, family="bulletin")
    library.relate(above.document_id, Relation("amends", rules.document_id, "this"))
    *events, ended = Agent(library, OfflineModel()).ask(Request(question))
    headline = view_answer(events, ended).headline
    assert headline is not None
    assert (ended.citations[0].article, headline.article) == (first, first)


def test_a_question_with_a_day_asks_the_rules_of_that_day(library):
    before = ask(library, "What was the largest sail area on 20 March 2025?")
    assert [one.quote for one in before.citations] == ["The sail area must not exceed 18 m²."]
    for day in ("on 3 May 2025", "am 3. Mai 2025", "as of 2025-05-03"):
        after = ask(library, f"What is the largest sail area {day}?")
        assert after.citations[0].article == "B 2", day


def test_where_the_day_decides_and_is_not_said_it_is_asked(library):
    past = ask(library, "What was the largest sail area at the time of the Kiel race?")
    assert past.outcome == "clarification_needed"
    days = [choice.question.rpartition("as of ")[2] for choice in past.choices]
    assert days == ["2025-04-30)?", "2025-05-01)?"]
    assert ask(library, past.choices[0].question).citations[0].article == "3.3"
    assert ask(library, past.choices[1].question).citations[0].article == "B 2"
    same = ask(library, "How long was the hull allowed to be?")
    assert same.outcome != "clarification_needed"


@pytest.mark.parametrize(
    "question",
    ["Was ist die größte Segelfläche?", "Which sail area was meant by Article 3.3?"],
)
def test_a_verb_in_the_past_alone_asks_for_no_day(library, question):
    assert ask(library, question).message != DAY_MESSAGE


def test_two_editions_with_days_of_which_one_has_ended_ask_for_the_day(tmp_path):
    library = Library(tmp_path)
    days = ("2025-01-01", "2025-04-30"), ("2025-05-01", None)
    for issue, (sail, (first, last)) in enumerate(zip((18, 20), days, strict=True), 1):
        said = ("3.3", f"The sail area must not exceed {sail} m².", "Sail area")
        given = {"season": 2025, "issue": issue, "family": "kiel"}
        document = add_rulebook(library, f"Kiel Rules {issue}", said, **given)
        override = MetadataOverride(valid_from=first, valid_to=last)
        library.correct_metadata(document.document_id, override)
    asked = ask(library, "What is the largest sail area?")
    assert asked.outcome == "clarification_needed"
    then, now = (ask(library, one.question).citations[0].quote for one in asked.choices)
    assert ("18 m²" in then, "20 m²" in now) == (True, True)


def test_rulebooks_that_differ_are_asked_about_though_one_has_layers(tmp_path):
    library = Library(tmp_path)
    alpha, _ = (
        add_rulebook(library, f"{name} Rules", ("4.1", text), season=2025, family=name.lower())
        for name, text in (
            ("Alpha", "The speed in the pit lane must not exceed 50 km/h."),
            ("Beta", "The speed in the pit lane must not exceed 60 km/h."),
        )
    )
    said = "The speed in the pit lane must not exceed 40 km/h."
    handbook = add_rulebook(library, "Kiel Handbook", ("H 1", said), season=2025, family="kiel")
    library.relate(handbook.document_id, Relation("supplements", alpha.document_id, "this"))
    asked = ask(library, "What is the speed limit in the pit lane?")
    assert asked.outcome == "clarification_needed"
    chosen = {one.document_id for one in asked.choices}
    assert len(chosen) == 2
    assert not {alpha.document_id, handbook.document_id} <= chosen


@pytest.mark.parametrize(
    ("said", "question", "first", "is_led"),
    [
        ("Article 3.5 was discussed.", "How thick must brake discs be?", "3.5", False),
        (
            "The discs of Article 3.5 may in class B be thinner by one millimetre.",
            "How thick must brake discs be in class B?",
            "H 3",
            True,
        ),
    ],
)
def test_a_rule_named_in_words_that_cannot_be_read_is_told_with_them(
    tmp_path, said, question, first, is_led
):
    """It comes first, unless those words answer the question better, and is left to a person."""
    library = Library(tmp_path)
    brakes = ("3.5", "Brake discs must be at least 4 mm thick.", "Brakes")
    rules = add_rulebook(library, "Kiel Rules", brakes, season=2025, family="kiel")
    named = ("H 3", said, "Questions")
    handbook = add_rulebook(library, "Kiel Handbook", named, season=2025, family="event")
    library.relate(handbook.document_id, Relation("supplements", rules.document_id, "this"))
    events = [*Agent(library, OfflineModel()).ask(Request(question))]
    ended = events[-1]
    assert ended.citations[0].article == first
    told = write_answer(ENGLISH, events, ended)
    assert ("may change it" in told.partition("\n")[0]) is not is_led
    assert is_led or ended.outcome == "found"
