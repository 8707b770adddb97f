"""Repair of words whose ligatures were lost: "o`icial" becomes "official" again.

Some PDFs map the glyph of "ff" or "ffi" to a wrong character, another one in each font. The words
show which: an unknown word, with a ligature in place of one character, becomes a word of the
document itself or of the English list of pyspellchecker. Names and codes are left alone, and texts
in other languages.
"""

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import log
from typing import NamedTuple

import msgspec

from core.grammar import detect_language
from core.rulebook.layout.blocks import Line, Span

_LIGATURES = ("ff", "ffi", "ffl", "fi", "fl", "ft", "tt", "ti", "Th")
_TOKEN = re.compile(r"[^\s.,;:()/’“”‘\-\u00ad\[\]{}<>|\d]{2,}")
_SIGNS = frozenset("`'\"=&%#@!$*+^~\\\ufffd")
_BROKEN = re.compile(r"[a-z][`\"=&%#@!$*+^~\\\ufffd][a-z]|[a-z][A-Z][a-z]")
_BRITISH = [pair.split(":") for pair in "ence:ense our:or is:iz ys:yz tre:ter mme:m ll:l".split()]
_MIN_WORDS = 300  # of a text in which "ff" must occur
_WORD_LENGTH = 6  # letters of an average word, with its space: 4.8 and 1 in English (Norvig 2012)
_MIN_ENGLISH = 0.4  # of the words of a text; Estonian has 0.1, and English rulebooks 0.9
_FF_SHARE = 0.0015  # of English words contain "ff", at least; in pyspellchecker's texts 0.0028 do
RAREST = log(1_000_000)
"""The rarity of a word that is one in a million; rarer ones count as much."""


@dataclass(frozen=True, slots=True)
class LigatureRepair:
    """A word as extracted, as repaired, and how often it occurs."""

    before: str
    after: str
    count: int


class _PrintedWord(NamedTuple):
    """A word of a line; `font` is that of its second letter."""

    text: str
    font: str


_Fix = tuple[int, str]
"""The index of the wrong character in a token, and the ligature that replaces it."""


def repair_ligatures(lines: Iterable[Line]) -> list[LigatureRepair]:
    """Repair the words of `lines` in place; return the changes, the most frequent first."""
    lines = list(lines)
    text = "\n".join(span.text for line in lines for span in line.spans)
    words = len(text) / _WORD_LENGTH
    has_hardly_any = words > _MIN_WORDS and text.count("ff") < _FF_SHARE * words
    if not has_hardly_any and not _BROKEN.search(text):
        return []
    if words > _MIN_WORDS and not (
        detect_language(text) in (None, "en") and english_share(text) >= _MIN_ENGLISH
    ):
        return []  # in another language "ff" is rare, and English words are few
    fixes = _choose_fixes(_count_words(lines))
    repairs: Counter[tuple[str, str]] = Counter()
    for line in lines if fixes else ():
        repairs.update(_repair_line(line, fixes))
    return [LigatureRepair(*pair, count) for pair, count in repairs.most_common()]


@cache
def load_english_dictionary() -> Callable[[str], bool]:
    """Return a test for English words, whatever their case, in American or British spelling."""
    words, _ = _count_english_words()

    def is_english(word: str) -> bool:
        lower = word.lower()
        return lower in words or any(
            lower.replace(british, american) in words
            for british, american in _BRITISH
            if british in lower
        )

    return is_english


@lru_cache(maxsize=10_000)
def english_rarity(word: str) -> float:
    """Return how rare a word is in English texts: log(1 / its share), at most RAREST."""
    words, whole = _count_english_words()
    lower = word.lower()
    spellings = (lower, *(lower.replace(british, american) for british, american in _BRITISH))
    return min(RAREST, log(whole / (1 + max(words.get(one, 0) for one in spellings))))


@cache
def _count_english_words() -> tuple[Mapping[str, int], int]:
    """Return how often each word is in the texts that the list was made from, and all words."""
    # The list alone: a SpellChecker takes four times as long to begin.
    packed = (files("spellchecker") / "resources" / "en.json.gz").read_bytes()
    words = msgspec.json.decode(gzip.decompress(packed), type=dict[str, int])
    return words, sum(words.values())


def english_share(text: str) -> float:
    """The share of a text's words, of three letters or more, that are English."""
    words = re.findall(r"[^\W\d_]{3,}", text)
    return sum(map(load_english_dictionary(), words)) / max(len(words), 1)


