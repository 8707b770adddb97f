"""Foreign text made safe for Streamlit's Markdown: rule text, titles, file names, model output.

An allow-list: everything is escaped except the small grammar of `sanitize_markdown`. Syntax that
Streamlit adds later therefore stays text.
"""

import re
from collections.abc import Iterator
from itertools import groupby

from core.sanitize import strip_control_characters

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
ESCAPED = re.compile(rf"\\{_PUNCTUATION.pattern}")
"""An escaped sign; its group is the sign."""

# Measured in the browser: Streamlit turns these into links, a logo and arrows after it has resolved
# escapes. Only a character between their halves prevents it.
_UNJOINED = re.compile(
    r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=\w)|(?<=:)(?=streamlit:)|(?<=[-<>~])(?=[->=])", re.I
)
_WORD_JOINER = "\u2060"

_INLINE = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?<!`)`(?P<code>[^`\n]+)`(?!`)"
    r"|\*\*(?=\S)(?P<bold>(?:(?!\*\*)[^\n])+)(?<=\S)\*\*"
    r"|(?<![\w*])\*(?=[^\s*])(?P<emphasis>[^*\n]+)(?<=\S)\*(?![\w*])"
)
_BLOCK = re.compile(
    r"(?P<indent> {0,9})(?P<mark>>|[-*+](?= )|\d{1,9}[.)](?= )|#{1,6}(?= ))(?P<space> ?)"
)
_RULE = re.compile(r"\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?")
_CELL = re.compile(r"(?<!\\)\|")
_LABEL = re.compile(r"\*\*(.+?):?\*\*")
_ICON = re.compile(r":material/(\w+):")
_SIGNS = {"check": "+", "close": "–", "question_mark": "?", "warning": "!"}
_COLORED = re.compile(r":[a-z]+(?:-[a-z]+)?\[((?:\\.|[^\[\]\\])*)\]")
_DEPTH = 6
"""Block marks in one line. Deeper ones stay text: thousands of nested quotes break the page."""


def escape_markdown(text: str) -> str:
    """Escape foreign text as one line that reads the same in Markdown and labels."""
    return _escape(" ".join(strip_control_characters(text).split()))


def style_text(text: str, style: str) -> str:
    """Format foreign text as Markdown in a style ("**{}**"), words and lines exactly as written."""
    lines = []
    for line in text.split("\n"):
        words = escape_markdown(line)
        if words:
            before, after = (" " * edge.isspace() for edge in (line[0], line[-1]))
            lines.append(f"{before}{style.format(words)}{after}")
        else:
            lines.append(" " if line else "")
    return "  \n".join(lines)


def strip_marks(line: str) -> str:
    """Return a line of the program's own Markdown as plain text, with signs in place of icons."""
    plain = _LABEL.sub(r"\1:", _ICON.sub(lambda icon: _SIGNS.get(icon[1], ""), line))
    while (shorter := _COLORED.sub(r"\1", plain)) != plain:
        plain = shorter
    return ESCAPED.sub(r"\1", plain).strip()


def sanitize_markdown(markdown: str) -> str:
    """Sanitize an answer: keep paragraphs, headings, quotes, lists, tables, bold, emphasis, code.

    Images, links, HTML, formulas, diagrams and Streamlit's directives become literal text.
    """
    lines = strip_control_characters(markdown).expandtabs(4).splitlines()
    return "\n".join(map(_sanitize_line, lines))


def _escape(text: str) -> str:
    # Joiners first: they go between characters that the escapes would separate.
    return _PUNCTUATION.sub(r"\\\1", _UNJOINED.sub(_WORD_JOINER, text))


def _sanitize_line(line: str) -> str:
    head, rest = _split_block_marks(line)
    if "|" in rest and _RULE.fullmatch(rest.strip()):
        return head + rest.strip()
    if rest.lstrip().startswith("|"):
        return head + "|".join(_sanitize_inline(cell) for cell in _CELL.split(rest.strip()))
    return head + _sanitize_inline(rest)


def _split_block_marks(line: str) -> tuple[str, str]:
    """The quote, list and heading marks at the start of a line, and the rest of it."""
    head, rest = "", line
    for _ in range(_DEPTH):
        if not (mark := _BLOCK.match(rest)):
            break
        head += f"{mark['indent']}{mark['mark']} "
        rest = rest[mark.end() :]
        if mark["mark"].startswith("#"):
            break
    return head, rest.lstrip() if head or len(rest) - len(rest.lstrip()) > 3 else rest


def _sanitize_inline(text: str) -> str:
    done, words, end = "", "", 0
    for match in _INLINE.finditer(text):
        words += text[end : match.start()]
        end = match.end()
        if match.lastgroup == "escaped":
            # Escaped again with its surroundings: `http\\://` is an address too.
            words += match["escaped"]
        else:
            done, words = done + _escape(words) + _format_inline(match), ""
    return done + _escape(words + text[end:])


def _format_inline(match: re.Match[str]) -> str:
    match match.lastgroup:
        case "code":
            return f"`{match['code']}`"
        case "bold":
            return f"**{_escape(match['bold'])}**"
        case _:
            return f"*{_escape(match['emphasis'])}*"


def split_blocks(text: str, mark: str) -> Iterator[tuple[bool, str]]:
    """Split a text into runs of lines that do (True) or do not (False) begin with a mark."""
    for is_marked, lines in groupby(text.splitlines(), key=lambda line: line.startswith(mark)):
        yield is_marked, "\n".join(lines)
