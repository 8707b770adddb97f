"""A chat as a report: questions, answers, what they cite, the cited pages, and the reasoning."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.agent import events as ev, format_compliance
from core.answers import describe_headline, format_citation, split_blocks, view_answer
from core.chats.queries import SavedRun
from core.language import ENGLISH, Language
from core.verification import Citation

PartKind = Literal["title", "heading", "subheading", "lead", "text", "quote", "table", "picture"]


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A part of a report, in the order of reading. Its text is plain, line by line."""

    kind: PartKind
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    """Of a table, its heading first."""
    image: bytes = b""
    """A picture as PNG; `text` is its caption."""


def compose_report(
    title: str,
    runs: Sequence[SavedRun],
    picture: Callable[[Citation], bytes | None],
    language: Language = ENGLISH,
) -> Iterator[ReportPart]:
    """Yield the parts of a report on a chat; `picture` returns a cited page, if there is one."""
    yield ReportPart("title", title)
    for run in runs:
        yield ReportPart("heading", run.question)
        ended = run.events[-1]
        if isinstance(ended, ev.Ended):
            yield from _compose_answer(run, ended, picture, language)
        yield ReportPart("subheading", language.say("export-reasoning"))
        for line in filter(None, map(_describe_event, run.events)):
            yield ReportPart("text", line)


def _compose_answer(
    run: SavedRun,
    ended: ev.Ended,
    picture: Callable[[Citation], bytes | None],
    language: Language,
) -> Iterator[ReportPart]:
    view = view_answer(run.events, ended)
    if view.headline:
        yield ReportPart("lead", describe_headline(language, view.headline))
    else:
        outcome = language.say(f"outcome-{ended.outcome}")
        yield ReportPart("lead", f"{outcome}. {ended.message}".strip())
    yield from _split_markdown(format_compliance(ended.requirements), "text")
    for block in (*view.blocks, *view.referred):
        yield from _split_markdown(block.text, "quote" if block.is_quote else "text")
    for sentence in ended.unsettled:
        yield ReportPart("text", sentence)
    if view.citations:
        yield ReportPart("subheading", language.say("export-cited"))
    for number, citation in sorted(view.citations.items()):
        yield ReportPart("text", f"[{number}] {format_citation(language, citation)}")
        if image := picture(citation):
            caption = language.say("export-page", number=str(number), page=citation.page)
            yield ReportPart("picture", caption, image=image)


def _split_markdown(markdown: str, kind: PartKind) -> Iterator[ReportPart]:
    """Yield the paragraphs and tables of Markdown without its signs."""
    for is_table, text in split_blocks(markdown, "|"):
        if is_table:
            lines = [line.strip().strip("|") for line in text.splitlines()]
            cells = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
            rows = tuple(row for row in cells if any(cell.strip(":- ") for cell in row))
            yield ReportPart("table", rows=rows)
        else:
            plain = "\n".join(line.rstrip() for line in text.replace("**", "").splitlines())
            if plain.strip():
                yield ReportPart(kind, plain.strip())


def _describe_event(event: ev.Event) -> str:
    """Return one line on a step; empty for events that another one repeats."""
    match event:
        case ev.Asked():
            return f"Asked of {' · '.join(event.scope.documents.values()) or 'no document'}."
        case ev.Classified():
            return f"Intent {event.intent}: {event.reason}"
        case ev.PlanMade():
            return f"Iteration {event.iteration}, {event.tool}: {event.query} ({event.reason})"
        case ev.ToolCalled():
            return f"{event.tool}: {event.error or f'{event.found} clauses found'}"
        case ev.Verified():
            passed = sum(check.passed for check in event.checks)
            failed = [
                f"Doubt: {check.message}" if check.is_doubt else check.message
                for check in event.checks
                if not check.passed
            ]
            return " ".join((f"{passed} of {len(event.checks)} checks passed.", *failed))
        case ev.Scored():
            missing = f" Missing: {event.score.missing}" if event.score.missing else ""
            failed = [verdict.failure for verdict in event.statements if verdict.failure]
            return " ".join((f"Score {event.mean:.1f} of 10.{missing}", *failed))
        case ev.Decided():
            return f"Decision: {event.decision}. {event.reason}"
        case ev.Warned():
            return f"Warning: {event.message}"
        case ev.Ended():
            cost = f", ${event.cost:.4f}" if event.cost else ""
            counts = f"{event.iterations} iterations, {event.tool_calls} tool calls"
            return f"Ended: {event.outcome.replace('_', ' ')}, {counts}{cost}."
    return ""
