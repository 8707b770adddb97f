"""The language model behind the Messages API.

`messages` and `schemas` build what is sent, `client` connects; here are the calls, their retries
and their errors.
"""

import json
import logging
import weakref
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

import anthropic
import httpx2
from anthropic.types import Message
from pydantic import BaseModel, ValidationError

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
from core.agent.models.client import make_client
from core.agent.models.prices import UsageMeter
from core.agent.models.stream_parser import (
    ReplyParser,
    build_replay_blocks,
    extract_tool_calls,
    parse_event,
)
from core.agent.types import Usage
from core.errors import ModelError
from core.settings import Settings

log = logging.getLogger("scrutineer.agent")

MAX_DECISION_TOKENS = 8_000
"""The most a decision may take: its thinking counts, and it is not streamed."""
SERVER_COUNT_SHARE = 0.5
"""Share of the context from which the server counts tokens; below it an estimate will do."""
CALL_REPEATED = "The connection was cut in the middle of the reply; the call is made once more."
MALFORMED_STREAM_ERRORS = (ValueError, LookupError, TypeError, AttributeError, RuntimeError)
"""What the SDK raises where a stream is not what the Messages API sends."""
WHOLE = ("end_turn", "stop_sequence", "tool_use")
"""Why a reply that is whole has ended."""
SPENDING_LIMIT_CODES = ("spend_limit_reached", "billing", "organization_on_hold")

M = TypeVar("M", bound=BaseModel)


class _RetryableError(ModelError):
    """A failure that a second call may mend."""


