"""JSON files that one person fills: changed by one program at a time, replaced as a whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Generic, TypeVar

import filelock
from pydantic import TypeAdapter, ValidationError

from core.atomic_files import remove_stale_parts, write_atomically
from core.errors import SheetError

SHEETS_FOLDER: Final = "sheets"
"""The folder of saved sheets and checklists below the data folder."""
_LOCK_FILE: Final = "changes.lock"  # a backup leaves out what ends so
_LOCK_SECONDS: Final = 10.0
"""Far longer than another program takes to write a file of notes."""

Content = TypeVar("Content")


class PersonalFile(Generic[Content]):
    """A file of one kind of content, which is empty before the first is kept."""

    def __init__(self, path: Path, kind: TypeAdapter[Content]) -> None:
        self.path, self._kind = path, kind

    def load_content(self) -> Content:
        """Return the content. Raises SheetError `damaged` where it cannot be read."""
        try:
            return self._kind.validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return self._kind.validate_python({})
        except (OSError, ValidationError) as error:
            message = (
                f"{self.path} cannot be read, so nothing is written over it: take it from a backup,"
                " or move it away to begin anew."
            )
            raise SheetError(message, code="damaged") from error

    @contextmanager
    def change(self) -> Iterator[Content]:
        """Give the content, and keep it as the block leaves it; nobody else changes it meanwhile.

        Raises SheetError `damaged` or `unwritable`.
        """
        with lock_folder(self.path.parent):
            content = self.load_content()
            yield content
            write_atomically(self.path, self._kind.dump_json(content))


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Let nobody else change the files of a folder, which is made if it is not there.

    Raises SheetError `unwritable`, also for an OSError of the block.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with filelock.FileLock(folder / _LOCK_FILE, timeout=_LOCK_SECONDS, mode=0o600):
            remove_stale_parts(folder)
            yield
    except OSError as error:
        reason = error.strerror or "another program is changing it"
        message = f"Nothing can be kept in {folder}: {reason}."
        raise SheetError(message, code="unwritable") from error
