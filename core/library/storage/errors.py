"""How what LanceDB and the disk say of a library that cannot be read or written becomes a LibraryError; no more."""

import errno
import os
import re
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pyarrow as pa

from core.errors import LibraryError

CHECK_HINT = "Run `python -m core check`: it reads again what is damaged, from the files that the library keeps."

_CANNOT_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_WRONGLY_ASKED = (
    "Invalid input, Schema error",
    "Invalid input, Error parsing",
    "Invalid input, Error resolving",
)
"""How LanceDB tells that a question makes no sense, which is no fault of the table. All else that is invalid to it is
what it found in its files, as changing bytes of them at random shows."""


def wrap_lancedb_errors(folder: Path) -> AbstractContextManager[object]:
    """Around what LanceDB does in the folder of a library: damage and full disks, told alike by it, become
    LibraryErrors; nothing else does."""

    def tell(_kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None or not _tells_damage(error):
            return
        number = _OS_ERROR.search(str(error))
        if number and int(number[1]) in _CANNOT_WRITE:
            raise unwritable_error(folder, os.strerror(int(number[1]))) from error
        raise LibraryError(
            f"The library in {folder} is damaged and cannot be read. {CHECK_HINT}", code="damaged"
        ) from error

    stack = ExitStack()
    stack.push(tell)
    return stack


def unwritable_error(folder: Path, reason: str) -> LibraryError:
    """What to raise where the disk takes nothing."""
    return LibraryError(
        f"The library in {folder} cannot be written: {reason}. Check the folder's permissions and the free space.",
        code="unreadable",
    )


def _tells_damage(error: BaseException) -> bool:
    """True where LanceDB says that it cannot read or write, or that it read what cannot be."""
    match error:
        case UnicodeDecodeError() | pa.ArrowException():
            return True
        case RuntimeError():
            return str(error).startswith("lance error")
        case ValueError():
            return str(error).startswith("Invalid input") and not str(error).startswith(
                _WRONGLY_ASKED
            )
        case _:
            return type(error).__name__ == "RustPanic"  # a class that no module gives
