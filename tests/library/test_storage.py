"""Storage: no partial write is visible, nothing is lost, and corrections win over what was read."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cup import PIT_LANE, Add, lines
from lancedb import col, lit

from core.errors import LibraryError
from core.library.ingestion import ingest
from core.library.integrity import check_library
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.errors import wrap_lancedb_errors
from core.library.storage.library import Library
from core.library.storage.schema import clause_rows
from core.library.types import Scope
from core.rulebook.types import MetadataOverride


def test_a_library_that_never_held_anything_is_untouched(library: Library, add: Add) -> None:
    assert library.untouched
    assert library.documents() == ()
    document = add("Rules", *PIT_LANE)
    assert not library.untouched
    library.remove_document(document.document_id)
    assert not library.untouched
    assert library.documents() == ()


def test_a_failed_file_leaves_a_library_untouched(library: Library) -> None:
    [addition] = ingest.add_bytes(library, b"no rulebook at all", "letter.pdf")
    assert (addition.status, addition.code) == ("failed", "not_pdf")
    assert library.untouched


def test_documents_come_by_family_season_and_issue(library: Library, add: Add) -> None:
    add("B", *PIT_LANE, family="sporting", season=2025, issue=4)
    add("A", *PIT_LANE, family="sporting", season=2024, issue=6)
    add("C", *PIT_LANE, family="financial", season=2025, issue=1)
    assert [document.title for document in library.documents()] == ["C", "A", "B"]


def test_clauses_come_back_whole_and_in_reading_order(library: Library, add: Add) -> None:
    document = add("Rules", *PIT_LANE, season=2025, issue=4, family="sporting")
    clauses = library.clauses(document.document_id)
    assert [clause.article for clause in clauses] == [article for article, *_ in PIT_LANE]
    assert clauses[2].text == "A speed limit of 80km/h will be imposed in the pit lane."
    assert {(clause.season, clause.issue, clause.family) for clause in clauses} == {
        (2025, 4, "sporting")
    }
    assert library.clause(clauses[2].clause_id) == clauses[2]
    assert library.clause("nowhere:1") is None


@pytest.mark.slow
def test_who_reads_while_a_document_is_replaced_finds_the_old_clauses_or_the_new(
    library: Library, add: Add
) -> None:
    document = add("Rules", *PIT_LANE)
    every = library.clauses(document.document_id)
    few = every[:3]
    name = library.find_entry(document.document_id)[1]

    def replace_often() -> None:
        for clauses in (few, every) * 5:
            shorter = replace(document, clauses=len(clauses))
            library.replace_document(name, (shorter, clauses))

    reader = Library(library.folder)
    with ThreadPoolExecutor(1) as writer:
        writing = writer.submit(replace_often)
        while not writing.done():
            assert reader.clauses(document.document_id) in (every, few)
            assert search(reader, "speed limit", resolve_scope(reader.documents()))
    writing.result()
    assert reader.clauses(document.document_id) == every


def test_clauses_that_are_there_twice_are_there_once_after_a_check(
    library: Library, add: Add
) -> None:
    document = add("Rules", *PIT_LANE)
    clauses = library.clauses(document.document_id)
    table = library.tables.clauses_table()
    assert table is not None
    table.add(clause_rows(clauses[:3]))
    assert [finding.mended for finding in check_library(library)] == [True, True]
    assert library.clauses(document.document_id) == clauses
    assert list(check_library(library)) == []


@pytest.mark.slow
def test_a_small_rulebook_in_a_large_library_is_found_before_it_is_indexed(
    library: Library, add: Add
) -> None:
    add("Large", *((str(number), f"Gate {number} is open.") for number in range(1, 10_100)))
    small = add("Small", *PIT_LANE)
    table = library.tables.clauses_table()
    assert table is not None
    assert {index.num_unindexed_rows for index in table.list_indices()} == {small.rows}
    for scope in (resolve_scope(library.documents()), Scope((small,), "the small one")):
        [hit, *_] = search(library, "speed limit in the pit lane", scope)
        assert (hit.clause.article, hit.clause.document_id) == ("34.7", small.document_id)
    assert list(check_library(library)) == []


@pytest.mark.slow
def test_the_list_of_documents_stays_in_few_files(library: Library, add: Add) -> None:
    document = add("Rules", *PIT_LANE)
    for number in range(100):
        another = replace(document, document_id=f"{number:064}")
        library.tables.add_entries([(another, "rules.jsonl")])
    assert len(library.tables.read_manifest()) == 101
    stats: Any = library.tables.manifest_table.stats()
    assert stats["fragment_stats"]["num_fragments"] < 40


def test_a_document_is_named_by_the_beginning_of_its_id(library: Library, add: Add) -> None:
    document = add("Rules", *PIT_LANE)
    assert library.document(document.document_id[:8]) == document
    for unknown in (document.document_id[:7], "0123456789", "", "' OR 1=1 --", "\ud800"):
        with pytest.raises(LibraryError) as caught:
            library.document(unknown)
        assert caught.value.code == "unknown_document"


def test_a_person_corrects_the_metadata(library: Library, add: Add) -> None:
    document = add("Rules", *PIT_LANE, season=2024)
    described = library.correct_metadata(
        document.document_id, MetadataOverride(season=2025, issue=3, date="2025-02-26")
    )
    assert (described.season, described.issue, described.date) == (2025, 3, "2025-02-26")
    assert described.sources["season"] == "given"
    assert library.documents() == (described,)
    assert {clause.season for clause in library.clauses(document.document_id)} == {2025}
    [hit, *_] = search(library, "speed limit", resolve_scope(library.documents()))
    assert (hit.clause.season, hit.clause.issue) == (2025, 3)


def test_files_are_kept_by_their_hash_for_their_owner_only(library: Library) -> None:
    [addition] = ingest.add_bytes(library, lines("Rules", *PIT_LANE), "../../etc/passwd.jsonl")
    assert addition.document is not None
    stored = library.stored_file(addition.document.document_id)
    assert stored is not None
    assert stored.parent == library.folder / "files"
    assert stat.S_IMODE(stored.stat().st_mode) == 0o600
    assert stat.S_IMODE(library.folder.stat().st_mode) == 0o700
    assert addition.document.file == "../../etc/passwd.jsonl"
    library.remove_document(addition.document.document_id)
    assert list(stored.parent.iterdir()) == []


def test_a_document_is_removed_without_a_word_of_damage(
    library: Library, add: Add, caplog: pytest.LogCaptureFixture
) -> None:
    document = add("Rules", *PIT_LANE)
    library.remove_document(document.document_id)
    assert caplog.messages == []
    assert library.clean_up_leftovers() == ()


def test_one_file_of_two_documents_stays_until_both_are_removed(library: Library) -> None:
    both = lines("One", *PIT_LANE) + b"\n" + lines("Two", *PIT_LANE)
    one, two = (addition.document for addition in ingest.add_bytes(library, both, "both.jsonl"))
    assert one is not None
    assert two is not None
    library.remove_document(one.document_id)
    assert library.stored_file(two.document_id) is not None
    assert len(library.clauses(two.document_id)) == len(PIT_LANE)


def test_leftovers_of_a_writer_that_was_cut_off_are_never_seen_and_swept(
    library: Library, add: Add
) -> None:
    document = add("Rules", *PIT_LANE)
    table = library.tables.clauses_table()
    assert table is not None
    leftover = library.clauses(document.document_id)[2]
    orphan = type(leftover)(
        **{**_fields(leftover), "document_id": "0" * 64, "clause_id": f"{'0' * 64}:34.7"}
    )
    table.add(clause_rows([orphan]))
    (library.folder / "files" / "half.pdf.part").write_bytes(b"%PDF")
    found = search(library, "speed limit", resolve_scope(library.documents()))
    assert {hit.clause.document_id for hit in found} == {document.document_id}
    assert library.clause(orphan.clause_id) is None
    add("Other", ("1", "Another rule."))
    assert table.count_rows() == len(PIT_LANE) + 1
    assert not (library.folder / "files" / "half.pdf.part").exists()


def test_lone_surrogates_and_nul_are_replaced(library: Library) -> None:
    text = rb"A speed\u0000 limit \udfff applies"
    broken = b'{"document": "R", "article": "1", "text": "%s", "title": "T"}' % text
    [addition] = ingest.add_bytes(library, broken, "broken\udcff.jsonl")
    assert addition.document is not None, addition.message
    [clause] = library.clauses(addition.document.document_id)
    assert clause.text == "A speed\ufffd limit \ufffd applies"
    clause.text.encode()
    addition.document.file.encode()
    addition.file.encode()


def test_a_damaged_library_says_so(library: Library, add: Add) -> None:
    add("Rules", *PIT_LANE)
    for manifest in (library.folder / "index" / "documents.lance" / "_versions").iterdir():
        manifest.write_bytes(b"junk")
    with pytest.raises(LibraryError) as caught:
        Library(library.folder).documents()
    assert caught.value.code == "damaged"
    assert "core check" in caught.value.message
    assert str(library.folder) in caught.value.message


def test_nothing_found_over_a_damaged_filter_says_so(library: Library, add: Add) -> None:
    add("Rules", *PIT_LANE)
    told = set()
    for path in (library.folder / "index").rglob("bitmap_page_lookup.lance"):
        intact = path.read_bytes()
        for start in range(0, len(intact), 64):
            path.write_bytes(intact[:start] + bytes(64) + intact[start + 64 :])
            try:
                opened = Library(library.folder)
                assert search(opened, "speed limit", resolve_scope(opened.documents()))
            except LibraryError as error:
                told.add(error.code)
        path.write_bytes(intact)
    assert told == {"damaged"}


@pytest.mark.parametrize("table", ["documents", "clauses"])
@pytest.mark.parametrize("change", [b"LANX", b""], ids=["another kind of file", "cut short"])
def test_damage_is_recognised_however_lancedb_reports_it(
    library: Library, add: Add, table: str, change: bytes
) -> None:
    """LanceDB raises three kinds of errors for it, one of them for invalid queries too."""
    document = add("Rules", *PIT_LANE)
    for file in (library.folder / "index" / f"{table}.lance" / "data").iterdir():
        file.write_bytes(file.read_bytes()[:-4] + change)
    with pytest.raises(LibraryError, match="core check") as caught:
        Library(library.folder).clauses(document.document_id)
    assert caught.value.code == "damaged"


@pytest.mark.parametrize(
    "error", [RuntimeError("can't start new thread"), ValueError("Invalid input, Schema error: no")]
)
def test_other_errors_are_not_reported_as_damage(library: Library, error: Exception) -> None:
    with pytest.raises(type(error), match=str(error)), wrap_lancedb_errors(library.folder):
        raise error


def test_an_invalid_query_is_not_reported_as_damage(library: Library, add: Add) -> None:
    add("Rules", *PIT_LANE)
    with pytest.raises(ValueError, match="no_such_column"):
        library.tables.read_rows(col("no_such_column") == lit("1"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    [addition] = ingest.add_bytes(
        Library(tmp_path / "closed" / "library"), lines("R", *PIT_LANE), "r.jsonl"
    )
    assert (addition.status, addition.code) == ("failed", "unreadable")


ADD_ONE = """
import sys
from pathlib import Path
from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
print([addition.status for addition in add_file(Library(Path(sys.argv[1])), Path(sys.argv[2]))][0])
"""


@pytest.mark.slow
def test_writers_take_turns(library: Library, tmp_path: Path) -> None:
    """Four programs add at once, two of them the same file: nothing is lost or duplicated."""
    names = ["a", "b", "c", "c"]
    for name in set(names):
        (tmp_path / f"{name}.jsonl").write_bytes(lines(name.upper(), *PIT_LANE))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", ADD_ONE, str(library.folder), str(tmp_path / f"{name}.jsonl")],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for name in names
    ]
    told = [writer.communicate(timeout=120)[0].strip() for writer in writers]
    assert sorted(told) == ["added", "added", "added", "unchanged"]
    assert [document.title for document in library.documents()] == ["A", "B", "C"]
    assert all(
        len(library.clauses(document.document_id)) == len(PIT_LANE)
        for document in library.documents()
    )


def _fields(value: object) -> dict[str, object]:
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}  # type: ignore[attr-defined]
