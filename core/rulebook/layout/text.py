"""The words of spans and lines as text: characters normalized, powers kept, lines joined."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from unicodedata import bidirectional

from core.rulebook.layout.blocks import Cell, Line, Page, Span, State, Table, iter_lines

_SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_BULLETS = frozenset("•▪●○■□◦‣⁃–—-·➢➤✓o")
# Word writes the Symbol font in the private use area, at U+F000 + the font's own code.
_SYMBOL_LETTERS = zip(
    (*range(0xF041, 0xF05B), *range(0xF061, 0xF07B)),
    "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
    strict=True,
)
_SYMBOL_SIGNS = str.maketrans(
    "\uf02b\uf02d\uf03d\uf0a2\uf0a3\uf0a7\uf0b0\uf0b1\uf0b3\uf0b4\uf0b7\uf0b9\uf0bb\uf0d6\uf0d7\uf0d8"
    "\uf0de\uf0e0\uf0e5\uf0fc",
    "+−=′≤▪°±≥×•≠≈√·➢⇒→∑✓",
)
_CHARACTERS: dict[int, int | str] = {
    **dict(_SYMBOL_LETTERS),
    **_SYMBOL_SIGNS,
    **dict.fromkeys((0xA0, *range(0x2000, 0x200B), 0x202F), " "),
    **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00), ""),
    0xB5: "μ",
    **dict.fromkeys((0x2010, 0x2011), "-"),
    **dict(zip(range(0xFB00, 0xFB07), "ff fi fl ffi ffl st st".split(), strict=True)),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}
LIKELY_SPACE, LIKELY_NONE = "\u2005", "\u2006"
"""Blanks of no file (`pdf.glyphs` reads plain ones), for gaps that a document's words decide."""
_LEFT_BLANK = "\0"  # in the place of words in another state that a blank is drawn with
_BEFORE_STOP = re.compile(rf"{_LEFT_BLANK}+(?=[.,;:!?)\]])")
_STOP = re.compile(r"[.,;:](?=\s|$)")
_GAP = re.compile(rf"(\w*)([{LIKELY_SPACE}{LIKELY_NONE}])(?=(\w*))")
_SIGN = re.compile(f"[{LIKELY_SPACE}{LIKELY_NONE}]")
_TOKEN = re.compile(rf"[\w{LIKELY_SPACE}{LIKELY_NONE}]+")
_ENDS_SPLIT = re.compile(r"[^\W\d_][-\u00ad]$")
_WORD = re.compile(r"[^\W\d_]+")
_PARAGRAPH_GAP = 0.6  # of a line's size: lines of one paragraph are nearer to each other


def normalize_characters(text: str) -> str:
    """Spell out ligatures, drop invisible characters, and map odd spaces and Symbol glyphs."""
    return text if text.isascii() else text.translate(_CHARACTERS)


def visible_text(lines: Iterable[Line], separator: str = "\t") -> str:
    """Return what a person sees of lines, struck words too."""
    return separator.join(normalize_characters(line.visible_text) for line in lines)


@lru_cache(maxsize=20_000)
def letters_of(text: str) -> str:
    """Return the letters of a text: each heading is compared with many."""
    return "".join(filter(str.isalpha, text))


def span_text(span: Span) -> str:
    """The text of a span with powers and indices marked: "mm²", "X_F", but "1st"."""
    text = normalize_characters(span.text)
    bare = text.strip()
    if not span.script or not bare:
        return text
    if span.script == "sup":
        raised = bare.translate(_SUPERSCRIPTS)
        has_letters = any(c.isalpha() and c != "ⁿ" for c in raised)
        return text if has_letters else text.replace(bare, raised)
    lowered = bare.translate(_SUBSCRIPTS)
    has_unmapped = any(c.isalnum() and c.isascii() for c in lowered)
    return "_" + text if has_unmapped else text.replace(bare, lowered)


def line_text(line: Line, state: State = "live") -> str:
    """The words of a line in one state, as `spans_text` returns them; cached in the line."""
    text = line.texts.get(state)
    if text is None:
        text = line.texts[state] = spans_text(line.spans, state)
    return text


