"""Who may come in: where a request comes from, the address with a token, cookies and sessions.

Without a login the address that is opened at the start holds a token, which becomes a cookie. With
one, Streamlit's cookie says who somebody is; here it counts while its session is open.
"""

import html
import json
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import URL, Headers, MutableHeaders
from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret, get_url
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import (
    TOKENS_COOKIE_NAME,
    USER_COOKIE_NAME,
)

from core.api import API_PATH
from core.chats import may_enter
from core.errors import SettingsError
from core.sessions import MAX_AGE, Session, Sessions
from core.settings import Settings, load_settings_if_changed

TOKEN = secrets.token_urlsafe(24)
"""Of this start of the server: whoever has it comes in, if nobody logs in."""
UPLOAD_PATH = "/_stcore/upload_file/"
MEDIA_PATH = "/media/"
_PUBLIC_PATHS = ("/healthz", "/_stcore/health", "/static/", "/favicon.png", f"{API_PATH}/")
"""Where everybody gets something, or nobody without a token of their own."""
_LOGOUT_PATH = "/auth/logout"
_ELSEWHERE = ("cross-site", "same-site")
_PAGE = (
    "<!doctype html><title>Scrutineer</title>"
    '<meta http-equiv="refresh" content="0;url={path}"><a href="{path}">Open Scrutineer</a>'
)
_CLOSED = (
    "Scrutineer opens by the address, with a token, that was printed when it was started:"
    " please use that one."
)


def requires_login() -> bool:
    """True if Streamlit's secrets named an identity provider at the first call in this folder.

    Secrets that are lost or broken later do not open the door.
    """
    return _find_provider(Path.cwd())


@cache  # not Streamlit's cache, which any visitor may clear
def _find_provider(folder: Path) -> bool:  # noqa: ARG001  (another folder has other secrets)
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def has_access(claims: Mapping[str, Any], people: Collection[str] | None) -> bool:
    """True if the confirmed e-mail address in the claims, or its domain, is among `people`.

    None means everybody who has logged in, no people nobody.
    """
    known = may_enter(str(claims.get("email") or ""), people)
    return known and (people is None or claims.get("email_verified") is True)


@dataclass(frozen=True, slots=True)
class Person:
    """`key` identifies a person without naming them; "" is the person at this machine."""

    key: str
    name: str


LOCAL_PERSON = Person("", "")


def current_person() -> Person | None:
    """Who uses the page; None before they have logged in. Their name may be unknown: ""."""
    if not requires_login():
        return LOCAL_PERSON
    claims = st.user.to_dict()
    if claims.get("is_logged_in") is not True or not claims.get("sub"):
        return None
    return Person(person_id(claims), str(claims.get("name") or claims.get("email") or ""))


def can_enter(person: Person, people: Collection[str] | None) -> bool:
    """True for the person at this machine, and for those who have access (`has_access`)."""
    return person == LOCAL_PERSON or has_access(st.user.to_dict(), people)


def list_providers() -> list[str]:
    """The names of the identity providers in Streamlit's secrets; "" is one without a name."""
    auth = st.secrets["auth"]
    named = [
        name for name, entry in auth.items() if isinstance(entry, Mapping) and "client_id" in entry
    ]
    return ["", *named] if "client_id" in auth else named


def person_id(claims: Mapping[str, Any]) -> str:
    """The key of a person: it identifies them without naming them."""
    # A subject is unique with its provider alone (OpenID Connect Core 1.0, section 2).
    return sha256(json.dumps([claims.get("iss"), claims["sub"]]).encode()).hexdigest()


def open_sessions() -> Sessions:
    """The sessions of this installation."""
    try:
        folder = load_settings_if_changed().data_dir
    except SettingsError:  # the page shows it
        folder = Settings.model_fields["data_dir"].default
    return _sessions_in(folder.absolute() / "sessions")


_sessions_in = cache(Sessions)


def find_session(cookies: Mapping[str, str]) -> Session | None:
    """The open session of who sent these cookies."""
    return open_sessions().find(_secret_of(cookies))


def entrance(token: bool = True) -> str:
    """The address to open at the start, with the token if nobody logs in."""
    address = st.get_option("browser.serverAddress") or "localhost"
    url = get_url(address)
    return f"{url}/?token={TOKEN}" if token and not requires_login() else url


def refuse_origin(scope: Scope, host: str) -> Response | None:
    """A refusal of what a page elsewhere sends: another scheme, name or port than it is sent to."""
    headers = Headers(scope=scope)
    origin, secure = headers.get("origin"), scope["scheme"] in ("https", "wss")
    own = {f"http{'s' * secure}://{host}".lower()}
    login = urlsplit(str(st.secrets["auth"].get("redirect_uri", "") if requires_login() else ""))
    if login.netloc == host:  # a proxy may bring HTTPS
        own.add(f"{login.scheme}://{host}".lower())
    is_foreign = origin is not None and origin.lower() not in own
    if scope["type"] == "websocket" and origin is None:  # every browser sends it
        is_foreign = True
    if headers.get("sec-fetch-site") in _ELSEWHERE:
        is_foreign |= headers.get("sec-fetch-mode") != "navigate"
    return PlainTextResponse("A page elsewhere may not do this.", 403) if is_foreign else None


