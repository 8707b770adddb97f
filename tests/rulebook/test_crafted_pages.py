"""Pages whose stored text is not what an eye sees: the rule is told of, or read as it is seen."""

import pytest

pytest.importorskip("reportlab", reason="reportlab, which measures print, is not installed")
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.rulebook.drawn_page import (
    HELVETICA,
    LEFT,
    RIGHT,
    RULE,
    Stream,
    read_page,
    show,
    type3_font,
)

BEFORE, AFTER = RULE.split("900")
NUMBER = LEFT + stringWidth(BEFORE, "Helvetica", 11)
DIGIT = stringWidth("9", "Helvetica", 11)
LATIN = HELVETICA | {"/Encoding": "/WinAnsiEncoding"}
THREE_LINES = "".join(show(y=y) for y in (680, 666, 652))
BLANKS = show("must not exceed     900 kg")


def at(x, text, font="F1", size=11, y=680):
    return f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET "


def in_a_row(*parts):
    """Draw texts one after the other, each in its font."""
    x, drawn = LEFT, ""
    for text, font in parts:
        drawn += at(x, text, font)
        x += stringWidth(text, "Helvetica", 11)
    return drawn


def font_that_says(**words):
    """A font that says other words for some of its glyphs."""
    said = {chr(code): chr(code) for code in range(32, 127)} | words
    lines = [
        f"<{glyph.encode('cp1252').hex()}> <{word.encode('utf-16-be').hex()}>"
        for glyph, word in said.items()
    ]
    header = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF>"
    listed = "\n".join(lines)
    body = f"{header} endcodespacerange {len(lines)} beginbfchar\n{listed}\nendbfchar endcmap end"
    return LATIN | {"/ToUnicode": Stream(body)}


def annotation(kind, box, **entries):
    return {"/Type": "/Annot", "/Subtype": f"/{kind}", "/Rect": box, "/F": 4} | entries


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("6", "900"),
        ("x", "must"),
        ("not", " "),
        ("not", "."),
        ("6", "\u0669"),
        ("6", "\uff19"),
        ("<", "\u2264"),
        (">", "\u2264"),
        ("\u00b1", "+"),
        ("-", "+"),
        ("\u2030", "%"),
        ("\u00b0", "%"),
        ("\u00be", "\u00bd"),
        ("2", "\u00b2"),
        ("cm", "m"),
        ("m", "M"),
        ("W", "w"),
        ("s", "S"),
        ("S", "s"),
        ("\u00bc", "\u00be"),
        ("3", "8"),
    ],
)
def test_what_a_font_says_is_compared_with_its_print(shown, said):
    lies = {glyph: said for glyph in shown if shown != "cm" or glyph == "c"}
    fonts = {"/F9": font_that_says(**lies), "/F1": LATIN}
    octal = "".join(f"\\{byte:03o}" for byte in shown.encode("cp1252"))
    x = LEFT + stringWidth("It must be 9 ", "Helvetica", 11)
    behind = x + stringWidth(f"{shown} ", "Helvetica", 11)
    drawn = at(LEFT, "It must be 9 ") + at(x, octal, "F9") + at(behind, "900 kg.")
    assert "differs" in read_page(drawn, Font=fonts)[1]


@pytest.mark.parametrize("font", ["Helvetica", "Times-Bold", "Courier", "Times-Italic"])
@pytest.mark.parametrize("size", [8, 11])
def test_signs_and_digits_of_plain_fonts_are_told_nothing_of(font, size):
    text = "At 5 % or 3\\260, 5\\2411 \\261 2 + 5 = 7, <8, >9; 0123456789 - \\2224 5\\2115, the"
    fonts = {"/F9": LATIN | {"/BaseFont": f"/{font}"}}
    assert read_page(show(text, "F9", size), Font=fonts)[1] == set()


def test_print_that_is_slanted_squeezed_or_small_is_compared_too():
    fonts = {"/F9": font_that_says(**{"6": "9"})}
    text = RULE.replace("900", "600")
    for matrix, size, scale in (("1 0 .5 1", 11, 100), ("1 0 0 1", 11, 50), ("1 0 0 1", 4, 100)):
        drawn = f"BT /F9 {size} Tf {scale} Tz {matrix} 110 680 Tm ({text}) Tj 100 Tz ET"
        assert read_page(drawn, Font=fonts)[1] == {"differs"}


@pytest.mark.parametrize("look", ["1 Tr .3 w", "2 Tr .7 w", "2 Tr 1 g .3 w", "1 Tr 1 g 1 w"])
def test_print_with_outlines_is_compared_as_if_it_were_filled(look):
    text = RULE.replace("900", "300")
    drawn = "q BT /F9 11 Tf {} 1 0 0 1 110 680 Tm ({}) Tj ET Q"
    for font, marks in ((font_that_says(**{"3": "8"}), {"differs"}), (LATIN, set())):
        assert read_page(drawn.format(look, text), Font={"/F9": font})[1] == marks


