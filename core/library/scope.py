"""Which documents a run may see: the person's choice, and what the question itself names. It looks at no clause.

A season that is named and not held gives an empty scope: another season's rule is never the answer.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import fields, replace

from core.errors import LibraryError
from core.library.retrieval.query_filters import QueryFilters, parse_query_filters, series_of
from core.library.types import Document, Scope, ScopeChoice

DEFAULT_CHOICE = ScopeChoice()
"""Nothing chosen."""


def resolve_scope(documents: Iterable[Document], choice: ScopeChoice = DEFAULT_CHOICE) -> Scope:
    """The documents that a choice means.

    Without a season these are the newest issue of the newest season of each family and every document without family
    or season; with one, the newest issues of that season. A named issue or day stands in for "newest", a named
    document (its id, or 8 characters or more of its beginning) for all the rest.

    Raises LibraryError `unknown_document`.
    """
    held = tuple(documents)
    if choice.document is not None:
        _known(held, choice.document)
    fitting = [document for document in held if _fits(document, choice)]
    found = fitting if choice.document else _newest(fitting)
    return Scope(tuple(found), _told(choice)) if found else Scope((), _missing(held, choice))


def resolve_question_scope(
    documents: Iterable[Document], choice: ScopeChoice, question: str
) -> Scope:
    """The documents that a choice means, narrowed by what the question names.

    Where the two contradict each other, the question's own words are the more specific and win. Two seasons or
    issues named in one question are both in the scope. Raises LibraryError `unknown_document`.
    """
    held = tuple(documents)
    named = parse_query_filters(question, held)
    if not named.choices:
        return resolve_scope(held, choice)
    parts = [resolve_scope(held, _joined(held, choice, wish)) for wish in named.choices]
    found = {document.document_id: document for part in parts for document in part.documents}
    missing = dict.fromkeys(part.why for part in parts if not part.documents)
    why = "; ".join(
        [f"the question names {named.label}", *_overruled(held, choice, named), *missing]
    )
    return Scope(tuple(found.values()), why if found else "; ".join(missing))


def resolve_search_scope(documents: Iterable[Document], choice: ScopeChoice, query: str) -> Scope:
    """The scope of a search: as chosen, whatever the query names, and where nothing was chosen as the query names it.

    Raises LibraryError `unknown_document`.
    """
    return (
        resolve_scope(documents, choice)
        if choice != DEFAULT_CHOICE
        else resolve_question_scope(documents, choice, query)
    )


def restrict_to_series(
    scope: Scope, documents: Iterable[Document], answer_document_ids: Container[str]
) -> Scope:
    """The part of a scope that is of the series of the documents (by id) that an answer was from; empty, and told why,
    where it holds none of them."""
    held = tuple(documents)
    series = {_series(document) for document in held if document.document_id in answer_document_ids}
    kept = tuple(document for document in scope.documents if _series(document) in series)
    if not series or not scope.documents or len(kept) == len(scope.documents):
        return scope
    if kept:
        return Scope(kept, f"{scope.why}; of the same series as the answer before")
    alike = [document for document in held if _series(document) in series]
    names = ", ".join(sorted({document.family or document.title for document in alike}))
    seasons = ", ".join(
        map(str, sorted({document.season for document in alike if document.season}))
    )
    why = f"{scope.why}, and the answer before was from {names}, of which the library holds {seasons or 'no season'}"
    return Scope((), f"{why}; name a rulebook to ask another")


def _series(document: Document) -> frozenset[str]:
    return series_of(document.family or "") or frozenset({document.family or document.document_id})


def _known(held: Sequence[Document], document_id: str) -> None:
    if not any(document.matches_id(document_id) for document in held):
        raise LibraryError(
            f"The library holds no document {document_id[:80]}: look at the list of documents for its id.",
            code="unknown_document",
        )


def _fits(document: Document, choice: ScopeChoice) -> bool:
    return (
        (choice.document is None or document.matches_id(choice.document))
        and choice.season in (None, document.season)
        and choice.family in (None, document.family)
        and choice.issue in (None, document.issue)
        and (choice.on is None or document.season is None or (document.date or "~") <= choice.on)
    )


def _newest(documents: Iterable[Document]) -> list[Document]:
    """Of each family the newest issue of the newest season; what has no family or no season stays."""
    families: defaultdict[str, list[Document]] = defaultdict(list)
    kept = []
    for document in documents:
        if document.family is None or document.season is None:
            kept.append(document)
        else:
            families[document.family].append(document)
    for members in families.values():
        newest = max(map(_age, members))
        kept += [member for member in members if _age(member) == newest]
    return kept


def _age(document: Document) -> tuple[int, int, str]:
    return document.season or 0, document.issue or 0, document.date or ""


def _joined(held: Sequence[Document], choice: ScopeChoice, wish: ScopeChoice) -> ScopeChoice:
    """A person's choice with a wish of the question before it; what only suited the overruled part goes with it."""
    set_by_question = {
        f.name: value for f in fields(wish) if (value := getattr(wish, f.name)) is not None
    }
    joined = replace(choice, **set_by_question)
    if wish.season not in (None, choice.season) and wish.issue is None:
        joined = replace(joined, issue=None)
    if choice.document and not any(_fits(document, joined) for document in held):
        joined = replace(joined, document=None)
    return joined


def _overruled(held: Sequence[Document], choice: ScopeChoice, named: QueryFilters) -> list[str]:
    contradicted = [
        name
        for name in ("season", "family", "issue", "on")
        if (chosen := getattr(choice, name)) is not None
        and any(getattr(wish, name) not in (None, chosen) for wish in named.choices)
    ]
    if choice.document and any(not _joined(held, choice, wish).document for wish in named.choices):
        contradicted.append("document")
    return [f"that goes before the chosen {' and '.join(contradicted)}"] if contradicted else []


def _told(choice: ScopeChoice) -> str:
    chosen = _words(choice)
    return f"chosen: {chosen}" if chosen else "the newest issue of each rulebook"


def _missing(held: Sequence[Document], choice: ScopeChoice) -> str:
    if not held:
        return "the library is empty; add a rulebook first"
    alike = [document for document in held if choice.family in (None, document.family)] or held
    if choice.season is not None and choice.season not in {document.season for document in alike}:
        seasons = sorted({document.season for document in alike if document.season is not None})
        of = f" of {choice.family}" if choice.family and alike is not held else ""
        holds = (
            f"it holds {', '.join(map(str, seasons))}" if seasons else "it holds none with a season"
        )
        return f"the library holds no document{of} of season {choice.season}; {holds}"
    labels = "; ".join(document.label for document in alike)
    return f"the library holds no document of {_words(choice)}; it holds {labels}"


def _words(choice: ScopeChoice) -> str:
    told = {
        "document": choice.document and choice.document[:12],
        "family": choice.family,
        "season": choice.season,
        "issue": choice.issue,
        "published by": choice.on,
    }
    return ", ".join(f"{name} {value}" for name, value in told.items() if value is not None)
