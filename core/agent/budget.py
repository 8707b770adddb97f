"""The budget of a run by its mode."""

from dataclasses import replace

from core.agent.types import RunBudget
from core.choices import Mode
from core.copied_fields import copy_fields
from core.settings import Settings


def budget_of(
    settings: Settings,
    mode: Mode = "standard",
    max_iterations: int | None = None,
    threshold: float | None = None,
) -> RunBudget:
    """Return the budget of a mode, with what somebody set for one question.

    quick: one draft, without tools for the model and without a score; standard: the settings;
    deep: at least five iterations, where three are the default, and tools without limit.
    """
    budget = _budget_of_mode(settings, mode)
    return replace(
        budget,
        max_iterations=max_iterations or budget.max_iterations,
        quality_threshold=threshold or budget.quality_threshold,
    )


def _budget_of_mode(settings: Settings, mode: Mode) -> RunBudget:
    standard = copy_fields(RunBudget, settings, seconds=settings.run_seconds)
    if mode == "standard":
        return standard
    own_rounds = replace(standard, rounds_by_intent={})
    if mode == "quick":
        return replace(own_rounds, max_iterations=1, max_tool_rounds=0, scoring=False)
    iterations = max(5, settings.max_iterations)
    return replace(own_rounds, max_iterations=iterations, max_tool_rounds=None)
