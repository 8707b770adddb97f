"""Documents, scopes and folded texts in words, without a page."""

from dataclasses import replace

from core.language import ENGLISH, Language
from core.library import ComparisonText, Editions, LibraryText, ScopeChoice, resolve_scope
from tests.library.test_scope import CODE, S23, S24, S25_4, S25_5, T24

HELD = (S23, S24, S25_4, S25_5, T24, CODE)


def test_documents_of_one_label_are_told_apart_by_file_and_id():
    twin = replace(S24, document_id="f" * 64, file="copy.pdf")
    names = LibraryText(ENGLISH).name_documents((S24, twin, T24))
    assert names[twin.document_id] == f"{twin.label} (copy.pdf, ffffffff)"
    assert names[T24.document_id] == T24.label
    assert len(set(names.values())) == 3


def test_an_edition_is_a_season_an_issue_and_a_day():
    assert LibraryText(ENGLISH).describe_edition(S25_5) == "2025 · Issue 5 · 30 Apr 2025"
    assert (
        LibraryText(Language("de", "de")).describe_edition(S25_5) == "2025 · Ausgabe 5 · 30.04.2025"
    )
    assert LibraryText(ENGLISH).describe_edition(CODE) == CODE.title


def test_what_is_not_known_of_a_document_is_said():
    assert list(LibraryText(ENGLISH).list_notes(S25_5))[:2] == ["100 clauses", "10 pages"]
    assert any("Season" in note for note in LibraryText(ENGLISH).list_notes(CODE))
    assert LibraryText(ENGLISH).list_facts(CODE, HELD)["season"] == ":orange[not known]"


def test_the_facts_of_an_older_edition_name_the_newer_one():
    assert S25_5.label.partition(",")[0] in LibraryText(ENGLISH).list_facts(S25_4, HELD)["newer"]
    assert "newer" not in LibraryText(ENGLISH).list_facts(S25_5, HELD)


def test_the_newest_document_was_published_last():
    assert Editions(HELD).find_last() == S25_5


def test_a_preset_and_its_choice_name_each_other():
    presets = ["newest", *Editions(HELD).seasons, "day", "ticks"]
    assert presets == ["newest", 2025, 2024, 2023, "day", "ticks"]
    assert [ScopeChoice.by_preset(one, ("a",)).preset for one in presets] == presets


def test_rulebooks_and_seasons_leave_the_newest_issue_of_each():
    book = S24.rulebook
    assert Editions(HELD).select([book], [], False).documents == (S25_5,)
    assert Editions(HELD).select([book], [2024, 2025], False).documents == (S24, S25_5)
    assert Editions(HELD).select([book], [2025], True).documents == (S25_4, S25_5)


def test_a_scope_is_said_in_a_line_and_as_a_whole():
    scope = resolve_scope(HELD, ScopeChoice(season=2025))
    line, whole = LibraryText(ENGLISH).describe_scope(scope, len(HELD), 1)
    assert line.startswith("2025 Cup Sporting Regulations\\, Issue 5")
    assert whole.startswith("Chosen")
    assert "Issue 4" in whole, "what is left out is named"


def test_long_stretches_without_a_difference_are_folded():
    same = "a b c d e f g h "
    spans = [("same", same), ("deleted", "no "), ("same", same)]
    assert list(ComparisonText.fold_spans(spans, 2)) == [
        6,
        ("same", "g h "),
        ("deleted", "no "),
        ("same", "a b "),
        6,
    ]
    assert list(ComparisonText.fold_spans(spans, 2, longest=8)) == spans


def test_ticks_in_an_address_are_the_beginnings_of_ids():
    ticked = (S24.document_id, T24.document_id)
    named = ScopeChoice(documents=ticked).ticks.split(",")
    assert {one for one in HELD if any(map(one.matches_id, named))} == {S24, T24}


def test_one_click_chooses_the_newest_a_season_or_a_document():
    choices = LibraryText(ENGLISH).list_scope_choices(HELD)
    assert next(iter(choices)) == ScopeChoice()
    assert choices[ScopeChoice(document=T24.document_id)] == T24.label
    assert ScopeChoice(season=2023) in choices
