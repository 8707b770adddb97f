"""Read article numbers: their canonical form, their lettered parts, and citations in a text.

Knows no document: whether a number exists is up to the library.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from core.grammar.quantities import has_unit_behind

_WORD = r"(?i:articles?|arts?\b\.?|rules?|clauses?|sub-?clauses?|sections?|sentences?|§{1,2})"
_LEAD = re.compile(rf"^\s*{_WORD}\s*(?=[A-Za-z]{{0,3}}\.?\s?\d)")
_CODE = re.compile(r"^([A-Z]{1,3}) (?=\d)")  # "T 1.2.2"
_PART = (
    r"(?:\s?\((?:[a-z]{1,2}|[ivx]{1,5})\)|\s?(?:[a-z]{1,2}|[ivx]{1,5})\)|(?<=\d)[a-z](?![\w.(]))"
)
_BRACKETED = r"(?:\.?\(\d{1,3}\))"
_LETTERED = r"\.[a-z](?:\.[ivx]+)?(?![a-z])"  # 11.9.1.a.ii
_NUMBER = (
    r"(?:[A-Za-z]{1,3}\.|[A-Z]{1,3} )?[A-Za-z]?\d{1,4}[A-Z]?(?:\.\d{1,4}[A-Z]?)*"
    rf"{_BRACKETED}*"
    rf"(?:(?<=\.\d){_LETTERED}|(?<=\.\d\d){_LETTERED})?"
)
_UNMISTAKABLE = (
    r"[A-Z] \d{1,3}(?:\.\d{1,3}){2,}|[A-Z]{2,3} \d{1,3}(?:\.\d{1,3})+|"
    r"[A-Za-z]\d{1,3}(?:\.\d{1,3})+|[A-Za-z]{1,3}\.\d{1,3}(?:\.\d{1,3})+|\d{1,3}(?:\.\d{1,3}){2,}|"
    r"\d{1,3}\.\d{1,3}(?=\s?(?:\([a-z]\)|[a-z]\)))|"
    r"[A-Z]{1,4}\.(?:[IVXLC]{1,7}|[A-Z])(?:\.(?:\d{1,3}|[a-z]|[ivx]{2,5}))+"
)
_LED = re.compile(  # begins with a set of letters: so Python's `re` passes over others fast
    r"(?P<word>[AaRrCcSs§](?<![A-Za-z].)"
    r"(?i:(?<=a)rt(?:icles?|s?\b\.?)|(?<=r)ules?|(?<=c)lauses?"
    r"|(?<=s)(?:ub-?clauses?|ections?|entences?)|(?<=§)§?))"
    rf"\s*(?P<number>{_NUMBER})(?P<part>{_PART}*)",
    re.DOTALL,
)
_APPENDIX = re.compile(
    r"(?<![A-Za-z])(?P<word>appendix|annex)\s+(?P<number>[A-Z]?\d{1,3}[A-Z]?|[A-Z])(?![\w])", re.I
)
_BARE = re.compile(
    rf"(?<![\w.,/-])(?P<number>{_UNMISTAKABLE})"
    rf"(?:(?![\w/-]|\.\d)(?P<part>{_PART}*)|(?P<letter>[a-z])(?![\w]))"
)
_DOTTED = re.compile(r"\d\.\d|[A-Z]\.[A-Z]")  # is in all that `_BARE` finds
_NEXT = re.compile(
    r"\s*(?:,\s*(?:and|or)?|and/or|and|or|&|to|-|–)\s*"
    rf"(?P<number>{_NUMBER})(?P<part>{_PART}*)(?![\w%°/])"
)
_YEAR = re.compile(r"(?:19|20)\d\d$")
_MARKER = re.compile(
    r"^\s*(?:[-*]\s+)?\(?(?P<mark>[a-z]{1,2}|[ivx]{1,5}|[A-Z]|\d{1,2})(?P<end>\)|\.(?=\s))"
)
_ENTRY = re.compile(r"[“\"«„][^”\"»]+[”\"»]")  # the term at the start of a definition
_LARGEST_GAP = 5
"""That deleted items leave in a list. In 17 rulebooks 32 larger ones were amounts: "(36) hours"."""
ROMAN_NUMERALS = {
    roman: 10 * ten + one
    for ten, tens in enumerate(("", "x", "xx"))
    for one, ones in enumerate(("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"))
    if (roman := tens + ones)
}


@dataclass(frozen=True, slots=True)
class ArticleCitation:
    """An article named in a text: canonical number, lettered part if any, start and end."""

    number: str
    part: str | None
    start: int
    end: int


@lru_cache(maxsize=4_000)
def canonical_number(number: str) -> str:
    """The form for comparison: "54.3" for "Article 54.3.", "T1.2.2" for " t 1.2.2"."""
    bare = re.sub(r"\s+", " ", _LEAD.sub("", number)).strip()
    bare = _CODE.sub(r"\1", re.sub(r"\s*([.()])\s*", r"\1", bare).upper().rstrip(".:;,"))
    while bare.endswith(")") and bare.count(")") > bare.count("("):
        bare = bare[:-1].rstrip(".")
    return bare


def article_label(article: str, word: str = "Article") -> str:
    """The name of a clause: "Article 34.7", "Appendix 3", "Preamble"."""
    return article if article[:2].istitle() and article[1:2].isalpha() else f"{word} {article}"


@lru_cache(maxsize=4_000)
def split_part(citation: str) -> tuple[str, str | None]:
    """Article and lettered part: ("54.3", "d)") for "Article 54.3(d)", ("6.4", None) for "6.4"."""
    citation = citation.strip()
    found = re.search(rf"(?<=[\d)A-Z.])(?P<part>{_PART}+)\s*\.?$", citation)
    if not found:
        return canonical_number(citation), None
    return canonical_number(citation[: found.start()]), _canonical_part(found["part"])


@lru_cache(maxsize=4_000)
def extract_part(text: str, part: str) -> str | None:
    """The lettered item `part` ("d)", "d)ii)") of a clause's text with its sub-items, or None.

    An item is a line that begins with `a)`, `a.` or `(a)`. Lines without a marker belong to the
    item before them; after the last item they belong to the clause itself.
    """
    found: list[str] = []
    within = text.split("\n")
    for mark in re.findall(r"\w+", part):
        items = _find_items(within)
        top = min((item.level for item in items), default=0)
        item = next((item for item in items if item.mark == mark and item.level == top), None)
        if item is None:
            return None
        siblings = (other.line for other in items if other.level == top and other.line > item.line)
        found = within[item.line : next(siblings, items[-1].line + 1)]
        within = found[1:]
    return "\n".join(found) if found else None


@lru_cache(maxsize=4_000)
def list_parts(text: str) -> tuple[str, ...]:
    """The lettered item, "d)" or "d)ii)", of each line of a clause's text; "" in none."""
    lines = text.split("\n")
    parts = [""] * len(lines)
    path: list[str] = []
    items = _find_items(lines)
    ends = [*(item.line for item in items[1:]), *(item.line + 1 for item in items[-1:])]
    for item, end in zip(items, ends, strict=True):
        path[item.level :] = [f"{item.mark})"]
        parts[item.line : end] = ["".join(path)] * (end - item.line)
    return tuple(parts)