@pytest.mark.parametrize("matrix", ["1 0 0 -1 110 688", "-1 0 0 1 386 680"])
def test_a_line_as_in_a_mirror_is_told_even_if_its_words_were_seen_before(matrix):
    mirrored = f"BT /F1 11 Tf {matrix} Tm ({RULE}) Tj ET"
    assert read_page(show(y=640) + mirrored)[1] == {"differs"}


@pytest.mark.parametrize(("shown", "said"), [("<5", ">5"), ("1,5", "1.5"), ("not", " ")])
def test_signs_and_blanks_that_a_file_gives_in_place_of_print_are_told(shown, said):
    x = LEFT + stringWidth("It must ", "Helvetica", 11)
    behind = x + stringWidth(f"{shown} ", "Helvetica", 11)
    mark = f"/Span << /ActualText ({said}) >> BDC {at(x, shown)} EMC "
    drawn = at(LEFT, "It must ") + mark + at(behind, "be 900 kg.")
    assert read_page(drawn)[1] == {"differs"}


SEVEN = "{0} 687.5 m {1} 687.5 l {2} 680 l S "


@pytest.mark.parametrize(
    "drawn",
    [
        f"BT /F1 11 Tf 1 0 0 1 {NUMBER} 680 Tm [-1112 (0) 1112 (5) 1112 (2)] TJ ET",
        at(NUMBER, "9") + at(NUMBER, "6") + at(NUMBER + DIGIT, "00"),
        f"BT /F1 11 Tf 2 Tz 1 0 0 1 {NUMBER} 680 Tm (1) Tj 100 Tz ET " + at(NUMBER, "900"),
        SEVEN.format(NUMBER + 0.5, NUMBER + 5.5, NUMBER + 2) + at(NUMBER + DIGIT, "00"),
        f"{NUMBER + 2} 680 1 7.9 re f " + at(NUMBER + DIGIT, "00"),
        at(NUMBER, "900") + f"1 g {NUMBER + 3} 678 4 11 re f 0 g",
        at(NUMBER, "900") + f"1 g {NUMBER} 678 {DIGIT} 5.5 re f 0 g",
        f"q {NUMBER} 684 60 20 re W n {at(NUMBER, '9')} Q " + at(NUMBER + DIGIT, "00"),
        at(NUMBER, "100") + f"{NUMBER + 0.2} 687 2.5 .9 re f ",
        at(NUMBER, "900") + f"1 0 0 RG {NUMBER} 679 m {NUMBER + 6} 689 l S 0 G",
        f"BT /F1 11 Tf -1 0 0 -1 {NUMBER + DIGIT} 687.5 Tm (9) Tj ET " + at(NUMBER + DIGIT, "00"),
        f"BT /F1 11 Tf -1 0 0 1 {NUMBER + DIGIT} 680 Tm (2) Tj ET " + at(NUMBER + DIGIT, "00"),
    ],
    ids=[
        "backwards",
        "over another",
        "squeezed",
        "by pen",
        "as a box",
        "half covered",
        "covered below",
        "half clipped",
        "changed",
        "crossed out",
        "upside down",
        "mirrored",
    ],
)
def test_a_number_is_doubted_whose_digits_are_not_seen_as_they_are_stored(drawn):
    _, marks, _ = read_page(at(LEFT, BEFORE) + drawn + at(NUMBER + 3 * DIGIT + 6, AFTER))
    assert marks & {"differs", "hidden"}


@pytest.mark.parametrize(
    "added",
    [
        annotation("FreeText", [NUMBER, 676, NUMBER + 8, 692], **{"/Contents": "1"}),
        annotation("FreeText", [RIGHT + 2, 676, RIGHT + 90, 692], **{"/Contents": "except mine"}),
        annotation(
            "Widget", [NUMBER, 676, NUMBER + 8, 692], **{"/FT": "/Tx", "/T": "n", "/V": "1"}
        ),
    ],
    ids=["digit", "words", "field"],
)
def test_what_is_typed_into_a_line_is_told_of_its_rule(added):
    drawn = at(LEFT, BEFORE) + at(NUMBER + 9, "600" + AFTER)
    assert read_page(drawn, [added])[1] == {"differs"}


@pytest.mark.parametrize(
    "beside",
    [
        f"1 0 0 RG {NUMBER - 0.3} 678.5 {3 * DIGIT + 0.6} 10 re S 0 G",
        f"100 682 3 3 re f {RIGHT + 9} 672 m {RIGHT + 9} 692 l S",
        f"{LEFT} 678.6 m {RIGHT} 678.6 l S",
        "100 672 460 .5 re f 100 693 460 .5 re f 100 672 .5 21 re f 106 678 .5 10 re f",
        f"BT /F1 11 Tf 1 0 0 1 110.4 680 Tm ({RULE}) Tj ET",
    ],
    ids=["box around a number", "bullet and bar", "underline", "table", "bold by two prints"],
)
def test_what_is_drawn_beside_print_is_told_nothing_of(beside):
    assert read_page(show() + beside)[:2] == (RULE, set())


