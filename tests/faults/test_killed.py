"""Kills at random moments of adding, removing and asking lose and duplicate nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kill_target import CLAUSES

from core.chats.conversations import Conversations
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.maintenance.checks import check
from core.settings import Settings

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KILLS", "15"))
SEED = int(os.environ.get("SEED", "1"))


class Acknowledged:
    """What killed processes reported as done, and what they were doing when killed."""

    def __init__(self):
        self.held, self.unsure, self.events, self.repairs = set(), set(), {}, 0

    def take(self, output):
        """Read the complete lines of an output."""
        under_way = None
        for line in output.split("\n")[:-1]:
            match line.split(" ", 1):
                case ["repaired", _]:
                    self.repairs += 1
                case ["adding" | "removing" as what, name]:
                    under_way = what, name
                case ["added", name]:
                    self.held.add(name)
                    under_way = None
                case ["removed", name]:
                    self.held.discard(name)
                    under_way = None
                case ["event", event]:
                    run_id, seq = event.split(" ")
                    self.events[run_id] = int(seq)
        if under_way:
            self.unsure = {under_way[1]}
            self.held.discard(under_way[1])

    def settle(self, titles):
        """Check that the interrupted action happened completely or not at all."""
        assert titles - self.unsure == self.held
        self.held, self.unsure = set(titles), set()


class Processes:
    """Processes of kill_target, one after the other."""

    def __init__(self):
        command = [sys.executable, str(Path(__file__).parent / "kill_target.py")]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": "."},
        )

    def kill_after(self, folder, seed, seconds):
        """Start one, kill it after so many seconds, and return its output."""
        self.process.stdin.write(f"{seed} {folder}\n")
        self.process.stdin.flush()
        number, said = int(self.process.stdout.readline().split()[1]), []
        while not said or not said[-1].startswith(("ready", "ended")):
            said.append(self.process.stdout.readline())
        time.sleep(seconds)
        os.kill(number, signal.SIGKILL)
        while not said[-1].startswith("ended"):
            said.append(self.process.stdout.readline())
        assert said.pop() == f"ended {-signal.SIGKILL}\n", said  # it was still at work
        return "".join(said)

    def end(self):
        self.process.communicate(timeout=60)


def nothing_is_lost(folder, done):
    library = Library(folder)
    done.repairs += len(library.clean_up_leftovers())
    titles = {document.title for document in library.documents()}
    if (manifest := library.tables.documents_table()) is not None:
        assert len(titles) == len(library.documents()) == manifest.count_rows()
    done.settle(titles)
    ids = []
    for document in library.documents():
        clauses = library.clauses(document.document_id)
        assert len(clauses) == document.clauses == CLAUSES
        assert all(document.title in clause.text for clause in clauses)
        assert library.files.is_intact(library.stored_file(document.document_id).name)
        ids += [clause.clause_id for clause in clauses]
    assert len(ids) == len(set(ids))
    if (table := library.tables.clauses_table()) is not None:
        assert table.count_rows() == len(ids)
    if ids:
        assert search(library, "speed limit in zone 7", resolve_scope(library.documents()), 3)


def no_event_is_lost(url, done):
    chats = Conversations(url)
    for run_id, seq in done.events.items():
        saved = chats.find_run(run_id)
        assert saved is not None
        assert saved.outcome is not None
        assert [event.seq for event in saved.events] == list(range(1, len(saved.events) + 1))
        assert len(saved.events) >= seq


@pytest.mark.slow
def test_nothing_is_lost_when_a_process_is_killed(tmp_path):
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    chance, done = random.Random(SEED), Acknowledged()
    print(f"SEED={SEED} KILLS={KILLS}")
    processes = Processes()
    try:
        for kill in range(KILLS):
            seconds = chance.uniform(0.0, 0.4)
            print(f"kill {kill} after {seconds:.3f} s")
            done.take(processes.kill_after(settings.data_dir, SEED + kill, seconds))
            nothing_is_lost(settings.data_dir, done)
            no_event_is_lost(settings.conversations_url, done)
            done.events.clear()
    finally:
        processes.end()
    assert [finding for finding in check(settings) if finding.code != "leftover"] == []
    print(f"{done.repairs} repairs, {len(done.held)} documents in the end")
