"""Ingestion: known files are not read again, broken ones stop no others."""

from pathlib import Path

import pytest
from cup import PIT_LANE, lines

from core.errors import LibraryError, ReadError
from core.library.ingestion.ingest import (
    IngestControl,
    add_bytes,
    add_file,
    correct_lines,
    expand_paths,
)
from core.library.integrity import check_library
from core.library.storage.library import Library
from core.rulebook import page_image
from core.rulebook.types import LineCorrection, MetadataOverride, Progress
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
        "damaged",
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


def introduced_rules() -> bytes:
    """Rules below numbers, after a page with two headings without one."""
    paper = Paper()
    for name in ("Purpose of the rules", "Who may take part"):
        paper.line(name, left=72, bold=True, gap=12).line("These are its words.", left=72, gap=4)
    paper.page()
    for number in ("1", "1.1", "1.2", "2"):
        paper.heading(number, "Boats").line("Every boat must carry a number.", gap=4)
    return paper.pdf()


def articles(library: Library, document_id: str) -> list[str]:
    return [clause.article for clause in library.clauses(document_id)]


@pytest.mark.slow
def test_what_a_person_says_of_a_line_is_kept_and_used_whenever_the_document_is_read(
    library: Library,
) -> None:
    [added] = add_bytes(library, introduced_rules(), "rules.pdf")
    assert added.document is not None
    name = added.document.document_id
    library.correct_metadata(name, MetadataOverride(family="rowing"))
    said = (LineCorrection("heading", 1, "Purpose of"),)
    document = correct_lines(library, name[:12], said)
    read = ["Purpose of the rules", "Who may take part", "1", "1.1", "1.2", "2"]
    assert articles(library, name) == read
    assert (document.corrections, document.family) == (said, "rowing")
    library.reset_index()
    list(check_library(library))
    assert articles(library, name) == read
    assert library.document(name).corrections == said
    assert correct_lines(library, name, ()).corrections == ()
    assert articles(library, name)[0] == "Preamble"


@pytest.mark.slow
def test_a_correction_after_which_nothing_can_be_read_changes_nothing(library: Library) -> None:
    [added] = add_bytes(library, introduced_rules(), "rules.pdf")
    assert added.document is not None
    name = added.document.document_id
    before = articles(library, name)
    stamps = [LineCorrection("furniture", 2, f"{number} Boats") for number in ("1", "2")]
    stamps += [LineCorrection("furniture", 2, number) for number in ("1.1", "1.2")]
    with pytest.raises(ReadError):
        correct_lines(library, name, stamps)
    assert articles(library, name) == before
    assert library.document(name).corrections == ()


def test_lines_of_what_is_no_pdf_cannot_be_corrected(library: Library) -> None:
    [added] = add_bytes(library, lines("One", *PIT_LANE), "one.jsonl")
    assert added.document is not None
    with pytest.raises(LibraryError) as refused:
        correct_lines(library, added.document.document_id, ())
    assert refused.value.code == "no_pdf"
