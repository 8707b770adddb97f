"""The limits of a run by mode."""

from dataclasses import replace

from core.agent.types import Mode, RunLimits
from core.settings import Settings

MIN_DEEP_ITERATIONS = 5
MAX_CHOSEN_ITERATIONS = 10
"""As many as a person can choose for a run."""


def limits_of(settings: Settings, mode: Mode = "standard") -> RunLimits:
    """Return the limits of a mode.

    quick: one draft, without tools for the model and without a score; standard: the settings;
    deep: more iterations, tools without limit.
    """
    standard = RunLimits(
        max_iterations=settings.max_iterations,
        quality_threshold=settings.quality_threshold,
        max_tool_rounds=settings.max_tool_rounds,
        rounds_by_intent=settings.rounds_by_intent,
        history_mode=settings.history_mode,
        max_context_tokens=settings.max_context_tokens,
        budget=settings.budget,
        seconds=settings.run_seconds,
        tool_retries=settings.tool_retries,
    )
    if mode == "standard":
        return standard
    own_rounds = replace(standard, rounds_by_intent={})
    if mode == "quick":
        return replace(own_rounds, max_iterations=1, max_tool_rounds=0, scoring=False)
    iterations = max(MIN_DEEP_ITERATIONS, settings.max_iterations)
    return replace(own_rounds, max_iterations=iterations, max_tool_rounds=None)


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
