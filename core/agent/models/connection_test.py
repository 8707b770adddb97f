"""A test of the models that are set: their replies, their time, what their server can do."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field

from core.agent.models.base import ClassifyRequest, Model, Reply, ReplyDelta, ReplyRequest
from core.agent.models.claude import Claude
from core.agent.question import Question
from core.agent.tools.toolbox import TOOLS
from core.agent.types import Plan
from core.errors import ModelError
from core.model_calls import Usage
from core.settings import Settings
from core.verification import Source

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
    seconds: float = 0.0
    features: Mapping[str, str] = field(default_factory=dict)
    """By feature: "works", "off" or why it was not seen."""
    error: str = ""


def check_connection(settings: Settings, model: Model) -> Iterator[ConnectionResult]:
    """Put a small question to both models, as a run would, and yield the results.

    Makes two calls, which cost a cent or so.
    """
    for purpose, name, test in (
        ("decides", model.decision_model, _test_decision),
        ("answers", model.answer_model, _test_answer),
    ):
        try:
            usage, features = test(settings, model)
        except ModelError as error:
            yield ConnectionResult(purpose, name, error=error.message)
        else:
            yield ConnectionResult(purpose, name, usage.seconds, features)


def _test_decision(settings: Settings, model: Model) -> tuple[Usage, dict[str, str]]:
    """Return what a classification used, and by feature whether it works."""
    request = ClassifyRequest(SAMPLE_QUESTION, (), TOOL_SPECS, ())
    _, usage = model.classify(request)
    works = "works" if settings.server_structured_outputs else "off"
    return usage, {"structured outputs": works}


def _test_answer(settings: Settings, model: Model) -> tuple[Usage, dict[str, str]]:
    """Return what a reply used, and by feature whether it works."""
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
    reply = _read_reply(model.stream_reply(request))
    is_on = settings.server_token_counting
    is_counted = (
        is_on and isinstance(model, Claude) and model.count_tokens_on_server(request) is not None
    )
    seen = (
        ("citations", settings.server_citations, reply.citations, "taken, but nothing was cited"),
        ("thinking", settings.server_thinking, reply.thinking, "taken, but not needed this time"),
        ("token counting", is_on, is_counted, "not there: tokens are estimated"),
    )
    features = {
        name: ("works" if works else otherwise) if on else "off"
        for name, on, works, otherwise in seen
    }
    return reply.usage, {"streaming": "works"} | features


def _read_reply(stream: Generator[ReplyDelta, None, Reply]) -> Reply:
    while True:
        try:
            next(stream)
        except StopIteration as end:
            reply: Reply = end.value
            return reply
