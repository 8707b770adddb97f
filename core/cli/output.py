"""How what a command does is told: JSON Lines or tables, errors and their exit statuses. It does nothing itself."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.markdown import Markdown
from rich.segment import Segment
from rich.table import Column, Table

from core.agent import OCR_CAUTION, format_compliance
from core.agent import events as ev
from core.cli.json_api import JsonObject, error_json
from core.errors import ScrutineerError, SettingsError
from core.evaluation import RESULT_LABELS, Evaluation, classify_result
from core.logs import log_to_stderr
from core.rulebook import Progress
from core.sanitize import strip_control_characters
from core.settings import Settings, load_settings


class _Terminal(Console):
    """What comes out of a document, a model or a file name gives the terminal no orders; the colours are rich's own."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield (
                segment
                if segment.control
                else Segment(strip_control_characters(segment.text), segment.style)
            )


out = _Terminal()
err = _Terminal(stderr=True)

CLAUSE_COLUMNS = ("article", "title", "text", "page_first", "season", "issue")
DOCUMENT_COLUMNS = ("document_id", "label", "family", "date", "clauses")
_COPIED = ("document_id", "family")
"""Columns that are never cut, however narrow the terminal: other commands ask for what stands in them."""
_UNREAD = {"family_unread": "family", "season_unread": "season", "issue_unread": "issue"}
"""Warnings that an option of `ingest` mends."""


@contextmanager
def command_context(as_json: bool) -> Iterator[Settings]:
    """The settings in force; an error of ours inside is said in its sentence and ends with its exit status."""
    try:
        settings = load_settings()
        level = (
            settings.log_level if as_json else "WARNING"
        )  # people are told by the events themselves
        log_to_stderr(settings, level)
        yield settings
    except ScrutineerError as error:
        if as_json:
            print_json(error_json(error.code, error.message))
        else:
            err.print(error.message, style="red", markup=False)
        raise typer.Exit(2 if isinstance(error, SettingsError) else 1) from error


def print_json(value: Any) -> None:
    """One line of JSON in plain ASCII, out at once."""
    print(json.dumps(value, ensure_ascii=True), flush=True)


def print_result(value: JsonObject, as_json: bool, line: Callable[[JsonObject], str]) -> None:
    """One result: as JSON, or as the line made of it."""
    if as_json:
        print_json(value)
    else:
        out.print(line(value), markup=False, highlight=False)


def print_results(values: Iterable[JsonObject], as_json: bool, columns: tuple[str, ...]) -> None:
    """Results: a line of JSON each, or the columns named in a table."""
    if as_json:
        for value in values:
            print_json(value)
        return
    table = Table(*(Column(name, no_wrap=name in _COPIED) for name in columns), box=None)
    for value in values:
        caution = {"text": OCR_CAUTION} if value.get("ocr") else {}
        table.add_row(
            *(_cell(column, value[column]) + caution.get(column, "") for column in columns)
        )
    if not table.row_count:
        err.print("Nothing was found.", markup=False)
        return
    out.print(table, markup=False)


def _cell(column: str, value: Any) -> str:
    text = "" if value is None else str(value)
    if column == "document_id":
        return text[:12]
    return text if len(text) <= 200 else f"{text[:197]}..."


def print_vector_progress(progress: Progress) -> None:
    """How far the making of vectors has come."""
    if progress.stage == "embedding":
        text = f"Vectors: {progress.done} of {progress.total} clauses"
        err.print(text, style="dim", markup=False)


def format_ingest_result(value: JsonObject) -> str:
    """What came of adding one document, with its warnings."""
    if value["error"]:
        return f"{value['file']}: {value['error']['message']}"
    warnings = "".join(
        f"\n  {told}" for warning in value["warnings"] if (told := _warned(warning, value))
    )
    clauses = f"{value['clauses']} clauses on {value['pages']} pages"
    return f"{value['file']}: {value['status']}, {value['title']}, {clauses}{warnings}"


def _warned(warning: JsonObject, value: JsonObject) -> str:
    """A warning for the command line; none of what has been given since the document was read."""
    name = _UNREAD.get(warning["code"])
    if name is None:
        return str(warning["message"])
    if value[name] is not None:
        return ""
    return (
        f"The {name} could not be read from the document: ingest it again with --{name} to say it."
    )


