"""What a person may enter of a document, without a page."""

from dataclasses import replace

from core.library import LAST_ISSUE, enterable_details, list_open_details, save_details
from core.rulebook import ReadingWarning
from tests.library.test_scope import S24


class Corrections:
    """A library that notes what it is told to correct."""

    def correct_metadata(self, document_id, override, cleared):
        self.told = document_id, override.corrections, cleared
        return S24


def test_a_form_shows_what_its_fields_can_hold():
    assert enterable_details(S24, [S24.family])["season"] == S24.season
    odd = replace(S24, season=1800, issue=LAST_ISSUE + 1)
    shown = enterable_details(odd, [])
    assert (shown["family"], shown["season"], shown["issue"]) == (None, None, None)
    assert shown["date"] == S24.date


def test_only_what_was_changed_is_saved():
    library = Corrections()
    shown = {"family": "cup", "season": 2024, "issue": 1, "date": None}
    save_details(library, "d", shown, shown | {"season": 2025, "issue": None})
    assert library.told == ("d", {"season": 2025}, ["issue"])


def test_what_is_unknown_or_only_proposed_is_asked_for(library, add):
    document = add("Trike Rules", ("1", "A trike has three wheels."), season=2025)
    assert list_open_details(document) == ["family"]
    proposal = ReadingWarning("family_proposed", None, "It may be an edition of Quad Rules.")
    proposed = replace(document, family="trike", warnings=(proposal,))
    assert list_open_details(proposed) == ["family"]
    assert list_open_details(proposed.overlay({"family": "quad"})) == []
