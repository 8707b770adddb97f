"""The budget of a run by its mode."""

from dataclasses import replace

from core.agent.types import Mode, RunBudget
from core.settings import Settings

MIN_DEEP_ITERATIONS = 5


def budget_of(settings: Settings, mode: Mode = "standard") -> RunBudget:
    """Return the budget of a mode.

    quick: one draft, without tools for the model and without a score; standard: the settings;
    deep: more iterations, tools without limit.
    """
    standard = RunBudget(
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
