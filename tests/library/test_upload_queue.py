"""The queue of files to be added: what comes of each, cancelling, trying again, and going on after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import LibraryError
from core.library.ingestion.upload_queue import SWEPT_EVERY, TRIES, Adding, Queue
from core.library.storage.library import Library
from tests.rulebook.pdf_builder import Paper

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "samples"


def rulebook(title, pages=1):
    """A PDF of so many pages, a clause each."""
    paper = Paper()
    paper.line(title).heading("1", "KARTS")
    for page in range(1, pages + 1):
        paper.clause(f"1.{page}", f"Every kart of class {page} must carry a yellow bumper.")
        if page < pages:
            paper.page()
    return paper.pdf()


@pytest.fixture
def queue(tmp_path):
    return Queue(tmp_path / "queue")


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def all_added(queue, library):
    """Work until nothing is left."""
    while queue.work_on_next(library):
        pass


def held(queue):
    return {path.suffix for path in queue.folder.iterdir()}


def until(true, seconds=60.0):
    """Wait for something that another thread or process does."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


def test_a_file_is_added_and_its_bytes_are_let_go(queue, library):
    entry = queue.put("kart.pdf", rulebook("2025 Karting Club Sporting Regulations"))
    assert [waiting.state for waiting in queue.entries()] == ["waiting"]
    all_added(queue, library)
    [ended] = queue.entries()
    assert (ended.state, ended.document_id) == ("added", entry.digest)
    assert ended.seconds > 0
    assert library.document(entry.digest).clauses > 0
    assert held(queue) == {".json"}


def test_what_comes_of_each_file_is_told(queue, library):
    data = rulebook("2025 Karting Club Sporting Regulations")
    files = [
        ("kart.pdf", data),
        ("again.pdf", data),
        ("empty.pdf", b""),
        ("x.pdf", b"MZ"),
        ("bad.pdf", b"%PDF-1.7 no"),
    ]
    for name, content in files:
        queue.put(name, content)
    all_added(queue, library)
    assert [entry.state for entry in queue.entries()] == [
        "added",
        "unchanged",
        "failed",
        "failed",
        "failed",
    ]
    assert all(entry.message.startswith(entry.name) for entry in queue.entries()[2:])
    assert len(library.documents()) == 1


def test_two_people_give_the_same_file_and_it_is_there_for_both(queue, library):
    data = rulebook("2025 Karting Club Sporting Regulations")
    queue.put("kart.pdf", data, "ada")
    given = queue.put("kart.pdf", data, "bob")
    record = queue.folder / f"{given.entry_id}.json"
    written = record.read_bytes()
    record.unlink()  # bytes come first: Ada's file is done before Bob's record is written
    all_added(queue, library)
    record.write_bytes(written)
    all_added(queue, library)
    assert [(entry.person, entry.state, entry.message) for entry in queue.entries()] == [
        ("ada", "added", ""),
        ("bob", "unchanged", ""),
    ]
    assert held(queue) == {".json"}


def test_one_who_forgets_a_failed_file_takes_nothing_from_another(queue, library):
    mine, yours = (
        queue.put("bad.pdf", b"%PDF-1.7 and then nothing", person) for person in ("me", "you")
    )
    all_added(queue, library)
    queue.forget(mine.entry_id)
    [left] = queue.entries()
    assert left.entry_id == yours.entry_id
    assert queue.retryable(left)


def test_a_name_is_never_a_path(queue, library, tmp_path):
    queue.put("../../../outside.pdf", rulebook("Karting Club Sporting Regulations"))
    all_added(queue, library)
    assert [entry.name for entry in queue.entries()] == ["../../../outside.pdf"]
    assert not list(tmp_path.rglob("*outside*"))


def test_each_person_is_told_of_their_own(queue):
    queue.put("mine.pdf", b"", "me")
    queue.put("yours.pdf", b"", "you")
    assert [entry.name for entry in queue.entries("me")] == ["mine.pdf"]
    assert len(queue.entries()) == 2


