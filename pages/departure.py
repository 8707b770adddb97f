"""What a page sent last, before it was left or loaded anew, is still taken."""

import asyncio
from contextlib import suppress

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

DEPARTURES = (1000, 1001)
"""Codes with which a browser closes the connection of a page that is left or loaded anew."""
DEPARTURE_SECONDS = 5.0
"""The longest wait for a script: enough for a callback on a busy machine."""


class DepartureGrace:
    """ASGI middleware: lets a script that has just begun take what its page sent last.

    Streamlit stops the script of a page that is left or loaded anew, even before the callback of
    its last click. So it learns of a departure once that script has ended, and what is sent until
    then goes nowhere. A connection that breaks is told at once, since its page will come back.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            connection = _Connection(receive, send)
            receive, send = connection.receive, connection.send
        await self._app(scope, receive, send)


class _Connection:
    """The messages of a page and its script, in both directions."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._has_left = self._has_begun = False
        self._has_taken = asyncio.Event()
        """A script has ended that began after the last message of the page."""

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "websocket.receive":
            if _kind(BackMsg, message) == "rerun_script":
                self._has_begun = False
                self._has_taken.clear()
        elif message["type"] == "websocket.disconnect" and message.get("code") in DEPARTURES:
            self._has_left = True
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_taken.wait(), DEPARTURE_SECONDS)
        return message

    async def send(self, message: Message) -> None:
        if (kind := _kind(ForwardMsg, message)) == "new_session":
            self._has_begun = True
        elif kind == "script_finished" and self._has_begun:
            self._has_taken.set()
        if not self._has_left:
            await self._send(message)


def _kind(form: type[BackMsg | ForwardMsg], message: Message) -> str | None:
    """What a message of Streamlit is; None for one of another form."""
    try:
        return form.FromString(message.get("bytes") or b"").WhichOneof("type")
    except DecodeError:
        return None
