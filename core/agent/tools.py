"""The five tools: typed arguments in, values out, never a document outside the scope. How they search is the library's.

A tool's docstring is what a model reads of it.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.agent.coverage import HALF, content_words, covered
from core.agent.evidence import sentences
from core.agent.types import Coverage, PenaltyRow, ToolResult, ToolSpec
from core.errors import LibraryError, ToolError
from core.library import search
from core.library.compare import compare
from core.library.references import Resolved, resolve_references
from core.library.store import Library
from core.library.types import Document, Hit, Pair, Scope
from core.rulebook import numbering
from core.rulebook.types import Clause

QUERY = 20_000
"""Characters of a query: a question's and a person's guidance together."""
SUMMARY_WORDS = 4_000
"""Words of rule text a summary may bring."""
TOPIC_CANDIDATES = 40
"""Clauses looked at to find the articles that carry a topic."""


class Arguments(BaseModel):
    """What every tool takes."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1, max_length=QUERY, description="What to look for, in the rulebook's own words.")
    document: str | None = Field(
        None,
        description="Look in this one of the documents in scope only, named as in the list of documents.",
    )


class Comparison(BaseModel):
    """Two documents and what to compare them on."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        min_length=1,
        max_length=QUERY,
        description="The topic or article to compare, in the rulebook's own words.",
    )
    document_a: str | None = Field(None, description="The earlier document, named as in the list of documents.")
    document_b: str | None = Field(None, description="The later document, named as in the list of documents.")


@dataclass(frozen=True, slots=True)
class Reach:
    """What a tool may use: a library, the scope of the run or a part of it, and how many clauses to bring."""

    library: Library
    scope: Scope
    results: int


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool by name; its description is its function's docstring."""

    run: Callable[[Reach, Any], ToolResult]
    arguments: type[BaseModel]

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, inspect.getdoc(self.run) or "", self.arguments.model_json_schema())


class Toolbox:
    """The tools over one library. `results` is how many clauses a search brings."""

    def __init__(self, library: Library, results: int = 8) -> None:
        self._library = library
        self._results = results

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in TOOLS.values())

    def call(self, name: str, arguments: Mapping[str, Any], scope: Scope) -> ToolResult:
        """Run a tool. Raises ToolError, whose message a model can act on, for every way a call can be wrong."""
        tool = TOOLS.get(name)
        if tool is None:
            raise ToolError(f"There is no tool called {name}. There are: {', '.join(TOOLS)}.", code="unknown_tool")
        try:
            return tool.run(Reach(self._library, scope, self._results), tool.arguments.model_validate(dict(arguments)))
        except ValidationError as error:
            raise ToolError(f"The arguments of {name} are wrong: {_wrong(error)}.", code="arguments") from error
        except LibraryError as error:
            raise ToolError(error.message, code=error.code, passing=error.code == "locked") from error

    def references(self, clause_id: str, scope: Scope) -> tuple[Resolved, ...]:
        """What the references of a clause mean within a scope; none where the clause is gone."""
        clause = self._library.clause(clause_id)
        return resolve_references(self._library, clause, scope) if clause else ()

    def answerable(self, question: str, scope: Scope) -> bool:
        """True when a search finds a clause that holds at least half of a question's words."""
        words = content_words(question)
        try:
            hits = search.search(self._library, question, scope, 3)
        except LibraryError:
            return False
        return any(covered(words, f"{hit.clause.title} {hit.clause.text}") >= HALF for hit in hits)


def regulation_search(reach: Reach, arguments: Arguments) -> ToolResult:
    """Find the clauses that answer a specific question.

    An article number in the query ("54.3", "B1.7.2") is looked up exactly and comes first with its sub-clauses;
    other words are searched in text, titles and headings. The clauses that the best hit refers to come along.
    """
    scope = _narrowed(reach.scope, arguments.document)
    hits = search.search(reach.library, arguments.query, scope, reach.results)
    return ToolResult(clauses=_unique(chain(hits, _children(reach, scope, hits), _referred(reach, hits[:2]))))


def regulation_summary(reach: Reach, arguments: Arguments) -> ToolResult:
    """Collect everything on a topic: the articles that carry it, whole and in the rulebook's order.

    For overviews ("summarise the parc ferme rules"), not for a single value.
    """
    scope = _narrowed(reach.scope, arguments.document)
    hits = search.search(reach.library, arguments.query, scope, TOPIC_CANDIDATES)
    carriers = _carriers(hits)
    relevant = [
        Hit(clause, carriers[root], "topic")
        for document in dict.fromkeys(hit.clause.document_id for hit in hits)
        for clause in reach.library.clauses(document)
        if clause.status == "in_force" and (root := (document, _root(clause.article))) in carriers and clause.text
    ]
    kept = _within(relevant, SUMMARY_WORDS)
    return ToolResult(clauses=kept, coverage=Coverage(len(kept), len(relevant)))


