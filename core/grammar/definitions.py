"""Definitions: the term whose meaning a question asks for, and what of a clause defines a term.

A term is known by its stems. What defines it is known by its form: an entry of a list of terms, a
clause below the heading "Definitions", a row of a table, a sentence whose subject is the term, or a
name in brackets behind what it is for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal, Self

from core.grammar.cues import list_cues
from core.grammar.numbering import find_article_numbers
from core.grammar.passages import mark_kind, split_cells, strip_item_mark
from core.grammar.quantities import AMOUNTS
from core.grammar.references import GLOSSARY_TITLE
from core.grammar.sentences import split_sentences
from core.grammar.stems import stem_content_words, stem_words
from core.grammar.vocabulary import STOP_WORDS, VOCABULARY, any_word, list_words

MAX_TERM_WORDS = 8
"""The words of a longer term are a question of their own: of the 60 that are defined in
tests/benchmarks/questions/definitions.csv the longest have four."""
MAX_BARE_WORDS = 4
"""The same where only "what is" asks for it: as many as the longest of these 60 have."""
_QUOTED = re.compile(r"[\"“”„«‘]\s?(?P<term>[^\"“”„«»‘’]{2,80}?)\s?[\"“”»’]")
_TERM_OF = itemgetter("term")
_OPENING_MARKS = ('"', "“", "„", "«", "‘")
_PLURAL = re.compile(r"(?<=[A-Z0-9])s\b")
_WITHIN_NAMES = frozenset(list_words("within_names"))
_DETERMINERS = frozenset(list_cues("determiner")) - {""}
_LEADING = re.compile(rf"(?i)^(?:(?:{list_cues('determiner').any}|l['’])(?:\s+|(?<=['’])))+")
_DEFINITE = re.compile(rf"(?i)^(?:{any_word('definite')})\b")


def _compile(forms: Sequence[str], rest: str) -> re.Pattern[str]:
    """Return what finds a term in one of some forms, with what may be said behind it."""
    fitting = "|".join(form.replace("{}", "(.{2,80}?)") for form in forms)
    return re.compile(
        rf"(?is)\W*(?:please,?\s+)?(?:{fitting})(?:\s+{rest})?[\s?.!,]*(?:please)?[\s?.!]*"
    )


_ASKED = _compile(VOCABULARY["meaning"]["asked"], rf"(?:{any_word('in_document')})\b.*")
_OR_MORE = _compile(
    VOCABULARY["meaning"]["or_more"],
    rf"(?:{any_word('in_document')})(?:\s+(?:{any_word('definite')}))?",
)
_SAID_OF_THINGS = stem_words(" ".join((*list_words("said_of_things"), *AMOUNTS.nouns)))


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """A term that a question asks for, without its determiner.

    The `form` is "meaning" where its meaning is asked for, "thing" where a thing is ("What is a
    plenum?"), "certain" where a certain one or its value may be ("What is the wheelbase?").
    """

    term: str
    form: Literal["meaning", "thing", "certain"]

    @classmethod
    def find(cls, question: str) -> Self | None:
        """Return the term whose meaning a question asks for; None where it asks otherwise."""
        asked = _ASKED.fullmatch(question)
        match = asked or _OR_MORE.fullmatch(question)
        if match is None:
            return None
        said = next(filter(None, match.groups())).strip()
        quoted = _QUOTED.search(said)
        term = _PLURAL.sub("", quoted["term"] if quoted else _LEADING.sub("", said))
        if len(term.split()) > MAX_TERM_WORDS or not stem_content_words(term):
            return None
        if asked:
            return cls(term, "meaning")
        is_sure = quoted or not (_DEFINITE.match(said) or stem_words(term) & _SAID_OF_THINGS)
        return cls(term, "thing" if is_sure and (quoted or _is_name(term)) else "certain")


@dataclass(frozen=True, slots=True)
class Definition:
    """Words that define a term, as they are printed; the lower the rank, the surer.

    0: an entry of a list of terms; 1: a sentence that defines its subject; 2: a name in passing, or
    a clause that has the term as its title and in quotation marks;
    3: a sentence on what its subject is; 4: the same of a part of its subject; 5: one that only
    says where the definition is.
    """

    words: str
    rank: int


def _is_name(term: str) -> bool:
    """True of words that may be a term: none but "of" is a stop word, none a determiner."""
    words = term.casefold().split()
    kept = [word for word in words if word not in _WITHIN_NAMES] or words
    joins = STOP_WORDS | _DETERMINERS
    return len(kept) <= MAX_BARE_WORDS and (len(kept) == 1 or not joins.intersection(kept))


def stem_term(words: str) -> frozenset[str]:
    """Return the stems of a term, without determiners and stop words where others are left.

    Words joined by a hyphen are as many words, however the term is written elsewhere.
    """
    every = stem_words(words.replace("-", " "))
    return every - _UNSAID or every


_UNSAID = stem_words(" ".join((*STOP_WORDS, *_DETERMINERS)))
_BRACKETS = re.compile(r"\(([^()]*)\)")
_OTHER_FORM = re.compile(rf"\s[–—-]\s|\s*[\"”’»]?\s+(?:{any_word('joining')})\s+(?=[\"“‘«])|\s/\s")
_BEHIND_NAME = re.compile(rf"(?i)\s(?:{any_word('behind_names')})\s")
_PREAMBLE = re.compile(rf"(?i)^(?:{any_word('before_definitions')})\b[^,:]{{3,90}},\s+(?=\S)")
_MEANS = rf"\b(?:(?:{any_word('may_define')})\s+)?(?:{any_word('defining_verbs')})(?!\w)"
_COPULA = rf"(?:{list_cues('copula').any})\s+(?:{list_cues('determiner').any}|one)"
_IS = rf"\b(?:{list_cues('definition').any}|{_COPULA})(?!\w)"
_SUBJECT = r"^\W{0,3}(?P<term>[^:;|]{1,100}?)[\"”’»]?(?:\s*,[^,]{3,60},)?\s*"
_ENTRY = re.compile(rf"{_SUBJECT}(?::(?!\d)|\s[–—-]\s)(?=\s*\S)")
_DEFINED = re.compile(rf"(?i){_SUBJECT}(?:{_MEANS})")
_SAID = re.compile(rf"(?i){_SUBJECT}(?:{_IS})")
_MEANT_BY = re.compile(
    rf"(?i)^(?:{any_word('meant_by')})\s+(?P<term>.{{2,80}}?)\s+"
    rf"(?:{any_word('behind_meant')})\b"
)
_BRACKETED = re.compile(r"\((?P<said>[^()]{0,40}?[\"“„«‘][^()]{2,90})\)")
_NAMED = re.compile(
    rf"(?i)\b(?:{any_word('named_as')})\s+(?:(?:\w+\s+){{0,3}}[\"“„«‘](?P<quoted>[^\"”»’]{{2,60}})"
    r"[\"”»’]|(?P<plain>[^.,;:()\n]{2,40}?)"
    rf"(?=[).,;:]|\s+(?:{any_word('behind_named')})\b|$))"
)

_ELSEWHERE = re.compile(rf"(?i)\b(?:{any_word('defined_elsewhere')})\b")
_CLOSING = re.compile(r"['’](?!\w)")
_LEADS = re.compile(rf"(?:[:—–-]|\b(?:{any_word('leading')}))\s*$")


def find_definition(
    term: frozenset[str], title: str, text: str, headings: Sequence[str] = ()
) -> Definition | None:
    """Return what of a clause defines a term, the surest of it; None where nothing does.

    `term` is as `stem_term` gives it, `headings` are those above the clause.
    """
    is_listed = any(map(GLOSSARY_TITLE.search, (title, *headings)))
    lines = text.splitlines(keepends=True)
    found = [
        Definition("".join(lines[number : _find_end(lines, number)]).strip(), rank)
        for number, line in enumerate(lines)
        if (rank := _rank_line(term, line.strip(), is_listed)) is not None
    ]
    if text and _is_term(title, term):
        is_quoted = any(_is_term(one, term) for one in map(_TERM_OF, _QUOTED.finditer(text)))
        found += [Definition(text, 0)] if is_listed else [Definition(text, 2)] * is_quoted
    graded = (replace(one, rank=5) if _points_on(one.words) else one for one in found)
    return min(graded, key=lambda one: one.rank, default=None)


def _points_on(words: str) -> bool:
    """True of up to 40 words that only name the article which defines a term."""
    is_short = len(words.split()) <= 40
    return is_short and bool(_ELSEWHERE.search(words) and find_article_numbers(words))


def _rank_line(term: frozenset[str], line: str, is_listed: bool) -> int | None:
    """Return how surely a line defines a term; None where it does not."""
    if not term <= stem_words(_CLOSING.sub(" ", line)):
        return None
    if line.startswith("|"):
        cells = split_cells(line)
        return 0 if is_listed and any(_is_term(cell, term) for cell in cells[:-1]) else None
    return min(_list_ranks(term, strip_item_mark(line), is_listed), default=None)


def _list_ranks(term: frozenset[str], line: str, is_listed: bool) -> Iterator[int]:
    if entry := _ENTRY.match(line):
        is_sure = is_listed or line.startswith(_OPENING_MARKS) or "“" in entry["term"]
        yield from _rank_subject(entry["term"], term, 0 if is_sure else 3)
    for sentence in split_sentences(line):
        said = _PREAMBLE.sub("", sentence)
        is_quoted = said.startswith(_OPENING_MARKS)
        if match := _DEFINED.match(said) or _MEANT_BY.match(said):
            yield from _rank_subject(match["term"], term, 0 if is_quoted or is_listed else 1)
        if match := _SAID.match(said):
            yield from _rank_subject(match["term"], term, 0 if is_quoted else 3)
    if any(_is_term(words, term) for words in _list_names(line)):
        yield 2


def _list_names(line: str) -> Iterator[str]:
    """Yield what a line gives a name to in passing, or in brackets behind what it is for."""
    for named in _NAMED.finditer(line):
        yield named["quoted"] or named["plain"]
    for bracketed in _BRACKETED.finditer(line):
        yield from map(_TERM_OF, _QUOTED.finditer(bracketed["said"]))


def _rank_subject(subject: str, term: frozenset[str], rank: int) -> Iterator[int]:
    quoted = map(_TERM_OF, _QUOTED.finditer(subject))
    if any(_is_term(words, term) for words in (subject, *quoted)):
        yield rank
    elif _is_term(_BEHIND_NAME.split(subject, maxsplit=1)[0], term):
        yield max(rank, 4)


def _is_term(words: str, term: frozenset[str]) -> bool:
    """True of a term in one of its forms: "Tractive System – TS", "Testing of Cars (TC)"."""
    plain = _BRACKETS.sub(" ", words)
    forms = (plain, *_BRACKETS.findall(words), *_OTHER_FORM.split(plain))
    return any(stem_term(form) == term for form in forms if form.strip())


def _find_end(lines: Sequence[str], start: int) -> int:
    """Return where a definition ends that a line begins: behind the items that it leads to.

    A line without a mark that begins in lower case goes on with the sentence before it.
    """
    own, end = mark_kind(lines[start]), start + 1
    while end < len(lines) and lines[end][:1].islower() and not mark_kind(lines[end]):
        end += 1
    while _LEADS.search(lines[start]) and end < len(lines):
        if mark_kind(lines[end]) in (own, ""):
            break
        end += 1
    return end
