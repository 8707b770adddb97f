"""Files that are written as a whole and last: whoever looks finds what was there before or all of the new, after a
kill and a power cut too. It knows nothing of what stands in them.
"""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PART_SUFFIX = ".part"
"""The end of the name of a file, or folder, that is not whole yet."""
STALE_SECONDS = 3600.0
"""Seconds after which a part that nobody writes to any more is left from a process that was killed."""


def write_atomically(path: Path, data: bytes) -> None:
    """Put a file in place of what is there, if anything; it is on the disk when this returns. Raises OSError."""
    with replace_atomically(path) as target:
        target.write(data)


@contextmanager
def replace_atomically(path: Path) -> Iterator[BinaryIO]:
    """The same, for what is written bit by bit. An error inside leaves what was there before."""
    part = part_path(path)
    try:
        with open(part, "xb", opener=open_private) as target:
            yield target
            target.flush()
            os.fsync(target.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def part_path(path: Path) -> Path:
    """A name beside a path, for what is not whole yet."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{PART_SUFFIX}")


def sync_folder(folder: Path) -> None:
    """Names are as lasting as bytes once their folder is on the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def open_private(path: str, flags: int) -> int:
    """Opens a file that only its owner may read and write; for `open`."""
    return os.open(path, flags, 0o600)


def remove_stale_parts(folder: Path) -> int:
    """Remove the parts in a folder that were left behind; how many."""
    removed = 0
    for part in folder.glob(f"*{PART_SUFFIX}"):
        with suppress(OSError):  # it may just have become whole
            if part.is_file() and time.time() - part.stat().st_mtime > STALE_SECONDS:
                part.unlink()
                removed += 1
    return removed
