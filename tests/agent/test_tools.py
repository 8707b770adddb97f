"""What the tools add to their hits, why they found each clause, and what they leave out."""

import json
from pathlib import Path

import pytest

from core.agent.tools.search import MAX_EXTRA_WORDS
from core.agent.tools.toolbox import Toolbox
from core.agent.types import ResultCoverage, ToolResult
from core.errors import ToolError
from core.library.ingestion.ingest import add_bytes
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.types import Scope

LONG = "All of this holds for every single car at all times. " * 200
SPORTING = (
    (
        "2.1",
        "Definitions",
        '"Fast Lane" means the lane of the pit lane that is next to the pit wall.',
    ),
    (
        "21.3",
        "Speed limit",
        "The speed limit is 60 km/h in the Fast Lane. A breach is dealt with under Article 38.3.",
    ),
    ("38.3", "Penalties", "The stewards may impose a reprimand."),
    ("40", "TYRES", ""),
    ("40.1", "Sets", "Each driver may use five sets of tyres. Article 41.1 holds too."),
    ("40.2", "Blankets", "Tyres may not be heated."),
    ("41.1", "Records", LONG),
    ("43.1", "Testing", "A day of testing ends at six."),
)
TECHNICAL = (
    ("12.1", "Tyre testing", "Tyre testing takes two days."),
    ("12.2", "", "Tyre testing needs a permit."),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = Library(tmp_path_factory.mktemp("tools"))
    for family, rules in (("cup-sporting", SPORTING), ("cup-technical", TECHNICAL)):
        named = [dict(zip(("article", "title", "text"), rule, strict=True)) for rule in rules]
        lines = [
            json.dumps({"document": family, "season": 2024, "family": family, **rule})
            for rule in named
        ]
        list(add_bytes(library, "\n".join(lines).encode(), f"{family}.jsonl"))
    return library


def called(library: Library, tool: str, query: str, results: int = 8) -> ToolResult:
    return Toolbox(library, results).call(
        tool, {"query": query}, resolve_scope(library.documents())
    )


def whys(result: ToolResult) -> dict[str, str]:
    return {hit.clause.article: hit.why for hit in result.clauses}


def test_a_search_brings_what_its_best_hit_refers_to_and_the_terms_it_uses(
    library: Library,
) -> None:
    assert whys(called(library, "regulation_search", "speed limit", results=1)) == {
        "21.3": "words",
        "38.3": "reference",
        "2.1": "definition",
    }


def test_the_first_rule_is_looked_up_in_every_edition_whatever_its_number_is_there(
    tmp_path: Path,
) -> None:
    library = Library(tmp_path)
    point = "A point is given to the driver in first place."
    bonus = f"{point} The fastest lap brings another one."
    for season, article, rule in ((2024, "6.4", bonus), (2025, "B6.5", point)):
        lines = [
            {"article": article, "text": rule},
            {"article": "7.1", "text": "A lap that leaves the track is not the fastest."},
        ]
        edition = {"document": f"{season} Cup", "season": season, "family": "cup"}
        text = "\n".join(json.dumps(edition | line) for line in lines)
        list(add_bytes(library, text.encode(), f"{season}.jsonl"))
    scope = Scope(library.documents(), "both seasons")
    found = Toolbox(library).call("regulation_search", {"query": "fastest lap point"}, scope)
    first = [(hit.clause.season, hit.clause.article) for hit in found.clauses[:2]]
    assert first == [(2024, "6.4"), (2025, "B6.5")]


def read(library: Library, number: str, **more: str) -> ToolResult:
    scope = resolve_scope(library.documents())
    return Toolbox(library).call("read_article", {"number": number, **more}, scope)


@pytest.mark.parametrize("number", ["40", "Article 40", "40."])
def test_an_article_is_read_with_what_is_below_it_and_where_it_leads(
    library: Library, number: str
) -> None:
    found = read(library, number)
    assert list(whys(found)) == ["40", "40.1", "40.2"]
    assert found.note == "Article 40.1 refers to 41.1: Records, page 1."


def test_a_number_that_only_its_children_bear_brings_them(library: Library) -> None:
    assert list(whys(read(library, "12"))) == ["12.1", "12.2"]
    assert list(whys(read(library, "12", document="cup-technical"))) == ["12.1", "12.2"]
    assert read(library, "38").note is None


def test_an_article_that_nothing_holds_is_said_to_be_missing(library: Library) -> None:
    found = read(library, "77.7")
    assert (found.clauses, found.note) == ((), "No document in scope has Article 77.7 in force.")
    with pytest.raises(ToolError, match="names no single document"):
        read(library, "40", document="of another club")


def test_a_long_article_is_read_whole_and_what_is_left_out_below_it_is_counted(
    tmp_path: Path,
) -> None:
    library = Library(tmp_path)
    rules = [("1", "word " * 5_000), ("1.1", "word " * 2_000), ("1.2", "word " * 2_000)]
    lines = [{"document": "Rules", "article": number, "text": text} for number, text in rules]
    list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "rules.jsonl"))
    found = read(library, "1")
    assert list(whys(found)) == ["1", "1.1"]
    assert found.coverage == ResultCoverage(2, 3)


def test_only_the_five_tools_plan(library: Library) -> None:
    toolbox = Toolbox(library)
    assert "read_article" not in [spec.name for spec in toolbox.specs]
    assert [spec.name for spec in toolbox.call_specs][5:] == ["read_article"]


def test_what_comes_along_stays_small(library: Library) -> None:
    found = called(library, "regulation_search", "how many sets may each driver use", results=1)
    assert [hit.clause.article for hit in found.clauses] == ["40.1"]
    assert len(LONG.split()) > MAX_EXTRA_WORDS


def test_a_summary_takes_an_article_that_is_on_the_topic_whole_and_no_other(
    library: Library,
) -> None:
    found = called(library, "regulation_summary", "Summarise the rules on blankets")
    assert [hit.clause.article for hit in found.clauses] == ["40.1", "40.2"]
    found = called(library, "regulation_summary", "Give an overview of Article 40")
    assert [hit.clause.article for hit in found.clauses] == ["40.1", "40.2"]
    assert found.coverage is not None
    assert (found.coverage.returned, found.coverage.relevant) == (2, 2)


def test_across_rulebooks_only_what_is_on_the_topic_has_a_place(library: Library) -> None:
    found = called(library, "general_rag", "What do the regulations say about tyre testing?")
    assert [hit.clause.article for hit in found.clauses] == ["12.1", "12.2"]
