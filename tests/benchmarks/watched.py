"""A server's process as it is seen from outside, through /proc: its memory, threads and processor
time. Linux only.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread


class Watched:
    """The server's process, looked at from outside (Linux: /proc)."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.peak = 0.0
        self._over = Event()

    @classmethod
    def at(cls, port: int) -> "Watched":
        """The server that was told to listen on a port, once it is there."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if place := _place_of(f"--server.port={port}".encode()):
                return cls(place)
            time.sleep(0.02)
        raise TimeoutError(port)

    def resident(self) -> float:
        """MiB, without the processes that read PDFs."""
        kib = int(re.search(r"VmRSS:\s+(\d+)", (self._place / "status").read_text())[1])  # type: ignore[index]
        self.peak = max(self.peak, kib / 1024)
        return kib / 1024

    def threads(self) -> int:
        """How many there are."""
        return len(list((self._place / "task").iterdir()))

    def cpu(self) -> float:
        """Seconds of processor time since its start."""
        fields = (self._place / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @contextmanager
    def peaking(self) -> Iterator[None]:
        """Look four times a second for the highest memory."""

        def look() -> None:
            while not self._over.wait(0.25):
                with suppress(OSError):
                    self.resident()

        looking = Thread(target=look, daemon=True)
        looking.start()
        yield
        self._over.set()
        looking.join()


def _place_of(argument: bytes) -> Path | None:
    """The folder in /proc of the process that was started with this argument."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if argument in path.read_bytes().split(bytes(1)):
                return path.parent
    return None
