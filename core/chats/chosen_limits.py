"""The limits of a run that a person chooses."""

from dataclasses import replace

from core.agent import Mode, RunLimits, limits_of
from core.settings import Settings

MAX_CHOSEN_ITERATIONS = 10
"""As many as a person can choose for a run."""


def choose_limits(
    settings: Settings, mode: Mode, iterations: int | None = None, threshold: float | None = None
) -> RunLimits:
    """Return the limits of a mode with what a person chose; without a score nothing can be chosen.

    Values are clamped: a browser may send what no slider allows.
    """
    limits = limits_of(settings, mode)
    if not limits.scoring:
        return limits
    most = limits.max_iterations if iterations is None else iterations
    least = limits.quality_threshold if threshold is None else threshold
    return replace(
        limits, max_iterations=clamp_iterations(most), quality_threshold=min(max(least, 1.0), 10.0)
    )


def clamp_iterations(count: int) -> int:
    return min(max(count, 1), MAX_CHOSEN_ITERATIONS)


def mode_of(limits: RunLimits) -> Mode:
    """Return the mode that has such limits."""
    if not limits.scoring:
        return "quick"
    return "deep" if limits.max_tool_rounds is None else "standard"
