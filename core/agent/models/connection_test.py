"""A try of the model that is set: what it answers to, how fast, and what its server can do. It answers no question."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.agent.models.base import ClassifyRequest, Model, Reply, Turn
from core.agent.models.claude import Claude
from core.agent.tools.toolbox import TOOLS
from core.agent.types import Plan, Source
from core.errors import ModelError
from core.settings import Settings

QUESTION = "How fast may one drive in the pit lane?"
RULE = Source(
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
SPECS = tuple(tool.spec for tool in TOOLS.values())
PLAN = Plan(1, "regulation_search", QUESTION, ("trial",), None, "A specific rule is asked for.")


@dataclass(frozen=True, slots=True)
class Tried:
    """One model that was tried: the seconds of its reply, what its server can do, or why there was none."""

    purpose: str
    model: str
    seconds: float
    features: Mapping[str, str] = field(default_factory=dict)
    """Each feature with what came of it: works, off, or what was not seen."""
    trouble: str = ""


def try_out(settings: Settings, model: Model) -> Iterator[Tried]:
    """Put a small question to both models, as a run would, and tell what came of each: two calls, a cent or so."""
    yield _decision(settings, model)
    yield _answer(settings, model)


def _decision(settings: Settings, model: Model) -> Tried:
    started = time.monotonic()
    try:
        model.classify(ClassifyRequest(QUESTION, (), SPECS, ()))
    except ModelError as error:
        return Tried(
            "decides", model.decision_model, time.monotonic() - started, trouble=error.message
        )
    features = {"structured outputs": "works" if settings.server_structured_outputs else "off"}
    return Tried("decides", model.decision_model, time.monotonic() - started, features)


def _answer(settings: Settings, model: Model) -> Tried:
    turn = Turn(
        question=QUESTION,
        intent="SEARCH",
        plan=PLAN,
        iteration=1,
        max_iterations=1,
        notes=(),
        evidence=(RULE,),
        tables="",
        tools=SPECS,
        final=True,
    )
    started = time.monotonic()
    try:
        reply = _reply(model, turn)
    except ModelError as error:
        return Tried(
            "answers", model.answer_model, time.monotonic() - started, trouble=error.message
        )
    seconds = time.monotonic() - started
    return Tried("answers", model.answer_model, seconds, _features(settings, model, turn, reply))


def _reply(model: Model, turn: Turn) -> Reply:
    stream = model.respond(turn)
    while True:
        try:
            next(stream)
        except StopIteration as end:
            reply: Reply = end.value
            return reply


def _features(settings: Settings, model: Model, turn: Turn, reply: Reply) -> dict[str, str]:
    cited, thought = bool(reply.citations), bool(reply.thinking.strip())
    counts = (
        isinstance(model, Claude)
        and settings.server_token_counting
        and model.counted(turn) is not None
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
