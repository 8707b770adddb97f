"""Finding clauses: by words, by number, by mention. Only within a scope, which LanceDB applies before ranking.

It expands nothing (parents, sub-clauses, definitions): that is for the tools, where the trace shows it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from lancedb import col, lit

from core.errors import LibraryError
from core.library.article_path import article_key, children_of, descendants_of
from core.library.retrieval.query_expansion import SMALL_SCOPE, expand_query
from core.library.retrieval.ranking import (
    IN_FORCE,
    detect_query_languages,
    rank_clauses,
    scope_filter,
    select_clauses,
)
from core.library.storage.library import Library
from core.library.types import ArticleLookup, Document, Hit, Scope, SearchMode
from core.rulebook import Clause, ClauseStatus, extract_part, find_article_numbers, split_part

_CANDIDATES = 4
"""More clauses than this with the number that was named, and the number alone says nothing."""
_FEW_WORDS = 8
"""In a longer question to many rulebooks a number is mostly one that the clause sought cites, not its own: of 362 such
questions of ObliQA (dev), map@10 is 0.82 by words alone and 0.73 with the clause of that number first."""
_NUMBER_LENGTH = 24
"""A query of no more characters may be an article's bare number ("54.3")."""


def search(
    library: Library,
    query: str,
    scope: Scope,
    k: int = 10,
    mode: SearchMode | None = None,
    include_deleted: bool = False,
    include_future: bool = False,
) -> tuple[Hit, ...]:
    """The `k` clauses that answer a query best: articles it names first, the others in the order of the mode.

    Without a mode the library's own is meant. Vectors are of clauses in force only; others are found by their words.

    Raises LibraryError: `empty_query` where the query has no word to look for; for a mode that needs vectors
    `vectors` where they are still to be made, and SettingsError where there is no model to make them.
    """
    words = expand_query(query, scope.documents)
    if not (words.words or words.required_phrases):
        raise LibraryError(
            "The query has no word to look for. Ask with the words of a rule.", code="empty_query"
        )
    statuses = _statuses(include_deleted, include_future)
    found = rank_clauses(library, query, words, scope, k, mode or library.mode, statuses)
    telling = len(scope.documents) <= SMALL_SCOPE or len(words.words) <= _FEW_WORDS
    exact = (
        _exact(library, query, scope, statuses, detect_query_languages(found, scope))
        if telling
        else []
    )
    return _exact_first(exact, found)[:k]


def find_outside_scope(library: Library, number: str, scope: Scope) -> tuple[Document, ...]:
    """The documents outside a scope that have an article of this number in force, the newest first."""
    others = tuple(
        document for document in library.documents() if document.document_id not in scope.ids
    )
    found = article(library, number, Scope(others, "elsewhere"))
    bearing = {
        clause.document_id for clause in ((found.clause,) if found.clause else found.candidates)
    }
    having = [document for document in others if document.document_id in bearing]
    return tuple(
        sorted(
            having, key=lambda document: (document.season or 0, document.issue or 0), reverse=True
        )
    )


def article(
    library: Library,
    number: str,
    scope: Scope,
    include_deleted: bool = False,
    include_future: bool = False,
) -> ArticleLookup:
    """Look an article up by its number ("B1.7.2", "article 54.3 d)"), in any case of letters.

    A number that is no article as it stands is read as an article and a lettered part of it, and the text cut to
    the part. Where several clauses in scope bear the number, they are the candidates; of one rule in several languages
    the one in the document's main language is meant.
    """
    statuses = _statuses(include_deleted, include_future)
    lookup = _looked_up(library, number, scope, statuses)
    if lookup.clause is None or lookup.part:
        return lookup
    key = article_key(lookup.clause.article)
    around = select_clauses(
        library,
        scope,
        scope_filter(scope, statuses)
        & (col("key") >= lit(key))
        & (col("key") < lit(key + "\uffff")),
    )
    return replace(
        lookup, children=tuple(child.article for child in children_of(lookup.clause, around))
    )


def find_clause(library: Library, number: str, scope: Scope) -> Clause | None:
    """The clause in force that `article` finds, without looking for its children; None where it finds no single one."""
    return _looked_up(library, number, scope, IN_FORCE).clause


