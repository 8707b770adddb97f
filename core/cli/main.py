"""The command line: which commands there are, in the order in which `--help` lists them.

Results are JSON Lines (`--json`) or tables on standard output, messages on standard error. Exit status 0: all done; 1:
something was refused or not found (said as JSON too); 2: wrong usage or settings.
"""

from collections.abc import Callable

import typer

from core.cli import agent_commands as asking
from core.cli import library_commands as keeping
from core.cli import search_commands as looking

COMMANDS: dict[str, Callable[..., None]] = {
    "ingest": keeping.ingest,
    "documents": keeping.documents,
    "remove": keeping.remove,
    "export": keeping.export,
    "check": keeping.check_command,
    "backup": keeping.backup_command,
    "restore": keeping.restore_command,
    "embed": keeping.embed,
    "search": looking.search,
    "article": looking.article,
    "mentions": looking.mentions,
    "compare": looking.compare,
    "ask": asking.ask,
    "resume": asking.resume,
    "evaluate": asking.evaluate,
    "batch": looking.batch,
}

app = typer.Typer(
    help="Scrutineer: rulebooks, searched and quoted word for word.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
for name, command in COMMANDS.items():
    app.command(name)(command)


def main() -> None:
    """Run the command line."""
    app()
