"""The language model behind the Messages API; the only module that imports `anthropic`.

What goes over the wire is built in `wire` and `decisions`; here are the calls, their retries and their errors.
"""

import json
import logging
import time
import weakref
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
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
from core.agent.models.prices import UsageMeter
from core.agent.models.stream_parser import (
    ReplyParser,
    build_replay_blocks,
    extract_tool_calls,
    parse_event,
)
from core.agent.types import ToolSpec, Usage
from core.errors import ModelError, SettingsError
from core.settings import Settings

log = logging.getLogger("scrutineer.agent")

ANTHROPIC_URL = "https://api.anthropic.com"
CONNECT_TIMEOUT = 10.0
"""Seconds."""
MAX_RETRY_WAIT = 30.0
"""Seconds. A server that asks for a longer wait is not waited for; some ask for weeks."""
MAX_DECISION_TOKENS = 8_000
"""The most a decision may take: its thinking counts, and it is not streamed."""
SERVER_COUNT_SHARE = 0.5
"""Share of the context from which tokens are counted by the server; below it an estimate will do."""
CALL_REPEATED = "The connection was cut in the middle of the reply; the call is made once more."
# What the SDK raises where a stream is not what the Messages API sends.
MALFORMED_STREAM_ERRORS = (ValueError, LookupError, TypeError, AttributeError, RuntimeError)
SPENDING_LIMIT_CODES = ("spend_limit_reached", "billing", "organization_on_hold")

Hooks = dict[str, list[Callable[[httpx2.Response], None]]]
M = TypeVar("M", bound=BaseModel)


class _Again(ModelError):
    """A failure that a second call may mend."""


def make_client(settings: Settings) -> anthropic.Anthropic:
    """A client as the settings ask for; close it, or let it live as long as the program.

    It retries what fails before a reply begins, and follows no redirect: that would send the conversation elsewhere.
    Raises SettingsError where the environment keeps a client from being made.
    """
    timeout = anthropic.Timeout(
        settings.request_timeout, connect=min(CONNECT_TIMEOUT, settings.request_timeout)
    )
    hooks: Hooks = {"response": [_bound_wait, partial(_bound_time, settings.call_seconds)]}
    key = settings.anthropic_api_key
    try:
        http = anthropic.DefaultHttpxClient(
            follow_redirects=False, timeout=timeout, event_hooks=hooks
        )
    except (OSError, ValueError, ImportError) as error:
        told = f"No connection to a model can be made: {error}. Look at SSL_CERT_FILE and the settings of a proxy."
        raise SettingsError(told) from error
    return anthropic.Anthropic(
        api_key=key.get_secret_value() if key else "none",
        base_url=settings.anthropic_base_url or ANTHROPIC_URL,
        timeout=timeout,
        max_retries=2,
        http_client=http,
    )


def _bound_wait(response: httpx2.Response) -> None:
    wait = response.headers.get("retry-after")
    if wait is not None and not (wait.strip().isdigit() and int(wait) <= MAX_RETRY_WAIT):
        response.headers["x-should-retry"] = "false"


