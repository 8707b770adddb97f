"""What a person may enter of a document, without a page."""

from dataclasses import replace

from core.library import Document
from core.rulebook import ReadingWarning
from tests.library.test_scope import S24


def test_a_form_shows_what_its_fields_can_hold():
    assert S24.list_details([S24.family])["season"] == S24.season
    odd = replace(S24, season=1800, issue=Document.LAST_ISSUE + 1)
    shown = odd.list_details([])
    assert (shown["family"], shown["season"], shown["issue"]) == (None, None, None)
    assert shown["date"] == S24.date


def test_only_what_was_changed_is_saved(library, add):
    document = add("Trike Rules", ("1", "A trike has three wheels."), season=2024, issue=1)
    shown = document.list_details([])
    saved = library.correct_details(
        document.document_id, shown, shown | {"season": 2025, "issue": None}
    )
    assert (saved.season, saved.issue, saved.date) == (2025, None, document.date)
    assert saved.sources["season"] == "given"
    assert saved.sources.get("date") == document.sources.get("date")


def test_what_is_unknown_or_only_proposed_is_asked_for(add):
    document = add("Trike Rules", ("1", "A trike has three wheels."), season=2025)
    assert document.open_details == ["family"]
    proposal = ReadingWarning("family_proposed", None, "It may be an edition of Quad Rules.")
    proposed = replace(document, family="trike", warnings=(proposal,))
    assert proposed.open_details == ["family"]
    assert proposed.overlay({"family": "quad"}).open_details == []