def regulation_comparison(reach: Reach, arguments: Comparison) -> ToolResult:
    """Compare two documents in scope (two issues or two seasons) on a topic or an article.

    Gives a row a pair of clauses: unchanged, changed, added, removed or renumbered, with both wordings.
    """
    before, after = _two_documents(reach, arguments)
    found = [search.search(reach.library, arguments.query, _only(d), reach.results) for d in (before, after)]
    if any(hit.why == "exact" for hits in found for hit in hits):
        found = [tuple(hit for hit in hits if hit.why == "exact") for hits in found]
    rank = {hit.clause.clause_id: number for hits in found for number, hit in enumerate(hits)}
    if not rank:
        return ToolResult(note=f"Neither document has a clause on “{arguments.query}”.")
    old, new = (reach.library.clauses(document.document_id) for document in (before, after))
    pairs = sorted(compare(old, new, about=rank), key=lambda pair: _rank_of(pair, rank))
    clauses = {clause.clause_id: clause for clause in (*old, *new)}
    sides = (side for pair in pairs for side in (pair.clause_a, pair.clause_b) if side)
    return ToolResult(
        clauses=tuple(Hit(clauses[side], 1 / (1 + rank.get(side, len(rank))), "topic") for side in sides),
        pairs=tuple(pairs),
        note=f"Before: {before.label}. After: {after.label}.",
    )


def penalty_lookup(reach: Reach, arguments: Arguments) -> ToolResult:
    """Find breaches and their sanctions: what happens to whom, who decides, by which article.

    "a penalty under Article 54.3d)" is followed to what 54.3d) says.
    """
    scope = _narrowed(reach.scope, arguments.document)
    hits = search.search(reach.library, f"{arguments.query} penalty", scope, 2 * reach.results)
    telling = [hit for hit in hits if SANCTION.search(hit.clause.text)][: reach.results]
    rows = [row for hit in telling for row in _rows(reach, hit.clause)]
    ranked = sorted(rows, key=lambda row: -_shared(arguments.query, row.breach))
    return ToolResult(clauses=_unique(chain(telling, _referred(reach, telling))), rows=tuple(ranked))


def general_rag(reach: Reach, arguments: Arguments) -> ToolResult:
    """Search every document in scope and bring the best of each, so that no long document fills the list.

    For questions that span rulebooks or name none.
    """
    scope = _narrowed(reach.scope, arguments.document)
    each = (search.search(reach.library, arguments.query, _only(d), reach.results) for d in scope.documents)
    best = sorted((hits for hits in each if hits), key=lambda hits: -hits[0].score)
    balanced = [hit for rank in zip_longest(*best) for hit in rank if hit is not None]
    return ToolResult(clauses=tuple(balanced[: reach.results]))


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(regulation_search, Arguments),
        Tool(regulation_summary, Arguments),
        Tool(regulation_comparison, Comparison),
        Tool(penalty_lookup, Arguments),
        Tool(general_rag, Arguments),
    )
}

SANCTION = re.compile(
    r"\b(penalt(?:y|ies)|reprimand\w*|fines?|fined|disqualif\w+|drive[- ]through|stop[- ]and[- ]go|"
    r"grid (?:positions?|places?|drop)|time penalty|from the pit lane|suspen(?:ded|sion)|deduct\w+|"
    r"not be permitted to start|exclu(?:ded|sion))\b",
    re.IGNORECASE,
)
_DECIDERS = re.compile(
    r"\b(stewards|race director|technical delegate|clerk of the course|race control|"
    r"cost cap adjudication panel|officials|organi[sz]ers?)\b",
    re.IGNORECASE,
)


def _narrowed(scope: Scope, name: str | None) -> Scope:
    return scope if name is None else _only(_named(scope, name))


def _named(scope: Scope, name: str) -> Document:
    """The one document in scope that a model means. Raises ToolError where there is none or more than one."""
    words = name.casefold()
    exact = [d for d in scope.documents if words in (d.label.casefold(), d.document_id)]
    alike = exact or [d for d in scope.documents if words in d.label.casefold()]
    if len(alike) == 1:
        return alike[0]
    raise ToolError(f"“{name}” names no single document in scope. In scope: {scope.label}.", code="unknown_document")