def _count_words(lines: Iterable[Line]) -> Counter[_PrintedWord]:
    """How often each word is printed; lines of one font are searched together."""
    counts: Counter[_PrintedWord] = Counter()
    of_one_font: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        font = line.spans[0].style.font if line.spans else ""
        if all(span.style.font == font for span in line.spans):
            of_one_font[font].append("".join(span.text for span in line.spans))
        else:
            counts.update(token for _, token in _tokens(line.spans))
    for font, texts in of_one_font.items():
        for text, count in Counter(_TOKEN.findall("\n".join(texts))).items():
            counts[_PrintedWord(text, font)] += count
    return counts


def _tokens(spans: tuple[Span, ...]) -> Iterator[tuple[int, _PrintedWord]]:
    """The words of a line, each with the index of its first letter; spans may cut words."""
    fonts = [(len(span.text), span.style.font) for span in spans]
    for match in _TOKEN.finditer("".join(span.text for span in spans)):
        position = match.start() + 1
        for length, font in fonts:
            if position < length:
                yield match.start(), _PrintedWord(match[0], font)
                break
            position -= length


def _choose_fixes(counts: Counter[_PrintedWord]) -> dict[_PrintedWord, _Fix]:
    words: Counter[str] = Counter()
    for (text, _), count in counts.items():
        words[text] += count
    candidates: dict[tuple[str, str], list[tuple[_PrintedWord, _Fix]]] = defaultdict(list)
    intact: Counter[str] = Counter()
    for token, count in counts.items():
        intact[token.font] += count * ("ff" in token.text)
        for fix in _possible_fixes(token.text, words):
            candidates[token.font, token.text[fix[0]]].append((token, fix))
    fixes: dict[_PrintedWord, _Fix] = {}
    for (font, sign), found in candidates.items():
        long = {token: counts[token] for token, _ in found if len(token.text) > 4}
        if _replaces_ligature(sign, long, intact[font]):
            fixes.update(found)
    return fixes


def _replaces_ligature(sign: str, words: Mapping[_PrintedWord, int], intact: int) -> bool:
    """True if long unknown words, with their counts, show what `sign` of a font stands for.

    If it is a letter, they must be more than the words of the font with a ligature `intact`;
    otherwise a rare word would be taken for a broken one.
    """
    several = len({token.text.lower() for token in words}) >= 2
    if not several and not any(_BROKEN.search(token.text) for token in words):
        return False
    return sign in _SIGNS or sum(words.values()) > intact


def _possible_fixes(token: str, words: Counter[str]) -> Iterator[_Fix]:
    """The places in an unknown word at which a ligature makes it a known one."""
    is_english = load_english_dictionary()
    plain = token.strip("'\"*").removesuffix("'s")
    if len(plain) < 2 or (plain.isalpha() and (plain.isupper() or is_english(plain))):
        return
    for index in range(len(token)):
        if not _may_replace_ligature(token, index):
            continue
        options = {each: token[:index] + each + token[index + 1 :] for each in _LIGATURES}
        if known := [each for each, option in options.items() if is_english(option)]:
            yield index, max(known, key=lambda each: (words[options[each]], "ff" in each))


def _may_replace_ligature(token: str, index: int) -> bool:
    """True for a sign or letter among small letters, except the initial of a name and quotes."""
    sign, rest = token[index], token[:index] + token[index + 1 :]
    if not rest.isalpha() or not (rest[1:].islower() or len(rest) == 1):
        return False
    if sign.isalpha():
        return index > 0 or not sign.isupper()
    return sign in _SIGNS and (sign not in "'\"*" or 0 < index < len(token) - 1)


def _repair_line(line: Line, fixes: Mapping[_PrintedWord, _Fix]) -> list[tuple[str, str]]:
    """Repair a line in place; return its changed words, before and after."""
    ligatures: dict[int, str] = {}
    changes = []
    for start, token in _tokens(line.spans):
        if fix := fixes.get(token):
            index, ligature = fix
            ligatures[start + index] = ligature
            changes.append((token.text, token.text[:index] + ligature + token.text[index + 1 :]))
    if not ligatures:
        return []
    spans = []
    offset = 0
    for span in line.spans:
        text = "".join(ligatures.get(i, char) for i, char in enumerate(span.text, start=offset))
        offset += len(span.text)
        spans.append(span if text == span.text else span._replace(text=text, raw=span.text))
    line.replace_spans(tuple(spans))
    return changes
