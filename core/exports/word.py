"""Word files: reports, and comparisons as tracked changes."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import count
from typing import cast
from xml.sax.saxutils import escape

from core.exports.redline import Redline, RedlineClause, RedlineSpan
from core.exports.report import ReportPart, make_printable
from core.exports.xml import clean_xml

AUTHOR, SPELLING_AUTHOR = "Scrutineer", "Scrutineer (spelling)"
"""Word shows and hides changes by author: those of spelling alone have one of their own."""
PICTURE_WIDTH = 405.0  # points
_STYLES = {"lead": "Intense Quote", "quote": "Quote", "text": None}
_DEEPEST_HEADING = 9


def write_word(parts: Iterable[ReportPart]) -> bytes:
    """Write a report as DOCX."""
    from docx import Document
    from docx.shared import Pt

    document = Document()
    levels = {"title": 0, "heading": 1, "subheading": 2}
    for part in parts:
        if part.kind in levels:
            document.add_heading(make_printable(part.text), levels[part.kind])
        elif part.kind == "picture":
            document.add_picture(io.BytesIO(part.image), width=Pt(PICTURE_WIDTH))
            document.add_paragraph(make_printable(part.text), "Caption")
        elif part.kind == "table":
            table = document.add_table(0, max(map(len, part.rows)), "Table Grid")
            for row in part.rows:
                for cell, text in zip(table.add_row().cells, row, strict=False):
                    cell.text = make_printable(text)
        else:
            document.add_paragraph(make_printable(part.text), _STYLES[part.kind])
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def write_redline_word(redline: Redline) -> bytes:
    """Write a redline as DOCX, its differences as tracked changes, its notes as comments.

    All are dated on the day of the later document, so that the same comparison makes the same
    bytes. The last paragraph is empty: Word keeps the mark of the last one whatever is rejected.
    """
    from docx import Document
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.part import XmlPart
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    day = datetime.fromisoformat(redline.day).replace(tzinfo=UTC)
    document = Document()
    properties = document.core_properties
    properties.title, properties.author, properties.comments = redline.title[:255], AUTHOR, ""
    properties.created = properties.modified = day
    section = document.sections[0]
    section.header.paragraphs[0].text = clean_xml(redline.title)
    writer = _RedlineWriter(day)
    paragraphs = "".join(writer.write_text(redline.clauses, redline.about))
    root = parse_xml(f"<w:body {nsdecls('w')}>{paragraphs}<w:p/></w:body>")
    end = document.element.body.sectPr
    for paragraph in list(root):
        end.addprevious(paragraph)
    comments = document.comments  # makes their part
    for note in writer.notes:
        comments.add_comment(clean_xml(note), AUTHOR, AUTHOR[0])
    part = cast(XmlPart, document.part.part_related_by(RELATIONSHIP_TYPE.COMMENTS))
    for comment in part.element:
        comment.date = day
    out = io.BytesIO()
    document.save(out)
    return _drop_times(out.getvalue())


class _RedlineWriter:
    """Writes paragraphs in WordprocessingML. Its comments are numbered as its `notes` are."""

    def __init__(self, day: datetime) -> None:
        self._date = day.strftime("%Y-%m-%dT%H:%M:%SZ")
        self._changes = count(1)
        self.notes: list[str] = []

    def write_text(self, clauses: Iterable[RedlineClause], about: str) -> Iterator[str]:
        """Yield the paragraphs of clauses; the number of the first has one comment more."""
        for clause in clauses:
            style = f"Heading{min(clause.level, _DEEPEST_HEADING)}" if clause.is_titled else ""
            number = "".join(self._write_run(span.text, span, "<w:b/>") for span in clause.number)
            between, end = RedlineSpan(clause.kind, "\t"), RedlineSpan(clause.end, "\n")
            runs = [self._comment((about, clause.note), number, between)]
            for span in (between, *clause.text, end):
                first, *others = span.text.split("\n")
                runs.append(self._comment((span.note,), self._write_run(first, span), span))
                for line in others:
                    yield self._write_paragraph("".join(runs), span, style)
                    style, runs = "", [self._write_run(line, span)]
            about = ""

    def _write_paragraph(self, runs: str, end: RedlineSpan, style: str) -> str:
        """Return a paragraph whose mark is of a span."""
        named = f'<w:pStyle w:val="{style}"/>' if style else ""
        tracked = f"<w:rPr>{self._track('', end)}</w:rPr>" if end.kind != "same" else ""
        return f"<w:p><w:pPr>{named}{tracked}</w:pPr>{runs}</w:p>"

    def _write_run(self, text: str, span: RedlineSpan, look: str = "") -> str:
        if not text:
            return ""
        tag = "w:delText" if span.kind == "deleted" else "w:t"
        texts = (
            f'<{tag} xml:space="preserve">{escape(part)}</{tag}>' if part else ""
            for part in clean_xml(text).split("\t")
        )
        shape = f"<w:rPr>{look}</w:rPr>" if look else ""
        return self._track(f"<w:r>{shape}{'<w:tab/>'.join(texts)}</w:r>", span)

    def _track(self, runs: str, span: RedlineSpan) -> str:
        """Return runs, or the mark of a paragraph, as those of a span."""
        if span.kind == "same":
            return runs
        tag = "w:del" if span.kind == "deleted" else "w:ins"
        author = SPELLING_AUTHOR if span.is_spelling else AUTHOR
        attributes = f'w:id="{next(self._changes)}" w:author="{author}" w:date="{self._date}"'
        return f"<{tag} {attributes}>{runs}</{tag}>"

    def _comment(self, notes: Iterable[str], runs: str, span: RedlineSpan) -> str:
        """Return runs with comments on them, which stay or go as a span does."""
        for note in filter(None, notes):
            number = f'w:id="{len(self.notes)}"'
            self.notes.append(note)
            reference = self._track(f"<w:r><w:commentReference {number}/></w:r>", span)
            runs = f"<w:commentRangeStart {number}/>{runs}<w:commentRangeEnd {number}/>{reference}"
        return runs


def _drop_times(data: bytes) -> bytes:
    """Return a zip file without the times at which its parts were written."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as made, zipfile.ZipFile(out, "w") as archive:
        for name in made.namelist():
            info = zipfile.ZipInfo(name)  # of 1980
            archive.writestr(info, made.read(name), zipfile.ZIP_DEFLATED)
    return out.getvalue()
