"""What a page shows is in force, what it does not show is not, and a difference is told."""

import io
from typing import NamedTuple

import pytest

pytest.importorskip("reportlab", reason="reportlab, which measures print, is not installed")
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
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.rulebook.in_process import read_here

RULE = "The mass of the car must not exceed 900 kg at any time."
TOP, BASE, LEFT, RIGHT = 692, 680, 110, 386
"""The top, the baseline and the ends of the rule as it is drawn."""
HELVETICA = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
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


def read_page(drawn, annotations=(), **resources):
    """Read a rulebook of one page; `drawn` takes the place of the words of article 1.2."""
    writer = PdfWriter()
    page = writer.add_blank_page(595, 842)
    fonts = {"/F1": HELVETICA, **resources.pop("Font", {})}
    entries = {f"/{kind}": values for kind, values in resources.items()}
    page[NameObject("/Resources")] = pdf_object({"/Font": fonts, **entries}, writer)
    page[NameObject("/Contents")] = pdf_object(Stream(FRAME.format(drawn)), writer)
    added = [writer._add_object(pdf_object(each, writer)) for each in annotations]
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


def test_a_page_that_shows_its_rule_is_told_nothing_of():
    text, marks, told = read_page(show())
    assert text == RULE
    assert not marks
    assert not told & {"hidden_text", "page_differs", "faint_text", "page_limit"}


@pytest.mark.parametrize(
    "drawn",
    [
        show() + "1 g 105 672 480 20 re f 0 g",
        f"q 0 0 10 10 re W n {show()} Q",
        f"q 60 672 480 20 re 60 672 480 20 re W* n {show()} Q",
        f"q BT /F1 11 Tf 7 Tr 1 0 0 1 9 9 Tm (x) Tj ET {show()} Q",
        f"q /Unseen gs {show()} Q",
        f"/Pattern cs /White scn {show()} 0 g",
        f"BT /F1 11 Tf 2 Tz 1 0 0 1 110 680 Tm ({RULE}) Tj ET",
        f"{show()} 1 G 16 w 105 684 m 480 684 l S 0 G",
        f"{show()} 9 w 105 680 m 480 680 l 105 688 m 480 688 l S",
        f"q 0 0 10 10 re W n 0.2 g 105 672 480 20 re f Q 1 g {show()} 0 g",
    ],
    ids=[
        "covered",
        "clipped",
        "two clips",
        "text clip",
        "transparent",
        "pattern",
        "squeezed",
        "under a white line",
        "under black lines",
        "white on a clipped box",
    ],
)
def test_words_that_nobody_sees_are_not_in_force(drawn):
    white = Stream(
        "1 g 0 0 10 10 re f",
        {
            "/PatternType": 1,
            "/PaintType": 1,
            "/TilingType": 1,
            "/BBox": [0, 0, 10, 10],
            "/XStep": 10,
            "/YStep": 10,
            "/Resources": {},
        },
    )
    resources = {"ExtGState": {"/Unseen": {"/ca": 0.01}}, "Pattern": {"/White": white}}
    text, marks, told = read_page(drawn, **resources)
    assert "900" not in text
    assert marks == {"hidden"}
    assert "hidden_text" in told


def test_a_covered_number_leaves_the_other_words_in_force():
    start = LEFT + stringWidth(RULE[: RULE.index("900")], "Helvetica", 11)
    width = stringWidth("900", "Helvetica", 11)
    text, marks, _ = read_page(show() + f"1 g {start} 676 {width} 14 re f 0 g")
    assert (text, marks) == (RULE.replace("900 ", ""), {"hidden"})


def test_words_typed_anew_over_a_cover_are_in_force_alone():
    text, marks, _ = read_page(
        show() + "1 g 105 676 480 14 re f 0 g " + show(RULE.replace("900", "600"))
    )
    assert (text, marks) == (RULE.replace("900", "600"), {"hidden"})


