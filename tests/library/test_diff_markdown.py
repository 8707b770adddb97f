"""Words that stand out as Markdown, without a page."""

from core.language import ENGLISH
from core.library import ComparisonText
from core.library.types import DiffSegment


def test_words_that_look_like_markdown_stay_words():
    pieces = (
        DiffSegment("same", "Cars **"),
        DiffSegment("deleted", "may"),
        DiffSegment("inserted", "must "),
        DiffSegment("same", "** run [x](y)\nand "),
        DiffSegment("inserted", ":red[stop] <b>"),
    )
    assert (
        ComparisonText(ENGLISH).format_side(pieces, "deleted", True)
        == r"Cars \*\*:red-background[~~may~~]\*\* run \[x\]\(y\)" + "  \nand "
    )
    after = ComparisonText(ENGLISH).format_side(pieces, "inserted", True)
    assert ":green-background[**must**] " in after
    assert r":green-background[**\:red\[stop\] \<b\>**]" in after


def test_long_stretches_alike_are_folded():
    unchanged = " ".join(f"word{number}" for number in range(200))
    pieces = (
        DiffSegment("same", f"{unchanged} "),
        DiffSegment("inserted", "new "),
        DiffSegment("same", unchanged),
    )
    assert (
        ComparisonText(ENGLISH).format_side(pieces, "inserted", False).count("185 unchanged words")
        == 2
    )
    assert "word100 " not in ComparisonText(ENGLISH).format_side(pieces, "inserted", False)
    assert "word100 " in ComparisonText(ENGLISH).format_side(pieces, "inserted", True)
    assert ComparisonText(ENGLISH).format_single(unchanged, False).endswith("80 more words]")


def test_found_words_stand_out_and_what_is_between_is_folded():
    between = " ".join(f"word{number}" for number in range(200))
    runs = ((True, "kart"), (False, f" {between} "), (True, "bumper"))
    shown = ComparisonText(ENGLISH).format_found(runs)
    assert shown.startswith(":orange-background[**kart**]")
    assert shown.endswith(":orange-background[**bumper**]")
    assert "word100 " not in shown
