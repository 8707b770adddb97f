"""The tools by name over one library; what can be wrong with a call becomes a ToolError."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Concatenate, ParamSpec, TypeVar

from pydantic import BaseModel, ValidationError

from core.agent.follow_ups import suggest_follow_ups
from core.agent.question import Question, read_question
from core.agent.tools.article import ArticleArguments, read_article
from core.agent.tools.base import ToolArguments, ToolContext
from core.agent.tools.comparison import ComparisonArguments, regulation_comparison
from core.agent.tools.penalties import penalty_lookup
from core.agent.tools.search import general_rag, regulation_search
from core.agent.tools.summary import regulation_summary
from core.agent.types import ToolResult
from core.errors import LibraryError, ToolError
from core.grammar import Sentence
from core.library import (
    MIN_COVERAGE,
    Library,
    ResolvedReference,
    Scope,
    content_words,
    coverage,
    resolve_references,
    search,
)
from core.model_calls import ToolSpec
from core.registers import LayerNotes, find_kept_sentences, list_layer_notes
from core.verification import Citation

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Tool:
    """A function with its arguments; its name and its docstring are what a model sees."""

    run: Callable[[ToolContext, Any], ToolResult]
    arguments: type[BaseModel]

    @cached_property
    def spec(self) -> ToolSpec:
        description = inspect.getdoc(self.run) or ""
        return ToolSpec(self.run.__name__, description, self.arguments.model_json_schema())


TOOLS: dict[str, Tool] = {
    run.__name__: Tool(run, arguments)
    for run, arguments in (
        (regulation_search, ToolArguments),
        (regulation_summary, ToolArguments),
        (regulation_comparison, ComparisonArguments),
        (penalty_lookup, ToolArguments),
        (general_rag, ToolArguments),
    )
}
"""What a plan, a refinement and a person choose among."""
LOOK_UPS = {"read_article": Tool(read_article, ArticleArguments)}
"""What a model may call too while it answers."""


class Toolbox:
    """The tools over one library. `results` is how many clauses a search brings."""

    def __init__(self, library: Library, results: int = 8) -> None:
        self._library = library
        self._results = results

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in TOOLS.values())

    @property
    def call_specs(self) -> tuple[ToolSpec, ...]:
        """The tools and the look-ups."""
        return (*self.specs, *(tool.spec for tool in LOOK_UPS.values()))

    def call(self, name: str, arguments: Mapping[str, Any], scope: Scope) -> ToolResult:
        """Run a tool. Raises ToolError, with a message that a model can act on."""
        tools = TOOLS | LOOK_UPS
        tool = tools.get(name)
        if tool is None:
            message = f"There is no tool called {name}. There are: {', '.join(tools)}."
            raise ToolError(message, code="unknown_tool")
        try:
            context = ToolContext(self._library, scope, self._results)
            with self._library.pin_state():
                return tool.run(context, tool.arguments.model_validate(dict(arguments)))
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, fault['loc'])) or 'all'}: {fault['msg']}"
                for fault in error.errors()
            )
            message = f"The arguments of {name} are wrong: {faults}."
            raise ToolError(message, code="arguments") from error
        except LibraryError as error:
            is_passing, fatal = error.code == "locked", not error.is_of_question
            raise ToolError(
                error.message, code=error.code, passing=is_passing, fatal=fatal
            ) from error

    def read_question(self, text: str, scope: Scope) -> Question:
        """Parse a question that is asked of a scope. Raises LibraryError `unreadable`."""
        with self._library.pin_state():
            return read_question(self._library, text, scope)

    def resolve_clause_references(
        self, clause_id: str, scope: Scope
    ) -> tuple[ResolvedReference, ...]:
        """Look up the references of a clause; none where the clause is gone."""
        with self._library.pin_state():
            clause = self._library.clause(clause_id)
            return resolve_references(self._library, clause, scope) if clause else ()

    def list_layer_notes(self, scope: Scope, asked: Question) -> LayerNotes:
        """Return what the layers on the day of a scope mean for each other's rules, and where they
        answer a question otherwise.
        """
        with self._library.pin_state():
            return list_layer_notes(self._library, scope.ids, scope.day, question=asked)

    def find_sentences(self, clause_id: str) -> Mapping[str, Sentence]:
        """Return the sentences of a clause as kept with its document, by words as printed."""
        return find_kept_sentences(self._library, clause_id)

    def find(
        self,
        look_up: Callable[Concatenate[Library, P], Iterable[T]],
        *given: P.args,
        **named: P.kwargs,
    ) -> tuple[T, ...]:
        """Return what a function finds in the library; nothing where a query makes no sense.

        An error of the library itself goes on.
        """
        try:
            with self._library.pin_state():
                return tuple(look_up(self._library, *given, **named))
        except LibraryError as error:
            if not error.is_of_question:
                raise
            return ()

    def suggest_questions(
        self, asked: Sequence[str], scope: Scope, citations: Sequence[Citation], count: int
    ) -> tuple[str, ...]:
        """Return what to ask next: a model's questions that have an answer, then our own."""
        answerable = (question for question in asked if self.is_answerable(question, scope))
        questions = list(islice(answerable, count))
        with suppress(LibraryError), self._library.pin_state():
            follow_ups = suggest_follow_ups(self._library, scope, citations)
            questions.extend(islice(follow_ups, count - len(questions)))
        return tuple(dict.fromkeys(questions))

    def is_answerable(self, question: str, scope: Scope) -> bool:
        """True when a search finds a clause with enough of the words of a question."""
        words = content_words(question)
        texts = (
            f"{hit.clause.title} {hit.clause.text}" for hit in self.find(search, question, scope, 3)
        )
        return any(coverage(words, text) >= MIN_COVERAGE for text in texts)
