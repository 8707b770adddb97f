"""The command line: its commands, in the order in which `--help` lists them.

Results are JSON Lines (`--json`) or tables on standard output, messages go to standard error. Exit
status 0: all done; 1: something was refused or not found (as JSON too); 2: wrong usage or settings;
3: a run failed, as its model or the library did.

Importing a room takes seconds, so a command imports its rooms in its body: `--help`, wrong usage
and shell completion load none of them.
"""

import atexit
import gc
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from core.cli import (
    agent_commands,
    impact_commands,
    library_commands,
    limits_commands,
    output,
    search_commands,
    server_commands,
    text_commands,
)
from core.cli.warm_server import ask_server
from core.program import read_version
from core.rulebook import forbid_inspection

_COMMANDS: dict[str, Callable[..., None]] = {
    "run": server_commands.run_command,
    "ingest": library_commands.ingest_command,
    "documents": library_commands.documents_command,
    "rulings": library_commands.rulings_command,
    "correct": library_commands.correct_command,
    "relate": library_commands.relate_command,
    "remove": library_commands.remove_command,
    "export": library_commands.export_command,
    "check": library_commands.check_command,
    "backup": library_commands.backup_command,
    "restore": library_commands.restore_command,
    "embed": library_commands.embed_command,
    "work": server_commands.work_command,
    "search": search_commands.search_command,
    "article": search_commands.article_command,
    "mentions": search_commands.mentions_command,
    "compare": search_commands.compare_command,
    "impact": impact_commands.impact_command,
    "watch": impact_commands.watch_command,
    "limits": limits_commands.limits_command,
    "obligations": limits_commands.obligations_command,
    "sheet": limits_commands.sheet_command,
    "sentences": text_commands.sentences_command,
    "verify": text_commands.verify_command,
    "mcp": server_commands.mcp_command,
    "token": server_commands.token_command,
    "ask": agent_commands.ask_command,
    "resume": agent_commands.resume_command,
    "evaluate": agent_commands.evaluate_command,
    "batch": search_commands.batch_command,
}

_SERVED = {
    name: _COMMANDS[name]
    for name in ("documents", "search", "article", "mentions", "compare", "ask")
}
"""What a server runs for a command line: they read no file of it, and begin with seconds of
imports. A comparison that is written into a file runs by itself: its path is no JSON."""

app = typer.Typer(
    help="Scrutineer: rulebooks, searched and quoted word for word.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"Scrutineer {read_version()}")
        raise typer.Exit


@app.callback()
def _take_options(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_tell_version, help="Show the version."),
    ] = False,
) -> None: ...


def _by_server(name: str, command: Callable[..., None]) -> Callable[..., None]:
    """Return the command as it runs where a server of the same data folder may do so for it."""

    @wraps(command)
    def run(**arguments: Any) -> None:
        if (status := ask_server(name, arguments)) is not None:
            raise typer.Exit(status)
        command(**arguments)

    return run


_PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
for name, command in _COMMANDS.items():
    context = _PASSED_ON if name == "run" else {}
    app.command(name, context_settings=context)(
        _by_server(name, command) if name in _SERVED else command
    )


def run_for_client(asked: dict[str, Any], write: Callable[[str, str], None]) -> None:
    """Run what `ask_server` asked for; `write` takes what it prints, and its exit status.

    Raises KeyError for what no server runs.
    """
    command = _SERVED[asked["name"]]
    status = 0
    with output.print_to_client(asked["terminals"], write):
        try:
            command(**asked["arguments"])
        except typer.Exit as ended:
            status = ended.exit_code
    write("status", str(status))


_OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""Python looks for cycles after 700 new objects. Importing the rooms makes half a million that
stay: looking through them took a third of the processor time of `ask`."""


def main() -> None:
    forbid_inspection()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # or Python looks through all of them once more as it ends
    app()
