"""The register of a document: read right after it was added, kept, and read again if damaged."""

from pathlib import Path

import pytest

from core.library import Library
from core.library.ingestion.ingest_worker import IngestWorker
from core.limits.storage import read_missing_registers, register_of
from tests.cup import queue_in
from tests.limits.trike import add_trike_rules
from tests.patience import PATIENCE
from tests.rulebook.pdf_builder import Paper


def kept(library: Library) -> list[Path]:
    return list((library.folder / "limits").glob("*.json"))


@pytest.mark.slow
def test_the_register_of_a_queued_document_is_read_right_after_it_was_added(tmp_path):
    library, queue = Library(tmp_path), queue_in(tmp_path)
    rule = "Every trike must have a minimum wheelbase of 1200 mm."
    queue.enqueue("trike.pdf", Paper().heading("1", "SIZE").clause("1.1", rule).pdf())
    worker = IngestWorker(queue, library, on_added=read_missing_registers)
    worker.ensure_running()
    worker.wait_until_idle(PATIENCE)
    [path] = kept(library)
    [document] = library.documents()
    assert path.name.startswith(document.document_id)
    assert [str(limit) for limit in register_of(library, document).limits] == ["at least 1200 mm"]


def test_what_is_kept_is_not_read_again_and_what_is_damaged_is(tmp_path):
    library = Library(tmp_path)
    add_trike_rules(library)
    read_missing_registers(library)
    [document], [path] = library.documents(), kept(library)
    written, register = path.stat().st_mtime_ns, register_of(library, document)
    read_missing_registers(library)
    assert path.stat().st_mtime_ns == written
    path.write_bytes(path.read_bytes()[:100])
    assert register_of(library, document) == register
