"""The command line: results as JSON Lines (`--json`) or tables on standard output, messages on standard error.

Exit status 0: all done; 1: something was refused or not found (said as JSON too); 2: wrong usage or settings.
"""

import io
import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from core.agent import events as ev
from core.agent.budget import limits_of
from core.agent.loop import Agent, Request
from core.agent.models import model_for
from core.agent.prose import checked
from core.agent.types import OCR_CAUTION, Decision, DecisionKind, Limits, Mode
from core.chats.conversations import Conversations, title_of
from core.command.compared import is_about, lines_of, summary
from core.command.contract import (
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
from core.errors import LibraryError, ReadError, ScrutineerError, SettingsError
from core.evaluation.figures import earlier_of, evaluation_json
from core.evaluation.put import (
    EVALUATIONS,
    Evaluation,
    Evaluations,
    Means,
    by_agent,
    by_search,
    carried_out,
    new_evaluation,
)
from core.evaluation.questions import read_questions
from core.library import compare as comparing
from core.library import ingest as ingesting
from core.library import vectors
from core.library.store import library_of
from core.library.types import PairKind, ScopeChoice, SearchMode
from core.logs import log_to_screen
from core.rulebook.types import Given
from core.settings import Settings, load_settings
from core.upkeep.archive import backup, restore
from core.upkeep.checking import check

app = typer.Typer(
    help="Scrutineer: rulebooks, searched and quoted word for word.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

CLAUSE_COLUMNS = ("article", "title", "text", "page_first", "season", "issue")
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
    password: Annotated[bool, typer.Option("--password", help="Ask for the one that files need.")] = False,
    as_json: Json = False,
) -> None:
    """Add documents to the library.

    The password of a PDF is typed unseen, or is the first line of standard input: an argument would be seen by others
    on the machine. The library keeps the PDF without it.
    """
    with _told(as_json) as settings:
        key = _asked_password() if password else ""
        given = Given(family=family, season=season, issue=issue, date=date)
        library = library_of(settings)
        following = ingesting.Watch(on_vectors=_vectors_made)
        failed = False
        if not ingesting.expand(paths):
            raise ReadError("There is no PDF and no .jsonl file in the folders named.", code="not_found")
        for path in ingesting.expand(paths):
            err.print(f"Reading {path.name} ...", style="dim", markup=False)
            for addition in ingesting.add_file(library, path, given, following, key):
                failed |= addition.status == "failed"
                _show(addition_json(addition), as_json, _addition_line)
    raise typer.Exit(1 if failed else 0)


@app.command()
def documents(as_json: Json = False) -> None:
    """List the documents of the library."""
    with _told(as_json) as settings:
        _show_all((document_json(d) for d in library_of(settings).documents()), as_json, DOCUMENT_COLUMNS)


@app.command()
def remove(document_id: str, as_json: Json = False) -> None:
    """Take a document out of the library."""
    with _told(as_json) as settings:
        removed = library_of(settings).remove(document_id)
        _show({"document_id": removed.document_id, "status": "removed"}, as_json, lambda _: f"Removed {removed.label}")


@app.command()
def export(document_id: str, as_json: Json = False) -> None:
    """Give every clause of a document, in reading order."""
    with _told(as_json) as settings:
        library = library_of(settings)
        clauses = library.clauses(library.document(document_id).document_id)
        _show_all((clause_json(clause) for clause in clauses), as_json, CLAUSE_COLUMNS)


@app.command("check")
def check_command(as_json: Json = False) -> None:
    """Compare library, files and chats with what was put into them, and mend what can be mended."""
    with _told(as_json) as settings:
        findings = []
        for finding in check(settings):
            findings.append(finding)
            _show(
                asdict(finding),
                as_json,
                lambda value: f"{'Mended' if value['mended'] else 'NOT MENDED'}: {value['message']}",
            )
        unmended = sum(not finding.mended for finding in findings)
        told = "All is as it was put in." if not findings else f"{len(findings)} found, {unmended} not mended."
        err.print(told, markup=False, highlight=False)
    raise typer.Exit(1 if unmended else 0)


@app.command("backup")
def backup_command(
    file: Annotated[Path, typer.Argument(help="The zip file to make.")],
    as_json: Json = False,
) -> None:
    """Put library, chats, evaluations and the files that wait into one file."""
    with _told(as_json) as settings:
        _show(asdict(backup(settings, file)), as_json, lambda value: f"{file} holds {_archive_line(value)}.")


@app.command("restore")
def restore_command(
    file: Annotated[Path, typer.Argument(help="A file that `backup` made.")],
    as_json: Json = False,
) -> None:
    """Take all that a backup holds into a data folder that is empty or not there."""
    with _told(as_json) as settings:
        _show(asdict(restore(settings, file)), as_json, lambda value: f"Taken back: {_archive_line(value)}.")


@app.command()
def embed(as_json: Json = False) -> None:
    """Make the vectors that searching by meaning needs, where they are missing or another model's."""
    with _told(as_json) as settings:
        library = library_of(settings)
        made = vectors.embed(library, _vectors_made)
        result = {"made": made, "model": library.embedding.name}
        _show(result, as_json, lambda _: f"Made the vectors of {made} clauses by {library.embedding.name}.")


@app.command()
def search(
    query: str,
    k: Annotated[int, typer.Option(min=1, max=1000, help="How many clauses.")] = 10,
    season: Season = None,
    issue: Issue = None,
    document: DocumentId = None,
    family: Family = None,
    mode: Annotated[SearchMode | None, typer.Option(help="lexical, dense or hybrid; else as set.")] = None,
    as_json: Json = False,
) -> None:
    """Find clauses by words or article number."""
    request = Search(query=query, k=k, season=season, issue=issue, document=document, family=family, mode=mode)
    with _told(as_json) as settings:
        found = request.answer(library_of(settings), _vectors_made)["clauses"]
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
        found = request.answer(library_of(settings))
        _show(found, as_json, _article_text)
    raise typer.Exit(0 if found["found"] else 1)


@app.command()
def mentions(term: str, document: DocumentId = None, as_json: Json = False) -> None:
    """Give every clause that mentions a term, with what stands below and what it refers to."""
    with _told(as_json) as settings:
        request = Mentions(term=term, document=document)
        found = request.answer(library_of(settings))
        if as_json:
            _print_json(found)
        else:
            _show_all(found["clauses"], False, CLAUSE_COLUMNS)
    raise typer.Exit(0 if found["clauses"] else 1)


@app.command()
def compare(
    document_a: str,
    document_b: str,
    kind: Annotated[PairKind | None, typer.Option(help="Only this kind of pair.")] = None,
    article: Annotated[str | None, typer.Option(help="Only this article and what is below it.")] = None,
    as_json: Json = False,
) -> None:
    """Tell what changed between two documents, given by their ids, the earlier one first: pairs of clauses.

    Words that went are shown as [-these-], words that came as {+these+}. With --json unchanged pairs come too.
    """
    with _told(as_json) as settings:
        library = library_of(settings)
        before, after = library.document(document_a), library.document(document_b)
        compared = comparing.compare(library.clauses(before.document_id), library.clauses(after.document_id))
        pairs = [pair for pair in compared if not article or is_about(pair, article)]
        wanted = [kind] if kind else [name for name in get_args(PairKind) if as_json or name != "unchanged"]
        for pair in (pair for pair in pairs if pair.kind in wanted):
            if as_json:
                _print_json(asdict(pair))
            else:
                out.print(*lines_of(pair), sep="\n", end="\n\n", highlight=False)
        if not as_json:
            told = comparing.marks_told(before, after) or ""
            out.print(f"{summary(pairs)}\n{told}".rstrip(), markup=False, highlight=False)


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
def evaluate(
    file: Annotated[Path, typer.Argument(help="CSV or JSON Lines: question, articles; season, document.")],
    search_only: Annotated[bool, typer.Option("--search", help="Put the questions to search alone.")] = False,
    mode: Annotated[Mode, typer.Option(help="quick, standard or deep.")] = "standard",
    as_json: Json = False,
) -> None:
    """Put a set of questions, tell for each what came of it, and last what all came to beside an earlier evaluation."""
    with _told(as_json) as settings:
        questions = read_questions(_bytes_of(file), file.name)
        library, kept = library_of(settings), Evaluations(settings.data_dir / EVALUATIONS)
        if search_only:
            put = by_search(library, threading.Event())
        else:
            chats = Conversations(settings.conversations_url)
            title, limits = f"Evaluation of {file.name}", limits_of(settings, mode)
            means = Means(_agent(settings), library, chats, limits, title)
            put = by_agent(means, threading.Event())
        evaluation = new_evaluation(file.name, "search" if search_only else "agent", questions)
        for so_far in carried_out(evaluation, questions, put, kept):
            evaluation = so_far
            if as_json:
                _print_json(asdict(evaluation.results[-1]))
            else:
                err.print(_result_line(evaluation), style="dim", markup=False, highlight=False)
        told = evaluation_json(evaluation, earlier_of(evaluation, kept.all()))
        if as_json:
            _print_json(told)
        else:
            out.print(_figures_table(told))


@app.command()
def batch() -> None:
    """Read one JSON request a line (search, article, mentions), answer one line each, in order."""
    with _told(True) as settings:
        library = library_of(settings)
        for line in io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace", newline="\n"):
            if line.strip():
                _print_json(answer_line(library, line))


def _asked_password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ReadError(f"{file} cannot be read: {error.strerror}. Check the path.", code="not_found") from error


def _result_line(evaluation: Evaluation) -> str:
    result = evaluation.results[-1]
    rank = f"article {result.articles[0]} at place {result.rank or 'none'}" if result.articles else ""
    came = result.error or ", ".join(filter(None, (result.outcome, rank, f"{result.seconds:.1f} s")))
    return f"{len(evaluation.results)}/{evaluation.questions} {result.question}: {came}"


def _figures_table(told: Shape) -> Table:
    """Figures in a column; those for what an earlier evaluation also asked, then and now, in two more."""
    columns = {"now": told["figures"]}
    if earlier := told.get("earlier"):
        columns |= {"in common, now": earlier["figures_now"], "in common, earlier": earlier["figures_then"]}
    table = Table("figure", *columns, box=None)
    for name in told["figures"]:
        values = (figures[name] for figures in columns.values())
        table.add_row(name.replace("_", " "), *("-" if value is None else f"{value:.4g}" for value in values))
    return table


def _agent(settings: Settings) -> Agent:
    library = library_of(settings)
    if library.mode != "lexical":
        vectors.embed(library, _vectors_made)
    return Agent(library, model_for(settings), settings.search_results)


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
        log_to_screen(settings, level)
        yield settings
    except ScrutineerError as error:
        if as_json:
            _print_json(error_json(error.code, error.message))
        else:
            err.print(error.message, style="red", markup=False)
        raise typer.Exit(2 if isinstance(error, SettingsError) else 1) from error


def _vectors_made(done: int, of: int) -> None:
    err.print(f"Vectors: {done} of {of} clauses", style="dim", markup=False)


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
        caution = {"text": OCR_CAUTION} if value.get("ocr") else {}
        table.add_row(*(_cell(column, value[column]) + caution.get(column, "") for column in columns))
    if not table.row_count:
        err.print("Nothing was found.", markup=False)
        return
    out.print(table, markup=False)


def _cell(column: str, value: Any) -> str:
    text = "" if value is None else str(value)
    if column == "document_id":
        return text[:12]
    return text if len(text) <= 200 else f"{text[:197]}..."


def _archive_line(value: Shape) -> str:
    chats = "the chats" if value["chats"] else "no chats, which are in a database of their own"
    return f"{value['documents']} documents and {chats} ({value['size'] / 1e6:.1f} MB)"


def _addition_line(value: Shape) -> str:
    if value["error"]:
        return f"{value['file']}: {value['error']['message']}"
    warnings = "".join(f"\n  {warning['message']}" for warning in value["warnings"])
    clauses = f"{value['clauses']} clauses on {value['pages']} pages"
    return f"{value['file']}: {value['status']}, {value['title']}, {clauses}{warnings}"


def _article_text(value: Shape) -> str:
    if value["found"]:
        place = f"page {value['page_first']}, season {value['season']}, issue {value['issue']}"
        place += ", read by text recognition" if value["ocr"] else ""
        below = f"\nSub-clauses: {', '.join(value['children'])}" if value["children"] else ""
        return f"{value['article']} {value['title']}\n{value['text']}{below}\n({place})"
    listed = [
        f"  {c['article']} {c['title']}, season {c['season']}, {c['document_id'][:12]}" for c in value["candidates"]
    ]
    if listed:
        return "\n".join(["More than one clause bears this number; name its document:", *listed])
    others = [f"  {other['label']}, {other['document_id'][:12]}" for other in value["elsewhere"]]
    told = "Not found in the newest issues. It stands in these; name the season or the document:"
    return "\n".join([told, *others]) if others else "Not found."


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
        told = (checked(ended.requirements), ended.answer, *ended.unsettled, ended.message)
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
