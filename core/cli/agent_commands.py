"""The commands that ask the agent: one question, a set of questions, or a run to resume."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import output
from core.cli.options import JsonOption, ModeOption, ScopeFields, takes_scope
from core.errors import LibraryError

if TYPE_CHECKING:
    from core.agent import Agent, DecisionKind
    from core.settings import Settings


@takes_scope()
def ask_command(
    question: str,
    scope: ScopeFields,
    max_iterations: Annotated[int | None, typer.Option(min=1, max=10)] = None,
    quality_threshold: Annotated[float | None, typer.Option(min=1, max=10)] = None,
    mode: ModeOption = "standard",
    after: Annotated[
        list[str] | None,
        typer.Option(help="An earlier question of the conversation; may be given more than once."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question; with --json print every event of the run, a line each, as it happens."""
    with output.command_context(as_json) as settings:
        from core.api import AskRequest
        from core.chats import Conversations
        from core.library import Library

        asked = scope | {
            "question": question,
            "mode": mode,
            "max_iterations": max_iterations,
            "quality_threshold": quality_threshold,
            "after": after or [],
        }
        request, agent = AskRequest.parse(asked), _make_agent(settings)
        try:
            events = request.events(agent, settings, Conversations(settings.conversations_url))
        except LibraryError as error:
            if error.code != "chats":
                raise
            output.err.print(f"This run is not kept. {error.message}", markup=False)
            events = request.events(agent, settings)
        status = output.print_events(events, as_json, Library.open(settings))
    raise typer.Exit(status)


def resume_command(
    run_id: str,
    conclude: Annotated[bool, typer.Option("--conclude", help="End with the best draft.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End without an answer.")] = False,
    guidance: Annotated[str, typer.Option(help="Guidance for the next iterations.")] = "",
    tool: Annotated[str | None, typer.Option(help="The tool to go on with.")] = None,
    season: Annotated[int | None, typer.Option(help="Another season to look at.")] = None,
    max_iterations: Annotated[
        int | None, typer.Option(min=1, max=10, help="Further iterations.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Resume a run that waits (at its limit, for a clarification) or was cut off."""
    if conclude and stop:
        raise typer.BadParameter(
            "--conclude ends with the best draft, --stop without an answer: choose one of them."
        )
    with output.command_context(as_json) as settings:
        from core.agent import Decision, budget_of
        from core.chats import Conversations, resume_run
        from core.library import Library, ScopeChoice

        chats = Conversations(settings.conversations_url)
        run = chats.find_run(run_id)
        if run is None:
            message = f"There is no run {run_id}. `ask --json` shows the run_id."
            raise LibraryError(message, code="unknown_run")
        kind: DecisionKind = "conclude" if conclude else "stop" if stop else "go_on"
        decision = Decision(kind, guidance, tool, ScopeChoice(season=season) if season else None)
        budget = budget_of(settings, max_iterations=max_iterations)
        events = resume_run(_make_agent(settings), chats, run, decision, budget)
        saved = chats.save_events(run.conversation_id, events)
        status = output.print_events(saved, as_json, Library.open(settings))
    raise typer.Exit(status)


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
    mode: ModeOption = "standard",
    as_json: JsonOption = False,
) -> None:
    """Ask a set of questions; print each result, then the metrics beside an earlier evaluation."""
    with output.command_context(as_json) as settings:
        from core import evaluation as evaluations
        from core.agent import budget_of
        from core.chats import Conversations
        from core.library import Library, embed_clauses

        questions = evaluations.read_questions(output.read_file(file), file.name)
        library, stop = Library.open(settings), threading.Event()
        if library.mode != "lexical":  # what is measured is not to change on the way
            embed_clauses(library, output.print_progress)
        store = evaluations.EvaluationStore(settings.data_dir / evaluations.EvaluationStore.FOLDER)
        if search_only:
            run_question = evaluations.make_search_runner(library, stop)
        else:
            chats, title = Conversations(settings.conversations_url), f"Evaluation of {file.name}"
            agent, budget = _make_agent(settings), budget_of(settings, mode)
            context = evaluations.RunnerContext(agent, library, chats, budget, title)
            run_question = evaluations.make_agent_runner(context, stop)
        evaluation = evaluations.Evaluation.start(
            file.name, "search" if search_only else "agent", len(questions)
        )
        for progress in evaluations.run_evaluation(evaluation, questions, run_question, store):
            evaluation = progress
            if as_json:
                output.print_json(evaluation.results[-1].as_json)
            else:
                output.err.print(
                    output.format_progress(evaluation), style="dim", markup=False, highlight=False
                )
        earlier = evaluation.find_earlier(store.load_all())
        report = evaluation.to_json(earlier)
        if as_json:
            output.print_json(report)
        else:
            output.out.print(output.metrics_table(report))


def _make_agent(settings: "Settings") -> "Agent":
    """Return the agent of the settings; say where it searches by words, since vectors lack."""
    from core.agent import Agent, make_model
    from core.library import Library, count_missing_vectors

    library = Library.open(settings)
    if library.mode == "hybrid" and (missing := count_missing_vectors(library)):
        note = f"Meaning is being prepared (clauses left: {missing}), so words alone are searched."
        output.err.print(f"{note} `embed` prepares it now.", style="dim", markup=False)
    return Agent(library, make_model(settings), settings.search_results)
