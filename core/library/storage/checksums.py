"""Checksums of the files of tables, compared before LanceDB opens them.

LanceDB has none and trusts what it reads: zeros in one file had it ask for 23 GB of memory. Its
files never change once they are written, so each is noted when its writer is done, in a file beside
the tables. A file that nobody has noted yet, as one of an interrupted writer, is not compared.
"""

import json
import os
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeAlias

from core.atomic_files import write_atomically

_FILE = "checksums.json"
_CHANGING = ".json"  # hints of LanceDB's
_Notes: TypeAlias = dict[str, tuple[int, str]]
"""By path: the checksum, and the `describe_file` with which it was last found right."""


class TableChecksums:
    """The checksums of a folder of tables; nothing where there is no folder on this machine."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find_wrong(self, table: str) -> list[str]:
        """Return the files of a table that differ from what was noted."""
        return [
            name
            for name, note in self._load().items()
            if name.startswith(f"{table}.lance/") and not self._is_right(name, *note)
        ]

    def note_new(self) -> None:
        """Note the files that are new. Files that have changed keep their note."""
        if self._folder is None:
            return
        notes, kept = self._load(), {}
        for name in self._list_names():
            if name not in notes:
                with suppress(OSError):
                    kept[name] = _checksum(self._path(name)), describe_file(self._path(name))
            elif self._is_right(name, *notes[name]):
                kept[name] = notes[name][0], describe_file(self._path(name))
            else:
                kept[name] = notes[name]
        if kept != notes:
            self._save(kept)

    def forget(self, folder: str) -> None:
        """Forget a table, or a part, whose place another takes with files of the same names."""
        notes = self._load()
        kept = {name: notes[name] for name in notes if not name.startswith(f"{folder}/")}
        if kept != notes:
            self._save(kept)

    def _list_names(self) -> Iterator[str]:
        for folder, _, files in os.walk(self._path("")):
            within = Path(folder).relative_to(self._path("")).as_posix()
            for file in files:
                if ".lance" in within and not file.endswith(_CHANGING):
                    yield f"{within}/{file}"

    def _is_right(self, name: str, checksum: int, stamp: str) -> bool:
        path = self._path(name)
        try:
            return describe_file(path) == stamp or _checksum(path) == checksum
        except FileNotFoundError:  # an old version, which its writer removes
            return True

    def _load(self) -> _Notes:
        if self._folder is None:
            return {}
        try:
            notes = json.loads(self._path(_FILE).read_bytes())
            return {name: (int(checksum), str(stamp)) for name, (checksum, stamp) in notes.items()}
        except (OSError, ValueError, TypeError, AttributeError):  # noted anew by the next writer
            return {}

    def _save(self, notes: _Notes) -> None:
        with suppress(OSError):  # a full disk: what is new is noted by a later writer
            write_atomically(self._path(_FILE), json.dumps(notes).encode())

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / name


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            checksum = zlib.crc32(chunk, checksum)
    return checksum


def describe_file(path: Path) -> str:
    """Return what changes with each write to a file, and with a start of the machine.

    After a power failure a file may have its size and time, and zeros for what it held.
    """
    state = path.stat()
    return f"{_boot()} {state.st_ino} {state.st_ctime_ns} {state.st_size}"


@cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:  # each process compares all once
        return str(time.time_ns())
