"""The tools that search: in one list by number and words, or in each document of the scope by itself."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest

from core.agent.tools.base import (
    REFERRING,
    Arguments,
    Reach,
    fitting,
    narrowed,
    only,
    own_document,
    referred,
    unique,
)
from core.agent.tools.topic import topic_of
from core.agent.types import ToolResult
from core.library.retrieval import search
from core.library.retrieval.definitions import definitions_of
from core.library.types import Hit, Scope

GROWN_WORDS = 1_500
"""Words of rule text that may come along with what a search finds."""
REFERENCES, DEFINITIONS, DEFINITION_WORDS = 6, 4, 200
"""How many references and terms of the first hits come along, and the longest definition that does."""


def regulation_search(reach: Reach, arguments: Arguments) -> ToolResult:
    """Find the clauses that answer a specific question.

    An article number in the query ("54.3", "B1.7.2") is looked up exactly and comes first with its sub-clauses;
    other words are searched in text, titles and headings. What the best hits refer to comes along, and the definitions
    of the terms that they use; what stands above a clause and holds for it comes with it.
    """
    scope = narrowed(reach.scope, arguments.document)
    hits = search.search(reach.library, arguments.query, scope, reach.results)
    grown = chain(
        _children(reach, scope, hits),
        islice(referred(reach, hits[:REFERRING]), REFERENCES),
        islice(_defined(reach, hits[:REFERRING]), DEFINITIONS),
    )
    further = [hit for hit in unique(chain(hits, grown)) if hit not in hits]
    return ToolResult(clauses=(*hits, *fitting(further, GROWN_WORDS)))


def general_rag(reach: Reach, arguments: Arguments) -> ToolResult:
    """Search every document in scope and bring the best of each, so that no long document fills the list.

    For questions that span rulebooks or name none.
    """
    scope = narrowed(reach.scope, arguments.document)
    topic = topic_of(arguments.query, scope)
    each = [
        search.search(reach.library, topic.query, only(d), 2 * reach.results)
        for d in scope.documents
    ]
    telling = [[hit for hit in hits if topic.is_carried_by(hit.clause)] for hits in each]
    best = sorted(filter(None, telling if any(telling) else each), key=lambda hits: -hits[0].score)
    balanced = [hit for rank in zip_longest(*best) for hit in rank if hit is not None]
    return ToolResult(clauses=tuple(balanced[: reach.results]))


def _children(reach: Reach, scope: Scope, hits: Iterable[Hit]) -> Iterator[Hit]:
    """The sub-clauses of articles that were asked for by number."""
    for hit in (hit for hit in hits if hit.why == "exact"):
        within = own_document(scope, hit.clause)
        for number in search.article(reach.library, hit.clause.article, within).children:
            if child := search.article(reach.library, number, within).clause:
                yield Hit(child, hit.score, "exact")


def _defined(reach: Reach, hits: Iterable[Hit]) -> Iterator[Hit]:
    """The definitions of the terms that hits use, cut to these terms."""
    for hit in hits:
        for clause in definitions_of(reach.library, hit.clause, reach.scope):
            if len(clause.text.split()) <= DEFINITION_WORDS:
                yield Hit(clause, hit.score, "definition")
