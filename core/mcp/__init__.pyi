"""What other rooms may use of `core.mcp`."""

from .server import make_server as make_server, serve as serve
