"""The sentences of a document's clauses, parsed once and kept with it: what all its lists read."""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from core.grammar import (
    UNITS,
    ReadPassage,
    Sentence,
    find_languages,
    find_quantities,
    list_printed_sentences,
    read_passages,
)
from core.library import DerivedKind, Document, Library
from core.rulebook import Clause


@dataclass(frozen=True, slots=True)
class DocumentSentences:
    """The passages of a document's clauses, by clause id; its `languages`, the main one first."""

    languages: tuple[str, ...]
    passages: Mapping[str, tuple[ReadPassage, ...]]

    def find_passages(self, clause_id: str) -> tuple[ReadPassage, ...]:
        """Return the passages of a clause in order; none of a clause that is not known."""
        return self.passages.get(clause_id, ())


def read_sentences(clauses: Iterable[Clause]) -> DocumentSentences:
    """Parse the clauses of a document; it takes some milliseconds for each."""
    clauses = tuple(clauses)
    languages = find_languages(clause.text for clause in clauses)
    axis_unit = _most_common_length(clauses)
    articles = {_fold_number(clause.article) for clause in clauses}

    def is_own_number(text: str) -> bool:
        return _fold_number(text) in articles

    return DocumentSentences(
        languages,
        {
            clause.clause_id: read_passages(
                clause.text, clause.lead_in, languages, axis_unit, is_own_number
            )
            for clause in clauses
        },
    )


def _read_document(library: Library, document: Document) -> DocumentSentences:
    return read_sentences(library.clauses(document.document_id))


def _encode(sentences: DocumentSentences) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(sentences))


def _decode(content: bytes) -> DocumentSentences:
    try:
        return msgspec.msgpack.decode(zlib.decompress(content), type=DocumentSentences)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise ValueError("no sentences of a document") from error


SENTENCES = DerivedKind("sentences", 9, _read_document, _encode, _decode)


def find_kept_sentences(library: Library, clause_id: str) -> Mapping[str, Sentence]:
    """Return the sentences of a clause by their words as printed.

    Without any where they are not kept: nothing is parsed here.
    """
    for document in library.documents():
        if clause_id.startswith(f"{document.document_id}:"):
            kept = SENTENCES.recall(library, document)
            return list_printed_sentences(kept.find_passages(clause_id)) if kept else {}
    return {}


def _fold_number(text: str) -> str:
    """Return an article's number to compare: "T 3.2" and "T.3.2" are one."""
    return re.sub(r"^([a-z]+)[\s.]*(?=\d)", r"\1", text.casefold().strip())


def _most_common_length(clauses: Sequence[Clause]) -> str:
    """Return the unit of length that a document prints most, in which its coordinates are."""
    units = Counter(
        amount.unit
        for clause in clauses
        for amount in find_quantities(clause.text)
        if UNITS[amount.unit][0] == "length"
    )
    return units.most_common(1)[0][0] if units else "mm"
