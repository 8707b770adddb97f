"""A damaged file of the data folder yields the same answers or a sentence, and `check` mends it.

No command says other words than the rules, "not found" of what is there, or a traceback.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from damage_target import COMMANDS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
DAMAGES = int(os.environ.get("DAMAGES", os.environ.get("KILLS", "30")))
SEED = int(os.environ.get("SEED", "1"))
ANY_HEX = re.compile(r"[0-9a-f-]{20,}|\d+")


class Commands:
    """Processes of damage_target, one after the other."""

    def __init__(self, script):
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name(script))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": "."},
        )

    def answer(self, folder):
        self.process.stdin.write(f"{folder}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A data folder of two editions and an answered question."""
    folder = tmp_path_factory.mktemp("begun") / "all"
    command = [sys.executable, str(Path(__file__).with_name("write_target.py"))]
    environment = {**os.environ, "PYTHONPATH": "."}
    given = f"prepare 0 {folder}\n"
    subprocess.run(
        command, input=given, text=True, check=True, cwd=ROOT, env=environment, capture_output=True
    )
    return folder / "data"


@pytest.fixture(scope="module")
def commands():
    commands = Commands("damage_target.py")
    yield commands
    commands.process.communicate(timeout=60)


def flip(path, chance):
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def blank(path, chance):
    data = bytearray(path.read_bytes())
    start = chance.randrange(len(data))
    data[start : start + 64] = bytes(len(data[start : start + 64]))
    path.write_bytes(data)


def shorten(path, chance):
    os.truncate(path, chance.randrange(path.stat().st_size))


def scramble(path, chance):
    path.write_bytes(chance.randbytes(path.stat().st_size))


def remove(path, chance):
    path.unlink()


def swap(path, chance):
    """Let two files of a kind take each other's place."""
    others = [other for other in path.parent.glob(f"*{path.suffix}") if other != path]
    if others:
        other = chance.choice(sorted(others))
        first, second = path.read_bytes(), other.read_bytes()
        path.write_bytes(second)
        other.write_bytes(first)


HARMS = (flip, blank, shorten, scramble, remove, swap)


def damage(folder, chance, often):
    """Damage a file of a kind that was damaged least often; say what was done."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    kinds = {path: ANY_HEX.sub("#", str(path.relative_to(folder))) for path in files}
    path = min(files, key=lambda path: (often[kinds[path]], chance.random()))
    often[kinds[path]] += 1
    harm = chance.choice(HARMS)
    harm(path, chance)
    return f"{harm.__name__} {path.relative_to(folder)}"


def texts_in(value):
    """The words of clauses that an output holds, anywhere."""
    match value:
        case dict():
            for name, item in value.items():
                if name in ("text", "quote") and isinstance(item, str) and "speed limit" in item:
                    yield item
                yield from texts_in(item)
        case list():
            for item in value:
                yield from texts_in(item)


def errors_in(said):
    """The sentences of errors that an output holds."""
    for line in said["lines"]:
        if isinstance(error := line.get("error"), dict):
            yield error["message"]
        elif line.get("outcome") == "failed":
            yield line["message"]


def judge(name, said, true, words):
    """What is wrong with the answer of a command, "" for nothing."""
    if said["trace"]:
        return "traceback"
    if set(texts_in(said["lines"])) - words:
        return "wrong text"
    if any(errors_in(said)):
        return "" if said["status"] else "an error without a status"
    if said["status"] != true["status"]:
        return "not found"
    return "" if len(said["lines"]) or not len(true["lines"]) else "nothing said"


def test_a_damage_changes_no_word_and_is_never_not_found(begun, commands, tmp_path):
    chance, often, wrong = random.Random(SEED), Counter(), []
    truth = commands.answer(shutil.copytree(begun, tmp_path / "whole"))
    words = {text for name in COMMANDS for text in texts_in(truth[name]["lines"])}
    told = 0
    for number in range(DAMAGES):
        folder = shutil.copytree(begun, tmp_path / "damaged")
        done = damage(folder, chance, often)
        said = commands.answer(folder)
        found = (
            {"ended": str(said)}
            if "ended" in said
            else {
                name: judge(name, answer, truth[name], words)
                for name, answer in said.items()
                if "check" not in name
            }
        )
        told += any(any(errors_in(said[name])) for name in COMMANDS if name in said)
        faults = {name: fault for name, fault in found.items() if fault}
        print(f"{number}: {done}: {faults or 'right'}")
        if faults:
            wrong.append((done, faults))
            if keep := os.environ.get("KEEP"):
                Path(keep, f"{number}.json").write_text(json.dumps(said, indent=1))
        shutil.rmtree(folder)
    print(f"{DAMAGES} damages of {len(often)} kinds of files: {told} told, {len(wrong)} wrong")
    assert wrong == []
