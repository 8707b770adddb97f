"""What a connection may take: of strangers small messages and little time; of all, when it ends.

uvicorn has the first two limits for all connections or not at all, and Streamlit passes none on. So
its protocols are extended and its settings changed where the server starts.
"""

from asyncio import TimerHandle
from collections.abc import Callable
from typing import Any

import h11
from starlette.datastructures import Headers
from starlette.types import Receive
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEADER_SECONDS = 10.0
"""From the first byte, or the last reply, to the end of the headers."""
STRANGERS_MESSAGE = 64 * 1024
"""Bytes of the longest WebSocket message of somebody who has not entered."""
CLOSING_SECONDS = 20
"""The longest that a server which was told to stop waits for a page that does not read.

Below the 30 that Kubernetes, and the 90 that systemd, give a program before they kill it.
"""


def limit_connections(receive: Receive, has_entered: Callable[[Headers], bool]) -> bool:
    """Set the limits for all connections to come, by what uvicorn hands to an app that starts.

    `has_entered` says of a handshake's headers if somebody sent them who may enter. Returns False
    under a server that is not uvicorn with the protocols that are pinned.
    """
    config: Any = getattr(getattr(receive, "__self__", None), "config", None)
    if (
        getattr(config, "http_protocol_class", None) is not H11Protocol
        or config.ws_protocol_class is not WebSocketsSansIOProtocol
    ):
        return False
    config.timeout_graceful_shutdown = CLOSING_SECONDS
    config.http_protocol_class = _TimedConnection
    config.ws_protocol_class = type(
        "_MeasuredWebSocket", (_MeasuredWebSocket,), {"has_entered": staticmethod(has_entered)}
    )
    return True


class _TimedConnection(H11Protocol):
    """Closes a connection that does not complete the headers of a request in time."""

    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        self._stop_waiting()
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _MeasuredWebSocket(WebSocketsSansIOProtocol):
    """Takes small messages alone from somebody who has not entered."""

    has_entered: Callable[[Headers], bool]

    def handle_connect(self, event: Any) -> None:
        headers = [(n.lower().encode(), v.encode("latin-1")) for n, v in event.headers.raw_items()]
        if not self.has_entered(Headers(raw=headers)):
            self.conn.max_message_size = STRANGERS_MESSAGE
        super().handle_connect(event)
