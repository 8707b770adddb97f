"""Mends words whose ligatures were lost: "o`icial" is "official" again.

Some PDFs map the glyph of "ff" or "ffi" to a wrong character. Which one differs from font to font, so it is found
out from the words: a word that nobody knows becomes, with a ligature in place of one of its characters, a word of
the document itself or of the English list of pyspellchecker. Names and codes are left alone.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from spellchecker import SpellChecker

from core.rulebook.layout.blocks import Line, Span

_LIGATURES = ("ff", "ffi", "ffl", "fi", "fl", "ft", "tt", "ti", "Th")
_TOKEN = re.compile(r"[^\s.,;:()/’“”‘\-\u00ad\[\]{}<>|\d]{2,}")
_SIGNS = frozenset("`'\"=&%#@!$*+^~\\\ufffd")
_BROKEN = re.compile(r"[a-z][`\"=&%#@!$*+^~\\\ufffd][a-z]|[a-z][A-Z][a-z]")
_BRITISH = (
    ("ence", "ense"),
    ("our", "or"),
    ("is", "iz"),
    ("ys", "yz"),
    ("tre", "ter"),
    ("mme", "m"),
    ("ll", "l"),
)
_FEWEST_WORDS = 300
_LETTERS = 6  # of a word, with its blank
_EXPECTED = 0.0015  # of English words hold "ff", at the least


@dataclass(frozen=True, slots=True)
class LigatureRepair:
    """A word as it was extracted, as it reads now, and how often."""

    before: str
    after: str
    count: int


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of a line: its letters may come from several spans; `font` is that of its second letter."""

    text: str
    font: str
    start: int


def repair_ligatures(lines: Iterable[Line]) -> list[LigatureRepair]:
    """Mends the words of `lines` in place; returns what was changed, the most frequent first."""
    lines = list(lines)
    if not _suspicious("\n".join(span.text for line in lines for span in line.spans)):
        return []
    counts = Counter((token.text, token.font) for line in lines for token in _tokens(line.spans))
    words: Counter[str] = Counter()
    for (text, _), count in counts.items():
        words[text] += count
    mending = _mending(counts, words)
    done: Counter[tuple[str, str]] = Counter()
    for line in lines if mending else ():
        _mend(line, mending, done)
    return [LigatureRepair(before, after, count) for (before, after), count in done.most_common()]


@cache
def load_english_dictionary() -> Callable[[str], bool]:
    """Whether a word stands in the English list, capitals or not, in American or British spelling."""
    words = SpellChecker(language="en", distance=1).word_frequency

    def known(word: str) -> bool:
        lower = word.lower()
        return lower in words or any(
            lower.replace(*pair) in words for pair in _BRITISH if pair[0] in lower
        )

    return known


def _tokens(spans: tuple[Span, ...]) -> Iterator[_Token]:
    text = "".join(span.text for span in spans)
    fonts = [(len(span.text), span.style.font) for span in spans]
    for match in _TOKEN.finditer(text):
        place = match.start() + 1
        for length, font in fonts:
            if place < length:
                yield _Token(match[0], font, match.start())
                break
            place -= length


def _suspicious(text: str) -> bool:
    """True where words hold signs or capitals in their middle, or "ff" is missing altogether."""
    words = len(text) / _LETTERS
    return bool(_BROKEN.search(text)) or (
        words > _FEWEST_WORDS and text.count("ff") < _EXPECTED * words
    )


def _mending(
    counts: Counter[tuple[str, str]], words: Counter[str]
) -> dict[tuple[str, str], tuple[int, str]]:
    """For each broken word and font the place of the wrong character and the ligature it stands for."""
    candidates: dict[tuple[str, str], list[tuple[str, int, str]]] = defaultdict(list)
    whole: Counter[str] = Counter()
    for (text, font), count in counts.items():
        whole[font] += count * ("ff" in text)
        for place, ligature in _readings(text, words):
            candidates[(font, text[place])].append((text, place, ligature))
    mending: dict[tuple[str, str], tuple[int, str]] = {}
    for (font, sign), found in candidates.items():
        long = [text for text, _, _ in found if len(text) > 4]
        often = sum(counts[(text, font)] for text in long)
        # Where a letter is the wrong character, the true ligature is missing from the font; without that
        # a rare word would be taken for a broken one.
        sure = len({text.lower() for text in long}) >= 2 or any(
            _BROKEN.search(text) for text in long
        )
        if sure and (sign in _SIGNS or often > whole[font]):
            mending.update({(text, font): (place, ligature) for text, place, ligature in found})
    return mending


def _readings(token: str, words: Counter[str]) -> Iterator[tuple[int, str]]:
    """The places in an unknown word where a ligature makes it a known one, with that ligature."""
    plain = re.sub(r"'s$", "", token.strip("'\"*"))
    if (
        len(plain) < 2
        or (plain.isupper() and plain.isalpha())
        or (plain.isalpha() and load_english_dictionary()(plain))
    ):
        return
    for place in range(len(token)):
        if not _breakable(token, place):
            continue
        options = {
            ligature: token[:place] + ligature + token[place + 1 :] for ligature in _LIGATURES
        }
        known = [
            ligature for ligature, option in options.items() if load_english_dictionary()(option)
        ]
        if known:
            yield (
                place,
                max(known, key=lambda ligature: (words[options[ligature]], "ff" in ligature)),
            )


def _breakable(token: str, place: int) -> bool:
    """In words of small letters, perhaps with a capital first; a name's first letter is its own."""
    sign, rest = token[place], token[:place] + token[place + 1 :]
    if not rest.isalpha() or not (rest[1:].islower() or len(rest) == 1):
        return False
    if sign.isalpha():
        return not (sign.isupper() and place == 0)
    return sign in _SIGNS and not (sign in "'\"*" and place in (0, len(token) - 1))


def _mend(
    line: Line, mending: dict[tuple[str, str], tuple[int, str]], done: Counter[tuple[str, str]]
) -> None:
    places: dict[int, str] = {}
    for token in _tokens(line.spans):
        if found := mending.get((token.text, token.font)):
            place, ligature = found
            places[token.start + place] = ligature
            done[(token.text, token.text[:place] + ligature + token.text[place + 1 :])] += 1
    if not places:
        return
    spans = []
    offset = 0
    for span in line.spans:
        text = "".join(places.get(offset + index, char) for index, char in enumerate(span.text))
        offset += len(span.text)
        spans.append(span if text == span.text else span._replace(text=text, raw=span.text))
    line.replace_spans(tuple(spans))
