"""A whole reply of the Messages API: why it ended, its tool calls, its blocks to send again.

Errors of the SDK, and replies that ended early, become errors for people.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import anthropic
import httpx2
from anthropic.types import Message

from core.errors import ModelError
from core.model_calls.types import Block, ToolCall
from core.settings import Settings

_GARBLED = "The reply could not be read. Check ANTHROPIC_BASE_URL.", "malformed"
_GARBLES = (ValueError, LookupError, TypeError, AttributeError, RuntimeError)
"""What the SDK raises where a stream is not what the Messages API sends."""
_BROKEN: dict[type[Exception], tuple[str, str]] = {
    httpx2.TimeoutException: (
        "The model did not finish its reply in time. Ask again.",
        "unreachable",
    ),
    httpx2.HTTPError: (
        "The connection was cut in the middle of the reply. Ask again.",
        "unreachable",
    ),
    anthropic.APIStatusError: (
        "The server failed in the middle of the reply. Ask again.",
        "overloaded",
    ),
    **dict.fromkeys(_GARBLES, _GARBLED),
}
"""What is said of a stream that breaks off, and its code; the first kind of an error decides."""
TOO_LONG = ("too long", "too many tokens", "too large", "context length", "context window")
"""What servers say of a request that does not fit their model."""
SPENDING_LIMIT_CODES = ("spend_limit_reached", "billing", "organization_on_hold")
log = logging.getLogger("scrutineer.model_calls")


class RetryableError(ModelError):
    """A failure that a second call may mend."""


def not_messages_api(server: str) -> str:
    return f"{server} does not answer as the Messages API does. Check ANTHROPIC_BASE_URL."


def to_model_error(
    error: anthropic.APIError, server: str, model: str, settings: Settings
) -> ModelError:
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
            problem = _explain_rejection(error, server, model, settings)
            return ModelError(problem, code="rejected", fatal=True)
        case _:
            return ModelError(not_messages_api(server), code="malformed")
    return ModelError(f"{server} {problem}", code=code)


def _explain_rejection(
    error: anthropic.APIStatusError, server: str, model: str, settings: Settings
) -> str:
    purpose = "DECISION" if model == settings.decision_model else "ANSWER"
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
    if error.status_code == 413 or any(words in reason.casefold() for words in TOO_LONG):
        return (
            f"{server} takes no request of this length for {model}."
            " Lower SCRUTINEER_MAX_CONTEXT_TOKENS, or ask about fewer documents."
        )
    for secret in settings.secrets:
        reason = reason.replace(secret, "(key)")
    return (
        f"{server} rejected the request ({error.status_code}): {' '.join(reason.split())[:300]}"
        " If it names a field that it does not know, switch that off in the settings"
        " (SCRUTINEER_SERVER_...)."
    )


def _is_spent(error: anthropic.APIStatusError) -> bool:
    codes = f"{error.error_code} {error.type}"
    return error.status_code == 402 or any(code in codes for code in SPENDING_LIMIT_CODES)


def read_events(stream: Iterable[Any]) -> Iterator[Any]:
    """Yield the events of a stream. Raises RetryableError where it breaks off or is garbled."""
    try:
        yield from stream
    except tuple(_BROKEN) as error:
        problem, code = next(_BROKEN[kind] for kind in _BROKEN if isinstance(error, kind))
        raise RetryableError(problem, code=code) from error


@dataclass(frozen=True, slots=True)
class EndedMessage:
    """A reply that has ended, whole or cut off."""

    message: Message

    @property
    def is_whole(self) -> bool:
        """True for a reply that was not cut off at a limit."""
        return self.message.stop_reason in ("end_turn", "stop_sequence", "tool_use")

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Its tool calls. Only a reply that stopped for its tools has whole arguments."""
        return tuple(
            ToolCall(block.id, block.name, block.input if isinstance(block.input, dict) else {})
            for block in self.message.content
            if block.type == "tool_use" and self.message.stop_reason == "tool_use"
        )

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks for the server, without empty texts, which it would reject."""
        blocks = self.message.content
        return tuple(one.to_dict() for one in blocks if one.type != "text" or one.text.strip())

    def check_stop(self, usable: bool = False) -> None:
        """Raise ModelError unless the reply is whole, or `usable` as far as it goes."""
        match self.message.stop_reason:
            case _ if self.is_whole:
                return
            case "refusal":
                problem = "The model refused to answer. Put the question in other words."
                raise ModelError(problem, code="refused")
            case None:
                problem = "The reply ended before it was whole. Ask again."
                raise RetryableError(problem, code="unreachable")
            case reason if usable:
                log.warning("the reply was kept as far as it went: %s", reason)
            case "max_tokens":
                problem = "The reply was longer than allowed."
                hint = "Raise SCRUTINEER_MAX_OUTPUT_TOKENS or ask for less."
                raise ModelError(f"{problem} {hint}", code="truncated")
            case reason:
                problem = f"The model stopped before its answer ({reason}). Ask for less."
                raise ModelError(problem, code="truncated")
