"""What a query matches but is no rule in force: deleted, future, or of another document.

Each match becomes a sentence; its words are never quoted as rules.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from core.grammar import article_label, find_article_numbers, split_part, split_sentences
from core.library import (
    Library,
    Rulings,
    Scope,
    content_words,
    coverage,
    find_clauses,
    find_outside_scope,
    search,
)
from core.rulebook import Clause, ClauseStatus
from core.verification import NotInForce, shorten_text

MATCH_SHARE = 0.7
"""Share of a query's words that a text it means contains."""
_CANDIDATES, _EARLIER_CANDIDATES = 3, 10
"""Hits that are considered in the scope, and in its earlier issues."""
MAX_NOTE_WORDS = 100
"""Words of one text that a sentence on it gives."""
MIN_LAPSED_WORDS = 4
"""Words from which what was struck out can be told from what took its place."""
_ANY: tuple[ClauseStatus, ...] = ("in_force", "deleted", "future")


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
                library,
                query,
                earlier,
                _EARLIER_CANDIDATES,
                "lexical",
                statuses=("in_force", "deleted"),
            )
            matches += _select_struck_out(words, (hit.clause for hit in hits), best)
    seen = Scope((*scope.documents, *earlier.documents), "scope and earlier issues")
    sentences = (_describe_clause(library, clause, seen, words) for clause in matches)
    return tuple(dict.fromkeys((*sentences, *outside)))


def find_lapsed_words(
    library: Library, clause_ids: Iterable[str], scope: Scope
) -> Iterator[NotInForce]:
    """Yield what is deleted, struck or future in the articles of clauses. Raises LibraryError."""
    for clause in library.select_clauses(clause_ids):
        within = scope.restrict_to(clause.document_id)
        found = (clause, *find_clauses(library, clause.whole_article, within, _ANY))
        for one in {one.clause_id: one for one in found}.values():
            lapsed = one.text if one.status in ("deleted", "future") else ""
            for words in (*one.deleted, *split_sentences(lapsed)):
                if len(words.split()) >= MIN_LAPSED_WORDS:
                    said = content_words(words)
                    yield NotInForce(words, _describe_clause(library, one, within, said))


def find_ruling_words(library: Library, clause_ids: Iterable[str]) -> Iterator[NotInForce]:
    """Yield the sentences of the rulings on clauses, which are no rules. Raises LibraryError."""
    if not any(document.interprets for document in library.list_every_document()):
        return
    for clause in library.select_clauses(clause_ids):
        for one in Rulings(library).find_on(clause):
            about = ", ".join(filter(None, (one.ruling.title, one.source, one.day)))
            note = (
                f"That is from a ruling on {article_label(clause.whole_article)} ({about}), which"
                " says how the rule is meant and is no rule."
            )
            for words in split_sentences(one.ruling.text):
                yield NotInForce(words, note, clause.clause_id)


def _look_up_numbers(library: Library, query: str, scope: Scope) -> tuple[list[Clause], list[str]]:
    """Return clauses not in force that a query names, and sentences on numbers out of scope."""
    matches: list[Clause] = []
    outside: list[str] = []
    for number in dict.fromkeys(split_part(name)[0] for name in find_article_numbers(query)):
        clauses = find_clauses(library, number, scope, _ANY)
        matches += _select_not_in_force(clauses)
        if not clauses and (documents := find_outside_scope(library, number, scope)):
            places = "; ".join(document.label for document in documents[:3])
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
    library: Library, query: str, scope: Scope, words: Mapping[str, str]
) -> Iterator[Clause]:
    """Yield deleted and future clauses in scope that contain the words of a query."""
    hits = search(library, query, scope, _CANDIDATES, "lexical", statuses=_ANY)
    for clause in (hit.clause for hit in hits if hit.clause.status != "in_force"):
        if coverage(words, " ".join((clause.title, clause.text, *clause.deleted))) >= MATCH_SHARE:
            yield clause


def _select_struck_out(
    words: Mapping[str, str], clauses: Iterable[Clause], minimum: float = 0.0
) -> Iterator[Clause]:
    """Yield clauses whose deleted words match a query as well as their text, above `minimum`."""
    for clause in clauses:
        share = max((coverage(words, span) for span in clause.deleted), default=0.0)
        left = coverage(words, f"{clause.title} {clause.text}")
        if share >= max(left, MATCH_SHARE) and share > minimum:
            yield clause


def _describe_clause(
    library: Library, clause: Clause, scope: Scope, words: Mapping[str, str]
) -> str:
    """Return what is not in force of a clause, and what its number is now.

    Of a long text it gives whole sentences, those with most of some words.
    """
    document = scope.labels.get(clause.document_id, "its document")
    article = article_label(clause.article)
    is_struck = clause.status == "in_force" or not clause.text
    lapsed = _select_sentences(clause.deleted if is_struck else [clause.text], words)
    match clause.status:
        case "deleted":
            within = scope.restrict_to(clause.document_id)
            now = find_clauses(library, clause.article, within)
            title = shorten_text(now[0].title or now[0].text) if len(now) == 1 else ""
            lives = f" The number now belongs to another text: “{title}”." if title else ""
            return (
                f"Deleted in {document}, no longer in force: a former {article}, “{lapsed}”.{lives}"
            )
        case "in_force":
            return f"Struck out of {article} in {document}, no longer in force: “{lapsed}”."
        case _:
            return (
                f"Beside the text in force, {document} holds a text of {article} for"
                f" {clause.future}, not yet in force: “{lapsed}”."
            )


def _select_sentences(texts: Iterable[str], words: Mapping[str, str]) -> str:
    """Return the sentences with most of some words, whole and in order; all of a short text."""
    sentences = [" ".join(one.split()) for text in texts for one in split_sentences(text)]
    left, chosen = MAX_NOTE_WORDS, set[int]()
    for place in sorted(range(len(sentences)), key=lambda n: -coverage(words, sentences[n])):
        left -= len(sentences[place].split())
        if left < 0 and chosen:
            break
        chosen.add(place)
    shown = [sentence if n in chosen else "…" for n, sentence in enumerate(sentences)]
    return " ".join(one for one, _ in groupby(shown))