def _bound_time(seconds: float, response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _Timed(response.stream, seconds)


class _Timed(httpx2.SyncByteStream):
    """A body that must have come whole within some seconds: the client's own limit is one for each read."""

    def __init__(self, stream: httpx2.SyncByteStream, seconds: float) -> None:
        self._stream = stream
        self._until = time.monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the reply took too long")
            yield chunk

    def close(self) -> None:
        self._stream.close()


class Claude:
    """A model on a server that speaks the Messages API. It keeps nothing between calls."""

    offline = False

    def __init__(self, settings: Settings, client: anthropic.Anthropic | None = None) -> None:
        self._settings = settings
        self._client = client or make_client(settings)
        if client is None:
            weakref.finalize(
                self, self._client.close
            )  # a session's model goes with it, and its connections
        self._server = urlsplit(str(self._client.base_url)).netloc.rpartition("@")[2]

    @property
    def answer_model(self) -> str:
        return self._settings.answer_model

    @property
    def decision_model(self) -> str:
        return self._settings.decision_model

    def classify(self, request: ClassifyRequest) -> tuple[Classification, Usage]:
        instructions = messages.fill_prompt("classify", tools=schemas.describe_tools(request.tools))
        shape = schemas.make_classification_schema(request)
        found, usage = self._decide(instructions, schemas.build_classify_prompt(request), shape)
        return schemas.to_classification(found, request), usage

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]:
        instructions = messages.fill_prompt("score", tools=schemas.describe_tools(request.tools))
        found, usage = self._decide(
            instructions,
            schemas.build_score_prompt(request),
            schemas.make_assessment_schema(request),
        )
        return schemas.to_assessment(found), usage

    def stream_reply(self, reply_request: ReplyRequest) -> Generator[ReplyDelta, None, Reply]:
        request = self._answer_request(reply_request)
        meter = UsageMeter(self.answer_model, self._server)
        with _metered(meter):
            try:
                return (yield from self._streamed(request, reply_request, meter))
            except _Again as error:
                log.warning("the call is made once more: %s", error.message)
            yield ReplyDelta("thought", f"\n\n{CALL_REPEATED}\n\n")
            return (yield from self._streamed(request, reply_request, meter))

    def count_tokens(self, reply_request: ReplyRequest) -> int:
        guess = estimate_tokens(reply_request)
        if (
            not self._settings.server_token_counting
            or guess < SERVER_COUNT_SHARE * self._settings.max_context_tokens
        ):
            return guess
        return self.count_tokens_on_server(reply_request) or guess

    def count_tokens_on_server(self, reply_request: ReplyRequest) -> int | None:
        """Tokens of a turn as the server counts them; None where it does not."""
        request = self._answer_request(reply_request)
        counted = ("model", "system", "messages", "tools", "tool_choice", "thinking")
        try:
            reply = self._client.messages.count_tokens(
                **{k: request[k] for k in counted if k in request}
            )
        except anthropic.APIError as error:
            log.warning("tokens are estimated: %s", self._failed(error, self.answer_model).code)
            return None
        except ValueError:
            log.warning("tokens are estimated: %s", self._garbled)
            return None
        tokens = getattr(reply, "input_tokens", None)
        return tokens if isinstance(tokens, int) else None

    def _answer_request(self, turn: ReplyRequest) -> dict[str, Any]:
        cited = self._settings.server_citations
        request: dict[str, Any] = {
            "model": self.answer_model,
            "max_tokens": self._settings.max_output_tokens,
            "system": messages.build_system_blocks(messages.build_answer_prompt(cited)),
            "messages": messages.build_messages(turn, cited),
            "tools": [self._tool(spec) for spec in turn.tools],
            "tool_choice": {"type": "none" if turn.final else "auto"},
            "cache_control": messages.CACHE_CONTROL,
        }
        if self._settings.server_thinking:
            request["thinking"] = {"type": "adaptive", "display": "summarized"}
        return request

    def _tool(self, spec: ToolSpec) -> dict[str, Any]:
        tool: dict[str, Any] = {"name": spec.name, "description": spec.description}
        if self._settings.server_structured_outputs:
            return tool | {
                "strict": True,
                "input_schema": anthropic.transform_schema(dict(spec.schema)),
            }
        return tool | {"input_schema": dict(spec.schema)}

    def _streamed(
        self, request: dict[str, Any], turn: ReplyRequest, meter: UsageMeter
    ) -> Generator[ReplyDelta, None, Reply]:
        """One attempt at a reply. Leaving it, however, ends the request."""
        transcript = ReplyParser(messages.known_sources(turn))
        message: Message | None = None
        try:
            with self._client.messages.stream(**request) as stream:
                for event in _received(stream):
                    if event.type == "message_start":
                        message = stream.current_message_snapshot
                    yield from parse_event(event, transcript)
        except anthropic.APIError as error:
            raise self._failed(error, self.answer_model) from error
        finally:
            meter.add_usage(getattr(message, "usage", None))
        if message is None:
            raise _Again(
                f"{self._server} sent no reply. Check ANTHROPIC_BASE_URL.", code="malformed"
            )
        _check_stop(message, usable=transcript.marked and bool(transcript.draft))
        yield from transcript.finish(last=turn.final)
        asked = tuple(extract_tool_calls(message))
        return Reply(
            thinking=transcript.thinking,
            draft=transcript.draft,
            citations=transcript.citations,
            calls=asked,
            usage=meter.total_usage(message.stop_reason),
            content=tuple(build_replay_blocks(message)),
            complete=transcript.marked or turn.final or bool(asked) or transcript.is_empty,
        )

    def _decide(self, instructions: str, ask: str, shape: type[M]) -> tuple[M, Usage]:
        """A decision in the shape asked for; one that is malformed, refused or truncated is asked for once more."""
        request: dict[str, Any] = {
            "model": self.decision_model,
            "max_tokens": min(MAX_DECISION_TOKENS, self._settings.max_output_tokens),
            "messages": [{"role": "user", "content": ask}],
        }
        schema = anthropic.transform_schema(shape)
        if self._settings.server_structured_outputs:
            request["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        else:
            instructions = (
                f"{instructions}\n\n{messages.fill_prompt('json', schema=json.dumps(schema))}"
            )
        request["system"] = messages.build_system_blocks(instructions)
        meter = UsageMeter(self.decision_model, self._server)
        with _metered(meter):
            try:
                return self._decided(request, shape, meter)
            except _Again as error:
                log.warning("the decision is asked for once more: %s", error.message)
            return self._decided(request, shape, meter)

    def _decided(
        self, request: dict[str, Any], shape: type[M], meter: UsageMeter
    ) -> tuple[M, Usage]:
        try:
            message = self._client.messages.create(**request)
        except anthropic.APIError as error:
            raise self._failed(error, self.decision_model) from error
        except ValueError as error:
            raise _Again(self._garbled, code="malformed") from error
        content = getattr(message, "content", None)
        if not isinstance(content, list) or any(
            not isinstance(block, BaseModel) for block in content
        ):
            raise _Again(self._garbled, code="malformed")
        meter.add_usage(getattr(message, "usage", None))
        try:
            _check_stop(message, usable=False)
        except ModelError as error:
            raise _Again(error.message, code=error.code) from error
        text = "".join(block.text or "" for block in message.content if block.type == "text")
        try:
            found = shape.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
        except ValidationError as error:
            raise _Again(
                f"{self.decision_model} replied in another form than asked.", code="malformed"
            ) from error
        return found, meter.total_usage(message.stop_reason)

    @property
    def _garbled(self) -> str:
        return f"{self._server} does not answer as the Messages API does. Check ANTHROPIC_BASE_URL."

    def _failed(self, error: anthropic.APIError, model: str) -> ModelError:
        """What an error of the SDK means to a person. The key never stands in it."""
        server = self._server
        match error:
            case anthropic.APITimeoutError():
                return ModelError(
                    f"{server} did not answer in time. Ask again later.", code="unreachable"
                )
            case anthropic.APIConnectionError():
                message = f"{server} cannot be reached. Check the network and ANTHROPIC_BASE_URL, then ask again."
                return ModelError(message, code="unreachable")
            case anthropic.APIStatusError() if error.status_code == 429 and not _spent(error):
                return ModelError(
                    f"{server} takes no more requests for now. Ask again later.", code="overloaded"
                )
            case anthropic.APIStatusError() if error.status_code >= 500 or error.status_code in (
                408,
                409,
            ):
                return ModelError(
                    f"{server} is overloaded or out of order. Ask again later.", code="overloaded"
                )
            case anthropic.APIStatusError():
                return ModelError(self._rejected(error, model), code="rejected", fatal=True)
            case _:
                return ModelError(self._garbled, code="malformed")

    def _rejected(self, error: anthropic.APIStatusError, model: str) -> str:
        server = self._server
        setting = (
            "SCRUTINEER_DECISION_MODEL"
            if model == self.decision_model
            else "SCRUTINEER_ANSWER_MODEL"
        )
        if _spent(error):
            return f"The spending limit of the account at {server} is reached. Raise it there, or wait until it renews."
        match error.status_code:
            case 401:
                return f"{server} does not accept the key. Check ANTHROPIC_API_KEY."
            case 403:
                return f"The key may not use {model} at {server}. Check ANTHROPIC_API_KEY or change {setting}."
            case 404:
                return f"{server} knows no model {model}. Change {setting} or check ANTHROPIC_BASE_URL."
            case status if status < 400:
                return f"{server} redirects elsewhere, which is not followed. Set ANTHROPIC_BASE_URL to its own address."
            case status:
                return (
                    f"{server} rejected the request ({status}): {self._told(error)} If it names a field that it does"
                    " not know, switch that off in the settings (SCRUTINEER_SERVER_...)."
                )

    def _told(self, error: anthropic.APIStatusError) -> str:
        told = str(error.api_message or "it gave no reason.")
        for secret in self._settings.secrets:
            told = told.replace(secret, "(key)")
        return " ".join(told.split())[:300]


@contextmanager
def _metered(meter: UsageMeter) -> Iterator[None]:
    """A call that fails says what it cost all the same."""
    try:
        yield
    except ModelError as error:
        error.usage = meter.total_usage(None)
        raise


def _received(stream: Iterable[Any]) -> Iterator[Any]:
    """The events of a stream. Raises _Again where it breaks off, reports an error or is garbled."""
    events = iter(stream)
    while True:
        try:
            event = next(events, None)
        except httpx2.TimeoutException as error:
            raise _Again(
                "The model did not finish its reply in time. Ask again.", code="unreachable"
            ) from error
        except httpx2.HTTPError as error:
            raise _Again(
                "The connection was cut in the middle of the reply. Ask again.", code="unreachable"
            ) from error
        except anthropic.APIStatusError as error:
            raise _Again(
                "The server failed in the middle of the reply. Ask again.", code="overloaded"
            ) from error
        except MALFORMED_STREAM_ERRORS as error:
            raise _Again(
                "The reply could not be read. Check ANTHROPIC_BASE_URL.", code="malformed"
            ) from error
        if event is None:
            return
        yield event


def _check_stop(message: Message, usable: bool) -> None:
    """Raise ModelError unless the reply is whole, or `usable` as far as it goes."""
    match message.stop_reason:
        case "end_turn" | "stop_sequence" | "tool_use":
            return
        case "refusal":
            raise ModelError(
                "The model refused to answer. Put the question in other words.", code="refused"
            )
        case None:
            raise _Again("The reply ended before it was whole. Ask again.", code="unreachable")
        case "max_tokens" if not usable:
            raise ModelError(
                "The reply was longer than allowed. Raise SCRUTINEER_MAX_OUTPUT_TOKENS or ask for less.",
                code="truncated",
            )
        case reason if not usable:
            raise ModelError(
                f"The model stopped before its answer ({reason}). Ask for less.", code="truncated"
            )
        case reason:
            log.warning("the reply was kept as far as it went: %s", reason)


def _spent(error: anthropic.APIStatusError) -> bool:
    told = f"{error.error_code} {error.type}"
    return error.status_code == 402 or any(word in told for word in SPENDING_LIMIT_CODES)
