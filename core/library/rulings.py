"""Rulings tied to the articles that they name, through the editions of what they interpret.

An article is looked up in the edition that was in force on the ruling's day, and followed to other
editions by its stable id. What is not there is unresolved: no neighbour is taken for it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.choices import LinkState
from core.grammar import candidate_numbers, canonical_number, split_reference
from core.library.article_path import article_key, article_steps
from core.library.ingestion.ingest import interpret_rulebooks
from core.library.lineage.records import recall_lineage
from core.library.retrieval.query_filters import find_families, find_missing_series
from core.library.spelling import squeeze_text
from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import Clause

_LETTERED = re.compile(r"\b[A-Z]{1,3} ?\d{1,3}(?:\.\d{1,3})+\b")
_TABLE = re.compile(r"\b(?:Table|Tab\.|Tabelle|Tableau)\s?(\d{1,3})\b")
_CAPTION = re.compile(r"(?m)^(?:\|\s)?(?:Table|Tabelle|Tableau)\s(\d{1,3})\s*[:.–—-]")
"""The title of a table, in the clause that it is printed in."""
_RULES = r"(?:rules|rulebook|regulations|season|Regeln|Regelwerks?|Reglements?|Saison)"
_SEASON = rf"(?:(20\d\d)(?:er)?\s(?:\w+\s)?{_RULES}|{_RULES}\s(?:\w+\s)?(20\d\d))"
_WITHIN = r"[^\w.;!?\n]"
"""A sign that ends no sentence."""
_SEASON_BEHIND = re.compile(
    rf"{_WITHIN}{{0,2}}(?:(?:of|in|from|by|der|des|im|aus)\s)?(?:the\s)?"
    rf"(?:[A-Z]\w+\s){{0,4}}?{_SEASON}"
)
_SEASON_BEFORE = re.compile(rf"{_SEASON}{_WITHIN}{{1,2}}(?:(?:Article|Rule|Regel|Artikel)\s)?$")
"""A season that says which rulebook a number is of: "T 2.3.1 of the 2020 rules"."""
_KINDS = ("sporting", "technical", "financial", "operational", "general")


@dataclass(frozen=True, slots=True)
class RulingLink:
    """An article that a ruling names, and the clauses that bear its number in one edition."""

    ruling: Clause
    reference: str
    state: LinkState
    clauses: tuple[Clause, ...] = ()
    edition: Document | None = None
    is_dated: bool = False
    """True where that edition was in force on the ruling's day."""

    @property
    def is_subject(self) -> bool:
        return self.ruling.ruling is not None and self.reference in self.ruling.ruling.subjects


@dataclass(frozen=True, slots=True)
class ClauseRuling:
    """A ruling on a clause. It says how a rule is meant, and is none."""

    ruling: Clause
    document: Document
    """The document of rulings that holds it."""
    articles: tuple[str, ...]
    """As it names the clause: "34.7", "34.7d)"."""
    is_subject: bool
    """True where a field of its own names the clause as what it is about."""
    edition: Document
    """That in which the articles were looked up."""
    has_changed: bool | None
    """True where the clause had other words then; None where the edition of that day is unknown."""

    @property
    def day(self) -> str | None:
        """Its ISO date."""
        return _day_of(self.ruling, self.document)

    @property
    def source(self) -> str:
        """Where it is from, in its own words and by its document."""
        own = self.ruling.ruling.source if self.ruling.ruling else ""
        return ", ".join(filter(None, (own, self.document.label)))


@dataclass(frozen=True, slots=True)
class _Book:
    """An edition of a rulebook that is interpreted, its clauses in force by their numbers."""

    document: Document
    is_dated: bool
    by_key: Mapping[str, Sequence[Clause]]


