"""Foreign text on a page stays text. tests/browser checks Streamlit's own rendering of it."""

import re
from time import process_time

import pytest
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.markdown_escape import escape_markdown, sanitize_markdown, strip_marks

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
    """The text without escapes and code, which Markdown does not act on."""
    return re.sub(r"\\[!-/:-@\[-`{-~]|`[^`\n]+`", "·", markdown)


def read(markdown: str) -> str:
    """Escaped text as a reader sees it."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace("\u2060", "")


@pytest.mark.parametrize("address", ["http://evil.example", "www.evil.example", "a@evil.example"])
def test_addresses_are_broken_where_they_would_become_links(address):
    for made in (escape_markdown(address), sanitize_markdown(address)):
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
    lines = sanitize_markdown(answer).splitlines()
    assert lines[0] == "## Pit lane"
    assert lines[2] == "> “The limit is **60 km\\/h**\\.” \\[1\\]"
    assert lines[3] == "> "
    assert lines[6:9] == ["- one", "  - two\\, *slanted*", "1. first"]
    assert lines[11] == "|---|:-:|"
    assert lines[12] == "| 2023 | `60` |"


def test_a_marker_stays_visible():
    assert read(sanitize_markdown("“Quote” [1] and [12]")) == "“Quote” [1] and [12]"


def test_rule_text_keeps_its_underlines_and_brackets():
    assert read(sanitize_markdown("Rule 3.2.1(a)_b_ applies")) == "Rule 3.2.1(a)_b_ applies"


def test_thousands_of_nested_quotes_are_text():
    assert sanitize_markdown(">" * 3000).count("\\>") > 2900


def test_what_turns_the_direction_of_writing_is_taken_out():
    assert escape_markdown("safe\u202eexe.pdf\x00\x07") == "safeexe\\.pdf"


def test_plain_is_one_line():
    assert escape_markdown("one\n# two\n\n- three") == "one \\# two \\- three"


def test_an_escape_does_not_part_an_address_or_a_directive():
    for text, live in (
        ("http\\://evil.example", "http://"),
        ("\\:streamlit:", ":streamlit:"),
        ("www\\.x.example", "www."),
    ):
        assert live not in sanitize_markdown(text).replace("\\", "")


def least_time(text):
    """Processor seconds to sanitize a text, the least of three measurements."""
    times = []
    for _ in range(3):
        began = process_time()
        sanitize_markdown(text)
        times.append(process_time() - began)
    return min(times)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["**a ", "**a** ", "*a ", "`a ", "[1] ", "***", "\\*", "| - ", "> 1. "]
)
def test_a_long_line_of_open_marks_holds_nobody_up(piece):
    """Time grows with the length of a line; searching for an end at each mark made it quadratic."""
    short, long = (least_time(piece * (size // len(piece))) for size in (16_000, 128_000))
    assert long < 25 * short


def test_two_opening_marks_make_no_bold_of_all_between():
    assert sanitize_markdown("**a **b** c") == "\\*\\*a **b** c"


PIECES = [
    *NASTY,
    *"![]()<>`*_~#:|$\\-+.=^{}@&;\"'/\n\t ",
    *"![ ]( https:// www. a@b.example &#65; ``` ~~~ $$ :red[ ::: ** -> word <!--".split(),
    *(
        "javascript:",
        "[r]: ",
        "|---|\n",
        "- ",
        "1. ",
        "> ",
        "    ",
        "Rule 3.2.1(a)_b_",
        "\\\n",
        "\u2028",
    ),
]
anything = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=12).map("".join)
RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
LIVE = {"image", "link_open", "html_inline", "html_block", "s_open", "fence"}


def tokens(markdown: str) -> list[Token]:
    return [
        inner for token in RENDERER.parse(markdown) for inner in (token, *(token.children or ()))
    ]


def drawn(markdown: str) -> str:
    """The words that a reader is shown."""
    kinds = ("text", "code_inline", "code_block", "text_special")
    text = "".join(token.content for token in tokens(markdown) if token.type in kinds)
    return text.replace("\u2060", "")


def only_letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def stays_text(markdown: str) -> bool:
    """True where nothing is left to fetch, to click or to draw as something else."""
    live = {token.type for token in tokens(markdown)} & LIVE
    texts = [token.content for token in tokens(markdown) if token.type == "text"]
    return not live and not [
        text for text in texts if re.search(r"https?://|www\.|[\w.+-]@\w|:streamlit:", text, re.I)
    ]


def plain_is_harmless(text: str) -> None:
    made = escape_markdown(text)
    assert stays_text(made)
    assert only_letters(drawn(made)) == only_letters(text)
    assert not re.search(r"[!-/:-@\[-`{-~]", unescaped(made))


def answer_is_harmless(text: str) -> None:
    made = sanitize_markdown(text)
    assert stays_text(made)
    if "|" not in text:  # Markdown drops the cells of a row that its header does not have
        assert only_letters(drawn(made)) == only_letters(text)
    assert not re.search(r"[!<\[\]()$~:@&^{}]", re.sub(r"(?m)^[ >|:-]+$", "", unescaped(made)))


def test_planted_texts_read_as_they_were_written_and_do_nothing():
    for text in NASTY:
        plain_is_harmless(text)
        answer_is_harmless(text)
        assert read(escape_markdown(text)) == " ".join(text.split())


@pytest.mark.slow
@given(anything)
def test_any_text_made_plain_reads_as_it_is_and_does_nothing(text):
    plain_is_harmless(text)


@pytest.mark.slow
@given(anything)
def test_any_answer_disarmed_keeps_its_words_and_does_nothing(text):
    answer_is_harmless(text)


def test_no_marker_and_no_address_becomes_a_link():
    for wrapped in (
        "So it is [1].",
        "[1](http://evil.example/x)",
        "[1]: http://x.example/",
        "\\[1]",
    ):
        assert not re.search(r"(?<!\\)\]\(", sanitize_markdown(wrapped))


def test_a_line_of_the_reasoning_is_plain_text_without_its_marks():
    words = "a] :red[b] **c**"
    line = f":small[:red[:material/close:] **Check** {escape_markdown(words)}]"
    assert strip_marks(line).replace("\u2060", "") == f"– Check: {words}"
