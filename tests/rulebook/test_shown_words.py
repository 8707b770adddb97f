"""Words that no text object paints are in force where the picture of the page shows them."""

from tests.rulebook.drawn_page import HELVETICA, RULE, Stream, read_page, show

BLACK_BOX = "105 672 480 20 re f"
CLIP = f"q BT /F1 11 Tf 7 Tr 1 0 0 1 110 680 Tm ({RULE}) Tj ET"


def tile(text, width, height, matrix=(1, 0, 0, 1, 0, 0)):
    """A pattern that paints a text."""
    fonts = {"/Font": {"/F1": HELVETICA}}
    entries = {"/PatternType": 1, "/PaintType": 1, "/TilingType": 1, "/Matrix": list(matrix)}
    entries |= {"/BBox": [0, 0, width, height], "/XStep": width, "/YStep": height}
    return Stream(text, entries | {"/Resources": fonts})


def test_letters_that_a_box_is_painted_through_are_in_force():
    assert read_page(f"{CLIP} {BLACK_BOX} Q")[:2] == (RULE, set())


def test_letters_that_nothing_is_painted_through_are_not_in_force():
    text, marks, _ = read_page(f"{CLIP} 1 g {BLACK_BOX} Q")
    assert ("900" in text, marks) == (False, {"hidden"})


def test_unpainted_words_under_others_are_not_in_force():
    text, marks, _ = read_page(f"{show(RULE.replace('900', '600'))} q 3 Tr {show()} Q")
    assert ("600" in text, "900" in text, marks) == (True, False, {"hidden"})


def test_words_that_a_pattern_paints_are_in_force():
    page = tile(show(), 595, 842)
    small = tile(f"BT /F1 11 Tf 2 4 Td ({RULE}) Tj ET", 300, 20, (1, 0, 0, 1, 108, 676))
    for pattern in (page, small):
        drawn = f"/Pattern cs /Words scn {BLACK_BOX} 0 g"
        assert read_page(drawn, Pattern={"/Words": pattern})[:2] == (RULE, set())


def test_words_of_a_pattern_that_is_covered_are_not_in_force():
    drawn = f"/Pattern cs /Words scn {BLACK_BOX} 1 g {BLACK_BOX} 0 g"
    text, _, _ = read_page(drawn, Pattern={"/Words": tile(show(), 595, 842)})
    assert "900" not in text
