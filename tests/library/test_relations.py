"""How documents stand to one another: said by a person, kept, and taken back."""

from dataclasses import replace

import pytest
from cup import PIT_LANE, lines

from core.errors import LibraryError, SettingsError
from core.library.ingestion.ingest import add_bytes, correct_lines, reread_document
from core.library.layers import Layers
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.types import Relation, ScopeChoice
from core.registers import list_layer_notes
from core.rulebook import MetadataOverride
from tests.layered_cup import add_harbour_cup
from tests.rulebook.pdf_builder import Paper


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
    for nothing in (base.document_id, "", base.document_id[:2]):
        with pytest.raises(LibraryError, match="Nothing is said"):
            library.unrelate(handbook.document_id, nothing)


def test_a_document_read_again_keeps_how_it_stands_and_when_it_holds(library, pair):
    base, handbook = pair
    library.relate(handbook.document_id, Relation("amends", base.document_id))
    days = MetadataOverride(valid_from="2025-01-01", valid_to="2025-12-31")
    stored = library.correct_metadata(handbook.document_id, days)
    data = lines("Trike Handbook", ("1", "Trikes are red."), season=2025, family="trike-event")
    read, _ = reread_document(library, stored, data)
    assert (read.relations, read.valid_from) == (stored.relations, "2025-01-01")
    assert read.valid_to == "2025-12-31"


@pytest.mark.slow
def test_what_a_bulletin_cites_is_looked_up_in_the_rules_that_it_amends(library):
    rules, bulletin = Paper(), Paper()
    for number in ("1", "2", "3"):
        rules.heading(number, "Boats").clause(f"{number}.1", "Every boat must carry a number.")
    bulletin.heading("1", "Changes").clause("1.1", "Article 3.1 is deleted, as are its fees.")
    bulletin.heading("2", "Fees").clause("2.1", "The fees of Article 9.4 must be paid.")
    [base] = (one.document for one in add_bytes(library, rules.pdf(), "rules.pdf"))
    [above] = (one.document for one in add_bytes(library, bulletin.pdf(), "bulletin.pdf"))

    def unresolved():
        held = library.document(above.document_id)
        found = [one.message for one in held.warnings if one.code == "unresolved_reference"]
        assert held.counts["unresolved_references"] == len(found)
        return {article for article in ("3.1", "9.4") if article in " ".join(found)}

    assert unresolved() == {"3.1", "9.4"}
    library.relate(above.document_id, Relation("amends", base.document_id))
    assert unresolved() == {"9.4"}
    correct_lines(library, above.document_id, [])
    assert unresolved() == {"9.4"}
    library.unrelate(above.document_id, base.document_id)
    assert unresolved() == {"3.1", "9.4"}


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


SPEED = "The speed in the harbour must not exceed {} km/h."


@pytest.fixture
def issue(library):
    """A function that adds an issue of rules on the speed in the harbour, or of others."""

    def add_issue(name: str, text: str | int, issue: int = 1, season: int = 2026, **days: str):
        said = SPEED.format(text) if isinstance(text, int) else text
        number = "4.1" if isinstance(text, int) else f"{name[0]} {issue}"
        family = {"season": season, "issue": issue, "family": name.lower()}
        rows = lines(f"{name} {season}", (number, said), **family)
        [added] = add_bytes(library, rows, f"{name}-{season}-{issue}.jsonl")
        return library.correct_metadata(added.document.document_id, MetadataOverride(**days))

    return add_issue


def list_ids(*documents):
    return {one.document_id for one in documents}


def list_notes(library, **chosen):
    """Return what is noted of rules, as "4.1 overridden by Bulletin 2026, Issue 1"."""
    notes = list_layer_notes(library, **chosen).items()
    return {
        f"{library.clause(clause_id).article} {note.kind} by {note.document}"
        for clause_id, found in notes
        for note in found
        if note.kind in ("overridden", "unsettled")
    }


