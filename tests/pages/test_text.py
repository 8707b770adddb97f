"""Foreign text on the page: what it may look like, and what it never becomes.

What Streamlit's own renderer makes of these strings is looked at in tests/browser.
"""

import re

import pytest

from pages.components.text import disarmed, plain

NASTY = [
    "![x](http://evil.example/x.png)",
    "![x][ref]\n\n[ref]: http://evil.example/x.png",
    "[click](http://evil.example)",
    "<http://evil.example>",
    "http://evil.example/path?x=1",
    "HTTPS://evil.example",
    "www.evil.example",
    "someone@evil.example",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "&lt;b&gt; &#65;",
    ":red[hot] :red-background[Answered] :green-badge[Answered]",
    ":material/home: :streamlit: :tada:",
    ":shimmer[Working]",
    "$x^2$ and $$y$$",
    "```mermaid\ngraph TD; A@{ img: 'http://evil.example/x.png' }\n```",
    "~~struck~~",
    "[^1] and [^1]: a note",
    "a -> b <- c -- d >= e",
    "\\![x](http://evil.example)",
    "**[click](http://evil.example)**",
    "`code` and **![x](http://evil.example)**",
    "| ![x](http://evil.example) | :red[hot] |\n|---|---|\n| <b> | $x$ |",
    "> ![x](http://evil.example)",
    "1. :red[hot]",
    "# [click](http://evil.example)",
]


def unescaped(markdown: str) -> str:
    """What is left for Markdown to act on: escapes and code taken out."""
    return re.sub(r"\\[!-/:-@\[-`{-~]|`[^`\n]+`", "·", markdown)


def read(markdown: str) -> str:
    """Escaped text as a reader sees it."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace("\u2060", "")


@pytest.mark.parametrize("text", NASTY)
def test_plain_leaves_markdown_nothing_to_act_on(text):
    assert not re.search(r"[!-/:-@\[-`{-~]", unescaped(plain(text)))


@pytest.mark.parametrize("text", NASTY)
def test_plain_reads_as_it_was_written(text):
    assert read(plain(text)) == " ".join(text.split())


@pytest.mark.parametrize("text", NASTY)
def test_an_answer_keeps_no_sign_but_those_of_its_own_grammar(text):
    assert not re.search(r"[!<\[\]()$~:@&^{}]", re.sub(r"(?m)^[ |:-]+$", "", unescaped(disarmed(text))))


@pytest.mark.parametrize("address", ["http://evil.example", "www.evil.example", "a@evil.example"])
def test_addresses_are_broken_where_they_would_become_links(address):
    for made in (plain(address), disarmed(address)):
        assert not re.search(r"https?://|www\.|\w@\w", made.replace("\\", ""))


def test_the_structure_of_an_answer_stays():
    answer = "\n".join(
        (
            "## Pit lane",
            "",
            "> “The limit is **60 km/h**.” [1]",
            ">",
            "> Article 34.7",
            "",
            "- one",
            "  - two, *slanted*",
            "1. first",
            "",
            "| Season | Limit |",
            "|---|:-:|",
            "| 2023 | `60` |",
        )
    )
    lines = disarmed(answer).splitlines()
    assert lines[0] == "## Pit lane"
    assert lines[2] == "> “The limit is **60 km\\/h**\\.” \\[1\\]"
    assert lines[3] == "> "
    assert lines[6:9] == ["- one", "  - two\\, *slanted*", "1. first"]
    assert lines[11] == "|---|:-:|"
    assert lines[12] == "| 2023 | `60` |"


def test_a_marker_stays_visible():
    assert read(disarmed("“Quote” [1] and [12]")) == "“Quote” [1] and [12]"


def test_rule_text_keeps_its_underlines_and_brackets():
    assert read(disarmed("Rule 3.2.1(a)_b_ applies")) == "Rule 3.2.1(a)_b_ applies"


def test_thousands_of_nested_quotes_are_text():
    assert disarmed(">" * 3000).count("\\>") > 2900


def test_what_turns_the_direction_of_writing_is_taken_out():
    assert plain("safe\u202eexe.pdf\x00\x07") == "safeexe\\.pdf"


def test_plain_is_one_line():
    assert plain("one\n# two\n\n- three") == "one \\# two \\- three"