def format_backup(value: JsonObject) -> str:
    """What a backup holds."""
    chats = "the chats" if value["chats"] else "no chats, which are in a database of their own"
    return f"{value['documents']} documents and {chats} ({value['size'] / 1e6:.1f} MB)"


def format_article(value: JsonObject) -> str:
    """An article word for word; else the clauses, or the documents, to choose from."""
    if value["found"]:
        place = f"page {value['page_first']}, season {value['season']}, issue {value['issue']}"
        place += ", read by text recognition" if value["ocr"] else ""
        below = f"\nSub-clauses: {', '.join(value['children'])}" if value["children"] else ""
        return f"{value['article']} {value['title']}\n{value['text']}{below}\n({place})"
    if value["candidates"]:
        listed = [f"  {_which(clause)}" for clause in value["candidates"]]
        return "\n".join(
            [
                "More than one clause bears this number. Say which with --document or --family:",
                *listed,
            ]
        )
    listed = [
        f"  {other['label']}: --document {other['document_id'][:12]}"
        for other in value["elsewhere"]
    ]
    told = "Not found in the documents that were looked at. It stands in these:"
    return "\n".join([told, *listed]) if listed else "Not found."


def _which(clause: JsonObject) -> str:
    """A clause that bears a number asked for, and the options by which it alone is meant."""
    family = f" or --family {clause['family']}" if clause["family"] else ""
    told = f"{clause['article']} {clause['title']}".strip()
    return f"{told}, page {clause['page_first']}, {clause['label']}\n    --document {clause['document_id'][:12]}{family}"


def print_events(events: Iterable[ev.Event], as_json: bool) -> ev.Ended:
    """Show events as they come; return the last."""
    ended: ev.Ended | None = None
    for event in events:
        if as_json:
            print(event.model_dump_json(ensure_ascii=True), flush=True)
        elif line := _event_line(event):
            err.print(line, style="dim", markup=False, highlight=False)
        ended = event if isinstance(event, ev.Ended) else ended
    if ended is None:
        raise ScrutineerError("The run ended without an answer. Ask again.", code="cut_off")
    if not as_json:
        if ended.outcome in ("limit_reached", "clarification_needed"):
            err.print(
                f'Decide on it: python -m core resume {ended.run_id} --conclude | --guidance "..."',
                markup=False,
            )
        told = (
            format_compliance(ended.requirements),
            ended.answer,
            *ended.unsettled,
            ended.message,
        )
        out.print(Markdown("\n\n".join(filter(None, told)), hyperlinks=False))
    return ended


def _event_line(event: ev.Event) -> str | None:
    match event:
        case ev.Classified():
            return f"{event.intent}: {event.reason}"
        case ev.PlanMade():
            return f"Iteration {event.iteration}: {event.tool} “{event.query}”"
        case ev.EvidenceFound():
            return f"  {len(event.sources)} clauses: {', '.join(source.article for source in event.sources)}"
        case ev.Scored():
            return f"  {event.mean:.1f} of 10"
        case ev.Decided():
            return f"  {event.decision}: {event.reason}"
        case ev.Warned():
            return f"  {event.message}"
        case _:
            return None


def format_progress(evaluation: Evaluation) -> str:
    """How far an evaluation has come, and what came of its last question."""
    result = evaluation.results[-1]
    rank = (
        f"article {result.articles[0]} at place {result.rank or 'none'}" if result.articles else ""
    )
    judged = RESULT_LABELS[found] if (found := classify_result(result)) else ""
    came = result.error or ", ".join(
        filter(None, (judged, result.outcome, rank, f"{result.seconds:.1f} s"))
    )
    return f"{len(evaluation.results)}/{evaluation.questions} {result.question}: {came}"


def metrics_table(report: JsonObject) -> Table:
    """Figures in a column; those for what an earlier evaluation also asked, then and now, in two more."""
    columns = {"now": report["figures"]}
    if earlier := report.get("earlier"):
        columns |= {
            "in common, now": earlier["figures_now"],
            "in common, earlier": earlier["figures_then"],
        }
    table = Table("figure", *columns, box=None)
    for name in report["figures"]:
        values = (figures[name] for figures in columns.values())
        table.add_row(
            name.replace("_", " "), *("-" if value is None else f"{value:.4g}" for value in values)
        )
    return table
