"""The five tools: typed arguments in, values out, never a document outside the scope. How they search is the library's.

A tool's docstring is what a model reads of it.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice, zip_longest
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.agent.coverage import HALF, content_words, covered, stems
from core.agent.penalties import UNNAMED, Register, is_general
from core.agent.standing import interpretation
from core.agent.struck import struck
from core.agent.types import Coverage, PenaltyRow, ToolResult, ToolSpec
from core.errors import LibraryError, ToolError
from core.library import search
from core.library.compare import compare, marks_told
from core.library.definitions import definitions_of
from core.library.named import named_in
from core.library.query import words_of
from core.library.references import Resolved, resolve_references
from core.library.store import Library
from core.library.tree import steps
from core.library.types import Document, Hit, Pair, Scope
from core.rulebook.references import sanctions_in
from core.rulebook.types import Clause

QUERY = 20_000
"""Characters of a query: a question's and a person's guidance together."""
SUMMARY_WORDS = 4_000
"""Words of rule text a summary may bring."""
CARRIED = 2 / 3
"""Share of a topic's words from which a clause is on it."""
ROWS = 24
"""Rows that a table of penalties may have."""
SANCTIONED = 4
"""Times the clauses of a search that are looked at for sanctions."""
QUITE = 0.4
"""Share of a question's words from which a rule is on the breach that is asked for."""
PENALTY_WORDS = 3_000
"""Words of rule text that come with a table of penalties."""
GROWN_WORDS = 1_500
"""Words of rule text that may come along with what a search finds."""
REFERRING, REFERENCES, DEFINITIONS, DEFINITION_WORDS = 2, 6, 4, 200
"""Clauses whose references and terms come along, how many of each, and the longest definition that does."""
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
        return _specs()

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

    def interpretation(self, documents: Sequence[Document]) -> tuple[Hit, ...]:
        """The clauses by which documents say how they are to be read; none where the library cannot be read now."""
        try:
            return interpretation(self._library, documents)
        except LibraryError:
            return ()

    def struck(self, query: str, scope: Scope, found: Sequence[Clause]) -> tuple[str, ...]:
        """What a query means that is no rule any more or not yet, a sentence each, beside the clauses found for it."""
        try:
            return struck(self._library, query, scope, found)
        except LibraryError:
            return ()

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
    other words are searched in text, titles and headings. What the best hits refer to comes along, and the definitions
    of the terms that they use; what stands above a clause and holds for it comes with it.
    """
    scope = _narrowed(reach.scope, arguments.document)
    hits = search.search(reach.library, arguments.query, scope, reach.results)
    grown = chain(
        _children(reach, scope, hits),
        islice(_referred(reach, hits[:REFERRING]), REFERENCES),
        islice(_defined(reach, hits[:REFERRING]), DEFINITIONS),
    )
    further = [hit for hit in _unique(chain(hits, grown)) if hit not in hits]
    return ToolResult(clauses=(*hits, *_fitting(further, GROWN_WORDS)))


def regulation_summary(reach: Reach, arguments: Arguments) -> ToolResult:
    """Collect everything on a topic: the articles that carry it, whole and in the rulebook's order.

    For overviews ("summarise the parc ferme rules"), not for a single value.
    """
    scope = _narrowed(reach.scope, arguments.document)
    topic = _topic(arguments.query, scope)
    named = [hit for hit in search.search(reach.library, arguments.query, scope, reach.results) if hit.why == "exact"]
    hits = named or search.search(reach.library, topic.query, scope, TOPIC_CANDIDATES)
    carriers = _carriers(hits)
    relevant = [
        Hit(clause, carriers[root], "topic")
        for root, clauses in _by_root(reach, hits, carriers).items()
        for clause in (_under(clauses, named) if named else _on_topic(clauses, topic, hits))
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
        note=" ".join(filter(None, [f"Before: {before.label}. After: {after.label}.", marks_told(before, after)])),
    )


def penalty_lookup(reach: Reach, arguments: Arguments) -> ToolResult:
    """Find breaches and their sanctions: what happens to whom, on what conditions, who decides, by which article.

    Ask by breach ("speeding in the pit lane") or by sanction ("what gets a drive-through?"). "a penalty under
    Article 54.3d)" is followed to what 54.3d) says; the rule on the breach comes before the general list of penalties.
    """
    scope = _narrowed(reach.scope, arguments.document)
    register = Register(reach.library, scope)
    kinds = set(sanctions_in(arguments.query)) - {UNNAMED}
    if kinds and not _breach_words(arguments.query, scope):
        rows, told = _by_sanction(reach, register, kinds)
    else:
        rows, told = _by_breach(reach, register, arguments.query)
    found = dict.fromkeys(row.clause_id for row in rows)
    clauses = [
        Hit(clause, 1 / rank, "words") for rank, name in enumerate(found, 1) if (clause := reach.library.clause(name))
    ]
    evidence = _fitting(_unique(chain(clauses, _referred(reach, clauses[:REFERRING]))), PENALTY_WORDS)
    return ToolResult(clauses=evidence, rows=rows, note=told)


def general_rag(reach: Reach, arguments: Arguments) -> ToolResult:
    """Search every document in scope and bring the best of each, so that no long document fills the list.

    For questions that span rulebooks or name none.
    """
    scope = _narrowed(reach.scope, arguments.document)
    topic = _topic(arguments.query, scope)
    each = [search.search(reach.library, topic.query, _only(d), 2 * reach.results) for d in scope.documents]
    telling = [[hit for hit in hits if topic.is_carried_by(hit.clause)] for hits in each]
    best = sorted(filter(None, telling if any(telling) else each), key=lambda hits: -hits[0].score)
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


@cache
def _specs() -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in TOOLS.values())


_SANCTION_WORDS = re.compile(
    r"\b(?:penalt\w+|sanction\w*|punish\w*|consequences?|breach\w*|offen[cs]es?|infring\w+|gets?|getting|"
    r"carr(?:y|ies)|leads?|results?|cause[sd]?|incurs?|receives?|imposed?|time|seconds?|reprimand\w*|fine[ds]?|"
    r"drive[- ]through|stop[- ]and[- ]go|grid|drops?|place|positions?|back|points?|deduct\w+|disqualif\w+|dq|dnf|"
    r"suspen\w+|licen[cs]e|exclu\w+|expel\w*|expulsion|pit[- ]lane start|lap times?|delet\w+|warnings?|financial|"
    r"things?|drivers?|competitors?|teams?)\b",
    re.IGNORECASE,
)
"""Words of a question that name a sanction or ask for one, and no breach."""


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


def _defined(reach: Reach, hits: Iterable[Hit]) -> Iterator[Hit]:
    """The definitions of the terms that hits use, cut to these terms."""
    for hit in hits:
        for clause in definitions_of(reach.library, hit.clause, reach.scope):
            if len(clause.text.split()) <= DEFINITION_WORDS:
                yield Hit(clause, hit.score, "definition")


def _one(reach: Reach, beside: Clause, number: str) -> Clause | None:
    """The clause of a number in the document of another clause."""
    return search.article(reach.library, number, _document_of(reach.scope, beside)).clause


def _document_of(scope: Scope, clause: Clause) -> Scope:
    return Scope(tuple(d for d in scope.documents if d.document_id == clause.document_id), "its document")


@dataclass(frozen=True, slots=True)
class _Topic:
    """What a question is about: its own words, and other wordings of them."""

    query: str
    wordings: tuple[Mapping[str, str], ...]

    def is_carried_by(self, clause: Clause) -> bool:
        """True where a clause, with the headings above it, holds most of the words in one wording."""
        text = " ".join((*clause.breadcrumb, clause.title, clause.text))
        return any(covered(words, text) >= CARRIED for words in self.wordings)


def _topic(query: str, scope: Scope) -> _Topic:
    """The topic of a question, without the words that ask and those that name rulebooks."""
    titles = stems(" ".join(document.title for document in scope.documents))
    rest = named_in(query, scope.documents).rest
    words = content_words(rest)
    telling = {stem: word for stem, word in words.items() if stem not in titles} or words
    others = (content_words(other.words) for other in words_of(query, scope.documents).alternatives)
    asked = " ".join(word for word in rest.split() if stems(word) & telling.keys())
    return _Topic(asked or query, tuple(filter(None, (telling, *others))))


def _carriers(hits: Iterable[Hit]) -> dict[tuple[str, str], float]:
    """The articles (document, number) that carry a topic with their weight: those near the heaviest, three at most."""
    weights: dict[tuple[str, str], float] = {}
    for hit in hits:
        root = hit.clause.document_id, _root(hit.clause.article)
        weights[root] = weights.get(root, 0.0) + hit.score
    heaviest = sorted(weights.items(), key=lambda item: -item[1])[:3]
    return {root: weight for root, weight in heaviest if weight >= heaviest[0][1] / 3}


def _by_root(
    reach: Reach, hits: Iterable[Hit], carriers: Mapping[tuple[str, str], float]
) -> dict[tuple[str, str], list[Clause]]:
    """The clauses in force of each article that carries the topic, in reading order."""
    found: dict[tuple[str, str], list[Clause]] = {}
    languages = {hit.clause.document_id: hit.clause.language for hit in hits}
    for document, language in languages.items():
        for clause in reach.library.clauses(document):
            root = document, _root(clause.article)
            told = clause.status == "in_force" and clause.text and clause.language in (None, language)
            if told and root in carriers:
                found.setdefault(root, []).append(clause)
    return found


def _on_topic(clauses: Sequence[Clause], topic: _Topic, hits: Sequence[Hit]) -> list[Clause]:
    """The whole of an article that is mostly on a topic; else what of it is, with what stands below that."""
    on = [Hit(clause, 0.0, "topic") for clause in clauses if topic.is_carried_by(clause)]
    return list(clauses) if 2 * len(on) >= len(clauses) else _under(clauses, on or hits)


def _under(clauses: Sequence[Clause], heads: Iterable[Hit]) -> list[Clause]:
    """Those of the clauses that are heads, or stand below one."""
    numbers = {(head.clause.document_id, steps(head.clause.article)) for head in heads}
    return [
        clause
        for clause in clauses
        for path in [steps(clause.article)]
        if any((clause.document_id, path[:length]) in numbers for length in range(1, len(path) + 1))
    ]


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


def _fitting(hits: Iterable[Hit], words: int) -> tuple[Hit, ...]:
    """The hits for which there is room, in order; a clause that is too long is passed over."""
    kept: list[Hit] = []
    for hit in hits:
        length = len(hit.clause.text.split())
        if length <= words:
            kept.append(hit)
            words -= length
    return tuple(kept)


def _breach_words(query: str, scope: Scope) -> dict[str, str]:
    """What a question says of a breach: its words without those that name rulebooks and sanctions."""
    titles = stems(" ".join(document.title for document in scope.documents))
    words = content_words(_SANCTION_WORDS.sub(" ", named_in(query, scope.documents).rest))
    return {stem: word for stem, word in words.items() if stem not in titles}


def _by_breach(reach: Reach, register: Register, query: str) -> tuple[tuple[PenaltyRow, ...], str | None]:
    """The rows on a breach, those that say most of it first, general lists of penalties last."""
    words = _breach_words(query, register.scope) or content_words(query)
    others = [content_words(other.words) for other in words_of(query, register.scope.documents).alternatives]
    hits = search.search(reach.library, f"{query} penalty", register.scope, SANCTIONED * reach.results)
    ranked: list[tuple[bool, float, float, list[PenaltyRow]]] = []
    for hit in (hit for hit in hits if sanctions_in(hit.clause.text)):
        rows = register.rows(hit.clause)
        around = " ".join((*hit.clause.breadcrumb, hit.clause.title, hit.clause.text))
        share = max((_share((words, *others), row.breach, around) for row in rows), default=0.0)
        ranked.append((is_general(hit.clause), share, share + hit.score / hits[0].score, rows))
    ranked.sort(key=lambda found: (found[0], -found[2]))
    best = max((worth for _, _, worth, _ in ranked), default=0.0)
    kept = [row for general, _, worth, rows in ranked if general or worth >= best / 2 for row in rows][:ROWS]
    if not kept:
        return (), f"No clause in scope names a sanction for “{query}”."
    if max(share for general, share, _, _ in ranked) < QUITE:
        return tuple(kept), f"No clause in scope names a sanction for quite this: “{query}”. The nearest are given."
    return tuple(kept), None


def _share(asked: Iterable[Mapping[str, str]], breach: str, around: str) -> float:
    """How much of what is asked for, in one wording or another, a breach says, and the clause around it."""
    return max((2 * covered(words, breach) + covered(words, around)) / 3 for words in asked)


def _by_sanction(reach: Reach, register: Register, kinds: set[str]) -> tuple[tuple[PenaltyRow, ...], str | None]:
    """All rows of a kind of sanction, rules before general lists; what there are more than can be shown is told."""
    rows = [
        (is_general(clause), row)
        for document in register.scope.documents
        for clause in reach.library.clauses(document.document_id)
        if clause.status == "in_force" and sanctions_in(clause.text)
        for row in register.rows(clause)
        if kinds & set(row.kinds)
    ]
    rows.sort(key=lambda item: item[0])
    named = " or ".join(sorted(kinds))
    if not rows:
        return (), f"No clause in scope names this: {named}."
    more = f"{len(rows)} rules name this: {named}. The first {ROWS} are given." if len(rows) > ROWS else None
    return tuple(row for _, row in rows[:ROWS]), more


def _unique(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(hit.clause.clause_id, hit)
    return tuple(first.values())


def _wrong(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'all'}: {e['msg']}" for e in error.errors())
