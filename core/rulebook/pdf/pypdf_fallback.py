"""PDFs that pdfium cannot open, or not without a password: pypdf writes what it reads to a copy."""

import io
import logging

from pypdf import PdfReader, PdfWriter
from pypdf.errors import PyPdfError

from core.errors import ReadError
from core.rulebook.pdf.pages import PdfFile, open_pdf

# What pypdf raises on broken files, measured; it is pure Python, so that nothing worse can happen.
PYPDF_ERRORS = (
    PyPdfError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


def rewrite_pdf(data: bytes, password: str = "") -> bytes | None:
    """Return the file as pypdf reads it, without protection; None if it cannot read it either."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    copy = io.BytesIO()
    try:
        # pypdf tries an empty password by itself.
        reader = PdfReader(io.BytesIO(data), strict=False, password=password or None)
        if not reader.pages:
            return None
        PdfWriter(clone_from=reader).write(copy)
    except PYPDF_ERRORS:
        return None
    return copy.getvalue()


def remove_password(data: bytes, password: str) -> bytes:
    """Return a copy that opens without a password; no bytes if the file already does.

    The same file gives the same copy, which pdfium would not do. Raises ReadError with code
    `encrypted` if the password is wrong, else `damaged`.
    """
    try:
        open_pdf(data).close()
    except ReadError as error:
        if error.code != "encrypted":
            return b""  # any other fault is reported when the file is read
        if copy := rewrite_pdf(data, password):
            return copy
        PdfFile(data, password).close()  # raises ReadError if the password is wrong
        raise ReadError("The PDF opens, but cannot be written again.", code="damaged") from error
    return b""
