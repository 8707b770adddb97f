"""What a run works with: its state, the model, the tools and the clock. It decides nothing."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal

from core.agent import events as ev
from core.agent.models.base import Model
from core.agent.question import Question
from core.agent.run import Run
from core.agent.tools.layers import find_layer_clauses
from core.agent.tools.toolbox import Toolbox
from core.agent.types import Purpose, ToolResult
from core.copied_fields import copy_fields
from core.library import Library, RuleAddress, Scope
from core.model_calls import Usage
from core.verification import Source


@dataclass
class RunContext:
    """The state of a run and what it calls. `record_event` is the only source of numbered events.

    `now` dates events; `clock` measures seconds, because the date can be corrected during a run.
    """

    run: Run
    model: Model
    toolbox: Toolbox
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    cached_results: dict[str, ToolResult] = field(default_factory=dict)
    """Results of the tool calls of this run; the same call is made once."""
    interpretation_searched: bool = False
    """True after the search for clauses of interpretation, which happens once in a run."""

    def __post_init__(self) -> None:
        self._started = self.clock()
        self._parsed: tuple[tuple[str, Scope], Question] | None = None

    @property
    def seconds(self) -> float:
        """Working time since the context was made."""
        return self.clock() - self._started

    @property
    def exceeded_limit(self) -> str | None:
        """A sentence on the limit of money or time that the run has reached, or None."""
        budget = self.run.budget
        if budget.budget is not None and (self.run.cost or 0.0) >= budget.budget:
            return f"The budget of ${budget.budget:g} is spent."
        if budget.seconds is not None and self.seconds >= budget.seconds:
            return f"The time limit of {budget.seconds:g} seconds is reached."
        return None

    def read_question(self) -> Question:
        """Return the question of the run, parsed once for its scope.

        Raises LibraryError `unreadable`.
        """
        asked = self.run.question, self.run.scope
        if self._parsed is None or self._parsed[0] != asked:
            self._parsed = asked, self.toolbox.read_question(*asked)
        return replace(self._parsed[1], is_follow_up=self.run.is_follow_up)

    def record_event(self, event: ev.Event) -> ev.Event:
        """Return the event with its number and date, after applying it to the run."""
        stamp = {"run_id": self.run.run_id, "seq": self.run.seq + 1, "at": self.now().isoformat()}
        event = event.model_copy(update=stamp)
        self.run.apply_event(event)
        return event

    def record_warning(self, code: str, message: str) -> ev.Event:
        return self.record_event(
            ev.Warned(iteration=self.run.iterations, code=code, message=message)
        )

    def record_usage(
        self,
        purpose: Purpose,
        usage: object,
        sources: Iterable[Source] = (),
        tools: Literal["offered", "withheld", "none"] = "none",
    ) -> Iterator[ev.Event]:
        """Yield the event of a model call that was sent `sources`; nothing if `usage` is None."""
        if isinstance(usage, Usage):
            clauses = tuple(dict.fromkeys(source.clause_id for source in sources))
            yield self.record_event(
                ev.ModelCalled(
                    iteration=self.run.iterations,
                    purpose=purpose,
                    usage=usage,
                    clauses=clauses,
                    tools=tools,
                )
            )

    def record_evidence(self, tool: str, result: ToolResult) -> ev.EventStream[tuple[Source, ...]]:
        """Add the clauses of a result to the evidence of the run, and return them as sources.

        What other layers say of them comes behind them, with the clauses that say who prevails.
        """
        scope = self.run.scope
        notes = self.toolbox.list_layer_notes(scope, self.read_question())
        beside = self.toolbox.find(find_layer_clauses, notes, result.clauses) if notes else ()
        hits = (*result.clauses, *beside)
        held = self.toolbox.find(Library.documents) if beside else ()
        documents = {one.document_id: one for one in (*held, *scope.documents)}
        labels = {key: document.citation_label for key, document in documents.items()}
        partly = {key for key, document in documents.items() if document.reading == "partly"}
        addresses = {
            clause.clause_id: RuleAddress.of(documents[clause.document_id], clause.article).path
            for clause in (hit.clause for hit in hits)
            if clause.document_id in documents
        }
        sources = self.run.evidence.add_hits(hits, labels, partly, addresses, notes)
        yield self.record_event(
            copy_fields(
                ev.EvidenceFound,
                result,
                iteration=self.run.iterations,
                tool=tool,
                sources=sources,
            )
        )
        return sources
