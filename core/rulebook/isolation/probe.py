"""Tries in a reading process what such a process must not do, and reports what it could do."""

import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from core.errors import ReadError
from core.rulebook.isolation import confinement
from core.rulebook.isolation.messages import ProbeJob
from core.rulebook.isolation.sandbox import ProcessLimits, WorkerFailed, bubblewrap, run_job

WAYS = {
    "files": "read the application's files",
    "folders": "write outside its folder",
    "network": "open connections",
    "programs": "start programs",
    "memory": "look into the application's memory",
    "signals": "end other processes",
}
"""What must be closed, in words that follow "can"."""
_LIMITED = {
    "linux": "limits on memory and time",
    "darwin": "limits on time, files and processes; this system limits no memory",
    "win32": "a limit on time; read files of strangers in WSL, docs/windows.md says how",
}
"""What else protects, by system."""
_LIMITS = ProcessLimits(20.0, 20.0, memory=1 << 30, output=1 << 20)


@cache
def describe_isolation() -> str:
    """Say in a sentence or two what a process that reads files cannot do here, as it was tried."""
    with tempfile.TemporaryDirectory(prefix="scrutineer-") as folder:
        canary = Path(folder) / "canary"
        canary.write_bytes(b"not for a process that reads files")
        try:
            [still] = run_job(ProbeJob(str(canary), os.getpid()), _LIMITS)
        except (ReadError, WorkerFailed, ValueError):
            return "What the processes that read files can do here could not be tried out."
        wrapped = ["bubblewrap"] if bubblewrap(Path(tempfile.gettempdir())) else []
    layers = ", ".join([*confinement.kernel_layers(), *wrapped, _LIMITED[sys.platform]])
    closed = "; ".join(words for way, words in WAYS.items() if way not in still)
    told = f"The processes that read files cannot: {closed} ({layers})." if closed else ""
    if not still:
        return told
    ways = "; ".join(WAYS[way] for way in still if way in WAYS)
    return f"{told} NOT CLOSED on this system, they can: {ways} ({layers}).".strip()


def find_open_ways(job: ProbeJob) -> Iterator[str]:
    """Yield the names of the `WAYS` that are open to this process."""
    if sys.platform == "win32":  # nothing confines it; to try out a signal would end the other
        yield from WAYS
        return
    canary = Path(job.canary)
    attempts: dict[str, Callable[[], object]] = {
        "files": canary.read_bytes,
        "folders": lambda: os.close(os.open(canary, os.O_WRONLY)),
        "network": lambda: socket.socket().close(),
        "programs": _start_process,
        "memory": lambda: os.close(os.open(f"/proc/{job.application}/mem", os.O_RDONLY)),
        "signals": lambda: os.kill(job.application, 0),
    }
    for way in WAYS:
        with suppress(OSError):
            attempts[way]()
            yield way


def _start_process() -> None:
    number = os.fork()
    if number == 0:
        os._exit(0)
    os.waitpid(number, 0)
