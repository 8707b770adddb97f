"""PDF files: reports, and comparisons as they are printed."""

import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any
from xml.sax.saxutils import escape

from core.exports.redline import Redline, RedlineClause, RedlineSpan
from core.exports.report import ReportPart, make_printable
from core.exports.xml import clean_xml

PAGE_WIDTH, PAGE_HEIGHT = 450.0, 600.0
"""Points between the margins of A4."""
_FORMS = {
    "same": "{}",
    "deleted": '<font color="#a01010"><strike>{}</strike></font>',
    "inserted": '<font color="#10602a"><u>{}</u></font>',
}
"""Struck or underlined, so that a print without colours can be read too."""


def write_pdf(parts: Iterable[ReportPart]) -> bytes:
    """Write a report as PDF."""
    layout = _PdfLayout()
    return _build_pdf("Chat", (layout.draw(part) for part in parts))


def write_redline_pdf(redline: Redline) -> bytes:
    """Write a redline as PDF: words struck or underlined, notes below their clause.

    Differences of spelling alone are left out: they print as in the later document.
    """
    layout = _PdfLayout()

    def draw() -> Iterator[Any]:
        yield layout.paragraph(layout.escape(redline.title), "heading")
        yield layout.paragraph(layout.escape(redline.about), "text")
        for clause in redline.clauses:
            style = "subheading" if clause.is_titled else "text"
            for line in _print_clause(clause, layout):
                yield layout.paragraph(line, style)
                style = "text"
            notes = [f"{span.note}: “{span.text.strip()}”" for span in clause.text if span.note]
            for note in filter(None, (clause.note, *notes)):
                yield layout.paragraph(layout.escape(note), "note")

    return _build_pdf(redline.title, draw())


def _build_pdf(title: str, flowables: Iterable[Any]) -> bytes:
    """Return a PDF with numbered pages. It bears no time: the same parts make the same bytes."""
    from reportlab.platypus import SimpleDocTemplate

    def number_page(canvas: Any, _: Any) -> None:
        canvas.setFont("Vera", 8)
        canvas.drawCentredString(canvas._pagesize[0] / 2, 36, str(canvas.getPageNumber()))

    out = io.BytesIO()
    document = SimpleDocTemplate(out, title=clean_xml(title), invariant=1)
    document.build([*flowables], onFirstPage=number_page, onLaterPages=number_page)
    return out.getvalue()


def _print_clause(clause: RedlineClause, layout: "_PdfLayout") -> list[str]:
    """Return the lines of a clause as markup of reportlab."""
    between = RedlineSpan("same", " ")
    numbers = chain.from_iterable((span, between) for span in clause.number)
    lines = [""]
    for span in (*numbers, *clause.text):
        if span.is_spelling and span.kind == "deleted":
            continue
        kind = "same" if span.is_spelling else span.kind
        for number, text in enumerate(span.text.split("\n")):
            if number:
                lines.append("")
            if text:
                lines[-1] += _FORMS[kind].format(layout.escape(text))
    return [line for line in lines if line]


class _PdfLayout:
    """Draws parts with the font that reportlab brings, which has the letters of Europe."""

    def __init__(self) -> None:
        from reportlab.lib.styles import ParagraphStyle
        from reportlab.pdfbase.pdfmetrics import registerFont
        from reportlab.pdfbase.ttfonts import TTFont

        for name in ("Vera", "VeraBd", "VeraIt"):
            registerFont(TTFont(name, f"{name}.ttf"))
        self._known = set(TTFont("Vera", "Vera.ttf").face.charToGlyph)

        def style(size: float, font: str = "Vera", indent: float = 0.0) -> Any:
            options = {"fontName": font, "fontSize": size, "leading": 1.35 * size}
            return ParagraphStyle(font, leftIndent=indent, spaceAfter=size * 0.7, **options)

        self._styles = {
            "title": style(18, "VeraBd"),
            "heading": style(13, "VeraBd"),
            "subheading": style(10, "VeraBd"),
            "lead": style(11, "VeraBd"),
            "text": style(9),
            "quote": style(9, indent=14),
            "note": style(8, "VeraIt", indent=28),
        }

    def draw(self, part: ReportPart) -> Any:
        from reportlab.platypus import Image, Table

        if part.kind == "picture":
            image = Image(io.BytesIO(part.image))
            scale = min(PAGE_WIDTH / image.imageWidth, PAGE_HEIGHT / image.imageHeight)
            image.drawWidth, image.drawHeight = image.imageWidth * scale, image.imageHeight * scale
            return image
        if part.kind == "table":
            width = PAGE_WIDTH / max(map(len, part.rows))
            cells = [[self.paragraph(self.escape(cell), "text") for cell in r] for r in part.rows]
            grid = [("GRID", (0, 0), (-1, -1), 0.4, "#888888"), ("VALIGN", (0, 0), (-1, -1), "TOP")]
            return Table(cells, [width] * max(map(len, part.rows)), style=grid)
        return self.paragraph(self.escape(part.text), part.kind)

    def paragraph(self, markup: str, kind: str) -> Any:
        from reportlab.platypus import Paragraph

        return Paragraph(markup, self._styles[kind])

    def escape(self, text: str) -> str:
        """Return a text as markup; a letter that the font lacks becomes its code point."""
        shown = "".join(
            one if one == "\n" or ord(one) in self._known else f"[U+{ord(one):04X}]"
            for one in make_printable(text)
        )
        return escape(shown).replace("\n", "<br/>")
