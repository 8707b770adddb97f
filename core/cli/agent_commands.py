"""The commands that put questions to the agent, one or a whole set, and go on with a run."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from core.agent import (
    Agent,
    Decision,
    DecisionKind,
    Mode,
    Request,
    RunLimits,
    limits_of,
    make_model,
)
from core.chats import Conversations, conversation_title
from core.cli.options import DocumentOption, FamilyOption, IssueOption, JsonOption, SeasonOption
from core.cli.output import (
    command_context,
    err,
    format_progress,
    metrics_table,
    out,
    print_events,
    print_json,
    print_vector_progress,
)
from core.errors import LibraryError, ReadError
from core.evaluation import (
    EVALUATIONS_FOLDER,
    EvaluationStore,
    RunnerContext,
    evaluation_json,
    find_earlier_evaluation,
    make_agent_runner,
    make_search_runner,
    new_evaluation,
    read_questions,
    result_json,
    run_evaluation,
)
from core.library import ScopeChoice, embed_clauses, open_library
from core.settings import Settings


def ask_command(
    question: str,
    season: SeasonOption = None,
    issue: IssueOption = None,
    document: DocumentOption = None,
    family: FamilyOption = None,
    max_iterations: Annotated[int | None, typer.Option(min=1, max=10)] = None,
    quality_threshold: Annotated[float | None, typer.Option(min=1, max=10)] = None,
    mode: Annotated[Mode, typer.Option(help="quick, standard or deep.")] = "standard",
    as_json: JsonOption = False,
) -> None:
    """Answer a question; with --json every event of the run, a line each, as it happens."""
    with command_context(as_json) as settings:
        limits = _limits(settings, mode, max_iterations, quality_threshold)
        choice = ScopeChoice(season=season, document=document, family=family, issue=issue)
        chats = Conversations(settings.conversations_url)
        events = _agent(settings).ask(Request(question, choice, limits))
        ended = print_events(
            chats.save_events(chats.start_conversation(conversation_title(question)), events),
            as_json,
        )
    raise typer.Exit(0 if ended.outcome in ("answered", "declined") else 1)


def resume_command(
    run_id: str,
    conclude: Annotated[bool, typer.Option("--conclude", help="End with the best draft.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End without an answer.")] = False,
    guidance: Annotated[str, typer.Option(help="Words to go on with.")] = "",
    tool: Annotated[str | None, typer.Option(help="The tool to go on with.")] = None,
    season: Annotated[int | None, typer.Option(help="Another season to look at.")] = None,
    max_iterations: Annotated[
        int | None, typer.Option(min=1, max=10, help="Further iterations.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Decide on a run that waits (at its limit, for a clarification) or was cut off, and go on with it."""
    if conclude and stop:
        raise typer.BadParameter(
            "--conclude ends with the best draft, --stop without an answer: choose one of them."
        )
    with command_context(as_json) as settings:
        chats = Conversations(settings.conversations_url)
        saved = chats.find_run(run_id)
        if saved is None:
            raise LibraryError(
                f"There is no run {run_id}. `ask --json` tells the run_id.", code="unknown_run"
            )
        kind: DecisionKind = "conclude" if conclude else "stop" if stop else "go_on"
        decision = Decision(kind, guidance, tool, ScopeChoice(season=season) if season else None)
        history = chats.list_turns(saved.conversation_id, before=run_id)
        limits = _limits(settings, "standard", max_iterations, None)
        request = Request(saved.question, limits=limits, history=history)
        events = _agent(settings).resume(saved.events, request, decision)
        ended = print_events(chats.save_events(saved.conversation_id, events), as_json)
    raise typer.Exit(0 if ended.outcome in ("answered", "declined") else 1)


def evaluate_command(
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
    as_json: JsonOption = False,
) -> None:
    """Put a set of questions, tell for each what came of it, and last what all came to beside an earlier evaluation."""
    with command_context(as_json) as settings:
        questions = read_questions(_bytes_of(file), file.name)
        library, kept = (
            open_library(settings),
            EvaluationStore(settings.data_dir / EVALUATIONS_FOLDER),
        )
        if search_only:
            put = make_search_runner(library, threading.Event())
        else:
            chats = Conversations(settings.conversations_url)
            title, limits = f"Evaluation of {file.name}", limits_of(settings, mode)
            means = RunnerContext(_agent(settings), library, chats, limits, title)
            put = make_agent_runner(means, threading.Event())
        evaluation = new_evaluation(file.name, "search" if search_only else "agent", questions)
        for so_far in run_evaluation(evaluation, questions, put, kept):
            evaluation = so_far
            if as_json:
                print_json(result_json(evaluation.results[-1]))
            else:
                err.print(format_progress(evaluation), style="dim", markup=False, highlight=False)
        told = evaluation_json(evaluation, find_earlier_evaluation(evaluation, kept.load_all()))
        if as_json:
            print_json(told)
        else:
            out.print(metrics_table(told))


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ReadError(
            f"{file} cannot be read: {error.strerror}. Check the path.", code="not_found"
        ) from error


def _agent(settings: Settings) -> Agent:
    library = open_library(settings)
    if library.mode != "lexical":
        embed_clauses(library, print_vector_progress)
    return Agent(library, make_model(settings), settings.search_results)


def _limits(
    settings: Settings, mode: Mode, max_iterations: int | None, threshold: float | None
) -> RunLimits:
    limits = limits_of(settings, mode)
    return replace(
        limits,
        max_iterations=max_iterations or limits.max_iterations,
        quality_threshold=threshold or limits.quality_threshold,
    )
