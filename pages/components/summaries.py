"""Events summarized in a line: panel labels, the line above an answer, the counters."""

from collections.abc import Iterable, Iterator

from core.agent import events as ev
from core.markdown_escape import escape_markdown
from pages.components.labels import format_cost, format_score, format_seconds
from pages.components.words import say


def panel_label(panel: Iterable[ev.Event]) -> str:
    parts: list[str] = []
    markers: set[int] = set()
    for event in panel:
        match event:
            case ev.Asked():
                begin = "resumed" if event.resumed else "question"
                ends = event.decision if event.decision in ("conclude", "stop") else None
                parts.append(say(f"panel-{ends or begin}"))
            case ev.Classified():
                parts.append(say("panel-intent", intent=event.intent))
            case ev.PlanMade():
                number = say("panel-iteration", number=event.iteration)
                parts += [number, escape_markdown(event.tool)]
            case ev.EvidenceFound():
                before = say("clauses", count=len(markers))
                markers |= {source.marker for source in event.sources}
                parts = [part for part in parts if part != before]
                parts.append(say("clauses", count=len(markers)))
            case ev.Scored():
                parts.append(format_score(event.mean))
            case ev.Decided():
                parts.append(say(f"decision-{event.decision}"))
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
        return say("run-open")
    best = verified.get(ended.best_iteration or 0)
    iterations = say("iterations", count=ended.iterations)
    if ended.score is not None:
        iterations = say("run-score", iterations=iterations, score=format_score(ended.score))
    parts = (
        say("run-articles", count=len(articles)) if articles else "",
        *(_summarize_checks(best) if best else ()),
        iterations,
        format_seconds(ended.seconds),
        format_cost(ended.cost) if ended.cost else "",
    )
    return " · ".join(filter(None, parts))


def _summarize_checks(event: ev.Verified) -> Iterator[str]:
    passed = [check.kind for check in event.checks if check.passed]
    missing = {found.reference for found in event.references if found.state == "not_held"}
    if quotes := passed.count("quote"):
        yield say("run-quotes", count=quotes)
    if computed := len(event.requirements) + passed.count("sum"):
        yield say("run-computed", count=computed)
    if failed := len(event.checks) - len(passed):
        yield say("run-failed-checks", count=failed)
    if missing:
        yield say("run-not-held", count=len(missing))


def summarize_counters(event: ev.Ended) -> str:
    """The outcome of a run, its four counters and its time."""
    counters = (
        say("iterations", count=event.iterations),
        say("tool-rounds", count=event.tool_rounds),
        say("tool-calls", count=event.tool_calls),
        say("model-calls", count=event.model_calls),
    )
    return " · ".join((say(f"outcome-{event.outcome}"), *counters, format_seconds(event.seconds)))