def test_a_field_of_a_form_hides_the_rule_below_it():
    look = Stream(
        "1 g 0 0 480 20 re f 0 g",
        {"/Subtype": "/Form", "/BBox": [0, 0, 480, 20], "/Type": "/XObject"},
    )
    field = {
        "/Type": "/Annot",
        "/Subtype": "/Widget",
        "/FT": "/Tx",
        "/T": "mass",
        "/V": "",
        "/F": 4,
        "/Rect": [105, 672, 585, 692],
        "/AP": {"/N": look},
    }
    text, marks, _ = read_page(show(), [field])
    assert ("900" in text, marks) == (False, {"hidden"})


def test_what_lies_beyond_the_edge_of_the_page_is_not_in_force():
    drawn = (
        f"BT /F1 11 Tf 1 0 0 1 330 680 Tm ({RULE[:-1]} in 2026, until the stewards decide.) Tj ET"
    )
    text, marks, _ = read_page(drawn)
    assert RULE.startswith(text[:40])
    assert ("stewards" in text, marks) == (False, {"hidden"})


def test_print_over_a_picture_and_in_a_clip_that_holds_it_is_in_force():
    band = "0.8 1 0.8 rg 105 660 480 40 re f 0 0 0 rg 1 1 1 RG 105 665 m 300 695 l S 0 G"
    assert read_page(f"{band} q 105 660 480 40 re W n {show()} Q")[:2] == (RULE, set())


def test_faint_print_is_in_force_and_told():
    text, marks, told = read_page(f"0.85 g {show()} 0 g")
    assert (text, marks) == (RULE, set())
    assert "faint_text" in told


def test_print_that_a_negative_size_turns_upright_is_read():
    drawn = f"BT /F1 -11 Tf -1 0 0 -1 110 680 Tm ({RULE}) Tj ET"
    assert read_page(drawn)[0] == RULE


def test_glyphs_without_ink_are_not_in_force():
    fonts = {"/F9": type3_font("", RULE)}
    text, marks, _ = read_page(show(font="F9"), Font=fonts)
    assert ("900" in text, marks) == (False, {"hidden"})


def test_boxes_in_place_of_letters_are_not_in_force():
    fonts = {"/F9": type3_font("0 0 500 700 re f", RULE)}
    text, marks, told = read_page(show(font="F9"), Font=fonts)
    assert ("900" in text, marks) == (False, {"differs"})
    assert "page_differs" in told


def test_digits_that_a_font_calls_others_are_not_in_force():
    chars = {code: chr(code) for code in range(32, 127)} | {ord("6"): "9"}
    lying = HELVETICA | {"/ToUnicode": unicode_map(chars)}
    drawn = show(RULE.replace("900", "600"), font="F9")
    text, marks, told = read_page(drawn, Font={"/F9": lying})
    assert text == RULE.replace("900 ", "")
    assert (marks, "page_differs" in told) == ({"differs"}, True)


def test_a_point_that_a_font_calls_a_digit_and_a_sign_turned_round_are_told():
    for shown, stored in ((".", "0"), ("<", ">")):
        chars = {code: chr(code) for code in range(32, 127)} | {ord(shown): stored}
        lying = HELVETICA | {"/ToUnicode": unicode_map(chars)}
        drawn = show(RULE.replace("900", f"{shown} 25"), font="F9")
        text, marks, _ = read_page(drawn, Font={"/F9": lying})
        assert (stored in text, marks) == (False, {"differs"})


def test_a_number_with_a_lying_digit_leaves_no_other_number():
    chars = {code: chr(code) for code in range(32, 127)} | {ord("6"): "9"}
    lying = HELVETICA | {"/ToUnicode": unicode_map(chars)}
    before, after = RULE.split("900")
    at = LEFT + stringWidth(before, "Helvetica", 11)
    behind = at + stringWidth("9", "Helvetica", 11)
    parts = ((LEFT, before, "F1"), (at, "6", "F9"), (behind, f"00{after}", "F1"))
    drawn = "".join(
        f"BT /{font} 11 Tf 1 0 0 1 {x} 680 Tm ({text}) Tj ET " for x, text, font in parts
    )
    assert read_page(drawn, Font={"/F9": lying})[0] == RULE.replace("900 ", "")


