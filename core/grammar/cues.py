"""The cues of a sentence: words of comparison, negation, duty and condition, in its own language.

A language is a file in `cues/`. What a cue means for an amount or a duty is not decided here.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Literal

from core.grammar.text_language import count_frequent_words, detect_language
from core.grammar.vocabulary import fold_accents, split_entries

_FOLDER = Path(__file__).with_name("cues")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’:-][^\W\d_]+)*\.?|\d[\d.,]*\w*|[^\w\s]|\w+")
_ARABIC = re.compile(r"[\u0600-\u06ff]")
MIN_LANGUAGE_SHARE = 0.1
"""A document in two languages has more of the second; quotes and names of one have less."""
_GAP = 3
"""Words that "*" of a phrase may stand for."""
_COUNT = frozenset(("count",))
_QUIET = frozenset(
    """averse applying providing outside changing negative reaching capable doubtful whoever denying
    ordering granting prohibiting stating pronoun parting ending aim expletive asking""".split()
)
"""Categories whose single words stay words: they doubt a relation, and are read as before else."""
_NOUNS = ("agent", "named", "reference", "sanction")
PieceKind = Literal["word", "amount", "sign", "cue"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, sign, amount or cue of a sentence, from `start` to `end` of its text.

    `names` are the categories of a cue. `amount` is the place of an amount among the sentence's.
    """

    kind: PieceKind
    text: str
    start: int
    end: int
    names: frozenset[str] = frozenset()
    amount: int = -1

    def has(self, *names: str) -> bool:
        """True of a cue or word of one of these categories."""
        return not self.names.isdisjoint(names)


_Phrase = tuple[tuple[str, ...], int, frozenset[str]]
"""The words of a phrase, how many of them stand for others, and its categories."""


class Lexicon:
    """The phrases of a language, by their first two words."""

    def __init__(self, lists: Mapping[str, str]) -> None:
        found: dict[tuple[str, ...], set[str]] = {}
        for name, entries in lists.items():
            for words in spell_out(entries, lists):
                found.setdefault(tuple(map(_bare, words)), set()).add(name)
        self.words: dict[str, frozenset[str]] = {}
        self._by_pair: dict[tuple[str, str], list[_Phrase]] = {}
        self._open: dict[str, list[_Phrase]] = {}
        self._by_beginning: dict[str, list[_Phrase]] = {}
        for phrase, categories in found.items():
            wild = sum("*" in word or "~" in word for word in phrase)
            one: _Phrase = (phrase, wild, frozenset(categories))
            first, *others = phrase
            if first.endswith("~"):
                self._by_beginning.setdefault(first[:-1], []).append(one)
            elif not others:
                self.words[first] = one[2]
            elif "*" in others[0] or "~" in others[0]:
                self._open.setdefault(first, []).append(one)
            else:
                self._by_pair.setdefault((first, others[0]), []).append(one)

    def match(self, words: Sequence[str], place: int) -> tuple[int, frozenset[str]] | None:
        """Return how many words from a place on are a phrase, and its categories."""
        word = words[place]
        candidates = list(self._open.get(word, ()))
        if place + 1 < len(words):
            candidates += self._by_pair.get((word, words[place + 1]), ())
        for length in range(3, len(word) + 1):
            candidates += self._by_beginning.get(word[:length], ())
        found = self.words.get(word) or self.words.get(word.removeprefix("l'"), frozenset())
        best, rank = (1, (1, 0)) if found else (0, (0, 0))
        for parts, wild, names in candidates:
            length = _match_length(parts, words, place)
            own = (length, -wild)
            if length and own >= rank:
                found = names | found if own == rank else names
                best, rank = length, own
        return (best, found) if best else None


