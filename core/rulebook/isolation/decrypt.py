"""A PDF that opens with a password only, as one that opens without: the copy that is read, kept and shown.

The password goes to a process with limits through its standard input, and lives as long as that. It is kept nowhere.
"""

from dataclasses import dataclass, field
from typing import BinaryIO

from core.errors import ReadError
from core.rulebook.isolation.sandbox import ProcessLimits, WorkerFailed, run_job, send_value
from core.rulebook.isolation.worker import PageError, open_document
from core.rulebook.pdf.pages import PdfFile
from core.rulebook.pdf.pypdf_fallback import rewrite_pdf

_BOUNDS = ProcessLimits(seconds=60.0, silence=60.0, memory=1 << 30, output=512 << 20)


def decrypt_pdf(data: bytes, name: str, password: str) -> bytes:
    """The bytes of a PDF that needs no password; `data` itself where it needs none.

    The same bytes give the same copy, so that a file is known when it is added again.
    Raises ReadError with code `wrong_password` or `damaged`.
    """
    try:
        for value in run_job(DecryptJob(data, password), _BOUNDS):
            match value:
                case DecryptedCopy():
                    return value.data or data
                case PageError(code="wrong_password"):
                    told = f"{name} does not open with this password: please check it and give it again."
                    raise ReadError(told, code=value.code)
    except WorkerFailed:
        pass
    raise ReadError(
        f"{name} cannot be unlocked: please save a copy without a password and add that.",
        code="damaged",
    )


@dataclass(frozen=True, slots=True)
class DecryptedCopy:
    """The copy that needs no password; no bytes where the file itself needs none."""

    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class DecryptJob:
    """The bytes of a PDF, and what may open it."""

    data: bytes = field(repr=False)
    password: str = field(repr=False)

    def run(self, out: BinaryIO) -> None:
        """Write it anew without protection. pypdf does: of the same file pdfium writes another copy each time."""
        send_value(DecryptedCopy() if self._is_open() else self._copy(), out)

    def _is_open(self) -> bool:
        try:
            open_document(self.data).close()
        except ReadError as error:
            return error.code != "encrypted"  # what else is wrong with it, reading it tells
        return True

    def _copy(self) -> DecryptedCopy | PageError:
        if copy := rewrite_pdf(self.data, self.password):
            return DecryptedCopy(copy)
        try:
            PdfFile(self.data, self.password).close()
        except ReadError as error:
            return PageError(
                "wrong_password" if error.code == "encrypted" else error.code, error.message
            )
        return PageError("damaged", "It opens, and cannot be written anew.")
