"""A library of which only some documents may be seen, whatever a caller asks for."""

from collections.abc import Iterable

from core.errors import LibraryError
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.types import Document, ScopeChoice
from core.rulebook import Clause


class RestrictedLibrary(Library):
    """The documents of a library that a choice allows, their earlier issues among them.

    Another document raises LibraryError `unknown_document`, as if it were not there.
    """

    def __init__(self, library: Library, allowed: ScopeChoice) -> None:
        super().__init__(library.place, library.mode, library.embedding, library.read_limits)
        self._allowed = allowed

    def documents(self) -> tuple[Document, ...]:
        every = super().documents()
        scope = resolve_scope(every, self._allowed)
        ids = {document.document_id for document in (*scope.documents, *scope.left_out)}
        return tuple(document for document in every if document.document_id in ids)

    def select_clauses(self, clause_ids: Iterable[str]) -> list[Clause]:
        seen, found = self._seen_ids(), super().select_clauses(clause_ids)
        return [clause for clause in found if clause.document_id in seen]

    def find_entry(self, document_id: str) -> tuple[Document, str]:
        entry = super().find_entry(document_id)
        if document_id in self._seen_ids():
            return entry
        message = f"The library holds no document {document_id[:80]} that may be seen here."
        raise LibraryError(message, code="unknown_document")

    def _seen_ids(self) -> set[str]:
        return {document.document_id for document in self.documents()}
