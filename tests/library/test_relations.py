"""How documents stand to one another: said by a person, kept, and taken back."""

from dataclasses import replace

import pytest
from cup import PIT_LANE, lines

from core.errors import LibraryError, SettingsError
from core.library.ingestion.ingest import add_bytes, reread_document
from core.library.layers import Layers
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.types import Relation, ScopeChoice
from core.rulebook import MetadataOverride
from tests.layered_cup import add_harbour_cup


@pytest.fixture
def pair(add):
    """Rules, and a handbook of the same season."""
    base = add("Trike Rules", *PIT_LANE, season=2025, issue=1, family="trike")
    handbook = add("Trike Handbook", ("1", "Trikes are red."), season=2025, family="trike-event")
    return base, handbook


def test_what_a_person_says_is_kept_with_who_and_when(library, pair):
    base, handbook = pair
    said = Relation("supplements", base.document_id[:10], "this", quote="It prevails.", by="Ada")
    library.relate(handbook.document_id, said)
    [kept] = Library(library.folder).document(handbook.document_id).relations
    assert (kept.document_id, kept.by, kept.quote) == (base.document_id, "Ada", "It prevails.")
    assert kept.at.startswith("20")
    library.relate(handbook.document_id, replace(said, prevails="other"))
    assert [one.prevails for one in library.document(handbook.document_id).relations] == ["other"]
    library.unrelate(handbook.document_id, base.document_id[:8])
    assert not library.document(handbook.document_id).relations
    with pytest.raises(LibraryError, match="Nothing is said"):
        library.unrelate(handbook.document_id, base.document_id)


def test_a_document_read_again_keeps_how_it_stands_and_when_it_holds(library, pair):
    base, handbook = pair
    library.relate(handbook.document_id, Relation("amends", base.document_id))
    days = MetadataOverride(valid_from="2025-01-01", valid_to="2025-12-31")
    stored = library.correct_metadata(handbook.document_id, days)
    data = lines("Trike Handbook", ("1", "Trikes are red."), season=2025, family="trike-event")
    read, _ = reread_document(library, stored, data)
    assert (read.relations, read.valid_from) == (stored.relations, "2025-01-01")
    assert read.valid_to == "2025-12-31"


def test_what_cannot_be_is_refused(library, pair):
    base, handbook = pair
    with pytest.raises(LibraryError, match="same document"):
        library.relate(base.document_id, Relation("amends", base.document_id))
    library.relate(handbook.document_id, Relation("amends", base.document_id))
    with pytest.raises(LibraryError, match="already stands"):
        library.relate(base.document_id, Relation("supplements", handbook.document_id))
    with pytest.raises(LibraryError, match="no day"):
        library.relate(handbook.document_id, Relation("amends", base.document_id, "", "soon"))
    days = MetadataOverride(valid_from="2025-02-01", valid_to="2025-01-01")
    with pytest.raises(SettingsError, match="before it begins"):
        library.correct_metadata(handbook.document_id, days)


@pytest.fixture
def cup(library):
    return add_harbour_cup(library)


def test_a_competition_is_a_document_with_all_its_layers(library, cup):
    chosen = ScopeChoice.by_preset(cup["rules"].document_id[:12], ())
    scope = resolve_scope(library.documents(), chosen)
    assert {*scope.documents} == {*library.documents()}
    assert scope.why.startswith("chosen: Harbour Cup Rules 2025, Issue 1 + Harbour Cup")
    library.unrelate(cup["bulletin"].document_id, cup["rules"].document_id)
    scope = resolve_scope(library.documents(), chosen)
    assert cup["bulletin"].document_id not in scope.ids
    day = resolve_scope(library.documents(), replace(chosen, on="2025-03-20"))
    assert day.day == "2025-03-20"


def test_what_is_said_holds_for_later_issues_of_the_season(library, cup):
    rules = {"season": 2025, "issue": 2, "family": "harbour-cup-rules"}
    data = lines("Harbour Cup Rules 2025", ("4.1", "At most 9 km/h."), **rules)
    [added] = add_bytes(library, data, "later.jsonl")
    layers = Layers(library.documents())
    above = {one.above.family for one in layers.list_above(added.document.document_id)}
    assert above == {"harbour-cup-handbook", "harbour-cup-bulletin", "harbour-cup-safety"}
    [competition] = layers.list_competitions()
    assert competition[0] == added.document


def test_a_document_in_force_in_the_place_of_another_one_is_asked_from_its_day_on(library, cup):
    rules, safety = cup["rules"], cup["safety"]
    library.relate(safety.document_id, Relation("replaces", rules.document_id, "", "2025-06-01"))
    today = resolve_scope(library.documents())
    assert rules.document_id not in today.ids
    before = resolve_scope(library.documents(), ScopeChoice(on="2025-05-20"))
    assert rules.document_id in before.ids
