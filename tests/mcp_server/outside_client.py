"""Call tools by a client that shares no code with the SDK, and print what it sees as JSON.

    PYTHON outside_client.py < REQUEST

It runs in an environment of its own (`make validators`), without Scrutineer. The request is JSON:
`calls` (pairs of a tool and its arguments), and `command` with `env`, or `url` with `token`.
"""

import asyncio
import json
import sys
from typing import Any

from chuk_mcp.protocol.messages import send_initialize, send_tools_call, send_tools_list
from chuk_mcp.transports.http import StreamableHTTPParameters, http_client
from chuk_mcp.transports.stdio import StdioParameters, stdio_client


def connect(request: dict[str, Any]) -> Any:
    if "url" in request:
        where = StreamableHTTPParameters(url=request["url"], bearer_token=request["token"])
        return http_client(where)
    command, *arguments = request["command"]
    return stdio_client(StdioParameters(command=command, args=arguments, env=request["env"]))


async def main() -> None:
    request = json.load(sys.stdin)
    async with connect(request) as streams:
        begun = await send_initialize(*streams)
        listed = await send_tools_list(*streams)
        called = {}
        for name, arguments in request["calls"]:
            result = await send_tools_call(*streams, name, arguments)
            called[name] = result.model_dump(mode="json")
    tools = [tool.name for tool in listed.tools]
    print(json.dumps({"version": begun.protocolVersion, "tools": tools, "called": called}))


asyncio.run(main())