def _looked_up(
    library: Library, number: str, scope: Scope, statuses: Collection[ClauseStatus]
) -> ArticleLookup:
    bearing, part = _bearing(library, number, scope, statuses)
    bearing = _in_language(bearing, detect_query_languages((), scope))
    if len(bearing) != 1:
        return ArticleLookup(None, part, candidates=tuple(bearing))
    [clause] = bearing
    text = extract_part(clause.text, part) if part else clause.text
    return ArticleLookup(None if text is None else replace(clause, text=text), part)


def _in_language(bearing: list[Clause], spoken: Mapping[str, str | None]) -> list[Clause]:
    return [
        clause for clause in bearing if clause.language in (None, spoken[clause.document_id])
    ] or bearing


def mentions(library: Library, term: str, scope: Scope) -> tuple[Clause, ...]:
    """Everything on a term: the clauses in force whose title or text contain it, what stands below them, and what
    both refer to within their document; each once, in reading order. `/` parts alternatives; case does not matter.

    Raises LibraryError `empty_query`.
    """
    wanted = [" ".join(part.split()).casefold() for part in term.split("/") if part.strip()]
    if not wanted:
        raise LibraryError("The term is empty. Give the word to look for.", code="empty_query")
    return tuple(
        clause
        for document in scope.documents
        for clause in _mentioning(library.clauses(document.document_id), wanted)
    )


def _mentioning(clauses: Iterable[Clause], wanted: Collection[str]) -> list[Clause]:
    in_force = [clause for clause in clauses if clause.status == "in_force"]
    hits = [clause for clause in in_force if any(term in _said(clause) for term in wanted)]
    found = {
        clause.clause_id: clause for hit in hits for clause in (hit, *descendants_of(hit, in_force))
    }
    bearing: dict[str, list[str]] = {}
    for clause in in_force:
        bearing.setdefault(article_key(clause.article), []).append(clause.clause_id)
    referred = {
        clause_id
        for clause in found.values()
        for reference in clause.references
        for clause_id in bearing.get(article_key(reference))
        or bearing.get(article_key(split_part(reference)[0]), [])
    }
    return [
        clause for clause in in_force if clause.clause_id in found or clause.clause_id in referred
    ]


def _said(clause: Clause) -> str:
    return " ".join(f"{clause.title} {clause.text}".split()).casefold()


def _exact(
    library: Library,
    query: str,
    scope: Scope,
    statuses: Collection[ClauseStatus],
    spoken: Mapping[str, str | None],
) -> list[list[Clause]]:
    """For each number that a query names, in its order, the clauses that bear it, in the languages spoken."""
    whole = [query] if len(query) <= _NUMBER_LENGTH else []
    numbers = dict.fromkeys([*find_article_numbers(query), *whole])
    return [
        _in_language(_bearing(library, number, scope, statuses)[0], spoken) for number in numbers
    ]


def _exact_first(exact: Iterable[Sequence[Clause]], found: Sequence[Hit]) -> tuple[Hit, ...]:
    """Hits with the clauses named by number before them.

    Of a number that several documents use, those clauses that the words found too; else all, unless they are many.
    """
    ranked = {hit.clause.clause_id: hit for hit in found}
    named: dict[str, Clause] = {}
    for clauses in exact:
        agreed = [clause for clause in clauses if clause.clause_id in ranked]
        if len(clauses) <= _CANDIDATES or agreed:
            named |= {clause.clause_id: clause for clause in agreed or clauses}
    top = found[0].score if found else 0.0
    first = [
        Hit(clause, top + len(named) - place, "exact")
        for place, clause in enumerate(named.values())
    ]
    return (*first, *(hit for hit in found if hit.clause.clause_id not in named))


def _bearing(
    library: Library, number: str, scope: Scope, statuses: Collection[ClauseStatus]
) -> tuple[list[Clause], str | None]:
    """The clauses in scope that bear a number, and the part of them that it names if it is no article as a whole."""
    allowed = scope_filter(scope, statuses)
    if not any(map(str.isalnum, number)):
        return [], None
    if whole := select_clauses(library, scope, allowed & (col("key") == lit(article_key(number)))):
        return whole, None
    article_number, part = split_part(number)
    return (
        (
            select_clauses(
                library, scope, allowed & (col("key") == lit(article_key(article_number)))
            ),
            part,
        )
        if part
        else ([], None)
    )


def _statuses(deleted: bool, future: bool) -> set[ClauseStatus]:
    asked: list[tuple[ClauseStatus, bool]] = [
        ("in_force", True),
        ("deleted", deleted),
        ("future", future),
    ]
    return {status for status, wanted in asked if wanted}
