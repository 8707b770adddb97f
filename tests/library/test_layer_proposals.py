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
    change, validity = propose_layers(library, cup["bulletin"])
    change.accept(library, "Ada")
    [still_open] = propose_layers(library, cup["bulletin"])
    assert still_open.number == validity.number == 2  # what a person saw before is meant still
    still_open.accept(library, "Ada")
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
        ("This handbook prevails only where the Trike Rules are silent.", "other"),
        ("This handbook applies where the Trike Rules make no provision.", "other"),
        ("Dieses Handbook gilt nur, soweit die Trike Rules nichts regeln.", "other"),
        ("Bei Widersprüchen zu den Trike Rules geht dieses Handbuch vor.", "this"),
        ("The handbook is given to each team.", None),
        ("This handbook does not prevail over the Trike Rules.", None),
        ("Nothing in this handbook supersedes the Trike Rules.", None),
        ("In no case does this handbook take precedence over the Trike Rules.", None),
        ("Dieses Handbuch hat nie Vorrang, dieses Reglement hat keinen.", None),
        ("This handbook does not amend the Trike Rules.", None),
        ("This handbook amends nothing in the Trike Rules.", None),
        ("If the Trike Rules contradict this handbook, the former prevail.", "other"),
        ("If the Trike Rules contradict this handbook, the latter prevails.", "this"),
        ("If this handbook contradicts the Trike Rules, the former shall prevail.", "this"),
        ("If this handbook contradicts the Trike Rules, it prevails.", None),
        ("The speed in the pits prevails over all.", None),
    ],
)
def test_who_prevails_is_the_one_that_the_verb_is_said_of(library, add, words, prevails):
    add("Trike Rules", ("1", "Trikes have three wheels."), season=2025, family="trike")
    handbook = add("Trike Handbook", ("1", words), season=2025, family="trike-event")
    found = [one.relation.prevails for one in propose_layers(library, handbook)]
    assert found == ([prevails] if prevails else [])


@pytest.mark.parametrize(
    "words",
    [
        "The rules of the course are modified in this handbook by the Trike Rules.",
        "This handbook was modified in 2023 by the Trike Rules.",
        "The Trike Rules are amended as follows in the Trike Bulletin.",
    ],
)
def test_a_change_by_another_document_or_in_the_past_proposes_nothing(library, add, words):
    add("Trike Rules", ("1", "Trikes have three wheels."), season=2025, family="trike")
    add("Trike Bulletin", ("1", "Trikes are red."), season=2025, family="trike-notes")
    handbook = add("Trike Handbook", ("1", words), season=2025, family="trike-event")
    assert not propose_layers(library, handbook)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("is valid from 1 January to 31 December 2025", ("2025-01-01", "2025-12-31")),
        ("is valid from 1 May 2025 until 30 June 2025", ("2025-05-01", "2025-06-30")),
        ("is valid from 01.05.2025 to 30.06.2025", ("2025-05-01", "2025-06-30")),
        ("of 20 April 2025 comes into force on 1 May 2025", ("2025-05-01", None)),
        ("of 20 April 2025 is valid until 30 June 2025", (None, "2025-06-30")),
        ("is valid from 1 May 2025 to the end of the race", ("2025-05-01", None)),
        ("is valid from 1 May 2025 and for the race of 3 June 2025", ("2025-05-01", None)),
    ],
)
def test_days_of_force_are_those_that_their_words_announce(library, add, words, days):
    handbook = add("Trike Handbook", ("1", f"This handbook {words}."), season=2025, family="t-e")
    [found] = propose_layers(library, handbook)
    assert (found.valid_from, found.valid_to) == days


