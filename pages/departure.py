"""What a page sent last, before it was left or loaded anew, is still taken."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

DEPARTURES = (1000, 1001)
"""Codes with which a browser closes the connection of a page that is left or loaded anew."""
DEPARTURE_SECONDS = 5.0
"""Enough for a callback on a busy machine."""


class DepartureGrace:
    """ASGI middleware: lets a script that has just begun take what its page sent last.

    Streamlit stops the script of a page that is left or loaded anew, even before the callback of
    its last click. So it learns of a departure a little later, and what is sent until then goes
    nowhere. A connection that breaks is told at once, since its page will come back.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_left = False

        async def receive_late() -> Message:
            nonlocal has_left
            message = await receive()
            if message["type"] == "websocket.disconnect" and message.get("code") in DEPARTURES:
                has_left = True
                await asyncio.sleep(DEPARTURE_SECONDS)
            return message

        async def send_if_there(message: Message) -> None:
            if not has_left:
                await send(message)

        if scope["type"] != "websocket":
            return await self._app(scope, receive, send)
        return await self._app(scope, receive_late, send_if_there)
