"""The words of spans and lines as text: odd characters put right, powers and indices kept, lines joined."""

import re
from collections.abc import Callable, Iterable

from core.rulebook.layout.blocks import Line, Span, State

_SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_BULLETS = "•▪●○■□◦‣⁃–—-·➢➤✓"

# Private-use code points of the Symbol font, as Word writes them: U+F000 + the font's own code.
_SYMBOL_GREEK = dict(
    zip(
        range(0xF041, 0xF05B),
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ",
        strict=True,
    )
) | dict(zip(range(0xF061, 0xF07B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True))
_SYMBOL_SIGNS = {
    0xF0A3: "≤",
    0xF0B0: "°",
    0xF0B1: "±",
    0xF0B3: "≥",
    0xF0B4: "×",
    0xF0B9: "≠",
    0xF0BB: "≈",
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF0D8: "➢",
    0xF0FC: "✓",
    0xF02D: "−",
    0xF02B: "+",
    0xF03D: "=",
    0xF0DE: "⇒",
    0xF0E0: "→",
    0xF0D7: "·",
    0xF0A2: "′",
    0xF0E5: "∑",
    0xF0D6: "√",
}
_CHARACTERS = str.maketrans(
    {
        **_SYMBOL_GREEK,
        **_SYMBOL_SIGNS,
        **dict.fromkeys(range(0x2000, 0x200B), " "),
        **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00), ""),
        0xA0: " ",
        0x202F: " ",
        0xB5: "μ",
        0xFB00: "ff",
        0xFB01: "fi",
        0xFB02: "fl",
        0xFB03: "ffi",
        0xFB04: "ffl",
        0xFB05: "st",
        0xFB06: "st",
        0x2010: "-",
        0x2011: "-",
        **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    }
)
_HYPHENS = ("-", "\u00ad")
_ENDS_SPLIT = re.compile(r"[^\W\d_][-\u00ad]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def normalize_characters(text: str) -> str:
    """`text` with compatibility ligatures spelt out, odd spaces and invisible characters gone, Symbol glyphs mapped."""
    return text if text.isascii() else text.translate(_CHARACTERS)


def span_text(span: Span) -> str:
    """A span's words, powers and indices in a form that keeps their meaning: "mm²", "X_F", but "1st"."""
    text = normalize_characters(span.text)
    bare = text.strip()
    if not span.script or not bare:
        return text
    if span.script == "sup":
        raised = bare.translate(_SUPERSCRIPTS)
        return (
            text
            if any(c.isalpha() and c not in "ⁿ" for c in raised)
            else text.replace(bare, raised)
        )
    lowered = bare.translate(_SUBSCRIPTS)
    return (
        text.replace(bare, lowered)
        if not any(c.isalnum() and c.isascii() for c in lowered)
        else "_" + text
    )


def line_text(line: Line, state: State = "live") -> str:
    """The words of a line in one state, blanks collapsed; a soft hyphen at its end stays for `joined` to judge."""
    kept = line.texts.get(state)
    if kept is None:
        kept = line.texts[state] = spans_text(line.spans, state)
    return kept


def spans_text(spans: Iterable[Span], state: State = "live") -> str:
    """The words of some spans in one state, as `line_text` gives those of a line."""
    text = "".join(span_text(span) if span.state == state else _gap(span) for span in spans)
    if "\u00ad" in text:
        text = re.sub(r"\u00ad(?=\S)", "", text)
    return " ".join(text.split())


def _gap(span: Span) -> str:
    return " " if span.text[:1].isspace() or span.text[-1:].isspace() else ""


def join_lines(lines: Iterable[str], is_word: Callable[[str], bool]) -> str:
    """The lines of one paragraph as one line; words that were split at line ends are whole again.

    A hyphen stays where the word is written with one ("drive-through"): `is_word` knows the document's words.
    """
    whole = ""
    for line in lines:
        if not line:
            continue
        if _ENDS_SPLIT.search(whole) and (first := _FIRST_WORD.match(line)):
            whole = _mended(whole, first[0], is_word) + line
        elif whole.endswith(_HYPHENS) or whole.endswith("/"):
            whole = whole.replace("\u00ad", "-") + line if line[:1].isalnum() else f"{whole} {line}"
        else:
            whole = f"{whole} {line}" if whole else line
    return whole.replace("\u00ad", "-")


def _mended(whole: str, first: str, is_word: Callable[[str], bool]) -> str:
    last = re.findall(r"[^\W\d_]+", whole)[-1]
    bare, hyphenated = whole[:-1], whole[:-1] + "-"
    if is_word(f"{last}-{first}"):
        return hyphenated
    if is_word(last + first):
        return bare
    both = is_word(last) and is_word(first)
    return hyphenated if both or not first[0].islower() else bare


def is_bullet(text: str) -> bool:
    """True for a mark of a list without order."""
    return len(text) == 1 and (text in _BULLETS or text == "o")
