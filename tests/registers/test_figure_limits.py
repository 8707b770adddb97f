"""Limits in pictures: named as not read, or read by text recognition and never taken as the law."""

import shutil
from dataclasses import replace

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader

from core.library import Library
from core.library.ingestion.ingest import add_bytes
from core.registers import register_of
from core.registers.figure_texts import (
    FIGURE_TEXTS,
    MAX_ATTEMPTS,
    FigureReadings,
    read_missing_figures,
)
from core.rulebook import ReadLimits, can_recognize_text
from core.sheets import LimitIndex, SheetRow, check_row, complete_library
from tests.rulebook.pdf_builder import Paper

pytestmark = pytest.mark.slow
LABELS = "Maximum 500 J storage\nMax 300 kJ energy stored\noutside of the box\nWidth 40 mm"


def diagram():
    """Return a rulebook with a drawing that is an image, with words and a size on it."""
    picture = Image.new("RGB", (900, 420), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=34)
    pen.rectangle((10, 10, 890, 410), outline="black", width=4)
    for place, words in enumerate(LABELS.splitlines()):
        pen.text((60, 40 + 44 * place + 60 * (place == 3)), words, font=font, fill="black")
    paper = Paper().heading("1.", "ENERGY")
    paper.clause("1.1", "Energy flows are defined in the diagram shown below:")
    paper.canvas.drawImage(ImageReader(picture), 100, paper.y - 190, 360, 168)
    paper.y -= 210
    paper.clause("1.2", "The mass of the battery must not be less than 7 kg.")
    paper.clause("1.3", "The box must be closed at all times, with all of its doors.")
    return paper.pdf()


@pytest.fixture(scope="module")
def read_diagram(tmp_path_factory):
    """A library in which the words of the diagram were read."""
    return add_diagram(tmp_path_factory.mktemp("diagram"))


def add_diagram(folder, **limits):
    library = Library(folder, read_limits=ReadLimits(**limits))
    [added] = add_bytes(library, diagram(), "energy.pdf")
    return library, register_of(library, added.document)


def test_a_figure_that_is_not_read_is_named(tmp_path):
    _, register = add_diagram(tmp_path, read_scans=False)
    assert [limit.article for limit in register.limits] == ["1.2"]
    assert [one.reason for one in register.unread] == ["figure that is not read"]


@pytest.mark.skipif(not can_recognize_text(), reason="the optional part ocr is not installed")
def test_limits_in_a_figure_are_read_but_decide_nothing(read_diagram):
    _, register = read_diagram
    drawn = [limit for limit in register.limits if limit.source == "figure"]
    assert [(one.article, str(one)) for one in drawn] == [
        ("1.1", "at most 500 J"),
        ("1.1", "at most 300 kJ"),
    ]
    row = SheetRow("1", "energy stored outside of the box", "200", "kJ")
    result = check_row(row, LimitIndex(register))
    assert (result.verdict, result.articles) == ("cannot tell", ("1.1",))
    assert "a look at the figure on page 1" in result.missing


@pytest.mark.skipif(not can_recognize_text(), reason="the optional part ocr is not installed")
def test_a_figure_that_was_not_reached_is_tried_again_but_not_forever(read_diagram, tmp_path):
    held, register = read_diagram
    library = Library(shutil.copytree(held.folder, tmp_path / "data"))
    [document] = library.documents()
    for attempts, is_read in ((1, True), (MAX_ATTEMPTS, False)):
        broken_off = FigureReadings(texts=(), missing=1, attempts=attempts)
        replace(FIGURE_TEXTS, make=lambda *_, kept=broken_off: kept).remake(library, document)
        complete_library(library)
        drawn = [one for one in register_of(library, document).limits if one.source == "figure"]
        assert bool(drawn) == is_read
    assert register.limits


@pytest.mark.skipif(not can_recognize_text(), reason="the optional part ocr is not installed")
def test_a_figure_of_two_clauses_is_read_once(read_diagram):
    library, _ = read_diagram
    [document] = library.documents()
    clauses = library.clauses(document.document_id)
    readings = read_missing_figures(library, document, [*clauses, *clauses], FigureReadings())
    assert len(readings.texts) == 1
    assert (readings.missing, readings.attempts) == (0, 0)
