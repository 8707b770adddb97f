"""Article numbers as people write them: their canonical form, their lettered parts, and where a text names them.

Knows nothing of any document: whether a number exists is for the library to say.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_WORD = r"(?i:articles?|arts?\b\.?|rules?|clauses?|sub-?clauses?|sections?|sentences?|§{1,2})"
_LEAD = re.compile(rf"^\s*{_WORD}\s*(?=[A-Za-z]{{0,3}}\.?\s?\d)")
_PART = (
    r"(?:\s?\((?:[a-z]{1,2}|[ivx]{1,5})\)|\s?(?:[a-z]{1,2}|[ivx]{1,5})\)|(?<=\d)[a-z](?![\w.(]))"
)
_BRACKETED = r"(?:\.?\(\d{1,3}\))"
_LETTERED = r"\.[a-z](?:\.[ivx]+)?(?![a-z])"  # 11.9.1.a.ii
_NUMBER = (
    rf"(?:[A-Za-z]{{1,3}}\.)?[A-Za-z]?\d{{1,4}}[A-Z]?(?:\.\d{{1,4}}[A-Z]?)*{_BRACKETED}*"
    rf"(?:(?<=\.\d){_LETTERED}|(?<=\.\d\d){_LETTERED})?"
)
_UNMISTAKABLE = (
    r"[A-Za-z]\d{1,3}(?:\.\d{1,3})+|[A-Za-z]{1,3}\.\d{1,3}(?:\.\d{1,3})+|\d{1,3}(?:\.\d{1,3}){2,}|"
    r"\d{1,3}\.\d{1,3}(?=\s?(?:\([a-z]\)|[a-z]\)))"
)
_LED = re.compile(rf"(?<![A-Za-z])(?P<word>{_WORD})\s*(?P<number>{_NUMBER})(?P<part>{_PART}*)")
_APPENDIX = re.compile(
    r"(?<![A-Za-z])(?P<word>appendix|annex)\s+(?P<number>[A-Z]?\d{1,3}[A-Z]?|[A-Z])(?![\w])", re.I
)
_BARE = re.compile(
    rf"(?<![\w.,/-])(?P<number>{_UNMISTAKABLE})(?![\w/-]|\.\d)(?P<part>{_PART}*)|"
    rf"(?<![\w.,/-])(?P<number_part>{_UNMISTAKABLE})(?P<letter>[a-z])(?![\w])"
)
_NEXT = re.compile(
    rf"\s*(?:,\s*(?:and|or)?|and/or|and|or|&|to|-|–)\s*(?P<number>{_NUMBER})(?P<part>{_PART}*)(?![\w%°/])"
)
_YEAR = re.compile(r"(?:19|20)\d\d$")
_MARKER = re.compile(
    r"^\s*(?:[-*]\s+)?\(?(?P<mark>[a-z]{1,2}|[ivx]{1,5}|[A-Z]|\d{1,2})(?P<end>\)|\.(?=\s))"
)
_ENTRY = re.compile(r"[“\"«„][^”\"»]+[”\"»]")
"""The term that an entry of a list of definitions begins with."""
_SHORT_FORM = 5
"""Letters of the longest word in capitals that is taken for a short form."""
ROMAN_NUMERALS = {
    roman: 10 * ten + one
    for ten, tens in enumerate(("", "x", "xx"))
    for one, ones in enumerate(("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"))
    if (roman := tens + ones)
}


@dataclass(frozen=True, slots=True)
class ArticleCitation:
    """An article named in a text: its canonical `number`, the lettered `part` or None, and where it stands."""

    number: str
    part: str | None
    start: int
    end: int


def canonical_number(number: str) -> str:
    """The form in which numbers are compared: "Article 54.3", "54.3." and " b1.7.2" give "54.3", "54.3", "B1.7.2"."""
    bare = re.sub(r"\s+", " ", _LEAD.sub("", number)).strip()
    bare = re.sub(r"\s*([.()])\s*", r"\1", bare).upper().rstrip(".:;,")
    while bare.endswith(")") and bare.count(")") > bare.count("("):
        bare = bare[:-1].rstrip(".")
    return bare


def article_label(article: str, word: str = "Article") -> str:
    """A clause by its number as one says it: "Article 34.7", "Appendix 3", "Preamble"."""
    return article if re.match(r"[A-Z][a-z]", article) else f"{word} {article}"


def title_within_sentence(title: str) -> str:
    """A title as it reads within a sentence: no capitals but those of names and short forms, as "DRS" or "ERS-K"."""
    if title.isupper():
        return (
            title
            if " " not in title and sum(map(str.isalpha, title)) <= _SHORT_FORM
            else title.lower()
        )
    return title[:1].lower() + title[1:] if title[1:].islower() else title


def split_part(citation: str) -> tuple[str, str | None]:
    """A citation as article and lettered part: "Article 54.3(d)" gives ("54.3", "d)"), "6.4" gives ("6.4", None)."""
    found = re.search(rf"(?<=[\d)A-Z.])(?P<part>{_PART}+)\s*\.?$", citation.strip())
    if not found:
        return canonical_number(citation), None
    return canonical_number(citation.strip()[: found.start()]), _canonical_part(found["part"])


def extract_part(text: str, part: str) -> str | None:
    """The lettered item `part` ("d)", "d)ii)") of a clause's text with its own sub-items, or None if it has none.

    An item is a line that begins with `a)`, `a.` or `(a)`. Lines without a mark belong to the item before them,
    save after the last item, where they close the clause.
    """
    found, within = None, text.split("\n")
    for mark in re.findall(r"\w+", part):
        found = _cut_item(within, mark)
        if found is None:
            return None
        within = found[1:]
    return "\n".join(found) if found else None


def find_lead_in(text: str, part: str) -> str | None:
    """The words that govern the item `part` of a clause: the last unmarked line before it that ends in a colon."""
    lines = text.split("\n")
    found = extract_part(text, part)
    if found is None:
        return None
    above = lines[: lines.index(found.split("\n")[0])]
    return next(
        (line for line in reversed(above) if line.endswith(":") and not _MARKER.match(line)), None
    )


def part_at_line(text: str, line: int) -> str | None:
    """The lettered item that a line of a clause's text (from 0) belongs to, "d)" or "d)ii)"; None outside of all."""
    items = _items(text.split("\n"))
    if not items or line < items[0].line or line > items[-1].line:
        return None
    path: dict[int, str] = {}
    for item in items:
        if item.line <= line:
            path = {level: mark for level, mark in path.items() if level < item.level} | {
                item.level: item.mark
            }
    return "".join(f"{path[level]})" for level in sorted(path))


