"""A PDF that opens with a password only, as one that opens without: the copy that is read, kept and shown.

The password goes to a process with limits through its standard input, and lives as long as that. It is kept nowhere.
"""

from dataclasses import dataclass, field
from typing import BinaryIO

from core.errors import ReadError
from core.rulebook.isolation.sandbox import Bounds, Broken, tell, values
from core.rulebook.isolation.worker import Refused, opened
from core.rulebook.pdf.pages import Document
from core.rulebook.pdf.pypdf_fallback import rewritten

_BOUNDS = Bounds(seconds=60.0, silence=60.0, memory=1 << 30, output=512 << 20)


def unlocked(data: bytes, name: str, password: str) -> bytes:
    """The bytes of a PDF that needs no password; `data` itself where it needs none.

    The same bytes give the same copy, so that a file is known when it is added again.
    Raises ReadError with code `wrong_password` or `damaged`.
    """
    try:
        for value in values(UnlockJob(data, password), _BOUNDS):
            match value:
                case Unlocked():
                    return value.data or data
                case Refused(code="wrong_password"):
                    told = f"{name} does not open with this password: please check it and give it again."
                    raise ReadError(told, code=value.code)
    except Broken:
        pass
    raise ReadError(
        f"{name} cannot be unlocked: please save a copy without a password and add that.",
        code="damaged",
    )


@dataclass(frozen=True, slots=True)
class Unlocked:
    """The copy that needs no password; no bytes where the file itself needs none."""

    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class UnlockJob:
    """The bytes of a PDF, and what may open it."""

    data: bytes = field(repr=False)
    password: str = field(repr=False)

    def run(self, out: BinaryIO) -> None:
        """Write it anew without protection. pypdf does: of the same file pdfium writes another copy each time."""
        tell(Unlocked() if self._is_open() else self._copy(), out)

    def _is_open(self) -> bool:
        try:
            opened(self.data).close()
        except ReadError as error:
            return error.code != "encrypted"  # what else is wrong with it, reading it tells
        return True

    def _copy(self) -> Unlocked | Refused:
        if copy := rewritten(self.data, self.password):
            return Unlocked(copy)
        try:
            Document(self.data, self.password).close()
        except ReadError as error:
            return Refused(
                "wrong_password" if error.code == "encrypted" else error.code, error.message
            )
        return Refused("damaged", "It opens, and cannot be written anew.")
