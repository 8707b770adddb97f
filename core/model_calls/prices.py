"""The tokens, seconds and US dollars of model calls. Prices are dated data, `prices.toml`."""

import time
import tomllib
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Self

from core.errors import ModelError
from core.model_calls.types import Usage

TOKENS_PER_PRICE = 1_000_000
"""Tokens that a price is for."""
_COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "thinking_tokens",
)


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """US dollars per million tokens, for prompts up to `up_to` tokens."""

    model: str
    input: float
    output: float
    cache_read: float
    cache_write: float
    up_to: float = float("inf")

    def cost_of(self, usage: Usage) -> float:
        """Return the dollars of one reply."""
        return (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        ) / TOKENS_PER_PRICE


@cache
def load_prices() -> tuple[ModelPrice, ...]:
    """Return all known prices; of one model the one for shorter prompts first."""
    text = Path(__file__).with_name("prices.toml").read_text(encoding="utf-8")
    return tuple(ModelPrice(**price) for price in tomllib.loads(text)["price"])


def calculate_cost(usage: Usage) -> float | None:
    """Return the dollars of one reply; None where no price of the model is known."""
    prices = (one for one in load_prices() if one.model == usage.model)
    price = next((one for one in prices if usage.sent_tokens <= one.up_to), None)
    return price.cost_of(usage) if price else None


class UsageMeter:
    """Counts one model call over its attempts, failed ones included.

    As a context manager it gives a ModelError the usage of its call: a call that fails costs too.
    """

    def __init__(self, model: str, server: str) -> None:
        self._usage = Usage(model=model, server=server)
        self._started = time.perf_counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: object, _traceback: object) -> None:
        if isinstance(error, ModelError):
            if isinstance(error.usage, Usage):
                self.add_call(error.usage)
            error.usage = self.total_usage(None)

    @staticmethod
    def estimate(usage: Usage, characters: int) -> Usage:
        """Return a usage with more characters of a reply, at four characters for each token."""
        grown = replace(usage, output_tokens=usage.output_tokens + -(-characters // 4))
        return replace(grown, cost=calculate_cost(grown))

    def add_usage(self, usage: Any) -> None:
        """Add the `usage` of an attempt, as the SDK gives it."""
        details = getattr(usage, "output_tokens_details", None)
        counts: dict[str, Any] = {
            "input_tokens": getattr(usage, "input_tokens", None) or 0,
            "output_tokens": getattr(usage, "output_tokens", None) or 0,
            "cache_read_tokens": getattr(usage, "cache_read_input_tokens", None) or 0,
            "cache_write_tokens": getattr(usage, "cache_creation_input_tokens", None) or 0,
            "thinking_tokens": getattr(details, "thinking_tokens", None) or 0,
        }
        used = Usage(self._usage.model, self._usage.server, **counts)
        self.add_call(replace(used, cost=calculate_cost(used)))

    def usage_with(self, usage: Any) -> Usage:
        """Return the usage so far with that of an attempt that has begun, which is not added."""
        ahead = copy(self)
        ahead.add_usage(usage)
        return ahead.total_usage(None)

    def add_call(self, used: Usage) -> None:
        """Add the usage of a whole call."""
        cost = None if used.cost is None else (self._usage.cost or 0.0) + used.cost
        sums = {name: getattr(self._usage, name) + getattr(used, name) for name in _COUNTS}
        self._usage = replace(self._usage, **sums, cost=self._usage.cost if cost is None else cost)

    def total_usage(self, stop_reason: str | None) -> Usage:
        """Return the usage so far."""
        seconds = time.perf_counter() - self._started
        return replace(self._usage, seconds=seconds, stop_reason=stop_reason)
