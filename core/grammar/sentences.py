"""Split a text into the sentences that can be quoted, and fold texts to compare them."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.grammar.numbering import has_marker
from core.grammar.quantities import UNITS
from core.grammar.vocabulary import any_word

_SENTENCE_END = re.compile(r"(?<=[.;!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|No|Nos|Nr|Art|Abs|App|Ch|Fig|Sec|Tab|Ziff|al|approx|min|max"
    r"|(?<!\d\s)[A-Z])\.$"
    r"|\d\s?(?:in|ins|ft|lb|lbs|sq)\.$"
)
_UNSPOKEN = re.compile(
    r"(?<![\w.])(?<!\d )(?:[A-Z]?[b-df-hj-np-tv-xz]{2,4}|[a-z]{1,4}[bcdfgkptz]l)\.$"
)
"""No unit behind a number, but a word that nobody can say, without a vowel or with an end that no
word has: "Mrs.", "incl."."""
_LETTERED = re.compile(rf"\b(?i:{any_word('lettered_kinds')})\s[A-Z]\.$")
_ORDINAL = re.compile(r"\b(?i:d(?:er|ie|as|em|en|es)|am|vom|zum|zur|im|beim)\s\d{1,3}\.$")
"""A number that counts in German: "ab dem 10. August", "der 2. Satz"."""
_CLOSED_SOON = re.compile(r"[^()]{0,40}\)")


@lru_cache(maxsize=4_000)
def split_sentences(text: str) -> tuple[str, ...]:
    """Split a clause's text into sentences, each within one line; a table row is one."""
    lines = map(str.strip, text.splitlines())
    return tuple(piece for line in lines for piece in _split_line(line) if piece)


def _split_line(line: str) -> list[str]:
    if line.startswith("|"):
        return [line]
    pieces: list[list[str]] = []
    for piece in _SENTENCE_END.split(line):
        before = pieces[-1] if pieces else [""]
        is_item_mark = before[0] and len(before) == 1 and has_marker(f"{before[0]} x")
        if (is_item_mark and " " not in before[0]) or _goes_on(before, piece):
            before.append(piece)
        else:
            pieces.append([piece])
    return list(map(" ".join, pieces))


def _goes_on(before: Sequence[str], piece: str) -> bool:
    """True where the last stop before a piece ends no sentence."""
    last, said = before[-1], " ".join(before)
    unspoken = _UNSPOKEN.search(last)
    return bool(
        (_ABBREVIATION.search(last) and not _LETTERED.search(last))
        or _ORDINAL.search(last)
        or (unspoken and unspoken[0][:-1] not in UNITS)
        or (said.count("(") > said.count(")") and _CLOSED_SOON.match(piece))
    )


def match_whole_words(words: str) -> re.Pattern[str]:
    """Return an expression for words that are whole, and no part of a number: "000" of "2 000"."""
    written = r"\s+".join(map(re.escape, words.split()))
    begin, end = r"(?<![\w.,])(?<!\d\s(?=\d))", r"(?!\w|[.,]\d|(?<=\d)\s\d{3}(?!\d))"
    return re.compile(f"{begin}{written}{end}", re.IGNORECASE)


@lru_cache(maxsize=4_000)
def alphanumeric_only(text: str) -> str:
    """Return letters and digits in lower case, to compare texts apart from spaces and signs."""
    return "".join(filter(str.isalnum, text.casefold()))
