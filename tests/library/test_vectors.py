"""Search by meaning: the vectors are of the configured model and of clauses in force only.

The model of these tests is a small one in LanceDB's registry that knows a few meanings.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cup import PIT_LANE, Add, lines
from lancedb.embeddings import TextEmbeddingFunction, get_registry, register

from core.errors import LibraryError, SettingsError
from core.library.embedding.models import EmbeddingModel
from core.library.ingestion.ingest import IngestControl, add_bytes
from core.library.integrity import check_library
from core.library.retrieval.search import article, search
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.storage.vectors import PIECE_WORDS, count_missing_vectors, embed_clauses
from core.library.types import Scope, ScopeChoice
from core.rulebook.types import Progress

MEANINGS = (
    ("speed", "rapid", "km"),
    ("penalty", "stewards", "fine", "punished"),
    ("released", "let go", "unsafe"),
)


embedded: list[str] = []
"""The texts whose vectors were made, in order."""
during: list[Callable[[], None]] = []
"""What happens, once, while vectors are made."""


class FewMeanings(TextEmbeddingFunction):
    name: str = "small"

    def ndims(self) -> int:
        return len(MEANINGS) + 1

    def generate_embeddings(self, texts: Any, *args: Any, **kwargs: Any) -> list[Any]:
        if self.name == "broken":
            raise ConnectionError("nobody answers.")
        embedded.extend(texts)
        while during:
            during.pop()()
        counts = [
            [sum(text.lower().count(word) for word in words) for words in MEANINGS]
            for text in texts
        ]
        return [[*count, 0.1] for count in counts]


if "few-meanings" not in get_registry()._functions:
    register("few-meanings")(FewMeanings)


def with_model(
    library: Library, model: str | None = None, provider: str = "few-meanings"
) -> Library:
    return Library(library.folder, "lexical", EmbeddingModel(provider, model))


def everything(library: Library) -> Scope:
    return Scope(library.documents(), "all")


@pytest.fixture
def pit_lane(library: Library, add: Add) -> Library:
    add("Rules", *PIT_LANE, season=2025)
    return with_model(library)


def test_vectors_find_what_words_do_not(pit_lane: Library) -> None:
    scope = everything(pit_lane)
    assert search(pit_lane, "How rapid?", scope, 1) == ()
    embed_clauses(pit_lane)
    for mode in ("dense", "hybrid"):
        [hit, *_] = search(pit_lane, "How rapid?", scope, mode=mode)
        assert (hit.clause.article, hit.why) == ("34.7", "vector")
    [both, *_] = search(pit_lane, "rapid in the pit lane", scope, mode="hybrid")
    assert (both.clause.article, both.why) == ("34.7", "words")


def test_an_article_named_comes_first_in_every_mode(pit_lane: Library) -> None:
    embed_clauses(pit_lane)
    for mode in ("dense", "hybrid"):
        [hit, *_] = search(
            pit_lane, "How rapid, says article 54.3?", everything(pit_lane), mode=mode
        )
        assert (hit.clause.article, hit.why) == ("54.3", "exact")


def test_scores_fall_in_every_mode(pit_lane: Library) -> None:
    embed_clauses(pit_lane)
    for mode in ("dense", "hybrid"):
        scores = [
            hit.score for hit in search(pit_lane, "unsafe speed", everything(pit_lane), mode=mode)
        ]
        assert len(scores) > 2
        assert scores == sorted(scores, reverse=True)


def test_a_library_searches_in_its_own_mode(pit_lane: Library) -> None:
    embed_clauses(pit_lane)
    library = Library(pit_lane.folder, "hybrid", pit_lane.embedding)
    assert [hit.why for hit in search(library, "How rapid?", everything(library), 1)] == ["vector"]


def test_the_scope_limits_vectors_too(pit_lane: Library, add: Add) -> None:
    add("Older", ("1", "The speed limit is 60 km/h."), season=2024)
    embed_clauses(pit_lane)
    scope = resolve_scope(pit_lane.documents(), ScopeChoice(season=2024))
    assert [hit.clause.season for hit in search(pit_lane, "How rapid?", scope, mode="dense")] == [
        2024
    ]
    assert search(pit_lane, "How rapid?", Scope((), "nothing"), mode="dense") == ()


def test_until_vectors_are_made_words_alone_rank(pit_lane: Library) -> None:
    assert count_missing_vectors(pit_lane) == 4  # the headings 34 and 54 say nothing themselves
    by_words = search(pit_lane, "speed", everything(pit_lane), mode="lexical")
    assert by_words
    assert search(pit_lane, "speed", everything(pit_lane), mode="hybrid") == by_words
    with pytest.raises(LibraryError) as caught:
        search(pit_lane, "speed", everything(pit_lane), mode="dense")
    assert caught.value.code == "vectors"
    assert "4 clauses" in caught.value.message


def test_a_long_clause_is_found_by_its_nearest_piece(library: Library, add: Add) -> None:
    paint = "The colour of the car is chosen by its team before the season begins. " * 8
    add("Rules", ("1", f"{paint}Nobody may go faster than at a speed of 50 km/h. {paint}"))
    library = with_model(library)
    embed_clauses(library)
    [hit] = search(library, "How rapid?", everything(library), mode="dense")
    assert "50 km/h" in hit.near_words
    assert len(hit.near_words.split()) <= PIECE_WORDS < len(hit.clause.text.split())


def test_progress_is_reported_and_nothing_is_embedded_twice(pit_lane: Library) -> None:
    reported: list[Progress] = []
    assert embed_clauses(pit_lane, reported.append) == 4
    assert reported == [Progress("embedding", 4, 4)]
    assert embed_clauses(pit_lane) == 0
    assert count_missing_vectors(pit_lane) == 0


def test_only_the_scope_is_embedded_where_one_is_given(pit_lane: Library, add: Add) -> None:
    add("Older", ("1", "The speed limit is 60 km/h."), season=2024)
    scope = resolve_scope(pit_lane.documents(), ScopeChoice(season=2024))
    assert embed_clauses(pit_lane, scope=scope) == 1
    assert (count_missing_vectors(pit_lane, scope), count_missing_vectors(pit_lane)) == (0, 4)


def test_a_new_issue_takes_the_vectors_of_what_did_not_change(pit_lane: Library, add: Add) -> None:
    embed_clauses(pit_lane)
    newer = add("Rules", *PIT_LANE, ("90", "Nobody is rapid here."), season=2026)
    embedded.clear()
    embed_clauses(pit_lane)
    assert embedded == ["Nobody is rapid here."]
    scope = Scope((newer,), "the newer")
    for query, article_number in (("How rapid?", "90"), ("punished", "54.3")):
        [hit, *_] = search(pit_lane, query, scope, mode="dense")
        assert hit.clause.article == article_number


def test_a_document_that_is_read_again_keeps_the_vectors_of_what_did_not_change(
    pit_lane: Library,
) -> None:
    embed_clauses(pit_lane)
    [document] = pit_lane.documents()
    first, *others, last = pit_lane.clauses(document.document_id)
    changed = replace(others[1], text="Nobody is rapid here."), replace(last, status="deleted")
    name = pit_lane.find_entry(document.document_id)[1]
    pit_lane.replace_document(
        name, (document, (first, others[0], changed[0], *others[2:], changed[1]))
    )
    assert count_missing_vectors(pit_lane) == 1
    embedded.clear()
    assert embed_clauses(pit_lane) == 1
    assert embedded == ["Nobody is rapid here."]
    found = search(pit_lane, "punished", everything(pit_lane), mode="dense")
    assert last.clause_id not in {hit.clause.clause_id for hit in found}


def test_vectors_of_words_that_were_replaced_meanwhile_are_not_kept(pit_lane: Library) -> None:
    [document] = pit_lane.documents()
    clauses = pit_lane.clauses(document.document_id)
    name = pit_lane.find_entry(document.document_id)[1]
    changed = [replace(one, text=one.text and f"{one.text} Nobody minds.") for one in clauses]
    during.append(lambda: pit_lane.replace_document(name, (document, changed)))
    embed_clauses(pit_lane)
    assert count_missing_vectors(pit_lane) == 4
    assert embed_clauses(pit_lane) == 4
    assert count_missing_vectors(pit_lane) == 0


def test_another_model_replaces_all_vectors(pit_lane: Library) -> None:
    embed_clauses(pit_lane)
    other = with_model(pit_lane, "other")
    assert count_missing_vectors(other) == 4
    assert embed_clauses(other) == 4
    assert (
        count_missing_vectors(pit_lane) == 4
    )  # the library held open all the while does not take the other's for its own
    with pytest.raises(LibraryError):
        search(pit_lane, "How rapid?", everything(pit_lane), mode="dense")
    assert search(other, "How rapid?", everything(other), mode="dense")[0].clause.article == "34.7"


@pytest.mark.slow
def test_a_documents_vectors_are_removed_with_it(pit_lane: Library, add: Add) -> None:
    older = add("Older", ("1", "The speed limit is 60 km/h."), season=2024)
    embed_clauses(pit_lane)
    pit_lane.remove_document(older.document_id)
    assert count_missing_vectors(pit_lane) == 0
    found = search(pit_lane, "How rapid?", everything(pit_lane), mode="dense")
    assert {hit.clause.season for hit in found} == {2025}
    add("Older", ("1", "The speed limit is 60 km/h."), season=2024)
    assert count_missing_vectors(pit_lane) == 1


def test_adding_embeds_where_the_library_searches_by_vectors(library: Library) -> None:
    dense = Library(library.folder, "dense", EmbeddingModel("few-meanings"))
    reported: list[Progress] = []
    control = IngestControl(reported.append)
    [addition] = add_bytes(dense, lines("Cup", *PIT_LANE), "cup.jsonl", control=control)
    assert (addition.status, count_missing_vectors(dense)) == ("added", 0)
    assert reported == [Progress("storing", 0, 0), Progress("embedding", 4, 4)]


def test_a_check_makes_the_vectors_that_an_interrupted_adding_left_out(
    library: Library, add: Add
) -> None:
    add("Cup", *PIT_LANE)
    dense = Library(library.folder, "dense", EmbeddingModel("few-meanings"))
    [finding] = check_library(dense)
    assert (finding.code, finding.mended, count_missing_vectors(dense)) == ("vectors", True, 0)
    assert "4 clauses had no vectors" in finding.message
    assert list(check_library(dense)) == []


def test_a_document_stays_where_its_vectors_fail(library: Library) -> None:
    dense = Library(library.folder, "dense", EmbeddingModel("few-meanings", "broken"))
    added, failed = add_bytes(dense, lines("Cup", *PIT_LANE), "cup.jsonl")
    assert (added.status, failed.status, failed.code) == ("added", "failed", "embedding")
    assert "few-meanings/broken: nobody answers." in (failed.message or "")
    assert article(dense, "34.7", everything(dense)).clause is not None


@pytest.mark.parametrize("provider", ["no such provider", "openai"])
def test_an_unknown_provider_is_an_error(pit_lane: Library, provider: str) -> None:
    with pytest.raises((SettingsError, LibraryError), match=provider):
        search(with_model(pit_lane, provider=provider), "speed", everything(pit_lane), mode="dense")


def test_clauses_without_vectors_by_nature_are_found_by_words(library: Library, add: Add) -> None:
    add("Rules", ("1", "", "Speed"), ("2", "Nothing else."))
    held = with_model(library)
    assert embed_clauses(held) == 1
    assert [
        hit.clause.article for hit in search(held, "nothing", everything(held), mode="hybrid")
    ] == ["2"]


@pytest.mark.parametrize(
    "query", ["日本語", "' OR 1=1; --", "x" * 10_000, "\ud800 rapid \x00", '"rapid"']
)
def test_odd_queries_break_no_mode(pit_lane: Library, query: str) -> None:
    embed_clauses(pit_lane)
    for mode in ("dense", "hybrid"):
        assert len(search(pit_lane, query, everything(pit_lane), mode=mode)) <= 10
    with pytest.raises(LibraryError):
        search(pit_lane, "the of and", everything(pit_lane), mode="dense")


def test_an_untouched_library_has_no_vectors_to_make(tmp_path: Path) -> None:
    library = with_model(Library(tmp_path / "new"))
    assert (count_missing_vectors(library), embed_clauses(library)) == (0, 0)
    assert search(library, "speed", everything(library), mode="dense") == ()
