"""A try of the model that is set: what it answers to, how fast, and what its server can do. It answers no question."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.agent.models.base import ClassifyRequest, Model, Reply, ReplyRequest
from core.agent.tools.toolbox import TOOLS
from core.agent.types import Plan, Source
from core.errors import ModelError
from core.settings import Settings

SAMPLE_QUESTION = "How fast may one drive in the pit lane?"
SAMPLE_RULE = Source(
    marker=1,
    clause_id="trial:1",
    document_id="trial",
    document="2025 Trial Regulations",
    article="1.1",
    title="Pit lane",
    breadcrumb=(),
    text="The speed limit in the pit lane is 60 km/h. It holds throughout the Event.",
    season=2025,
    issue=1,
    page_first=1,
    page_last=1,
    score=1.0,
    why="words",
)
TOOL_SPECS = tuple(tool.spec for tool in TOOLS.values())
SAMPLE_PLAN = Plan(
    1, "regulation_search", SAMPLE_QUESTION, ("trial",), None, "A specific rule is asked for."
)


@dataclass(frozen=True, slots=True)
class ConnectionResult:
    """One model that was tried: the seconds of its reply, what its server can do, or why there was none."""

    purpose: str
    model: str
    seconds: float
    features: Mapping[str, str] = field(default_factory=dict)
    """Each feature with what came of it: works, off, or what was not seen."""
    error: str = ""


def check_connection(settings: Settings, model: Model) -> Iterator[ConnectionResult]:
    """Put a small question to both models, as a run would, and tell what came of each: two calls, a cent or so."""
    yield _decision(settings, model)
    yield _answer(settings, model)


def _decision(settings: Settings, model: Model) -> ConnectionResult:
    started = time.monotonic()
    try:
        model.classify(ClassifyRequest(SAMPLE_QUESTION, (), TOOL_SPECS, ()))
    except ModelError as error:
        return ConnectionResult(
            "decides", model.decision_model, time.monotonic() - started, error=error.message
        )
    features = {"structured outputs": "works" if settings.server_structured_outputs else "off"}
    return ConnectionResult("decides", model.decision_model, time.monotonic() - started, features)


def _answer(settings: Settings, model: Model) -> ConnectionResult:
    turn = ReplyRequest(
        question=SAMPLE_QUESTION,
        intent="SEARCH",
        plan=SAMPLE_PLAN,
        iteration=1,
        max_iterations=1,
        notes=(),
        evidence=(SAMPLE_RULE,),
        tables="",
        tools=TOOL_SPECS,
        final=True,
    )
    started = time.monotonic()
    try:
        reply = _reply(model, turn)
    except ModelError as error:
        return ConnectionResult(
            "answers", model.answer_model, time.monotonic() - started, error=error.message
        )
    seconds = time.monotonic() - started
    return ConnectionResult(
        "answers", model.answer_model, seconds, _features(settings, model, turn, reply)
    )


def _reply(model: Model, turn: ReplyRequest) -> Reply:
    stream = model.stream_reply(turn)
    while True:
        try:
            next(stream)
        except StopIteration as end:
            reply: Reply = end.value
            return reply


def _features(settings: Settings, model: Model, turn: ReplyRequest, reply: Reply) -> dict[str, str]:
    from core.agent.models.claude import Claude  # the SDK takes a second to import

    cited, thought = bool(reply.citations), bool(reply.thinking.strip())
    counts = (
        isinstance(model, Claude)
        and settings.server_token_counting
        and model.count_tokens_on_server(turn) is not None
    )
    return {
        "streaming": "works",
        "citations": _seen(settings.server_citations, cited, "taken, but nothing was cited"),
        "thinking": _seen(settings.server_thinking, thought, "taken, but not needed this time"),
        "token counting": _seen(
            settings.server_token_counting, counts, "not there: tokens are estimated"
        ),
    }


def _seen(switched_on: bool, seen: bool, unseen: str) -> str:
    return "off" if not switched_on else "works" if seen else unseen
