"""What model calls cost: tokens, seconds and US dollars. Prices are dated data (`prices.toml`)."""

import time
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from core.agent.types import Usage

TOKENS_PER_PRICE = 1_000_000
"""Tokens that a price is for."""


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
        """What the tokens of one reply cost."""
        return (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        ) / TOKENS_PER_PRICE


@cache
def load_prices() -> tuple[ModelPrice, ...]:
    """All known prices; of one model the one for shorter prompts first."""
    file = Path(__file__).with_name("prices.toml")
    return tuple(
        ModelPrice(**price) for price in tomllib.loads(file.read_text(encoding="utf-8"))["price"]
    )


def calculate_cost(usage: Usage) -> float | None:
    """Dollars for the tokens of one reply; None where no price of the model is known."""
    prompt = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    fits = (
        price for price in load_prices() if price.model == usage.model and prompt <= price.up_to
    )
    price = next(fits, None)
    return price.cost_of(usage) if price else None


class UsageMeter:
    """Counts one model call over its attempts, failed ones included."""

    def __init__(self, model: str, server: str) -> None:
        self._usage = Usage(model=model, server=server)
        self._started = time.perf_counter()

    def add_usage(self, usage: Any) -> None:
        """Take in the `usage` that a reply brought."""
        details = getattr(usage, "output_tokens_details", None)
        one = Usage(
            model=self._usage.model,
            server=self._usage.server,
            input_tokens=getattr(usage, "input_tokens", None) or 0,
            output_tokens=getattr(usage, "output_tokens", None) or 0,
            cache_read_tokens=getattr(usage, "cache_read_input_tokens", None) or 0,
            cache_write_tokens=getattr(usage, "cache_creation_input_tokens", None) or 0,
            thinking_tokens=getattr(details, "thinking_tokens", None) or 0,
        )
        self._usage = _sum(self._usage, one)

    def total_usage(self, stop_reason: str | None) -> Usage:
        """The call so far."""
        return replace(
            self._usage, seconds=time.perf_counter() - self._started, stop_reason=stop_reason
        )


def _sum(a: Usage, b: Usage) -> Usage:
    price = calculate_cost(b)
    return replace(
        a,
        input_tokens=a.input_tokens + b.input_tokens,
        output_tokens=a.output_tokens + b.output_tokens,
        cache_read_tokens=a.cache_read_tokens + b.cache_read_tokens,
        cache_write_tokens=a.cache_write_tokens + b.cache_write_tokens,
        thinking_tokens=a.thinking_tokens + b.thinking_tokens,
        cost=a.cost if price is None else (a.cost or 0.0) + price,
    )