def test_a_file_that_waits_is_cancelled_and_tried_again(queue, library):
    entry = queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    queue.cancel(entry.entry_id)
    assert not queue.work_on_next(library)
    [cancelled] = queue.entries()
    assert cancelled.state == "cancelled"
    assert queue.retryable(cancelled)
    queue.retry(entry.entry_id)
    all_added(queue, library)
    assert [again.state for again in queue.entries()] == ["added"]


def test_cancelling_ends_the_reading_at_once(queue, library):
    before = set(children())
    entry = queue.put("long.pdf", rulebook("Karting Club Sporting Regulations", pages=900))
    adding = Adding(queue, library)
    adding.go_on()
    until(lambda: queue.entries()[0].done)
    reading = queue.entries()[0]
    assert (reading.state, reading.of) == ("reading", 900)
    queue.cancel(entry.entry_id)
    adding.wait(60)
    assert [ended.state for ended in queue.entries()] == ["cancelled"]
    assert library.documents() == ()
    assert set(children()) <= before


def test_a_failed_file_is_forgotten_with_its_bytes(queue, library):
    entry = queue.put("bad.pdf", b"%PDF-1.7 and then nothing")
    all_added(queue, library)
    assert held(queue) == {".json", ".bytes"}
    queue.forget(entry.entry_id)
    assert not list(queue.folder.iterdir())


def test_what_is_worked_on_is_not_forgotten(queue):
    entry = queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    queue.forget(entry.entry_id)
    assert [left.entry_id for left in queue.entries()] == [entry.entry_id]


def test_several_files_are_worked_on_at_once(queue, library):
    for number in range(4):
        queue.put(
            f"{number}.pdf",
            rulebook(f"20{20 + number} Karting Club Sporting Regulations", pages=60),
        )
    adding = Adding(queue, library)
    adding.go_on()
    until(lambda: sum(entry.state == "reading" for entry in queue.entries()) == 2)
    adding.wait(30)
    assert [entry.state for entry in queue.entries()] == ["added"] * 4
    assert len(library.documents()) == 4


def test_a_killed_process_is_followed_by_one_that_goes_on(queue, library, tmp_path):
    queue.put("long.pdf", rulebook("Karting Club Sporting Regulations", pages=250))
    queue.put("short.pdf", rulebook("2025 Karting Club Technical Regulations"))
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    until(lambda: queue.entries()[0].done)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert queue.entries()[0].state == "reading"
    assert library.documents() == ()
    adding = Adding(queue, library)
    adding.go_on()
    adding.wait(60)
    first, second = queue.entries()
    assert (first.state, second.state) == ("added", "added")
    assert first.tries == 2
    assert len(library.documents()) == 2


def test_two_processes_do_not_read_the_same_file(queue, library, tmp_path):
    queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations", pages=150))
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    until(lambda: queue.entries()[0].done)
    assert not queue.work_on_next(library)
    assert worker.wait(30) == 0
    [entry] = queue.entries()
    assert (entry.state, entry.tries) == ("added", 1)


def test_a_file_that_takes_processes_down_is_given_up(queue, library):
    entry = queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    record = queue.folder / f"{entry.entry_id}.json"
    record.write_text(
        json.dumps(json.loads(record.read_text()) | {"state": "reading", "tries": TRIES})
    )
    all_added(queue, library)
    [given_up] = queue.entries()
    assert given_up.state == "failed"
    assert "broke off" in given_up.message
    queue.retry(entry.entry_id)
    all_added(queue, library)
    assert [again.state for again in queue.entries()] == ["added"]


def test_what_ended_long_ago_is_swept(queue, library):
    entry = queue.put("bad.pdf", b"%PDF-1.7 and then nothing")
    all_added(queue, library)
    record = queue.folder / f"{entry.entry_id}.json"
    record.write_text(
        json.dumps(json.loads(record.read_text()) | {"since": time.time() - 8 * 24 * 3600})
    )
    left = queue.folder / "left.part"
    left.write_bytes(b"%PDF")
    os.utime(left, (0, 0))
    Adding(queue, library)
    assert not list(queue.folder.iterdir())


