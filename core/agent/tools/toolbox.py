"""The library as a run asks it: the tools by name, and what can be wrong with a call. What each does stands beside."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from core.agent.text.stems import MIN_COVERAGE, content_words, coverage
from core.agent.tools.base import ToolArguments, ToolContext
from core.agent.tools.comparison import ComparisonArguments, regulation_comparison
from core.agent.tools.interpretation import find_interpretation_clauses
from core.agent.tools.not_in_force import describe_not_in_force
from core.agent.tools.penalties import penalty_lookup
from core.agent.tools.search import general_rag, regulation_search
from core.agent.tools.summary import regulation_summary
from core.agent.types import ToolResult, ToolSpec
from core.errors import LibraryError, ToolError
from core.library import (
    Document,
    Hit,
    Library,
    ResolvedReference,
    Scope,
    resolve_references,
    search,
)
from core.rulebook import Clause


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool by name; its description is its function's docstring."""

    run: Callable[[ToolContext, Any], ToolResult]
    arguments: type[BaseModel]

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            self.name, inspect.getdoc(self.run) or "", self.arguments.model_json_schema()
        )


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(regulation_search, ToolArguments),
        Tool(regulation_summary, ToolArguments),
        Tool(regulation_comparison, ComparisonArguments),
        Tool(penalty_lookup, ToolArguments),
        Tool(general_rag, ToolArguments),
    )
}


@cache
def _specs() -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in TOOLS.values())


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
            raise ToolError(
                f"There is no tool called {name}. There are: {', '.join(TOOLS)}.",
                code="unknown_tool",
            )
        try:
            return tool.run(
                ToolContext(self._library, scope, self._results),
                tool.arguments.model_validate(dict(arguments)),
            )
        except ValidationError as error:
            raise ToolError(
                f"The arguments of {name} are wrong: {_wrong(error)}.", code="arguments"
            ) from error
        except LibraryError as error:
            raise ToolError(
                error.message, code=error.code, passing=error.code == "locked"
            ) from error

    def resolve_clause_references(
        self, clause_id: str, scope: Scope
    ) -> tuple[ResolvedReference, ...]:
        """What the references of a clause mean within a scope; none where the clause is gone."""
        clause = self._library.clause(clause_id)
        return resolve_references(self._library, clause, scope) if clause else ()

    def find_interpretation_clauses(self, documents: Sequence[Document]) -> tuple[Hit, ...]:
        """The clauses by which documents say how they are to be read; none where the library cannot be read now."""
        try:
            return find_interpretation_clauses(self._library, documents)
        except LibraryError:
            return ()

    def describe_not_in_force(
        self, query: str, scope: Scope, found: Sequence[Clause]
    ) -> tuple[str, ...]:
        """What a query means that is no rule any more or not yet, a sentence each, beside the clauses found for it."""
        try:
            return describe_not_in_force(self._library, query, scope, found)
        except LibraryError:
            return ()

    def is_answerable(self, question: str, scope: Scope) -> bool:
        """True when a search finds a clause that holds at least half of a question's words."""
        words = content_words(question)
        try:
            hits = search(self._library, question, scope, 3)
        except LibraryError:
            return False
        return any(
            coverage(words, f"{hit.clause.title} {hit.clause.text}") >= MIN_COVERAGE for hit in hits
        )


def _wrong(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'all'}: {e['msg']}" for e in error.errors())