class Claude:
    """A model on a server that speaks the Messages API. It keeps nothing between calls."""

    offline = False

    def __init__(self, settings: Settings, client: anthropic.Anthropic | None = None) -> None:
        self._settings = settings
        self._client = client or make_client(settings)
        if client is None:  # a session's model goes with it, and its connections
            weakref.finalize(self, self._client.close)
        self._server = urlsplit(str(self._client.base_url)).netloc.rpartition("@")[2]

    @property
    def answer_model(self) -> str:
        return self._settings.answer_model

    @property
    def decision_model(self) -> str:
        return self._settings.decision_model

    def classify(self, request: ClassifyRequest) -> tuple[Classification, Usage]:
        instructions = messages.fill_prompt("classify", tools=schemas.describe_tools(request.tools))
        schema = schemas.make_classification_schema(request)
        reply, usage = self._decide(instructions, schemas.build_classify_prompt(request), schema)
        return schemas.to_classification(reply, request), usage

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]:
        instructions = messages.fill_prompt("score", tools=schemas.describe_tools(request.tools))
        schema = schemas.make_assessment_schema(request)
        reply, usage = self._decide(instructions, schemas.build_score_prompt(request), schema)
        return schemas.to_assessment(reply), usage

    def stream_reply(self, reply_request: ReplyRequest) -> Generator[ReplyDelta, None, Reply]:
        meter = UsageMeter(self.answer_model, self._server)
        with _usage_on_error(meter):
            try:
                return (yield from self._stream_attempt(reply_request, meter))
            except _RetryableError as error:
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
        request = self._build_request(reply_request)
        fields = ("model", "system", "messages", "tools", "tool_choice", "thinking")
        try:
            reply = self._client.messages.count_tokens(
                **{name: request[name] for name in fields if name in request}
            )
        except anthropic.APIError as error:
            log.warning("tokens are estimated: %s", self._to_error(error, self.answer_model).code)
            return None
        except ValueError:
            log.warning("tokens are estimated: %s", self._not_messages_api)
            return None
        tokens = getattr(reply, "input_tokens", None)
        return tokens if isinstance(tokens, int) else None

    def _build_request(self, request: ReplyRequest) -> dict[str, Any]:
        settings = self._settings
        is_strict = settings.server_structured_outputs
        strict = {"strict": True} if is_strict else {}
        transform: Callable[[Any], Any] = anthropic.transform_schema if is_strict else dict
        tools = [
            {"name": spec.name, "description": spec.description}
            | strict
            | {"input_schema": transform(dict(spec.schema))}
            for spec in request.tools
        ]
        prompt = messages.build_answer_prompt(settings.server_citations)
        body: dict[str, Any] = {
            "model": self.answer_model,
            "max_tokens": settings.max_output_tokens,
            "system": messages.build_system_blocks(prompt),
            "messages": messages.build_messages(request, settings.server_citations),
            "tools": tools,
            "tool_choice": {"type": "none" if request.final else "auto"},
            "cache_control": messages.CACHE_CONTROL,
        }
        if settings.server_thinking:
            body["thinking"] = {"type": "adaptive", "display": "summarized"}
        return body

    def _stream_attempt(
        self, request: ReplyRequest, meter: UsageMeter
    ) -> Generator[ReplyDelta, None, Reply]:
        """Make one attempt at a reply. Leaving it, in whatever way, ends the request."""
        parser = ReplyParser(request.sources)
        message: Message | None = None
        try:
            with self._client.messages.stream(**self._build_request(request)) as stream:
                for event in _read_events(stream):
                    if event.type == "message_start":
                        message = stream.current_message_snapshot
                    yield from parse_event(event, parser)
        except anthropic.APIError as error:
            raise self._to_error(error, self.answer_model) from error
        finally:
            meter.add_usage(getattr(message, "usage", None))
        if message is None:
            problem = f"{self._server} sent no reply. Check ANTHROPIC_BASE_URL."
            raise _RetryableError(problem, code="malformed")
        _check_stop(message, usable=parser.marked and bool(parser.draft))
        yield from parser.finish(last=request.final)
        calls = tuple(extract_tool_calls(message))
        return Reply(
            thinking=parser.thinking,
            draft=parser.draft,
            citations=parser.citations,
            calls=calls,
            usage=meter.total_usage(message.stop_reason),
            content=tuple(build_replay_blocks(message)),
            cut=message.stop_reason not in WHOLE,
            complete=parser.marked or request.final or bool(calls) or parser.is_empty,
        )

    def _decide(self, instructions: str, ask: str, shape: type[M]) -> tuple[M, Usage]:
        """Return a decision in a shape; retry once where it is malformed, refused or truncated."""
        request: dict[str, Any] = {
            "model": self.decision_model,
            "max_tokens": min(MAX_DECISION_TOKENS, self._settings.max_output_tokens),
            "messages": [{"role": "user", "content": ask}],
        }
        schema = anthropic.transform_schema(shape)
        if self._settings.server_structured_outputs:
            request["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        else:
            form = messages.fill_prompt("json", schema=json.dumps(schema))
            instructions = f"{instructions}\n\n{form}"
        request["system"] = messages.build_system_blocks(instructions)
        meter = UsageMeter(self.decision_model, self._server)
        with _usage_on_error(meter):
            try:
                return self._decide_once(request, shape, meter)
            except _RetryableError as error:
                log.warning("the decision is asked for once more: %s", error.message)
            return self._decide_once(request, shape, meter)

    def _decide_once(
        self, request: dict[str, Any], shape: type[M], meter: UsageMeter
    ) -> tuple[M, Usage]:
        try:
            message = self._client.messages.create(**request)
        except anthropic.APIError as error:
            raise self._to_error(error, self.decision_model) from error
        except ValueError as error:
            raise _RetryableError(self._not_messages_api, code="malformed") from error
        content = getattr(message, "content", None)
        if not (isinstance(content, list) and all(isinstance(b, BaseModel) for b in content)):
            raise _RetryableError(self._not_messages_api, code="malformed")
        meter.add_usage(getattr(message, "usage", None))
        try:
            _check_stop(message, usable=False)
        except ModelError as error:
            raise _RetryableError(error.message, code=error.code) from error
        text = "".join(block.text or "" for block in message.content if block.type == "text")
        try:
            found = shape.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
        except ValidationError as error:
            problem = f"{self.decision_model} replied in another form than asked."
            raise _RetryableError(problem, code="malformed") from error
        return found, meter.total_usage(message.stop_reason)

    @property
    def _not_messages_api(self) -> str:
        return f"{self._server} does not answer as the Messages API does. Check ANTHROPIC_BASE_URL."

    def _to_error(self, error: anthropic.APIError, model: str) -> ModelError:
        """Return an error of the SDK as one for people. The key is never in it."""
        match error:
            case anthropic.APITimeoutError():
                problem, code = "did not answer in time. Ask again later.", "unreachable"
            case anthropic.APIConnectionError():
                hint = "Check the network and ANTHROPIC_BASE_URL, then ask again."
                problem, code = f"cannot be reached. {hint}", "unreachable"
            case anthropic.APIStatusError() if error.status_code == 429 and not _is_spent(error):
                problem, code = "takes no more requests for now. Ask again later.", "overloaded"
            case anthropic.APIStatusError(status_code=s) if s >= 500 or s in (408, 409):
                problem, code = "is overloaded or out of order. Ask again later.", "overloaded"
            case anthropic.APIStatusError():
                problem = self._explain_rejection(error, model)
                return ModelError(problem, code="rejected", fatal=True)
            case _:
                return ModelError(self._not_messages_api, code="malformed")
        return ModelError(f"{self._server} {problem}", code=code)

    def _explain_rejection(self, error: anthropic.APIStatusError, model: str) -> str:
        server = self._server
        purpose = "DECISION" if model == self.decision_model else "ANSWER"
        setting = f"SCRUTINEER_{purpose}_MODEL"
        if _is_spent(error):
            return (
                f"The spending limit of the account at {server} is reached."
                " Raise it there, or wait until it renews."
            )
        match error.status_code:
            case 401:
                return f"{server} does not accept the key. Check ANTHROPIC_API_KEY."
            case 403:
                problem = f"The key may not use {model} at {server}."
                return f"{problem} Check ANTHROPIC_API_KEY or change {setting}."
            case 404:
                problem = f"{server} knows no model {model}."
                return f"{problem} Change {setting} or check ANTHROPIC_BASE_URL."
            case status if status < 400:
                problem = f"{server} redirects elsewhere, which is not followed."
                return f"{problem} Set ANTHROPIC_BASE_URL to its own address."
        reason = str(error.api_message or "it gave no reason.")
        for secret in self._settings.secrets:
            reason = reason.replace(secret, "(key)")
        return (
            f"{server} rejected the request ({error.status_code}): {' '.join(reason.split())[:300]}"
            " If it names a field that it does not know, switch that off in the settings"
            " (SCRUTINEER_SERVER_...)."
        )


@contextmanager
def _usage_on_error(meter: UsageMeter) -> Iterator[None]:
    """Give a ModelError the usage of its call: a call that fails costs too."""
    try:
        yield
    except ModelError as error:
        error.usage = meter.total_usage(None)
        raise


def _read_events(stream: Iterable[Any]) -> Iterator[Any]:
    """Yield the events of a stream. Raises _RetryableError where it breaks off or is garbled."""
    events = iter(stream)
    while True:
        try:
            event = next(events, None)
        except httpx2.TimeoutException as error:
            problem = "The model did not finish its reply in time. Ask again."
            raise _RetryableError(problem, code="unreachable") from error
        except httpx2.HTTPError as error:
            problem = "The connection was cut in the middle of the reply. Ask again."
            raise _RetryableError(problem, code="unreachable") from error
        except anthropic.APIStatusError as error:
            problem = "The server failed in the middle of the reply. Ask again."
            raise _RetryableError(problem, code="overloaded") from error
        except MALFORMED_STREAM_ERRORS as error:
            problem = "The reply could not be read. Check ANTHROPIC_BASE_URL."
            raise _RetryableError(problem, code="malformed") from error
        if event is None:
            return
        yield event


def _check_stop(message: Message, usable: bool) -> None:
    """Raise ModelError unless the reply is whole, or `usable` as far as it goes."""
    match message.stop_reason:
        case reason if reason in WHOLE:
            return
        case "refusal":
            problem = "The model refused to answer. Put the question in other words."
            raise ModelError(problem, code="refused")
        case None:
            problem = "The reply ended before it was whole. Ask again."
            raise _RetryableError(problem, code="unreachable")
        case reason if usable:
            log.warning("the reply was kept as far as it went: %s", reason)
        case "max_tokens":
            problem = "The reply was longer than allowed."
            hint = "Raise SCRUTINEER_MAX_OUTPUT_TOKENS or ask for less."
            raise ModelError(f"{problem} {hint}", code="truncated")
        case reason:
            problem = f"The model stopped before its answer ({reason}). Ask for less."
            raise ModelError(problem, code="truncated")


def _is_spent(error: anthropic.APIStatusError) -> bool:
    codes = f"{error.error_code} {error.type}"
    return error.status_code == 402 or any(code in codes for code in SPENDING_LIMIT_CODES)
