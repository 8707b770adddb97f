"""The command line: results as JSON Lines (`--json`) or tables on standard output, messages on standard error.

Exit status 0: all done; 1: something was refused or not found (said as JSON too); 2: wrong usage or settings.
"""

import io
import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from core.agent import events as ev
from core.agent.budget import limits_of
from core.agent.loop import Agent, Request
from core.agent.models import model_for
from core.agent.types import Decision, DecisionKind, Limits, Mode
from core.contract import (
    Article,
    Mentions,
    Search,
    Shape,
    addition_json,
    answer_line,
    clause_json,
    document_json,
    error_json,
)
from core.conversations import Conversations, title_of
from core.errors import LibraryError, ReadError, ScrutineerError, SettingsError
from core.library import compare as comparing
from core.library import ingest as ingesting
from core.library.store import Library
from core.library.types import ScopeChoice, SearchMode
from core.rulebook.types import Given
from core.settings import Settings, load_settings

app = typer.Typer(
    help="Scrutineer: rulebooks, searched and quoted word for word.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

CLAUSE_COLUMNS = ("article", "title", "text", "page_first", "season", "issue")
PAIR_COLUMNS = ("kind", "article_a", "article_b", "title", "before", "after", "similarity")
DOCUMENT_COLUMNS = ("document_id", "title", "family", "season", "issue", "date", "pages", "clauses")

Json = Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")]
Season = Annotated[int | None, typer.Option(help="Only this season (its newest issues).")]
Issue = Annotated[int | None, typer.Option(help="Only this issue.")]
DocumentId = Annotated[str | None, typer.Option("--document", help="Only this document, by its id.")]
Family = Annotated[str | None, typer.Option(help="Only this family, for example f1-sporting.")]


def main() -> None:
    """Run the command line."""
    app()


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="PDF files, folders of them, or .jsonl rulebooks.")],
    family: Family = None,
    season: Annotated[int | None, typer.Option(help="Given, where it cannot be read.")] = None,
    issue: Annotated[int | None, typer.Option(help="Given, where it cannot be read.")] = None,
    date: Annotated[str | None, typer.Option(help="Given, where it cannot be read; YYYY-MM-DD.")] = None,
    as_json: Json = False,
) -> None:
    """Add documents to the library."""
    given = Given(family=family, season=season, issue=issue, date=date)
    with _told(as_json) as settings:
        library = Library(settings.data_dir)
        failed = False
        if not ingesting.expand(paths):
            raise ReadError("There is no PDF and no .jsonl file in the folders named.", code="not_found")
        for path in ingesting.expand(paths):
            err.print(f"Reading {path.name} ...", style="dim", markup=False)
            for addition in ingesting.add_file(library, path, given):
                failed |= addition.status == "failed"
                _show(addition_json(addition), as_json, _addition_line)
    raise typer.Exit(1 if failed else 0)


@app.command()
def documents(as_json: Json = False) -> None:
    """List the documents of the library."""
    with _told(as_json) as settings:
        _show_all((document_json(d) for d in Library(settings.data_dir).documents()), as_json, DOCUMENT_COLUMNS)


@app.command()
def remove(document_id: str, as_json: Json = False) -> None:
    """Take a document out of the library."""
    with _told(as_json) as settings:
        removed = Library(settings.data_dir).remove(document_id)
        _show({"document_id": removed.document_id, "status": "removed"}, as_json, lambda _: f"Removed {removed.label}")


@app.command()
def export(document_id: str, as_json: Json = False) -> None:
    """Give every clause of a document, in reading order."""
    with _told(as_json) as settings:
        library = Library(settings.data_dir)
        clauses = library.clauses(library.document(document_id).document_id)
        _show_all((clause_json(clause) for clause in clauses), as_json, CLAUSE_COLUMNS)


@app.command()
def search(
    query: str,
    k: Annotated[int, typer.Option(min=1, max=1000, help="How many clauses.")] = 10,
    season: Season = None,
    issue: Issue = None,
    document: DocumentId = None,
    family: Family = None,
    mode: Annotated[SearchMode, typer.Option(help="lexical, dense or hybrid.")] = "lexical",
    as_json: Json = False,
) -> None:
    """Find clauses by words or article number."""
    request = Search(query=query, k=k, season=season, issue=issue, document=document, family=family, mode=mode)
    with _told(as_json) as settings:
        found = request.answer(Library(settings.data_dir))["clauses"]
        _show_all(found, as_json, ("rank", *CLAUSE_COLUMNS))
    raise typer.Exit(0 if found else 1)