class Rulings:
    """The rulings that a library holds. Every method raises LibraryError."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def find_on(self, clause: Clause) -> tuple[ClauseRuling, ...]:
        """Return the rulings on a clause, whatever its number was then, the newest first."""
        own = self._library.document(clause.document_id)
        editions = {one.document_id for one in self._library.list_editions(own)}
        found = [
            _describe(document, clause, links)
            for document in self._library.list_every_document()
            if editions.intersection(document.interprets)
            for links in _group_links(self._library, document, own, clause).values()
        ]
        return tuple(sorted(found, key=lambda one: one.day or "", reverse=True))

    def list_links(self, document: Document) -> tuple[RulingLink, ...]:
        """Return all articles that the rulings of a document name, in order."""
        return _link(self._library, self._library.state, document)

    def interpret(self, document_id: str, interprets: Sequence[str], by: str = "") -> Document:
        """Read a document again as one of rulings on rulebooks, given by their ids.

        Without any it is read as a rulebook. Raises ReadError and SheetError where it cannot be
        read so; then nothing is changed.
        """
        return interpret_rulebooks(self._library, document_id, interprets, by)


@lru_cache(maxsize=64)
def _link(library: Library, _state: str, document: Document) -> tuple[RulingLink, ...]:
    """Link the rulings of a document; another state of the library invalidates the cache."""
    with library.pin_state():  # it is asked for each ruling
        held = {one.document_id: one for one in library.documents()}
        interpreted = [held[one] for one in document.interprets if one in held]
        rulings = [one for one in library.other_texts(document.document_id) if one.ruling]
        return tuple(
            link
            for ruling in rulings
            for link in _RulingReader(library, document, interpreted, ruling).links()
        )


class _RulingReader:
    """The articles that one ruling names, in the rulebooks that its document interprets."""

    def __init__(
        self,
        library: Library,
        document: Document,
        interpreted: Sequence[Document],
        ruling: Clause,
    ) -> None:
        assert ruling.ruling is not None
        self._library = library
        self._held, self._ruling, self._ranges = library.documents(), ruling, ruling.ruling.ranges
        day = _day_of(ruling, document)
        books = (_open_book(library, one, day) for one in interpreted)
        by_rulebook = {book.document.family or book.document.document_id: book for book in books}
        self._books = [*by_rulebook.values()]
        self._named = {
            canonical_number(number): name
            for number, name in map(split_reference, ruling.references)
            if name
        }

    def links(self) -> Iterator[RulingLink]:
        for reference in (*self._ruling.references, *self._find_lettered()):
            number, name = split_reference(reference)
            if name is None and canonical_number(number) in self._named:
                name = self._named[canonical_number(number)]
            books = self._choose_books(name)
            if season := self._find_season(number, name):
                books = [one for book in books if (one := self._turn_to(book, season))]
            found = [(book, clauses) for book in books if (clauses := _look_up(book, number))]
            if len(found) == 1:
                [(book, clauses)] = found
                clauses = (*clauses, *self._list_range(book, number))
                yield RulingLink(
                    self._ruling, reference, "found", clauses, book.document, book.is_dated
                )
            else:
                state: LinkState = "ambiguous" if found else "elsewhere"
                if not found and (books or (name is None and not season)):
                    state = "missing"
                yield RulingLink(self._ruling, reference, state)

    def _find_lettered(self) -> Iterator[str]:
        """Yield what is an article because a rulebook has it: "T 13.3" in a text of its own, the
        title of a table.
        """
        tables = [f"Table {number}" for number in _TABLE.findall(self._ruling.text)]
        numbers = dict.fromkeys(
            [*map(canonical_number, _LETTERED.findall(self._ruling.text)), *tables]
        )
        known = {canonical_number(split_reference(one)[0]) for one in self._ruling.references}
        for number in numbers:
            if number not in known and any(_look_up(book, number) for book in self._books):
                yield number

    def _find_season(self, number: str, name: str | None) -> int | None:
        """Return the season that the ruling names beside a number, or in its document's name."""
        named = re.search(r"\b20\d\d\b", name or "")
        if named:
            return int(named[0])
        printed = r"\s?".join(map(re.escape, number.replace(" ", "")))
        text = self._ruling.text
        for found in re.finditer(rf"(?<![\w.]){printed}(?![\d(]|\.\d)", text):
            before = text[max(0, found.start() - 60) : found.start()]
            season = _SEASON_BEHIND.match(text, found.end()) or _SEASON_BEFORE.search(before)
            if season:
                return int(season[1] or season[2])
        return None

    def _turn_to(self, book: _Book, season: int) -> _Book | None:
        """Return the edition of a season: the book itself, or else the newest that is held."""
        if book.document.season == season:
            return book
        editions = self._library.list_editions(book.document)
        held = [one for one in editions if one.season == season]
        if not held:
            return None
        return _Book(held[-1], True, _index_clauses(self._library, self._library.state, held[-1]))

    def _choose_books(self, name: str | None) -> list[_Book]:
        """Return the rulebooks that a reference can mean; none of them where it names another."""
        if name is None:
            return self._books
        words = set(name.casefold().split())
        if len(words - {"the", "these", "this"}) == 1:  # "of these Regulations"
            return [
                book for book in self._books if words & set(book.document.title.casefold().split())
            ]
        if find_missing_series(name, self._held):
            return []
        families = find_families(name, self._held)
        kinds = {kind for kind in _KINDS if kind in words}
        return [
            book
            for book in self._books
            if book.document.family in families
            and kinds <= set((book.document.family or "").split("-"))
        ]

    def _list_range(self, book: _Book, first: str) -> Iterator[Clause]:
        """Yield the clauses within the ranges that begin with a number, at its level."""
        begin, keys = article_key(first), [*book.by_key]
        for first_number, last_number in self._ranges:
            last = article_key(last_number)
            if article_key(first_number) == begin and {begin, last} <= book.by_key.keys():
                parent = article_steps(begin)[:-1]
                for key in keys[keys.index(begin) + 1 : keys.index(last)]:
                    if article_steps(key)[:-1] == parent and not key.startswith("table "):
                        yield from book.by_key[key]


