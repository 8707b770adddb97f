"""The processes that this one has started, through /proc. Linux only."""

import os
from contextlib import suppress
from pathlib import Path

_FORK_SERVER = b"isolation.worker import main; main()\0"  # how its command ends


def children() -> set[str]:
    """The ids of those that are still there; in place of a fork server those that it has forked."""
    servers = fork_servers()
    return (_children_of(str(os.getpid())) - servers).union(*map(_children_of, servers))


def fork_servers() -> set[str]:
    """The ids of the fork servers of this process."""
    found = set()
    for process in _children_of(str(os.getpid())):
        with suppress(OSError):  # it has just ended
            if Path("/proc", process, "cmdline").read_bytes().endswith(_FORK_SERVER):
                found.add(process)
    return found


def status(process: str) -> dict[str, str]:
    """What the system says of a process, nothing once it has ended."""
    with suppress(OSError):
        lines = Path("/proc", process, "status").read_text().splitlines()
        found = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        return {} if found["State"].startswith("Z") else found
    return {}


def used_seconds() -> float:
    """The processor time of all, and of those that they have waited for."""
    own = os.times()
    ticks = 0
    for process in _children_of(str(os.getpid())):
        with suppress(OSError):
            ticks += sum(map(int, _fields(Path("/proc", process))[11:15]))
    return own.children_user + own.children_system + ticks / os.sysconf("SC_CLK_TCK")


def _children_of(parent: str) -> set[str]:
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            state, above, *_ = _fields(folder)
            if above == parent and state != "Z":
                found.add(folder.name)
    return found


def _fields(folder: Path) -> list[str]:
    """What the system says of a process, from its state on."""
    return (folder / "stat").read_text().rpartition(")")[2].split()