def test_a_german_document_names_its_first_day_within_its_verb(library, add):
    words = "Diese Satzung tritt am 1. Oktober 2025 in Kraft."
    statutes = add("Satzung des Vereins", ("1", words), season=2025, family="verein")
    [found] = propose_layers(library, statutes)
    assert (found.valid_from, found.valid_to) == ("2025-10-01", None)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("The season is the calendar year.", ("2025-01-01", "2025-12-31")),
        ("The season runs from 1 March 2025 to 31 October 2025.", ("2025-03-01", "2025-10-31")),
        ("The season has six races.", None),
    ],
)
def test_a_season_has_the_days_that_the_document_says(library, add, words, days):
    own = ("1", "These rules are valid for the season 2025."), ("2", words)
    handbook = add("Trike Rules", *own, season=2025, family="t-e")
    found = [(one.valid_from, one.valid_to) for one in propose_layers(library, handbook)]
    assert found == ([days] if days else [])


def test_a_name_means_the_document_that_has_all_its_words(library, add):
    for kind in ("Sporting", "Technical"):
        title = f"Trike {kind} Regulations"
        add(title, ("1", "Trikes roll."), season=2025, family=f"trike-{kind.lower()}")
    words = "This bulletin amends the Trike Sporting Regulations."
    note = add("Trike Bulletin", ("1", words), season=2025, family="trike-notes")
    [found] = propose_layers(library, note)
    assert library.document(found.relation.document_id).title == "Trike Sporting Regulations"


@pytest.mark.parametrize(
    "words",
    [
        "This bulletin amends the Trike Rules with effect from 12 September 2025.",
        "From 12 September 2025 this bulletin amends the Trike Rules.",
        "Ce bulletin modifie, à compter du 12 septembre 2025, les Trike Rules.",
    ],
)
def test_a_change_is_proposed_with_the_day_from_which_it_holds(library, add, words):
    add("Trike Rules", ("1", "Trikes roll."), season=2025, family="trike")
    bulletin = add("Trike Bulletin", ("1", words), season=2025, family="trike-notes")
    [found] = propose_layers(library, bulletin)
    assert (found.relation.kind, found.relation.from_day) == ("amends", "2025-09-12")


@pytest.mark.parametrize(
    ("title", "words", "said"),
    [
        ("Second Amendment to the Trike Club Rules", "Rule 1 is deleted.", ("amends", "this")),
        ("Addendum No. 2 to the Trike Club Rules", "Bells ring.", ("supplements", "")),
        ("Satzung zur Änderung der Trike Club Rules", "§ 1 entfällt.", ("amends", "this")),
        ("Avenant n° 1 aux Trike Club Rules", "L'article 1 est abrogé.", ("amends", "this")),
        ("Decision", "The Trike Club Rules are amended as follows.", ("amends", "this")),
        ("Beschluss", "Die Trike Club Rules werden wie folgt geändert.", ("amends", "this")),
        (
            "Trike Handbook",
            "All changes are in this document, which supersedes parts of the Trike Club Rules.",
            ("supplements", "this"),
        ),
        (
            "Trike Handbook",
            "Some of the Trike Club Rules are superseded by this handbook.",
            ("supplements", "this"),
        ),
        ("Trike Handbook", "This handbook supersedes the Trike Club Rules 2025.", None),
        ("Trike Handbook", "This handbook may amend the Trike Club Rules.", None),
        ("Trike Handbook", "The Trike Club Rules Committee amends this handbook.", None),
        ("Trike Handbook", "Bells are tested as the Trike Club Rules say.", None),
        ("Trike Handbook", "This handbook amends the Trike Club Rules of the Canoe Cup.", None),
        ("Trike Handbook", "This handbook amends the Canoe Cup Rules.", None),
    ],
)
def test_an_earlier_document_is_meant_where_none_of_the_season_is(library, add, title, words, said):
    add("Trike Club Rules", ("1", "Trikes roll."), season=2020, family="trike-club")
    cover = ("Preamble", title)
    later = add(title, cover, ("1", words), season=2024, family="later")
    found = [(one.relation.kind, one.relation.prevails) for one in propose_layers(library, later)]
    assert found == ([said] if said else [])
