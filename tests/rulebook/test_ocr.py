"""Pages that are only images: told, or read by text recognition and marked as such."""

import io
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from core.agent.evidence import cite
from core.agent.types import source_from_hit
from core.errors import ReadError
from core.library.types import Hit
from core.rulebook import read_pdf
from core.rulebook.pdf import ocr
from core.rulebook.pdf.pages import render_page
from tests.rulebook.pdf_builder import Paper

RULE = "The minimum mass of the car, without fuel, must not be less than 798 kg at all times."
needs_ocr = pytest.mark.skipif(
    not ocr.is_available(), reason="the optional part ocr is not installed"
)


def written(*numbers):
    paper = Paper()
    for number in numbers:
        paper.heading(f"{number}.", "MASS AND BALLAST")
        paper.clause(
            f"{number}.1",
            "The minimum mass of the car, without fuel, must not be less than",
            "798 kg at all times.",
        )
        paper.clause(f"{number}.2", "Ballast must be fixed with tools and may not be moved.")
    return paper.pdf()


def letters(text):
    """Recognition may miss a space, where print is tight; letters and signs it must not."""
    return text.replace(" ", "")


def scan(*pages, turned=0):
    """A PDF of pictures of pages, as a scanner makes it."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    for data in pages:
        width, height = A4 if turned % 180 == 0 else A4[::-1]
        canvas.setPageSize((width, height))
        canvas.translate(*{0: (0, 0), 90: (0, height)}[turned])
        canvas.rotate(-turned)
        canvas.drawImage(ImageReader(io.BytesIO(render_page(data, 1, 2.0))), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.mark.skipif(ocr.is_available(), reason="the optional part ocr is installed")
def test_without_the_optional_part_a_scan_is_refused_and_told_how_to_be_read():
    with pytest.raises(ReadError, match="EXTRAS=ocr") as refused:
        read_pdf(scan(written(1)), "scan.pdf")
    assert refused.value.code == "no_text"


@pytest.fixture(scope="module")
def scanned():
    return read_pdf(scan(written(1)), "scan.pdf")


@needs_ocr
def test_a_scan_is_read_and_says_so_wherever_it_is_quoted(scanned):
    clause = next(clause for clause in scanned.clauses if clause.article == "1.1")
    assert letters(clause.text) == letters(RULE)
    assert clause.ocr
    citation = cite(source_from_hit(Hit(clause, 1.0, "exact"), 1, "2024 Karting"), RULE)
    assert citation.caution == " (read by text recognition)"
    [warning] = [warning for warning in scanned.report.warnings if warning.code == "ocr"]
    assert "page 1: they may hold errors" in warning.message


@needs_ocr
def test_a_page_that_cannot_be_made_out_is_reported_and_never_guessed():
    from PIL import Image, ImageFilter

    picture = Image.open(io.BytesIO(render_page(written(1), 1, 2.0))).filter(
        ImageFilter.GaussianBlur(6)
    )
    canvas = Canvas(out := io.BytesIO(), pagesize=A4, invariant=1)
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    canvas.save()
    with pytest.raises(ReadError) as refused:
        read_pdf(out.getvalue(), "blurred.pdf")
    assert refused.value.code == "no_text"


@needs_ocr
def test_only_the_scanned_pages_of_a_document_are_recognised():
    pages = Canvas(out := io.BytesIO(), pagesize=A4, invariant=1)
    pages.drawString(72, 700, "3.")
    pages.drawString(100, 700, "CHASSIS")
    pages.drawString(72, 670, "3.1")
    pages.drawString(
        100, 670, "The chassis must be made of steel tubes and must not be painted in gold."
    )
    pages.showPage()
    pages.drawImage(ImageReader(io.BytesIO(render_page(written(4), 1, 2.0))), 0, 0, *A4)
    pages.showPage()
    pages.save()
    book = read_pdf(out.getvalue(), "mixed.pdf")
    told = {clause.article: clause.ocr for clause in book.clauses}
    assert told["3.1"] is False
    assert told["4.1"] is True


@needs_ocr
def test_a_scan_that_lies_on_its_side_is_turned():
    book = read_pdf(scan(written(1), turned=90), "sideways.pdf")
    assert letters(
        next(clause for clause in book.clauses if clause.article == "1.1").text
    ) == letters(RULE)


@needs_ocr
def test_the_places_of_recognised_words_lie_on_them(scanned):
    typed, found = (
        next(clause for clause in book.clauses if clause.article == "1.2")
        for book in (read_pdf(written(1), "rules.pdf"), scanned)
    )
    for one, other in zip(typed.places[0].boxes, found.places[0].boxes, strict=True):
        assert one == pytest.approx(other, abs=5)


def test_the_models_are_part_of_the_package():
    if not ocr.is_available():
        pytest.skip("the optional part ocr is not installed")
    import rapidocr

    assert sorted(Path(rapidocr.__file__).parent.glob("models/*.onnx"))
