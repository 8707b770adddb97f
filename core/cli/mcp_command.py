"""The command that serves the Model Context Protocol."""

from typing import Annotated

import typer

from core.cli import output
from core.cli.options import DocumentOption, FamilyOption, IssueOption, SeasonOption


def mcp_command(
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP, to programs on this machine alone.")
    ] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port of --http.")] = 8765,
    season: SeasonOption = None,
    issue: IssueOption = None,
    document: DocumentOption = None,
    family: FamilyOption = None,
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
            message = "This needs the optional part mcp: install it with EXTRAS=mcp."
            raise SettingsError(message, code="missing_part") from error
        from core.mcp import serve

        allowed = ScopeChoice(season=season, document=document, family=family, issue=issue)
        serve(allowed, port if http else None)