def test_a_server_that_goes_on_for_days_sweeps_too(queue, library):
    clock = [0.0]
    adding = Adding(queue, library, clock=lambda: clock[0])
    entry = queue.put("bad.pdf", b"%PDF-1.7 and then nothing")
    all_added(queue, library)
    record = queue.folder / f"{entry.entry_id}.json"
    record.write_text(
        json.dumps(json.loads(record.read_text()) | {"since": time.time() - 8 * 24 * 3600})
    )
    clock[0] = SWEPT_EVERY / 2
    adding.go_on()
    assert held(queue) == {".json", ".bytes"}, "it is not looked through at every turn"
    clock[0] = SWEPT_EVERY + 1
    adding.go_on()
    assert not list(queue.folder.iterdir())


def test_a_record_that_is_none_is_passed_over(queue, library):
    queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    (queue.folder / "0.json").write_text('{"half')
    (queue.folder / "1.json").write_text('{"another": "version"}')
    all_added(queue, library)
    assert [entry.state for entry in queue.entries()] == ["added"]


def test_bytes_that_are_not_as_they_came_are_never_added(queue, library):
    entry = queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    stored = queue.folder / f"{entry.entry_id}.bytes"
    stored.write_bytes(rulebook("2024 Another Sporting Regulations"))
    all_added(queue, library)
    [ended] = queue.entries()
    assert (ended.state, ended.message) == (
        "failed",
        "kart.pdf was damaged while it waited: please add it again.",
    )
    assert not queue.retryable(ended)
    assert library.documents() == ()


@pytest.mark.parametrize(
    ("instead", "told"), [("nothing", "is gone"), ("folder", "cannot be read any more")]
)
def test_bytes_that_cannot_be_read_are_told(queue, library, instead, told):
    entry = queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    stored = queue.folder / f"{entry.entry_id}.bytes"
    stored.unlink()
    if instead == "folder":
        stored.mkdir()
    all_added(queue, library)
    assert told in queue.entries()[0].message


def as_an_older_version(queue, entry):
    """Its bytes by their hash, as the queue kept them before each entry had its own."""
    return (queue.folder / f"{entry.entry_id}.bytes").rename(queue.folder / f"{entry.digest}.bytes")


def test_what_waited_under_an_older_version_is_added(queue, library):
    as_an_older_version(queue, queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations")))
    all_added(queue, library)
    assert [ended.state for ended in queue.entries()] == ["added"]


def test_what_failed_under_an_older_version_is_tried_again(queue, library):
    shared = as_an_older_version(queue, queue.put("bad.pdf", b"%PDF-1.7 and then nothing"))
    all_added(queue, library)
    [failed] = queue.entries()
    assert queue.retryable(failed)
    queue.retry(failed.entry_id)
    assert queue.entries()[0].state == "waiting"
    shared.write_bytes(b"something else")
    all_added(queue, library)
    [ended] = queue.entries()
    assert (ended.state, queue.retryable(ended)) == ("failed", False)


def test_a_library_that_cannot_be_written_is_not_taken_for_the_queue(queue, tmp_path):
    (tmp_path / "library").write_text("in the way")
    queue.put("kart.pdf", rulebook("Karting Club Sporting Regulations"))
    all_added(queue, Library(tmp_path / "library"))
    [failed] = queue.entries()
    assert failed.state == "failed"
    assert str(tmp_path / "library") in failed.message
    assert "queue" not in failed.message


def test_a_folder_that_is_a_file_is_told(tmp_path):
    (tmp_path / "queue").write_text("a file")
    with pytest.raises(LibraryError, match="cannot be written"):
        Queue(tmp_path / "queue").put("kart.pdf", rulebook("Karting Club Sporting Regulations"))


WORKER = """
import sys
from pathlib import Path
from core.library.ingestion.upload_queue import Queue
from core.library.storage.library import Library
folder = Path(sys.argv[1])
queue = Queue(folder / "queue")
while queue.work_on_next(Library(folder)):
    pass
"""


def children():
    """Processes that this one has started and that are still there."""
    return [
        pid
        for task in Path("/proc/self/task").iterdir()
        for pid in (task / "children").read_text().split()
    ]
