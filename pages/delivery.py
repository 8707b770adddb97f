"""What a page sends is taken: each click before the next one, and the last before it is left."""

import asyncio
from contextlib import suppress
from typing import TypeVar

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

Form = TypeVar("Form", BackMsg, ForwardMsg)

CLICKS = ("trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value")
"""How Streamlit calls what a person does once: a click, a question."""
DEPARTURES = (1000, 1001)
"""Codes with which a browser closes the connection of a page that is left or loaded anew."""
TAKING_SECONDS = 120.0
"""The longest wait for a script: a machine with ten times its work was seen to take 60."""
MAX_WAITING = 200
"""Messages of a page that are read ahead, more than a person sends while a script works."""
SETTLING_SECONDS = 3.0
"""After the end of a script: whoever sees no other begin by then knows that none was asked for."""


class MessageDelivery:
    """ASGI middleware: sees to it that a script takes what a page sends.

    Streamlit merges what comes while a script is busy, and of two questions keeps the later one.
    So a click is handed on once a script has taken the click before it. Streamlit also stops the
    script of a page that is left or loaded anew, even before the callback of its last click. So it
    learns of a departure once that script has ended, and what is sent until then goes nowhere. A
    connection that breaks is told at once, since its page will come back.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        connection = _Connection(send)
        reading = asyncio.create_task(connection.read_ahead(receive))
        try:
            await self._app(scope, connection.receive, connection.send)
        finally:
            reading.cancel()


class _Connection:
    """The messages of a page and its script, in both directions.

    A script takes all that has come when it begins, which the page is told a little later. So a
    script that begins has taken a message, unless another was on its way when the message came:
    then that may have been taken before, and the one after it has the message.
    """

    def __init__(self, send: Send) -> None:
        self._send, self._come = send, asyncio.Queue[Message](MAX_WAITING)
        self._has_left = self._has_click = False
        """`_has_click`: a click is among what no script has surely taken yet."""
        self._is_coming = self._is_unsure = False
        """A script is to begin; one was when the last message came."""
        self._to_begin = 0
        """How many scripts have to begin until one has surely taken the last message."""
        self._has_taken, self._has_ended = asyncio.Event(), asyncio.Event()
        """A script has surely taken the last message; it has come to its end."""
        self._has_taken.set()
        self._has_ended.set()
        self._settling: asyncio.TimerHandle | None = None

    async def read_ahead(self, receive: Receive) -> None:
        """Read all that the page sends: what a system holds unread goes with its connection."""
        message: Message = {"type": ""}
        while message["type"] != "websocket.disconnect":
            message = await receive()
            await self._come.put(message)

    async def receive(self) -> Message:
        message = await self._come.get()
        if message["type"] == "websocket.receive":
            sent = _parse(BackMsg, message)
            if sent.WhichOneof("type") == "rerun_script":
                if sent.rerun_script.is_auto_rerun and self._has_click:
                    return await self.receive()  # the script of the click draws that too
                await self._note(sent.rerun_script)
        elif message["type"] == "websocket.disconnect" and message.get("code") in DEPARTURES:
            self._has_left = True
            await _wait_for(self._has_ended)
        return message

    async def _note(self, state: ClientState) -> None:
        """Wait until an earlier click is taken, if this is one too. Timers are not waited for."""
        is_click = any(one.WhichOneof("value") in CLICKS for one in state.widget_states.widgets)
        if is_click and self._has_click:
            await _wait_for(self._has_taken)
        if not state.is_auto_rerun:
            # Streamlit drops a message to a fragment that is gone: nothing will take it.
            self._has_click |= is_click and not state.fragment_id
            self._is_unsure, self._to_begin = self._is_coming, 1 + self._is_coming
            self._has_taken.clear()
            self._has_ended.clear()
        self._is_coming = True

    async def send(self, message: Message) -> None:
        told = _parse(ForwardMsg, message)
        if told.WhichOneof("type") == "new_session":
            self._begin()
        elif told.WhichOneof("type") == "script_finished":
            self._is_coming = told.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
            if self._has_taken.is_set():
                self._has_ended.set()
            elif self._is_unsure and self._to_begin == 1 and not self._is_coming:
                loop = asyncio.get_running_loop()
                self._settling = loop.call_later(SETTLING_SECONDS, self._take, True)
        if not self._has_left:
            # Of a connection that has just gone Streamlit learns where it receives, after the
            # messages that came before: it would read none of them if sending failed.
            with suppress(OSError):
                await self._send(message)

    def _begin(self) -> None:
        self._is_coming = False
        self._to_begin -= 1
        if self._settling:
            self._settling.cancel()
        if self._to_begin <= 0:
            self._take()

    def _take(self, has_ended: bool = False) -> None:
        self._has_click = False
        self._has_taken.set()
        if has_ended:
            self._has_ended.set()


async def _wait_for(event: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), TAKING_SECONDS)


def _parse(form: type[Form], message: Message) -> Form:
    """A message of Streamlit; an empty one for bytes of another form."""
    try:
        return form.FromString(message.get("bytes") or b"")
    except DecodeError:
        return form()
