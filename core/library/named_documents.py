"""The documents that a sentence names: this one, or another by its kind, series, words and year."""

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from core.grammar import list_words
from core.library.types import Document, series_tokens
from core.rulebook import NAMELESS_WORDS

_LISTED = "|".join(map(re.escape, list_words("above_documents", "below_documents")))
_KIND = rf"(?:{_LISTED}|(?<![\w-])[\w-]{{0,40}}(?:{'|'.join(list_words('compound_documents'))}))"
_OWN = re.compile(
    rf"\b(?:(?:this|these|diese[rmns]?|ce[st]?|cette|présente?s?)\s+(?:[\w-]+\s+)?"
    rf"(?:documents?|dokuments?|{_KIND})|hereby)\b",
    re.IGNORECASE,
)
_BODIES = "|".join(list_words("bodies_of_documents"))
_NAMED = re.compile(
    rf"\b((?:[A-ZÀ-Þ][\w-]*\s+){{0,5}})((?i:{_KIND}))\b(?!\s+(?i:{_BODIES})\b)"
    r"(?:(?:\s+(?:for|of|für|de))?\s+(20\d\d))?"
)
_OF = re.compile(
    r"\s+(?:of|for|für|des|der|du|de|d)\b['’]?"
    r"((?:\s*\b(?:of|the|de|du|des|la|le|les|l|d|der|die|das|den|[A-ZÀ-Þ][\w-]*)\b['’]?)+)"
)
"""What a document is for, or whose it is: "für den Studiengang Chemie", "of the Polo League"."""
_TO = (
    r"(?:\s+\(?(?:\S{1,3}\s?)?[\dA-Z]+\)?)?"
    r"\s+(?:to|of|zu[rm]?(?:\s+den)?|der|des|aux?|du|de)\s*(?:the\s+|la\s+|l['’])?$"
)
TITLE_OF_CHANGE = re.compile(
    rf"\b(?:(?P<amending>{'|'.join(list_words('amending_title'))})"
    rf"|{'|'.join(list_words('adding_title'))}){_TO}",
    re.IGNORECASE,
)
"""What stands in a title before the name of another document: "Avenant n° 1 au"."""
_SIGNS = re.compile(r"[®™©]")
_WORD = re.compile(r"[\w-]+")
_SHORT = 4  # letters of a word that may tell one document from another
_COMMON = frozenset((*list_words("above_documents", "below_documents"), "formula", "student"))
"""Words that are no series' own."""
_ARTICLES = frozenset("the this these der die das dem den des le la les".split())


class DocumentName(NamedTuple):
    """Where a sentence names a document."""

    start: int
    end: int
    document: Document


def find_named_documents(
    sentence: str, document: Document, documents: Sequence[Document]
) -> list[DocumentName]:
    """Return where a sentence of a document names that itself, or others, in order."""
    own = [DocumentName(*match.span(), document) for match in _OWN.finditer(sentence)]
    found = list(own)
    for match in _NAMED.finditer(sentence):
        if not any(one.start <= match.start(2) < one.end for one in own):
            meant = _find_meant(match, document, documents)
            found += [DocumentName(*match.span(), one) for one in meant]
    return sorted(found, key=lambda one: one.start)


def drop_signs(sentence: str) -> str:
    """Return a sentence without the signs of trade marks: "Formula SAE® Rules"."""
    return _SIGNS.sub("", sentence)


def _find_meant(
    match: re.Match[str], document: Document, documents: Sequence[Document]
) -> list[Document]:
    """Return the documents that a name means: "the FSA rules", “Rules 2020”, "the handbook".

    They are of the season that is named, else of the document's own. Where the library has none of
    these, it is an earlier one, if just one fits.
    """
    season, year = document.season, match[3] and int(match[3])
    words = _words(match[1]) - _ARTICLES
    is_own = bool(words & _own_words(document))  # "the FSA rules" in a handbook of that series
    near = (year,) if year else (season, None)
    at_hand = [one for one in documents if one.season in near or not (year or season)]
    named = _match_name(match, at_hand, documents)
    if not (named or _is_vague(match, is_own)) and season and year in (None, season):
        named = _match_earlier(match, season, documents)
    if not named and is_own:
        return [document]
    return [one for one in named if one != document] or named


def _is_vague(match: re.Match[str], is_own: bool) -> bool:
    """True of a kind of document alone, and of one of a series written small: "the FSA rules"."""
    is_told = _words(match[1]) - _ARTICLES or _words_behind(match)
    return match[2].islower() and (is_own or not is_told)


def _match_earlier(
    match: re.Match[str], season: int, documents: Sequence[Document]
) -> list[Document]:
    """Return the one document of earlier seasons that a name fits; none of several."""
    earlier = [one for one in documents if one.season and one.season < season]
    found = _match_name(match, earlier, documents)
    return found if len(found) == 1 else []


def _match_name(
    match: re.Match[str], at_hand: Sequence[Document], documents: Sequence[Document]
) -> list[Document]:
    """Return those at hand with the words of a name: the series decides, else kind and title.

    Words that are of the title of any of the `documents` have to be of theirs: "Sporting" of "FIA
    Sporting Regulations".
    """
    words = _words(match[1]) - _ARTICLES
    kind = re.compile(rf"(?i)\b{re.escape(match[2])}\b")
    titles = {one: _words(_bare_title(one.title)) | _own_words(one) for one in documents}
    told = (words | _words_behind(match)) & frozenset[str]().union(*titles.values())
    of = _OF.match(match.string, match.end())
    names = _WORD.findall(of[1]) if of else ()
    owners = {word.casefold() for word in names if word[0].isupper()}
    fitting = [
        one
        for one in at_hand
        if kind.search(_bare_title(one.title)) and told <= titles[one]
        if _has_owners(owners, titles[one], match[2])
    ]
    named = [one for one in fitting if words & _own_words(one)]
    # A name whose words are not of the title is that of another document.
    return named or [one for one in fitting if words <= titles[one]]


@lru_cache(maxsize=4_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(drop_signs(text)))


@lru_cache(maxsize=4_000)
def _bare_title(title: str) -> str:
    """Return a title without the name of another document: "Erste Satzung zur Änderung"."""
    for match in _NAMED.finditer(title):
        if TITLE_OF_CHANGE.search(title[: match.start()]):
            return title[: match.start()]
    return title


def _own_words(document: Document) -> set[str]:
    """Return the words of a document's series, by its family."""
    return set(series_tokens(document.family or "")) - NAMELESS_WORDS - _COMMON


def _words_behind(match: re.Match[str]) -> set[str]:
    """Return the word behind the kind, which may be of the name: "règlement intérieur"."""
    behind = re.match(r"\s+([\w-]+)", match.string[match.end(2) :])
    word = behind[1].casefold() if behind else ""
    return {word} - _COMMON if len(word) >= _SHORT and not word.isdecimal() else set()


def _has_owners(owners: Set[str], title: Set[str], kind: str) -> bool:
    """True where a title has the words that say whose a document is, or no words of its own."""
    own = [word for word in title - _COMMON - {kind.casefold()} if not word.isdecimal()]
    return not own or all(any(one.rstrip("s") in word for word in own) for one in owners)
