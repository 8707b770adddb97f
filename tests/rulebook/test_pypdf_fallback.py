"""A file that pdfium cannot open is tried once more by way of pypdf."""

import io

import pytest
from pypdf import PdfWriter

from core.rulebook.pdf.pypdf_fallback import rewrite_pdf


def test_a_whole_file_comes_back_as_a_file():
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    written = io.BytesIO()
    writer.write(written)
    assert rewrite_pdf(written.getvalue()).startswith(b"%PDF")


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-1.7\n", b"%PDF-1.7\ntrailer << /Root 1 0 R >>", b"not a pdf" * 100]
)
def test_what_is_no_file_comes_back_as_nothing(data):
    assert rewrite_pdf(data) is None
