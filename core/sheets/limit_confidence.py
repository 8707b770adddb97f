"""How likely a limit is on what a parameter names, from what is measured of both.

A softmax over the limits of a rulebook and "no rule", on the weighted sum of the measures of each.
The weights are learned by tests/benchmarks/learn_limits.py.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from functools import cache
from math import exp, log
from pathlib import Path

_FILE = Path(__file__).with_name("limit_confidence.toml")
MAX_FACTOR = 1.0
"""The logarithm of how many times as large or small a value is, as far as it counts. The weight of
the measure is learned with it."""


def estimate_log_odds(measures: Mapping[str, float]) -> float:
    """Return the logarithm of how many times as likely a limit is meant as none.

    `measures` may lack the `nearness` in meaning.
    """
    weights = _load_weights()["by_meaning" if "nearness" in measures else "by_words"]
    return weights["constant"] + sum(weights[name] * value for name, value in measures.items())


def sum_odds(scores: Iterable[float]) -> float:
    """Return how many times as likely one of some limits is meant as none."""
    return sum(map(exp, scores))


def measure_size(size: Decimal, ends: Collection[Decimal]) -> float:
    """Return the logarithm of how many times as large or small a value is as the amounts of a rule.

    It is 0 for one among them.
    """
    low, high = min(ends), max(ends)
    if low <= size <= high:
        return 0.0
    end = low if size < low else high
    return min(abs(log(size / end)), MAX_FACTOR) if size > 0 and end > 0 else MAX_FACTOR


@cache
def _load_weights() -> Mapping[str, Mapping[str, float]]:
    """Read the weights that come with the program."""
    weights: Mapping[str, Mapping[str, float]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return weights
