"""Word files: reports, and comparisons as tracked changes."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count, pairwise
from typing import cast
from xml.sax.saxutils import escape

from core.exports.redline import Redline, RedlineClause, RedlineSpan, SpanKind
from core.exports.report import ReportPart, make_printable
from core.exports.xml import clean_xml

AUTHOR, SPELLING_AUTHOR = "Scrutineer", "Scrutineer (spelling)"
"""Word shows and hides changes by author: those of spelling alone have one of their own."""
PICTURE_WIDTH = 405.0  # points
_STYLES = {"lead": "Intense Quote", "quote": "Quote", "text": None}
_DEEPEST_HEADING = 9
_NO_DAY = datetime(1980, 1, 1, tzinfo=UTC)  # as the parts of the file
_SAME_END = RedlineSpan("same", "\n")


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

    All are dated on the day of the later document, if it bears one, so that the same comparison
    makes the same bytes. The last paragraph is empty: Word keeps the mark of the last one whatever
    is rejected.
    """
    from docx import Document
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.part import XmlPart
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    day = datetime.fromisoformat(redline.day).replace(tzinfo=UTC) if redline.day else None
    title = clean_xml(redline.title)
    document = Document()
    properties = document.core_properties
    properties.title, properties.author, properties.comments = title[:255], AUTHOR, ""
    properties.created = properties.modified = day or _NO_DAY
    section = document.sections[0]
    section.header.paragraphs[0].text = title
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

    def __init__(self, day: datetime | None) -> None:
        self._date = day.strftime(' w:date="%Y-%m-%dT%H:%M:%SZ"') if day else ""
        self._changes = count(1)
        self.notes: list[str] = []

    def write_text(self, clauses: Iterable[RedlineClause], about: str) -> Iterator[str]:
        """Yield the paragraphs of clauses; the number of the first has one comment more."""
        paragraphs = [*self._split_paragraphs(clauses, about)]
        for paragraph, following in pairwise(paragraphs):
            paragraph.move_end(following)
        for one in paragraphs:
            named = f'<w:pStyle w:val="{one.style}"/>' if one.style else ""
            mark = f"<w:rPr>{self._track('', one.end)}</w:rPr>" if one.end.kind != "same" else ""
            yield f"<w:p><w:pPr>{named}{mark}</w:pPr>{''.join(one.runs)}</w:p>"

    def _split_paragraphs(
        self, clauses: Iterable[RedlineClause], about: str
    ) -> Iterator["_Paragraph"]:
        for clause in clauses:
            style = f"Heading{min(clause.level, _DEEPEST_HEADING)}" if clause.is_titled else ""
            number = "".join(self._write_run(span.text, span, "<w:b/>") for span in clause.number)
            between, end = (RedlineSpan(clause.kind, text) for text in "\t\n")
            paragraph = _Paragraph(style)
            paragraph.add(self._comment((about, clause.note), number, between), between.kind)
            for span in (between, *clause.text, end):
                first, *others = span.text.split("\n")
                runs = self._comment((span.note,), self._write_run(first, span), span)
                paragraph.add(runs, span.kind)
                for line in others:
                    paragraph.end = span
                    yield paragraph
                    paragraph = _Paragraph()
                    paragraph.add(self._write_run(line, span), span.kind)
            about = ""

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
        attributes = f'w:id="{next(self._changes)}" w:author="{author}"{self._date}'
        return f"<{tag} {attributes}>{runs}</{tag}>"

    def _comment(self, notes: Iterable[str], runs: str, span: RedlineSpan) -> str:
        """Return runs with comments on them, which stay or go as a span does."""
        for note in filter(None, notes):
            number = f'w:id="{len(self.notes)}"'
            self.notes.append(note)
            reference = self._track(f"<w:r><w:commentReference {number}/></w:r>", span)
            runs = f"<w:commentRangeStart {number}/>{runs}<w:commentRangeEnd {number}/>{reference}"
        return runs


@dataclass
class _Paragraph:
    style: str = ""
    end: RedlineSpan = _SAME_END
    """What its mark is a part of."""
    runs: list[str] = field(default_factory=list)
    kinds: list[SpanKind] = field(default_factory=list)

    def add(self, runs: str, kind: SpanKind) -> None:
        if runs:
            self.runs.append(runs)
            self.kinds.append(kind)

    def move_end(self, following: "_Paragraph") -> None:
        """Take the mark of an inserted paragraph that follows inserted words, which takes its own.

        "old +new¶ +line+¶" says the same as "old +new+¶ +line¶". Word writes it the second way,
        and LibreOffice 7.4 loses the first mark when it rejects all.
        """
        is_open = self.end.kind == "same" and self.kinds[-1:] == ["inserted"]
        if is_open and {*following.kinds, following.end.kind} == {"inserted"}:
            self.end, following.end = following.end, self.end


def _drop_times(data: bytes) -> bytes:
    """Return a zip file without the times at which its parts were written."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as made, zipfile.ZipFile(out, "w") as archive:
        for name in made.namelist():
            info = zipfile.ZipInfo(name)  # of 1980
            archive.writestr(info, made.read(name), zipfile.ZIP_DEFLATED)
    return out.getvalue()
