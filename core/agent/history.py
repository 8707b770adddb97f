"""What a model sees of earlier iterations, by history mode, and how that is kept within its context. It calls nothing.

Within an iteration a message list only grows (a model's thinking is valid only behind an unchanged prefix); between
iterations a fresh list begins, and here is decided what goes into it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.agent.llm import ToolExchange, Turn
from core.agent.run import Run, ScoredDraft
from core.agent.types import Source, ToolOutcome

EVIDENCE_SHOWN = 32
"""Sources that enter an iteration's first turn: those of the planned tool, all of them, then the newest others."""
NEARLY_FULL = 0.8
"""Share of the context above which the trace warns."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A turn that fits its context, its size in tokens, and the markers of the sources that were cut to fit."""

    turn: Turn
    tokens: int
    cut: tuple[int, ...]


def first_turn(run: Run, planned: ToolOutcome, turn: Turn) -> Turn:
    """Give an iteration's first turn what its history mode lets it see.

    `minimal`: the latest results only. `progressive`: all results of the run and the reasoning so far.
    `kitchen_sink`: those, and every draft and score.
    """
    if run.limits.history_mode == "minimal":
        return replace(turn, evidence=planned.sources, notes=tuple(run.guidance))
    drafts = tuple(_told(scored, run.limits.history_mode == "kitchen_sink") for scored in run.drafts)
    return replace(turn, evidence=shown(planned.sources, run.evidence.sources), notes=(*drafts, *run.guidance))


def next_turn(run: Run, turn: Turn, exchange: ToolExchange) -> Turn:
    """The turn after a round of tool calls: the list grows, but in minimal mode begins anew with the latest results."""
    if run.limits.history_mode != "minimal" or not exchange.outcomes:
        return replace(turn, exchanges=(*turn.exchanges, exchange))
    sources = {source.clause_id: source for outcome in exchange.outcomes for source in outcome.sources}
    told = [outcome.tables or outcome.error or "" for outcome in exchange.outcomes]
    return replace(turn, evidence=tuple(sources.values()), tables="\n\n".join(filter(None, told)), exchanges=())


def shown(first: tuple[Source, ...], known: tuple[Source, ...]) -> tuple[Source, ...]:
    """The first sources, and then the newest others as far as a turn has room for them."""
    ids = {source.clause_id for source in first}
    others = [source for source in reversed(known) if source.clause_id not in ids]
    return (*first, *others[: max(0, EVIDENCE_SHOWN - len(first))])


def fitted(run: Run, turn: Turn, measure: Callable[[Turn], int]) -> Fit:
    """Cut the oldest results of a first turn to their citations until it fits, the newest last."""
    tokens, cut = measure(turn), list[int]()
    quotes = {c.clause_id: c.quote for scored in run.drafts for c in scored.draft.citations}
    for source in reversed(turn.evidence):
        if tokens <= run.limits.max_context_tokens:
            break
        short = replace(source, text=quotes.get(source.clause_id, ""))
        turn = replace(turn, evidence=tuple(short if s is source else s for s in turn.evidence))
        tokens, cut = measure(turn), [*cut, source.marker]
    return Fit(turn, tokens, tuple(cut))


def _told(scored: ScoredDraft, whole: bool) -> str:
    """A paragraph on an earlier iteration."""
    draft, plan = scored.draft, scored.plan
    way = f'{plan.tool} "{plan.query}"' if plan else "no plan"
    parts = [f"Iteration {draft.iteration}, {way}.", f"Thinking: {draft.thinking}"]
    if whole:
        parts.append(f"Draft: {draft.text}")
    if scored.score:
        parts.append(f"Scored {scored.mean:.1f} of 10.")
        parts.append(f"Missing: {scored.score.missing}" if scored.score.missing else "")
    return "\n".join(part for part in parts if part and part != "Thinking: ")
