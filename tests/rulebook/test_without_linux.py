"""What remains on a system that is not Linux, as far as it can be tried here.

A library is made in a Python that lacks what Windows lacks: forks, resource limits, and pipes that
can be waited for.
"""

import os
import re
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import pytest

from core.processes import find_process

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"
LACKS = """
import os, socket, sys
for name in {}:
    delattr(os, name)
del socket.send_fds, socket.recv_fds
sys.modules["resource"] = None
"""
ALWAYS, FORKS = ["nice", "sync", "pidfd_open"], ["fork", "forkpty", "register_at_fork"]
COMMAND = f"""{LACKS.format(ALWAYS + FORKS)}
from core.rulebook.isolation import sandbox
sandbox._Pipe = sandbox._ThreadedPipe
sandbox._PROGRAM = {LACKS.format(ALWAYS)!r} + sandbox._PROGRAM  # `check` tries to fork there
from core.cli import main
main()
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data folder for commands of such a Python."""
    return tmp_path_factory.mktemp("data")


def run(data, *arguments):
    """What a command prints, its errors too."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        cwd=ROOT,
        env=os.environ | {"SCRUTINEER_DATA_DIR": str(data)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return " ".join((done.stdout + done.stderr).split())


@pytest.mark.slow
def test_a_rulebook_is_read_asked_checked_and_backed_up(data, tmp_path):
    assert "added" in run(data, "ingest", str(SAMPLE))
    answer = run(data, "ask", "What is the penalty for an unsafe release in free practice?")
    assert "is punished by a fine of €5,000" in answer
    assert "The processes that read files cannot" in run(data, "check")
    archive = tmp_path / "backup.zip"
    run(data, "backup", str(archive))
    restored = tmp_path / "restored"
    run(restored, "restore", str(archive))
    assert "meridian-sporting" in run(restored, "documents")


@pytest.mark.slow
def test_every_stored_name_is_one_that_windows_takes(data):
    names = [PureWindowsPath(path.relative_to(data)) for path in data.rglob("*")]
    assert len(names) > 10
    for name in names:
        assert not name.is_reserved(), name
        assert not re.search(r'[<>:"|?*]|[. ]$', str(name)), name
        assert len(str(name)) < 160, "Windows takes 260, of which a home has some"
    assert len({str(name).casefold() for name in names}) == len(names), "it knows no capitals"


def test_a_process_is_found_by_its_number():
    assert find_process(os.getpid()) == "own"
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    assert find_process(ended.pid) is None
