"""The events of a run as a page or a report shows them: in panels, their texts whole."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from core.agent import events as ev


def split_panels(events: Iterable[ev.Event]) -> list[list[ev.Event]]:
    """Split the events of a run at each question and each plan: a panel of the reasoning each."""
    panels: list[list[ev.Event]] = []
    for event in events:
        if not panels or isinstance(event, ev.Asked | ev.PlanMade):
            panels.append([])
        panels[-1].append(event)
    return panels


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
