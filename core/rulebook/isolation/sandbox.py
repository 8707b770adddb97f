"""Runs a job in a process of its own, within limits, and yields the values that it sends back.

Foreign bytes are opened in such processes only: a crash in native code ends one of them and not
the application. Each knows its job and nothing else: no key, no file, no network (`confinement`).
A value comes back as a kind, a length and that many bytes, which only become a value if they are
one that the job may be answered by (`codec`): a process that its file took over can run no code
here.
"""

import compileall
import logging
import os
import selectors
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any, Literal, Self

from core.errors import ReadError
from core.rulebook.isolation.codec import DecodeError, codec_for, count_elements
from core.rulebook.isolation.confinement import readable_paths
from core.rulebook.isolation.fork_server import ForkedProcess, ForkServers
from core.rulebook.isolation.messages import Job, JobError

FRAME = struct.Struct(">cQ")
"""What is written before the bytes of a value: its kind and its length."""
VALUE, ERROR, NO_MEMORY, END = b"v", b"e", b"m", b"."
"""Kinds: a value of the answer, a `JobError`, that memory ran out, and that the job is done."""
_ROOT = Path(__file__).resolve().parents[3]
_PROGRAM = (
    f"import sys; sys.path.insert(0, {str(_ROOT)!r});"
    " from core.rulebook.isolation.worker import main; main()"
)
_PATIENCE = 30  # times the seconds of a limit on the clock: as long may a busy machine take
_CHUNK = 1 << 20
POLL_SECONDS = 0.2
"""Between two calls of `should_stop`."""
_MAX_ELEMENTS = 4_000_000
"""Values within all answers to a job; a rulebook of 1,500 clauses has 86,000."""
_LONGEST_MESSAGE = 300  # characters of an error
_INHERITED = ("LANG", "LC_ALL", "SYSTEMROOT")
"""What a process sees of the environment: no key, no password, no address, no folder of a person's.

On Windows no Python starts without the last.
"""

_log = logging.getLogger("scrutineer.reading")

FailureReason = Literal["crash", "time", "output", "memory", "stopped"]
ShouldStop = Callable[[], bool]
"""True once the result is no longer wanted; called a few times a second."""
_FAILURES: dict[FailureReason, tuple[str, str]] = {
    "crash": ("damaged", "it ended the process that read it"),
    "time": ("too_slow", "it took too long"),
    "output": ("too_large", "it unpacks to more than fits into memory"),
    "memory": ("too_large", "it needs more memory than reading it may use"),
    "stopped": ("cancelled", "it was cancelled"),
}


class _PolledPipe:
    """A pipe that the system can wait for."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe

    def read(self, seconds: float) -> bytes | None:
        """Return what comes within so many seconds, empty at the end; None if nothing comes."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            return os.read(self._pipe.fileno(), _CHUNK) if selector.select(seconds) else None


class _ThreadedPipe:
    """A pipe that a thread waits for: Windows waits for sockets alone."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._chunks: Queue[bytes] = Queue(maxsize=1)
        Thread(target=self._fill, args=[pipe.fileno()], daemon=True).start()

    def _fill(self, number: int) -> None:
        while chunk := os.read(number, _CHUNK):
            self._chunks.put(chunk)
        self._chunks.put(b"")

    def read(self, seconds: float) -> bytes | None:
        """Return what comes within so many seconds, empty at the end; None if nothing comes."""
        try:
            return self._chunks.get(timeout=seconds)
        except Empty:
            return None


_Pipe = _ThreadedPipe if sys.platform == "win32" else _PolledPipe


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one process may use, `memory` and `output` in bytes.

    Times are seconds of the processor where the system tells them, else of the clock. A process
    that gets no processor ends after many times as long.
    """

    seconds: float
    silence: float
    """The longest wait for the next value."""
    memory: int
    """Address space, where the system enforces it."""
    output: int
    """All values together."""
    patient: bool = False
    """Run at the lowest priority."""


class WorkerFailed(Exception):
    """A process ended before its job: it crashed, took too long, sent too much or was stopped.

    `code` is that of a ReadError; `explanation` says of the file what happened.
    """

    def __init__(self, reason: FailureReason) -> None:
        super().__init__(reason)
        self.reason: FailureReason = reason
        self.code, self.explanation = _FAILURES[reason]


def run_job(
    job: Job, limits: ProcessLimits, should_stop: ShouldStop | None = None
) -> Iterator[Any]:
    """Yield the values that a process sends about a job (see `messages`) as they come in.

    Raises ReadError if the job fails and WorkerFailed if its process does. The process ends with
    the iteration, however that ends.
    """
    with Worker(type(job), limits) as worker:
        yield from worker.run(job, should_stop)


