"""PDFs that pdfium cannot open, or not without a password: pypdf writes what it reads to a copy."""

import io
import logging

from pypdf import PdfReader, PdfWriter
from pypdf.errors import PyPdfError

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
