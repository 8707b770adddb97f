"""What a query matches but is no rule in force: deleted, future, or of another document.

Each match becomes a sentence; its words are never quoted as rules.
"""

from collections.abc import Iterable, Iterator, Sequence

from core.agent.text.stems import content_words, coverage
from core.library import Library, Scope, article as find_article, find_outside_scope, search
from core.rulebook import Clause, article_label, find_article_numbers, split_part

MATCH_SHARE = 0.7
"""Share of a query's words that a text it means contains."""
_CANDIDATES, _EARLIER_CANDIDATES = 3, 10
"""Hits that are considered in the scope, and in its earlier issues."""
_MAX_PLACES = 3
"""Documents that are named as the place of an article outside the scope."""


def describe_not_in_force(
    library: Library, query: str, scope: Scope, found: Sequence[Clause]
) -> tuple[str, ...]:
    """Return sentences on deleted and future text that a query means.

    It means an article by its number, or text by words that nothing in `found`, the clauses in
    force that a tool returned, matches as well; in scope or in an earlier issue of the season.
    Raises LibraryError.
    """
    earlier = _earlier_issues(library, scope)
    words = content_words(query)
    best = max((coverage(words, f"{c.title} {c.text}") for c in found), default=0.0)
    matches, outside = _look_up_numbers(library, query, scope)
    if len(words) > 1:
        if best < MATCH_SHARE:
            matches += _search_by_words(library, query, scope, words)
        matches += _select_struck_out(words, found)
        if earlier.documents and best < 1:
            hits = search(
                library, query, earlier, _EARLIER_CANDIDATES, "lexical", include_deleted=True
            )
            matches += _select_struck_out(words, (hit.clause for hit in hits), best)
    documents = (*scope.documents, *earlier.documents)
    labels = {document.document_id: document.label for document in documents}
    sentences = (_describe_clause(c, labels.get(c.document_id, "its document")) for c in matches)
    return tuple(dict.fromkeys((*sentences, *outside)))


def _look_up_numbers(library: Library, query: str, scope: Scope) -> tuple[list[Clause], list[str]]:
    """Return clauses not in force that a query names, and sentences on numbers out of scope."""
    matches: list[Clause] = []
    outside: list[str] = []
    for number in dict.fromkeys(split_part(name)[0] for name in find_article_numbers(query)):
        lookup = find_article(library, number, scope, include_deleted=True, include_future=True)
        clauses = (lookup.clause,) if lookup.clause else lookup.candidates
        matches += _select_not_in_force(clauses)
        if not clauses and (documents := find_outside_scope(library, number, scope)):
            places = "; ".join(document.label for document in documents[:_MAX_PLACES])
            outside.append(
                f"{article_label(number)} is in no document of the scope. It stands in: {places}."
                " Choose the season or document to ask about it."
            )
    return matches, outside


def _earlier_issues(library: Library, scope: Scope) -> Scope:
    """Return the earlier issues, in the same season, of the documents of a scope."""
    latest: dict[tuple[str | None, int | None], int] = {
        (document.family, document.season): document.issue
        for document in scope.documents
        if document.family and document.issue
    }
    earlier = (
        document
        for document in library.documents()
        if document not in scope.documents
        and (document.issue or 0) < (latest.get((document.family, document.season)) or 0)
    )
    return Scope(tuple(earlier), "earlier issues")


def _select_not_in_force(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses with one number that are future, or deleted throughout their document."""
    in_force = {clause.document_id for clause in clauses if clause.status == "in_force"}
    for clause in clauses:
        is_deleted = clause.status == "deleted" and clause.document_id not in in_force
        if is_deleted or clause.status == "future":
            yield clause


def _search_by_words(
    library: Library, query: str, scope: Scope, words: dict[str, str]
) -> Iterator[Clause]:
    """Yield deleted and future clauses in scope that contain the words of a query."""
    hits = search(
        library, query, scope, _CANDIDATES, "lexical", include_deleted=True, include_future=True
    )
    for clause in (hit.clause for hit in hits if hit.clause.status != "in_force"):
        if coverage(words, " ".join((clause.title, clause.text, *clause.deleted))) >= MATCH_SHARE:
            yield clause


def _select_struck_out(
    words: dict[str, str], clauses: Iterable[Clause], minimum: float = 0.0
) -> Iterator[Clause]:
    """Yield clauses whose deleted words match a query better than their text and `minimum`."""
    for clause in clauses:
        share = max((coverage(words, span) for span in clause.deleted), default=0.0)
        left = coverage(words, f"{clause.title} {clause.text}")
        if share >= MATCH_SHARE and share > max(left, minimum):
            yield clause


def _describe_clause(clause: Clause, document: str) -> str:
    article = article_label(clause.article)
    match clause.status:
        case "deleted":
            return f"{article} was deleted in {document}: it is no rule any more."
        case "in_force":
            return (
                f"Words of {article} on this are struck out in {document}:"
                " they are no rule any more."
            )
        case _:
            return (
                f"{document} holds a text of {article} for {clause.future} only: it is no rule yet."
            )