X = "1 0 0 RG 2 w 2 2 m 298 48 l S 2 48 m 298 2 l S"
BOX = [108, 646, 408, 696]


@pytest.mark.parametrize(
    ("drawn", "annotations"),
    [
        ("1 w 110 694 m 200 690 300 660 406 648 c S 110 648 m 200 652 300 682 406 694 c S", []),
        (f"BT /F1 58 Tf 7 0 0 1 {LEFT} 650 Tm (X) Tj ET", []),
        (
            "",
            [
                annotation(
                    "Stamp",
                    BOX,
                    **{"/AP": {"/N": Stream(X, {"/Subtype": "/Form", "/BBox": [0, 0, 300, 50]})}},
                )
            ],
        ),
        (
            "",
            [
                annotation(
                    "Ink",
                    BOX,
                    **{
                        "/C": [1, 0, 0],
                        "/InkList": [[110, 648, 406, 694], [110, 694, 406, 648]],
                    },
                )
            ],
        ),
    ],
    ids=["curves", "printed", "stamp", "ink"],
)
def test_a_cross_of_any_kind_deletes_all_its_lines(drawn, annotations):
    assert read_page(THREE_LINES + drawn, annotations)[:2] == ("", {"deleted"})


@pytest.mark.parametrize(
    ("stroke", "font"),
    [
        (show("-\\226\\227" * 11), LATIN),
        (at(LEFT, " " * 50, "F9", y=683), type3_font("0 0 500 60 re f", " ")),
        (f"BT /F9 300 Tf 1 0 0 .04 {LEFT} 683 Tm ( ) Tj ET", type3_font("0 0 900 60 re f", " ")),
    ],
    ids=["mixed dashes", "blanks with a line", "one blank with a line"],
)
def test_a_line_of_signs_or_inked_blanks_deletes(stroke, font):
    text, marks, _ = read_page(show() + stroke, Font={"/F1": LATIN, "/F9": font})
    assert ("900" in text, "deleted" in marks) == (False, True)


def test_letters_with_a_line_through_their_glyphs_are_deleted():
    glyph = "0 0 80 700 re f 420 0 80 700 re f -20 300 540 60 re f"
    text, marks, _ = read_page(show(font="F9"), Font={"/F9": type3_font(glyph, RULE)})
    assert ("900" in text, marks) == (False, {"deleted"})


def test_a_strike_in_a_layer_that_is_off_deletes_nothing():
    layer = {"/Type": "/OCG", "/Name": "review"}
    for state, expected in (("/OFF", RULE), ("/ON", "")):
        strike = annotation(
            "StrikeOut",
            [105, 670, 540, 695],
            **{"/QuadPoints": [110, 690, 386, 690, 110, 677, 386, 677], "/C": [1, 0, 0]},
        )
        assert read_page(show(), [strike], layer=(layer, state))[0] == expected


@pytest.mark.parametrize(
    ("drawn", "cover"),
    [
        (
            "",
            annotation(
                "Polygon",
                [105, 672, 540, 692],
                **{
                    "/Vertices": [105, 672, 540, 672, 540, 692, 105, 692],
                    "/IC": [1, 1, 1],
                    "/C": [1, 1, 1],
                },
            ),
        ),
        ("", annotation("FreeText", [105, 672, 560, 692], **{"/Contents": " ", "/C": [1, 1, 1]})),
        ("/Pale gs 1 g 105 672 480 20 re f", None),
        (
            "",
            annotation(
                "Line",
                [105, 684, 540, 684],
                **{"/L": [105, 684, 540, 684], "/C": [1, 1, 1], "/BS": {"/W": 16}},
            ),
        ),
    ],
    ids=["polygon", "typed blank", "nearly white", "broad line"],
)
def test_what_hides_or_nearly_hides_a_rule_takes_it_out_of_force(drawn, cover):
    graphics = {"/Pale": {"/ca": 0.87}}
    annotations = [cover] if cover else []
    text, marks, _ = read_page(show() + drawn, annotations, ExtGState=graphics)
    assert ("900" in text, "hidden" in marks) == (False, True)


def test_other_words_printed_over_a_rule_leave_neither_in_force():
    text, marks, _ = read_page(show() + show("XMWHKEB XQWMHK BRTWMX KHEMWQ BXMRWH KMXEWB QHM"))
    assert ("900" in text, marks) == (False, {"differs"})
