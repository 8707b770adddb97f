"""What matches a query and is no rule in force here: deleted, still to come, or of another document.

Each is told in a sentence, its words never quoted as law.
"""

from collections.abc import Iterator, Sequence

from core.agent.text.stems import content_words, coverage
from core.library import Library, Scope, find_outside_scope, search
from core.library import article as find_article
from core.rulebook import Clause, article_label, find_article_numbers, split_part

MATCH_SHARE = 0.7
"""Share of a query's words from which a text is what is looked for."""
_CANDIDATES, _BEFORE = 3, 10
"""Hits that are looked at in the scope, and in its earlier issues."""
_PLACES = 3
"""Documents that are named where an article stands elsewhere."""


def describe_not_in_force(
    library: Library, query: str, scope: Scope, found: Sequence[Clause]
) -> tuple[str, ...]:
    """Sentences on deleted and future text that a query means: an article named by its number, or words that nothing
    in force matches as well, struck out in the scope or in an earlier issue of the same season. `found` are the clauses
    in force that a tool brought. Raises LibraryError."""
    earlier = _earlier(library, scope)
    labels = {
        document.document_id: document.label for document in (*scope.documents, *earlier.documents)
    }
    named = _bearing(library, query, scope)
    told = (
        *(clause for bearing in named.values() for clause in _not_in_force(bearing)),
        *_worded(library, query, scope, found),
        *_spans(query, found),
        *_before(library, query, earlier, found),
    )
    sentences = (
        _sentence(clause, labels.get(clause.document_id, "its document")) for clause in told
    )
    lacking = (number for number, bearing in named.items() if not bearing)
    elsewhere = (told for number in lacking for told in _elsewhere(library, number, scope))
    return tuple(dict.fromkeys((*sentences, *elsewhere)))


def _earlier(library: Library, scope: Scope) -> Scope:
    """The earlier issues, in the same season, of the documents of a scope."""
    last: dict[tuple[str | None, int | None], int] = {
        (document.family, document.season): document.issue
        for document in scope.documents
        if document.family and document.issue
    }
    before = [
        document
        for document in library.documents()
        if document not in scope.documents
        and (document.issue or 0) < (last.get((document.family, document.season)) or 0)
    ]
    return Scope(tuple(before), "earlier issues")


def _bearing(library: Library, query: str, scope: Scope) -> dict[str, tuple[Clause, ...]]:
    """The articles that a query names, each with the clauses in scope that bear its number, of whatever status."""
    found: dict[str, tuple[Clause, ...]] = {}
    for named in find_article_numbers(query):
        number = split_part(named)[0]
        looked = find_article(library, number, scope, include_deleted=True, include_future=True)
        found[number] = (looked.clause,) if looked.clause else looked.candidates
    return found


def _not_in_force(bearing: Sequence[Clause]) -> Iterator[Clause]:
    """Of the clauses of a number those that are deleted, or come only later, or have another text later."""
    in_force = {clause.document_id for clause in bearing if clause.status == "in_force"}
    yield from (
        clause
        for clause in bearing
        if clause.status == "future"
        or (clause.status == "deleted" and clause.document_id not in in_force)
    )


def _elsewhere(library: Library, number: str, scope: Scope) -> Iterator[str]:
    """Where an article stands that no document of the scope has."""
    if others := find_outside_scope(library, number, scope):
        labels = "; ".join(document.label for document in others[:_PLACES])
        yield (
            f"{article_label(number)} is in no document of the scope. It stands in: {labels}."
            " Choose the season or document to ask about it."
        )


def _worded(
    library: Library, query: str, scope: Scope, found: Sequence[Clause]
) -> Iterator[Clause]:
    """Deleted and future clauses that hold the words of a query, where none in force does."""
    words = content_words(query)
    if len(words) < 2 or any(coverage(words, f"{c.title} {c.text}") >= MATCH_SHARE for c in found):
        return
    hits = search(library, query, scope, _CANDIDATES, include_deleted=True, include_future=True)
    for clause in (hit.clause for hit in hits if hit.clause.status != "in_force"):
        if coverage(words, " ".join((clause.title, clause.text, *clause.deleted))) >= MATCH_SHARE:
            yield clause


def _spans(query: str, found: Sequence[Clause]) -> Iterator[Clause]:
    """Clauses in force out of which words were struck that match a query better than what is left."""
    words = content_words(query)
    for clause in found:
        share = max((coverage(words, span) for span in clause.deleted), default=0.0)
        if (
            len(words) > 1
            and share >= MATCH_SHARE
            and share > coverage(words, f"{clause.title} {clause.text}")
        ):
            yield clause


def _before(
    library: Library, query: str, earlier: Scope, found: Sequence[Clause]
) -> Iterator[Clause]:
    """Clauses of earlier issues that were deleted, or out of which words were struck, where what went matches better
    than anything that is in force now."""
    words = content_words(query)
    if not earlier.documents or len(words) < 2:
        return
    now = max((coverage(words, f"{clause.title} {clause.text}") for clause in found), default=0.0)
    if now == 1:  # nothing can match better
        return
    hits = search(library, query, earlier, _BEFORE, include_deleted=True)
    for clause in _spans(query, [hit.clause for hit in hits]):
        if max(coverage(words, span) for span in clause.deleted) > now:
            yield clause


def _sentence(clause: Clause, document: str) -> str:
    article = article_label(clause.article)
    match clause.status:
        case "deleted":
            return f"{article} was deleted in {document}: it is no rule any more."
        case "in_force":
            return f"Words of {article} on this are struck out in {document}: they are no rule any more."
        case _:
            return (
                f"{document} holds a text of {article} for {clause.future} only: it is no rule yet."
            )
