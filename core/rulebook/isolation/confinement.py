"""What a process that reads a stranger's file gives up before it sees the file.

Resource limits hold on every system. Linux adds Landlock (files and folders) and seccomp (system
calls), both called directly: the kernel checks them, so native code cannot undo them. Each part
returns False where the kernel does not have it; `probe` tests what is really closed.
"""

import ctypes
import os
import platform
import signal
import struct
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

_CORE = Path(__file__).resolve().parents[2]
_LIBRARY_FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/share/X11/fonts", "/usr/local/share/fonts")
_SYSTEM_FILES = (
    "/dev/null",
    "/dev/urandom",
    "/etc/ld.so.cache",
    "/proc/cpuinfo",  # text recognition chooses its instructions by it
    "/sys/devices/system/cpu",
)
_MAX_FILES = 128

_SET_DEATH_SIGNAL, _SET_DUMPABLE, _SET_SECCOMP, _SET_NO_NEW_PRIVS = 1, 4, 22, 38  # linux/prctl.h
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on all machines
_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3  # linux/landlock.h
_IN_FOLDER = _READ_FILE | _READ_DIR
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""Number of rights over files that Landlock knows, by the version that brought them."""

_LOAD_WORD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
_OTHER_NUMBERS = 0x40000000  # from here x86_64 has the calls of x32
_THREAD = 0x00010000  # CLONE_THREAD


def set_limits(memory: int, seconds: int, niceness: int) -> None:
    """Limit this process to `memory` bytes and `seconds` of each core, and lower its priority.

    Windows has none of these: there the application ends a process that takes too long.
    """
    try:
        import resource
    except ImportError:
        return
    os.nice(niceness)
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds * (os.cpu_count() or 1),
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: _MAX_FILES,
        resource.RLIMIT_FSIZE: 0,  # nothing that is read is written to a file
    }
    if sys.platform != "linux":  # there it counts threads too; seccomp denies processes alone
        limits[resource.RLIMIT_NPROC] = 0
    for kind, limit in limits.items():
        with suppress(ValueError, OSError):  # some systems only know the name of a limit
            resource.setrlimit(kind, (limit, limit))


def confine(work_folder: Path) -> None:
    """Take all files but Python's own, the network, programs and other processes from this one.

    Nothing can be written, in its own folder neither: many small files fill a disk too.
    """
    if sys.platform == "linux":
        _prctl(_SET_NO_NEW_PRIVS, 1)
        restrict_files((*readable_paths(), work_folder))
        deny_calls()


def forbid_inspection() -> None:
    """Keep other processes of the same account from reading this one's memory (Linux)."""
    if sys.platform == "linux":
        _prctl(_SET_DUMPABLE, 0)


def end_with_parent(parent: int) -> None:
    """Have this process killed when the one that forked it ends, or now if it has (Linux)."""
    _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def kernel_layers() -> list[str]:
    """The names of what this kernel offers, with the version of Landlock."""
    if sys.platform != "linux":
        return []
    version = _landlock_version()
    return [f"Landlock {version}"] * (version > 0) + ["seccomp"] * (_load_numbers() is not None)


def readable_paths() -> tuple[Path, ...]:
    """The folders and files that Python, its packages and this package are loaded from."""
    names = {"stdlib", "platstdlib", "purelib", "platlib"}
    python = {Path(path) for name, path in sysconfig.get_paths().items() if name in names}
    bases = {Path(base, "lib") for base in (sys.prefix, sys.base_prefix)}
    system = {Path(path) for path in (*_LIBRARY_FOLDERS, *_FONT_FOLDERS, *_SYSTEM_FILES)}
    return tuple(sorted(path for path in {_CORE} | python | bases | system if path.exists()))


def restrict_files(readable: Iterable[Path]) -> bool:
    """Allow to read these files and folders alone; forbid TCP and signals to others (Landlock)."""
    version = _landlock_version()
    if version < 1:
        return False
    rights = (1 << _FILE_RIGHTS[max(known for known in _FILE_RIGHTS if known <= version)]) - 1
    network, scopes = (3 if version >= 4 else 0), (3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = _call(_CREATE_RULESET, struct.pack("QQQ", rights, network, scopes), size, 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            with suppress(OSError):
                beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
                try:
                    rule = struct.pack("=Qi", _IN_FOLDER if path.is_dir() else _READ_FILE, beneath)
                    _call(_ADD_RULE, rules, _PATH_BENEATH, rule, 0)
                finally:
                    os.close(beneath)
        return _call(_RESTRICT_SELF, rules, 0) == 0
    finally:
        os.close(rules)


def deny_calls() -> bool:
    """Forbid the system calls of `syscalls.toml`: network, programs, other processes (seccomp)."""
    if (numbers := _load_numbers()) is None:
        return False
    program = call_filter(numbers)
    buffer = ctypes.create_string_buffer(program)
    address = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    return _prctl(_SET_SECCOMP, 2, ctypes.c_char_p(address)) == 0


def call_filter(numbers: Mapping[str, Any]) -> bytes:
    """Return the BPF program that answers the denied calls with an error and allows all others.

    A process may start threads, not processes, and signal and limit itself, not others.
    """
    own = os.getpid()
    deny = _step(_RETURN, _ERROR | _EPERM)
    program = [
        _step(_LOAD_WORD, _MACHINE),
        _step(_JUMP_EQUAL, numbers["audit"], 1, 0),
        deny,
        _step(_LOAD_WORD, _NUMBER),
        _step(_JUMP_AT_LEAST, _OTHER_NUMBERS, 0, 1),
        deny,
    ]
    for number in numbers["denied"].values():
        program += [_step(_JUMP_EQUAL, number, 0, 1), deny]
    # clone3 takes its flags where no filter sees them; without it, the C library calls clone.
    program += [
        _step(_JUMP_EQUAL, numbers["clone3"], 0, 1),
        _step(_RETURN, _ERROR | _ENOSYS),
    ]
    for name, test, value in (
        ("clone", _JUMP_ANY_BIT, _THREAD),
        ("tgkill", _JUMP_EQUAL, own),
        ("prlimit64", _JUMP_EQUAL, 0),
    ):
        program += [
            _step(_JUMP_EQUAL, numbers[name], 0, 3),
            _step(_LOAD_WORD, _FIRST_ARGUMENT),
            _step(test, value, 1, 0),
            deny,
            _step(_LOAD_WORD, _NUMBER),
        ]
    return b"".join([*program, _step(_RETURN, _ALLOW)])


def _landlock_version() -> int:
    """The version that the kernel has, below 1 without Landlock."""
    return _call(_CREATE_RULESET, None, 0, 1)


def _load_numbers() -> Mapping[str, Any] | None:
    """The numbers of system calls on this machine, None for one that is not known."""
    with open(Path(__file__).with_name("syscalls.toml"), "rb") as file:
        return tomllib.load(file).get(platform.machine())


def _step(code: int, value: object, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction of BPF; the jumps are over so many of the next."""
    return struct.pack("HBBI", code, if_true, if_false, value)


def _call(number: int, *arguments: object) -> int:
    return int(ctypes.CDLL(None).syscall(ctypes.c_long(number), *map(_pass, arguments)))


def _prctl(option: int, *arguments: object) -> int:
    return int(ctypes.CDLL(None).prctl(option, *map(_pass, (*arguments, 0, 0, 0, 0)[:4])))


def _pass(value: object) -> object:
    """C's variadic functions take integers as they are wide."""
    return ctypes.c_long(value) if isinstance(value, int) else value
