"""What the terms in a clause mean: the clauses in scope that define them. It shows nothing and ranks nothing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from lancedb import col, lit

from core.library.storage.library import Library
from core.library.storage.schema import clause_from_row
from core.library.types import Document, Scope
from core.rulebook import GLOSSARY_TITLE, Clause

OMISSION_MARK = "[…]\n"
"""Stands for the entries between two that a list of definitions is cut to."""
_BRACKETED = re.compile(r"\s*\(([^)]*)\)")
_SHORT = re.compile(
    r"[\"“](?P<term>[^\"”\n]{2,60})[\"”]\s*\((?:or|and) [\"“](?P<short>[^\"”\n]{2,20})[\"”]\)"
)
"""A short form beside its term: “Lap Time Classified Session” (or “LTCS”)."""
_ENTRY = re.compile(
    r"^(?:\w{1,4}[.)]\s+)?(?:[\"“](?P<quoted>[^\"”\n]{2,60})[\"”]|(?P<listed>[A-Z][^:\n]{1,60}?)\s?:\s)",
    re.MULTILINE,
)
"""The head of an entry in a list of definitions."""
_NONE_DEFINED = '"defines": []'
"""How the record of a clause that defines nothing says so; most do, and need not be parsed."""


@dataclass(frozen=True, slots=True)
class _Glossary:
    """The terms of a document, as a pattern and with the row of the clause that defines each."""

    pattern: re.Pattern[str]
    definers: Mapping[str, Mapping[str, str]]


def find_definitions(library: Library, clause: Clause, scope: Scope) -> tuple[Clause, ...]:
    """The clauses that define the terms a clause uses, each once: of its own document, then of others of its season.

    A term that both define is its own document's. `text` is cut to the entries of the terms used, where the clause
    that defines them is a list of entries. Raises LibraryError `unreadable`.
    """
    used: dict[str, list[str]] = {}
    of_digest: dict[str, tuple[Mapping[str, str], Document]] = {}
    known: set[str] = set()
    for document in _nearest_first(clause, scope):
        glossary = _glossary(library.folder, library.version, document.document_id, clause.language)
        for match in glossary.pattern.finditer(clause.text):
            term = match["term"]
            if term not in known:
                known.add(term)
                row = glossary.definers[term]
                used.setdefault(row["digest"], []).append(term)
                of_digest.setdefault(row["digest"], (row, document))
    definers = [(clause_from_row(*of_digest[digest]), terms) for digest, terms in used.items()]
    return tuple(
        _cut(definer, terms) for definer, terms in definers if definer.clause_id != clause.clause_id
    )


def _nearest_first(clause: Clause, scope: Scope) -> list[Document]:
    near = [document for document in scope.documents if document.season in (None, clause.season)]
    return sorted(near, key=lambda document: document.document_id != clause.document_id)


@lru_cache(maxsize=256)
def _glossary(folder: Path, _version: int, document_id: str, language: str | None) -> _Glossary:
    """The glossary of a document. The library's version tells its clauses from those of another day."""
    library = Library(folder)
    document = library.document(document_id)
    rows = library.tables.read_rows(
        (col("document_id") == lit(document_id)) & (col("status") == lit("in_force"))
    )
    defining = [
        (clause_from_row(row, document), row) for row in rows if _NONE_DEFINED not in row["record"]
    ]
    # A list of definitions goes before what a clause defines for itself in passing.
    defining.sort(
        key=lambda pair: (
            not GLOSSARY_TITLE.search(" ".join((*pair[0].breadcrumb[-1:], pair[0].title)))
        )
    )
    definers: dict[str, Mapping[str, str]] = {}
    for clause, row in defining:
        if clause.language in (None, language):
            short = [
                match["short"]
                for match in _SHORT.finditer(clause.text)
                if match["term"] in clause.defines
            ]
            for term in _spellings([*clause.defines, *short]):
                definers.setdefault(term, row)
    any_of = "|".join(re.escape(term) for term in sorted(definers, key=len, reverse=True)) or "(?!)"
    return _Glossary(re.compile(rf"(?<!\w)(?P<term>{any_of})(?:s|es)?(?!\w)"), definers)


def _spellings(terms: Iterable[str]) -> list[str]:
    """Terms as clauses use them, "ASN (National Sporting Authority)" as both. A plain word in lower case is no term:
    where rules write it they mean the word ("may", "closed")."""
    spelled: list[str] = []
    for term in terms:
        spelled += [
            _BRACKETED.sub("", term).removeprefix("the ").strip(),
            *_BRACKETED.findall(term),
        ]
    return [term for term in spelled if len(term) > 1 and (" " in term or not term.islower())]


def _cut(clause: Clause, terms: Iterable[str]) -> Clause:
    """A clause with only those entries in its text that are of some terms, or as it is where none begins with one.

    LEFT_OUT stands between entries that do not follow each other."""
    heads = list(_ENTRY.finditer(clause.text))
    ends = [*(head.start() for head in heads[1:]), len(clause.text)]
    wanted = set(terms)
    kept = [
        (head.start(), end)
        for head, end in zip(heads, ends, strict=False)
        for entry in [clause.text[head.start() : end]]
        if wanted
        & {
            *_spellings(filter(None, head.groups())),
            *(match["short"] for match in _SHORT.finditer(entry)),
        }
    ]
    text = "".join(
        f"{OMISSION_MARK if before and before[1] != start else ''}{clause.text[start:end]}"
        for before, (start, end) in zip((None, *kept), kept, strict=False)
    )
    return replace(clause, text=text.strip() or clause.text)
