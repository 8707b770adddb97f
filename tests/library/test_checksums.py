"""Damage of a table's files: told before LanceDB reads them, and repaired."""

import resource

import pytest

from core.errors import LibraryError
from core.library.integrity import check_library
from core.library.storage.checksums import TableChecksums
from core.library.storage.library import Library
from tests.cup import add_cup_rules


@pytest.fixture
def library(tmp_path):
    add_cup_rules(Library(tmp_path))
    return Library(tmp_path)


def files_of(library, table):
    files = (library.folder / "index" / f"{table}.lance").rglob("*")
    return sorted(path for path in files if path.is_file() and path.suffix != ".json")


@pytest.mark.slow
@pytest.mark.parametrize("table", ["documents", "clauses"])
def test_zeros_anywhere_in_a_table_are_told_before_it_is_opened(library, table):
    for file in files_of(library, table):
        data = file.read_bytes()
        for start in (0, len(data) // 2, max(0, len(data) - 16)):
            zeros = bytes(len(data[start : start + 16]))
            if zeros == data[start : start + 16]:
                continue
            file.write_bytes(data[:start] + zeros + data[start + 16 :])
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            reader = Library(library.folder)
            with pytest.raises(LibraryError) as refused:
                reader.clauses(reader.documents()[0].document_id)
            assert refused.value.code == "damaged"
            assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KB
        file.write_bytes(data)
    assert Library(library.folder).documents() == library.documents()


@pytest.mark.slow
def test_a_damaged_file_is_never_noted_as_right_and_check_reads_all_again(library):
    documents, clauses = library.documents(), library.clauses(library.documents()[0].document_id)
    largest = max(files_of(library, "clauses"), key=lambda file: file.stat().st_size)
    largest.write_bytes(bytes(largest.stat().st_size))
    with Library(library.folder).lock_without_cleanup():
        pass
    with pytest.raises(LibraryError, match="python -m core check"):
        Library(library.folder).clauses(documents[0].document_id)
    assert all(finding.mended for finding in check_library(Library(library.folder)))
    repaired = Library(library.folder)
    assert repaired.documents() == documents
    assert repaired.clauses(documents[0].document_id) == clauses
    assert list(check_library(repaired)) == []


def test_files_that_nobody_noted_are_taken_as_they_are(library):
    """A library of an earlier version, or a writer that was interrupted, has none of them noted."""
    (library.folder / "index" / "checksums.json").unlink()
    assert Library(library.folder).documents() == library.documents()
    with Library(library.folder).lock_without_cleanup():
        pass
    assert TableChecksums(library.folder / "index").find_wrong("clauses") == []
    assert (library.folder / "index" / "checksums.json").exists()
