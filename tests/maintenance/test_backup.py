"""A backup is one file with everything, restored whole or not at all."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from core.chats.conversations import Conversations
from core.errors import LibraryError
from core.evaluation import Evaluation
from core.evaluation.runner import EvaluationStore
from core.library.ingestion.ingest import add_bytes
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.maintenance.backups import CONTENTS_FILE, backup, restore
from core.settings import Settings
from tests.cup import queue_in

LINES = b"""{"document": "2024 Cup", "article": "1", "text": "Speed limit 50 km/h.", "season": 2024}
{"document": "2024 Cup", "article": "2", "text": "A car must have four wheels.", "season": 2024}
"""


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A data folder with one rulebook; never written to."""
    folder = tmp_path_factory.mktemp("cup")
    assert [a.status for a in add_bytes(Library(folder), LINES, "cup.jsonl")] == ["added"]
    return folder


@pytest.fixture
def settings(tmp_path, cup):
    shutil.copytree(cup, tmp_path / "data")
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    Conversations(settings.conversations_url).start_conversation("What is the speed limit?")
    return settings


def other_settings(settings, tmp_path):
    return settings.model_copy(update={"data_dir": tmp_path / "other"})


def test_a_backup_is_restored_whole(settings, tmp_path):
    made = backup(settings, tmp_path / "backup.zip")
    assert made.documents == 1
    assert made.chats
    other = other_settings(settings, tmp_path)
    assert restore(other, tmp_path / "backup.zip").files == made.files
    library = Library(other.data_dir)
    assert library.clauses(library.documents()[0].document_id) == Library(
        settings.data_dir
    ).clauses(library.documents()[0].document_id)
    scope = resolve_scope(library.documents())
    assert search(library, "speed limit", scope, 3)[0].clause.article == "1"
    assert [chat.title for chat in Conversations(other.conversations_url).list_conversations()] == [
        "What is the speed limit?"
    ]


def test_nothing_is_overwritten(settings, tmp_path):
    backup(settings, tmp_path / "backup.zip")
    with pytest.raises(LibraryError, match="there already"):
        backup(settings, tmp_path / "backup.zip")
    with pytest.raises(LibraryError, match="move that folder away"):
        restore(settings, tmp_path / "backup.zip")


def test_a_changed_archive_is_refused_and_leaves_nothing(settings, tmp_path):
    backup(settings, tmp_path / "backup.zip")
    with (
        zipfile.ZipFile(tmp_path / "backup.zip") as whole,
        zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad,
    ):
        for name in whole.namelist():
            data = whole.read(name)
            bad.writestr(
                name, data.replace(b"50 km/h", b"90 km/h") if name.startswith("files/") else data
            )
    other = other_settings(settings, tmp_path)
    with pytest.raises(LibraryError, match="is not what was put in"):
        restore(other, tmp_path / "bad.zip")
    assert not other.data_dir.exists()
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "/etc/passwd",
        "files/../../outside",
        "other/file",
        "files/..\\..\\outside",
        "files\\..\\..\\outside",
        "C:\\Windows",
    ],
)
def test_names_outside_the_folder_are_refused(settings, tmp_path, name):
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as odd:
        contents = {
            "format": 1,
            "made_at": "",
            "documents": 0,
            "chats": True,
            "files": {name: "0" * 64},
        }
        odd.writestr(CONTENTS_FILE, json.dumps(contents))
        odd.writestr(name, b"x")
    with pytest.raises(LibraryError, match="not one of ours"):
        restore(other_settings(settings, tmp_path), tmp_path / "odd.zip")
    assert not (tmp_path / "outside").exists()