def _only(document: Document) -> Scope:
    return Scope((document,), "one document")


def _two_documents(reach: Reach, arguments: Comparison) -> tuple[Document, Document]:
    """The documents named, or the oldest and the newest of the rulebook in scope that has most on the query."""
    scope, named = reach.scope, (arguments.document_a, arguments.document_b)
    if named[0] and named[1]:
        return _named(scope, named[0]), _named(scope, named[1])
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
        max(several, key=partial(_weight, reach, arguments.query)), key=lambda d: (d.season or 0, d.issue or 0)
    )
    return members[0], members[-1]


def _weight(reach: Reach, query: str, documents: tuple[Document, ...]) -> float:
    """How much documents have on a query: the search score of their best clause."""
    hits = search.search(reach.library, query, Scope(documents, "one rulebook"), 1)
    return hits[0].score if hits else 0.0


def _rank_of(pair: Pair, rank: Mapping[str, int]) -> int:
    return min(rank.get(side, len(rank)) for side in (pair.clause_a, pair.clause_b) if side)


def _children(reach: Reach, scope: Scope, hits: Iterable[Hit]) -> list[Hit]:
    """The sub-clauses of articles that were asked for by number."""
    exact = [hit for hit in hits if hit.why == "exact"]
    return [
        Hit(child, hit.score, "exact")
        for hit in exact
        for number in search.article(reach.library, hit.clause.article, _document_of(scope, hit.clause)).children
        if (child := _one(reach, hit.clause, number))
    ]


def _referred(reach: Reach, hits: Iterable[Hit]) -> list[Hit]:
    """The clauses that hits refer to, in their documents or in others of the scope."""
    return [
        Hit(found.clause, hit.score, "reference")
        for hit in hits
        for found in resolve_references(reach.library, hit.clause, reach.scope)
        if found.clause
    ]


def _one(reach: Reach, beside: Clause, number: str) -> Clause | None:
    """The clause of a number in the document of another clause."""
    return search.article(reach.library, number, _document_of(reach.scope, beside)).clause


def _document_of(scope: Scope, clause: Clause) -> Scope:
    return Scope(tuple(d for d in scope.documents if d.document_id == clause.document_id), "its document")


def _carriers(hits: Iterable[Hit]) -> dict[tuple[str, str], float]:
    """The articles (document, number) that carry a topic with their weight: those near the heaviest, three at most."""
    weights: dict[tuple[str, str], float] = {}
    for rank, hit in enumerate(hits, 1):
        root = hit.clause.document_id, _root(hit.clause.article)
        weights[root] = weights.get(root, 0.0) + 1 / rank
    heaviest = sorted(weights.items(), key=lambda item: -item[1])[:3]
    return {root: weight for root, weight in heaviest if weight >= heaviest[0][1] / 3}


def _root(article: str) -> str:
    """The article that a number stands in: 34 of 34.7, B1.7 of B1.7.2, AD.2 of AD.2.2.1."""
    steps = article.split(".")
    return ".".join(steps[:2]) if steps[0][:1].isalpha() else steps[0]


def _within(hits: list[Hit], words: int) -> tuple[Hit, ...]:
    kept: list[Hit] = []
    for hit in hits:
        words -= len(hit.clause.text.split())
        if words < 0 and kept:
            break
        kept.append(hit)
    return tuple(kept)


def _rows(reach: Reach, clause: Clause) -> list[PenaltyRow]:
    return [
        PenaltyRow(
            breach=sentence,
            sanction=_sanction(reach, clause, sentence),
            decided_by=", ".join(dict.fromkeys(m.casefold() for m in _DECIDERS.findall(clause.text))),
            article=clause.article,
            page=clause.page_first,
            clause_id=clause.clause_id,
        )
        for sentence in sentences(clause.text)
        if SANCTION.search(sentence)
    ]


def _sanction(reach: Reach, clause: Clause, sentence: str) -> str:
    """The sanction words of a sentence, with the words of the article it sends one to."""
    named = "; ".join(dict.fromkeys(match.group(0) for match in SANCTION.finditer(sentence)))
    followed = [
        f"Article {number}: {target.text}"
        for number in numbering.articles_named(sentence)
        if (target := _one(reach, clause, number)) and target.article != clause.article
    ]
    return " → ".join([named, *followed])


def _shared(query: str, text: str) -> int:
    return len(set(re.findall(r"\w+", query.casefold())) & set(re.findall(r"\w+", text.casefold())))


def _unique(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(hit.clause.clause_id, hit)
    return tuple(first.values())


def _wrong(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'all'}: {e['msg']}" for e in error.errors())
