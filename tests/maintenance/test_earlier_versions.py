"""Data folders, backups and scripts of earlier versions still work."""

import hashlib
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from core.chats.conversations import Conversations
from tests.commands import run_command
from tests.made_once import make_once

MADE = Path(__file__).parents[1] / "data" / "version_0.1"
EXPECTED = json.loads((MADE / "expected.json").read_text("utf-8"))
ADDED_FIELDS = ("stable_id", "history", "since", "address", "change", "layers")


_ADDED = re.compile(
    r', "address": "[^"]*"(?:, "layers": \[\])?(?=}$)|, "change": null(?=})', re.MULTILINE
)
"""What rows of an export have more since."""


def run(folder, *arguments, stdin=None):
    """Run a command that searches as searches did then; return its exit status and its output."""
    done = run_command(folder, *arguments, stdin=stdin, SCRUTINEER_SEARCH_MODE="lexical")
    return done.exit_code, done.stdout


def without_new_fields(answer):
    """An answer without what was added to the contract since: nothing else may change."""

    def keep(pairs):
        return {name: value for name, value in pairs if name not in ADDED_FIELDS}

    return json.dumps(json.loads(answer, object_pairs_hook=keep))


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def read_again(folder):
    """Unpack the data folder, and read its documents again: the reading has another version."""
    with zipfile.ZipFile(MADE / "data_folder.zip") as archive:
        archive.extractall(folder)
    assert run(folder, "documents")[0] == 1
    assert "read again" in run(folder, "check", "--json")[1]


@pytest.fixture
def folder(tmp_path, monkeypatch, tmp_path_factory):
    """The data folder of version 0.1 as the program is now."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(make_once(tmp_path_factory, "earlier", read_again), tmp_path / "data")


def assert_library_is_unchanged(folder):
    status, documents = run(folder, "documents", "--json")
    assert status == 0
    for line, before in zip(documents.splitlines(), EXPECTED["documents"], strict=True):
        document = json.loads(line)  # fields and counts may be added
        assert document | before | {"counts": document["counts"] | before["counts"]} == document
    for document_id, expected in EXPECTED["export_sha256"].items():
        rows = run(folder, "export", document_id, "--json")[1].splitlines(keepends=True)
        assert sha256("".join(_ADDED.sub("", row) for row in rows)) == expected


def test_a_data_folder_holds_the_same_documents_and_clauses(folder):
    assert_library_is_unchanged(folder)


@pytest.mark.slow
def test_a_backup_is_taken_back(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(tmp_path / "restored", "restore", MADE / "backup.zip")[0] == 0
    run(tmp_path / "restored", "check")
    assert_library_is_unchanged(tmp_path / "restored")


def test_requests_get_the_answers_of_before(folder):
    lines = "".join(json.dumps(request) + "\n" for request in EXPECTED["requests"])
    status, answers = run(folder, "batch", stdin=lines)
    assert status == 0
    known = map(without_new_fields, answers.splitlines())
    assert [sha256(answer) for answer in known] == EXPECTED["answers_sha256"]


def test_check_finds_nothing_to_mend(folder):
    assert run(folder, "check", "--json") == (0, "")


def test_chats_are_listed_and_a_waiting_run_is_resumed(folder):
    chats = Conversations(f"sqlite:///{folder / 'conversations.db'}")
    waiting, answered = chats.list_conversations()
    assert (waiting.title, waiting.pinned) == ("Who makes the best tyres in the world?", True)
    (run_before,) = chats.list_runs(answered.conversation_id)
    assert run_before.events[-1].outcome == "answered"
    (run_waiting,) = chats.list_runs(waiting.conversation_id)
    status, output = run(folder, "resume", run_waiting.run_id, "--conclude", "--json")
    assert json.loads(output.splitlines()[-1])["decided_by"] == "person"
    assert status in (0, 1)


def test_events_have_the_fields_that_scripts_read(folder):
    _, output = run(folder, "ask", "What is the penalty for an unsafe release in a race?", "--json")
    for line in output.splitlines():
        event = json.loads(line)
        assert set(EXPECTED["event_fields"][event["type"]]) <= set(event)