def refuse_stranger(scope: Scope) -> Response | None:
    """A refusal of who has not entered, or the page that lets in who brings the token."""
    path = _local_path(scope)
    if path.startswith(_PUBLIC_PATHS):
        return None
    cookies = HTTPConnection(scope).cookies
    if requires_login():
        kept = (UPLOAD_PATH, MEDIA_PATH)
        if path.startswith(kept) and not _is_known_person(cookies):
            adds = path.startswith(UPLOAD_PATH)
            return PlainTextResponse(
                f"Only people with access can {'add' if adds else 'see'} files.", 403
            )
        return None
    token = HTTPConnection(scope).query_params.get("token")
    if scope["type"] == "http" and token is not None:
        if secrets.compare_digest(token.encode(), TOKEN.encode()):
            return _let_in(scope)
        return PlainTextResponse(_CLOSED, 403)
    if find_session(cookies):
        return None
    if Headers(scope=scope).get("sec-fetch-site") in _ELSEWHERE:
        # The cookie is not sent with a link from elsewhere: this page asks once more by itself.
        return HTMLResponse(_PAGE.format(path=html.escape(_target(scope))), 403)
    return PlainTextResponse(_CLOSED, 403)


def has_entered(headers: Headers) -> bool:
    """True for the headers of somebody with an open session."""
    return find_session(cookie_parser(headers.get("cookie", ""))) is not None


class Visit:
    """One request or WebSocket: its session, which may begin or end with it."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._cookies = HTTPConnection(scope).cookies
        self._sessions = open_sessions()  # once for each connection
        self._session = self._sessions.find(_secret_of(self._cookies))
        if requires_login() and self._session is None:
            _remove_cookies(scope, (USER_COOKIE_NAME, TOKENS_COOKIE_NAME))
        elif self._session and _local_path(scope) == _LOGOUT_PATH:
            self._sessions.end(self._session.session_id)

    @property
    def has_ended(self) -> bool:
        """True once its session has ended elsewhere, while it goes on."""
        return self._session is not None and not self._sessions.is_open(self._session.session_id)

    async def receive(self, receive: Receive, send: Send) -> Message:
        """The next message; a WebSocket is closed when its session has ended."""
        message = await receive()
        if message["type"] == "websocket.receive" and self.has_ended:
            await send({"type": "websocket.close", "code": 1008})
            return {"type": "websocket.disconnect", "code": 1008}
        return message

    def allows(self, message: Message) -> bool:
        """False for what a WebSocket would send after its session has ended."""
        return message["type"] != "websocket.send" or not self.has_ended

    def begin_session(self, headers: MutableHeaders) -> None:
        """Begin the session of who has just logged in, by the cookies of a reply."""
        if not requires_login():
            return
        cookies_set: SimpleCookie = SimpleCookie()
        for line in headers.getlist("set-cookie"):
            cookies_set.load(line)
        cookies = {name: morsel.value for name, morsel in cookies_set.items() if morsel.value}
        if claims := read_claims(cookies):
            browser = Headers(scope=self._scope).get("user-agent", "")
            self._sessions.begin(_secret_of(cookies), person_id(claims), browser)


def read_claims(cookies: Mapping[str, str]) -> dict[str, Any]:
    """What the provider confirmed of who sent these cookies; nothing of a stranger."""
    secret = get_cookie_secret()
    cookie = get_cookie_with_chunks(
        lambda name: decode_signed_value(secret, name, cookies.get(name, "")), USER_COOKIE_NAME
    )
    claims = json.loads(cookie) if cookie else {}
    return claims if claims.get("is_logged_in") is True and claims.get("sub") else {}


def _is_known_person(cookies: Mapping[str, str]) -> bool:
    claims = read_claims(cookies) if find_session(cookies) else {}
    try:
        return bool(claims) and has_access(claims, load_settings_if_changed().people)
    except SettingsError:  # the page shows it
        return False


def _let_in(scope: Scope) -> Response:
    """A page that goes on to the address without its token, and the cookie for it.

    It is a page and no redirect: a strict cookie is not sent with a redirect from elsewhere.
    """
    secret = secrets.token_urlsafe(32)
    browser = Headers(scope=scope).get("user-agent", "")
    open_sessions().begin(secret, "", browser)
    response = HTMLResponse(_PAGE.format(path=html.escape(_target(scope))))
    response.set_cookie(
        _cookie_name(),
        secret,
        max_age=MAX_AGE,
        httponly=True,
        samesite="strict",
        secure=scope["scheme"] == "https",
    )
    return response


def _target(scope: Scope) -> str:
    """The path and query of a request without the token, on this server."""
    url = URL(scope=scope).remove_query_params("token")
    return "/" + url.path.lstrip("/") + (f"?{url.query}" if url.query else "")


def _secret_of(cookies: Mapping[str, str]) -> str:
    """What the cookies of a browser hold that nobody else knows; "" without any."""
    if not requires_login():
        return cookies.get(_cookie_name(), "")
    names = (name for name in cookies if _is_part_of(name, USER_COOKIE_NAME))
    return "\n".join(f"{name}={cookies[name]}" for name in sorted(names))


def _cookie_name() -> str:
    """Cookies are for a name, not for a port: another Scrutineer may run beside this one."""
    return f"scrutineer_{st.get_option('server.port')}"


def _is_part_of(name: str, cookie: str) -> bool:
    """True for a cookie and the parts of a long one, not for one whose name begins alike."""
    return name == cookie or name.removeprefix(cookie).strip("_").isdigit()


def _remove_cookies(scope: Scope, unwanted: Iterable[str]) -> None:
    """Take cookies out of a request, in place."""
    kept = {
        name: value
        for name, value in HTTPConnection(scope).cookies.items()
        if not any(_is_part_of(name, each) for each in unwanted)
    }
    scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
    if kept:
        cookie = "; ".join(f"{name}={value}" for name, value in kept.items())
        scope["headers"].append((b"cookie", cookie.encode("latin-1")))


def _local_path(scope: Scope) -> str:
    """The path below the base that Streamlit is served at."""
    base = "/" + st.get_option("server.baseUrlPath").strip("/")
    path: str = scope["path"]
    return "/" + path.removeprefix(base).lstrip("/") if base != "/" else path