def has_marker(text: str) -> bool:
    return _MARKER.match(text) is not None


def strip_marker(text: str) -> str:
    return _MARKER.sub("", text)


@lru_cache(maxsize=4_000)
def find_article_numbers(text: str) -> tuple[str, ...]:
    """The articles that a text names, in order: "54.3d)", "Appendix 3". A bare "1.5" is none."""
    named = (f"{citation.number}{citation.part or ''}" for citation in find_citations(text))
    return tuple(dict.fromkeys(named))


@lru_cache(maxsize=4_000)
def find_citations(text: str) -> tuple[ArticleCitation, ...]:
    """The articles that a text names, in order; lists ("Articles 57 and 58") are split."""
    led = chain.from_iterable(_list_citations(text, match) for match in _LED.finditer(text))
    found = {citation.start: citation for citation in led}
    for match in _APPENDIX.finditer(text):
        number = f"{match['word'].title()} {match['number'].upper()}"
        found[match.start()] = ArticleCitation(number, None, *match.span())
    taken = [range(citation.start, citation.end) for citation in found.values()]
    for match in _BARE.finditer(text) if _DOTTED.search(text) else ():
        if not any(match.start() in span for span in taken):
            part = match["part"] or match["letter"]
            found[match.start()] = _citation(match["number"], part, *match.span())
    return tuple(found[start] for start in sorted(found))


