"""What a clause rests on: the clauses that it refers to, and those that define its terms."""

import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Literal

from lancedb import col, lit

from core.grammar import (
    GLOSSARY_TITLE,
    candidate_numbers,
    canonical_number,
    find_definition,
    split_reference,
    stem_term,
)
from core.library.article_path import article_key, is_at_or_below
from core.library.layers import Layers
from core.library.retrieval.query_expansion import content_words
from core.library.retrieval.query_filters import find_families
from core.library.retrieval.search import find_clauses
from core.library.storage.library import Library
from core.library.storage.schema import clauses_from_rows
from core.library.types import Document, Scope
from core.rulebook import Clause

_THIS_DOCUMENT = ("these ", "this ", "the present ")

ReferenceState = Literal["found", "missing", "not_held"]
OMISSION_MARK = "[…]\n"
"""Replaces left-out entries of a list of definitions."""
_BRACKETED = re.compile(r"\s*\(([^)]*)\)")
_SHORT = re.compile(
    r"[\"“](?P<term>[^\"”\n]{2,60})[\"”]\s*\((?:or|and) [\"“](?P<short>[^\"”\n]{2,20})[\"”]\)"
)
"""A short form after its term: “Lap Time Classified Session” (or “LTCS”)."""
_DEFINES_NOTHING = '"defines": []'  # in most stored records, which need not be parsed then


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """A reference and its clause; `not_held` if it names a document outside the scope."""

    reference: str
    state: ReferenceState
    clause: Clause | None = None


def resolve_references(
    library: Library, clause: Clause, scope: Scope
) -> tuple[ResolvedReference, ...]:
    """Resolve every reference of a clause, in order: to all clauses that bear its number.

    Raises LibraryError as `search.article`.
    """
    resolved = (
        _resolve(library, clause, reference, scope.documents) for reference in clause.references
    )
    return tuple(chain.from_iterable(resolved))


def _resolve(
    library: Library, clause: Clause, reference: str, documents: Sequence[Document]
) -> list[ResolvedReference]:
    number, name = split_reference(reference)
    own_section = ("", _section_letters(clause.article))
    elsewhere = name is None and _section_letters(number) not in own_section
    candidates = _documents_meant(clause, name, elsewhere, documents)
    for document in candidates:
        within = clause.article if document.document_id == clause.document_id else ""
        for spelling in candidate_numbers(number, within):
            if found := find_clauses(library, spelling, Scope((document,), "named")):
                return [ResolvedReference(reference, "found", target) for target in found]
    state: ReferenceState = "missing" if candidates and not elsewhere else "not_held"
    return [ResolvedReference(reference, state)]


def _documents_meant(
    clause: Clause, name: str | None, elsewhere: bool, documents: Sequence[Document]
) -> list[Document]:
    """Return the documents that a reference can mean, that of the clause first.

    They are of its season, or lie above or below it. One whose name is of no family, as people name
    it, is the other one of these that has its words in its title.
    """
    this_one = name is None or name.casefold().startswith(_THIS_DOCUMENT)
    if this_one and not elsewhere:
        return [document for document in documents if document.document_id == clause.document_id]
    layers = Layers(documents).every
    pairs = [{one.above.document_id, one.below.document_id} for one in layers]
    layered = {clause.document_id}.union(*(pair for pair in pairs if clause.document_id in pair))
    near = [one for one in documents if one.season == clause.season or one.document_id in layered]
    near.sort(key=lambda document: document.document_id != clause.document_id)
    if name is None:
        return near
    families, words = find_families(name, documents), content_words(name).keys()
    if of_family := [document for document in near if document.family in families]:
        return of_family
    titled = [one for one in near if words and words <= content_words(one.title).keys()]
    return [one for one in titled if one.document_id != clause.document_id]


def list_referring_clauses(
    library: Library, document: Document, changed: Collection[str]
) -> Iterator[tuple[Clause, tuple[str, ...]]]:
    """Yield each clause in force that refers to changed articles of a document, with those.

    Articles are given and yielded as numbers. A heading without text stands for all below it.
    Looked at are the document itself and those of its season that name its family.
    """
    own = {article_key(c.article): c for c in library.clauses(document.document_id)}
    numbers = {article_key(number): number for number in sorted(changed)}
    below = {
        key: [number for other, number in numbers.items() if is_at_or_below(other, key)]
        for key, clause in own.items()
        if not clause.text
    }
    changed_at = below | {key: [number] for key, number in numbers.items()}
    documents = library.documents()
    for other in documents:
        if other.season != document.season:
            continue
        is_own = other.document_id == document.document_id
        for clause in library.clauses(other.document_id):
            targets = [
                target
                for reference in clause.references
                if clause.status == "in_force"
                and (key := _find_key(reference, clause, document, own | numbers, documents))
                for target in changed_at.get(key, ())
                if not (is_own and target == clause.article)
            ]
            if targets:
                yield clause, tuple(dict.fromkeys(targets))


def _find_key(
    reference: str,
    clause: Clause,
    document: Document,
    known: Container[str],
    documents: Sequence[Document],
) -> str | None:
    """Return the key of the article of a document that a reference means, None for another's."""
    number, name = split_reference(reference)
    is_own = clause.document_id == document.document_id
    means_own = name is None or name.casefold().startswith(_THIS_DOCUMENT)
    if means_own != is_own:
        return None
    if name and not is_own and document.family not in find_families(name, documents):
        return None
    within = clause.article if is_own else ""
    keys = map(article_key, candidate_numbers(number, within))
    return next((key for key in keys if key in known), None)


def _section_letters(number: str) -> str:
    """Return the letters before a number: in B1.4, "C3.5" refers to another section."""
    return "".join(re.findall(r"^[A-Z]{0,3}(?=\.?\d)", canonical_number(number)))