def has_marker(text: str) -> bool:
    """True where a line begins with the mark of a lettered or numbered item."""
    return _MARKER.match(text) is not None


def strip_marker(text: str) -> str:
    """A lettered or numbered item without its mark; what has none as it stands."""
    return _MARKER.sub("", text)


def find_article_numbers(text: str) -> tuple[str, ...]:
    """The articles a text names, in order, as "54.3d)", "B1.7.2", "Appendix 3"; bare figures ("1.5") are none."""
    return tuple(
        dict.fromkeys(f"{named.number}{named.part or ''}" for named in find_citations(text))
    )


def find_citations(text: str) -> tuple[ArticleCitation, ...]:
    """Every article that `text` names, in order, lists ("Articles 57 and 58") told apart."""
    found: dict[int, ArticleCitation] = {}
    for match in _LED.finditer(text):
        if _YEAR.match(match["number"]) or _is_measure(text, match.end()):
            continue
        for citation in _with_followers(text, match):
            found[citation.start] = citation
    for match in _APPENDIX.finditer(text):
        found[match.start()] = ArticleCitation(
            f"{match['word'].title()} {match['number'].upper()}", None, match.start(), match.end()
        )
    taken = [(c.start, c.end) for c in found.values()]
    for match in _BARE.finditer(text):
        if not any(start <= match.start() < end for start, end in taken):
            number, part = match["number"] or match["number_part"], match["part"] or match["letter"]
            found[match.start()] = _citation(number, part, match.start(), match.end())
    return tuple(found[start] for start in sorted(found))