def spell_out(entries: str, lists: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the words of each phrase of a list, of each of its alternatives, as they are written.

    "{name}" is any word of a list.
    """
    for entry in split_entries(entries):
        parts = [
            split_entries(lists[word[1:-1]]) if word.startswith("{") else word.split("/")
            for word in entry.split(" ")
        ]
        for phrase in product(*parts):
            yield " ".join(phrase).split(" ")


def _match_length(phrase: Sequence[str], words: Sequence[str], place: int) -> int:
    """Return how many words from a place on match a phrase; 0 where they do not."""
    at = place
    for number, part in enumerate(phrase):
        if part == "*":
            following = phrase[number + 1]
            reach = range(at, min(at + _GAP, len(words) - 1) + 1)
            at = next((n for n in reach if words[n] == following), -1)
            if at < 0 or not all(word[:1].isalpha() for word in words[place:at]):
                return 0
            continue
        word = words[at] if at < len(words) else ""
        if part != word and not (part[-1] == "~" and word.startswith(part[:-1])):
            return 0
        at += 1
    return at - place


def _bare(word: str) -> str:
    return fold(word).rstrip(".") or word


@lru_cache(maxsize=50_000)
def fold(text: str) -> str:
    """Return a text in lower case without accents, with straight apostrophes."""
    return fold_accents(text.replace("’", "'"))


@cache
def _load(language: str) -> dict[str, str | dict[str, str | int]]:
    path = _FOLDER / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def load_lists(language: str) -> dict[str, str]:
    """Return the lists of a language; empty for one that has no file."""
    return {name: words for name, words in _load(language).items() if isinstance(words, str)}


def load_table(language: str, name: str) -> dict[str, str | int]:
    """Return a table of a language: its numbers, fractions or units by word."""
    table = _load(language).get(name, {})
    return table if isinstance(table, dict) else {}


@cache
def load_lexicon(language: str) -> Lexicon:
    """Return the cues of a language."""
    return Lexicon(load_lists(language))


@cache
def is_cue(word: str, *names: str) -> bool:
    """True of a word that is a cue of one of these categories in any language."""
    found = (load_lexicon(language).match([_bare(word)], 0) for language in list_languages())
    return any(one and not one[1].isdisjoint(names) for one in found)


def list_languages() -> tuple[str, ...]:
    """Return the languages whose cues are known, by their ISO 639 codes."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def scan(
    text: str, language: str, amounts: Iterable[tuple[int, int, bool]] = ()
) -> tuple[Piece, ...]:
    """Return the pieces of a text in order; what is within an amount is one piece.

    `amounts` are (start, end, True for a number of things).
    """
    spans = sorted(amounts)
    tokens: list[Piece] = []
    at = 0
    for number, (start, end, is_count) in enumerate(spans):
        tokens += _split(text, at, start)
        names = _COUNT if is_count else frozenset[str]()
        tokens.append(Piece("amount", text[start:end], start, end, names, number))
        at = end
    tokens += _split(text, at, len(text))
    words = [_bare(token.text) if token.kind != "amount" else "#" for token in tokens]
    lexicon = load_lexicon(language)
    pieces: list[Piece] = []
    place = 0
    while place < len(tokens):
        one = tokens[place]
        found = lexicon.match(words, place) if one.kind != "amount" else None
        if found is None:
            pieces.append(one)
            place += 1
            continue
        last = tokens[place + found[0] - 1]
        is_quiet = last is one and found[1] <= _QUIET
        kind: PieceKind = one.kind if is_quiet else "cue"
        pieces.append(Piece(kind, text[one.start : last.end], one.start, last.end, found[1]))
        place += found[0]
    return tuple(_read_attribute(pieces, place) for place in range(len(pieces)))


def _read_attribute(pieces: Sequence[Piece], place: int) -> Piece:
    """Return a piece; "illegal" of "an illegal move", which forbids nothing, as a word."""
    one = pieces[place]
    if not one.has("forbidding") or " " in one.text or one.has("negation"):
        return one
    before, behind = pieces[max(0, place - 1) : place], pieces[place + 1 : place + 2]
    is_noun_before = any(two.kind == "word" for two in before)
    is_predicate = is_noun_before or any(two.has("copula", "may", "must") for two in before)
    is_noun_behind = any(two.kind == "word" or two.has(*_NOUNS) for two in behind)
    is_attribute = not is_predicate and is_noun_behind
    is_attribute |= is_noun_before and any(two.has("may", "must") for two in behind)
    return replace(one, kind="word", names=frozenset()) if is_attribute else one


