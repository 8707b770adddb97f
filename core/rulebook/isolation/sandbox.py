"""Runs a job in a process of its own, within limits, and yields the values that it sends back.

Foreign bytes are opened in such processes only: a crash in native code ends one of them and not
the application. A job goes in as a pickle; values come back as pickles, each after its length.
Only dataclasses and named tuples of this package are accepted back, so that a process taken over
by the file it reads cannot run code here.
"""

import io
import logging
import os
import pickle
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
from typing import Any, Literal

from core.errors import ReadError
from core.rulebook.isolation.messages import JobError

LENGTH = struct.Struct(">Q")
"""How the length of a value is written before the value."""
_ROOT = Path(__file__).resolve().parents[3]
_PROGRAM = "from core.rulebook.isolation.worker import main; main()"
_CHUNK = 1 << 20  # bytes
_POLL_SECONDS = 0.2  # between two calls of `should_stop`
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""What a process sees of the environment: no key, no password, no address."""
_BROKEN_PICKLE = (AttributeError, EOFError, ImportError, IndexError, TypeError, ValueError)

_log = logging.getLogger("scrutineer.reading")

FailureReason = Literal["crash", "time", "output", "stopped"]
ShouldStop = Callable[[], bool]
"""True once the result is no longer wanted; called a few times a second."""
_FAILURES: dict[FailureReason, tuple[str, str]] = {
    "crash": ("damaged", "it ended the process that read it"),
    "time": ("too_slow", "it took too long"),
    "output": ("too_large", "it unpacks to more than fits into memory"),
    "stopped": ("cancelled", "it was cancelled"),
}


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one process may use. Times are seconds of wall clock, `memory` and `output` bytes."""

    seconds: float
    silence: float
    """The longest wait for the next value."""
    memory: int
    """Address space, where the system enforces it."""
    output: int
    """All values together."""
    patient: bool = False
    """Run at the lowest priority."""
    nested: bool = False
    """Started by another such process, and killed together with it."""


class WorkerFailed(Exception):
    """A process ended before its job: it crashed, took too long, sent too much or was stopped.

    `code` is that of a ReadError; `explanation` says of the file what happened.
    """

    def __init__(self, reason: FailureReason) -> None:
        super().__init__(reason)
        self.reason: FailureReason = reason
        self.code, self.explanation = _FAILURES[reason]


def run_job(
    job: object, limits: ProcessLimits, should_stop: ShouldStop | None = None
) -> Iterator[Any]:
    """Yield the values that a process sends about a job (see `messages`) as they come in.

    Raises ReadError if the job fails and WorkerFailed if its process does. The process and all
    processes that it started end with the iteration, however that ends.
    """
    arguments = (limits.memory, int(limits.seconds) + 1, 19 if limits.patient else 0)
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if limits.nested or _log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
        env={name: os.environ[name] for name in _INHERITED if name in os.environ}
        | {"PYTHONPATH": str(_ROOT)},
        start_new_session=not limits.nested,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(BrokenPipeError), process.stdin:  # a crash is noticed when nothing comes back
            pickle.dump(job, process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        yield from _receive_values(process.stdout.fileno(), limits, should_stop)
    finally:
        process.kill()
        if not limits.nested:
            with suppress(ProcessLookupError):  # it ended, and all that it started
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def _receive_values(
    pipe: int, limits: ProcessLimits, should_stop: ShouldStop | None
) -> Iterator[Any]:
    reader = _PipeReader(pipe, limits, should_stop)
    left = limits.output
    while True:
        (length,) = LENGTH.unpack(reader.read(LENGTH.size))
        left -= length
        if left < 0:
            raise WorkerFailed("output")
        data = io.BytesIO(reader.read(length))
        try:
            value = _ValueUnpickler(data).load()
        except (pickle.UnpicklingError, *_BROKEN_PICKLE) as error:
            raise WorkerFailed("crash") from error
        if value is None:
            return
        if isinstance(value, JobError):
            raise ReadError(value.message, code=value.code)
        yield value


class _PipeReader:
    """Reads bytes from a pipe and waits no longer than the limits allow."""

    def __init__(self, pipe: int, limits: ProcessLimits, should_stop: ShouldStop | None) -> None:
        self._pipe, self._limits, self._should_stop = pipe, limits, should_stop
        self._end = time.monotonic() + limits.seconds
        self._buffer = bytearray()

    def read(self, size: int) -> bytes:
        deadline = min(time.monotonic() + self._limits.silence, self._end)
        while len(self._buffer) < size:
            self._wait_until(deadline)
            chunk = os.read(self._pipe, _CHUNK)
            if not chunk:
                raise WorkerFailed("crash")
            self._buffer += chunk
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def _wait_until(self, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            while not (self._should_stop and self._should_stop()):
                left = max(0.0, deadline - time.monotonic())
                if selector.select(min(left, _POLL_SECONDS) if self._should_stop else left):
                    return
                if time.monotonic() >= deadline:
                    raise WorkerFailed("time")
        raise WorkerFailed("stopped")


class _ValueUnpickler(pickle.Unpickler):
    """Accepts dataclasses and named tuples of this package, and plain values."""

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
