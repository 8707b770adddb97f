"""The tool that collects a topic: which articles carry it, and what of them is on it."""

from collections.abc import Iterable, Mapping, Sequence

from core.agent.tools.base import ToolArguments, ToolContext, below_headings, restrict_to_document
from core.agent.tools.topic import Topic, extract_topic
from core.agent.types import ResultCoverage, ToolResult
from core.library import Hit, search
from core.rulebook import Clause

MAX_SUMMARY_WORDS = 4_000
"""Words of rule text a summary may bring."""
TOPIC_CANDIDATES = 40
"""Clauses looked at to find the articles that carry a topic."""


def regulation_summary(context: ToolContext, arguments: ToolArguments) -> ToolResult:
    """Collect everything on a topic: the articles that carry it, whole and in the rulebook's order.

    For overviews ("summarise the parc ferme rules"), not for a single value.
    """
    scope = restrict_to_document(context.scope, arguments.document)
    topic = extract_topic(arguments.query, scope)
    named = [
        hit
        for hit in search(context.library, arguments.query, scope, context.results)
        if hit.why == "exact"
    ]
    hits = named or search(context.library, topic.query, scope, TOPIC_CANDIDATES)
    carriers = _carriers(hits)
    relevant = [
        Hit(clause, carriers[root], "topic")
        for root, clauses in _by_root(context, hits, carriers).items()
        for clause in (below_headings(clauses, named) if named else _on_topic(clauses, topic, hits))
    ]
    kept = _within(relevant, MAX_SUMMARY_WORDS)
    return ToolResult(clauses=kept, coverage=ResultCoverage(len(kept), len(relevant)))


def _carriers(hits: Iterable[Hit]) -> dict[tuple[str, str], float]:
    """The articles (document, number) that carry a topic with their weight: those near the heaviest, three at most."""
    weights: dict[tuple[str, str], float] = {}
    for hit in hits:
        root = hit.clause.document_id, _root(hit.clause.article)
        weights[root] = weights.get(root, 0.0) + hit.score
    heaviest = sorted(weights.items(), key=lambda item: -item[1])[:3]
    return {root: weight for root, weight in heaviest if weight >= heaviest[0][1] / 3}


def _by_root(
    reach: ToolContext, hits: Iterable[Hit], carriers: Mapping[tuple[str, str], float]
) -> dict[tuple[str, str], list[Clause]]:
    """The clauses in force of each article that carries the topic, in reading order."""
    found: dict[tuple[str, str], list[Clause]] = {}
    languages = {hit.clause.document_id: hit.clause.language for hit in hits}
    for document, language in languages.items():
        for clause in reach.library.clauses(document):
            root = document, _root(clause.article)
            told = (
                clause.status == "in_force" and clause.text and clause.language in (None, language)
            )
            if told and root in carriers:
                found.setdefault(root, []).append(clause)
    return found


def _on_topic(clauses: Sequence[Clause], topic: Topic, hits: Sequence[Hit]) -> list[Clause]:
    """The whole of an article that is mostly on a topic; else what of it is, with what stands below that."""
    on = [Hit(clause, 0.0, "topic") for clause in clauses if topic.matches_clause(clause)]
    return list(clauses) if 2 * len(on) >= len(clauses) else below_headings(clauses, on or hits)


def _root(article: str) -> str:
    """The article that a number stands in: 34 of 34.7, B1.7 of B1.7.2, AD.2 of AD.2.2.1."""
    first, *further = article.split(".")
    return ".".join((first, *further[:1])) if first[:1].isalpha() else first


def _within(hits: list[Hit], words: int) -> tuple[Hit, ...]:
    kept: list[Hit] = []
    for hit in hits:
        words -= len(hit.clause.text.split())
        if words < 0 and kept:
            break
        kept.append(hit)
    return tuple(kept)
