"""What all tools share: their arguments, their context, and work on lists of hits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from core.errors import ToolError
from core.grammar import stem_words
from core.library import (
    Document,
    Hit,
    Library,
    Scope,
    article_steps,
    content_words,
    coverage,
    parse_query_filters,
    resolve_references,
)
from core.rulebook import Clause

MAX_QUERY_LENGTH = 20_000
"""Characters of a query: twice those of a question, which may come with a person's guidance."""


class ToolArguments(BaseModel):
    """What every tool takes."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        min_length=1,
        max_length=MAX_QUERY_LENGTH,
        description="What to look for, in the rulebook's own words.",
    )
    document: str | None = Field(
        None,
        description="Look in this one of the documents in scope only,"
        " named as in the list of documents.",
    )


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool works with; `results` is how many clauses a search brings."""

    library: Library
    scope: Scope
    results: int


def restrict_to_document(scope: Scope, name: str | None) -> Scope:
    return scope if name is None else single_document_scope(find_document(scope, name))


def find_document(scope: Scope, name: str) -> Document:
    """Return the one document in scope with this label, id or part of a label.

    Raises ToolError where there is none or more than one.
    """
    words = name.casefold()
    exact = [
        one
        for one in scope.documents
        if words in (one.label.casefold(), one.citation_label.casefold(), one.document_id)
    ]
    matches = exact or [d for d in scope.documents if words in d.label.casefold()]
    if len(matches) == 1:
        return matches[0]
    message = f"“{name}” names no single document in scope. In scope: {scope.label}."
    raise ToolError(message, code="unknown_document")


def single_document_scope(document: Document) -> Scope:
    return Scope((document,), "one document")


def follow_references(context: ToolContext, hits: Iterable[Hit]) -> list[Hit]:
    """Return the clauses in scope that hits refer to."""
    return [
        Hit(found.clause, hit.score, "reference")
        for hit in hits
        for found in resolve_references(context.library, hit.clause, context.scope)
        if found.clause
    ]


def unique_hits(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the first hit of each clause."""
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(hit.clause.clause_id, hit)
    return tuple(first.values())


def fit_hits(hits: Iterable[Hit], words: int) -> tuple[Hit, ...]:
    """Return the hits that fit into so many words, in order; longer ones are skipped."""
    kept: list[Hit] = []
    for hit in hits:
        length = len(hit.clause.text.split())
        if length <= words:
            kept.append(hit)
            words -= length
    return tuple(kept)


def below_headings(clauses: Sequence[Clause], headings: Iterable[Hit]) -> list[Clause]:
    """Return the clauses that are among the headings or below one."""
    heads = {(hit.clause.document_id, article_steps(hit.clause.article)) for hit in headings}
    return [
        clause
        for clause in clauses
        for path in [article_steps(clause.article)]
        if any((clause.document_id, path[:length]) in heads for length in range(1, len(path) + 1))
    ]


MIN_TOPIC_COVERAGE = 2 / 3
"""Share of a topic's words that a clause on it contains."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The words of a question on its topic, by stem."""

    query: str
    words: Mapping[str, str]

    def matches_clause(self, clause: Clause) -> bool:
        """True where a clause and the headings above it contain most of the words or synonyms."""
        text = " ".join((*clause.breadcrumb, clause.title, clause.text))
        return coverage(self.words, text) >= MIN_TOPIC_COVERAGE


def drop_title_words(text: str, scope: Scope) -> dict[str, str]:
    """Return the content words of a text, by stem, without words of document titles."""
    titles = stem_words(" ".join(document.title for document in scope.documents))
    return {stem: word for stem, word in content_words(text).items() if stem not in titles}


def extract_topic(query: str, scope: Scope) -> Topic:
    text = parse_query_filters(query, scope.documents).remaining_text
    own = drop_title_words(text, scope) or content_words(text)
    words = [word for word in text.split() if stem_words(word) & own.keys()]
    return Topic(" ".join(words) or query, own)
