"""The language model behind the Messages API: the loop's requests and replies in the API's form.

`messages` and `schemas` build what is sent, `stream_parser` reads what comes.
"""

import json
import logging
from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel

from core.agent.models import messages, schemas
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
from core.agent.models.stream_parser import ReplyParser, parse_event
from core.model_calls import MessagesApi, RetryableError, Usage, UsageMeter
from core.settings import Settings

M = TypeVar("M", bound=BaseModel)
Ask = tuple[str, str, type[M]]
"""What a decision is made from: system prompt, message, and the shape of the reply."""

log = logging.getLogger("scrutineer.agent")

SERVER_COUNT_SHARE = 0.5
"""Share of the context from which the server counts tokens. Below it a request fits even if it has
twice as many as estimated."""
CALL_REPEATED = "The connection was cut in the middle of the reply; the call is made once more."


class Claude:
    """A model on a server that speaks the Messages API. It keeps nothing between calls."""

    offline = False

    def __init__(self, settings: Settings, api: MessagesApi | None = None) -> None:
        self._settings = settings
        self._api = api or MessagesApi(settings)

    @property
    def answer_model(self) -> str:
        return self._settings.answer_model

    @property
    def decision_model(self) -> str:
        return self._settings.decision_model

    def classify(self, request: ClassifyRequest) -> tuple[Classification, Usage]:
        reply, usage = self._api.decide(*_ask_to_classify(request))
        return schemas.to_classification(reply, request), usage

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]:
        verdicts, assessment = _ask_to_score(request)
        ruled: list[schemas.VerdictReply] = []
        with UsageMeter(self.decision_model, self._api.server) as meter:
            for ask in verdicts:
                found, usage = self._api.decide(*ask)
                meter.add_call(usage)
                ruled += found.statements
            reply, usage = self._api.decide(*assessment)
            meter.add_call(usage)
            total = meter.total_usage(usage.stop_reason)
        return schemas.to_assessment(reply, request, ruled), total

    def stream_reply(self, reply_request: ReplyRequest) -> Generator[ReplyDelta, None, Reply]:
        with UsageMeter(self.answer_model, self._api.server) as meter:
            try:
                return (yield from self._stream_attempt(reply_request, meter))
            except RetryableError as error:
                log.warning("the call is made once more: %s", error.message)
            yield ReplyDelta("thought", f"\n\n{CALL_REPEATED}\n\n")
            return (yield from self._stream_attempt(reply_request, meter))

    def count_tokens(self, request: AnyRequest) -> int:
        match request:
            case ClassifyRequest():
                return _estimate_decision(_ask_to_classify(request))
            case ScoreRequest():
                verdicts, assessment = _ask_to_score(request)
                return max(map(_estimate_decision, (*verdicts, assessment)))
        estimate = len(json.dumps(self._build_request(request))) // CHARACTERS_PER_TOKEN
        is_small = estimate < SERVER_COUNT_SHARE * self._settings.max_context_tokens
        if is_small or not self._settings.server_token_counting:
            return estimate
        return self.count_tokens_on_server(request) or estimate

    def count_tokens_on_server(self, reply_request: ReplyRequest) -> int | None:
        """Return the tokens of a request as the server counts them; None where it does not."""
        return self._api.count_tokens(self._build_request(reply_request))

    def _build_request(self, request: ReplyRequest) -> dict[str, Any]:
        """Return the body of a request, as it is sent and counted."""
        has_citations = self._settings.server_citations
        return self._api.build_request(
            messages.build_answer_prompt(has_citations),
            messages.build_messages(request, has_citations),
            request.tools,
            request.may_call,
            request.goes_on,
        )

    def _stream_attempt(
        self, request: ReplyRequest, meter: UsageMeter
    ) -> Generator[ReplyDelta, None, Reply]:
        parser = ReplyParser(request.sources)

        def read(event: Any) -> Iterator[ReplyDelta]:
            if event.type == "message_start":
                yield ReplyDelta("usage", usage=meter.usage_with(event.message.usage))
            yield from parse_event(event, parser)

        ended = yield from self._api.stream(self._build_request(request), meter, read)
        ended.check_stop(usable=parser.marked and bool(parser.draft))
        calls = ended.calls
        yield from parser.finish(last=request.final and not calls)
        return Reply(
            thinking=parser.thinking,
            draft=parser.draft,
            citations=parser.citations,
            calls=calls,
            usage=meter.total_usage(ended.message.stop_reason),
            content=ended.blocks,
            cut=not ended.is_whole,
            complete=parser.marked or request.final or bool(calls) or parser.is_empty,
        )


def _ask_to_classify(request: ClassifyRequest) -> Ask[schemas.ClassificationReply]:
    tools = schemas.describe_tools(request.tools)
    return (
        messages.fill_prompt("classify", tools=tools),
        schemas.build_classify_prompt(request),
        schemas.make_classification_schema(request),
    )


def _ask_to_score(
    request: ScoreRequest,
) -> tuple[list[Ask[schemas.VerdictsReply]], Ask[schemas.AssessmentReply]]:
    """Return what is asked for the verdicts on long lists of statements, and for the rest."""
    *batches, last = schemas.batch_statements(request)
    rulings = messages.fill_prompt("rulings")
    ruling = messages.fill_prompt("verdicts", rulings=rulings)
    tools = schemas.describe_tools(request.tools)
    verdicts = [
        (ruling, schemas.build_verdicts_prompt(request, one), schemas.make_verdicts_schema(one))
        for one in batches
    ]
    return verdicts, (
        messages.fill_prompt("score", tools=tools, rulings=rulings),
        schemas.build_score_prompt(request, last),
        schemas.make_assessment_schema(request, last),
    )


def _estimate_decision(ask: Ask[BaseModel]) -> int:
    system, message, shape = ask
    return len(json.dumps([system, message, _write_schema(shape)])) // CHARACTERS_PER_TOKEN


@lru_cache(maxsize=128)
def _write_schema(shape: type[BaseModel]) -> str:
    return json.dumps(shape.model_json_schema())
