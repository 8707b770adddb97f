"""The commands that put questions to the agent, one or a whole set, and go on with a run."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from core.agent.budget import limits_of
from core.agent.loop import Agent, Request
from core.agent.models.factory import model_for
from core.agent.types import Decision, DecisionKind, Limits, Mode
from core.chats.conversations import Conversations, title_of
from core.cli.options import DocumentId, Family, Issue, Json, Season
from core.cli.output import (
    err,
    figures_table,
    follow,
    out,
    print_json,
    result_line,
    telling,
    vectors_made,
)
from core.errors import LibraryError, ReadError
from core.evaluation.findings import result_json
from core.evaluation.metrics import earlier_of, evaluation_json
from core.evaluation.questions import read_questions
from core.evaluation.runner import (
    EVALUATIONS,
    Evaluations,
    Means,
    by_agent,
    by_search,
    carried_out,
    new_evaluation,
)
from core.library.storage import vectors
from core.library.storage.library import library_of
from core.library.types import ScopeChoice
from core.settings import Settings


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
    with telling(as_json) as settings:
        limits = _limits(settings, mode, max_iterations, quality_threshold)
        choice = ScopeChoice(season=season, document=document, family=family, issue=issue)
        chats = Conversations(settings.conversations_url)
        events = _agent(settings).ask(Request(question, choice, limits))
        ended = follow(chats.keep(chats.start(title_of(question)), events), as_json)
    raise typer.Exit(0 if ended.outcome in ("answered", "declined") else 1)


def resume(
    run_id: str,
    conclude: Annotated[bool, typer.Option("--conclude", help="End with the best draft.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End without an answer.")] = False,
    guidance: Annotated[str, typer.Option(help="Words to go on with.")] = "",
    tool: Annotated[str | None, typer.Option(help="The tool to go on with.")] = None,
    season: Annotated[int | None, typer.Option(help="Another season to look at.")] = None,
    max_iterations: Annotated[
        int | None, typer.Option(min=1, max=10, help="Further iterations.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Decide on a run that waits (at its limit, for a clarification) or was cut off, and go on with it."""
    if conclude and stop:
        raise typer.BadParameter(
            "--conclude ends with the best draft, --stop without an answer: choose one of them."
        )
    with telling(as_json) as settings:
        chats = Conversations(settings.conversations_url)
        saved = chats.run(run_id)
        if saved is None:
            raise LibraryError(
                f"There is no run {run_id}. `ask --json` tells the run_id.", code="unknown_run"
            )
        kind: DecisionKind = "conclude" if conclude else "stop" if stop else "go_on"
        decision = Decision(kind, guidance, tool, ScopeChoice(season=season) if season else None)
        history = chats.exchanges(saved.conversation_id, before=run_id)
        limits = _limits(settings, "standard", max_iterations, None)
        request = Request(saved.question, limits=limits, history=history)
        events = _agent(settings).resume(saved.events, request, decision)
        ended = follow(chats.keep(saved.conversation_id, events), as_json)
    raise typer.Exit(0 if ended.outcome in ("answered", "declined") else 1)


def evaluate(
    file: Annotated[
        Path,
        typer.Argument(
            help="CSV or JSON Lines: question, articles; season, document, says, answer_season."
        ),
    ],
    search_only: Annotated[
        bool, typer.Option("--search", help="Put the questions to search alone.")
    ] = False,
    mode: Annotated[Mode, typer.Option(help="quick, standard or deep.")] = "standard",
    as_json: Json = False,
) -> None:
    """Put a set of questions, tell for each what came of it, and last what all came to beside an earlier evaluation."""
    with telling(as_json) as settings:
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
                print_json(result_json(evaluation.results[-1]))
            else:
                err.print(result_line(evaluation), style="dim", markup=False, highlight=False)
        told = evaluation_json(evaluation, earlier_of(evaluation, kept.all()))
        if as_json:
            print_json(told)
        else:
            out.print(figures_table(told))


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ReadError(
            f"{file} cannot be read: {error.strerror}. Check the path.", code="not_found"
        ) from error


def _agent(settings: Settings) -> Agent:
    library = library_of(settings)
    if library.mode != "lexical":
        vectors.embed(library, vectors_made)
    return Agent(library, model_for(settings), settings.search_results)


def _limits(
    settings: Settings, mode: Mode, max_iterations: int | None, threshold: float | None
) -> Limits:
    limits = limits_of(settings, mode)
    return replace(
        limits,
        max_iterations=max_iterations or limits.max_iterations,
        quality_threshold=threshold or limits.quality_threshold,
    )
