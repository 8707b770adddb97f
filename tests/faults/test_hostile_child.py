"""A process that a file has taken over: what it does to the machine, and what it says."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
KEY = "sk-ant-stolen"
LIES = (
    *("document", "clause of another", "id of another", "id twice", "another type", "pickle"),
    *("length", "elements", "many", "depth", "half", "memory", "panic"),
)
TOO_LARGE = ("length", "elements", "many", "depth", "memory")
READ = """
import os, sys
from core.errors import ReadError
from core.rulebook import describe_isolation, read_pdf
if len(sys.argv) == 1:
    print(describe_isolation())
else:
    data = open(sys.argv[1], "rb").read().replace(b"APPLICATION", str(os.getpid()).encode())
    for name in sys.argv[2:]:
        try:
            print("read", len(read_pdf(data, name).clauses))
        except ReadError as error:
            print(error.code, error.message)
"""
NOTHING_FORKED = "import os; vars(os).pop('pidfd_open', None)"
"""As on another system, or with bubblewrap: each process is started anew."""


@pytest.fixture
def project(tmp_path):
    """A copy of the project, with a key, in which a test replaces what a file has taken over."""
    folder = tmp_path / "project"
    half_written = shutil.ignore_patterns("*.pyc.*")  # by another process that compiles
    shutil.copytree(ROOT / "core", folder / "core", ignore=half_written)
    (folder / "README.md").write_text("private")
    (folder / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\n")
    (folder / ".env").chmod(0o600)
    return folder


def run(project, *arguments, program=READ):
    """What the copy prints on standard output."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=project,
        env={**os.environ, "ANTHROPIC_API_KEY": KEY, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def replace(project, module, hostile):
    shutil.copy(HERE / hostile, project / "core" / "rulebook" / "isolation" / module)


@pytest.mark.parametrize("program", [READ, NOTHING_FORKED + READ], ids=["forked", "started"])
def test_what_a_process_taken_over_does_is_blocked_or_told(project, tmp_path, program):
    replace(project, "page_process.py", "hostile_process.py")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        pdf = tmp_path / "hostile.pdf"
        pdf.write_text(f"%PDF-1.7\n{project}\n{listener.getsockname()[1]}\nAPPLICATION\n")
        said, told = run(project, pdf, "hostile.pdf", program=program), run(project)
        with pytest.raises(TimeoutError):
            listener.accept()
    assert not (project / "written").exists()
    assert "succeeded: []" in said or "NOT CLOSED" in told, said


def test_what_this_system_cannot_close_is_told(project):
    assert "cannot: read the application's files" in run(project) or "NOT CLOSED" in run(project)
    (project / "core" / "rulebook" / "isolation" / "syscalls.toml").write_text("")
    assert "NOT CLOSED on this system, they can: open connections" in run(project)


def test_a_module_in_the_folder_of_the_start_is_not_loaded(project):
    for name in ("pypdfium2", "msgspec", "tomllib", "ctypes"):
        (project / f"{name}.py").write_text(f"raise SystemExit('{name} of the folder')")
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}){READ}"
    sample = next((ROOT / "data" / "samples").glob("*.pdf"))
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, sample, "a"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.startswith("read "), done.stderr


def test_what_a_process_taken_over_says_is_refused_in_a_sentence(project):
    replace(project, "build_process.py", "hostile_build.py")
    sample = next((ROOT / "data" / "samples").glob("*.pdf"))
    *refusals, truth = run(project, sample, *LIES, "truth").splitlines()
    for lie, refusal in zip(LIES, refusals, strict=True):
        code, said = refusal.split(" ", 1)
        assert code == ("too_large" if lie in TOO_LARGE else "damaged")
        assert said.startswith(f"{lie} cannot be read: it ")
    assert truth == "read 1"
    assert not list(project.glob("run"))
