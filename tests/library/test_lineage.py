"""Each clause keeps one id through all editions of its rulebook, whatever its number and words."""

import time
from pathlib import Path
from typing import Any

import pytest
from cup import Add, add_rulebook, lines

from core.library import ClauseHistory, Document, Library, check_library, read_lineage
from core.library.ingestion.ingest import add_bytes
from core.rulebook import MetadataOverride

pytestmark = pytest.mark.slow

BELTS = "Each driver must wear a harness with six straps that is fixed to the chassis."
WIDER = "Each driver must wear a harness with six straps, 50 mm wide, that is fixed to the chassis."
LADDER = "Every ladder in the garage has to be fixed to the floor."
HELMET = "Drivers must wear a helmet at all times while the car is moving."
DOGS = "Animals are forbidden in the paddock, save those of the security services."

ISSUES: dict[int, tuple[tuple[str, ...], ...]] = {
    1: (("1.1", LADDER), ("1.2", BELTS), ("1.3", HELMET)),
    2: (("1.1", BELTS), ("1.2", HELMET), ("1.3", DOGS)),
    3: (("1.1", WIDER), ("1.2", HELMET), ("1.3", DOGS)),
    4: (("1.1", WIDER), ("1.2", HELMET), ("1.3", DOGS), ("1.4", LADDER)),
}


def add_issue(add: Add, number: int, **identity: Any) -> Document:
    told = {"family": "cup", "season": 2025, "issue": number}
    return add(f"Cup {number}", *ISSUES[number], **(told | identity))


def ids_of(library: Library) -> dict[tuple[int | None, str], str | None]:
    """The stable id of each clause by its issue and number."""
    lineage = read_lineage(library, library.documents()[0])
    return {
        (document.issue, clause.article): lineage.stable_id(clause.clause_id)
        for document in library.documents()
        for clause in library.clauses(document.document_id)
    }


@pytest.fixture
def cup(library: Library, add: Add) -> dict[int, Document]:
    return {number: add_issue(add, number) for number in ISSUES}


def test_an_id_survives_a_new_number_and_new_words(
    library: Library, cup: dict[int, Document]
) -> None:
    ids = ids_of(library)
    assert ids[1, "1.2"] == ids[2, "1.1"] == ids[3, "1.1"] == ids[4, "1.1"]
    assert ids[1, "1.3"] == ids[4, "1.2"]
    assert len({ids[1, "1.1"], ids[1, "1.2"], ids[1, "1.3"], ids[2, "1.3"]}) == 4


def test_a_rule_that_comes_back_in_its_first_words_has_its_id_again(
    library: Library, cup: dict[int, Document]
) -> None:
    ids = ids_of(library)
    assert ids[1, "1.1"] == ids[4, "1.4"]


def test_the_history_tells_issues_numbers_and_wordings(
    library: Library, cup: dict[int, Document]
) -> None:
    newest = library.clauses(cup[4].document_id)[0]
    history = ClauseHistory(library, newest)
    assert [
        (entry.issue, entry.article, entry.place, entry.wording) for entry in history.entries
    ] == [
        (1, "1.2", "added", "changed"),
        (2, "1.1", "renumbered", "same"),
        (3, "1.1", "same", "changed"),
        (4, "1.1", "same", "same"),
    ]
    assert [entry.text for entry in history.entries] == [BELTS, None, WIDER, None]
    since = history.find_wording_since()
    assert since is not None
    assert since.issue == 3


def test_an_item_has_its_words_since_an_edition_of_its_own(library: Library) -> None:
    for issue, text in enumerate(
        ("Bring:\na) one jack;\nb) two belts.", "Bring:\na) a lamp;\nb) one jack;\nc) six belts."),
        1,
    ):
        newest = add_rulebook(library, f"Bowl {issue}", ("1", text), family="bowl", issue=issue)
    [clause] = library.clauses(newest.document_id)
    history = ClauseHistory(library, clause)
    since = {part: history.find_wording_since(part) for part in ("b)", "c)", None)}
    assert {part: entry and entry.issue for part, entry in since.items()} == {
        "b)": 1,
        "c)": 2,
        None: 2,
    }


@pytest.mark.parametrize("order", [(4, 3, 2, 1), (2, 4, 1, 3)])
def test_the_order_of_adding_makes_no_difference(
    order: tuple[int, ...], tmp_path: Path, library: Library, cup: dict[int, Document]
) -> None:
    other = Library(tmp_path / "other")
    for number in order:
        told = {"family": "cup", "season": 2025, "issue": number}
        [_] = add_bytes(other, lines(f"Cup {number}", *ISSUES[number], **told), "cup.jsonl")
    assert ids_of(other) == ids_of(library)


def test_a_document_that_leaves_or_changes_its_place_is_no_longer_in_the_history(
    library: Library, cup: dict[int, Document]
) -> None:
    library.remove_document(cup[3].document_id)
    library.correct_metadata(cup[2].document_id, MetadataOverride(family="another"))
    newest = library.clauses(cup[4].document_id)[0]
    assert [entry.issue for entry in ClauseHistory(library, newest).entries] == [1, 4]


def test_a_damaged_record_is_made_again_by_check(
    library: Library, cup: dict[int, Document]
) -> None:
    ids = ids_of(library)
    [record] = (library.folder / "lineage").glob("*.json")
    record.write_bytes(record.read_bytes().replace(b"renumbered", b"moved"))
    findings = list(check_library(library))
    assert [(finding.code, finding.mended) for finding in findings] == [("lineage", True)]
    assert list(check_library(library)) == []
    assert ids_of(library) == ids


def test_a_question_follows_a_rule_as_it_was_while_its_lineage_is_built_again(
    library: Library, cup: dict[int, Document]
) -> None:
    [record] = (library.folder / "lineage").glob("*.json")
    before = record.read_bytes()
    library.correct_metadata(cup[2].document_id, MetadataOverride(date="2025-03-01"))
    helmet = library.clauses(cup[4].document_id)[1]
    found = list(ClauseHistory(library, helmet).find_counterparts([cup[1], cup[3]]))
    assert [clause.article for clause in found] == ["1.3", "1.2"]
    end = time.monotonic() + 60
    while record.read_bytes() == before and time.monotonic() < end:
        time.sleep(0.05)
    assert record.read_bytes() != before
    assert ClauseHistory(library, helmet).entries[1].date == "2025-03-01"


def test_two_rules_of_the_same_words_have_two_ids(library: Library, add: Add) -> None:
    add("Cup", ("1.1", DOGS), ("2.1", DOGS), ("3.1", DOGS), family="cup")
    assert len(set(ids_of(library).values())) == 3


def test_a_document_of_no_family_has_ids_of_its_own(library: Library, add: Add) -> None:
    clauses = [library.clauses(add(name, ("1.1", DOGS)).document_id)[0] for name in "AB"]
    lineages = [read_lineage(library, document) for document in library.documents()]
    ids = {lineage.stable_id(c.clause_id) for c in clauses for lineage in lineages} - {None}
    assert len(ids) == 2
