"""Rulebooks of one page, drawn by the operators of its content: what they are read as."""

import io
from typing import NamedTuple

from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from tests.rulebook.in_process import read_here

RULE = "The mass of the car must not exceed 900 kg at any time."
TOP, BASE, LEFT, RIGHT = 692, 680, 110, 386
"""The top, the baseline and the ends of the rule as it is drawn."""
HELVETICA = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
TIMES = HELVETICA | {"/BaseFont": "/Times-Roman"}
FRAME = """
BT /F1 16 Tf 1 0 0 1 72 780 Tm (2026 Red Series Technical Regulations) Tj ET
BT /F1 11 Tf 1 0 0 1 72 730 Tm (1) Tj 38 0 Td (CAR) Tj ET
BT /F1 11 Tf 1 0 0 1 72 708 Tm (1.1) Tj 38 0 Td (The driver must wear a helmet.) Tj ET
BT /F1 11 Tf 1 0 0 1 72 680 Tm (1.2) Tj ET
{}
BT /F1 11 Tf 1 0 0 1 72 560 Tm (1.3) Tj 38 0 Td (The tyres must be supplied by the series.) Tj ET
"""


class Stream(NamedTuple):
    """The bytes of a stream, and the entries of its dictionary."""

    data: str
    entries: dict | None = None


def show(text=RULE, font="F1", size=11, y=BASE):
    return f"BT /{font} {size} Tf 1 0 0 1 110 {y} Tm ({text}) Tj ET\n"


def pdf_object(value, writer):
    """Turn plain values into objects of a PDF: names begin with "/"."""
    match value:
        case Stream(data, entries):
            stream = DecodedStreamObject()
            stream.set_data(data.encode())
            stream.update(pdf_object(entries or {}, writer))
            return writer._add_object(stream)
        case dict():
            items = value.items()
            return DictionaryObject({NameObject(k): pdf_object(v, writer) for k, v in items})
        case list() | tuple():
            return ArrayObject(pdf_object(item, writer) for item in value)
        case str() if value.startswith("/"):
            return NameObject(value)
        case str():
            return TextStringObject(value)
        case int():
            return NumberObject(value)
        case float():
            return FloatObject(value)
    return value


def read_pages(*drawn):
    """Read a rulebook, with each of `drawn` on a page: the words of articles 1.2, 2.2 and so on."""
    writer = PdfWriter()
    for number, each in enumerate(drawn, start=1):
        frame = FRAME.replace("(1", f"({number}")
        add_page(writer, frame.format(each), {"/Font": {"/F1": HELVETICA, "/F2": TIMES}})
    out = io.BytesIO()
    writer.write(out)
    clauses = {clause.article: clause.text for clause in read_here(out.getvalue()).clauses}
    return [clauses.get(f"{number}.2", "") for number in range(1, len(drawn) + 1)]


def add_page(writer, content, resources):
    page = writer.add_blank_page(595, 842)
    page[NameObject("/Resources")] = pdf_object(resources, writer)
    page[NameObject("/Contents")] = pdf_object(Stream(content), writer)
    return page


def read_page(drawn, annotations=(), layer=None, **resources):
    """Read a rulebook of one page; `drawn` takes the place of the words of article 1.2.

    `layer` is that of the annotations, and whether it is /ON or /OFF.
    """
    writer = PdfWriter()
    fonts = {"/F1": HELVETICA, **resources.pop("Font", {})}
    entries = {f"/{kind}": values for kind, values in resources.items()}
    page = add_page(writer, FRAME.format(drawn), {"/Font": fonts, **entries})
    added = [writer._add_object(pdf_object(each, writer)) for each in annotations]
    if layer:
        group = writer._add_object(pdf_object(layer[0], writer))
        shown = DictionaryObject({NameObject(layer[1]): ArrayObject([group])})
        properties = {NameObject("/OCGs"): ArrayObject([group]), NameObject("/D"): shown}
        writer.root_object[NameObject("/OCProperties")] = DictionaryObject(properties)
        for one in added:
            one.get_object()[NameObject("/OC")] = group
    page[NameObject("/Annots")] = ArrayObject(added)
    fields = [field for field, entries in zip(added, annotations, strict=True) if "/FT" in entries]
    if fields:
        form = DictionaryObject({NameObject("/Fields"): ArrayObject(fields)})
        writer.root_object[NameObject("/AcroForm")] = form
    out = io.BytesIO()
    writer.write(out)
    book = read_here(out.getvalue())
    found = [clause for clause in book.clauses if clause.article == "1.2"]
    marks = {mark.kind for clause in book.clauses for mark in clause.marks}
    told = {warning.code for warning in book.report.warnings}
    return " ".join(clause.text for clause in found), marks, told


def type3_font(drawing, chars):
    """A font whose glyphs all are the same drawing."""
    first, last = min(map(ord, chars)), max(map(ord, chars))
    glyph = Stream(f"500 0 0 0 500 700 d1 {drawing}")
    names = [f"/c{code}" for code in range(first, last + 1)]
    return {
        "/Type": "/Font",
        "/Subtype": "/Type3",
        "/FontBBox": [0, 0, 500, 700],
        "/FontMatrix": [0.001, 0, 0, 0.001, 0, 0],
        "/CharProcs": dict.fromkeys(names, glyph),
        "/Encoding": {"/Type": "/Encoding", "/Differences": [first, *names]},
        "/FirstChar": first,
        "/LastChar": last,
        "/Widths": [500] * len(names),
        "/ToUnicode": unicode_map({code: chr(code) for code in range(first, last + 1)}),
    }


def unicode_map(chars):
    lines = "\n".join(f"<{code:02X}> <{ord(char):04X}>" for code, char in chars.items())
    header = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF>"
    body = f"{header} endcodespacerange {len(chars)} beginbfchar\n{lines}\nendbfchar endcmap end"
    return Stream(body)


def line_annotation(**entries):
    return {
        "/Type": "/Annot",
        "/Subtype": "/Line",
        "/Rect": [LEFT, BASE, RIGHT, TOP],
        "/L": [LEFT, BASE + 3, RIGHT, BASE + 4],
        "/C": [1, 0, 0],
    } | entries
