"""What a PDF might have a process do once it has taken it over: takes the place of `page_process`.

Each attack that succeeds is told in the error that ends the reading.
"""

import ctypes
import os
import socket
import stat
import subprocess
from pathlib import Path

from core.errors import ReadError

_SECRET = b"sk-ant-stolen"
_PTRACE_ATTACH, _KEYRING = 16, -3


def read_pages(job):
    """Try everything.

    The PDF holds the project's folder, a port where somebody listens, and the application's id.
    """
    root, port, application = job.data.split(b"\n")[1:4]
    attacks = _attacks(Path(root.decode()), int(port))
    for process in (os.getppid(), int(application)):  # the fork server, if there is one
        attacks += _attacks_on(process)
    done = [name for name, attack in attacks if _succeeds(attack)]
    raise ReadError(f"succeeded: {done}", code="too_large")
    yield


def _succeeds(attack):
    try:
        return bool(attack())
    except (OSError, subprocess.SubprocessError):
        return False


def _attacks(root, port):
    libc, here = ctypes.CDLL(None), Path.cwd()
    return [
        ("key in the environment", lambda: any("KEY" in name for name in os.environ)),
        ("files that others have open", lambda: any(map(_is_open, range(3, 4096)))),
        ("sockets that others have open", lambda: any(map(_is_socket, range(3)))),
        ("key in .env", lambda: _SECRET in (root / ".env").read_bytes()),
        ("network", lambda: socket.create_connection(("127.0.0.1", port), 2)),
        ("network by IPv6", lambda: socket.socket(socket.AF_INET6)),
        ("names", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
        ("local sockets", lambda: socket.socket(socket.AF_UNIX)),
        ("shell", lambda: subprocess.run(["/bin/sh", "-c", "true"], check=True)),
        ("shell by system", lambda: os.system("true") == 0),
        ("another program", lambda: os.execv("/bin/true", ["true"])),
        ("fork", lambda: os.fork() or os._exit(0)),
        ("files of the machine", lambda: Path("/etc/passwd").read_bytes()),
        ("files of the project", lambda: (root / "README.md").read_bytes()),
        ("folders", lambda: os.listdir(root)),
        ("written file", lambda: (root / "written").write_text("x")),
        ("written temporary file", lambda: (here.parent / "scrutineer-written").write_text("x")),
        ("written module", lambda: (root / "core" / "errors.py").open("a")),
        ("rights of a file", lambda: (root / ".env").chmod(0o666) or True),
        ("times of a file", lambda: os.utime(root / ".env") or True),
        ("link to a file", lambda: os.link(root / ".env", here / "key") or True),
        ("large file", lambda: (here / "large").write_bytes(bytes(64 << 20))),
        ("keys of the kernel", lambda: libc.syscall(250, 0, _KEYRING, 1) >= 0),
        ("files by io_uring", lambda: libc.syscall(425, 1, bytes(120)) >= 0),
        ("file of memory", lambda: os.memfd_create("large")),
        ("cores", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)) is None),
        ("many files", lambda: [(here / str(n)).write_bytes(bytes(1 << 20)) for n in range(64)]),
    ]


def _attacks_on(process):
    libc, cores = ctypes.CDLL(None), os.sched_getaffinity(0)
    return [
        ("key of another", lambda: _SECRET in Path(f"/proc/{process}/environ").read_bytes()),
        ("memory of another", lambda: Path(f"/proc/{process}/mem").open("rb")),
        ("another traced", lambda: libc.ptrace(_PTRACE_ATTACH, process, 0, 0) == 0),
        ("memory of another by call", lambda: libc.process_vm_readv(process, 0, 0, 0, 0, 0) == 0),
        ("another ended", lambda: os.kill(process, 0) is None),
        ("another limited", lambda: _limit(process)),
        (
            "cores of another",
            lambda: os.sched_setaffinity(process, cores) is None,
        ),
    ]


def _is_open(descriptor):
    try:
        return bool(os.fstat(descriptor))
    except OSError:
        return False


def _is_socket(descriptor):
    return stat.S_ISSOCK(os.fstat(descriptor).st_mode)


def _limit(process):
    import resource

    return resource.prlimit(process, resource.RLIMIT_NOFILE)
