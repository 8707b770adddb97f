"""What the loop asks of a language model, as a protocol and its values; and how many tokens that is, roughly."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from core.agent.types import (
    Citation,
    ComplianceRow,
    Intent,
    Plan,
    PlanStep,
    Score,
    Source,
    Strategy,
    ToolCall,
    ToolOutcome,
    ToolSpec,
    Turn,
    Usage,
)
from core.library import ClausePair


@dataclass(frozen=True, slots=True)
class ClassifyRequest:
    """All that a classification may look at. `documents` are (id, label) of the scope."""

    question: str
    history: tuple[Turn, ...]
    tools: tuple[ToolSpec, ...]
    documents: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Classification:
    """Intent and first plan. `kind` tells whether a tool is needed, or `reply` answers, declines or asks back."""

    intent: Intent
    kind: Literal["tool", "answer", "decline", "clarify"]
    question: str
    tool: str
    query: str
    reason: str
    reply: str = ""
    documents: tuple[str, ...] = ()
    """Ids that narrow the scope; empty leaves it as it is."""
    further: tuple[PlanStep, ...] = ()
    """Steps of the plan after the first, for a question of several parts."""


@dataclass(frozen=True, slots=True)
class ToolRound:
    """A reply that called tools and what the tools gave: the list of these only grows within an iteration."""

    reply: "Reply"
    outcomes: tuple[ToolOutcome, ...]
    """None: the reply neither called a tool nor said that it was complete, and is asked to go on."""


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """All that one reply within an iteration may look at.

    `evidence` is what the planned tool found and what earlier iterations left; it stays the same through the
    iteration, so that a message list built from it only grows. `notes` are one paragraph an earlier iteration each.
    """

    question: str
    intent: Intent
    plan: Plan
    iteration: int
    max_iterations: int
    notes: tuple[str, ...]
    evidence: tuple[Source, ...]
    tables: str
    tools: tuple[ToolSpec, ...]
    documents: tuple[str, ...] = ()
    """Labels of the documents in scope."""
    pairs: tuple[ClausePair, ...] = ()
    """What the planned tool compared; `tables` holds the same for reading."""
    struck: tuple[str, ...] = ()
    """What was asked for and is no rule any more, or not yet; `tables` says it too."""
    standing: tuple[Source, ...] = ()
    """The clauses by which the documents say how they are to be read."""
    exchanges: tuple[ToolRound, ...] = ()
    final: bool = False
    """The tool rounds are spent: tools are withheld and an answer must come now."""


@dataclass(frozen=True, slots=True)
class ReplyDelta:
    """A fragment of a reply as it streams."""

    kind: Literal["thought", "draft"]
    text: str
    anew: bool = False
    """The first words of a draft; what a reply that broke off had of it no longer counts."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply, whole. `draft` is the text after TASK_COMPLETE:; `content` is the wire form, for replaying it."""

    thinking: str
    draft: str
    citations: tuple[Citation, ...]
    calls: tuple[ToolCall, ...]
    usage: Usage
    content: tuple[Mapping[str, Any], ...] = ()
    complete: bool = True
    """False where the reply neither called a tool nor bore the marker: it thought aloud and is to go on."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A draft to be scored against the evidence it was written from. `failures` are what verification found."""

    question: str
    intent: Intent
    plan: Plan
    draft: str
    citations: tuple[Citation, ...]
    evidence: tuple[Source, ...]
    failures: tuple[str, ...]
    tools: tuple[ToolSpec, ...]
    tried: tuple[tuple[str, str], ...]
    """(tool, query) of all plans so far."""
    requirements: tuple[ComplianceRow, ...] = ()
    """The question's values against the limits of the quoted clauses, as code has found them."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """The score of a draft and, should it not suffice, what to try next."""

    score: Score
    strategy: Strategy
    tool: str
    query: str
    reason: str
    intent: Intent | None = None
    """What the question turned out to be, where that is something else than was thought."""
    step_met: bool = False
    """The draft does what its step of the plan was for, though not yet what the question asks."""
    suggestions: tuple[str, ...] = ()
    """Questions a reader may want to ask next."""


class Model(Protocol):
    """A language model as the loop sees it. Every method raises ModelError where no usable reply can be had."""

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

    def count_tokens(self, reply_request: ReplyRequest) -> int:
        """Tokens that a turn would send."""
        ...


def estimate_score_tokens(request: ScoreRequest) -> int:
    """Tokens of a request for a score, by the same rule of thumb as a turn's."""
    told = (
        request.question,
        request.draft,
        *request.failures,
        *(f"{tool}{query}" for tool, query in request.tried),
    )
    return (
        sum(map(len, (*told, *(f"{source.title}{source.text}" for source in request.evidence))))
        // 4
    )


def estimate_tokens(request: ReplyRequest) -> int:
    """Tokens of a turn where no server counts them: a token for four characters, the usual rule of thumb."""
    shown = [
        *request.standing,
        *request.evidence,
        *(s for e in request.exchanges for o in e.outcomes for s in o.sources),
    ]
    told = [request.question, request.tables, *request.notes]
    replies = [exchange.reply.thinking + exchange.reply.draft for exchange in request.exchanges]
    return (
        sum(map(len, (*told, *replies, *(f"{source.title}{source.text}" for source in shown)))) // 4
    )
