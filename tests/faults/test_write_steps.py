"""A kill between any two steps of a write leaves the old state or the new one.

The steps are those of `core/write_steps.py`. Each kill is followed, half of the time, by another
one in what goes on from there; then the work is done to its end, and nothing is lost or doubled.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from itertools import cycle, islice
from pathlib import Path

import pytest
from write_target import ACTIONS, CLAUSES, chats_in, library_in, settings_of

from core.library.storage.vectors import count_missing_vectors
from core.maintenance.backups import restore
from core.maintenance.checks import check
from core.settings import Settings
from core.write_steps import STEPS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KILLS", "20"))
SEED = int(os.environ.get("SEED", "1"))
MIGRATED = "migrate"


class Writer:
    """Processes of write_target, one after the other; it keeps the events that they saved."""

    def __init__(self):
        self.events = {}
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("write_target.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": "."},
        )

    def do(self, action, folder, kill_at=0):
        """The steps that an action passed, in a process that is killed at one of them."""
        self.process.stdin.write(f"{action} {kill_at} {folder}\n")
        self.process.stdin.flush()
        steps = []
        while not (said := self.process.stdout.readline()).startswith("ended"):
            match said.rstrip("\n").split(" ", 1):
                case ["step", step]:
                    steps.append(step)
                case ["event", event]:
                    run_id, seq = event.split(" ")
                    self.events[run_id] = int(seq)
        assert said.split()[1] == str(-signal.SIGKILL if kill_at and len(steps) == kill_at else 0)
        return steps


@pytest.fixture(scope="module")
def writer():
    writer = Writer()
    yield writer
    writer.process.communicate(timeout=60)


@pytest.fixture(scope="module")
def begun(writer, tmp_path_factory):
    """Folders that actions begin in, by action."""
    plain, old = (tmp_path_factory.mktemp("begun") / name for name in ("plain", "old"))
    writer.do("prepare", plain)
    shutil.copytree(plain, old)
    writer.do("make_old", old)
    return {action: old if action == MIGRATED else plain for action in ACTIONS}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The folder in which each action is done that nobody kills."""
    return tmp_path_factory.mktemp("done")


@pytest.fixture(scope="module")
def steps(writer, begun, done):
    """The steps of each action that nobody kills."""
    return {
        action: writer.do(action, shutil.copytree(folder, done / action))
        for action, folder in begun.items()
    }


def look(folder):
    """The documents and texts of a library that is whole, as the next start finds it."""
    library = library_in(folder)
    library.clean_up_leftovers()
    documents, ids, files = library.documents(), [], {"lock"}
    for document in documents:
        clauses = library.clauses(document.document_id)
        assert len(clauses) == document.clauses
        stored = library.stored_file(document.document_id).name
        assert library.files.is_intact(stored)
        files |= {stored, f"{document.document_id}.json"}
        ids += [clause.clause_id for clause in clauses]
    assert len({document.document_id for document in documents}) == len(documents)
    assert len(set(ids)) == len(ids)
    assert library.tables.clauses_table().count_rows() == len(ids)
    assert {path.name for path in library.files.folder.iterdir()} <= files
    vectors = library.tables.vectors_table().to_arrow()["clause_id"].to_pylist()
    assert len(set(vectors)) == len(vectors)
    assert set(vectors) <= set(ids)
    return {
        (document.title, document.issue): [
            clause.text for clause in library.clauses(document.document_id)
        ]
        for document in documents
    }


def runs_are_whole(folder, events):
    """Every run has ended, and has each event that was acknowledged, once."""
    chats = chats_in(folder)
    for chat in chats.list_conversations():
        for run in chats.list_runs(chat.conversation_id):
            saved = chats.find_run(run.run_id)
            assert saved.outcome is not None
            numbers = [event.seq for event in saved.events]
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(numbers) >= events.pop(run.run_id, 0)
    assert events == {}


def backups_are_whole(folder, before):
    """What was backed up, or taken back, is what was there."""
    if (archive := folder / "all.zip").exists():
        restore(Settings(_env_file=None, data_dir=folder / "again" / "data"), archive)
    for name in ("again", "back"):
        if (folder / name).exists():
            assert look(folder / name) == before


def test_every_step_is_passed_by_an_action(steps):
    passed = {step for names in steps.values() for step in names}
    assert passed == set(STEPS)


def test_a_kill_between_two_steps_leaves_the_old_state_or_the_new_one(
    writer, begun, done, steps, tmp_path
):
    chance, killed = random.Random(SEED), Counter()
    before, after = look(begun["add"]), {action: look(done / action) for action in ACTIONS}
    assert all(len(texts) == CLAUSES for texts in before.values())
    for number, action in enumerate(islice(cycle(sorted(ACTIONS)), KILLS)):
        kill_at = choose_step(steps[action], killed, action, chance)
        folder = shutil.copytree(begun[action], tmp_path / "killed")
        print(f"kill {number}: {action} at {kill_at}, {steps[action][kill_at - 1]}")
        writer.events.clear()
        writer.do(action, folder, kill_at)
        if action != MIGRATED:
            assert look(folder) in (before, after[action])
        if chance.random() < 0.5:
            writer.do(action, folder, chance.randint(1, len(steps[action])))
        writer.do(action, folder)
        assert look(folder) == after[action]
        runs_are_whole(folder, dict(writer.events))
        backups_are_whole(folder, before)
        assert {finding.code for finding in check(settings_of(folder))} <= {"leftover"}
        assert count_missing_vectors(library_in(folder)) == 0
        shutil.rmtree(folder)
    print(f"{KILLS} kills at {len(killed)} of {sum(map(len, steps.values()))} steps")


def choose_step(names, killed, action, chance):
    """The number of a step that was killed at least often, of a name that never was if one is."""
    often = Counter()
    for other, at in killed:
        if other == action:
            often[names[at - 1]] = 1
    numbers = range(1, len(names) + 1)
    chosen = min(
        numbers, key=lambda at: (often[names[at - 1]], killed[action, at], chance.random())
    )
    killed[action, chosen] += 1
    return chosen