@app.command()
def article(
    number: str,
    season: Season = None,
    issue: Issue = None,
    document: DocumentId = None,
    family: Family = None,
    as_json: Json = False,
) -> None:
    """Give an article word for word, or a lettered item of it (54.3d))."""
    request = Article(article=number, season=season, issue=issue, document=document, family=family)
    with _told(as_json) as settings:
        found = request.answer(Library(settings.data_dir))
        _show(found, as_json, _article_text)
    raise typer.Exit(0 if found["found"] else 1)


@app.command()
def mentions(term: str, document: DocumentId = None, as_json: Json = False) -> None:
    """Give every clause that mentions a term, with what stands below and what it refers to."""
    with _told(as_json) as settings:
        request = Mentions(term=term, document=document)
        found = request.answer(Library(settings.data_dir))
        if as_json:
            _print_json(found)
        else:
            _show_all(found["clauses"], False, CLAUSE_COLUMNS)
    raise typer.Exit(0 if found["clauses"] else 1)


@app.command()
def compare(document_a: str, document_b: str, as_json: Json = False) -> None:
    """Tell what changed between two documents, given by their ids: a line a pair of clauses."""
    with _told(as_json) as settings:
        library = Library(settings.data_dir)
        before, after = (library.clauses(document) for document in (document_a, document_b))
        pairs = (asdict(pair) for pair in comparing.compare(before, after))
        shown = pairs if as_json else (pair for pair in pairs if pair["kind"] != "unchanged")
        _show_all(shown, as_json, PAIR_COLUMNS)


@app.command()
def ask(
    question: str,
    season: Season = None,
    issue: Issue = None,
    document: DocumentId = None,
    family: Family = None,
    max_iterations: Annotated[int | None, typer.Option(min=1, max=10)] = None,
    quality_threshold: Annotated[float | None, typer.Option(min=1, max=10)] = None,
    mode: Annotated[Mode, typer.Option(help="quick, standard or deep.")] = "standard",
    as_json: Json = False,
) -> None:
    """Answer a question; with --json every event of the run, a line each, as it happens."""
    with _told(as_json) as settings:
        limits = _limits(settings, mode, max_iterations, quality_threshold)
        choice = ScopeChoice(season=season, document=document, family=family, issue=issue)
        chats = Conversations(settings.conversations_url)
        events = _agent(settings).ask(Request(question, choice, limits))
        ended = _follow(chats.keep(chats.start(title_of(question)), events), as_json)
    raise typer.Exit(0 if ended.outcome in ("answered", "declined") else 1)


@app.command()
def resume(
    run_id: str,
    conclude: Annotated[bool, typer.Option("--conclude", help="End with the best draft.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End without an answer.")] = False,
    guidance: Annotated[str, typer.Option(help="Words to go on with.")] = "",
    tool: Annotated[str | None, typer.Option(help="The tool to go on with.")] = None,
    season: Annotated[int | None, typer.Option(help="Another season to look at.")] = None,
    max_iterations: Annotated[int | None, typer.Option(min=1, max=10, help="Further iterations.")] = None,
    as_json: Json = False,
) -> None:
    """Decide on a run that waits (at its limit, for a clarification) or was cut off, and go on with it."""
    with _told(as_json) as settings:
        chats = Conversations(settings.conversations_url)
        saved = chats.run(run_id)
        if saved is None:
            raise LibraryError(f"There is no run {run_id}. `ask --json` tells the run_id.", code="unknown_run")
        kind: DecisionKind = "conclude" if conclude else "stop" if stop else "go_on"
        decision = Decision(kind, guidance, tool, ScopeChoice(season=season) if season else None)
        history = chats.exchanges(saved.conversation_id, before=run_id)
        limits = _limits(settings, "standard", max_iterations, None)
        request = Request(saved.question, limits=limits, history=history)
        events = _agent(settings).resume(saved.events, request, decision)
        ended = _follow(chats.keep(saved.conversation_id, events), as_json)
    raise typer.Exit(0 if ended.outcome in ("answered", "declined") else 1)


