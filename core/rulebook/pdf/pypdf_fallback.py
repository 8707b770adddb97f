"""A second opinion on files that pdfium cannot open: pypdf reads what it can and writes it anew, unprotected."""

import io
import logging

from pypdf import PdfReader, PdfWriter
from pypdf.errors import PyPdfError

# What pypdf lets through on broken files, measured; it is native Python, so nothing worse comes of them.
_LET_THROUGH = (
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
    """The file as pypdf understands it, None where it makes nothing of it either, or the password is another."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    written = io.BytesIO()
    try:
        reader = PdfReader(
            io.BytesIO(data), strict=False, password=password or None
        )  # it tries an empty one itself
        if not reader.pages:
            return None
        PdfWriter(clone_from=reader).write(written)
    except (PyPdfError, *_LET_THROUGH):
        return None
    return written.getvalue()
