"""The values of a call: its blocks, tools as a model sees them, and what it used."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Block = dict[str, Any]
"""A part of a request, in the form of the Messages API."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it: `schema` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's request to call a tool. `call_id` is the model's own id of the call."""

    call_id: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model call used: tokens, seconds, US dollars (None where no price is known)."""

    model: str
    server: str
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    thinking_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    stop_reason: str | None = None

    @property
    def sent_tokens(self) -> int:
        """All tokens of the request, those of the cache included."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens
