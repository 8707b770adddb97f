"""How documents stand to one another: said by a person, kept, and taken back."""

from dataclasses import replace

import pytest
from cup import PIT_LANE, lines

from core.errors import LibraryError, SettingsError
from core.library.ingestion.ingest import reread_document
from core.library.storage.library import Library
from core.library.types import Relation
from core.rulebook import MetadataOverride


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
