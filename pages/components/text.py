"""Foreign text made safe for Streamlit's Markdown: rule text, titles, file names, and what a model writes.

An allow-list: everything is escaped, and only the small grammar of `disarmed` is let through again. Whatever
Streamlit learns to draw next stays text here.
"""

import re
from collections.abc import Mapping

from core.sanitize import strip_control_characters

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")

# Measured in the browser: these are turned into links, a logo and arrows after escapes have been resolved, so that
# only a character between their halves keeps them as they are.
_JOINED = re.compile(
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
_MARKER = re.compile(r"\\\[([0-9]{1,4})\\\]")
_DEPTH = 6
"""Markers of blocks within one line; deeper ones stay text (thousands of nested quotes break the page)."""


def escape_markdown(text: str) -> str:
    """One line of foreign text, to stand inside Markdown or a label exactly as it reads."""
    return _escaped(" ".join(strip_control_characters(text).split()))


def sanitize_markdown(markdown: str, addresses: Mapping[int, str] | None = None) -> str:
    """The Markdown of an answer with its paragraphs, headings, quotes, lists, tables, bold, emphasis and code.

    Images, links, HTML, formulas, diagrams and Streamlit's own directives stay as the characters they are written in.
    The markers in `addresses`, and nothing else, become links to the addresses of ours that are given there.
    """
    made = "\n".join(
        _line(line) for line in strip_control_characters(markdown).expandtabs(4).splitlines()
    )
    return _MARKER.sub(lambda found: _linked(found, addresses or {}), made)


def _linked(marker: re.Match[str], addresses: Mapping[int, str]) -> str:
    """An escaped marker as a link. What stands around it is escaped, so that it can't be made part of another."""
    address = addresses.get(int(marker[1]))
    return f"[{marker[0]}]({address})" if address else marker[0]


def _escaped(text: str) -> str:
    """Joiners go in before the escapes: they are found between characters that the escapes would part."""
    return _PUNCTUATION.sub(r"\\\1", _JOINED.sub(_WORD_JOINER, text))


def _line(line: str) -> str:
    head, rest = _block_marks(line)
    if "|" in rest and _RULE.fullmatch(rest.strip()):
        return head + rest.strip()
    if rest.lstrip().startswith("|"):
        return head + "|".join(_inline(cell) for cell in _CELL.split(rest.strip()))
    return head + _inline(rest)


def _block_marks(line: str) -> tuple[str, str]:
    """The quote, list and heading marks that a line opens with, and what comes after them."""
    head, rest = "", line
    for _ in range(_DEPTH):
        mark = _BLOCK.match(rest)
        if mark is None:
            break
        head += f"{mark['indent']}{mark['mark']} "
        rest = rest[mark.end() :]
        if mark["mark"].startswith("#"):
            break
    return head, rest.lstrip() if head or len(rest) - len(rest.lstrip()) > 3 else rest


def _inline(text: str) -> str:
    done, words, end = "", "", 0
    for match in _INLINE.finditer(text):
        words += text[end : match.start()]
        end = match.end()
        if match.lastgroup == "escaped":
            words += match[
                "escaped"
            ]  # escaped anew with what stands around it: `http\\://` is an address too
        else:
            done, words = done + _escaped(words) + _styled(match), ""
    return done + _escaped(words + text[end:])


def _styled(match: re.Match[str]) -> str:
    match match.lastgroup:
        case "code":
            return f"`{match['code']}`"
        case "bold":
            return f"**{_escaped(match['bold'])}**"
        case _:
            return f"*{_escaped(match['emphasis'])}*"
