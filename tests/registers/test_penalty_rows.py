"""Sentences of rules as rows of a penalty table: every cell is the rule's own words."""

from dataclasses import replace

import pytest

from core.library import article
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.registers.penalties import (
    PENALTIES,
    PenaltyRow,
    find_lead_in,
    find_penalties,
    threatens_sanction,
)
from tests.registers.rules import make_penalty_library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_penalty_library(tmp_path_factory.mktemp("penalties"))


def rows_of(library: Library, article: str) -> list[PenaltyRow]:
    scope = resolve_scope(library.documents())
    [document] = scope.documents
    clauses = library.clauses(document.document_id)
    clause = next(clause for clause in clauses if clause.article == article)
    [(_, penalties)] = find_penalties(library, scope, [clause])
    return list(penalties.rows)


def test_breach_sanction_and_condition_are_the_rules_own_words(library: Library) -> None:
    fined = rows_of(library, "21.4")[0]
    assert fined.breach.endswith("A driver who exceeds the limit in the pit lane in practice")
    assert fined.sanction.startswith("is fined €100 for each km/h")
    assert fined.conditions == "unless it rains"
    assert fined.kinds == ("fine",)


def test_a_penalty_named_by_its_article_brings_that_items_words_and_no_more(
    library: Library,
) -> None:
    followed = rows_of(library, "22.1")[0]
    assert followed.breach.endswith("any driver who refuels in a race.")
    assert followed.sanction == (
        "A penalty under Article 38.3 d) will be imposed → Article 38.3d):"
        " A ten second stop-and-go penalty. The driver stops for ten seconds."
    )
    assert followed.kinds == ("stop-and-go penalty",)


def test_letters_behind_an_article_are_followed_too(library: Library) -> None:
    assert rows_of(library, "21.5")[0].kinds == (
        "drive-through penalty",
        "stop-and-go penalty",
    )


def test_the_case_is_the_breach_and_the_main_clause_the_sanction(library: Library) -> None:
    unsafe = rows_of(library, "21.6")[0]
    assert unsafe.breach == "If a car is released in an unsafe condition"
    assert unsafe.sanction == "the stewards may drop the driver three grid places."
    assert unsafe.decided_by == "stewards"


def test_items_and_halves_of_a_sentence_have_rows_of_their_own(library: Library) -> None:
    over = rows_of(library, "40.5")
    assert [(row.article, row.kinds) for row in over] == [
        ("40.5a)", ("fine",)),
        ("40.5b)", ("deduction of points",)),
    ]
    assert over[0].breach == "A team which exceeds the amount: by less than 3%"
    late = rows_of(library, "36.1")
    assert [row.sanction for row in late] == ["is fined €300", "is fined €1,500."]


def test_what_speaks_of_penalties_and_threatens_none_is_no_row(library: Library) -> None:
    assert not rows_of(library, "22.2")
    assert not rows_of(library, "38.4")


def test_a_text_that_says_how_penalties_are_imposed_threatens_none() -> None:
    assert threatens_sanction("A driver who jumps the start receives a drive-through penalty.")
    assert not threatens_sanction("Unless a driver is to blame no penalty will be imposed.")
    assert not threatens_sanction("For example, a driver who is late twice would be fined twice.")
    assert not threatens_sanction("All fines must be paid within a week.")
    assert threatens_sanction("A driver who has not paid a fine is disqualified.")


def test_a_general_list_of_penalties_is_known_as_one(library: Library) -> None:
    scope = resolve_scope(library.documents())
    clauses = library.clauses(scope.documents[0].document_id)
    found = find_penalties(library, scope, clauses)
    lists = [clause.article for clause, penalties in found if penalties.is_list]
    assert lists == ["38.3"]


def test_what_is_kept_with_a_document_is_what_is_read_of_it(library: Library) -> None:
    scope = resolve_scope(library.documents())
    [document] = scope.documents
    clauses = library.clauses(document.document_id)
    read = find_penalties(library, scope, clauses)
    PENALTIES.remake(library, document)
    assert find_penalties(library, scope, clauses) == read
    assert any(penalties.rows for _, penalties in read)


def test_rows_that_are_kept_are_not_read_again(library: Library) -> None:
    scope = resolve_scope(library.documents())
    [document] = scope.documents
    replace(PENALTIES, make=lambda *_: {}).remake(library, document)
    assert not rows_of(library, "21.4")
    PENALTIES.remake(library, document)
    assert rows_of(library, "21.4")


def test_a_penalty_in_a_condition_alone_is_none_and_seconds_on_the_time_are_one() -> None:
    late = "If a penalty is imposed in the last two laps, Article 7 does not apply."
    assert not threatens_sanction(late)
    assert threatens_sanction(f"{late} Instead 30 seconds are added to the race time.")
    assert threatens_sanction("If one is late, a fine is due.")


def test_a_clause_cut_to_an_item_has_the_rows_of_that_item_alone(library: Library) -> None:
    scope = resolve_scope(library.documents())
    cut = article(library, "40.5b)", scope).clause
    PENALTIES.remake(library, scope.documents[0])
    [(_, penalties)] = find_penalties(library, scope, [cut])
    assert [row.article for row in penalties.rows] == ["40.5b)"]


def test_the_lead_in_of_an_item_is_the_one_before_it() -> None:
    text = "For the plank:\na) it is flat;\nb) it is long.\nThis is measured.\n"
    text += "For the skids:\nc) they are of metal."
    assert find_lead_in(text, "b)") == "For the plank:"
    assert find_lead_in(text, "c)") == "For the skids:"
    assert find_lead_in("a) flat", "a)") is None
