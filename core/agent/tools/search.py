"""The tools that search: in one list by number and words, or in each document of the scope by itself."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest

from core.agent.tools.base import (
    EXPANDED_HITS,
    ToolArguments,
    ToolContext,
    fit_hits,
    follow_references,
    restrict_to_clause_document,
    restrict_to_document,
    single_document_scope,
    unique_hits,
)
from core.agent.tools.topic import extract_topic
from core.agent.types import ToolResult
from core.library import Hit, Scope, article, find_definitions, search

MAX_EXTRA_WORDS = 1_500
"""Words of rule text that may come along with what a search finds."""
MAX_REFERENCES, MAX_DEFINITIONS, MAX_DEFINITION_WORDS = 6, 4, 200
"""How many references and terms of the first hits come along, and the longest definition that does."""


def regulation_search(context: ToolContext, arguments: ToolArguments) -> ToolResult:
    """Find the clauses that answer a specific question.

    An article number in the query ("54.3", "B1.7.2") is looked up exactly and comes first with its sub-clauses;
    other words are searched in text, titles and headings. What the best hits refer to comes along, and the definitions
    of the terms that they use; what stands above a clause and holds for it comes with it.
    """
    scope = restrict_to_document(context.scope, arguments.document)
    hits = search(context.library, arguments.query, scope, context.results)
    grown = chain(
        _children(context, scope, hits),
        islice(follow_references(context, hits[:EXPANDED_HITS]), MAX_REFERENCES),
        islice(_defined(context, hits[:EXPANDED_HITS]), MAX_DEFINITIONS),
    )
    further = [hit for hit in unique_hits(chain(hits, grown)) if hit not in hits]
    return ToolResult(clauses=(*hits, *fit_hits(further, MAX_EXTRA_WORDS)))


def general_rag(context: ToolContext, arguments: ToolArguments) -> ToolResult:
    """Search every document in scope and bring the best of each, so that no long document fills the list.

    For questions that span rulebooks or name none.
    """
    scope = restrict_to_document(context.scope, arguments.document)
    topic = extract_topic(arguments.query, scope)
    each = [
        search(context.library, topic.query, single_document_scope(d), 2 * context.results)
        for d in scope.documents
    ]
    telling = [[hit for hit in hits if topic.matches_clause(hit.clause)] for hits in each]
    best = sorted(filter(None, telling if any(telling) else each), key=lambda hits: -hits[0].score)
    balanced = [hit for rank in zip_longest(*best) for hit in rank if hit is not None]
    return ToolResult(clauses=tuple(balanced[: context.results]))


def _children(reach: ToolContext, scope: Scope, hits: Iterable[Hit]) -> Iterator[Hit]:
    """The sub-clauses of articles that were asked for by number."""
    for hit in (hit for hit in hits if hit.why == "exact"):
        within = restrict_to_clause_document(scope, hit.clause)
        for number in article(reach.library, hit.clause.article, within).children:
            if child := article(reach.library, number, within).clause:
                yield Hit(child, hit.score, "exact")


def _defined(reach: ToolContext, hits: Iterable[Hit]) -> Iterator[Hit]:
    """The definitions of the terms that hits use, cut to these terms."""
    for hit in hits:
        for clause in find_definitions(reach.library, hit.clause, reach.scope):
            if len(clause.text.split()) <= MAX_DEFINITION_WORDS:
                yield Hit(clause, hit.score, "definition")