def test_amendments_add_up_unless_one_replaces_the_other(library, issue):
    rules = issue("Rules", 10)
    first = issue("Bulletin", f"Article 4.1 is replaced by: {SPEED.format(8)}")
    second = issue("Bulletin", "The harbour is closed at night.", 2)
    for one in (first, second):
        library.relate(one.document_id, Relation("amends", rules.document_id))
    assert list_notes(library) == {"4.1 overridden by Bulletin 2026, Issue 1"}
    library.relate(second.document_id, Relation("replaces", first.document_id))
    assert "4.1 overridden by Bulletin 2026, Issue 1" not in list_notes(library)


def test_an_amendment_holds_for_a_later_issue_that_says_what_it_changed(library, issue):
    rules = issue("Rules", 10)
    bulletin = issue("Bulletin", f"Article 4.1 is replaced by: {SPEED.format(8)}")
    library.relate(bulletin.document_id, Relation("amends", rules.document_id))
    later = issue("Rules", 6, 2)
    noted = list_layer_notes(library)
    assert {one.partition(":")[0] for one in noted} == {rules.document_id, bulletin.document_id}
    library.remove_document(later.document_id)
    same = add_same(library, later, 10)
    assert f"{same.document_id}:4.1" in list_layer_notes(library)


def add_same(library, document, speed):
    """Add an issue that says the same of the speed, and one thing more."""
    family = {"season": document.season, "issue": document.issue, "family": document.family}
    rows = lines("Rules 2026", ("4.1", SPEED.format(speed)), ("4.2", "Horns are loud."), **family)
    [added] = add_bytes(library, rows, "same.jsonl")
    return added.document


def test_what_was_said_of_a_removed_issue_is_said_of_the_next_one(library, issue):
    rules, handbook = issue("Rules", 10), issue("Handbook", 8)
    bulletin = issue("Bulletin", f"Article 4.1 is replaced by: {SPEED.format(7)}")
    library.relate(handbook.document_id, Relation("supplements", rules.document_id, "this"))
    library.relate(bulletin.document_id, Relation("amends", rules.document_id))
    issue("Rules", 9, 2)
    issue("Rules", 9, 3)
    library.remove_document(rules.document_id)
    overridden, unsure = "4.1 overridden by Handbook 2026, Issue 1", "unsettled by Bulletin 2026"
    assert overridden in list_notes(library)
    assert any(unsure in one for one in list_notes(library))
    later = issue("Handbook", 5, 2)
    library.remove_document(handbook.document_id)
    [kept] = library.document(later.document_id).relations
    assert (kept.kind, kept.prevails) == ("supplements", "this")


def test_two_events_on_one_rulebook_are_two_competitions(library, issue):
    rules, kiel, bregenz = issue("Rules", 10), issue("Kiel", 8), issue("Bregenz", 6)
    for one in (kiel, bregenz):
        library.relate(one.document_id, Relation("supplements", rules.document_id, "this"))
    assert not any("overridden" in one for one in list_notes(library))
    assert "4.1 unsettled by Kiel 2026, Issue 1" in list_notes(library)
    names = Layers(library.documents()).competition_names
    assert set(names) == {kiel.document_id, bregenz.document_id}
    chosen = ScopeChoice.by_preset(kiel.document_id[:12], ())
    scope = resolve_scope(library.documents(), chosen)
    assert set(scope.ids) == list_ids(rules, kiel)
    assert list_notes(library, chosen_ids=scope.ids) == {"4.1 overridden by Kiel 2026, Issue 1"}
    shared = resolve_scope(library.documents(), ScopeChoice(competition=rules.document_id))
    assert shared.documents == (rules,)
    notice = issue("Notice", "The pier opens at 9:00.")
    library.relate(notice.document_id, Relation("supplements", rules.document_id))
    shared = resolve_scope(library.documents(), ScopeChoice(competition=rules.document_id))
    assert "4.1 unsettled by Kiel 2026, Issue 1" in list_notes(library, chosen_ids=shared.ids)


