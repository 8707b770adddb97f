"""The budget of a run that a person chooses."""

from dataclasses import replace

from core.agent import Mode, RunBudget, budget_of
from core.settings import Settings

MAX_CHOSEN_ITERATIONS = 10
"""As many as a person can choose for a run."""


def choose_budget(
    settings: Settings, mode: Mode, iterations: int | None = None, threshold: float | None = None
) -> RunBudget:
    """Return the budget of a mode with what a person chose; without a score nothing can be chosen.

    Values are clamped: a browser may send what no slider allows.
    """
    budget = budget_of(settings, mode)
    if not budget.scoring:
        return budget
    most = budget.max_iterations if iterations is None else iterations
    least = budget.quality_threshold if threshold is None else threshold
    return replace(
        budget, max_iterations=clamp_iterations(most), quality_threshold=min(max(least, 1.0), 10.0)
    )


def clamp_iterations(count: int) -> int:
    return min(max(count, 1), MAX_CHOSEN_ITERATIONS)


def mode_of(budget: RunBudget) -> Mode:
    """Return the mode that has such a budget."""
    if not budget.scoring:
        return "quick"
    return "deep" if budget.max_tool_rounds is None else "standard"
