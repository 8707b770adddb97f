"""Who may connect, the headers of each reply, and what the server says at its start.

`.streamlit/config.toml` holds what Streamlit itself checks.
"""

import ipaddress
import logging
import os
import re
import tempfile
import webbrowser
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import streamlit as st
import streamlit.config
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from core.errors import SettingsError
from core.logs import log_failure
from core.settings import load_settings
from server import commands, delivery, door
from server.connections import limit_connections

POLICY: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",  # Streamlit writes its styles from script
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self' blob:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "manifest-src": "'self'",
    "frame-src": "'none'",
    "object-src": "'none'",
    "form-action": "'none'",
    "base-uri": "'self'",
    "frame-ancestors": "'none'",
}
"""A page may load only what its own server sends."""
HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-DNS-Prefetch-Control": "off",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{feature}=()"
        for feature in "camera microphone geolocation payment usb display-capture".split()
    ),
}
METRICS_PATH = "/_stcore/metrics"

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
_CONDITIONS = (b"if-none-match", b"if-modified-since")
_AUTHORITY = re.compile(r"[\w.-]+(:\d+)?|\[[\da-f:]+\](:\d+)?", re.I)


class SecurityMiddleware:
    """ASGI middleware: refuses who may not connect, and adds the headers to every reply.

    The Content-Security-Policy lets a page run `scripts` of ours. Without `policy` it is left out,
    to test the pages without it.
    """

    def __init__(self, app: ASGIApp, policy: bool = True, scripts: Sequence[str] = ()) -> None:
        self._app = app
        self._policy = policy
        # These and the scripts inside Streamlit's own page are known by their hashes.
        page = (Path(st.__file__).with_name("static") / "index.html").read_text(encoding="utf-8")
        self._page = page.replace("<head>", f"<head><script>{door.KEY_SCRIPT}</script>", 1)
        known = [*_INLINE_SCRIPT.findall(self._page), *scripts]
        digests = (b64encode(sha256(script.encode()).digest()).decode() for script in known)
        self._scripts = "".join(f" 'sha256-{digest}'" for digest in digests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            limit_connections(receive, door.has_entered)
            return await self._app(scope, receive, _announce_after(send))
        host = Headers(scope=scope).get("host")

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if self._policy:
                    headers["Content-Security-Policy"] = self.content_policy(host or "")
            await send(message)

        if refusal := _check_request(scope, host):
            return await refusal(scope, receive, send_with_headers)
        visit = door.Visit(scope)
        is_replaced = False

        async def send_in_session(message: Message) -> None:
            nonlocal is_replaced
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if door.MEDIA_PATH in scope["path"]:
                    headers["Cache-Control"] = "private"
                page = visit.begin_session(headers)
                if message["status"] == 200 and _is_page(headers):  # Streamlit's own
                    page = HTMLResponse(self._page, headers={"Cache-Control": "no-cache"})
                if page:
                    is_replaced = True
                    await page(scope, receive, send_with_headers)
            if visit.allows(message) and not is_replaced:
                await send_with_headers(message)

        async def receive_in_session() -> Message:
            return await visit.receive(receive, send_with_headers)

        # No browser is told that the page of an earlier version is still the same.
        if not door.is_feed(scope):
            scope["headers"] = [pair for pair in scope["headers"] if pair[0] not in _CONDITIONS]
        return await self._app(scope, receive_in_session, send_in_session)

    def content_policy(self, host: str) -> str:
        """Return what a page from this host may load."""
        sources = dict(POLICY)
        sources["script-src"] += self._scripts
        if _AUTHORITY.fullmatch(host):  # some browsers do not apply 'self' to a WebSocket
            sources["connect-src"] = f"'self' ws://{host} wss://{host}"
        return "; ".join(f"{directive} {allowed}" for directive, allowed in sources.items())


def check_address() -> None:
    """Exit with a sentence if the start would open Scrutineer to the network without a login."""
    address = st.get_option("server.address") or "all addresses"
    try:
        allowed = _may_listen_on(address)
    except SettingsError as error:
        raise SystemExit(error.message) from error
    if not allowed:
        raise SystemExit(
            f"Scrutineer does not start: it would listen on {address} and has no login, so that"
            " anybody on the network could read its chats and spend its money. Configure a login"
            " (see README.md), or confirm it with"
            ' SCRUTINEER_OPEN_TO_NETWORK="without login".'
        )


def allow_own_machine() -> None:
    """Let a container's health check and commands of this machine in, whatever hosts are named."""
    if hosts := st.get_option("server.allowedHosts"):
        streamlit.config.set_option("server.allowedHosts", [*hosts, "127.0.0.1"])


def limit_uploads() -> None:
    """Limit uploads on the server too: a script need not use an uploader of a page."""
    with suppress(SettingsError):  # the pages show it
        streamlit.config.set_option("server.maxUploadSize", load_settings().max_upload_mb)


def _announce_after(send: Send) -> Send:
    """Print the address to open once the server has started, and open it where there is a screen.

    Once it has shut down, end the process. A browser gets the token by a file that only this
    account can read: the list of processes shows an address to everybody on the machine.
    """

    async def announce(message: Message) -> None:
        await send(message)
        if message["type"].startswith("lifespan.shutdown."):
            commands.withdraw_address()
            logging.shutdown()
            # Python would wait for threads that make vectors, a minute and more, and abort under
            # one that is in LanceDB just then. What they wrote stands; the next start goes on.
            os._exit(0)
        if message["type"] != "lifespan.startup.complete":
            return
        commands.publish_address()
        address = door.entrance()
        print(f"\n  Scrutineer is open at {address}\n", flush=True)
        if st.get_option("server.headless"):
            return
        with tempfile.NamedTemporaryFile(
            "w", prefix="scrutineer-", suffix=".html", delete=False
        ) as page:
            page.write(f'<meta http-equiv="refresh" content="0;url={address}">')
        webbrowser.open(Path(page.name).as_uri())

    return announce


def _is_page(headers: Headers) -> bool:
    return headers.get("content-type", "").startswith("text/html")


def report_script_error(error: Exception) -> bool:
    """Log an unexpected error of a script, and show on the page that there was one."""
    log_failure(error)
    if call := delivery.take_call():  # its callback may have failed, and no page is drawn
        call.end()
    st.error(
        "Something failed in Scrutineer itself. It has been noted in the log; go back or ask again."
    )
    return True


def _check_request(scope: Scope, host: str | None) -> Response | None:
    """A reply to who may not go on: by the local address, the host, the path, or who they are."""
    address, _ = scope.get("server") or ("127.0.0.1", None)
    if not _may_listen_on(address):
        return PlainTextResponse("Scrutineer answers on its own machine only.", 403)
    if not is_host_allowed(host):
        return PlainTextResponse(
            "Scrutineer is not known by this name: see server.allowedHosts.", 421
        )
    if scope["path"].rstrip("/").endswith(METRICS_PATH):
        return PlainTextResponse("Not found", 404)
    return door.refuse_origin(scope, host or "") or door.refuse_stranger(scope)


@lru_cache(maxsize=16)
def _may_listen_on(address: str) -> bool:
    """True for an address of this machine; for any if people log in or a setting allows it."""
    try:
        local = address == "localhost" or ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        local = False
    return local or door.requires_login() or load_settings().open_to_network is not None
