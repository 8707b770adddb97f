"""The look-up of an article by its number, which a model may make while it answers."""

from collections.abc import Iterable, Iterator

from pydantic import BaseModel, ConfigDict, Field

from core.agent.tools.base import ToolContext, fit_hits, restrict_to_document
from core.agent.types import ResultCoverage, ToolResult
from core.grammar import article_label, split_part
from core.library import Hit, Scope, find_clauses, is_at_or_below, resolve_references
from core.rulebook import Clause

MAX_ARTICLE_WORDS = 3_000
"""Words of rule text below the first clause of a look-up, which is read however long it is."""


class ArticleArguments(BaseModel):
    """Which article to read."""

    model_config = ConfigDict(extra="forbid")

    number: str = Field(
        min_length=1, max_length=100, description='The number as printed: "21.3", "B1.7.2 d)".'
    )
    document: str | None = Field(
        None,
        description="Read it in this one of the documents in scope only,"
        " named as in the list of documents.",
    )


def read_article(context: ToolContext, arguments: ArticleArguments) -> ToolResult:
    """Read an article by its number: its words, all articles below it, and where its references
    lead.

    For an article that a rule names, and for a group ("F3.1" brings F3.1.1 to F3.1.6).
    """
    scope = restrict_to_document(context.scope, arguments.document)
    clauses = _read_with_children(context, scope, arguments.number)
    found = [Hit(clause, 1.0, "exact") for clause in clauses]
    if not found:
        label = article_label(arguments.number)
        return ToolResult(note=f"No document in scope has {label} in force.")
    shown = (found[0], *fit_hits(found[1:], MAX_ARTICLE_WORDS))
    lines = dict.fromkeys(_describe_references(context, scope, [hit.clause for hit in shown]))
    note = "\n".join(list(lines)[:24]) or None
    return ToolResult(shown, coverage=ResultCoverage(len(shown), len(found)), note=note)


def _read_with_children(context: ToolContext, scope: Scope, number: str) -> Iterator[Clause]:
    """Yield the clauses with a number, then those below it in the language of the document."""
    named = find_clauses(context.library, number, scope)
    yield from named
    known, languages = {clause.clause_id for clause in named}, {one.language for one in named}
    whole, part = split_part(number)
    for document in scope.documents if part is None else ():
        for clause in context.library.clauses(document.document_id):
            is_read = clause.status == "in_force" and (clause.language in languages or not named)
            if is_read and clause.clause_id not in known and is_at_or_below(clause.article, whole):
                yield clause


def _describe_references(
    context: ToolContext, scope: Scope, clauses: Iterable[Clause]
) -> Iterator[str]:
    """Yield a line for each reference: the article that it leads to, or that none does."""
    for clause in clauses:
        for found in resolve_references(context.library, clause, scope):
            where = "in no document held"
            if target := found.clause:
                page = f"page {target.page_first}" if target.page_first else ""
                where = ", ".join(filter(None, (target.title, page))) or "in the same document"
            yield f"{article_label(clause.article)} refers to {found.reference}: {where}."