def _split(text: str, start: int, end: int) -> Iterator[Piece]:
    for match in _TOKEN.finditer(text, start, end):
        word = match[0]
        stop = match.end()
        if word.endswith(".") and word[:1].isalpha() and len(word) > 5:
            word, stop = word[:-1], stop - 1
        kind: PieceKind = "word" if word[:1].isalnum() else "sign"
        yield Piece(kind, word, match.start(), stop)
        if stop < match.end():
            yield Piece("sign", ".", stop, match.end())


@lru_cache(maxsize=4_000)
def find_language(text: str) -> str:
    """Return the language by whose cues a text is read; English where it is not known.

    A text too short for its frequent words is of the language that most of its words, of the
    first 60, are cues of.
    """
    if found := _recognize(text):
        return found
    words = [_bare(match[0]) for match in _TOKEN.finditer(text)][:60]
    counts = {
        language: sum(word in load_lexicon(language).words for word in words)
        for language in sorted(list_languages(), key="en".__eq__, reverse=True)
    }
    return max(counts, key=lambda language: counts[language])


def find_languages(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the languages by whose cues a document is read, the main one first.

    Another one has its part of at least `MIN_LANGUAGE_SHARE` of the lines whose language is known,
    by letters. English where none is known.
    """
    letters: Counter[str] = Counter()
    for line in chain.from_iterable(text.splitlines() for text in texts):
        if language := _recognize(line):
            letters[language] += len(line)
    least = letters.total() * MIN_LANGUAGE_SHARE
    return tuple(one for one, count in letters.most_common() if count >= least) or ("en",)


def choose_language(languages: Sequence[str], text: str, lead: str = "") -> str:
    """Return in which of a document's languages a text is, by its frequent words.

    What leads to it decides where they are as many, then the document's main language.
    """
    if len(languages) == 1:
        return languages[0]

    def count_words(language: str) -> tuple[int, ...]:
        if language == "ar":
            return tuple(len(_ARABIC.findall(one)) for one in (text, lead))
        return tuple(count_frequent_words(one)[language] for one in (text, lead))

    return max(languages, key=count_words)


def _recognize(text: str) -> str | None:
    """Return the language of a text by its frequent words; None where it has no cues."""
    found = "ar" if _ARABIC.search(text) else detect_language(text)
    return found if found in list_languages() else None


class Cues(tuple[str, ...]):
    """Phrases, each a regular expression; the longest come first."""

    @cached_property
    def any(self) -> str:
        """A regular expression for any of them: "must|shall|darf"."""
        return "|".join(self)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What finds any of them as whole words, in upper or lower case."""
        return re.compile(rf"(?i)\b(?:{self.any})\b")


@cache
def list_cues(*names: str) -> Cues:
    """Return the phrases of cues, and the words of lists that are no cues, of every language.

    Phrases with a gap are left out. Raises KeyError for a name that no language knows.
    """
    found: list[str] = []
    for name in names:
        known = [language for language in list_languages() if name in _load_words(language)]
        if not known:
            raise KeyError(name)
        for language in known:
            phrases = spell_out(_load_words(language)[name], load_lists(language))
            found += (" ".join(words) for words in phrases if "*" not in words)
    ordered = sorted(dict.fromkeys(found), key=len, reverse=True)
    return Cues(re.escape(phrase).replace(r"\~", r"\w*") for phrase in ordered)


@cache
def _load_words(language: str) -> dict[str, str]:
    words = load_table(language, "words").items()
    return load_lists(language) | {name: str(entries) for name, entries in words}


@cache
def load_months() -> Mapping[str, int]:
    """Return the number of each month, from 1, by its names and abbreviations in all languages."""
    tables = (load_table(language, "months") for language in list_languages())
    return {name: int(number) for table in tables for name, number in table.items()}