def test_a_competition_on_a_day_has_the_issues_of_that_day(library, issue):
    rules, handbook = issue("Rules", 10, date="2026-01-10"), issue("Book", 8, date="2026-01-20")
    library.relate(handbook.document_id, Relation("supplements", rules.document_id, "this"))
    later = issue("Rules", 12, 2, date="2026-06-01"), issue("Book", 6, 2, date="2026-06-02")
    bulletin = issue(
        "Bulletin", f"Article 4.1 is replaced by: {SPEED.format(7)}", date="2026-07-01"
    )
    library.relate(bulletin.document_id, Relation("amends", later[0].document_id))
    for named in (rules, *later):
        march = ScopeChoice(competition=named.document_id, on="2026-03-20")
        assert set(resolve_scope(library.documents(), march).ids) == list_ids(rules, handbook)
        june = replace(march, on="2026-06-20")
        assert set(resolve_scope(library.documents(), june).ids) == list_ids(*later)
        newest = resolve_scope(library.documents(), replace(march, on=None))
        assert set(newest.ids) == list_ids(*later, bulletin)
    assert list_notes(library, day="2026-03-20") == {"4.1 overridden by Book 2026, Issue 1"}


def test_what_was_replaced_stays_askable_by_its_season_and_issue(library, issue):
    old, new = issue("Rules", 10, season=2025), issue("Rules", 8)
    newer = issue("Rules", 6, 2)
    library.relate(new.document_id, Relation("replaces", old.document_id, "", "2026-01-01"))
    library.relate(newer.document_id, Relation("replaces", new.document_id))
    for choice, one in (
        (ScopeChoice(), newer),
        (ScopeChoice(season=2025), old),
        (ScopeChoice(issue=1, season=2026), new),
    ):
        scope = resolve_scope(library.documents(), choice)
        assert set(scope.ids) == list_ids(one)
    assert f"{old.document_id}:4.1" not in list_layer_notes(library, [old.document_id])


def test_a_chosen_season_filters_whatever_days_are_known(library, issue):
    issue("Rules", 10, season=2025, valid_from="2025-01-01")
    new = issue("Rules", 8, date="2026-01-10")
    scope = resolve_scope(library.documents(), ScopeChoice(season=2026, on="2026-03-20"))
    assert scope.documents == (new,)
    assert not resolve_scope(
        library.documents(), ScopeChoice(season=2024, on="2025-03-20")
    ).documents


def test_what_has_ended_overrides_nothing_that_has_not(library, issue):
    rules = issue("Rules", 10, season=2100)
    change = f"Article 4.1 is replaced by: {SPEED.format(8)}"
    bulletin = issue(
        "Bulletin", change, season=2100, valid_from="2020-05-01", valid_to="2020-05-03"
    )
    library.relate(bulletin.document_id, Relation("amends", rules.document_id))
    assert not list_notes(library)
    assert resolve_scope(library.documents()).documents == (rules,)
    library.correct_metadata(rules.document_id, MetadataOverride(valid_to="2020-12-31"))
    assert list_notes(library)


def test_no_document_lies_above_itself_by_way_of_later_issues(library, issue):
    rules, handbook = issue("Rules", 10), issue("Handbook", 8)
    library.relate(handbook.document_id, Relation("supplements", rules.document_id, "this"))
    later = issue("Rules", 9, 2)
    with pytest.raises(LibraryError, match="already stands"):
        library.relate(later.document_id, Relation("supplements", handbook.document_id))
    library.relate(later.document_id, Relation("replaces", rules.document_id))


def test_a_document_in_force_in_the_place_of_another_one_is_asked_from_its_day_on(library, cup):
    rules, safety = cup["rules"], cup["safety"]
    library.relate(safety.document_id, Relation("replaces", rules.document_id, "", "2025-06-01"))
    today = resolve_scope(library.documents())
    assert rules.document_id not in today.ids
    before = resolve_scope(library.documents(), ScopeChoice(on="2025-05-20"))
    assert rules.document_id in before.ids