class Worker:
    """A process that waits for a job of one kind, with its imports done; ends with the block."""

    def __init__(self, kind: type[Job], limits: ProcessLimits) -> None:
        _compile_once(_ROOT / "core" / "rulebook", quiet=2)  # the processes may write no file
        answer: Any = kind.answer
        self._limits, self._codec = limits, codec_for(answer)
        self._folder = Path(tempfile.mkdtemp(prefix="scrutineer-"))
        resources = (limits.memory, int(limits.seconds) + 1, 19 if limits.patient else 0)
        arguments = [kind.__name__, str(self._folder), *map(str, resources)]
        self._process: ForkedProcess | subprocess.Popen[bytes] = (
            _can_fork() and _FORK_SERVERS.fork(arguments)
        ) or _start_python(arguments, subprocess.PIPE, subprocess.PIPE, bubblewrap(self._folder))
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._pipe = _Pipe(self._stdout)
        self._should_stop: ShouldStop | None = None
        self._started = 0.0
        self._buffer = bytearray()
        self._output_left, self._elements_left = limits.output, _MAX_ELEMENTS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: object, __: object) -> None:
        self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._stdin.close()
        self._stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        if isinstance(error, WorkerFailed) and error.reason != "stopped":
            _FORK_SERVERS.replace()

    def run(self, job: Job, should_stop: ShouldStop | None = None) -> Iterator[Any]:
        """Send the job, and yield the values of its answer. Raises ReadError and WorkerFailed."""
        # A crash is noticed when nothing comes back. Windows has no BrokenPipeError.
        with suppress(OSError), self._stdin:
            self._stdin.write(codec_for(type(job)).encode(job))
        self._started, self._should_stop = time.monotonic(), should_stop
        try:
            while (value := self._receive()) is not None:
                yield value
        except (DecodeError, MemoryError) as error:
            raise WorkerFailed("crash") from error

    def _receive(self) -> Any:
        """The next value, None after the last."""
        kind, length = FRAME.unpack(self._read(FRAME.size))
        self._output_left -= length
        if self._output_left < 0:
            raise WorkerFailed("output")
        data = self._read(length)
        if kind == VALUE:
            self._elements_left -= count_elements(data, self._elements_left)
            if self._elements_left < 0:
                raise WorkerFailed("output")
            return self._codec.decode(data)
        if kind == ERROR:
            failure = codec_for(JobError).decode(data)
            raise ReadError(failure.message[:_LONGEST_MESSAGE], code=failure.code)
        if kind != END:
            raise WorkerFailed("memory" if kind == NO_MEMORY else "crash")
        return None

    def _read(self, size: int) -> bytes:
        """Read bytes from the process. Raises WorkerFailed."""
        if len(self._buffer) < size:
            begun, used = time.monotonic(), _processor_seconds(self._process.pid)
        while len(self._buffer) < size:
            chunk = self._wait(begun, used)
            if not chunk:
                raise WorkerFailed("crash")
            self._buffer += chunk
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def _wait(self, begun: float, used: float | None) -> bytes:
        """Wait for more: since `begun` by the clock, and from `used` seconds of the processor."""
        while not (self._should_stop and self._should_stop()):
            if (chunk := self._pipe.read(POLL_SECONDS)) is not None:
                return chunk
            if self._is_over(begun, used):
                raise WorkerFailed("time")
        raise WorkerFailed("stopped")

    def _is_over(self, begun: float, used_before: float | None) -> bool:
        silence, seconds = self._limits.silence, self._limits.seconds
        waited, lasted = time.monotonic() - begun, time.monotonic() - self._started
        if waited < silence and lasted < seconds:
            return False
        used = _processor_seconds(self._process.pid)
        if used is None or used_before is None:
            return True
        is_idle = waited >= _PATIENCE * silence or lasted >= _PATIENCE * seconds
        return is_idle or used - used_before >= silence or used >= seconds


def _processor_seconds(process: int) -> float | None:
    """Return the processor time of a process and those below it, None if the system tells none."""
    if sys.platform == "linux":
        with suppress(OSError):
            folder = Path("/proc", str(process))
            times = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]
            children = (folder / "task" / str(process) / "children").read_text().split()
            below = sum(_processor_seconds(int(child)) or 0.0 for child in children)
            return sum(map(int, times)) / float(os.sysconf("SC_CLK_TCK")) + below
    return None


def bubblewrap(folder: Path) -> list[str]:
    """Return the command that runs another in namespaces of its own, empty where there is none."""
    return _wrap(folder) if _can_wrap() else []


def _wrap(folder: Path) -> list[str]:
    python = (Path(sys.executable), Path(sys.prefix, "pyvenv.cfg"))
    paths = [str(path) for path in (*readable_paths(), *python) if path.exists()]
    shown = [part for path in paths for part in ("--ro-bind", path, path)]
    own = ("--dev", "/dev", "--bind", str(folder), str(folder))
    program = shutil.which("bwrap") or "bwrap"
    return [program, "--unshare-all", "--die-with-parent", "--new-session", *shown, *own]


@cache
def _can_wrap() -> bool:
    """True if bubblewrap is installed and the system lets it make namespaces."""
    if sys.platform == "linux" and shutil.which("bwrap"):
        with tempfile.TemporaryDirectory(prefix="scrutineer-") as folder:
            command = [*_wrap(Path(folder)), sys.executable, "-I", "-c", ""]
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


@cache
def _can_fork() -> bool:
    """True on Linux from 5.3, but not where bubblewrap gives each process namespaces of its own."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            handle = os.pidfd_open(os.getpid())
            signal.pidfd_send_signal(handle, 0)
            os.close(handle)
            return not _can_wrap()
    return False


def _start_python(
    arguments: Sequence[str], stdin: int, stdout: int, wrapper: Sequence[str] = ()
) -> "subprocess.Popen[bytes]":
    """Start a sandboxed process, or the fork server if there are no arguments."""
    return subprocess.Popen(
        [*wrapper, sys.executable, "-I", "-B", "-c", _PROGRAM, *arguments],
        stdin=stdin,
        stdout=stdout,
        stderr=None if _log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
        env={name: os.environ[name] for name in _INHERITED if name in os.environ},
        cwd="/",
        start_new_session=True,
    )


_FORK_SERVERS = ForkServers(lambda requests: _start_python((), requests, subprocess.DEVNULL))
_compile_once = cache(compileall.compile_dir)
