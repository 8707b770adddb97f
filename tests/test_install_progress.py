"""What `make run` shows while pip installs: how far it is, and all of an error."""

import hashlib
import os
import pty
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

PROGRESS = Path(__file__).parents[1] / "requirements" / "progress.py"
NAMES = ("first-part", "second-part")


@pytest.fixture
def pins(tmp_path):
    """Two packages and their hashes, and one that is for another system."""
    lines = ['third-part==1.0 ; sys_platform == "none" --hash=sha256:' + 64 * "0"]
    for name in NAMES:
        stem = f"{name.replace('-', '_')}-1.0"
        wheel = tmp_path / f"{stem}-py3-none-any.whl"
        own = f"{stem}.dist-info"
        with zipfile.ZipFile(wheel, "w") as file:
            file.writestr(f"{own}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            file.writestr(f"{own}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            file.writestr(f"{own}/RECORD", "")
        lines.append(f"{name}==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}")
    path = tmp_path / "pins.txt"
    path.write_text("\n".join(lines))
    return path


def install(pins, **options):
    """Start pip on pins, in an environment of their own, as the Makefile does."""
    environment = pins.parent / "environment"
    venv.create(environment, with_pip=False)
    python = str(environment / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--isolated", f"--python={python}", "install"]
    own = ["--no-index", f"--find-links={pins.parent}", "--require-hashes", "-r", str(pins)]
    return subprocess.Popen(
        [python, PROGRESS, *pip, *own], stderr=subprocess.PIPE, text=True, **options
    )


def test_a_terminal_shows_one_line_that_counts(pins):
    ours, theirs = pty.openpty()
    with install(pins, stdout=theirs) as pip:
        _, complaints = pip.communicate()
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert (pip.returncode, complaints) == (0, "")
    assert "\n" not in shown
    counted = re.findall(r"(?:Fetching|Installing) \d of 2: (\S+?)[\r\x1b]", shown)
    assert {name.replace("_", "-") for name in counted} <= set(NAMES)  # a wheel has its own sign
    assert counted
    assert shown.endswith("\r\x1b[K"), "nothing is left of it"


def test_a_log_holds_nothing_but_an_error_which_it_holds_whole(pins):
    sound = pins.read_text()
    pins.write_text(re.sub(r"\w{64}", 64 * "1", sound))
    with install(pins, stdout=subprocess.PIPE) as pip:
        shown, complaints = pip.communicate()
    assert (pip.returncode, shown) == (1, "")
    assert "DO NOT MATCH THE HASHES" in complaints
    assert 64 * "1" in complaints
    pins.write_text(sound)
    with install(pins, stdout=subprocess.PIPE) as pip:
        assert pip.communicate() == ("", "")
    assert pip.returncode == 0
