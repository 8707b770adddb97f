"""The language model behind the Messages API: the loop's requests and replies in the API's form.

`messages` and `schemas` build what is sent, `stream_parser` reads what comes.
"""

import logging
from collections.abc import Generator, Iterator
from typing import Any

from core.agent.models import messages, schemas
from core.agent.models.base import (
    Assessment,
    Classification,
    ClassifyRequest,
    Reply,
    ReplyDelta,
    ReplyRequest,
    ScoreRequest,
    estimate_tokens,
)
from core.agent.models.stream_parser import ReplyParser, parse_event
from core.model_calls import (
    MessagesApi,
    RetryableError,
    Usage,
    UsageMeter,
    build_replay_blocks,
    check_stop,
    extract_tool_calls,
    is_whole,
)
from core.settings import Settings

log = logging.getLogger("scrutineer.agent")

SERVER_COUNT_SHARE = 0.5
"""Share of the context from which the server counts tokens; below it an estimate will do."""
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
        reply, usage = self._api.decide(
            messages.fill_prompt("classify", tools=schemas.describe_tools(request.tools)),
            schemas.build_classify_prompt(request),
            schemas.make_classification_schema(request),
        )
        return schemas.to_classification(reply, request), usage

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]:
        *batches, last = schemas.batch_statements(request)
        ruled: list[schemas.VerdictReply] = []
        with UsageMeter(self.decision_model, self._api.server) as meter:
            for batch in batches:
                verdicts, usage = self._api.decide(
                    messages.fill_prompt("verdicts", rulings=messages.fill_prompt("rulings")),
                    schemas.build_verdicts_prompt(request, batch),
                    schemas.make_verdicts_schema(batch),
                )
                meter.add_call(usage)
                ruled += verdicts.statements
            reply, usage = self._api.decide(
                messages.fill_prompt(
                    "score",
                    tools=schemas.describe_tools(request.tools),
                    rulings=messages.fill_prompt("rulings"),
                ),
                schemas.build_score_prompt(request, last),
                schemas.make_assessment_schema(request, last),
            )
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

    def count_tokens(self, reply_request: ReplyRequest) -> int:
        estimate = estimate_tokens(reply_request)
        is_small = estimate < SERVER_COUNT_SHARE * self._settings.max_context_tokens
        if is_small or not self._settings.server_token_counting:
            return estimate
        return self.count_tokens_on_server(reply_request) or estimate

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

        message = yield from self._api.stream(self._build_request(request), meter, read)
        check_stop(message, usable=parser.marked and bool(parser.draft))
        calls = tuple(extract_tool_calls(message))
        yield from parser.finish(last=request.final and not calls)
        return Reply(
            thinking=parser.thinking,
            draft=parser.draft,
            citations=parser.citations,
            calls=calls,
            usage=meter.total_usage(message.stop_reason),
            content=tuple(build_replay_blocks(message)),
            cut=not is_whole(message),
            complete=parser.marked or request.final or bool(calls) or parser.is_empty,
        )
