"""The penalty table, by breach or by sanction."""

import pytest

from core.agent.tools.toolbox import Toolbox
from core.agent.types import ToolResult
from core.grammar import find_sanctions
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.types import ScopeChoice
from tests.made_once import SHELF, needs_shelf, read_once
from tests.registers.rules import make_penalty_library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_penalty_library(tmp_path_factory.mktemp("penalties"))


def looked_up(library: Library, query: str) -> ToolResult:
    return Toolbox(library).call(
        "penalty_lookup", {"query": query}, resolve_scope(library.documents())
    )


def test_the_rule_on_the_breach_comes_before_the_list_of_penalties(library: Library) -> None:
    articles = [
        row.article for row in looked_up(library, "speeding in the pit lane in a race").rows
    ]
    assert articles[0] in ("21.4", "21.5")
    assert articles.index("21.5") < articles.index("38.3c)")


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


def test_a_breach_without_a_sanction_is_said_to_have_none_only_where_no_clause_names_one(
    library: Library,
) -> None:
    for query in ("wearing a yellow hat on the podium", "noise of the fans"):
        found = looked_up(library, query)
        names_one = any(find_sanctions(hit.clause.text) for hit in found.clauses)
        opening = "Sanctions are named here, none of them" if names_one else "No clause in scope"
        assert (found.note or "").startswith(opening)


@pytest.mark.slow
@needs_shelf
def test_an_unsafe_release_in_2025_has_its_stop_and_go_in_words(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    file = SHELF / "fia_f1_2025_sporting_iss05_2025-04-30.pdf"
    library = Library(read_once(tmp_path_factory, file))
    query = "What is the penalty for an unsafe release in 2025?"
    rows = (
        Toolbox(library)
        .call(
            "penalty_lookup",
            {"query": query},
            resolve_scope(library.documents(), ScopeChoice(), query),
        )
        .rows
    )
    assert rows[0].article.startswith("34.14")
    race = next(row for row in rows if row.article == "34.14d)")
    assert "released in an unsafe condition during a sprint session or a race" in race.breach
    followed = "A ten second stop-and-go time penalty. The driver must enter the pit lane"
    assert f"→ Article 54.3d): {followed}" in race.sanction
    assert (race.page, race.decided_by) == (42, "stewards")
