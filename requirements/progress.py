"""Run a command of pip and show how far it is: progress.py python -m pip install ...

In a terminal one line changes; elsewhere nothing is shown but pip's own errors. The exit status is
pip's.
"""

import os
import re
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from tempfile import TemporaryFile

SECONDS_BETWEEN_LOOKS = 0.2
_FETCHED = re.compile(r"^(?:Collecting |Processing \S*/)([A-Za-z0-9._]+(?:-[A-Za-z][\w.]*)*)", re.M)
_INSTALLED = re.compile(r"^Installing collected packages: (.*)$", re.M)


def describe_progress(said: str, wanted: int, installed: int) -> str:
    """Return how far pip is, by what it has said, as "Fetching 12 of 96: numpy".

    `wanted` counts packages, `installed` those that are written by now.
    """
    if found := _INSTALLED.search(said):
        names = found[1].split(", ")
        at = min(installed, len(names) - 1)
        return f"Installing {at + 1} of {len(names)}: {names[at]}"
    if names := _FETCHED.findall(said):
        elsewhere = said.count("\nIgnoring ") + said.startswith("Ignoring ")
        return f"Fetching {len(names)} of {wanted - elsewhere}: {names[-1]}"
    return ""


def main(command: list[str]) -> int:
    """Run `command` and return its exit status."""
    pins = Path(command[-1]).read_text(encoding="utf-8")
    wanted = len(re.findall(r"^[A-Za-z0-9]", pins, re.M))
    packages, begun = Path(sysconfig.get_path("purelib")), time.time()
    clear = "\r\033[K" if sys.stdout.isatty() else ""
    complained = 0
    with (
        TemporaryFile() as said,
        TemporaryFile() as complaints,
        subprocess.Popen(command, stdout=said, stderr=complaints) as pip,
    ):
        status = None
        while status is None:
            time.sleep(SECONDS_BETWEEN_LOOKS)
            status = pip.poll()
            # pread leaves the place alone at which pip writes.
            new = os.pread(complaints.fileno(), 1 << 20, complained)
            complained += len(new)
            print(end=clear, flush=True)
            sys.stderr.buffer.write(new)
            sys.stderr.flush()
            if clear:  # at the end too: a quick pip may do all of it between two looks
                written = packages.glob("*.dist-info")
                installed = sum(path.stat().st_mtime >= begun for path in written)
                text = os.pread(said.fileno(), 1 << 20, 0).decode(errors="replace")
                print(end=describe_progress(text, wanted, installed), flush=True)
    print(end=clear, flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
