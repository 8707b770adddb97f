"""What a page shows is in force, what it does not show is not, and a difference is told."""

import pytest

pytest.importorskip("reportlab", reason="reportlab, which measures print, is not installed")
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.rulebook.drawn_page import (
    HELVETICA,
    LEFT,
    RIGHT,
    RULE,
    Stream,
    line_annotation,
    read_page,
    read_pages,
    show,
    type3_font,
    unicode_map,
)


def test_a_page_that_shows_its_rule_is_told_nothing_of():
    text, marks, told = read_page(show())
    assert text == RULE
    assert not marks
    assert not told & {"hidden_text", "page_differs", "page_limit"}


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


def test_a_number_typed_over_a_cover_stands_where_it_is_seen():
    start = LEFT + stringWidth(RULE[: RULE.index("900")], "Helvetica", 11)
    width = stringWidth("900", "Helvetica", 11)
    cover = f"1 g {start} 676 {width} 14 re f 0 g"
    text, marks, _ = read_page(f"{show()} {cover} BT /F1 11 Tf {start} 680 Td (600) Tj ET")
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


def test_the_same_words_in_the_same_place_are_judged_by_what_each_page_shows():
    pale = f"0.95 g {show()} 0 g"
    dark, light = (f"{shade} g 105 660 480 40 re f {pale}" for shade in (0.2, 1))
    assert read_pages(dark, light, dark, light) == [RULE, "", RULE, ""]


def test_words_that_are_hidden_on_one_page_are_in_force_where_another_shows_them():
    grey = f"0.75 g {show()} 0 g"
    clipped = f"q 0 0 10 10 re W n {show(font='F2')} Q {grey}"
    assert read_pages(clipped, grey)[1] == RULE
    assert read_pages(grey, clipped)[0] == RULE


def test_print_that_is_too_faint_to_be_read_is_not_in_force():
    text, marks, told = read_page(f"0.87 g {show()} 0 g")
    assert ("900" in text, marks, "hidden_text" in told) == (False, {"hidden"}, True)


def test_a_shadow_and_a_large_word_behind_print_are_told_nothing_of():
    shadow = "BT /F1 11 Tf 1 0 0 1 111.2 678.8 Tm"
    words = f"0.9 g BT /F1 130 Tf 90 560 Td (DRAFT) Tj ET 0.8 g {shadow} ({RULE}) Tj ET 0 g "
    assert read_page(words + show())[:2] == (RULE, set())


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


def test_a_digit_that_looks_nearly_like_its_own_is_told():
    chars = {code: chr(code) for code in range(32, 127)} | {ord("3"): "8"}
    lying = HELVETICA | {"/ToUnicode": unicode_map(chars)}
    text, marks, _ = read_page(show(RULE.replace("900", "300"), "F9"), Font={"/F9": lying})
    assert ("800" in text, marks) == (False, {"differs"})


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


@pytest.mark.parametrize(("shown", "stored"), [(".", ","), (",", ".")])
def test_a_full_stop_that_a_font_calls_a_comma_is_told_in_a_number(shown, stored):
    chars = {code: chr(code) for code in range(32, 127)} | {ord(shown): stored}
    lying = HELVETICA | {"/ToUnicode": unicode_map(chars)}
    drawn = show(RULE.replace("900", f"10{shown}000"), font="F9")
    text, marks, told = read_page(drawn, Font={"/F9": lying})
    assert (marks, "page_differs" in told) == ({"differs"}, True)
    assert text.startswith(RULE[: RULE.index("900")])


def test_a_word_that_a_font_calls_another_is_not_in_force():
    chars = {code: chr(code) for code in range(32, 127)} | {ord("u"): "a", ord("s"): "y"}
    lying = HELVETICA | {"/ToUnicode": unicode_map(chars)}
    before, after = RULE.split("must")
    at = LEFT + stringWidth(before, "Helvetica", 11)
    behind = at + stringWidth("must", "Helvetica", 11)
    parts = ((LEFT, before, "F1"), (at, "must", "F9"), (behind, after, "F1"))
    drawn = "".join(
        f"BT /{font} 11 Tf 1 0 0 1 {x} 680 Tm ({text}) Tj ET " for x, text, font in parts
    )
    text, marks, _ = read_page(drawn, Font={"/F9": lying})
    assert ("mayt" in text, marks) == (False, {"differs"})


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
        show("- " * 38),
        "".join(f"BT /F1 11 Tf 1 0 0 1 {x} 680 Tm (\\227) Tj ET " for x in range(LEFT, RIGHT, 11)),
    ],
    ids=["slanted", "thick", "dashed", "wavy", "raised underscores", "hyphens", "dashes"],
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


@pytest.mark.parametrize(
    "stroke",
    ["{} 678 m {} 690 l S", "{} 684 m 303 688 307 679 {} 684 c S"],
    ids=["slash", "wave"],
)
def test_a_stroke_through_a_number_deletes_that_alone(stroke):
    start = LEFT + stringWidth(RULE[: RULE.index("900")], "Helvetica", 11)
    end = start + stringWidth("900", "Helvetica", 11)
    text, marks, _ = read_page(show() + "1 0 0 RG " + stroke.format(start - 1, end + 1))
    assert (text, marks) == (RULE.replace("900 ", ""), {"deleted"})


@pytest.mark.parametrize(
    "background",
    [
        "".join(f"60 {y} m 540 {y + 30} l S " for y in range(560, 760, 25)),
        "0.7 0.9 0.8 rg " + "".join(f"{x} 660 {x % 7} 40 re f " for x in range(105, 540, 9)),
    ],
    ids=["slanted lines", "stripes"],
)
def test_a_drawing_behind_print_deletes_nothing(background):
    text, marks, told = read_page(f"q 0.85 G 0.6 w {background} Q {show()}")
    assert (text, marks, "hidden_text" in told) == (RULE, set(), False)


@pytest.mark.slow
def test_print_behind_more_shapes_than_are_looked_at_is_in_force():
    specks = "".join(f"{20 + index % 500} 20 0.3 0.3 re f " for index in range(50_001))
    text, _, told = read_page(specks + show())
    assert (text, "page_limit" in told) == (RULE, True)


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
