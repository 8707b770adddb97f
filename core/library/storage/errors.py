"""LanceDB and disk errors of a library that cannot be read or written, as LibraryErrors."""

import errno
import os
import re
from contextlib import AbstractContextManager, ExitStack
from functools import partial

import pyarrow as pa

from core.errors import LibraryError
from core.program import COMMAND

CHECK_HINT = (
    f"Run `{COMMAND} check`: it reads what is damaged again, from the files in the library."
)

_CANNOT_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}
_STORE_ERRORS = (
    "RetryError",
    "reqwest",
    *(f"Generic {store} error" for store in ("S3", "GCS", "MicrosoftAzure")),
)
"""What LanceDB says where an object store failed; a missing or broken object reads otherwise."""
_PANIC = re.compile(r"task \d+ panicked")
"""What LanceDB says where a thread of its own stumbled over the bytes that it decoded."""
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_QUERY_ERRORS = tuple(
    f"Invalid input, {kind}" for kind in ("Schema error", "Error parsing", "Error resolving")
)
"""LanceDB errors caused by the query, not by the table. Every other "Invalid input" comes from the
content of its files, as random changes of their bytes show."""


def wrap_lancedb_errors(place: object) -> AbstractContextManager[object]:
    """Convert LanceDB errors for damage, full disks and stores that do not answer; others pass.

    `place` is shown to people. Raises LibraryError.
    """
    stack = ExitStack()
    stack.push(partial(_convert_error, place))
    return stack


def _convert_error(
    place: object, _kind: object, error: BaseException | None, _trace: object
) -> None:
    if error is None or not _is_damage(error):
        return
    if any(words in str(error) for words in _STORE_ERRORS):
        raise away_error(place, str(error)) from error
    number = _OS_ERROR.search(str(error))
    if number and int(number[1]) in _CANNOT_WRITE:
        raise unwritable_error(place, os.strerror(int(number[1]))) from error
    raise LibraryError(
        f"The library in {place} is damaged and cannot be read. {CHECK_HINT}", code="damaged"
    ) from error


def unwritable_error(place: object, reason: str) -> LibraryError:
    """Return the error for a disk that rejects a write."""
    return LibraryError(
        f"The library in {place} cannot be written: {reason}."
        " Check the folder's permissions and the free space.",
        code="unreadable",
    )


def away_error(place: object, reason: str) -> LibraryError:
    """Return the error for an object store that does not answer, or refuses."""
    return LibraryError(
        f"The library in {place} cannot be reached ({' '.join(reason.split())[:200]})."
        " Nothing in it was damaged by that: try again later, or check keys and endpoint.",
        code="away",
    )


def _is_damage(error: BaseException) -> bool:
    message = str(error)
    match error:
        case UnicodeDecodeError() | pa.ArrowException():
            return True
        case RuntimeError():
            return message.startswith("lance error") or bool(_PANIC.match(message))
        case ValueError():
            return message.startswith("Invalid input") and not message.startswith(_QUERY_ERRORS)
        case _:
            return type(error).__name__ == "RustPanic"  # no module exports this class
