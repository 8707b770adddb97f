"""The protocol of a language model and its values."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from core.agent.question import Question
from core.agent.types import Intent, Plan, PlanStep, Score, Strategy, ToolOutcome, Turn
from core.library import ClausePair
from core.model_calls import ToolCall, ToolSpec, Usage
from core.verification import Citation, ComplianceRow, Source, StatedRule, StatementVerdict


@dataclass(frozen=True, slots=True)
class ClassifyRequest:
    """What a classification is made from. `documents` are (id, label) of the scope."""

    question: str
    history: tuple[Turn, ...]
    tools: tuple[ToolSpec, ...]
    documents: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Classification:
    """Intent and first plan. `kind` says if a tool is needed or `reply` is the answer."""

    intent: Intent
    kind: Literal["tool", "answer", "decline", "clarify"]
    question: str
    tool: str
    query: str
    reason: str
    reply: str = ""
    documents: tuple[str, ...] = ()
    """Ids that restrict the scope; empty leaves it as it is."""
    further: tuple[PlanStep, ...] = ()
    """Steps of the plan after the first, for a question of several parts."""


@dataclass(frozen=True, slots=True)
class ToolRound:
    """A reply that called tools, and their outcomes. Within an iteration rounds are only added."""

    reply: "Reply"
    outcomes: tuple[ToolOutcome, ...]
    """Empty where the reply neither called a tool nor was complete, and is asked to go on."""
    failures: tuple[str, ...] = ()
    """What checks found wrong in the reply's draft, which is to be mended."""
    final: bool = False
    """The reply was asked for with tools withheld."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationRequest:
    """What the requests of an iteration share: the question, its plan, and what was found."""

    asked: Question
    intent: Intent
    plan: Plan
    evidence: tuple[Source, ...] = ()
    tables: str = ""
    """What the tools of the iteration said beside their clauses: notes, pairs, rows."""
    tools: tuple[ToolSpec, ...] = ()
    documents: tuple[str, ...] = ()
    """Labels of the documents in scope."""
    guidance: tuple[str, ...] = ()
    """What the person wrote since they asked."""

    @property
    def question(self) -> str:
        """The text of the question."""
        return self.asked.text


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRequest(IterationRequest):
    """What one reply within an iteration is made from.

    `evidence` is what the planned tool found and what earlier iterations left. It stays the same
    through the iteration, so that a message list built from it only grows. `notes` are a paragraph
    for each earlier iteration.
    """

    iteration: int
    max_iterations: int
    notes: tuple[str, ...] = ()
    pairs: tuple[ClausePair, ...] = ()
    """What the planned tool compared; `tables` has the same in Markdown."""
    struck: tuple[str, ...] = ()
    """What was asked for and is not in force; `tables` has it too."""
    standing: tuple[Source, ...] = ()
    """The clauses by which the documents say how they are to be read."""
    requirements: tuple[ComplianceRow, ...] = ()
    """The question's values, checked against the limits of the rulebooks found."""
    exchanges: tuple[ToolRound, ...] = ()
    final: bool = False
    """Tools are withheld and an answer must come now."""
    rounds: int | None = 0
    """Rounds of tool calls in this iteration; None: as many as are needed."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """The clauses that it shows to the model, each as often as it is shown."""
        found = (s for one in self.exchanges for outcome in one.outcomes for s in outcome.sources)
        return (*self.standing, *self.evidence, *found)

    @property
    def may_call(self) -> bool:
        """False where no call is allowed, rather than answered by an error.

        To forbid calls that were allowed before costs the cache of all messages. So it is done
        from the first request on, or after calls in spite of a prompt that withholds the tools.
        """
        rounds = self.exchanges
        was_refused = any(one.final and one.outcomes for one in rounds)
        return not (was_refused or (rounds[0].final if rounds else self.final))

    @property
    def goes_on(self) -> bool:
        """True where another request with these messages is likely, so that caching them pays.

        That is after a round of calls. Of 18 runs played by hand 14 had none: the first request
        then costs a quarter more for nothing.
        """
        return bool(self.exchanges) and not self.final


@dataclass(frozen=True, slots=True)
class ReplyDelta:
    """A fragment of a reply as it streams."""

    kind: Literal["thought", "draft", "usage"]
    text: str = ""
    anew: bool = False
    """The first words of a draft: they replace those of a reply that broke off."""
    usage: Usage | None = None
    """Of the kind `usage`: what the call has used when its reply begins."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One whole reply. `draft` is the text after TASK_COMPLETE:, `content` what is replayed."""

    thinking: str
    draft: str
    citations: tuple[Citation, ...]
    calls: tuple[ToolCall, ...]
    usage: Usage
    content: tuple[Mapping[str, Any], ...] = ()
    complete: bool = True
    """False where the reply neither called a tool nor had the marker: it is asked to go on."""
    cut: bool = False
    """The draft was cut off at a limit of the server."""
    measures: Mapping[str, float] = field(default_factory=dict)
    """How the quotes of an offline draft match the question; it is scored by them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest(IterationRequest):
    """A draft to score against its evidence. `failures` are what verification found.

    `statements` are ruled on one by one.
    """

    draft: str
    citations: tuple[Citation, ...]
    failures: tuple[str, ...]
    statements: tuple[StatedRule, ...] = ()
    tried: tuple[tuple[str, str], ...] = ()
    """(tool, query) of all plans so far."""
    calls: tuple[str, ...] = ()
    """All tool calls of the run, with what each found."""
    references: tuple[str, ...] = ()
    """A sentence for each reference that was not read, or that no document holds."""
    requirements: tuple[ComplianceRow, ...] = ()
    """The question's values, checked against limits."""
    measures: Mapping[str, float] = field(default_factory=dict)
    """Those of the reply with the draft."""

    @property
    def first_cited(self) -> Source | None:
        """The clause of the first citation; None where nothing, or nothing found, is cited."""
        cited = next((citation.clause_id for citation in self.citations), None)
        return next((source for source in self.evidence if source.clause_id == cited), None)


@dataclass(frozen=True, slots=True)
class Assessment:
    """The score of a draft and, should it not suffice, what to try next.

    `statements` are the verdicts on the request's, each once; a model without any scores quotes.
    """

    score: Score
    strategy: Strategy
    tool: str
    query: str
    reason: str
    intent: Intent | None = None
    """What the question turned out to be, if not what it was classified as."""
    ask: str = ""
    """The question to the person, where only they can say what is meant."""
    step_met: bool = False
    """The draft does what its step of the plan was for, though not yet all that is asked."""
    suggestions: tuple[str, ...] = ()
    """Questions a reader may want to ask next."""
    statements: tuple[StatementVerdict, ...] = ()


class Model(Protocol):
    """A language model as the loop calls it. Raises ModelError where there is no usable reply."""

    @property
    def answer_model(self) -> str: ...

    @property
    def decision_model(self) -> str: ...

    @property
    def offline(self) -> bool: ...

    def classify(self, request: ClassifyRequest) -> tuple[Classification, Usage]: ...

    def stream_reply(self, reply_request: ReplyRequest) -> Generator[ReplyDelta, None, Reply]:
        """Stream one reply. Closing the generator stops the request at once."""
        ...

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]: ...

    def count_tokens(self, request: "AnyRequest", /) -> int:
        """Return the tokens of the longest call that a request leads to."""
        ...


CHARACTERS_PER_TOKEN = 4
"""The usual rule of thumb, where no server counts."""
AnyRequest = ClassifyRequest | ReplyRequest | ScoreRequest
