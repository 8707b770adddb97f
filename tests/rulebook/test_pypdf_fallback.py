"""pypdf rewrites files that pdfium cannot open."""

import io

import pytest
from pypdf import PdfWriter

from core.rulebook.pdf.pypdf_fallback import rewrite_pdf


def test_a_good_file_is_rewritten():
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    written = io.BytesIO()
    writer.write(written)
    assert rewrite_pdf(written.getvalue()).startswith(b"%PDF")


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-1.7\n", b"%PDF-1.7\ntrailer << /Root 1 0 R >>", b"not a pdf" * 100]
)
def test_a_broken_file_yields_none(data):
    assert rewrite_pdf(data) is None
