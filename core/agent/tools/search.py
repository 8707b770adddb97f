"""The tools that search: the whole scope at once, or each of its documents."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest

from core.agent.tools.base import (
    ToolArguments,
    ToolContext,
    extract_topic,
    fit_hits,
    follow_references,
    restrict_to_document,
    single_document_scope,
    unique_hits,
)
from core.agent.types import ToolResult
from core.library import (
    ClauseHistory,
    Hit,
    Scope,
    article,
    count_words,
    find_definitions,
    find_search_mode,
    search,
)

MAX_EXTRA_WORDS = 1_500
"""Words of rule text that are added to what a search finds."""
MAX_DEFINITION_WORDS = 200
"""Longer definitions are not added. The longest of the 60 of
tests/benchmarks/questions/definitions.csv has 160."""


def regulation_search(context: ToolContext, arguments: ToolArguments) -> ToolResult:
    """Find the clauses that answer a specific question.

    An article number in the query ("54.3", "B1.7.2") is looked up exactly and comes first with its
    sub-clauses; other words are searched in text, titles and headings. What the best hits refer to
    comes along, and the definitions of the terms that they use; what stands above a clause and
    holds for it comes with it.
    """
    scope = restrict_to_document(context.scope, arguments.document)
    found = search(context.library, arguments.query, scope, context.results)
    counterparts = _find_counterparts(context, scope, found)
    hits = unique_hits((*found[:1], *islice(counterparts, 3), *found[1:]))
    first = found[:2]  # those whose references and terms are added
    definitions = (
        Hit(clause, hit.score, "definition")
        for hit in first
        for clause in find_definitions(context.library, hit.clause, context.scope)
        if len(clause.text.split()) <= MAX_DEFINITION_WORDS
    )
    extra = chain(
        _find_children(context, scope, hits),
        islice(follow_references(context, first), 6),
        islice(definitions, 4),
    )
    further = [hit for hit in unique_hits(chain(hits, extra)) if hit not in hits]
    note = _describe_search(context, arguments.query, scope)
    return ToolResult(clauses=(*hits, *fit_hits(further, MAX_EXTRA_WORDS)), note=note)


def _find_counterparts(context: ToolContext, scope: Scope, hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield the first hit's rule in the other editions in scope.

    There it may have lost the very words that are asked for.
    """
    known = {hit.clause.clause_id: hit for hit in hits}
    for first in hits[:1]:
        for clause in ClauseHistory(context.library, first.clause).find_counterparts(
            scope.documents
        ):
            hit = known.get(clause.clause_id) or Hit(clause, first.score, "topic")
            yield replace(hit, score=first.score)


def _describe_search(context: ToolContext, query: str, scope: Scope) -> str | None:
    """Return what a reader should know of a search: words read otherwise, vectors not yet made."""
    library = context.library
    errors = count_words(library, scope).find_typing_errors(query)
    read = ", ".join(f"“{word}” as “{right}”" for word, right in errors.items())
    waits = find_search_mode(library, scope, library.mode) != library.mode
    notes = (
        f"Read {read}." if read else "",
        "Searched by words alone: vectors are still being made." if waits else "",
    )
    return " ".join(filter(None, notes)) or None


def general_rag(context: ToolContext, arguments: ToolArguments) -> ToolResult:
    """Search every document in scope and bring the best of each, so that no long document fills
    the list.

    For questions that span rulebooks or name none.
    """
    scope = restrict_to_document(context.scope, arguments.document)
    topic = extract_topic(arguments.query, scope)
    found = [
        search(context.library, topic.query, single_document_scope(d), 2 * context.results)
        for d in scope.documents
    ]
    on_topic = [[hit for hit in hits if topic.matches_clause(hit.clause)] for hits in found]
    ranked = sorted(
        filter(None, on_topic if any(on_topic) else found), key=lambda hits: -hits[0].score
    )
    balanced = [hit for rank in zip_longest(*ranked) for hit in rank if hit is not None]
    return ToolResult(clauses=tuple(balanced[: context.results]))


def _find_children(context: ToolContext, scope: Scope, hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield the sub-clauses of the articles that the query names by number."""
    for hit in (hit for hit in hits if hit.why == "exact"):
        within = scope.restrict_to(hit.clause.document_id)
        for number in article(context.library, hit.clause.article, within).children:
            if child := article(context.library, number, within).clause:
                yield Hit(child, hit.score, "exact")
