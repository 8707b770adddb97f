"""Which rules of two documents answer a question otherwise, in whatever words."""

import pytest

from core.agent.tools.toolbox import Toolbox
from core.library import ScopeChoice, resolve_scope
from core.library.storage.library import Library
from core.library.types import Relation
from tests.library.cup import add_rulebook

WIND = "Going out is forbidden in a wind above 25 knots."
LEAVING = "No boat leaves the beach when the wind exceeds 20 knots."
HOW_WINDY = "In a wind of how many knots may nobody go out?"


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def compare(library, base, above, question, prevails="this"):
    """Add rules and a handbook; return what each note is, by article of both."""
    given = {"season": 2026, "issue": 1}
    rules = add_rulebook(library, "Lake Rules", *base, family="lake", **given)
    handbook = add_rulebook(library, "Kiel Handbook", *above, family="kiel", **given)
    library.relate(handbook.document_id, Relation("supplements", rules.document_id, prevails))
    scope = resolve_scope(library.documents(), ScopeChoice(), question, is_firm=True)
    toolbox = Toolbox(library)
    asked = toolbox.read_question(question, scope)
    return {
        (clause_id.rpartition(":")[2], note.article): note.kind
        for clause_id, found in toolbox.list_layer_notes(scope, asked).items()
        for note in found
    }


@pytest.mark.parametrize(
    ("prevails", "notes"),
    [
        ("this", {("2", "H 1"): "unclear"}),
        ("other", {("2", "H 1"): "supplemented"}),
        ("", {("2", "H 1"): "supplemented"}),
    ],
)
def test_another_amount_in_other_words_may_change_the_rule(library, prevails, notes):
    """It overrides none, since words prove nothing, and what is stricter only adds to it."""
    assert compare(library, [("2", WIND)], [("H 1", LEAVING)], HOW_WINDY, prevails) == notes


@pytest.mark.parametrize(
    ("below", "above", "question"),
    [
        (
            "Radio communication between driver and team is permitted.",
            "No radio may be used by drivers or teams.",
            "Can a driver talk to his team by radio?",
        ),
        (
            "Advertising is permitted on the boom and on the forward 20% of the hull.",
            "Boats shall display advertising on 25% of the hull.",
            "How much of the hull is for advertising?",
        ),
        (
            "Le club-house est ouvert du 1er avril au 31 octobre, de 9 heures à 19 heures.",
            "En juillet et en août, le club-house est ouvert de 8 heures à 22 heures.",
            "À quelle heure le club-house ferme-t-il en juillet ?",
        ),
    ],
)
def test_answers_that_differ_are_unsettled_where_nothing_prevails(library, below, above, question):
    found = compare(library, [("2", below)], [("H 1", above)], question, "")
    assert found == {("2", "H 1"): "unsettled", ("H 1", "2"): "unsettled"}


@pytest.mark.parametrize(
    ("below", "above", "question"),
    [
        (WIND, LEAVING, "How fast may a boat be?"),
        (WIND, LEAVING.replace("20", "25"), HOW_WINDY),
        (
            "A boat of class A carries 20 kg of ballast.",
            "Ballast in a boat of class B is 30 kg.",
            "How much ballast is in a boat?",
        ),
        (
            "The hull must not be dried during an event.",
            "The hull must show the name of the event.",
            "What is on the hull in an event?",
        ),
    ],
)
def test_what_agrees_or_is_on_another_thing_is_not_noted(library, below, above, question):
    assert not compare(library, [("2", below)], [("H 1", above)], question)


def test_where_a_document_itself_has_two_answers_none_is_chosen(library):
    base = [("2", WIND), ("3", "Juniors go out in a wind of at most 12 knots.")]
    question = "In a wind of how many knots may a team go out?"
    assert not compare(library, base, [("H 1", LEAVING)], question)
