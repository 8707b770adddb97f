"""What other rooms may use of `core.mcp`."""

from .server import serve as serve
