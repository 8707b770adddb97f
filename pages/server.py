"""What stands around every page: who may connect, the headers that each answer carries, and the state of health.

It draws nothing. `app.py` hangs it around the pages; `.streamlit/config.toml` holds what Streamlit itself checks.
"""

import ipaddress
import json
import re
import time
import tomllib
from base64 import b64encode
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import streamlit as st
import streamlit.config
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from core.errors import ScrutineerError, SettingsError
from core.library import Library
from core.logs import log_failure
from core.settings import load_settings

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
"""What a page may load and do: its own server's things, and nothing of anybody else's."""
HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-DNS-Prefetch-Control": "off",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
}
PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
METRICS_PATH = "/_stcore/metrics"
UPLOAD_PATH = "/_stcore/upload_file/"
HEALTH_SECONDS = 2.0
"""How long a look at the library is good for: asking after health often costs nothing more."""

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
_AUTHORITY = re.compile(r"[\w.-]+(:\d+)?|\[[\da-f:]+\](:\d+)?", re.I)


class SecurityMiddleware:
    """ASGI middleware: turns away who may not connect, and gives every answer its headers.

    Without `policy` the Content-Security-Policy is left out, so that what the pages do without it can be tested.
    """

    def __init__(self, app: ASGIApp, policy: bool = True) -> None:
        self._app = app
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        host = Headers(scope=scope).get("host")

        async def sending(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if self._policy:
                    headers["Content-Security-Policy"] = _policy(host or "")
            await send(message)

        if refused := _refused(scope, host):
            return await refused(scope, receive, sending)
        return await self._app(scope, receive, sending)


def check_address() -> None:
    """End the start, with a sentence, where it would open Scrutineer to the network without a login or a word on it."""
    address = st.get_option("server.address") or "all addresses"
    try:
        allowed = _may_listen_on(address)
    except SettingsError as error:
        raise SystemExit(error.message) from error
    if not allowed:
        raise SystemExit(
            f"Scrutineer does not start: it would listen on {address} and has no login, so that whoever reaches this"
            " machine could read its chats and spend its money. Configure a login (see README.md), or say that you mean"
            ' it with SCRUTINEER_OPEN_TO_NETWORK="without login".'
        )


def limit_uploads() -> None:
    """Let the server itself take files as large as the setting says, and no larger: a script asks no uploader."""
    with suppress(SettingsError):  # the pages say what is wrong with them
        streamlit.config.set_option("server.maxUploadSize", load_settings().max_upload_mb)


def requires_login() -> bool:
    """True where Streamlit's secrets named an identity provider when this was asked first.

    Secrets that get lost or broken later do not open the door.
    """
    return _login_required(Path.cwd())


@cache  # not Streamlit's, which any visitor may have emptied
def _login_required(folder: Path) -> bool:  # noqa: ARG001  (another folder has other secrets)
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def has_access(claims: Mapping[str, Any], people: Collection[str]) -> bool:
    """True where somebody who has logged in is among the people, by what the provider tells; none are everybody."""
    email = str(claims.get("email") or "").casefold()
    named = {entry.strip().casefold() for entry in people}
    confirmed = claims.get("email_verified") is True
    return not named or (
        confirmed and not named.isdisjoint((email, f"@{email.rpartition('@')[2]}"))
    )


def report_script_error(error: Exception) -> bool:
    """Log an error that is none of ours, and say on the page that there was one."""
    log_failure(error)
    st.error(
        "Something failed in Scrutineer itself. It has been noted in the log; go back or ask again."
    )
    return True


async def report_health(_request: Request) -> JSONResponse:
    """Ready or not, the version, and the state of the library; nothing that is anybody's."""
    library = await run_in_threadpool(_library_state, time.monotonic() // HEALTH_SECONDS)
    ready = library["state"] in ("ready", "empty")
    return JSONResponse(
        {"ready": ready, "version": _version(), "library": library},
        status_code=200 if ready else 503,
        headers={"Cache-Control": "no-store"},
    )


@lru_cache(maxsize=1)
def _version() -> str:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    return str(project["version"])


_looking = Lock()


def _library_state(moment: float) -> dict[str, Any]:
    with _looking:
        return _looked_up(moment)


@lru_cache(maxsize=1)
def _looked_up(_moment: float) -> dict[str, Any]:
    try:
        held = len(Library(load_settings().data_dir.absolute()).documents())
    except ScrutineerError as error:
        return {"state": error.code}
    return {"state": "ready" if held else "empty", "documents": held}


def _refused(scope: Scope, host: str | None) -> PlainTextResponse | None:
    """The answer to one who may not connect: by the machine's address, by the name asked for, by what is asked for."""
    own, _ = scope.get("server") or ("127.0.0.1", None)
    if not _may_listen_on(own):
        return PlainTextResponse("Scrutineer answers on its own machine only.", 403)
    if not is_host_allowed(host):
        return PlainTextResponse(
            "Scrutineer is not known by this name: see server.allowedHosts.", 421
        )
    if scope["path"].rstrip("/").endswith(METRICS_PATH):
        return PlainTextResponse("Not found", 404)
    if UPLOAD_PATH in scope["path"] and requires_login() and not _may_upload(scope):
        return PlainTextResponse("Only who may enter can add files.", 403)
    return None


def _may_upload(scope: Scope) -> bool:
    """True for the cookie of somebody who may enter: files are held in memory before a page is asked about them."""
    cookies, secret = HTTPConnection(scope).cookies, get_cookie_secret()

    def signed(name: str) -> bytes | None:
        return decode_signed_value(secret, name, cookies.get(name, ""))

    told = get_cookie_with_chunks(signed, USER_COOKIE_NAME)
    claims = json.loads(told) if told else {}
    try:
        return claims.get("is_logged_in") is True and has_access(claims, load_settings().people)
    except SettingsError:  # the page says what is wrong with them
        return False


@lru_cache(maxsize=16)
def _may_listen_on(address: str) -> bool:
    """True for an address of this machine only, and for any where people log in or a setting opens the door."""
    return _loopback(address) or requires_login() or load_settings().open_to_network is not None


def _loopback(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def _policy(host: str) -> str:
    own = {}
    if _AUTHORITY.fullmatch(
        host
    ):  # not every browser takes 'self' for the WebSocket of the same address
        own["connect-src"] = f"'self' ws://{host} wss://{host}"
    directives = {**POLICY, "script-src": f"{POLICY['script-src']} {_own_inline_scripts()}", **own}
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


@lru_cache(maxsize=1)
def _own_inline_scripts() -> str:
    """The hashes of the scripts that stand in Streamlit's own page."""
    page = Path(st.__file__).with_name("static") / "index.html"
    scripts = _INLINE_SCRIPT.findall(page.read_text(encoding="utf-8"))
    return " ".join(
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