def _is_measure(text: str, end: int) -> bool:
    return (
        re.match(
            r"\s?(?:%|°|mm|km|kg|seconds?|minutes?|hours?|laps?|points?)(?![a-z])", text[end:], re.I
        )
        is not None
    )


def _with_followers(text: str, match: re.Match[str]) -> Iterator[ArticleCitation]:
    yield _citation(match["number"], match["part"], match.start(), match.end())
    many = match["word"].lower().rstrip(".").endswith("s") or match["word"] == "§§"
    following = _NEXT.match(text, match.end())
    while following:
        number = following["number"]
        # After a singular word only a number that looks like one of ours goes on with the list.
        if _YEAR.match(number) or _is_measure(text, following.end()) or not (many or "." in number):
            return
        yield _citation(number, following["part"], following.start("number"), following.end())
        following = _NEXT.match(text, following.end())


def _citation(number: str, part: str | None, start: int, end: int) -> ArticleCitation:
    return ArticleCitation(
        canonical_number(number), _canonical_part(part or "") or None, start, end
    )


def _canonical_part(part: str) -> str:
    return "".join(f"{mark})" for mark in re.findall(r"\w+", part.lower()))


@dataclass(frozen=True, slots=True)
class _Item:
    line: int
    mark: str
    level: int


def _cut_item(lines: list[str], mark: str) -> list[str] | None:
    items = _items(lines)
    top = min((item.level for item in items), default=0)
    found = next((item for item in items if item.mark == mark and item.level == top), None)
    return lines[found.line : _end_of(found, items)] if found else None


def _end_of(item: _Item, items: list[_Item]) -> int:
    later = [other for other in items if other.line > item.line]
    for other in later:
        if other.level <= item.level:
            return other.line
    # Lines without a mark that follow the last item, or its last sub-item, close the clause.
    return (later[-1].line if later else item.line) + 1


def _items(lines: list[str]) -> list[_Item]:
    entries = [number for number, line in enumerate(lines) if _ENTRY.match(line)]
    own = (
        lines[: entries[0]] if len(entries) > 1 else lines
    )  # what an entry counts, each entry counts anew
    marks = [
        (number, found["mark"]) for number, line in enumerate(own) if (found := _MARKER.match(line))
    ]
    open_levels: list[tuple[str, int]] = []
    items = []
    for (line, mark), (_, following) in pairwise([*marks, (0, "")]):
        level, style, place = _level(mark, following, open_levels)
        del open_levels[level:]
        open_levels.append((style, place))
        items.append(_Item(line, mark.lower(), level))
    return items


def _level(mark: str, following: str, open_levels: list[tuple[str, int]]) -> tuple[int, str, int]:
    """Depth, style and ordinal of a mark: the deepest open list it goes on with, else a list it begins."""
    readings = _readings(mark)
    if mark == "i" and following == "ii":
        readings = [("roman", 1)]
    begins = next((reading for reading in readings if reading[1] == 1), None)
    for gap in (1,) if begins else (1, 5):  # a deleted item leaves a gap
        for level in range(len(open_levels) - 1, -1, -1):
            style, last = open_levels[level]
            for reading, place in readings:
                if reading == style and last < place <= last + gap:
                    return level, style, place
    return len(open_levels), *(begins or readings[0])


def _readings(mark: str) -> list[tuple[str, int]]:
    if mark.isdigit():
        return [("number", int(mark))]
    if mark.isupper():
        return [("capital", ord(mark) - ord("A") + 1)]
    alphabetic = (
        [("letter", ord(mark[0]) - ord("a") + 1 + 26 * (len(mark) - 1))]
        if len(set(mark)) == 1
        else []
    )
    roman = [("roman", ROMAN_NUMERALS[mark])] if mark in ROMAN_NUMERALS else []
    return alphabetic + roman or [("letter", 0)]
