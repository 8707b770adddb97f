"""Find clauses by words, by number or by mention, only within a scope (a filter in LanceDB).

Parents, sub-clauses and definitions are not added here: the tools do that, visibly in the trace.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from operator import attrgetter

from lancedb import col, lit

from core.choices import SearchMode
from core.errors import LibraryError
from core.grammar import UNITS, alphanumeric_only, extract_part, find_article_numbers, split_part
from core.library.article_path import article_key, children_of, descendants_of
from core.library.retrieval.query_expansion import SMALL_SCOPE, expand_query
from core.library.retrieval.ranking import (
    IN_FORCE,
    detect_query_languages,
    rank_clauses,
    scope_filter,
    select_clauses,
)
from core.library.retrieval.word_counts import count_words
from core.library.storage.library import Library
from core.library.types import ArticleLookup, Document, Hit, Scope
from core.rulebook import Clause, ClauseStatus

_CANDIDATES = 4
"""If more clauses than this have the number in a query, the number alone identifies none."""
_FEW_WORDS = 8
"""In longer questions to many rulebooks, a number mostly is one that the answer cites: for 362 such
questions of ObliQA (dev), MAP@10 is 0.82 by words alone, 0.73 with that number's clause first."""
_NUMBER_TOKEN = re.compile(r"(?:\b[A-Z]{1,3} )?\b(?=\w*\d)(?:[A-Za-z]+\d\w*|\d+\w*[.(-])[\w.()-]*")
"""What may be a number with a letter before it or with several levels: "IC1.1.1", "34.7"."""
_AMOUNT = re.compile(rf"(?<!\w)\d+(?:[.,]\d+)*\s?(?:{UNITS.sure})(?!\w)", re.IGNORECASE)
_NUMBER_LENGTH = 24
"""A query up to this many characters may be a bare article number ("54.3")."""
_FOUND_BY = 60
"""Letters by which the beginning and the end of an item are found on the pages."""


def search(
    library: Library,
    query: str,
    scope: Scope,
    k: int = 10,
    mode: SearchMode | None = None,
    statuses: Collection[ClauseStatus] = IN_FORCE,
    is_typed: bool = True,
) -> tuple[Hit, ...]:
    """Return the best `k` clauses: articles that the query names, then those the mode ranks.

    Mistyped words are corrected if somebody typed the query. The default mode is the library's.
    Only clauses in force have vectors; others are found by words. Raises LibraryError `empty_query`
    for a query without content words and, in mode `dense`, `vectors` if they are missing;
    SettingsError if there is no embedding model.
    """
    if is_typed:
        query = count_words(library, scope).correct_text(query)
    expanded = expand_query(query, scope.documents)
    if not (expanded.words or expanded.required_phrases):
        raise LibraryError(
            "The query has no word to search for. Use words that a rule contains.",
            code="empty_query",
        )
    hits = rank_clauses(library, query, expanded, scope, k, mode or library.mode, statuses)
    if len(scope.documents) > SMALL_SCOPE and len(expanded.words) > _FEW_WORDS:
        return tuple(hits[:k])
    numbers = [
        *find_named_articles(library, query, scope),
        *([query] if len(query) <= _NUMBER_LENGTH else []),
    ]
    languages = detect_query_languages(hits, scope)
    found = (_find_number(library, number, scope, statuses)[0] for number in dict.fromkeys(numbers))
    return _put_exact_first([_in_language(clauses, languages) for clauses in found], hits)[:k]


def find_named_articles(library: Library, text: str, scope: Scope) -> tuple[str, ...]:
    """Return the numbers in a text that name articles: by their form, or since the scope has them.

    A number without a letter or a second level names an article only by the word before it.
    """
    by_form = find_article_numbers(text)
    plain = _AMOUNT.sub(" ", text)
    tokens = dict.fromkeys(match[0].rstrip(".") for match in _NUMBER_TOKEN.finditer(plain))
    known = {article_key(number) for number in by_form}
    keys = {key: token for token in tokens if (key := article_key(token)) not in known}
    if not (keys and scope.documents):
        return tuple(by_form)
    held = library.tables.read_keys(scope_filter(scope, IN_FORCE) & col("key").isin(list(keys)))
    return (*by_form, *(token for key, token in keys.items() if key in held))


def find_outside_scope(library: Library, number: str, scope: Scope) -> tuple[Document, ...]:
    """Return the documents outside a scope that have this article in force, newest first."""
    others = tuple(d for d in library.documents() if d.document_id not in scope.ids)
    found = find_clauses(library, number, Scope(others, "elsewhere"))
    ids = {clause.document_id for clause in found}
    having = [document for document in others if document.document_id in ids]
    return tuple(sorted(having, key=attrgetter("edition"), reverse=True))


def article(
    library: Library,
    number: str,
    scope: Scope,
    statuses: Collection[ClauseStatus] = IN_FORCE,
) -> ArticleLookup:
    """Look up an article by its number ("B1.7.2", "article 54.3 d)"), case-insensitively.

    A number that matches no article is read as an article and a lettered part; the text is cut to
    the part. Several matching clauses are returned as candidates, but of a rule printed in several
    languages only the one in the document's main language.
    """
    lookup = _look_up(library, number, scope, statuses)
    if lookup.clause is None or lookup.part:
        return lookup
    key = article_key(lookup.clause.article)
    prefix_filter = (col("key") >= lit(key)) & (col("key") < lit(key + "\uffff"))
    around = select_clauses(library, scope, scope_filter(scope, statuses) & prefix_filter)
    children = children_of(lookup.clause, around)
    return replace(lookup, children=tuple(child.article for child in children))


