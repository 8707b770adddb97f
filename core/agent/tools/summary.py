"""The tool that collects a topic: the articles that are mainly on it, and their clauses."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator

from core.agent.tools.base import (
    ToolArguments,
    ToolContext,
    below_headings,
    extract_topic,
    restrict_to_document,
)
from core.agent.types import ResultCoverage, ToolResult
from core.library import Hit, search
from core.rulebook import Clause

MAX_SUMMARY_WORDS = 4_000
"""Words of rule text in a summary."""

_Article = tuple[str, str]
"""Document id and article number."""


def regulation_summary(context: ToolContext, arguments: ToolArguments) -> ToolResult:
    """Collect everything on a topic: the articles that carry it, whole and in the rulebook's order.

    For overviews ("summarise the parc ferme rules"), not for a single value.
    """
    scope = restrict_to_document(context.scope, arguments.document)
    topic = extract_topic(arguments.query, scope)
    hits = search(context.library, arguments.query, scope, context.results)
    named = tuple(hit for hit in hits if hit.why == "exact")
    hits = named or search(context.library, topic.query, scope, 40)
    weights = _weigh_articles(hits)
    relevant: list[Hit] = []
    for key, clauses in _collect_clauses(context, hits, weights).items():
        on_topic = [Hit(clause, 0.0, "topic") for clause in clauses if topic.matches_clause(clause)]
        if named or 2 * len(on_topic) < len(clauses):
            clauses = below_headings(clauses, named or on_topic or hits)
        relevant += [Hit(clause, weights[key], "topic") for clause in clauses]
    kept = tuple(_take_words(relevant, MAX_SUMMARY_WORDS))
    return ToolResult(clauses=kept, coverage=ResultCoverage(len(kept), len(relevant)))


def _weigh_articles(hits: Iterable[Hit]) -> dict[_Article, float]:
    """Return the three articles with the highest sums of scores, down to a third of the first."""
    weights: dict[_Article, float] = defaultdict(float)
    for hit in hits:
        weights[hit.clause.document_id, _main_article(hit.clause.article)] += hit.score
    heaviest = sorted(weights.items(), key=lambda item: -item[1])[:3]
    return {key: weight for key, weight in heaviest if weight >= heaviest[0][1] / 3}


def _collect_clauses(
    context: ToolContext, hits: Iterable[Hit], articles: Container[_Article]
) -> dict[_Article, list[Clause]]:
    """Return the clauses in force of each article, in the language of the hits, in order."""
    found: dict[_Article, list[Clause]] = {}
    languages = {hit.clause.document_id: hit.clause.language for hit in hits}
    for document_id, language in languages.items():
        for clause in context.library.clauses(document_id):
            key = document_id, _main_article(clause.article)
            is_shown = clause.status == "in_force" and clause.text
            if is_shown and clause.language in (None, language) and key in articles:
                found.setdefault(key, []).append(clause)
    return found


def _main_article(number: str) -> str:
    """Return the article of a number: 34 of 34.7, B1.7 of B1.7.2, AD.2 of AD.2.2.1."""
    steps = number.split(".")
    return ".".join(steps[: 2 if number[:1].isalpha() else 1])


def _take_words(hits: Iterable[Hit], words: int) -> Iterator[Hit]:
    """Yield hits up to so many words, and always the first."""
    for index, hit in enumerate(hits):
        words -= len(hit.clause.text.split())
        if words < 0 and index:
            return
        yield hit
