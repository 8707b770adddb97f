"""What documents say of how they stand to others is proposed, and acted on once it is accepted."""

import pytest

from core.library.layer_proposals import propose_layers
from core.library.layers import Layers
from tests.layered_cup import add_harbour_cup


@pytest.fixture
def cup(library):
    """The Harbour Cup, of whose documents nothing is said."""
    books = add_harbour_cup(library)
    for name in ("handbook", "bulletin", "safety"):
        library.unrelate(books[name].document_id, books["rules"].document_id)
    return books


def test_a_sentence_of_precedence_proposes_who_prevails(library, cup):
    [proposal] = propose_layers(library, cup["handbook"])
    said = proposal.relation
    assert proposal.document.document_id == cup["handbook"].document_id
    assert said.document_id == cup["rules"].document_id
    assert (said.kind, said.prevails, proposal.article) == ("supplements", "this", "H 1.1")
    assert said.quote.endswith("the handbook prevails.")
    [of_rules] = propose_layers(library, cup["rules"])
    assert of_rules.document == proposal.document
    assert of_rules.relation.prevails == "this"


def test_an_amendment_is_proposed_with_the_day_of_its_force(library, cup):
    change, validity = propose_layers(library, cup["bulletin"])
    assert (change.relation.kind, change.relation.from_day) == ("amends", "2025-05-01")
    assert (validity.relation, validity.valid_from) == (None, "2025-05-01")
    assert not propose_layers(library, cup["safety"])


def test_nothing_acts_on_a_proposal_before_it_is_accepted(library, cup):
    assert not Layers(library.documents()).every
    for proposal in propose_layers(library, cup["bulletin"]):
        proposal.accept(library, "Ada")
    bulletin = library.document(cup["bulletin"].document_id)
    assert bulletin.valid_from == "2025-05-01"
    assert [said.by for said in bulletin.relations] == ["Ada"]
    assert not propose_layers(library, bulletin)


@pytest.mark.parametrize(
    ("words", "prevails"),
    [
        (
            "Where these regulations and the Trike Rules contradict, the Trike Rules prevail.",
            "other",
        ),
        ("This handbook takes precedence over the Trike Rules.", "this"),
        ("Bei Widersprüchen zu den Trike Rules geht dieses Handbuch vor.", None),
        ("The handbook is given to each team.", None),
        ("The speed in the pits prevails over all.", None),
    ],
)
def test_who_prevails_is_the_one_that_the_verb_is_said_of(library, add, words, prevails):
    add("Trike Rules", ("1", "Trikes have three wheels."), season=2025, family="trike")
    handbook = add("Trike Handbook", ("1", words), season=2025, family="trike-event")
    found = [one.relation.prevails for one in propose_layers(library, handbook)]
    assert found == ([prevails] if prevails else [])
