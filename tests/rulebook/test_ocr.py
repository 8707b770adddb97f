"""Pages that are only images: refused, or read by text recognition and marked as such."""

import io
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from core.errors import ReadError
from core.library.ingestion.ingest import IngestControl, add_bytes
from core.library.storage.library import Library
from core.library.types import Hit
from core.rulebook import MetadataOverride, ReadLimits, read_pdf
from core.rulebook.pdf import ocr
from core.rulebook.pdf.pages import render_page
from core.verification.evidence import Evidence, cite
from tests.rulebook.pdf_builder import Paper

pytestmark = pytest.mark.slow

RULE_LINES = (
    "The minimum mass of the car, without fuel, must not be less than",
    "798 kg at all times.",
)
RULE = " ".join(RULE_LINES)
needs_ocr = pytest.mark.skipif(
    not ocr.is_available(), reason="the optional part ocr is not installed"
)


def typed(number):
    paper = Paper().heading(f"{number}.", "MASS AND BALLAST")
    paper.clause(f"{number}.1", *RULE_LINES)
    paper.clause(f"{number}.2", "Ballast must be fixed with tools and may not be moved.")
    return paper.pdf()


def without_spaces(text):
    """Drop spaces: recognition may miss them in tight print, but no letter and no sign."""
    return text.replace(" ", "")


def clause(book, article):
    return next(clause for clause in book.clauses if clause.article == article)


def scan(data, turned=False):
    """Return a PDF of pictures of pages, as a scanner makes it."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4[::-1] if turned else A4, invariant=1)
    if turned:
        canvas.translate(0, A4[0])
        canvas.rotate(-90)
    canvas.drawImage(ImageReader(io.BytesIO(render_page(data, 1, 2.0))), 0, 0, *A4)
    canvas.save()
    return out.getvalue()


@pytest.mark.skipif(ocr.is_available(), reason="the optional part ocr is installed")
def test_without_the_extra_the_error_for_a_scan_says_how_to_install_it():
    with pytest.raises(ReadError, match="EXTRAS=ocr") as refused:
        read_pdf(scan(typed(1)), "scan.pdf")
    assert refused.value.code == "no_text"


@pytest.fixture(scope="module")
def scanned():
    return read_pdf(scan(typed(1)), "scan.pdf")


@needs_ocr
def test_a_scan_is_read_and_its_citations_say_so(scanned):
    rule = clause(scanned, "1.1")
    assert without_spaces(rule.text) == without_spaces(RULE)
    assert rule.ocr
    [source] = Evidence().add_hits([Hit(rule, 1.0, "exact")], {})
    citation = cite(source, RULE)
    assert citation.caution == " (read by text recognition)"
    [warning] = [warning for warning in scanned.report.warnings if warning.code == "ocr"]
    assert "page 1: they may hold errors" in warning.message


@needs_ocr
def test_an_unreadable_scan_is_refused_and_not_guessed():
    from PIL import Image, ImageFilter

    sharp = Image.open(io.BytesIO(render_page(typed(1), 1, 2.0)))
    picture = sharp.filter(ImageFilter.GaussianBlur(6))
    canvas = Canvas(out := io.BytesIO(), pagesize=A4, invariant=1)
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    canvas.save()
    with pytest.raises(ReadError) as refused:
        read_pdf(out.getvalue(), "blurred.pdf")
    assert refused.value.code == "no_text"


def mixed():
    """Return a PDF of a page of text, a scan and a page of text, all with their number as text."""
    pages = Canvas(out := io.BytesIO(), pagesize=A4, invariant=1)
    rule = "The chassis must be made of steel tubes and must not be painted in gold."

    def end_page():
        pages.drawString(280, 20, f"Page {pages.getPageNumber()} of 3")
        pages.showPage()

    def write(number, title):
        for x, y, words in (72, 700, f"{number}."), (100, 700, title), (72, 670, f"{number}.1"):
            pages.drawString(x, y, words)
        pages.drawString(100, 670, rule)
        end_page()

    write(3, "CHASSIS")
    pages.drawImage(ImageReader(io.BytesIO(render_page(typed(4), 1, 2.0))), 0, 0, *A4)
    end_page()
    write(5, "PAINT")
    pages.save()
    return out.getvalue()


def test_a_page_that_is_an_image_with_a_page_number_is_told_as_unread():
    book = read_pdf(mixed(), "mixed.pdf", limits=ReadLimits(read_scans=False))
    told = {warning.code: warning for warning in book.report.warnings}
    assert told["page_without_text"].page == 2
    assert "page 2 may hold rules as images" in told["partly_read"].message


@needs_ocr
def test_a_document_can_be_asked_and_corrected_while_its_scans_are_read(tmp_path):
    library, seen = Library(tmp_path), []

    def look(progress):
        if progress.stage == "scans":
            seen.append(set(recognized()))
            [document] = library.documents()
            library.correct_metadata(document.document_id, MetadataOverride(season=2031))

    def recognized():
        [document] = library.documents()
        return {clause.article: clause.ocr for clause in library.clauses(document.document_id)}

    [added] = add_bytes(library, mixed(), "mixed.pdf", None, IngestControl(look, patient=True))
    assert added.status == "added"
    assert {"3.1", "5.1"} <= seen[0]
    assert "4.1" not in seen[0]
    whole = recognized()
    assert [whole[article] for article in ("3.1", "4.1", "5.1")] == [False, True, False]
    [document] = library.documents()
    assert (document.reading, document.season) == ("whole", 2031)


@needs_ocr
def test_a_scan_that_lies_on_its_side_is_turned():
    book = read_pdf(scan(typed(1), turned=True), "sideways.pdf")
    assert without_spaces(clause(book, "1.1").text) == without_spaces(RULE)


@needs_ocr
def test_the_boxes_of_recognized_words_lie_on_them(scanned):
    original = clause(read_pdf(typed(1), "rules.pdf"), "1.2")
    found = clause(scanned, "1.2")
    for one, other in zip(original.places[0].boxes, found.places[0].boxes, strict=True):
        assert one == pytest.approx(other, abs=5)


def test_the_models_are_part_of_the_package():
    if not ocr.is_available():
        pytest.skip("the optional part ocr is not installed")
    import rapidocr

    assert sorted(Path(rapidocr.__file__).parent.glob("models/*.onnx"))
