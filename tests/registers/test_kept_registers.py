"""The register of a document: read right after it was added, kept, and read again if damaged."""

import shutil
import zipfile
from pathlib import Path

import pytest

from core.library import Library
from core.library.ingestion.ingest_worker import IngestWorker
from core.maintenance import backup, describe_kept_values, restore
from core.registers import register_of
from core.settings import Settings
from core.sheets import complete_library
from tests.commands import run_command
from tests.cup import queue_in
from tests.patience import PATIENCE
from tests.registers.trike import add_trike_rules
from tests.rulebook.pdf_builder import Paper


def kept(library: Library) -> list[Path]:
    return list((library.folder / "derived" / "limits").iterdir())


@pytest.mark.slow
def test_the_register_of_a_queued_document_is_read_right_after_it_was_added(tmp_path):
    library, queue = Library(tmp_path), queue_in(tmp_path)
    rule = "Every trike must have a minimum wheelbase of 1200 mm."
    queue.enqueue("trike.pdf", Paper().heading("1", "SIZE").clause("1.1", rule).pdf())
    worker = IngestWorker(queue, library, on_change=complete_library)
    worker.ensure_running()
    worker.wait_until_idle(PATIENCE)
    [path] = kept(library)
    [document] = library.documents()
    assert path.name == document.document_id
    assert [str(limit) for limit in register_of(library, document).limits] == ["at least 1200 mm"]


def test_what_is_kept_is_not_read_again_and_what_is_damaged_is(tmp_path):
    library = Library(tmp_path)
    add_trike_rules(library)
    complete_library(library)
    [document], [path] = library.documents(), kept(library)
    written, register = path.stat().st_mtime_ns, register_of(library, document)
    complete_library(library)
    assert path.stat().st_mtime_ns == written
    path.write_bytes(path.read_bytes()[:100])
    assert register_of(library, document) == register


@pytest.mark.slow
def test_a_library_made_before_is_completed_in_the_background(tmp_path):
    library = Library(tmp_path)
    add_trike_rules(library)
    (tmp_path / "limits").mkdir()
    (tmp_path / "limits" / "of-an-earlier-version.json").write_text("{}")
    worker = IngestWorker(queue_in(tmp_path), library, on_change=complete_library)
    worker.ensure_running()
    worker.wait_until_idle(PATIENCE)
    [path] = kept(library)
    assert not (tmp_path / "limits").exists()
    written = path.stat().st_mtime_ns
    worker.ensure_running()
    worker.wait_until_idle(PATIENCE)
    assert path.stat().st_mtime_ns == written


def test_a_restored_library_reads_its_registers_again(tmp_path):
    settings = Settings(_env_file=None, data_dir=tmp_path / "data", reading_scans=False)
    library = Library.open(settings)
    add_trike_rules(library)
    complete_library(library)
    backup(settings, tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        assert not [name for name in archive.namelist() if "derived" in name]
    shutil.rmtree(settings.data_dir)
    restore(settings, tmp_path / "backup.zip")
    again = "missing or older, and made again when needed: 2024 Trike Rules, Issue 1."
    assert describe_kept_values(settings) == (
        f"Documents with word counts: 0 of 1; {again}",
        f"Documents with sentences: 0 of 1; {again}",
        f"Documents with penalties: 0 of 1; {again}",
        f"Documents with limits: 0 of 1; {again}",
        f"Documents with value questions: 0 of 1; {again}",
    )
    complete_library(library)
    assert describe_kept_values(settings) == (
        "Documents with word counts: 1 of 1.",
        "Documents with sentences: 1 of 1.",
        "Documents with penalties: 1 of 1.",
        "Documents with limits: 1 of 1.",
        "Documents with value questions: 1 of 1.",
    )


def test_check_shows_how_many_registers_are_kept_and_calls_none_a_defect(tmp_path):
    library = Library(tmp_path)
    add_trike_rules(library)
    complete_library(library)
    done = run_command(tmp_path, "check", "--json")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "Documents with limits: 1 of 1." in done.stderr
    kept(library)[0].unlink()
    done = run_command(tmp_path, "check", "--json")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "Documents with limits: 0 of 1" in done.stderr