def test_words_that_a_file_gives_in_place_of_others_are_not_in_force():
    drawn = f"/Span << /ActualText ({RULE}) >> BDC {show(RULE.replace('900', '600'))} EMC"
    text, marks, _ = read_page(drawn)
    assert ("900" in text, marks) == (False, {"differs"})


@pytest.mark.parametrize(
    "stroke",
    [
        f"1 w {LEFT} 681 m {RIGHT} 688 l S",
        f"4 w {LEFT} 684 m {RIGHT} 684 l S",
        f"1 w [4 2] 0 d {LEFT} 683 m {RIGHT} 683 l S [] 0 d",
        f"1 w {LEFT} 683 m 200 689 250 677 {RIGHT} 684 c S",
        show("_" * 45, y=685),
        "".join(f"BT /F1 11 Tf 1 0 0 1 {x} 680 Tm (\\227) Tj ET " for x in range(LEFT, RIGHT, 11)),
    ],
    ids=["slanted", "thick", "dashed", "wavy", "raised underscores", "dashes"],
)
def test_strokes_of_any_shape_delete(stroke):
    fonts = {"/F1": HELVETICA | {"/Encoding": "/WinAnsiEncoding"}}
    text, marks, _ = read_page(show() + stroke, Font=fonts)
    assert ("900" in text, "deleted" in marks) == (False, True)


@pytest.mark.parametrize(
    "stroke",
    [
        f"1 1 1 RG 1 w {LEFT} 683 m {RIGHT} 683 l S 0 G {show()}",
        f"{show()} q 0 0 9 9 re W n 1 w {LEFT} 683 m {RIGHT} 683 l S Q",
        f"{show()} 1 w {LEFT} 678 m {RIGHT} 678 l S",
        show() + show("_" * 45),
    ],
    ids=["white", "clipped", "underline", "underscores"],
)
def test_what_crosses_no_print_that_is_seen_deletes_nothing(stroke):
    text, marks, _ = read_page(stroke)
    assert (text.startswith(RULE), "deleted" in marks) == (True, False)


def test_a_cross_over_a_paragraph_deletes_it():
    lines = "".join(show(y=y) for y in (680, 666, 652))
    text, marks, _ = read_page(f"{lines} 110 690 m 386 650 l S 110 650 m 386 690 l S")
    assert (text, marks) == ("", {"deleted"})


def test_a_strike_annotation_deletes_all_lines_that_it_names():
    tops = (690, 676)
    quads = [edge for top in tops for edge in (110, top, 386, top, 110, top - 12, 386, top - 12)]
    strike = {
        "/Type": "/Annot",
        "/Subtype": "/StrikeOut",
        "/Rect": [110, 664, 386, 690],
        "/QuadPoints": quads,
        "/C": [1, 0, 0],
        "/F": 4,
    }
    drawn = show() + show(y=666)
    assert read_page(drawn, [strike])[:2] == ("", {"deleted"})
    assert "900" in read_page(drawn, [strike | {"/F": 2}])[0]


def test_a_line_annotation_deletes_unless_it_is_hidden():
    assert read_page(show(), [line_annotation()])[:2] == ("", {"deleted"})
    assert read_page(show(), [line_annotation(**{"/F": 2})])[:2] == (RULE, set())


def test_an_annotation_over_a_rule_hides_it():
    cover = {
        "/Type": "/Annot",
        "/Subtype": "/Square",
        "/Rect": [100, 670, 400, 695],
        "/IC": [1, 1, 1],
        "/C": [1, 1, 1],
        "/F": 4,
    }
    text, marks, _ = read_page(show(), [cover])
    assert ("900" in text, marks) == (False, {"hidden"})


def test_more_annotations_than_are_looked_at_are_told():
    link = {"/Type": "/Annot", "/Subtype": "/Link", "/Rect": [10, 10, 11, 11]}
    text, _, told = read_page(show(), [link] * 5_001)
    assert (text, "page_limit" in told) == (RULE, True)
