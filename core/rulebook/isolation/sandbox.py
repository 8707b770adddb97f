"""Foreign bytes are opened in processes of their own, within limits: this starts them and takes what they tell.

It knows no PDF. A job goes in as a pickle; values come back as pickles, each behind its length. Only dataclasses and
named tuples of this package are taken back, so a process that its reading took over has no way to hand us code.
"""

import io
import logging
import os
import pickle
import resource
import selectors
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

_ROOT = Path(__file__).resolve().parents[3]
_LENGTH = struct.Struct(">Q")
_CHUNK = 1 << 20
_GLANCE = 0.2  # seconds between two looks at whether anybody still waits
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""What a child sees of the environment: no key, no password, no address."""

_log = logging.getLogger("scrutineer.reading")

FailureReason = Literal["crash", "time", "output", "stopped"]
ShouldStop = Callable[[], bool]
"""True from when on nobody waits for the work any more; asked a few times a second."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one process may use. `silence` and `seconds` are of wall clock, `memory` and `output` bytes."""

    seconds: float
    silence: float
    """The longest wait for the next value."""
    memory: int
    """Address space; where the system does not enforce it, nothing does."""
    output: int
    """Of all values together."""
    patient: bool = False
    """Other work goes before it."""
    nested: bool = False
    """Started by such a process itself, and ended together with it."""


class WorkerFailed(Exception):
    """A process ended before its work did: it crashed, took too long, told too much, or was no longer wanted."""

    def __init__(self, reason: FailureReason) -> None:
        super().__init__(reason)
        self.reason: FailureReason = reason


def run_job(
    job: object, limits: ProcessLimits, should_stop: ShouldStop | None = None
) -> Iterator[Any]:
    """What a process tells about a job (see `child`), as it comes. Raises Broken when it ends in mid-work.

    The process and all that it started end with the iteration, however that ends.
    """
    command = [
        sys.executable,
        "-c",
        "from core.rulebook.isolation.worker import main; main()",
        str(limits.memory),
    ]
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {
        "PYTHONPATH": str(_ROOT)
    }
    process = subprocess.Popen(
        [*command, str(int(limits.seconds) + 1), "19" if limits.patient else "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if limits.nested or _log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
        env=environment,
        start_new_session=not limits.nested,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with (
            process.stdin as to_child,
            suppress(BrokenPipeError),
        ):  # it ended early: its silence is noticed below
            pickle.dump(job, to_child, protocol=pickle.HIGHEST_PROTOCOL)
        yield from _told(process.stdout, limits, should_stop)
    finally:
        process.kill()
        if not limits.nested:
            with suppress(ProcessLookupError):  # all that it started is gone already
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def send_value(value: object, out: BinaryIO) -> None:
    """Say a value, in the child; None says that the work is done."""
    said = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    out.write(_LENGTH.pack(len(said)) + said)
    out.flush()


def set_rlimits(memory: int, seconds: int, niceness: int) -> None:
    """Bind this process, in the child, to its limits before it looks at anything."""
    os.nice(niceness)
    for what, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds * (os.cpu_count() or 1)),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # some systems know a limit by name only
            # The hard limit stays: a process that it starts itself may be given more.
            resource.setrlimit(what, (limit, resource.getrlimit(what)[1]))


def _told(stream: Any, bounds: ProcessLimits, stopping: ShouldStop | None) -> Iterator[Any]:
    pieces = _Pieces(stream.fileno(), bounds, stopping)
    left = bounds.output
    while True:
        (length,) = _LENGTH.unpack(pieces.take(_LENGTH.size))
        left -= length
        if left < 0:
            raise WorkerFailed("output")
        value = _OwnValues(io.BytesIO(pieces.take(length))).checked()
        if value is None:
            return
        yield value


class _Pieces:
    """Bytes from a pipe, waited for no longer than the bounds allow."""

    def __init__(self, pipe: int, bounds: ProcessLimits, stopping: ShouldStop | None) -> None:
        self._pipe, self._bounds, self._stopping = pipe, bounds, stopping
        self._end = time.monotonic() + bounds.seconds
        self._held = bytearray()

    def take(self, size: int) -> bytes:
        silent = time.monotonic() + self._bounds.silence
        while len(self._held) < size:
            if not self._ready(min(silent, self._end) - time.monotonic()):
                raise WorkerFailed("time")
            piece = os.read(self._pipe, _CHUNK)
            if not piece:
                raise WorkerFailed("crash")
            self._held += piece
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken

    def _ready(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            while not (self._stopping and self._stopping()):
                left = max(0.0, until - time.monotonic())
                if selector.select(min(left, _GLANCE) if self._stopping else left):
                    return True
                if time.monotonic() >= until:
                    return False
        raise WorkerFailed("stopped")


class _OwnValues(pickle.Unpickler):
    """Takes dataclasses and named tuples of this package and plain values; anything else breaks the process off."""

    def find_class(self, module: str, name: str) -> Callable[..., Any]:
        if module.startswith("core.rulebook.") and "." not in name:
            found = super().find_class(module, name)
            if (
                isinstance(found, type)
                and found.__module__ == module
                and (is_dataclass(found) or issubclass(found, tuple))
            ):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not a value of a rulebook")

    def checked(self) -> Any:
        try:
            return self.load()
        except (
            pickle.UnpicklingError,
            EOFError,
            AttributeError,
            ImportError,
            TypeError,
            ValueError,
            IndexError,
        ) as error:
            raise WorkerFailed("crash") from error
