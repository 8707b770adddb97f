"""The upload queue: outcomes, cancelling, retrying, and recovery after a kill."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from threading import Event

import pytest
import sqlalchemy as sql
from lancedb.embeddings import TextEmbeddingFunction, get_registry, register

from core.library import UploadQueue
from core.library.embedding.models import EmbeddingModel
from core.library.ingestion.ingest_worker import CLEANUP_INTERVAL, IngestWorker
from core.library.ingestion.upload_queue import JOB_FILES, JOBS, MAX_ATTEMPTS, UploadJob
from core.library.storage.library import Library
from core.settings import Settings
from tests.cup import queue_in
from tests.patience import PATIENCE, until
from tests.processes import children
from tests.rulebook.pdf_builder import Paper

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "samples"


def rulebook(title, pages=1):
    """A PDF with one clause per page."""
    paper = Paper()
    paper.line(title).heading("1", "KARTS")
    for page in range(1, pages + 1):
        paper.clause(f"1.{page}", f"Every kart of class {page} must carry a yellow bumper.")
        if page < pages:
            paper.page()
    return paper.pdf()


@pytest.fixture
def queue(tmp_path):
    return queue_in(tmp_path)


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


all_added = UploadQueue.drain


HELD, GO_ON = Event(), Event()


class HeldModel(TextEmbeddingFunction):
    """A model that takes its time over the samples."""

    def ndims(self):
        return 1

    def generate_embeddings(self, texts, *args, **kwargs):
        if not any("bumper" in text for text in texts):
            HELD.set()
            GO_ON.wait(PATIENCE)
        return [[1.0] for _ in texts]


if "held" not in get_registry()._functions:
    register("held")(HeldModel)


def stored(queue):
    """The ids of the jobs whose bytes are there."""
    return {row.entry_id for row in queue.database.fetch(sql.select(JOB_FILES.c.entry_id))}


def change(queue, **values):
    """Change all jobs, as time or another process does."""
    queue.database.execute(JOBS.update().values(values))


def test_a_file_is_added_and_its_bytes_are_removed(queue, library):
    entry = queue.enqueue("kart.pdf", rulebook("2025 Karting Club Sporting Regulations"))
    assert [waiting.state for waiting in queue.list_jobs()] == ["waiting"]
    all_added(queue, library)
    [ended] = queue.list_jobs()
    assert (ended.state, ended.document_id) == ("added", entry.digest)
    assert ended.seconds > 0
    assert library.document(entry.digest).clauses > 0
    assert not stored(queue)


@pytest.mark.slow
def test_each_file_ends_in_its_own_state(queue, library):
    data = rulebook("2025 Karting Club Sporting Regulations")
    files = [
        ("kart.pdf", data),
        ("again.pdf", data),
        ("empty.pdf", b""),
        ("x.pdf", b"MZ"),
        ("bad.pdf", b"%PDF-1.7 no"),
    ]
    for name, content in files:
        queue.enqueue(name, content)
    all_added(queue, library)
    assert [entry.state for entry in queue.list_jobs()] == [
        "added",
        "unchanged",
        "failed",
        "failed",
        "failed",
    ]
    assert all(entry.message.startswith(entry.name) for entry in queue.list_jobs()[2:])
    assert len(library.documents()) == 1


def test_two_people_send_the_same_file_and_both_get_it(queue, library):
    data = rulebook("2025 Karting Club Sporting Regulations")
    queue.enqueue("kart.pdf", data, "ada")
    queue.enqueue("kart.pdf", data, "bob")
    lease = queue.claim_job()
    assert queue.claim_job() is None, "the same bytes are not read twice at a time"
    lease.release()
    all_added(queue, library)
    assert [(entry.person, entry.state, entry.message) for entry in queue.list_jobs()] == [
        ("ada", "added", ""),
        ("bob", "unchanged", ""),
    ]
    assert not stored(queue)


@pytest.mark.slow
def test_removing_a_failed_job_takes_nothing_from_another(queue, library):
    mine, yours = (
        queue.enqueue("bad.pdf", b"%PDF-1.7 and then nothing", person) for person in ("me", "you")
    )
    all_added(queue, library)
    queue.forget_job(mine.entry_id)
    [left] = queue.list_jobs()
    assert left.entry_id == yours.entry_id
    assert queue.can_retry(left)


def test_a_name_is_never_a_path(queue, library, tmp_path):
    queue.enqueue("../../../outside.pdf", rulebook("Karting Club Sporting Regulations"))
    all_added(queue, library)
    assert [entry.name for entry in queue.list_jobs()] == ["../../../outside.pdf"]
    assert not list(tmp_path.rglob("*outside*"))


def test_jobs_are_listed_by_person(queue):
    queue.enqueue("mine.pdf", b"", "me")
    queue.enqueue("yours.pdf", b"", "you")
    assert [entry.name for entry in queue.list_jobs("me")] == ["mine.pdf"]
    assert len(queue.list_jobs()) == 2


def test_a_file_that_waits_is_cancelled_and_tried_again(queue, library):
    entry = queue.enqueue("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    queue.cancel_job(entry.entry_id)
    assert not queue.process_next_job(library)
    [cancelled] = queue.list_jobs()
    assert cancelled.state == "cancelled"
    assert queue.can_retry(cancelled)
    queue.retry_job(entry.entry_id)
    all_added(queue, library)
    assert [again.state for again in queue.list_jobs()] == ["added"]


@pytest.mark.slow
def test_cancelling_ends_the_reading_at_once(queue, library):
    before = children()
    entry = queue.enqueue("long.pdf", rulebook("Karting Club Sporting Regulations", pages=900))
    adding = IngestWorker(queue, library)
    adding.ensure_running()
    until(lambda: queue.list_jobs()[0].done)
    reading = queue.list_jobs()[0]
    assert (reading.state, reading.of) == ("reading", 900)
    queue.cancel_job(entry.entry_id)
    adding.wait_until_idle(PATIENCE)
    assert [ended.state for ended in queue.list_jobs()] == ["cancelled"]
    assert library.documents() == ()
    assert children() <= before


def test_a_failed_job_is_removed_with_its_bytes(queue, library):
    entry = queue.enqueue("bad.pdf", b"%PDF-1.7 and then nothing")
    all_added(queue, library)
    assert stored(queue) == {entry.entry_id}
    queue.forget_job(entry.entry_id)
    assert not stored(queue)
    assert not queue.list_jobs()


def test_an_unfinished_job_is_not_removed(queue):
    entry = queue.enqueue("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    queue.forget_job(entry.entry_id)
    assert [left.entry_id for left in queue.list_jobs()] == [entry.entry_id]


@pytest.mark.slow
def test_several_files_are_worked_on_at_once(queue, library):
    for number in range(4):
        queue.enqueue(
            f"{number}.pdf",
            rulebook(f"20{20 + number} Karting Club Sporting Regulations", pages=60),
        )
    adding = IngestWorker(queue, library)
    adding.ensure_running()
    until(lambda: sum(entry.state == "reading" for entry in queue.list_jobs()) == 2)
    adding.wait_until_idle(PATIENCE)
    assert [entry.state for entry in queue.list_jobs()] == ["added"] * 4
    assert len(library.documents()) == 4


@pytest.mark.slow
def test_no_file_waits_for_the_vectors_of_others(queue, library):
    sample = (SAMPLES / "meridian_2023_technical_issue1.pdf").read_bytes()
    queue.enqueue("sample.pdf", sample)
    all_added(queue, library)
    adding = IngestWorker(queue, Library(library.folder, "hybrid", EmbeddingModel("held")))
    adding.ensure_running()
    assert HELD.wait(PATIENCE)
    queue.enqueue("kart.pdf", rulebook("2025 Karting Club Sporting Regulations"))
    adding.ensure_running()
    until(lambda: [job.state for job in queue.list_jobs()] == ["added", "added"])
    GO_ON.set()
    adding.wait_until_idle(PATIENCE)


@pytest.mark.slow
def test_a_killed_process_is_followed_by_one_that_goes_on(queue, library, tmp_path):
    queue.enqueue("long.pdf", rulebook("Karting Club Sporting Regulations", pages=250))
    queue.enqueue("short.pdf", rulebook("2025 Karting Club Technical Regulations"))
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    until(lambda: queue.list_jobs()[0].done)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert queue.list_jobs()[0].state == "reading"
    assert library.documents() == ()
    adding = IngestWorker(queue, library)
    adding.ensure_running()
    adding.wait_until_idle(PATIENCE)
    first, second = queue.list_jobs()
    assert (first.state, second.state) == ("added", "added")
    assert first.tries == 2
    assert len(library.documents()) == 2


@pytest.mark.slow
def test_two_processes_do_not_read_the_same_file(queue, library, tmp_path):
    queue.enqueue("kart.pdf", rulebook("Karting Club Sporting Regulations", pages=150))
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    until(lambda: queue.list_jobs()[0].done)
    assert not queue.process_next_job(library)
    assert worker.wait(PATIENCE) == 0
    [entry] = queue.list_jobs()
    assert (entry.state, entry.tries) == ("added", 1)


def test_a_file_that_takes_processes_down_is_given_up(queue, library):
    entry = queue.enqueue("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    change(queue, state="reading", tries=MAX_ATTEMPTS)
    all_added(queue, library)
    [given_up] = queue.list_jobs()
    assert given_up.state == "failed"
    assert "broke off" in given_up.message
    queue.retry_job(entry.entry_id)
    all_added(queue, library)
    assert [again.state for again in queue.list_jobs()] == ["added"]


def test_what_ended_long_ago_is_removed(queue, library):
    queue.enqueue("bad.pdf", b"%PDF-1.7 and then nothing")
    all_added(queue, library)
    change(queue, since=time.time() - 8 * 24 * 3600)
    IngestWorker(queue, library)
    assert not queue.list_jobs()


def test_a_server_that_runs_for_days_cleans_up_too(queue, library):
    clock = [0.0]
    adding = IngestWorker(queue, library, clock=lambda: clock[0])
    queue.enqueue("bad.pdf", b"%PDF-1.7 and then nothing")
    all_added(queue, library)
    change(queue, since=time.time() - 8 * 24 * 3600)
    clock[0] = CLEANUP_INTERVAL / 2
    adding.ensure_running()
    assert queue.list_jobs(), "it does not clean up at every call"
    clock[0] = CLEANUP_INTERVAL + 1
    adding.ensure_running()
    assert not queue.list_jobs()


def test_bytes_that_are_not_as_they_came_are_never_added(queue, library):
    queue.enqueue("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    other = rulebook("2024 Another Sporting Regulations")
    queue.database.execute(JOB_FILES.update().values(data=other))
    all_added(queue, library)
    [ended] = queue.list_jobs()
    assert (ended.state, ended.message) == (
        "failed",
        "kart.pdf was damaged while it waited: please add it again.",
    )
    assert not queue.can_retry(ended)
    assert library.documents() == ()


def test_bytes_that_are_gone_fail_the_job(queue, library):
    queue.enqueue("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    queue.database.execute(JOB_FILES.delete())
    all_added(queue, library)
    assert "is gone" in queue.list_jobs()[0].message


def earlier_jobs(folder):
    """What version 0.1 left of two people who sent the same file: one file of bytes for both."""
    data = rulebook("Karting Club Sporting Regulations")
    digest = hashlib.sha256(data).hexdigest()
    folder.mkdir()
    (folder / f"{digest}.bytes").write_bytes(data)
    for number, state in (("1", "waiting"), ("2", "failed")):
        job = UploadJob(number, "kart.pdf", digest, len(data), "ada", state, since=time.time())
        (folder / f"{number}.json").write_text(json.dumps(asdict(job)))
    (folder / "3.json").write_text('{"half')


def test_what_waited_under_an_older_version_is_added(tmp_path, library):
    earlier_jobs(tmp_path / "queue")
    settings = Settings(_env_file=None, data_dir=tmp_path)
    queue = UploadQueue.open(settings)
    all_added(queue, library)
    first, second = queue.list_jobs()
    assert (first.state, second.state) == ("added", "failed")
    assert queue.can_retry(second)
    assert [job.state for job in UploadQueue.open(settings).list_jobs()] == ["added", "failed"]


def test_an_unwritable_library_is_not_reported_as_the_queue(queue, tmp_path):
    (tmp_path / "library").write_text("in the way")
    queue.enqueue("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    all_added(queue, Library(tmp_path / "library"))
    [failed] = queue.list_jobs()
    assert failed.state == "failed"
    assert str(tmp_path / "library") in failed.message
    assert "queue" not in failed.message


WORKER = """
import sys
from pathlib import Path
from core.library.storage.library import Library
from tests.cup import queue_in
folder = Path(sys.argv[1])
queue_in(folder).drain(Library(folder))
"""
