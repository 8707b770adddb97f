"""Files that are replaced as a whole: readers see the old or the new content, even after a kill
or a power failure.
"""

import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from core.write_steps import pass_step

PART_SUFFIX = ".part"  # of an incomplete file or folder
STALE_SECONDS = 3600.0  # without a write: its process was killed


def write_atomically(path: Path, data: bytes) -> None:
    """Create or replace a file; it is on the disk on return. Raises OSError."""
    with replace_atomically(path) as target:
        target.write(data)


@contextmanager
def replace_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` when the block ends; after an error `path` is unchanged."""
    part = part_path(path)
    try:
        with open(part, "xb", opener=open_private) as target:
            pass_step("part opened")
            yield target
            target.flush()
            os.fsync(target.fileno())
        pass_step("part written")
        part.replace(path)
        pass_step("part replaced")
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def part_path(path: Path) -> Path:
    """Return an unused name beside a path for its incomplete content."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{PART_SUFFIX}")


def can_write(folder: Path) -> bool:
    """True if this process may make files in a folder."""
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def sync_folder(folder: Path) -> None:
    """Flush a folder to the disk: only then do its file names survive a power failure.

    Windows flushes no folder; NTFS keeps a journal of its names.
    """
    if sys.platform == "win32":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def open_private(path: str, flags: int) -> int:
    """Open a file that only its owner may read and write; an `opener` for `open`."""
    return os.open(path, flags, 0o600)


def remove_stale_parts(folder: Path) -> int:
    """Remove abandoned incomplete files from a folder; return how many there were."""
    removed = 0
    for part in folder.glob(f"*{PART_SUFFIX}"):
        with suppress(OSError):  # its writer may just have completed it
            if part.is_file() and time.time() - part.stat().st_mtime > STALE_SECONDS:
                part.unlink()
                removed += 1
    return removed