def test_oversized_contents_are_refused(settings, tmp_path):
    contents = {"format": 1, "made_at": "", "documents": 0, "chats": True, "files": {}}
    with zipfile.ZipFile(tmp_path / "odd.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as odd:
        odd.writestr(CONTENTS_FILE, b" " * (65 << 20) + json.dumps(contents).encode())
    assert (tmp_path / "odd.zip").stat().st_size < 1 << 20
    with pytest.raises(LibraryError, match="is not a backup of Scrutineer"):
        restore(other_settings(settings, tmp_path), tmp_path / "odd.zip")


def test_an_archive_that_does_not_fit_the_disk_is_refused_first(settings, tmp_path):
    backup(settings, tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip", "a") as huge:
        huge.infolist()[0].file_size = 1 << 60
        huge.comment = b"one file grown"  # so that its list is written anew
    other = other_settings(settings, tmp_path)
    with pytest.raises(
        LibraryError, match=r"unpacks to 1152921504\.6 GB, but only .* GB are free in"
    ) as caught:
        restore(other, tmp_path / "backup.zip")
    assert caught.value.code == "archive"
    assert not other.data_dir.exists()


@pytest.mark.parametrize("data", [b"", b"no zip at all", b"PK\x05\x06" + bytes(18)])
def test_a_file_that_is_no_backup_is_refused(settings, tmp_path, data):
    (tmp_path / "odd.zip").write_bytes(data)
    with pytest.raises(LibraryError):
        restore(other_settings(settings, tmp_path), tmp_path / "odd.zip")


def test_an_archive_that_cannot_be_unpacked_is_refused(settings, tmp_path):
    backup(settings, tmp_path / "backup.zip")
    data = bytearray((tmp_path / "backup.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "backup.zip") as whole:
        first = next(info for info in whole.infolist() if info.compress_size > 64)
    start = first.header_offset + 30 + len(first.filename) + 40
    data[start : start + 8] = b"\xff" * 8
    (tmp_path / "bad.zip").write_bytes(data)
    with pytest.raises(LibraryError):
        restore(other_settings(settings, tmp_path), tmp_path / "bad.zip")


def test_evaluations_and_the_upload_queue_are_included(settings, tmp_path):
    EvaluationStore(settings.data_dir / EvaluationStore.FOLDER / "ada").save_evaluation(
        kept := Evaluation.start("set.csv", "search", 0)
    )
    waiting = queue_in(settings.data_dir).enqueue("kart.pdf", b"%PDF-1.7 and more")
    backup(settings, tmp_path / "backup.zip")
    other = other_settings(settings, tmp_path)
    restore(other, tmp_path / "backup.zip")
    assert EvaluationStore(other.data_dir / EvaluationStore.FOLDER / "ada").load_all() == (kept,)
    queue = queue_in(other.data_dir)
    assert queue.list_jobs() == (waiting,)
    assert queue._load_bytes(waiting) == b"%PDF-1.7 and more"


def test_a_folder_without_a_library_is_not_backed_up_and_not_made(tmp_path):
    mistyped = Settings(_env_file=None, data_dir=tmp_path / "dta")
    with pytest.raises(LibraryError, match="There is no library in") as caught:
        backup(mistyped, tmp_path / "backup.zip")
    assert caught.value.code == "missing"
    assert list(tmp_path.iterdir()) == []


def test_a_target_that_cannot_be_written_is_named(settings, tmp_path):
    with pytest.raises(LibraryError) as caught:
        backup(settings, tmp_path / "nowhere" / "backup.zip")
    assert caught.value.code == "archive"
    assert caught.value.message.startswith(str(tmp_path / "nowhere"))


RESTORE = """
import sys
from pathlib import Path
from core.settings import Settings
from core.maintenance.backups import restore
print("ready", flush=True)
input()
restore(Settings(_env_file=None, data_dir=Path(sys.argv[1])), Path(sys.argv[2]))
"""


def start_restore(folder, archive):
    """Start a process that is about to restore an archive."""
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", RESTORE, str(folder), str(archive)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(
        command, text=True, cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, **pipes
    )
    assert process.stdout.readline() == "ready\n"
    return process


def restore_until(folder, archive, until):
    """Start the same process; return once `until` is beside the folder, or it has ended."""
    process = start_restore(folder, archive)
    process.stdin.write("\n")
    process.stdin.flush()
    while process.poll() is None and not list(folder.parent.glob(until)):
        time.sleep(0.001)
    return process


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """An archive that takes a moment to restore."""
    folder = tmp_path_factory.mktemp("large")
    settings = Settings(_env_file=None, data_dir=folder / "data")
    assert [a.status for a in add_bytes(Library(settings.data_dir), LINES, "cup.jsonl")] == [
        "added"
    ]
    Conversations(settings.conversations_url).start_conversation("What is the speed limit?")
    for number in range(4):
        data = b"%PDF" + random.Random(number).randbytes(4_000_000)
        queue_in(settings.data_dir).enqueue(f"{number}.pdf", data)
    backup(settings, folder / "backup.zip")
    return folder / "backup.zip"


@pytest.mark.slow
@pytest.mark.parametrize(
    "when", [".other.*.part", ".other.*.part/files", ".other.*.part/conversations.db", "other"]
)
def test_a_killed_restore_leaves_nothing_or_all(tmp_path, large, when):
    """It is killed as soon as `when` is there."""
    other = Settings(_env_file=None, data_dir=tmp_path / "other")
    process = restore_until(other.data_dir, large, when)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    if not other.data_dir.exists():
        restore(other, large)
    assert {path.name for path in other.data_dir.iterdir()} >= {
        "files",
        "index",
        "conversations.db",
    }
    library = Library(other.data_dir)
    assert len(library.clauses(library.documents()[0].document_id)) == 2
    assert len(queue_in(other.data_dir).list_jobs()) == 4
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize("name", ["data", "rules[1]", "rules*"])
def test_remains_of_a_killed_restore_are_removed_at_the_next_start(settings, tmp_path, name):
    settings = settings.model_copy(update={"data_dir": settings.data_dir.rename(tmp_path / name)})
    others = tmp_path / ".rules1.0123abcd.part"
    others.mkdir()
    left = tmp_path / f".{settings.data_dir.name}.0123abcd.part"
    (left / "files").mkdir(parents=True)
    assert Library(settings.data_dir).clean_up_leftovers() == (
        "The remains of a backup that was not restored completely were removed.",
    )
    assert not left.exists()
    assert others.exists(), "it is of the folder beside this one"


def stop_restore_halfway(folder, archive):
    """Start to restore and stop the process before the end; repeat if it was quicker."""
    for _ in range(20):
        process = restore_until(folder, archive, ".other.*.part")
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if not folder.exists():
            return process
        process.kill()
        process.communicate()
        shutil.rmtree(folder)
    raise TimeoutError("it was always quicker")


@pytest.mark.slow
def test_what_others_write_during_a_restore_is_kept(tmp_path, large):
    other = Settings(_env_file=None, data_dir=tmp_path / "other")
    process = stop_restore_halfway(other.data_dir, large)
    queue = queue_in(other.data_dir)
    queue.enqueue("kart.pdf", b"%PDF-1.7 and more")
    process.send_signal(signal.SIGCONT)
    _, output = process.communicate()
    assert "move that folder away first" in output
    assert [entry.name for entry in queue.list_jobs()] == ["kart.pdf"]
    assert not list(tmp_path.glob(".*.part"))
