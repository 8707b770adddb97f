"""`check`, `backup` and `restore` as a person types them."""

from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.library.storage.library import Library
from tests.commands import run_json

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT.parent / "shared" / "hostile"
TEXT = "The pit lane speed limit is 50 km/h."
LINE = f'{{"document": "2024 Cup", "article": "1", "text": "{TEXT}", "season": 2024}}'


def core(folder, *arguments):
    return run_json(folder, *arguments, "--json")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cup.jsonl").write_text(LINE)
    assert core(tmp_path / "data", "ingest", tmp_path / "cup.jsonl")[0] == 0
    return tmp_path / "data"


def test_a_clean_library_gives_an_exit_status_only(folder):
    assert core(folder, "check") == (0, [])


def test_what_is_mended_and_what_is_not_is_told(folder):
    for path in (folder / "index" / "clauses.lance").rglob("*.lance"):
        path.write_bytes(b"junk")
    status, findings = core(folder, "check")
    assert status == 0
    assert findings
    assert all(finding["mended"] and finding["message"] for finding in findings)
    assert core(folder, "search", "speed limit")[0] == 0
    for stored in (folder / "files").glob("*.jsonl"):
        stored.unlink()
    status, [finding] = core(folder, "check")
    assert (status, finding["code"], finding["mended"]) == (1, "file", False)


@pytest.mark.slow
def test_a_backup_is_made_and_taken_back(folder, tmp_path):
    assert core(folder, "ask", "What does Article 1 say?")[0] == 0
    status, [made] = core(folder, "backup", tmp_path / "all.zip")
    assert (status, made["documents"], made["chats"]) == (0, 1, True)
    status, [refused] = core(folder, "backup", tmp_path / "all.zip")
    assert (status, refused["error"]["code"]) == (1, "exists")
    status, [refused] = core(folder, "restore", tmp_path / "all.zip")
    assert (status, refused["error"]["code"]) == (1, "exists")
    assert core(tmp_path / "other", "restore", tmp_path / "all.zip") == (0, [made])
    assert core(tmp_path / "other", "check") == (0, [])
    assert core(tmp_path / "other", "documents") == core(folder, "documents")


def test_a_signed_backup_says_by_whom_and_a_changed_one_is_refused(folder, tmp_path):
    assert core(folder, "backup", tmp_path / "plain.zip")[1][0]["signed_by"] == ""
    status, [made] = core(folder, "backup", tmp_path / "all.zip", "--sign")
    key = made["signed_by"]
    assert status == 0
    assert len(key) == 16
    with ZipFile(tmp_path / "all.zip") as good, ZipFile(tmp_path / "bad.zip", "w") as bad:
        for name in good.namelist():
            data = good.read(name)
            bad.writestr(name, data.replace(b'"documents":1', b'"documents":2'))
    refusals = ("plain", key), ("all", "0" * 16), ("bad", key), ("bad", None), ("plain", "")
    for archive, by in (*refusals, ("all", ""), ("all", " ")):
        arguments = () if by is None else ("--signed-by", by)
        status, [refused] = core(
            tmp_path / "other", "restore", tmp_path / f"{archive}.zip", *arguments
        )
        assert (status, refused["error"]["code"]) == (1, "archive")
    arguments = (tmp_path / "all.zip", "--signed-by", key)
    assert core(tmp_path / "other", "restore", *arguments) == (0, [made])


@pytest.mark.slow
def test_a_deep_check_reads_every_file_anew_and_compares(tmp_path):
    samples = sorted((ROOT / "data" / "samples").glob("*.pdf"))[:2]
    folder = tmp_path / "data"
    assert core(folder, "ingest", *samples)[0] == 0
    assert core(folder, "check", "--deep") == (0, [])
    library = Library(folder)
    document = library.documents()[0]
    first, *others = library.clauses(document.document_id)
    changed = replace(first, text="Nothing is forbidden.")
    name = library.stored_file(document.document_id).name
    texts = library.other_texts(document.document_id)
    library.replace_document(name, (document, (changed, *others, *texts)))
    assert core(folder, "check")[1] == []
    _, findings = core(folder, "check", "--deep")
    assert [finding["mended"] for finding in findings] == [True]
    assert "differs from its stored file" in findings[0]["message"]
    assert Library(folder).clauses(document.document_id)[0] == first


@pytest.mark.slow
@pytest.mark.skipif(not HOSTILE.is_dir(), reason="the collection of hostile files is not here")
def test_every_hostile_file_ends_in_clauses_or_one_reason(tmp_path):
    status, lines = core(tmp_path / "data", "ingest", HOSTILE)
    assert status == 1
    assert len(lines) == len(list(HOSTILE.glob("*.pdf")))
    for line in lines:
        assert line["seconds"] < 30
        assert line["clauses"] if line["status"] == "added" else line["error"]["message"]
    assert core(tmp_path / "data", "check") == (0, [])