def _open_book(library: Library, rulebook: Document, day: str | None) -> _Book:
    """Return the edition of a rulebook that was in force on a day, else the rulebook itself."""
    known = [one for one in library.list_editions(rulebook) if day and _is_in_force(one, day)]
    edition = known[-1] if known else rulebook
    return _Book(edition, bool(known), _index_clauses(library, library.state, edition))


def _is_in_force(document: Document, day: str) -> bool:
    """True where it was in force on a day; one whose days are unknown is of its season."""
    if document.date or document.valid_from:
        return document.is_in_force(day)
    return document.season == int(day[:4])


@lru_cache(maxsize=64)
def _index_clauses(
    library: Library, _state: str, document: Document
) -> Mapping[str, Sequence[Clause]]:
    """Return the clauses in force by number, parts by that of their article too."""
    found: defaultdict[str, list[Clause]] = defaultdict(list)
    for clause in library.clauses(document.document_id):
        if clause.status == "in_force" and clause.language in (None, document.language):
            tables = (f"Table {number}" for number in _CAPTION.findall(clause.text))
            for key in {*map(article_key, (clause.article, clause.whole_article, *tables))}:
                found[key].append(clause)
    return dict(found)


def _look_up(book: _Book, number: str) -> tuple[Clause, ...]:
    keys = map(article_key, candidate_numbers(number))
    return next((tuple(book.by_key[key]) for key in keys if key in book.by_key), ())


def _group_links(
    library: Library, document: Document, own: Document, clause: Clause
) -> Mapping[str, list[RulingLink]]:
    """Return the links to a clause, or to what it was in another edition, by ruling."""
    found: defaultdict[str, list[RulingLink]] = defaultdict(list)
    stable_id = None
    for link in _link(library, library.state, document):
        if link.edition is None or (link.edition.family or "") != (own.family or ""):
            continue
        if link.edition == own:
            meant = any(one.clause_id == clause.clause_id for one in link.clauses)
        else:
            lineage = recall_lineage(library, own)
            stable_id = stable_id or lineage.stable_id(clause.clause_id)
            meant = stable_id is not None and any(
                lineage.stable_id(one.clause_id) == stable_id for one in link.clauses
            )
        if meant:
            found[link.ruling.clause_id].append(link)
    return found


def _describe(document: Document, clause: Clause, links: Sequence[RulingLink]) -> ClauseRuling:
    edition = links[0].edition
    assert edition is not None
    words = {_squeeze_words(one) for link in links for one in link.clauses}
    return ClauseRuling(
        ruling=links[0].ruling,
        document=document,
        articles=tuple(dict.fromkeys(split_reference(link.reference)[0] for link in links)),
        is_subject=any(link.is_subject for link in links),
        edition=edition,
        has_changed=_squeeze_words(clause) not in words if links[0].is_dated else None,
    )


def _day_of(ruling: Clause, document: Document) -> str | None:
    return (ruling.ruling.day if ruling.ruling else None) or document.date


def _squeeze_words(clause: Clause) -> str:
    return squeeze_text(f"{clause.title}{clause.text}")
