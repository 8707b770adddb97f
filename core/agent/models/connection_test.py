"""A test of the models that are set: their replies, their time, what their server can do."""

import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field

from core.agent.models.base import ClassifyRequest, Model, Reply, ReplyDelta, ReplyRequest
from core.agent.models.claude import Claude
from core.agent.question import Question
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
    """A test of one model: the seconds of its reply and what its server can do, or the error."""

    purpose: str
    model: str
    seconds: float
    features: Mapping[str, str] = field(default_factory=dict)
    """By feature: "works", "off" or why it was not seen."""
    error: str = ""


def check_connection(settings: Settings, model: Model) -> Iterator[ConnectionResult]:
    """Put a small question to both models, as a run would, and yield the results.

    Makes two calls, which cost a cent or so.
    """
    yield _test_decision(settings, model)
    yield _test_answer(settings, model)


def _test_decision(settings: Settings, model: Model) -> ConnectionResult:
    started = time.monotonic()
    features, problem = {}, ""
    try:
        model.classify(ClassifyRequest(SAMPLE_QUESTION, (), TOOL_SPECS, ()))
        features["structured outputs"] = "works" if settings.server_structured_outputs else "off"
    except ModelError as error:
        problem = error.message
    seconds = time.monotonic() - started
    return ConnectionResult("decides", model.decision_model, seconds, features, problem)


def _test_answer(settings: Settings, model: Model) -> ConnectionResult:
    request = ReplyRequest(
        asked=Question(SAMPLE_QUESTION),
        intent="SEARCH",
        plan=SAMPLE_PLAN,
        iteration=1,
        max_iterations=1,
        evidence=(SAMPLE_RULE,),
        tools=TOOL_SPECS,
        final=True,
    )
    started = time.monotonic()
    try:
        reply = _read_reply(model.stream_reply(request))
    except ModelError as error:
        seconds = time.monotonic() - started
        return ConnectionResult("answers", model.answer_model, seconds, error=error.message)
    seconds = time.monotonic() - started
    is_counted = (
        settings.server_token_counting
        and isinstance(model, Claude)
        and model.count_tokens_on_server(request) is not None
    )

    def describe(is_on: bool, works: bool, otherwise: str) -> str:
        return "off" if not is_on else "works" if works else otherwise

    cited, thought = bool(reply.citations), bool(reply.thinking.strip())
    features = {
        "streaming": "works",
        "citations": describe(settings.server_citations, cited, "taken, but nothing was cited"),
        "thinking": describe(settings.server_thinking, thought, "taken, but not needed this time"),
        "token counting": describe(
            settings.server_token_counting, is_counted, "not there: tokens are estimated"
        ),
    }
    return ConnectionResult("answers", model.answer_model, seconds, features)


def _read_reply(stream: Generator[ReplyDelta, None, Reply]) -> Reply:
    while True:
        try:
            next(stream)
        except StopIteration as end:
            reply: Reply = end.value
            return reply
