"""Ingestion: known files are not read again, broken ones stop no others."""

from pathlib import Path

import pytest
from cup import PIT_LANE, lines

from core.library.ingestion.ingest import IngestControl, add_bytes, add_file, expand_paths
from core.library.integrity import check_library
from core.library.storage.library import Library
from core.rulebook import page_image
from core.rulebook.types import MetadataOverride, Progress
from tests.rulebook.pdf_builder import Paper, locked

SAMPLES = Path(__file__).parents[2] / "data" / "samples"


@pytest.mark.slow
def test_a_pdf_is_read_once(library: Library) -> None:
    sample = SAMPLES / "meridian_2024_sporting_issue1.pdf"
    reported: list[Progress] = []
    [first] = add_file(library, sample, on_progress=reported.append)
    assert first.status == "added"
    assert first.document is not None
    assert first.document.clauses == len(library.clauses(first.document.document_id)) > 50
    pages = first.document.pages
    assert reported == [
        *(Progress("reading", page, pages) for page in range(1, pages + 1)),
        Progress("storing", 0, 0),
    ]
    reported.clear()
    control = IngestControl(reported.append)
    [again] = add_bytes(library, sample.read_bytes(), "under another name", None, control)
    assert (again.status, again.document) == ("unchanged", first.document)
    assert reported == []
    stored = library.stored_file(first.document.document_id)
    assert stored is not None
    assert stored.read_bytes() == sample.read_bytes()


@pytest.mark.slow
def test_a_pdf_is_known_by_its_content(library: Library) -> None:
    sample = SAMPLES / "meridian_2024_sporting_issue1.pdf"
    [addition] = add_bytes(library, sample.read_bytes(), "rules.jsonl")
    assert addition.status == "added"


def test_json_lines_may_hold_many_documents(library: Library) -> None:
    both = lines("One", *PIT_LANE, season=2024) + b"\n" + lines("Two", *PIT_LANE, season=2025)
    assert [addition.status for addition in add_bytes(library, both, "both.jsonl")] == [
        "added",
        "added",
    ]
    assert [addition.status for addition in add_bytes(library, both, "both.jsonl")] == [
        "unchanged",
        "unchanged",
    ]
    assert [document.season for document in library.documents()] == [2024, 2025]


def test_an_override_wins_over_what_was_read(library: Library) -> None:
    given = MetadataOverride(family="cup-sporting", season=2026)
    [addition] = add_bytes(
        library, lines("Cup", *PIT_LANE, season=2025, issue=2), "cup.jsonl", given
    )
    document = addition.document
    assert document is not None
    assert (document.family, document.season, document.issue) == ("cup-sporting", 2026, 2)
    assert (document.sources["family"], document.sources["season"]) == ("given", "given")


def test_what_cannot_be_read_becomes_a_failed_result(library: Library, tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "letter.docx").write_bytes(b"PK\x03\x04")
    (tmp_path / "bad.jsonl").write_bytes(b'{"article": "1"}')
    (tmp_path / "good.jsonl").write_bytes(lines("Good", *PIT_LANE))
    files = [
        tmp_path / name
        for name in ("empty.pdf", "letter.docx", "bad.jsonl", "nowhere.pdf", "good.jsonl")
    ]
    additions = [addition for file in files for addition in add_file(library, file)]
    assert [addition.code for addition in additions] == [
        "empty",
        "not_pdf",
        "bad_line",
        "not_found",
        None,
    ]
    assert all(addition.message for addition in additions[:-1])
    assert [document.title for document in library.documents()] == ["Good"]


def test_a_folder_expands_to_the_rulebooks_directly_in_it(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    for name in ("b.pdf", "a.PDF", "c.jsonl", "notes.txt", "deeper/d.pdf"):
        (tmp_path / name).write_bytes(b"")
    missing = tmp_path / "missing.pdf"
    assert [path.name for path in expand_paths([tmp_path, missing])] == [
        "a.PDF",
        "b.pdf",
        "c.jsonl",
        "missing.pdf",
    ]


@pytest.mark.slow
def test_a_copy_without_the_password_is_stored(library: Library, tmp_path: Path) -> None:
    paper = Paper().heading("1", "KARTS").clause("1.1", "Every kart must carry a yellow bumper.")
    (tmp_path / "locked.pdf").write_bytes(locked(paper.pdf(), "yellow-bumper"))
    (tmp_path / "open.pdf").write_bytes(
        (SAMPLES / "meridian_2024_sporting_issue1.pdf").read_bytes()
    )
    both = [tmp_path / "locked.pdf", tmp_path / "open.pdf"]
    refused = [
        addition
        for password in ("", "wrong")
        for addition in add_file(library, both[0], password=password)
    ]
    assert [addition.code for addition in refused] == ["encrypted", "wrong_password"]
    for status in ("added", "unchanged"):
        additions = [
            addition
            for file in both
            for addition in add_file(library, file, password="yellow-bumper")
        ]
        assert [addition.status for addition in additions] == [status, status]
    assert list(check_library(library)) == []
    document = additions[0].document
    assert document is not None
    stored = library.stored_file(document.document_id)
    assert stored is not None
    assert page_image(stored.read_bytes(), 1, 0.5).startswith(b"\x89PNG")
    everything = [path for path in library.folder.rglob("*") if path.is_file()]
    assert not [path for path in everything if b"yellow-bumper" in path.read_bytes()]