def find_referring_clauses(
    library: Library,
    clause: Clause,
    scope: Scope,
) -> list[Clause]:
    """The clauses in a scope that refer to a clause, those of its own document first."""
    # Resolving references is slow: only a clause with this number in a reference can match.
    number = re.compile(rf"(?<![\w.]){re.escape(clause.article)}(?!\.?\d)")

    def refers_here(other: Clause) -> bool:
        return any(map(number.search, other.references)) and any(
            found.clause and found.clause.clause_id == clause.clause_id
            for found in resolve_references(library, other, scope)
        )

    documents = sorted(scope.documents, key=lambda d: d.document_id != clause.document_id)
    return [
        other
        for document in documents
        for other in library.clauses(document.document_id)
        if other.clause_id != clause.clause_id and refers_here(other)
    ]


def find_referring_by_number(library: Library, clause: Clause) -> Sequence[Clause]:
    """Return the clauses in force of the same document that refer to a clause by its number."""
    document = library.document(clause.document_id)
    referring = _clauses_by_reference(library, library.version, document)
    return referring.get(canonical_number(clause.article), ())


@lru_cache(maxsize=32)
def _clauses_by_reference(
    library: Library, _version: int, document: Document
) -> Mapping[str, Sequence[Clause]]:
    """Return the clauses in force of a document by the numbers in it that they refer to.

    Read once for each version of the library and state of the document: all its clauses are.
    """
    found: defaultdict[str, list[Clause]] = defaultdict(list)
    for clause in library.clauses(document.document_id):
        if clause.status == "in_force" and clause.text:
            split = map(split_reference, clause.references)
            for number in {canonical_number(number) for number, name in split if name is None}:
                found[number].append(clause)
    return dict(found)


@dataclass(frozen=True, slots=True)
class _Glossary:
    """A pattern of a document's terms, and the stored row that defines each."""

    pattern: re.Pattern[str]
    definers: Mapping[str, Mapping[str, str]]


def find_definitions(library: Library, clause: Clause, scope: Scope) -> tuple[Clause, ...]:
    """Return the clauses that define a clause's terms, each once, its own document's first.

    Other documents must be of its season; if both define a term, its own document's definition
    counts. `text` is cut to the entries of the terms used, where it is a list of entries.
    Raises LibraryError `unreadable`.
    """
    terms_used: dict[str, list[str]] = {}
    definers: dict[str, Clause] = {}
    seen: set[str] = set()
    near = [document for document in scope.documents if document.season in (None, clause.season)]
    for document in sorted(near, key=lambda other: other.document_id != clause.document_id):
        glossary = _glossary(library, library.version, document.document_id, clause.language)
        for term in dict.fromkeys(glossary.pattern.findall(clause.text)):
            if term not in seen:
                seen.add(term)
                row = glossary.definers[term]
                terms_used.setdefault(row["digest"], []).append(term)
                if row["digest"] not in definers:
                    [definers[row["digest"]]] = clauses_from_rows([row], scope.by_id)
    return tuple(
        _keep_entries(definer, terms_used[digest])
        for digest, definer in definers.items()
        if definer.clause_id != clause.clause_id
    )


@lru_cache(maxsize=256)
def _glossary(library: Library, _version: int, document_id: str, language: str | None) -> _Glossary:
    """Build the glossary of a document; the library's version invalidates the cache."""
    document = library.document(document_id)
    where = (col("document_id") == lit(document_id)) & (col("status") == lit("in_force"))
    rows = [row for row in library.tables.read_rows(where) if _DEFINES_NOTHING not in row["record"]]
    defining = [*zip(clauses_from_rows(rows, {document_id: document}), rows, strict=True)]
    # A list of definitions takes precedence over what another clause defines in passing.
    defining.sort(
        key=lambda pair: (
            not GLOSSARY_TITLE.search(" ".join((*pair[0].breadcrumb[-1:], pair[0].title)))
        )
    )
    definers: dict[str, Mapping[str, str]] = {}
    for clause, row in (pair for pair in defining if pair[0].language in (None, language)):
        shorts = [m["short"] for m in _SHORT.finditer(clause.text) if m["term"] in clause.defines]
        for term in _spellings([*clause.defines, *shorts]):
            definers.setdefault(term, row)
    any_of = "|".join(re.escape(term) for term in sorted(definers, key=len, reverse=True)) or "(?!)"
    return _Glossary(re.compile(rf"(?<!\w)({any_of})(?:s|es)?(?!\w)"), definers)


def _spellings(terms: Iterable[str]) -> list[str]:
    """Return terms as clauses use them: "ASN (National Sporting Authority)" has two spellings.

    A single lower-case word ("may", "closed") is dropped: rules use it in its ordinary sense.
    """
    spellings: list[str] = []
    for term in terms:
        whole = _BRACKETED.sub("", term).removeprefix("the ").strip()
        spellings += [whole, *_BRACKETED.findall(term)]
    return [term for term in spellings if len(term) > 1 and (" " in term or not term.islower())]


def _keep_entries(clause: Clause, terms: Iterable[str]) -> Clause:
    """Cut the text to what defines some terms, if any; OMISSION_MARK replaces what is between."""
    text = clause.text
    found = (
        find_definition(stem_term(one), clause.title, text, clause.breadcrumb) for one in terms
    )
    starts = {text.find(one.words): one.words for one in found if one and one.words in text}
    kept, end = "", 0
    for start, words in sorted(starts.items()):
        gap = text[end:start]
        gap = f"\n{OMISSION_MARK}" if gap.strip() else gap
        kept += gap * bool(kept) + words
        end = start + len(words)
    return replace(clause, text=kept or text)
