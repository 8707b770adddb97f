"""The tool that compares two documents of one rulebook. How clauses are matched is the library's."""

from collections.abc import Mapping
from functools import partial

from pydantic import BaseModel, ConfigDict, Field

from core.agent.tools.base import (
    MAX_QUERY_LENGTH,
    ToolContext,
    below_headings,
    find_document,
    single_document_scope,
)
from core.agent.types import ToolResult
from core.errors import ToolError
from core.library import ClausePair, Document, Hit, Scope, compare, describe_marks, search


class ComparisonArguments(BaseModel):
    """Two documents and what to compare them on."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        min_length=1,
        max_length=MAX_QUERY_LENGTH,
        description="The topic or article to compare, in the rulebook's own words.",
    )
    document_a: str | None = Field(
        None, description="The earlier document, named as in the list of documents."
    )
    document_b: str | None = Field(
        None, description="The later document, named as in the list of documents."
    )


def regulation_comparison(context: ToolContext, arguments: ComparisonArguments) -> ToolResult:
    """Compare two documents in scope (two issues or two seasons) on a topic or an article.

    Gives a row a pair of clauses: unchanged, changed, added, removed or renumbered, with both wordings.
    """
    before, after = _two_documents(context, arguments)
    found = [
        search(context.library, arguments.query, single_document_scope(d), context.results)
        for d in (before, after)
    ]
    old, new = (context.library.clauses(document.document_id) for document in (before, after))
    if named := [hit for hits in found for hit in hits if hit.why == "exact"]:
        ranked = [below_headings(side, named) for side in (old, new)]
    else:
        ranked = [[hit.clause for hit in hits] for hits in found]
    rank = {clause.clause_id: number for clauses in ranked for number, clause in enumerate(clauses)}
    if not rank:
        return ToolResult(note=f"Neither document has a clause on “{arguments.query}”.")
    pairs = sorted(compare(old, new, about=rank), key=lambda pair: _rank_of(pair, rank))
    clauses = {clause.clause_id: clause for clause in (*old, *new)}
    sides = (side for pair in pairs for side in (pair.clause_a, pair.clause_b) if side)
    return ToolResult(
        clauses=tuple(
            Hit(clauses[side], 1 / (1 + rank.get(side, len(rank))), "topic") for side in sides
        ),
        pairs=tuple(pairs),
        note=" ".join(
            filter(
                None,
                [f"Before: {before.label}. After: {after.label}.", describe_marks(before, after)],
            )
        ),
    )


def _two_documents(reach: ToolContext, arguments: ComparisonArguments) -> tuple[Document, Document]:
    """The documents named, or the oldest and the newest of the rulebook in scope that has most on the query."""
    scope, named = reach.scope, (arguments.document_a, arguments.document_b)
    if named[0] and named[1]:
        return find_document(scope, named[0]), find_document(scope, named[1])
    if any(named):
        raise ToolError("Name both documents to compare, or neither.", code="arguments")
    families: dict[str, list[Document]] = {}
    for document in scope.documents:
        if document.family is not None:
            families.setdefault(document.family, []).append(document)
    several = [tuple(members) for members in families.values() if len(members) > 1]
    if not several:
        raise ToolError(
            f"A comparison needs two issues or seasons of one rulebook, and the scope holds: {scope.label}."
            " Name both in the question, for example “between 2023 and 2024”.",
            code="one_document",
        )
    members = sorted(
        max(several, key=partial(_weight, reach, arguments.query)),
        key=lambda d: (d.season or 0, d.issue or 0),
    )
    return members[0], members[-1]


def _weight(reach: ToolContext, query: str, documents: tuple[Document, ...]) -> float:
    """How much documents have on a query: the search score of their best clause."""
    hits = search(reach.library, query, Scope(documents, "one rulebook"), 1)
    return hits[0].score if hits else 0.0


def _rank_of(pair: ClausePair, rank: Mapping[str, int]) -> int:
    return min(rank.get(side, len(rank)) for side in (pair.clause_a, pair.clause_b) if side)
