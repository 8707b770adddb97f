"""The penalty table, by breach or by sanction: every cell is the rule's own words."""

import json
from pathlib import Path

import pytest

from core.agent.tools.penalties import threatens_sanction
from core.agent.tools.toolbox import Toolbox
from core.agent.types import PenaltyRow, ToolResult
from core.library.ingestion.ingest import add_bytes, add_file
from core.library.scope import resolve_question_scope, resolve_scope
from core.library.storage.library import Library
from core.library.types import ScopeChoice

RULEBOOKS = Path(__file__).parents[3] / "shared" / "rulebooks"
RULES = (
    ("21.3", "Speed limit", "The speed limit in the pit lane is 60 km/h."),
    (
        "21.4",
        "",
        "A driver who exceeds the limit in the pit lane in practice is fined €100 for each km/h,"
        " unless it rains.",
    ),
    (
        "21.5",
        "",
        "A driver who exceeds the limit in the pit lane in a race receives a penalty under"
        " Article 38.3 c) or d).",
    ),
    (
        "21.6",
        "",
        "If a car is released in an unsafe condition, the stewards may drop the driver three grid"
        " places.",
    ),
    (
        "22.1",
        "",
        "A penalty under Article 38.3 d) will be imposed on any driver who refuels in a race.",
    ),
    (
        "22.2",
        "",
        "The suspension of the car must not be changed."
        " Cars starting from the pit lane wait at its end.",
    ),
    ("36.1", "", "A driver who is late is fined €300, and a driver who is absent is fined €1,500."),
    (
        "38.3",
        "",
        "The stewards may impose any of the penalties below on a driver:\n"
        "a) A time penalty.\nb) A reprimand.\n"
        "c) A drive-through penalty. The driver rejoins without stopping.\n"
        "d) A ten second stop-and-go penalty. The driver stops for ten seconds.\n"
        "If any is imposed, it is final.",
    ),
    (
        "38.4",
        "",
        "A penalty under Article 38.3 c) must be served within two laps"
        " and is not subject to appeal.",
    ),
    (
        "40.5",
        "",
        "A team which exceeds the amount:\na) by less than 3% is fined;\n"
        "b) by more loses at least 20 points.",
    ),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = Library(tmp_path_factory.mktemp("penalties"))
    lines = (
        {
            "document": "Cup Rules",
            "article": article,
            "title": title,
            "text": text,
            "season": 2024,
            "family": "cup",
        }
        for article, title, text in RULES
    )
    list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "cup.jsonl"))
    return library


def looked_up(library: Library, query: str) -> ToolResult:
    return Toolbox(library).call(
        "penalty_lookup", {"query": query}, resolve_scope(library.documents())
    )


def row(library: Library, query: str, article: str) -> PenaltyRow:
    return next(row for row in looked_up(library, query).rows if row.article == article)


def test_the_rule_on_the_breach_comes_before_the_list_of_penalties(library: Library) -> None:
    articles = [
        row.article for row in looked_up(library, "speeding in the pit lane in a race").rows
    ]
    assert articles[0] in ("21.4", "21.5")
    assert articles.index("21.5") < articles.index("38.3c)")


def test_breach_sanction_and_condition_are_the_rules_own_words(library: Library) -> None:
    fined = row(library, "exceeds the limit in practice", "21.4")
    assert fined.breach.endswith("A driver who exceeds the limit in the pit lane in practice")
    assert fined.sanction.startswith("is fined €100 for each km/h")
    assert fined.conditions == "unless it rains"
    assert fined.kinds == ("fine",)


def test_a_penalty_named_by_its_article_brings_that_items_words_and_no_more(
    library: Library,
) -> None:
    followed = row(library, "refuels in a race", "22.1")
    assert followed.breach.endswith("any driver who refuels in a race.")
    assert followed.sanction == (
        "A penalty under Article 38.3 d) will be imposed → Article 38.3d):"
        " A ten second stop-and-go penalty. The driver stops for ten seconds."
    )
    assert followed.kinds == ("stop-and-go penalty",)


def test_letters_behind_an_article_are_followed_too(library: Library) -> None:
    assert row(library, "exceeds the limit in a race", "21.5").kinds == (
        "drive-through penalty",
        "stop-and-go penalty",
    )


def test_the_case_is_the_breach_and_the_main_clause_the_sanction(library: Library) -> None:
    unsafe = row(library, "unsafe release", "21.6")
    assert unsafe.breach == "If a car is released in an unsafe condition"
    assert unsafe.sanction == "the stewards may drop the driver three grid places."
    assert unsafe.decided_by == "stewards"


def test_items_and_halves_of_a_sentence_have_rows_of_their_own(library: Library) -> None:
    over = [
        row
        for row in looked_up(library, "team which exceeds the amount").rows
        if row.article.startswith("40.5")
    ]
    assert [(row.article, row.kinds) for row in over] == [
        ("40.5a)", ("fine",)),
        ("40.5b)", ("deduction of points",)),
    ]
    assert over[0].breach == "A team which exceeds the amount: by less than 3%"
    late = [
        row.sanction
        for row in looked_up(library, "driver late or absent").rows
        if row.article == "36.1"
    ]
    assert late == ["is fined €300", "is fined €1,500."]


def test_a_sanction_asked_for_brings_every_rule_that_threatens_it(library: Library) -> None:
    found = looked_up(library, "What gets a drive-through?")
    assert [row.article for row in found.rows] == ["21.5", "38.3c)"]
    assert {hit.clause.article for hit in found.clauses} >= {"21.5", "38.3"}
    assert (
        looked_up(library, "Which offences lead to expulsion?").note
        == "No clause in scope names this: expulsion."
    )


def test_what_speaks_of_penalties_and_threatens_none_is_no_row(library: Library) -> None:
    rows = looked_up(library, "suspension of the car, penalty served within two laps").rows
    assert not {"22.2", "38.4"} & {row.article for row in rows}


def test_a_text_that_says_how_penalties_are_imposed_threatens_none() -> None:
    assert threatens_sanction("A driver who jumps the start receives a drive-through penalty.")
    assert not threatens_sanction("Unless a driver is to blame no penalty will be imposed.")


def test_a_breach_without_a_sanction_is_said_to_have_none(library: Library) -> None:
    note = looked_up(library, "wearing a yellow hat on the podium").note
    assert note is not None
    assert note.startswith("No clause in scope names a sanction for")


@pytest.mark.slow
@pytest.mark.skipif(
    not RULEBOOKS.is_dir(), reason="the published rulebooks are not beside the project"
)
def test_an_unsafe_release_in_2025_has_its_stop_and_go_in_words(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    list(add_file(library, RULEBOOKS / "fia_f1_2025_sporting_iss05_2025-04-30.pdf"))
    query = "What is the penalty for an unsafe release in 2025?"
    rows = (
        Toolbox(library)
        .call(
            "penalty_lookup",
            {"query": query},
            resolve_question_scope(library.documents(), ScopeChoice(), query),
        )
        .rows
    )
    assert rows[0].article.startswith("34.14")
    race = next(row for row in rows if row.article == "34.14d)")
    assert "released in an unsafe condition during a sprint session or a race" in race.breach
    followed = "A ten second stop-and-go time penalty. The driver must enter the pit lane"
    assert f"→ Article 54.3d): {followed}" in race.sanction
    assert (race.page, race.decided_by) == (42, "stewards")
