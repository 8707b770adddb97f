"""The commands of what runs for others: servers, a worker, and the tokens of programs."""

import os
import subprocess
import sys
from typing import Annotated

import typer

from core.cli import output
from core.cli.options import JsonOption, ScopeFields, takes_scope
from core.program import FOLDER, describe_install

_COLUMNS = ("token_id", "name", "scope", "created_at")


def run_command(context: typer.Context) -> None:
    """Open Scrutineer in the browser. Options are Streamlit's: --server.port 8600.

    Where no browser opens, use the address that it prints. Ctrl+C ends it.
    """
    program = [sys.executable, "-P", "-m", "streamlit", "run", str(FOLDER / "app.py")]
    command = [*program, *context.args]
    if os.name == "posix":  # who ends this process then ends the server
        os.execv(sys.executable, command)
    raise typer.Exit(subprocess.call(command))


def work_command(
    once: Annotated[bool, typer.Option("--once", help="End when nothing waits.")] = False,
) -> None:
    """Add the files that wait to the library, those of every server with the same database.

    Without --once it waits for more of them, and for a store or a database that is away.
    """
    with output.command_context(False) as settings:
        from core.library import Library, UploadQueue

        UploadQueue.open(settings).drain(Library.open(settings), forever=not once)


def token_command(
    name: Annotated[
        str | None, typer.Argument(help="Who it is for: an e-mail address, or any name.")
    ] = None,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="ID", help="Remove a token.")
    ] = None,
    feeds: Annotated[
        bool, typer.Option("--feeds", help="For feed readers: it opens feeds alone.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a token by which a person's programs may ask over HTTP; without NAME list them.

    It is shown once. Each name has chats and limits of its own. The first token opens `/api/v1`.
    """
    if name is not None and remove is not None:
        raise typer.BadParameter("Give a NAME to make a token, or --remove one.")
    with output.command_context(as_json) as settings:
        from core.chats import Tokens

        tokens = Tokens(settings.conversations_url)
        if remove is not None:
            token = tokens.remove_token(remove)
            output.print_result(token, as_json, f"Removed the token of {token.name}.")
        elif name is not None:
            secret = tokens.make(name, scope="feeds" if feeds else "programs")
            output.print_result({"name": name, "token": secret}, as_json, secret)
        else:
            output.print_results(tokens.list_tokens(), as_json, _COLUMNS)


@takes_scope()
def mcp_command(
    scope: ScopeFields,
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP, to programs on this machine alone.")
    ] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port of --http.")] = 8765,
) -> None:
    """Offer the rules to assistants and editors: an MCP server with read-only tools.

    Without options all documents can be asked. No call widens what the options leave.
    """
    with output.command_context(as_json=False):
        from core.errors import SettingsError
        from core.library import ScopeChoice

        try:
            import mcp as _installed  # noqa: F401
        except ImportError as error:
            message = f"This needs the optional part mcp: {describe_install('mcp')}."
            raise SettingsError(message, code="missing_part") from error
        from core.mcp import serve

        serve(ScopeChoice(**scope), port if http else None)
