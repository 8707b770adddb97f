"""The rules of a library as quotes are looked up in them: in force, and not in force."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from itertools import takewhile

from core.grammar import Sentence, candidate_numbers, canonical_number, strip_marker
from core.library import Document, Library, Outline, article_steps, find_families
from core.quotes.types import RulePlace
from core.quotes.wordings import NearestWords, Wording, fold_words, normalize_typography
from core.registers import find_kept_sentences
from core.rulebook import Clause

_NAME = r"(?:[A-ZÀ-ÖØ-Þ][\w’'®-]*\s+){1,6}[A-ZÀ-ÖØ-Þ][\w’'®-]*"
_DATED_NAME = re.compile(
    rf"\b(?:(?:19|20)\d\d\s+(?P<after>{_NAME})|(?P<before>{_NAME})\s+(?:19|20)\d\d\b)"
)
"""Capitalized words behind a year, or before one."""
MIN_LIKENESS = 0.55
"""From here on the words of a quote are those of a rule that were altered. In
`tests/benchmarks/quotes.py`, quotes with one change are above it, invented ones below."""
_COMPARED = 12
"""Places of all texts that are compared with a quote word by word: 600 quotes that lack a word take
9 s (`tests/benchmarks/quotes.py --growth`)."""
_MAX_PARTS = 40
"""Parts of a quote, between its elisions; what has more is no quote of a rule."""
_QUOTABLE = ("cover", "footnote")
"""Kinds of texts that are no rules and can be quoted all the same."""


_NOTE_MARK = re.compile(r"(\d\s?[^\W\d_]{0,3})?([⁰¹²³⁴-⁹ᵃ-ᶻⁱⁿˡˣʰʲʳˢʷʸ]+)")
"""A small sign, with the number and unit before it: there it is a power."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A quote found word for word: its clause, and the words left out where it has elisions."""

    place: RulePlace
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuotableTexts:
    """One document: `clauses` in reading order, with texts that are no rules and can be quoted."""

    document: Document
    clauses: Sequence[Clause]
    _families: dict[str, list[Clause]] = field(default_factory=dict)

    @cached_property
    def in_force(self) -> tuple[Wording, ...]:
        """All words with numbers and titles; the texts alone without the marks of items, and those
        with footnotes without the marks of these too.
        """
        live = {n: c for n, c in enumerate(self.clauses) if c.status in ("in_force", "no_rule")}
        whole = [
            _join_texts(c.article if not c.part else "", c.title, c.text, c.footnotes)
            for c in live.values()
        ]
        bare = ["\n".join(map(strip_marker, c.text.splitlines())) for c in live.values()]
        noted = {
            n: _strip_note_marks(text, live[n].footnotes)
            for n, text in zip(live, bare, strict=True)
            if live[n].footnotes
        }
        return Wording(whole, [*live]), Wording(bare, [*live]), Wording([*noted.values()], [*noted])

    @cached_property
    def lapsed(self) -> tuple[Wording, ...]:
        """What is struck out or not in force yet."""
        texts: list[str] = []
        owners: list[int] = []
        for n, clause in enumerate(self.clauses):
            if clause.status in ("deleted", "future"):
                texts.append(_join_texts(clause.title, clause.text))
            texts += clause.deleted
            owners += [n] * (len(texts) - len(owners))
        return (Wording(texts, owners),)

    @property
    def all_wordings(self) -> tuple[Wording, ...]:
        return (*self.in_force, *self.lapsed)

    @cached_property
    def _by_number(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for n, clause in enumerate(self.clauses):
            if clause.article:
                numbers.setdefault(canonical_number(clause.whole_article), []).append(n)
        return numbers

    def find_article(self, number: str) -> list[Clause]:
        """Return the clauses with a number, or with that of which it names a part."""
        for candidate in candidate_numbers(number):
            if found := self._by_number.get(candidate):
                return [self.clauses[n] for n in found]
        return []

    def find_with_descendants(self, number: str) -> list[Clause]:
        """Return the clauses in force with a number, and those below them."""
        if number not in self._families:
            found = self.find_article(number)
            outline = Outline(self.clauses)
            below = (one for clause in found for one in outline.list_branch(clause)[1:])
            self._families[number] = [c for c in (*found, *below) if c.status == "in_force"]
        return self._families[number]

    def occurrences(
        self, parts: Sequence[str], wordings: Sequence[Wording]
    ) -> Iterator[Occurrence]:
        """Yield where the parts of a quote stand in one article, in order; parts are letters."""
        for wording in wordings if len(parts) <= _MAX_PARTS else ():
            for word in wording.find(parts[0]):
                if found := self._follow(wording, word, parts):
                    yield found

    def _follow(self, wording: Wording, word: int, parts: Sequence[str]) -> Occurrence | None:
        end_letter = wording.offsets[word] + len(parts[0])
        left_out = []
        last = wording.offsets.index(end_letter, word)
        limit = wording.offsets[self._article_end(wording, word)] if len(parts) > 1 else 0
        for part in parts[1:]:
            following = wording.find_next(part, end_letter, limit)
            if following is None:
                return None
            left_out.append(wording.excerpt(last, following))
            end_letter = wording.offsets[following] + len(part)
            last = wording.offsets.index(end_letter, following)
        return Occurrence(self.place_words(wording, word, last), tuple(left_out))

    def _article_end(self, wording: Wording, word: int) -> int:
        """Return the word behind the last clause that has the same article above it."""
        owner = wording.owner_of(word)
        home = article_steps(self.clauses[owner].article)
        home = home[: max(len(home) - 1, 1)]
        following = wording.owners[wording.owners.index(owner) :]
        owners = takewhile(
            lambda n: article_steps(self.clauses[n].article)[: len(home)] == home, following
        )
        return wording.words_of(owners)[1]

    def place_words(self, wording: Wording, first: int, last: int) -> RulePlace:
        clause = self.clauses[wording.owner_of(first)]
        return RulePlace(self.document, clause, wording.excerpt(first, last))

    def list_near(
        self, words: Sequence[str], wordings: Sequence[Wording], clauses: Iterable[Clause] = ()
    ) -> Iterator["NearPlace"]:
        """Yield the places that may hold a quote, of some clauses where these are given."""
        wanted = {clause.clause_id for clause in clauses}
        owners = [n for n, clause in enumerate(self.clauses) if clause.clause_id in wanted]
        for wording in wordings:
            span = wording.words_of(owners) if wanted else None
            for window in wording.list_windows(words, span):
                yield NearPlace(self, wording, window)


@dataclass(frozen=True, slots=True)
class NearPlace:
    """Words of a rule among which a quote may be."""

    texts: QuotableTexts
    wording: Wording
    window: NearestWords


def find_nearest(words: Sequence[str], places: Iterable[NearPlace]) -> RulePlace | None:
    """Return the words of a rule that are most like a quote's; None where they are not alike."""
    likeliest = nlargest(_COMPARED, places, key=lambda one: one.window.likeness)
    aligned = (
        (one.wording.align(words, one.window.first, one.window.last), one) for one in likeliest
    )
    found, near = max(aligned, key=lambda pair: pair[0].likeness, default=(None, None))
    if not found or not near or found.likeness < MIN_LIKENESS:
        return None
    return near.texts.place_words(near.wording, found.first, found.last)


class RuleTexts:
    """The texts of a library's documents, each read when it is first looked at."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.documents = library.documents()
        self._texts: dict[str, QuotableTexts] = {}
        self._kept: dict[str, Mapping[str, Sentence]] = {}

    def of(self, document: Document) -> QuotableTexts:
        """Return the texts of a document. Raises LibraryError."""
        key = document.document_id
        if key not in self._texts:
            others = (c for c in self.library.other_texts(key) if c.kind in _QUOTABLE)
            self._texts[key] = QuotableTexts(document, (*self.library.clauses(key), *others))
        return self._texts[key]

    @cached_property
    def rulings(self) -> list[QuotableTexts]:
        """The rulings of the library, by document. Raises LibraryError."""
        every = self.library.list_every_document()
        return [
            QuotableTexts(one, [c for c in self.library.other_texts(one.document_id) if c.ruling])
            for one in every
            if one.interprets
        ]

    def find_sentences(self, clause_id: str) -> Mapping[str, Sentence]:
        """Return the sentences of a clause as kept with its document; not all may be kept."""
        if clause_id not in self._kept:
            self._kept[clause_id] = find_kept_sentences(self.library, clause_id)
        return self._kept[clause_id]

    def is_title(self, words: Iterable[str]) -> bool:
        """True of words that are all in the title of a document: its name, not a quote."""
        wanted = {word.word for word in fold_words(normalize_typography(" ".join(words)))}
        labels = (fold_words(normalize_typography(one.label)) for one in self.documents)
        return any(wanted <= {word.word for word in label} for label in labels)

    def find_unheld_name(self, words: str) -> str | None:
        """Return the first name beside a year that is of a rulebook which the library lacks.

        "2019 Harbour Regatta Regulations" ends as their titles do, and has words of none of them.
        What is all capitals may be short for a title.
        """
        last_words, known = self._title_words
        for match in _DATED_NAME.finditer(words):
            name = match["after"] or match["before"]
            full = " ".join(word for word in name.split() if not word.isupper())
            own = [word.word for word in fold_words(full)]
            is_rulebook = bool(own) and own[-1] in last_words
            is_other = not known.issuperset(own)
            if is_rulebook and is_other and not find_families(name, self.documents):
                return match[0]
        return None

    @cached_property
    def _title_words(self) -> tuple[frozenset[str], frozenset[str]]:
        """What titles end in, years aside ("regulations"), and all words of titles and families."""
        titles = (fold_words(one.title) for one in self.documents)
        words = ([word.word for word in title if not word.word.isdigit()] for title in titles)
        texts = (f"{one.title} {one.family or ''}".replace("-", " ") for one in self.documents)
        known = frozenset(word.word for text in texts for word in fold_words(text))
        return frozenset(title[-1] for title in words if title), known

    def stands_anywhere(self, parts: Sequence[str]) -> bool:
        """True where a document has the parts of a quote, in force."""
        return any(
            next(texts.occurrences(parts, texts.in_force), None)
            for texts in map(self.of, self.documents)
        )

    def holds_article(self, number: str) -> bool:
        """True where a document has an article of this number."""
        return any(self.of(document).find_article(number) for document in self.documents)


def _join_texts(*parts: str | Sequence[str]) -> str:
    texts = (part if isinstance(part, str) else "\n".join(part) for part in parts)
    return normalize_typography("\n".join(filter(None, texts)))


def _strip_note_marks(text: str, footnotes: Sequence[str]) -> str:
    """Return a text without the marks of its footnotes: whoever quotes a rule leaves them out."""
    marks = {note.split()[0] for note in footnotes if note.strip()}

    def strip(found: re.Match[str]) -> str:
        is_mark = not found[1] and normalize_typography(found[2]) in marks
        return "" if is_mark else found[0]

    return _NOTE_MARK.sub(strip, text)
