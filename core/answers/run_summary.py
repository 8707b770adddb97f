"""The events of a run in a line: a panel's label, the line above an answer, the counters."""

from collections.abc import Iterable, Iterator

from core.agent import events as ev
from core.language import Language


def label_panel(language: Language, panel: Iterable[ev.Event]) -> str:
    """Return the label of a panel: its iteration, tool, clauses, score and decision."""
    parts: list[str] = []
    markers: set[int] = set()
    for event in panel:
        match event:
            case ev.Asked():
                begin = "resumed" if event.resumed else "question"
                ends = event.decision if event.decision in ("conclude", "stop") else None
                parts.append(language.say(f"panel-{ends or begin}"))
            case ev.Classified():
                parts.append(language.say("panel-intent", intent=event.intent))
            case ev.PlanMade():
                number = language.say("panel-iteration", number=event.iteration)
                parts += [number, event.tool]
            case ev.EvidenceFound():
                before = language.say("clauses", count=len(markers))
                markers |= {source.marker for source in event.sources}
                parts = [part for part in parts if part != before]
                parts.append(language.say("clauses", count=len(markers)))
            case ev.Scored():
                parts.append(language.format_score(event.mean))
            case ev.Decided():
                parts.append(language.say(f"decision-{event.decision}"))
    return " · ".join(parts)


def summarize_run(language: Language, events: Iterable[ev.Event]) -> str:
    """Return one line on a run: what matters for trusting it."""
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
        return language.say("run-open")
    best = verified.get(ended.best_iteration or 0)
    iterations = language.say("iterations", count=ended.iterations)
    if ended.score is not None:
        iterations = language.say(
            "run-score", iterations=iterations, score=language.format_score(ended.score)
        )
    share = ended.cached_tokens / max(1, ended.sent_tokens)
    parts = (
        language.say("run-articles", count=len(articles)) if articles else "",
        *(_summarize_checks(language, best) if best else ()),
        iterations,
        language.format_seconds(ended.seconds),
        language.format_cost(ended.cost) if ended.cost else "",
        language.say("run-cached", share=language.format_share(share)) if share else "",
    )
    return " · ".join(filter(None, parts))


def _summarize_checks(language: Language, event: ev.Verified) -> Iterator[str]:
    passed = [check.kind for check in event.checks if check.passed]
    missing = {found.reference for found in event.references if found.state == "not_held"}
    if quotes := passed.count("quote"):
        yield language.say("run-quotes", count=quotes)
    if computed := len(event.requirements) + passed.count("sum"):
        yield language.say("run-computed", count=computed)
    doubts = sum(check.is_doubt for check in event.checks)
    if failed := len(event.checks) - len(passed) - doubts:
        yield language.say("run-failed-checks", count=failed)
    if doubts:
        yield language.say("run-doubts", count=doubts)
    if missing:
        yield language.say("run-not-held", count=len(missing))


def summarize_counters(language: Language, event: ev.Ended) -> str:
    """Return the outcome of a run, its four counters and its time."""
    counters = (
        language.say("iterations", count=event.iterations),
        language.say("tool-rounds", count=event.tool_rounds),
        language.say("tool-calls", count=event.tool_calls),
        language.say("model-calls", count=event.model_calls),
    )
    return " · ".join(
        (
            language.say(f"outcome-{event.outcome}"),
            *counters,
            language.format_seconds(event.seconds),
        )
    )
