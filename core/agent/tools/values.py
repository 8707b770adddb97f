"""The limits that a question's values are checked against, and the clauses that set them."""

from collections.abc import Iterable, Iterator, Sequence

from core.library import Hit, Library, Scope, correct_typing, count_words
from core.limits import ValueCheck, check_values, limit_index
from core.verification import Source

VALUES_TOOL = "values"
"""The name of these clauses in events of evidence."""
MAX_DOCUMENTS = 4
"""Documents whose limits are looked up."""


def check_question_values(
    library: Library, question: str, scope: Scope, found: Sequence[Source], by_words: bool
) -> tuple[ValueCheck, ...]:
    """Return the checks of a question's values by the rulebooks of the clauses that were found.

    `by_words` leaves out what is only near the question in meaning. Raises LibraryError.
    """
    ids = dict.fromkeys(source.document_id for source in found)
    documents = [scope.by_id[key] for key in ids if key in scope.by_id][:MAX_DOCUMENTS]
    indexes = [limit_index(library, document) for document in documents]
    plain = correct_typing(question, count_words(library, scope))
    nearness = {} if by_words else {source.clause_id: source.nearness for source in found}
    return check_values(plain, indexes, nearness)


def find_limit_clauses(library: Library, checks: Iterable[ValueCheck]) -> Iterator[Hit]:
    """Yield the clauses that checks rest on, each once. Raises LibraryError."""
    ids = dict.fromkeys(quote.clause_id for check in checks for quote in check.quotes)
    for clause in filter(None, map(library.clause, ids)):
        yield Hit(clause, 0.0, "topic")
