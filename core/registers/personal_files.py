"""JSON files that one person fills: changed by one program at a time, replaced as a whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import filelock
from pydantic import TypeAdapter, ValidationError

from core.atomic_files import remove_stale_parts, write_atomically
from core.errors import SheetError

_SHEETS_FOLDER: Final = "sheets"
_LOCK_FILE: Final = "changes.lock"  # a backup leaves out what ends so
_LOCK_SECONDS: Final = 10.0
"""Far longer than another program takes to write a file of notes."""

Content = TypeVar("Content")


class PersonalFolder:
    """The folder of what one person keeps below the data folder: sheets, checklists, choices."""

    def __init__(self, data_folder: Path, person: str) -> None:
        self.path = data_folder / _SHEETS_FOLDER / person

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Let nobody else change the files of the folder, which is made if it is not there.

        Raises SheetError `unwritable`, also for an OSError of the block.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with filelock.FileLock(self.path / _LOCK_FILE, timeout=_LOCK_SECONDS, mode=0o600):
                remove_stale_parts(self.path)
                yield
        except OSError as error:
            reason = error.strerror or "another program is changing it"
            message = f"Nothing can be kept in {self.path}: {reason}."
            raise SheetError(message, code="unwritable") from error

    def load(self, name: str, kind: TypeAdapter[Content]) -> Content:
        """Return the content of a file, empty before the first is kept.

        Raises SheetError `damaged` where it cannot be read.
        """
        path = self.path / name
        try:
            return kind.validate_json(path.read_bytes())
        except FileNotFoundError:
            return kind.validate_python({})
        except (OSError, ValidationError) as error:
            message = (
                f"{path} cannot be read, so nothing is written over it: take it from a backup,"
                " or move it away to begin anew."
            )
            raise SheetError(message, code="damaged") from error

    @contextmanager
    def change(self, name: str, kind: TypeAdapter[Content]) -> Iterator[Content]:
        """Give the content of a file, and keep it as the block leaves it.

        Nobody else changes it meanwhile. Raises SheetError `damaged` or `unwritable`.
        """
        with self.lock():
            content = self.load(name, kind)
            yield content
            write_atomically(self.path / name, kind.dump_json(content))