def _list_citations(text: str, match: re.Match[str]) -> Iterator[ArticleCitation]:
    """The article of a match and those listed after it; none for a year or an amount."""
    is_article = match["word"][0] in "Aa" and "." in match["number"]  # "Article 5.1 sets ..."
    if _YEAR.match(match["number"]) or (has_unit_behind(text, match.end()) and not is_article):
        return
    yield _citation(match["number"], match["part"], *match.span())
    plural = match["word"].lower().rstrip(".").endswith("s") or match["word"] == "§§"
    following = _NEXT.match(text, match.end())
    while following:
        number, end = following["number"], following.end()
        # After a word in the singular only a number with a dot continues the list.
        if _YEAR.match(number) or not (plural or "." in number) or _is_amount(text, number, end):
            return
        yield _citation(number, following["part"], following.start("number"), end)
        following = _NEXT.match(text, end)


def _is_amount(text: str, number: str, end: int) -> bool:
    """True of "60 V" and of "60V", but not of "12A", nor of "12V" beside an article 12."""
    digits = number.rstrip("BCDEFGHIJKLMNOPQRSTUVWXYZ")
    is_glued = digits != number and text.count(digits) == 1
    return has_unit_behind(text, end - len(number) + len(digits) if is_glued else end)


def _citation(number: str, part: str | None, start: int, end: int) -> ArticleCitation:
    part = _canonical_part(part or "") or None
    return ArticleCitation(canonical_number(number), part, start, end)


def _canonical_part(part: str) -> str:
    return "".join(f"{mark})" for mark in re.findall(r"\w+", part.lower()))


@dataclass(frozen=True, slots=True)
class _Item:
    line: int
    mark: str
    level: int


def _find_items(lines: Sequence[str]) -> list[_Item]:
    definitions = [number for number, line in enumerate(lines) if _ENTRY.match(line)]
    if len(definitions) > 1:  # each of them counts its items anew
        lines = lines[: definitions[0]]
    markers = ((number, _MARKER.match(line)) for number, line in enumerate(lines))
    marks = [(number, found["mark"]) for number, found in markers if found]
    open_levels: list[tuple[str, int]] = []
    items = []
    for (line, mark), (_, following) in pairwise([*marks, (0, "")]):
        if line and lines[line - 1].endswith(":") and not has_marker(lines[line - 1]):
            open_levels = _end_list(open_levels, mark)
        level, style, ordinal = _place_mark(mark, following, open_levels)
        begins = style == "number" and level == len(open_levels) and ordinal > _LARGEST_GAP
        if begins and str(ordinal + 1) not in (other for _, other in marks):
            continue  # an amount, whose line begins with it: "no less than thirty-six / (36) hours"
        open_levels[level:] = [(style, ordinal)]
        items.append(_Item(line, mark.lower(), level))
    return items


def _end_list(open_levels: list[tuple[str, int]], mark: str) -> list[tuple[str, int]]:
    """The levels without the deepest list that a mark begins anew, and those within that."""
    firsts = [style for style, ordinal in _mark_readings(mark) if ordinal == 1]
    same = [level for level, (style, _) in enumerate(open_levels) if style in firsts]
    return open_levels[: same[-1]] if same else open_levels


def _place_mark(
    mark: str, following: str, open_levels: list[tuple[str, int]]
) -> tuple[int, str, int]:
    """Level, style and ordinal of a mark in the deepest list that it continues, or in a new one."""
    readings = [("roman", 1)] if (mark, following) == ("i", "ii") else _mark_readings(mark)
    first = next((reading for reading in readings if reading[1] == 1), None)
    for gap in (1,) if first else (1, _LARGEST_GAP):
        for level, (style, last) in reversed([*enumerate(open_levels)]):
            for reading, ordinal in readings:
                if reading == style and last < ordinal <= last + gap:
                    return level, style, ordinal
    return len(open_levels), *(first or readings[0])


def _mark_readings(mark: str) -> list[tuple[str, int]]:
    """The styles and ordinals that a mark may have: "i" is the ninth letter or the number one."""
    if mark.isdigit():
        return [("number", int(mark))]
    if mark.isupper():
        return [("capital", ord(mark) - ord("A") + 1)]
    readings = []
    if len(set(mark)) == 1:
        readings.append(("letter", ord(mark[0]) - ord("a") + 1 + 26 * (len(mark) - 1)))
    if mark in ROMAN_NUMERALS:
        readings.append(("roman", ROMAN_NUMERALS[mark]))
    return readings or [("letter", 0)]