def spans_text(spans: Iterable[Span], state: State = "live") -> str:
    """The words of spans in one state, white space collapsed; a soft hyphen at the end stays."""
    texts = []
    for span in spans:
        if span.state == state:
            texts.append(span_text(span))
        elif span.text[:1].isspace() or span.text[-1:].isspace():
            texts.append(_LEFT_BLANK)
    text = "".join(texts)
    if _LEFT_BLANK in text:
        text = _BEFORE_STOP.sub("", text).replace(_LEFT_BLANK, " ")
    if "\u00ad" in text:
        text = re.sub(r"\u00ad(?=\S)", "", text)
    return " ".join(text.split())


def join_lines(lines: Iterable[str], is_word: Callable[[str], bool]) -> str:
    """Join the lines of a paragraph; `is_word` tells which split words have a hyphen."""
    joined = ""
    for line in filter(None, lines):
        if _ENDS_SPLIT.search(joined[-2:]) and (first := _WORD.match(line)):
            last = _WORD.findall(joined)[-1]
            joined = joined[:-1] + _hyphen_between(last, first[0], is_word) + line
        else:
            # What is before a stop in its line is struck.
            is_split = joined.endswith(("-", "\u00ad", "/")) and line[0].isalnum()
            gap = "" if not joined or is_split or _STOP.match(line) else " "
            joined += gap + line
    return joined.replace("\u00ad", "-")


def _hyphen_between(last: str, first: str, is_word: Callable[[str], bool]) -> str:
    """The hyphen between two parts of a word, or an empty string if a line end split the word."""
    if is_word(f"{last}-{first}"):
        return "-"
    if is_word(last + first):
        return ""
    return "-" if (is_word(last) and is_word(first)) or not first[0].islower() else ""


def settle_gaps(lines: Sequence[Line]) -> None:
    """Make spaces of doubtful gaps in the lines of a document, or none, in place.

    Such a gap parts two words if the rest of the document has both and not the two as one; it is
    none if the rest has the one word and not both. Else its width decides.
    """
    texts = ["".join(span.text for span in line.spans).casefold() for line in lines]
    printed = "\n".join(texts)
    if not _SIGN.search(printed):
        return
    words = {token for token in set(_TOKEN.findall(printed)) if not _SIGN.search(token)}

    def name_gap(gap: re.Match[str]) -> str:
        before, sign, after = gap.groups()
        both, one = {before, after} <= words, before + after in words
        return " " if (both if both != one else sign == LIKELY_SPACE) else ""

    for line, text in zip(lines, texts, strict=True):
        if _SIGN.search(text):
            _settle_line(line, map(name_gap, _GAP.finditer(text)))


def _settle_line(line: Line, blanks: Iterator[str]) -> None:
    texts = (_SIGN.sub(lambda _: next(blanks), span.text) for span in line.spans)
    spans = zip(line.spans, texts, strict=True)
    line.replace_spans(tuple(span._replace(text=text) for span, text in spans))


def heaviest(weights: Iterable[tuple[float, int]], default: float) -> float:
    """The value with the largest sum of weights, such as the size of most letters."""
    sums: dict[float, int] = {}
    for value, weight in weights:
        sums[value] = sums.get(value, 0) + weight
    return max(sums, key=sums.__getitem__, default=default)


def is_bullet(text: str) -> bool:
    return text in _BULLETS


def is_formula(text: str) -> bool:
    """True for an equation, or for a text with digits and hardly a word."""
    words = [word for word in text.split() if sum(map(str.isalpha, word)) > 2]
    return "=" in text or (len(words) < 2 and any(map(str.isdigit, text)))


def is_right_to_left(text: str) -> bool:
    """True if most letters belong to a script such as Arabic or Hebrew."""
    if text.isascii():
        return False
    kinds = Counter(map(bidirectional, text))
    return kinds["R"] + kinds["AL"] > kinds["L"]


def page_text(page: Page, with_rows: bool = False) -> str:
    """The words in force on a page, a line each; an empty line where more than a line is free.

    With `with_rows` each row of a table is a line: "| cell | cell |".
    """
    texts: list[str] = []
    last: Line | None = None
    for block in page.blocks:
        if with_rows and isinstance(block, Table):
            texts += ["", *map(_row_text, block.rows), ""]
            continue
        for line in iter_lines([block]):
            words = line_text(line)
            if last is not None and words and line.top - last.bottom > _PARAGRAPH_GAP * line.size:
                texts.append("")
            if words:
                texts.append(words)
                last = line
    return "\n".join(texts)


def _row_text(row: Iterable[Cell | None]) -> str:
    cells = (" ".join(map(line_text, cell.lines)) if cell else "" for cell in row)
    return f"| {' | '.join(cells)} |"
