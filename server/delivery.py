"""What a page sends is taken: each message before the next one, and the last before it is left."""

import asyncio
from contextlib import suppress
from secrets import token_hex
from weakref import WeakValueDictionary

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import register_widget

MARK = "$$ID-call-None"
"""The id of a widget that no page draws: its value marks a message, and stays with its click."""
DEPARTURES = (1000, 1001)
"""Codes with which a browser closes the connection of a page that is left or loaded anew."""
TAKING_SECONDS = 120.0
"""The longest wait for a script: a machine with ten times its work was seen to take 60."""
MAX_WAITING = 200
"""Messages of a page that are read ahead, more than a person sends while a script works."""


class Call:
    """A message that calls the script of a page, or a fragment of it alone.

    Scripts tell of it from threads of their own.
    """

    def __init__(self, connection: "_Connection", fragment: str) -> None:
        self.mark, self.connection, self.fragment = token_hex(16), connection, fragment
        self.taken, self.ended = asyncio.Event(), asyncio.Event()
        self._loop = asyncio.get_running_loop()
        _calls[self.mark] = self

    def take(self) -> None:
        """Note that the callbacks have run: nothing that comes now can stop them."""
        self._loop.call_soon_threadsafe(self.taken.set)

    def end(self) -> None:
        """Note that the script has ended."""
        self._loop.call_soon_threadsafe(self.ended.set)


_calls: WeakValueDictionary[str, Call] = WeakValueDictionary()
"""The last call of each connection, by its mark."""
_connections: WeakValueDictionary[str, "_Connection"] = WeakValueDictionary()
"""The last connection of each session of Streamlit."""


def take_call() -> Call | None:
    """Take the call that this script answers, as its first statement; return it if it is known.

    What the script draws goes to the main area. Without this it went where the fragment is that
    the same thread drew before, so that now and then a whole page stood in the sidebar.
    """
    context_dg_stack.set(get_default_dg_stack_value())
    context = get_script_run_ctx()
    widget = register_widget(
        MARK,
        deserializer=lambda mark: mark or "",
        serializer=str,
        ctx=context,
        on_change_handler=_note_callbacks,
        value_type="string_trigger_value",
    )
    call = _calls.get(widget.value)
    if context and call:
        _connections[context.session_id] = call.connection
        call.take()
    return call


def _note_callbacks() -> None:
    """Take a call after its other callbacks, since its mark comes last: a fragment says no more."""
    context = get_script_run_ctx()
    if context and (call := _calls.get(context.session_state[MARK])):
        call.take()


class MessageDelivery:
    """ASGI middleware: sees to it that a script takes what a page sends.

    Streamlit gives a script up for the next message, also while it runs the callbacks of the one
    before: that click or question is then lost. Of two questions that come while a script is busy,
    it keeps the later one. So a message is handed on once a script has taken the one before it.
    Streamlit also stops the script of a page that is left or loaded anew. So it learns of a
    departure once that script has ended, and what is sent until then goes nowhere. Of a connection
    that breaks it learns as soon as its last message is taken, since the page will come back. If
    that page is quicker than the news of the break, it waits for its last message too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        named: list[str] = scope["subprotocols"]
        _, _, session, *_ = (*named, "", "", "")  # as Streamlit's pages name it
        before = _connections.get(session)
        if before and not before.is_over:
            await before.drain()
        connection = _Connection(send)
        reading = asyncio.create_task(connection.read_ahead(receive))
        try:
            await self._app(scope, connection.receive, connection.send)
        finally:
            connection.is_over = True
            reading.cancel()


class _Connection:
    """The messages of a page, in both directions."""

    def __init__(self, send: Send) -> None:
        self._send, self._come = send, asyncio.Queue[Message](MAX_WAITING)
        self._call: Call | None = None
        self._has_left = self.is_over = False

    async def read_ahead(self, receive: Receive) -> None:
        """Read all that the page sends: what a system holds unread goes with its connection."""
        message: Message = {"type": ""}
        while message["type"] != "websocket.disconnect":
            message = await receive()
            await self._come.put(message)

    async def receive(self) -> Message:
        while True:
            message = await self._hand_on(await self._come.get())
            self._come.task_done()
            if message:
                return message

    async def drain(self) -> None:
        """Wait until all that was read is handed on and taken."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._come.join(), TAKING_SECONDS)
        await self._wait_for_call()

    async def _hand_on(self, message: Message) -> Message | None:
        """Return a message once it may be handed on; None for one that is left out."""
        if message["type"] == "websocket.disconnect":
            self._has_left = message.get("code") in DEPARTURES
            await self._wait_for_call(to_end=self._has_left)
        sent = BackMsg()
        with suppress(DecodeError):  # Streamlit refuses it
            sent = BackMsg.FromString(message.get("bytes") or b"")
        if sent.WhichOneof("type") != "rerun_script":
            return message
        if sent.rerun_script.is_auto_rerun:  # the script of a call draws that too
            return message if self._call is None or self._call.taken.is_set() else None
        await self._wait_for_call()
        self._call = Call(self, sent.rerun_script.fragment_id)
        mark = sent.rerun_script.widget_states.widgets.add(id=MARK)
        mark.string_trigger_value.data = self._call.mark
        return {**message, "bytes": sent.SerializeToString()}

    async def _wait_for_call(self, to_end: bool = False) -> None:
        """Wait until a script has taken the last call, or has ended with it.

        What a click in a fragment does is done by callbacks: nobody hears of a fragment's end.
        """
        if self._call:
            noted = self._call.ended if to_end and not self._call.fragment else self._call.taken
            with suppress(TimeoutError):
                await asyncio.wait_for(noted.wait(), TAKING_SECONDS)

    async def send(self, message: Message) -> None:
        if not self._has_left:
            # Of a connection that has just gone Streamlit learns where it receives, after the
            # messages that came before: it would read none of them if sending failed.
            with suppress(OSError):
                await self._send(message)
