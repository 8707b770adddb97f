"""A model that reads its replies from a script, for tests and demonstrations of the loop."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from core.agent.models.base import (
    CHARACTERS_PER_TOKEN,
    AnyRequest,
    Assessment,
    Classification,
    ClassifyRequest,
    Reply,
    ReplyDelta,
    ReplyRequest,
    ScoreRequest,
)
from core.errors import ModelError
from core.model_calls import Usage

T = TypeVar("T")
_USAGE = Usage(model="scripted", server="script")


@dataclass
class ScriptedModel:
    """A model with a `script` of Classification, Reply and Assessment values, or errors to raise.

    They are used in the order of the calls. `seen` keeps every request.
    """

    script: Iterable[Classification | Reply | Assessment | ModelError]
    answer_model: str = "scripted"
    decision_model: str = "scripted"
    offline: bool = False
    seen: list[ClassifyRequest | ReplyRequest | ScoreRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._replies = iter(self.script)

    def classify(self, request: ClassifyRequest) -> tuple[Classification, Usage]:
        return self._next(request, Classification), _USAGE

    def stream_reply(self, reply_request: ReplyRequest) -> Generator[ReplyDelta, None, Reply]:
        reply = self._next(reply_request, Reply)
        if reply.thinking:
            yield ReplyDelta("thought", reply.thinking)
        if reply.draft:
            yield ReplyDelta("draft", reply.draft, anew=True)
        return reply

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]:
        return self._next(request, Assessment), _USAGE

    def count_tokens(self, request: AnyRequest) -> int:
        return estimate_tokens(request)

    def _next(self, request: ClassifyRequest | ReplyRequest | ScoreRequest, kind: type[T]) -> T:
        self.seen.append(request)
        reply = next(self._replies, None)
        if isinstance(reply, ModelError):
            raise reply
        if not isinstance(reply, kind):
            problem = f"The script holds {reply!r} where a {kind.__name__} was asked for."
            raise ModelError(problem, code="malformed")
        return reply


def estimate_tokens(request: AnyRequest) -> int:
    """Estimate the tokens of what a request is made from."""
    match request:
        case ClassifyRequest(question, history, _, documents):
            turns = (f"{turn.question}{turn.answer}" for turn in history)
            texts = [question, *turns, *(label for _, label in documents)]
        case ReplyRequest():
            replies = (one.reply.thinking + one.reply.draft for one in request.exchanges)
            texts = [request.tables, *request.notes, *replies]
            texts += [f"{source.title}{source.text}" for source in request.sources]
        case ScoreRequest():
            lists = (*request.failures, *request.calls, *request.references)
            stated = (" ".join((r.text, *r.quotes, *r.doubts)) for r in request.statements)
            texts = [request.draft, request.tables, *lists, *stated]
            texts += [f"{source.title}{source.text}" for source in request.evidence]
    if not isinstance(request, ClassifyRequest):
        texts += [request.question, *request.guidance]
    return sum(map(len, texts)) // CHARACTERS_PER_TOKEN