def find_clauses(
    library: Library, number: str, scope: Scope, statuses: Collection[ClauseStatus] = IN_FORCE
) -> tuple[Clause, ...]:
    """Return the clauses that `article` finds: all that bear the number."""
    found = _look_up(library, number, scope, statuses)
    return (found.clause,) if found.clause else found.candidates


def _look_up(
    library: Library, number: str, scope: Scope, statuses: Collection[ClauseStatus]
) -> ArticleLookup:
    found, part = _find_number(library, number, scope, statuses)
    found = _in_language(found, detect_query_languages((), scope))
    if len(found) != 1:
        return ArticleLookup(None, part, candidates=tuple(found))
    [clause] = found
    text = extract_part(clause.text, part) if part else clause.text
    return ArticleLookup(None if text is None else cut_to_part(clause, text), part)


def _in_language(clauses: list[Clause], languages: Mapping[str, str | None]) -> list[Clause]:
    """Keep the clauses in the language of their document, or all if there are none."""
    return [c for c in clauses if c.language in (None, languages[c.document_id])] or clauses


def mentions(library: Library, term: str, scope: Scope) -> tuple[Clause, ...]:
    """Return everything on a term, in reading order: the clauses in force that contain it in title
    or text, their descendants, and what these refer to within the document.

    `/` separates alternatives; case does not matter. Raises LibraryError `empty_query`.
    """
    terms = [" ".join(part.split()).casefold() for part in term.split("/") if part.strip()]
    if not terms:
        raise LibraryError("The term is empty. Give the word to search for.", code="empty_query")
    return tuple(
        clause
        for document in scope.documents
        for clause in _find_mentions(library.clauses(document.document_id), terms)
    )


def _find_mentions(clauses: Iterable[Clause], terms: Collection[str]) -> list[Clause]:
    in_force = [clause for clause in clauses if clause.status == "in_force"]
    found: dict[str, Clause] = {}
    by_key: dict[str, list[str]] = defaultdict(list)
    for clause in in_force:
        by_key[article_key(clause.article)].append(clause.clause_id)
        text = " ".join(f"{clause.title} {clause.text}".split()).casefold()
        if any(term in text for term in terms):
            family = (clause, *descendants_of(clause, in_force))
            found |= {member.clause_id: member for member in family}
    selected = set(found)
    for reference in chain.from_iterable(clause.references for clause in found.values()):
        whole = article_key(split_part(reference)[0])
        selected.update(by_key.get(article_key(reference)) or by_key.get(whole, []))
    return [clause for clause in in_force if clause.clause_id in selected]


def _put_exact_first(exact: Iterable[Sequence[Clause]], hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Put the clauses of each number in the query before the other hits.

    Of the clauses with one number, those that the words found count; otherwise all if few.
    """
    ranked = {hit.clause.clause_id for hit in hits}
    named: dict[str, Clause] = {}
    for clauses in exact:
        confirmed = [clause for clause in clauses if clause.clause_id in ranked]
        if len(clauses) <= _CANDIDATES or confirmed:
            named |= {clause.clause_id: clause for clause in confirmed or clauses}
    top = hits[0].score if hits else 0.0
    places = range(len(named), 0, -1)
    first = (
        Hit(named[key], top + place, "exact") for key, place in zip(named, places, strict=True)
    )
    return (*first, *(hit for hit in hits if hit.clause.clause_id not in named))


def _find_number(
    library: Library, number: str, scope: Scope, statuses: Collection[ClauseStatus]
) -> tuple[list[Clause], str | None]:
    """Return the clauses with a number, and its lettered part if only the rest of it matches."""
    if not any(map(str.isalnum, number)):
        return [], None
    parent, part = split_part(number)
    whole, above = article_key(number), article_key(parent)
    where = scope_filter(scope, statuses) & col("key").isin([whole, above])
    found = select_clauses(library, scope, where)
    named = [clause for clause in found if article_key(clause.article) == whole]
    return (named, None) if named or not part else (found, part)


def cut_to_part(clause: Clause, text: str) -> Clause:
    """Return a clause cut to the text of an item, with the pages of that alone.

    They stay those of the whole where its words are not found on them.
    """
    printed = [alphanumeric_only(place.words) for place in clause.places]
    ends = [*accumulate(map(len, printed))]
    letters, words = "".join(printed), alphanumeric_only(text)
    start = letters.find(words[:_FOUND_BY]) if words else -1
    if start < 0:
        return replace(clause, text=text)
    tail = words[-_FOUND_BY:]
    end = letters.find(tail, start)
    first_page = clause.places[bisect_right(ends, start)].page
    last_letter = end + len(tail) - 1
    last_page = (
        clause.places[bisect_right(ends, last_letter)].page if end >= 0 else clause.page_last
    )
    return replace(clause, text=text, page_first=first_page, page_last=last_page)
