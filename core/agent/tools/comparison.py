"""The tool that compares two documents of one rulebook; the library matches their clauses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import zip_longest

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
from core.library import ClausePair, Document, Hit, Scope, compare_documents, search
from core.rulebook import Clause


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

    Gives a row a pair of clauses: changed, added, removed, or renumbered or moved and then also
    whether the words changed, with both clauses. Unchanged pairs are named by their numbers.
    """
    before, after = _choose_documents(context, arguments)
    old, new = (context.library.clauses(document.document_id) for document in (before, after))
    sides = ((before, old), (after, new))
    found = {hit.clause.clause_id: hit for hit in _find_clauses(context, arguments.query, sides)}
    if not found:
        return ToolResult(note=f"Neither document has a clause on “{arguments.query}”.")
    ranks = {clause_id: rank for rank, clause_id in enumerate(found)}

    def rank_pair(pair: ClausePair) -> int:
        return min(ranks.get(side, len(ranks)) for side in (pair.clause_a, pair.clause_b) if side)

    ids = (before.document_id, after.document_id)
    pairs = sorted(compare_documents(context.library, *ids, about=ranks), key=rank_pair)
    clauses = {clause.clause_id: clause for clause in (*old, *new)}
    changed = [pair for pair in pairs if pair.has_difference]
    sides_shown = (
        (pair, side)
        for pair in changed or pairs
        for side in ((pair.clause_a, pair.clause_b) if changed else (pair.clause_b,))
    )
    hits = [
        found.get(side) or Hit(clauses[side], 1 / (1 + rank_pair(pair)), "topic")
        for pair, side in sides_shown
        if side
    ]
    notes = (f"Before: {before.label}. After: {after.label}.", after.describe_marks(before))
    return ToolResult(tuple(hits), pairs=tuple(pairs), note=" ".join(filter(None, notes)))


def _find_clauses(
    context: ToolContext, query: str, sides: Iterable[tuple[Document, Sequence[Clause]]]
) -> list[Hit]:
    """Return the clauses of articles that the query names, else what a search of each side finds.

    The first of each side comes first, then the second of each.
    """
    found, named = [], []
    for document, clauses in sides:
        hits = search(context.library, query, single_document_scope(document), context.results)
        below = below_headings(clauses, [hit for hit in hits if hit.why == "exact"])
        named.append([Hit(clause, 1 / rank, "topic") for rank, clause in enumerate(below, 1)])
        found.append(hits)
    ranks = zip_longest(*(named if any(named) else found))
    return [hit for rank in ranks for hit in rank if hit]


def _choose_documents(
    context: ToolContext, arguments: ComparisonArguments
) -> tuple[Document, Document]:
    """Return the two named documents, else the oldest and the newest of the best rulebook.

    The best is the one with the best hit for the query. Raises ToolError where no two documents
    of one rulebook are in scope.
    """
    scope, names = context.scope, (arguments.document_a, arguments.document_b)
    if names[0] and names[1]:
        return find_document(scope, names[0]), find_document(scope, names[1])
    if any(names):
        raise ToolError("Name both documents to compare, or neither.", code="arguments")
    families: dict[str | None, list[Document]] = defaultdict(list)
    for document in scope.documents:
        families[document.family].append(document)
    rulebooks = [docs for family, docs in families.items() if family is not None and len(docs) > 1]
    if not rulebooks:
        message = (
            "A comparison needs two issues or seasons of one rulebook, and the scope holds:"
            f" {scope.label}. Name both in the question, for example “between 2023 and 2024”."
        )
        raise ToolError(message, code="one_document")

    def best_score(documents: Iterable[Document]) -> float:
        rulebook = Scope(tuple(documents), "one rulebook")
        hits = search(context.library, arguments.query, rulebook, 1)
        return hits[0].score if hits else 0.0

    editions = sorted(
        max(rulebooks, key=best_score),
        key=lambda document: (document.season or 0, document.issue or 0),
    )
    return editions[0], editions[-1]
