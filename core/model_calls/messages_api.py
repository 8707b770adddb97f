"""The Messages API: replies that stream, decisions in a shape, counts of tokens."""

import json
import logging
import weakref
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

import anthropic
from anthropic.types import Message
from pydantic import BaseModel, ValidationError

from core.errors import ModelError
from core.model_calls.client import make_client
from core.model_calls.prices import UsageMeter
from core.model_calls.replies import (
    EndedMessage,
    RetryableError,
    not_messages_api,
    read_events,
    to_model_error,
)
from core.model_calls.types import Block, ToolSpec, Usage
from core.settings import Settings

log = logging.getLogger("scrutineer.model_calls")

D = TypeVar("D")
M = TypeVar("M", bound=BaseModel)

MAX_DECISION_TOKENS = 8_000
"""The most a decision may take: its thinking counts, and it is not streamed."""
CACHE_CONTROL = {"type": "ephemeral"}
"""Marks the end of a prefix that the server may keep."""
JSON_FORM = "Reply with one JSON object that fits this schema, and with nothing else:"
COUNTED_FIELDS = ("model", "system", "messages", "tools", "tool_choice", "thinking")


class MessagesApi:
    """A server that speaks the Messages API. It keeps nothing between calls."""

    def __init__(self, settings: Settings, client: anthropic.Anthropic | None = None) -> None:
        self._settings = settings
        self._client = client or make_client(settings)
        if client is None:  # the connections end with their owner
            weakref.finalize(self, self._client.close)
        self.server = urlsplit(str(self._client.base_url)).netloc.rpartition("@")[2]

    def build_request(
        self,
        system: str,
        messages: list[Block],
        tools: Iterable[ToolSpec],
        may_call: bool,
        goes_on: bool = False,
    ) -> Block:
        """Return the request for a reply; unless it `may_call` them, its tools are withheld.

        Where the conversation likely `goes_on`, its messages are marked for the cache.
        """
        settings = self._settings
        is_strict = settings.server_structured_outputs
        transform: Callable[[Any], Any] = anthropic.transform_schema if is_strict else dict
        strict = {"strict": True} if is_strict else {}
        request = {
            "model": settings.answer_model,
            "max_tokens": settings.max_output_tokens,
            "system": _system_blocks(system),
            "messages": messages,
            "tools": [
                {"name": tool.name, "description": tool.description}
                | strict
                | {"input_schema": transform(dict(tool.schema))}
                for tool in tools
            ],
            "tool_choice": {"type": "auto" if may_call else "none"},
        }
        if goes_on:
            request["cache_control"] = CACHE_CONTROL
        if settings.server_thinking:
            request["thinking"] = {"type": "adaptive", "display": "summarized"}
        return request

    def stream(
        self, request: Mapping[str, Any], meter: UsageMeter, read: Callable[[Any], Iterator[D]]
    ) -> Generator[D, None, EndedMessage]:
        """Make one attempt at a reply, yield what `read` makes of its events, and return it.

        Leaving it, in whatever way, ends the request. Raises ModelError.
        """
        message: Message | None = None
        try:
            with self._client.messages.stream(**request) as stream:
                for event in read_events(stream):
                    if event.type == "message_start":
                        message = stream.current_message_snapshot
                    yield from read(event)
        except anthropic.APIError as error:
            model = self._settings.answer_model
            raise to_model_error(error, self.server, model, self._settings) from error
        finally:
            meter.add_usage(getattr(message, "usage", None))
        if message is None:
            problem = f"{self.server} sent no reply. Check ANTHROPIC_BASE_URL."
            raise RetryableError(problem, code="malformed")
        return EndedMessage(message)

    def count_tokens(self, request: Mapping[str, Any]) -> int | None:
        """Return the tokens of a request as the server counts them; None where it does not."""
        counted = {name: request[name] for name in COUNTED_FIELDS if name in request}
        try:
            reply = self._client.messages.count_tokens(**counted)
        except anthropic.APIError as error:
            problem = to_model_error(error, self.server, request["model"], self._settings)
            log.warning("tokens are estimated: %s", problem.code)
            return None
        except ValueError:
            log.warning("tokens are estimated: %s", not_messages_api(self.server))
            return None
        tokens = getattr(reply, "input_tokens", None)
        return tokens if isinstance(tokens, int) else None

    def decide(self, system: str, ask: str, shape: type[M]) -> tuple[M, Usage]:
        """Return a decision in a shape; retry once where it is malformed, refused or truncated."""
        settings = self._settings
        request: Block = {
            "model": settings.decision_model,
            "max_tokens": min(MAX_DECISION_TOKENS, settings.max_output_tokens),
            "messages": [{"role": "user", "content": ask}],
        }
        schema = _describe_shape(shape)
        if settings.server_structured_outputs:
            request["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        else:
            system = f"{system}\n\n{JSON_FORM}\n{json.dumps(schema)}"
        request["system"] = _system_blocks(system)
        with UsageMeter(settings.decision_model, self.server) as meter:
            try:
                return self._decide_once(request, shape, meter)
            except RetryableError as error:
                log.warning("the decision is asked for once more: %s", error.message)
            return self._decide_once(request, shape, meter)

    def _decide_once(self, request: Block, shape: type[M], meter: UsageMeter) -> tuple[M, Usage]:
        try:
            message = self._client.messages.create(**request)
        except anthropic.APIError as error:
            model = self._settings.decision_model
            raise to_model_error(error, self.server, model, self._settings) from error
        except ValueError as error:
            raise RetryableError(not_messages_api(self.server), code="malformed") from error
        content = getattr(message, "content", None)
        if not (isinstance(content, list) and all(isinstance(b, BaseModel) for b in content)):
            raise RetryableError(not_messages_api(self.server), code="malformed")
        meter.add_usage(getattr(message, "usage", None))
        try:
            EndedMessage(message).check_stop()
        except ModelError as error:
            raise RetryableError(error.message, code=error.code) from error
        text = "".join(block.text or "" for block in message.content if block.type == "text")
        try:
            found = shape.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
        except ValidationError as error:
            problem = f"{self._settings.decision_model} replied in another form than asked."
            raise RetryableError(problem, code="malformed") from error
        return found, meter.total_usage(message.stop_reason)


@lru_cache(maxsize=128)
def _describe_shape(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a shape, not to be changed; to make it takes milliseconds."""
    return anthropic.transform_schema(shape)


def _system_blocks(text: str) -> list[Block]:
    """Return the system prompt, marked for the cache, which takes in the tools before it."""
    return [{"type": "text", "text": text, "cache_control": CACHE_CONTROL}]
