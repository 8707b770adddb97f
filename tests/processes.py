"""The processes that this one has started, through /proc. Linux only."""

import os
from contextlib import suppress
from pathlib import Path


def children() -> set[str]:
    """The ids of those that are still there."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            _state, parent, *_ = stat.read_text().rpartition(")")[2].split()
            if parent == str(os.getpid()):
                found.add(stat.parent.name)
    return found
