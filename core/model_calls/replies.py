"""A whole reply of the Messages API: why it ended, its tool calls, its blocks to send again."""

import logging
from collections.abc import Iterator
from typing import Any

from anthropic.types import Message

from core.errors import ModelError
from core.model_calls.call_errors import RetryableError
from core.model_calls.types import ToolCall

log = logging.getLogger("scrutineer.model_calls")


def is_whole(message: Message) -> bool:
    """True for a reply that was not cut off at a limit."""
    return message.stop_reason in ("end_turn", "stop_sequence", "tool_use")


def check_stop(message: Message, usable: bool) -> None:
    """Raise ModelError unless the reply is whole, or `usable` as far as it goes."""
    match message.stop_reason:
        case _ if is_whole(message):
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


def extract_tool_calls(message: Message) -> Iterator[ToolCall]:
    """Yield the tool calls of a reply. Only one that stopped for its tools has whole arguments."""
    for block in message.content if message.stop_reason == "tool_use" else ():
        if block.type == "tool_use":
            arguments = block.input if isinstance(block.input, dict) else {}
            yield ToolCall(block.id, block.name, arguments)


def build_replay_blocks(message: Message) -> Iterator[dict[str, Any]]:
    """Yield a reply's blocks for the server, without empty texts, which it would reject."""
    for block in message.content:
        if block.type != "text" or block.text.strip():
            yield block.to_dict()
