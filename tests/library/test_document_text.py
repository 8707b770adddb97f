"""Documents, scopes and folded texts in words, without a page."""

from dataclasses import replace

from core.language import ENGLISH, Language
from core.library import (
    ScopeChoice,
    choice_of,
    describe_edition,
    describe_scope,
    document_facts,
    fold_spans,
    list_document_notes,
    list_presets,
    list_scope_choices,
    name_documents,
    newest_document,
    preset_of,
    read_ticks,
    resolve_scope,
    scope_of_rulebooks,
    write_ticks,
)
from tests.library.test_scope import CODE, S23, S24, S25_4, S25_5, T24

HELD = (S23, S24, S25_4, S25_5, T24, CODE)


def test_documents_of_one_label_are_told_apart_by_file_and_id():
    twin = replace(S24, document_id="f" * 64, file="copy.pdf")
    names = name_documents((S24, twin, T24))
    assert names[twin.document_id] == f"{twin.label} (copy.pdf, ffffffff)"
    assert names[T24.document_id] == T24.label
    assert len(set(names.values())) == 3


def test_an_edition_is_a_season_an_issue_and_a_day():
    assert describe_edition(ENGLISH, S25_5) == "2025 · Issue 5 · 30 Apr 2025"
    assert describe_edition(Language("de", "de"), S25_5) == "2025 · Ausgabe 5 · 30.04.2025"
    assert describe_edition(ENGLISH, CODE) == CODE.title


def test_what_is_not_known_of_a_document_is_said():
    assert list(list_document_notes(ENGLISH, S25_5))[:2] == ["100 clauses", "10 pages"]
    assert any("Season" in note for note in list_document_notes(ENGLISH, CODE))
    assert document_facts(ENGLISH, CODE, HELD)["season"] == ":orange[not known]"


def test_the_facts_of_an_older_edition_name_the_newer_one():
    assert S25_5.label.partition(",")[0] in document_facts(ENGLISH, S25_4, HELD)["newer"]
    assert "newer" not in document_facts(ENGLISH, S25_5, HELD)


def test_the_newest_document_was_published_last():
    assert newest_document(HELD) == S25_5


def test_a_preset_and_its_choice_name_each_other():
    presets = list_presets(HELD)
    assert presets == ["newest", 2025, 2024, 2023, "day", "ticks"]
    assert [preset_of(choice_of(one, ("a",))) for one in presets] == presets


def test_rulebooks_and_seasons_leave_the_newest_issue_of_each():
    book = S24.rulebook
    assert scope_of_rulebooks(HELD, [book], [], False).documents == (S25_5,)
    assert scope_of_rulebooks(HELD, [book], [2024, 2025], False).documents == (S24, S25_5)
    assert scope_of_rulebooks(HELD, [book], [2025], True).documents == (S25_4, S25_5)


def test_a_scope_is_said_in_a_line_and_as_a_whole():
    scope = resolve_scope(HELD, ScopeChoice(season=2025))
    line, whole = describe_scope(ENGLISH, scope, len(HELD), 1)
    assert line.startswith("2025 Cup Sporting Regulations\\, Issue 5")
    assert whole.startswith("Chosen")
    assert "Issue 4" in whole, "what is left out is named"


def test_long_stretches_without_a_difference_are_folded():
    same = "a b c d e f g h "
    spans = [("same", same), ("deleted", "no "), ("same", same)]
    assert list(fold_spans(spans, "same", 2)) == [
        6,
        ("same", "g h "),
        ("deleted", "no "),
        ("same", "a b "),
        6,
    ]
    assert list(fold_spans(spans, "same", 2, longest=8)) == spans


def test_ticks_in_an_address_are_the_beginnings_of_ids():
    ticked = (S24.document_id, T24.document_id)
    assert read_ticks(write_ticks(ticked), HELD) == tuple(
        one.document_id for one in HELD if one.document_id in ticked
    )
    assert read_ticks("", HELD) == read_ticks("nothing,else", HELD) == ()


def test_one_click_chooses_the_newest_a_season_or_a_document():
    choices = list_scope_choices(ENGLISH, HELD)
    assert next(iter(choices)) == ScopeChoice()
    assert choices[ScopeChoice(document=T24.document_id)] == T24.label
    assert ScopeChoice(season=2023) in choices
