"""Events summarized in a line: panel labels, the line above an answer, the counters."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from core.agent import events as ev
from pages.components.labels import (
    DECISIONS,
    format_cost,
    format_count,
    format_seconds,
    outcome_word,
)
from pages.components.text import escape_markdown


def opens_panel(event: ev.Event) -> bool:
    """True for events that start a new panel."""
    return isinstance(event, ev.Asked | ev.PlanMade)


def split_panels(events: Iterable[ev.Event]) -> list[list[ev.Event]]:
    """The events of a run, one list per panel."""
    panels: list[list[ev.Event]] = []
    for event in events:
        if not panels or opens_panel(event):
            panels.append([])
        panels[-1].append(event)
    return panels


def panel_label(panel: Iterable[ev.Event]) -> str:
    parts: list[str] = []
    markers: set[int] = set()
    for event in panel:
        match event:
            case ev.Asked():
                person = {"conclude": "Concluded by a person", "stop": "Stopped by a person"}
                begin = "Continued with" if event.resumed else "Question"
                parts.append(person.get(event.decision or "", begin))
            case ev.Classified():
                parts.append(f"intent {event.intent}")
            case ev.PlanMade():
                parts += [f"Iteration {event.iteration}", escape_markdown(event.tool)]
            case ev.EvidenceFound():
                before = format_count(len(markers), "clause")
                markers |= {source.marker for source in event.sources}
                parts = [part for part in parts if part != before]
                parts.append(format_count(len(markers), "clause"))
            case ev.Scored():
                parts.append(f"{event.mean:.1f}/10")
            case ev.Decided():
                parts.append(DECISIONS[event.decision])
    return " · ".join(parts)


def summarize_run(events: Iterable[ev.Event]) -> str:
    """One line on a run: what matters for trusting it."""
    ended: ev.Ended | None = None
    articles: set[str] = set()
    verified: dict[int, ev.Verified] = {}
    for event in events:
        match event:
            case ev.EvidenceFound():
                articles |= {source.clause_id for source in event.sources}
            case ev.Verified():
                verified[event.iteration] = event
            case ev.Ended():
                ended = event
    if ended is None:
        return "Still going on"
    best = verified.get(ended.best_iteration or 0)
    score = f", {ended.score:.1f}/10" if ended.score is not None else ""
    parts = (
        f"{format_count(len(articles), 'article')} read" if articles else "",
        *(_summarize_checks(best) if best else ()),
        f"{format_count(ended.iterations, 'iteration')}{score}",
        format_seconds(ended.seconds),
        format_cost(ended.cost) if ended.cost else "",
    )
    return " · ".join(filter(None, parts))


def _summarize_checks(event: ev.Verified) -> Iterator[str]:
    passed = [check.kind for check in event.checks if check.passed]
    missing = {found.reference for found in event.references if found.state == "not_held"}
    if quotes := passed.count("quote"):
        yield f"{format_count(quotes, 'quote')} verified"
    if computed := len(event.requirements) + passed.count("sum"):
        yield f"{computed} computed"
    if failed := len(event.checks) - len(passed):
        yield f"{format_count(failed, 'check')} failed"
    if missing:
        yield f"{format_count(len(missing), 'referenced document')} not in your library"


def join_fragments(events: Iterable[ev.Event]) -> Iterator[ev.Event]:
    """The events with the fragments of each text joined into one, from its last new start."""
    for _, group in groupby(events, key=type):
        run = list(group)
        if not isinstance(run[0], ev.ThoughtGrew | ev.DraftGrew):
            yield from run
            continue
        starts = [n for n, event in enumerate(run) if getattr(event, "anew", False)]
        run = run[max(starts, default=0) :]
        text = "".join(getattr(event, "text", "") for event in run)
        yield run[0].model_copy(update={"text": text})


def drop_replaced_drafts(panel: Iterable[ev.Event]) -> list[ev.Event]:
    """The events of a panel without fragments of a draft that the next draft replaced."""
    kept: list[ev.Event] = []
    replaced = False
    for event in reversed(list(panel)):
        if isinstance(event, ev.ToolCalled):
            replaced = False
        if not (replaced and isinstance(event, ev.DraftGrew)):
            kept.append(event)
        replaced = replaced or isinstance(event, ev.Drafted | ev.DraftGrew)
    return kept[::-1]


def summarize_counters(event: ev.Ended) -> str:
    """The outcome of a run, its four counters and its time."""
    counters = (
        format_count(event.iterations, "iteration"),
        format_count(event.tool_rounds, "tool round"),
        format_count(event.tool_calls, "tool call"),
        format_count(event.model_calls, "model call"),
    )
    return " · ".join((outcome_word(event.outcome), *counters, format_seconds(event.seconds)))
