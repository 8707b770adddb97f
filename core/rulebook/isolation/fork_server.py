"""Copies of a process that has done their imports, the fork server (Linux, without bubblewrap).

The fork server is started by exec with nothing of the application's: no environment, file or
memory. It opens no document, has one thread, and ends with the application, its copies with it.
Each copy keeps two pipes and confines itself before it reads its job (see `worker`).

Python's `multiprocessing.forkserver` would hand on the environment, listen at a path and unpickle.
"""

import os
import selectors
import signal
import socket
import subprocess
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import TypeAlias

_START_SECONDS = 60.0
"""The longest wait for a copy. The imports of a kind of job take half a second, at first."""

_END_SECONDS = 1.0
"""How long a fork server may take to end by itself; it does so at once, if it is not at imports."""

_Start: TypeAlias = Callable[[int], "subprocess.Popen[bytes]"]
"""Starts a fork server that takes requests from a socket, by its descriptor."""


class ForkedProcess:
    """A copy of the fork server, with what is used of a `Popen`."""

    def __init__(self, server: "_ForkServer", pid: int, handle: int, pipes: Sequence[int]) -> None:
        self._server: _ForkServer | None = server
        self.pid, self._handle = pid, handle
        self.stdin, self.stdout = os.fdopen(pipes[0], "wb"), os.fdopen(pipes[1], "rb")

    def kill(self) -> None:
        """End the process, by its handle: its number may be another's by now."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def wait(self) -> None:
        """Wait until the process has ended."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._handle, selectors.EVENT_READ)
            selector.select()
        os.close(self._handle)
        self._server = None


class ForkServers:
    """The fork server of this process, started when it is needed and replaced once it has ended."""

    def __init__(self, start: _Start) -> None:
        self._start = start
        self._forget()
        if hasattr(os, "register_at_fork"):  # Windows forks nothing
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._server: _ForkServer | None = None

    def fork(self, arguments: Sequence[str]) -> ForkedProcess | None:
        """Start a copy with these arguments. Returns None if no fork server can be started."""
        with self._lock:
            for _ in range(2):  # one that was ended from outside is noticed here
                # Not kept while its answer is due: nobody may take that for their own.
                server, self._server = self._server, None
                with suppress(OSError):
                    server = server or _ForkServer(self._start)
                    process = server.fork(arguments)
                    self._server = server
                    return process
        return None

    def replace(self) -> None:
        """Have the next copy made by a new fork server; the old one ends with its last copy.

        Copies have the same addresses in memory: after a crash nobody can try another guess.
        """
        with self._lock:
            self._server = None


class _ForkServer:
    """The end in this process of one fork server, which ends once nothing holds it."""

    def __init__(self, start: _Start) -> None:
        self._socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(_START_SECONDS)
        with other:
            weakref.finalize(self, _end, self._socket, start(other.fileno()))

    def fork(self, arguments: Sequence[str]) -> ForkedProcess:
        """Raises OSError if the fork server has ended."""
        (job, to_job), (from_answer, answer) = os.pipe(), os.pipe()
        with ExitStack() as theirs, ExitStack() as ours:
            for stack, pipes in ((theirs, (job, answer)), (ours, (to_job, from_answer))):
                for pipe in pipes:
                    stack.callback(os.close, pipe)
            socket.send_fds(self._socket, [os.fsencode("\0".join(arguments))], [job, answer])
            pid, handles, _, _ = socket.recv_fds(self._socket, 16, 1)
            if not handles:
                raise ConnectionError("it has ended, or there are too many processes")
            os.set_inheritable(handles[0], False)
            process = ForkedProcess(self, int(pid), handles[0], (to_job, from_answer))
            ours.pop_all()
            return process


def _end(control: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    """End a fork server, and count its processor time among that of this process's children."""
    control.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_END_SECONDS)
    process.kill()
    process.wait()