@app.command()
def batch() -> None:
    """Read one JSON request a line (search, article, mentions), answer one line each, in order."""
    with _told(True) as settings:
        library = Library(settings.data_dir)
        for line in io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"):
            if line.strip():
                _print_json(answer_line(library, line))


def _agent(settings: Settings) -> Agent:
    return Agent(Library(settings.data_dir), model_for(settings), settings.search_results)


def _limits(settings: Settings, mode: Mode, max_iterations: int | None, threshold: float | None) -> Limits:
    limits = limits_of(settings, mode)
    return replace(
        limits,
        max_iterations=max_iterations or limits.max_iterations,
        quality_threshold=threshold or limits.quality_threshold,
    )


@contextmanager
def _told(as_json: bool) -> Iterator[Settings]:
    """The settings in force; an error of ours inside is said in its sentence and ends with its exit status."""
    try:
        settings = load_settings()
        level = settings.log_level if as_json else "WARNING"  # people are told by the events themselves
        logging.basicConfig(level=level, format="%(message)s", stream=sys.stderr, force=True)
        yield settings
    except ScrutineerError as error:
        if as_json:
            _print_json(error_json(error.code, error.message))
        else:
            err.print(error.message, style="red", markup=False)
        raise typer.Exit(2 if isinstance(error, SettingsError) else 1) from error


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=True), flush=True)


def _show(value: Shape, as_json: bool, line: Callable[[Shape], str]) -> None:
    if as_json:
        _print_json(value)
    else:
        out.print(line(value), markup=False, highlight=False)


def _show_all(values: Iterable[Shape], as_json: bool, columns: tuple[str, ...]) -> None:
    if as_json:
        for value in values:
            _print_json(value)
        return
    table = Table(*columns, box=None)
    for value in values:
        table.add_row(*(_cell(column, value[column]) for column in columns))
    if not table.row_count:
        err.print("Nothing was found.", markup=False)
        return
    out.print(table, markup=False)


def _cell(column: str, value: Any) -> str:
    text = "" if value is None else str(value)
    if column == "document_id":
        return text[:12]
    return text if len(text) <= 200 else f"{text[:197]}..."


def _addition_line(value: Shape) -> str:
    if value["error"]:
        return f"{value['file']}: {value['error']['message']}"
    warnings = "".join(f"\n  {warning['message']}" for warning in value["warnings"])
    clauses = f"{value['clauses']} clauses on {value['pages']} pages"
    return f"{value['file']}: {value['status']}, {value['title']}, {clauses}{warnings}"


def _article_text(value: Shape) -> str:
    if value["found"]:
        place = f"page {value['page_first']}, season {value['season']}, issue {value['issue']}"
        below = f"\nSub-clauses: {', '.join(value['children'])}" if value["children"] else ""
        return f"{value['article']} {value['title']}\n{value['text']}{below}\n({place})"
    listed = [
        f"  {c['article']} {c['title']}, season {c['season']}, {c['document_id'][:12]}" for c in value["candidates"]
    ]
    return "\n".join(
        ["More than one clause bears this number; name its document:" if listed else "Not found.", *listed]
    )


def _follow(events: Iterable[ev.Event], as_json: bool) -> ev.Ended:
    """Show events as they come; return the last."""
    ended: ev.Ended | None = None
    for event in events:
        if as_json:
            print(ev.to_json(event), flush=True)
        elif line := _event_line(event):
            err.print(line, style="dim", markup=False, highlight=False)
        ended = event if isinstance(event, ev.Ended) else ended
    if ended is None:
        raise ScrutineerError("The run ended without an answer. Ask again.", code="cut_off")
    if not as_json:
        if ended.outcome in ("limit_reached", "clarification_needed"):
            err.print(f'Decide on it: python -m core resume {ended.run_id} --conclude | --guidance "..."', markup=False)
        out.print(Markdown("\n\n".join((ended.answer, *ended.unsettled, ended.message)), hyperlinks=False))
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
