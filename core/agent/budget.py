"""How far a run may go: the named sets of limits, and what has been spent of time and money."""

from dataclasses import replace

from core.agent.run import Run
from core.agent.types import Mode, RunLimits
from core.settings import Settings

DEEP_ITERATIONS = 5


def limits_of(settings: Settings, mode: Mode = "standard") -> RunLimits:
    """Quick: one plain answer, no tools for the model, no score. Standard: as set. Deep: tools until it answers."""
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
    match mode:
        case "quick":
            return replace(
                standard, max_iterations=1, max_tool_rounds=0, rounds_by_intent={}, scoring=False
            )
        case "deep":
            deep = max(DEEP_ITERATIONS, settings.max_iterations)
            return replace(standard, max_iterations=deep, max_tool_rounds=None, rounds_by_intent={})
    return standard


def find_exceeded_limit(run: Run, seconds: float) -> str | None:
    """Why a run may not go further after so many seconds, in a sentence; None while it may."""
    limits = run.limits
    if limits.budget is not None and (run.cost or 0.0) >= limits.budget:
        return f"The budget of ${limits.budget:g} is spent."
    if limits.seconds is not None and seconds >= limits.seconds:
        return f"The time of {limits.seconds:g} seconds is spent."
    return None
