"""What events come to in a line: the label of a panel, the line above an answer, the four counters. Draws nothing."""

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
    """True for the events that a new panel begins with."""
    return isinstance(event, ev.Asked | ev.PlanMade)


def split_panels(events: Iterable[ev.Event]) -> list[list[ev.Event]]:
    """The events of a run, panel by panel."""
    found: list[list[ev.Event]] = []
    for event in events:
        if not found or opens_panel(event):
            found.append([])
        found[-1].append(event)
    return found


def panel_label(panel: Iterable[ev.Event]) -> str:
    """What a panel has come to, in a line."""
    parts: list[str] = []
    markers: set[int] = set()
    for event in panel:
        match event:
            case ev.Asked():
                parts.append(_begun(event))
            case ev.Classified():
                parts.append(f"intent {event.intent}")
            case ev.PlanMade():
                parts += [f"Iteration {event.iteration}", escape_markdown(event.tool)]
            case ev.EvidenceFound():
                known = format_count(len(markers), "clause")
                markers |= {source.marker for source in event.sources}
                parts = [part for part in parts if part != known] + [
                    format_count(len(markers), "clause")
                ]
            case ev.Scored():
                parts.append(f"{event.mean:.1f}/10")
            case ev.Decided():
                parts.append(DECISIONS[event.decision])
    return " · ".join(parts)


def summarize_run(events: Iterable[ev.Event]) -> str:
    """What matters of a run for trusting it, in one line."""
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
    parts = [f"{format_count(len(articles), 'article')} read"] if articles else []
    if best := verified.get(ended.best_iteration or 0):
        parts += _checked(best)
    score = f", {ended.score:.1f}/10" if ended.score is not None else ""
    parts += [
        f"{format_count(ended.iterations, 'iteration')}{score}",
        format_seconds(ended.seconds),
    ]
    return " · ".join((*parts, format_cost(ended.cost)) if ended.cost else parts)


def _checked(event: ev.Verified) -> Iterator[str]:
    """What the checks of an answer came to: quotes that stand, values computed, references out of reach."""
    quotes = sum(check.kind == "quote" and check.passed for check in event.checks)
    computed = len(event.requirements) + sum(
        check.kind == "sum" and check.passed for check in event.checks
    )
    failed = sum(not check.passed for check in event.checks)
    absent = len(
        {referred.reference for referred in event.references if referred.state == "not_held"}
    )
    for number, said in (
        (quotes, f"{format_count(quotes, 'quote')} verified"),
        (computed, f"{computed} computed"),
        (failed, f"{format_count(failed, 'check')} failed"),
        (absent, f"{format_count(absent, 'document')} not held"),
    ):
        if number:
            yield said


def join_fragments(events: Iterable[ev.Event]) -> Iterator[ev.Event]:
    """The events with the fragments of each growing text joined into one, from where it last began anew."""
    for _, group in groupby(events, key=type):
        run = list(group)
        match run[0]:
            case ev.ThoughtGrew() | ev.DraftGrew():
                start = max(
                    (n for n, event in enumerate(run) if getattr(event, "anew", False)), default=0
                )
                text = "".join(getattr(event, "text", "") for event in run[start:])
                yield run[start].model_copy(update={"text": text})
            case _:
                yield from run


def summarize_counters(event: ev.Ended) -> str:
    """How a run ended, its four counters and its time."""
    counted = (
        format_count(event.iterations, "iteration"),
        format_count(event.tool_rounds, "tool round"),
        format_count(event.tool_calls, "tool call"),
        format_count(event.model_calls, "model call"),
    )
    return " · ".join((outcome_word(event.outcome), *counted, format_seconds(event.seconds)))


def _begun(event: ev.Asked) -> str:
    match event.decision:
        case "conclude":
            return "Concluded by a person"
        case "stop":
            return "Stopped by a person"
    return "Gone on with" if event.resumed else "Question"
