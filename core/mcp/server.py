"""The server: the tools and the resources that it offers, over stdio or HTTP on this machine."""

from collections.abc import Callable
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp_types import ToolAnnotations

from core.api import Shared, SharedLoader, TokenMiddleware
from core.errors import SettingsError
from core.library import ScopeChoice
from core.mcp.rules import RuleTools, errors_for_client
from core.program import COMMAND, read_version

LOOPBACK = "127.0.0.1"
_INSTRUCTIONS = (
    "Rulebooks, word for word. Quote rules only as these tools return them, with article, page,"
    " season and issue. Words under `deleted` are not law. Check what you wrote with `verify`."
)
_READS_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def make_server(shared: Shared, allowed: ScopeChoice) -> MCPServer[Any]:
    """Return a server of what of the library a choice allows, for as long as it runs."""
    tools = RuleTools(shared, allowed)
    server: MCPServer[Any] = MCPServer(
        "scrutineer",
        version=read_version(),
        instructions=_INSTRUCTIONS,
        log_level="WARNING",
    )
    offered: tuple[Callable[..., object], ...] = (
        tools.search,
        tools.fetch,
        tools.article,
        tools.compare,
        tools.check_value,
        tools.penalties,
        tools.documents,
        tools.verify,
        tools.ask,
        tools.page,
    )
    for tool in offered:
        server.add_tool(errors_for_client(tool), annotations=_READS_ONLY)

    @server.resource("rule://{family}/{season}/{issue}/{article}", mime_type="application/json")
    def rule(family: str, season: str, issue: str, article: str) -> str:
        """A rule word for word: its text, page, marks and hash."""
        try:
            return tools.read_rule(family, season, issue, article).model_dump_json()
        except ToolError as error:
            raise ResourceNotFoundError(str(error)) from error

    return server


def serve(allowed: ScopeChoice, port: int | None) -> None:
    """Serve on standard input and output, or with a port over HTTP, to this machine alone.

    Over HTTP who calls brings a token: others have accounts on this machine. Raises SettingsError
    `no_token` where none has been made.
    """
    load = SharedLoader()
    shared = load()
    server = make_server(shared, allowed)
    if port is None:
        server.run("stdio")
        return
    if not shared.tokens.list_tokens("programs"):
        message = f"Over HTTP programs bring a token: make one with `{COMMAND} token NAME`."
        raise SettingsError(message, code="no_token")
    app = TokenMiddleware(server.streamable_http_app(host=LOOPBACK), load)
    uvicorn.run(app, host=LOOPBACK, port=port, log_level="warning")
