"""Find the clauses in scope that define the terms of a clause."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from lancedb import col, lit

from core.grammar import GLOSSARY_TITLE
from core.library.storage.library import Library
from core.library.storage.places import LibraryPlace
from core.library.storage.schema import clauses_from_rows
from core.library.types import Scope
from core.rulebook import Clause

OMISSION_MARK = "[…]\n"
"""Replaces left-out entries of a list of definitions."""
_BRACKETED = re.compile(r"\s*\(([^)]*)\)")
_SHORT = re.compile(
    r"[\"“](?P<term>[^\"”\n]{2,60})[\"”]\s*\((?:or|and) [\"“](?P<short>[^\"”\n]{2,20})[\"”]\)"
)
"""A short form after its term: “Lap Time Classified Session” (or “LTCS”)."""
_ENTRY = re.compile(
    r"^(?:\w{1,4}[.)]\s+)?"
    r"(?:[\"“](?P<quoted>[^\"”\n]{2,60})[\"”]|(?P<listed>[A-Z][^:\n]{1,60}?)\s?:\s)",
    re.MULTILINE,
)
"""Start of an entry in a list of definitions."""
_DEFINES_NOTHING = '"defines": []'  # in most stored records, which need not be parsed then


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
        glossary = _glossary(library.place, library.version, document.document_id, clause.language)
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
def _glossary(
    place: LibraryPlace, _version: int, document_id: str, language: str | None
) -> _Glossary:
    """Build the glossary of a document; the library's version invalidates the cache."""
    library = Library(place)
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

    A single lower-case word ("may", "closed") is dropped: rules use it in its ordinary sense."""
    spellings: list[str] = []
    for term in terms:
        whole = _BRACKETED.sub("", term).removeprefix("the ").strip()
        spellings += [whole, *_BRACKETED.findall(term)]
    return [term for term in spellings if len(term) > 1 and (" " in term or not term.islower())]


def _keep_entries(clause: Clause, terms: Iterable[str]) -> Clause:
    """Cut the text to the entries of some terms, if any; OMISSION_MARK replaces entries between."""
    entries = list(_ENTRY.finditer(clause.text))
    ends = [*(entry.start() for entry in entries[1:]), len(clause.text)]
    text, last_end = "", 0
    for entry, end in zip(entries, ends, strict=False):
        words = clause.text[entry.start() : end]
        shorts = (match["short"] for match in _SHORT.finditer(words))
        if {*_spellings(filter(None, entry.groups())), *shorts} & set(terms):
            text += f"{OMISSION_MARK if text and last_end != entry.start() else ''}{words}"
            last_end = end
    return replace(clause, text=text.strip() or clause.text)
