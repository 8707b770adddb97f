"""Who may come in: where a request comes from, the address with a token, keys and sessions.

Without a login the address that is opened at the start holds a token. It, or a login, begins a
session, whose key a script keeps in the storage of the page's origin (`door.js`). A cookie goes to
every port of a host, so that none opens a session: Streamlit's says who has logged in and counts
with the key alone; the door's own, a hash of the key, shows images.
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
from starlette.datastructures import URL, Headers
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret, get_url
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import (
    AUTH_COOKIE_MAX_AGE_SECONDS,
    TOKENS_COOKIE_NAME,
    USER_COOKIE_NAME,
)

from core.chats import may_enter
from core.errors import SettingsError
from core.library import RuleAddress
from core.sessions import MAX_AGE, Session, Sessions
from core.settings import Settings, refresh_settings

TOKEN = secrets.token_urlsafe(24)
"""Of this start of the server: whoever has it comes in, if nobody logs in."""
UPLOAD_PATH = "/_stcore/upload_file/"
MEDIA_PATH = "/media/"
KEY_SCRIPT = Path(__file__).with_name("door.js").read_text(encoding="utf-8")
"""The Content-Security-Policy knows the script by its hash."""
_KEY_HEADER = "x-scrutineer-key"
_KEY_PLACE = 3  # among the subprotocols of a WebSocket; Streamlit reads those before
_DOOR_PATH = "/door"
NEWS_PATH = "/news"
FEED_ENDING, CHANGES_FEED = "/feed", "/changes/feed"
_CLOSED_PATHS = ("/_stcore/", MEDIA_PATH, NEWS_PATH)
_PUBLIC_PATHS = ("/_stcore/health", "/_stcore/host-config", "/_stcore/bidi-components/")
"""Among the closed ones: what tells nothing, and the scripts of the pages' own elements."""
_LOGOUT_PATH = "/auth/logout"
_ELSEWHERE = ("cross-site", "same-site")
_PAGE = (
    "<!doctype html><title>Scrutineer</title>"
    '<script data-key="{key}" data-path="{path}">{script}</script>'
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
        folder = refresh_settings().data_dir
    except SettingsError:  # the page shows it
        folder = Settings.model_fields["data_dir"].default
    return _sessions_in(folder.absolute() / "sessions")


_sessions_in = cache(Sessions)


def find_session(headers: Mapping[str, str]) -> Session | None:
    """The open session of a page, by the key in the headers of what it sends."""
    places = (*headers.get("sec-websocket-protocol", "").split(","), *[""] * _KEY_PLACE)
    key = headers.get(_KEY_HEADER) or places[_KEY_PLACE].strip()
    return open_sessions().find(_hash(key)) if key else None


def find_person(scope: Scope) -> str | None:
    """The key of the person whose page sends a request; None of a stranger."""
    session = find_session(Headers(scope=scope))
    if session is None or (requires_login() and not _is_known_person(scope, session)):
        return None
    return session.person


def entrance() -> str:
    """The address to open at the start, with the token if nobody logs in."""
    address = st.get_option("browser.serverAddress") or "localhost"
    url = get_url(address)
    return url if requires_login() else f"{url}/?token={TOKEN}"


def refuse_origin(scope: Scope, host: str) -> Response | None:
    """Return a refusal if the origin has another scheme, name or port than the address asked."""
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
    """A reply to who brings a token or a key, a refusal of who has not entered, or None.

    Streamlit's page is for everybody: it shows nothing without a WebSocket.
    """
    path, headers = _local_path(scope), Headers(scope=scope)
    if is_feed(scope):  # which asks for a token of its own
        return None
    if path == _DOOR_PATH:
        return _report_key(scope)
    token = HTTPConnection(scope).query_params.get("token")
    if token is not None and scope["type"] == "http" and not requires_login():
        if secrets.compare_digest(token.encode(), TOKEN.encode()):
            return _let_in(scope, "", _target(scope))
        return PlainTextResponse(_CLOSED, 403)
    if scope["type"] == "http" and not path.startswith(_CLOSED_PATHS):
        return None
    if path.startswith(_PUBLIC_PATHS):
        return None
    session = (
        _find_session_by_cookie(scope) if path.startswith(MEDIA_PATH) else find_session(headers)
    )
    if not requires_login():
        return None if session else PlainTextResponse(_CLOSED, 403)
    if path.startswith((UPLOAD_PATH, MEDIA_PATH)) and not _is_known_person(scope, session):
        adds = path.startswith(UPLOAD_PATH)
        return PlainTextResponse(
            f"Only people with access can {'add' if adds else 'see'} files.", 403
        )
    return None


def is_feed(scope: Scope) -> bool:
    """True for the address of a feed."""
    path = _local_path(scope)
    return path == CHANGES_FEED or (
        path.startswith(RuleAddress.PREFIX) and path.endswith(FEED_ENDING)
    )


def has_entered(headers: Headers) -> bool:
    """True for the headers of a page with an open session."""
    return find_session(headers) is not None


class Visit:
    """One request or WebSocket: its session, which may begin or end with it."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._sessions = open_sessions()  # once for each connection
        is_page = scope["type"] == "websocket"
        self._session = (
            find_session(Headers(scope=scope)) if is_page else _find_session_by_cookie(scope)
        )
        if requires_login() and not _belongs_to(self._session, scope):
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

    def begin_session(self, headers: Headers) -> Response | None:
        """Begin the session of who has just logged in, by the cookies of a reply.

        Returns the page that takes the place of the reply and keeps the key; its cookies stay.
        """
        if not requires_login():
            return None
        cookies_set: SimpleCookie = SimpleCookie()
        for line in headers.getlist("set-cookie"):
            cookies_set.load(line)
        claims = read_claims({name: m.value for name, m in cookies_set.items() if m.value})
        if not claims:
            return None
        page = _let_in(self._scope, person_id(claims), headers.get("location", "/"))
        for line in headers.getlist("set-cookie"):
            shorter = line.replace(f"Max-Age={AUTH_COOKIE_MAX_AGE_SECONDS}", f"Max-Age={MAX_AGE}")
            page.headers.append("set-cookie", shorter)
        return page


def read_claims(cookies: Mapping[str, str]) -> dict[str, Any]:
    """What the provider confirmed of who sent these cookies; nothing of a stranger."""
    secret = get_cookie_secret()
    cookie = get_cookie_with_chunks(
        lambda name: decode_signed_value(secret, name, cookies.get(name, "")), USER_COOKIE_NAME
    )
    claims = json.loads(cookie) if cookie else {}
    return claims if claims.get("is_logged_in") is True and claims.get("sub") else {}


def _is_known_person(scope: Scope, session: Session | None) -> bool:
    try:
        people = refresh_settings().people
    except SettingsError:  # the page shows it
        return False
    claims = read_claims(HTTPConnection(scope).cookies)
    return _belongs_to(session, scope) and has_access(claims, people)


def _belongs_to(session: Session | None, scope: Scope) -> bool:
    """True if the session is of the person that the cookies of a request name."""
    claims = read_claims(HTTPConnection(scope).cookies)
    return session is not None and bool(claims) and session.person == person_id(claims)


def _find_session_by_cookie(scope: Scope) -> Session | None:
    """The session of a browser by its cookie, which any port of this host may have got."""
    return open_sessions().find(HTTPConnection(scope).cookies.get(_cookie_name(), ""))


def _report_key(scope: Scope) -> Response:
    """Tell a page if its key is one, and have its browser keep the cookie, which ends with it.

    The status is 204 for a key, 200 before a login, and 403 without a token.
    """
    headers = Headers(scope=scope)
    session = find_session(headers)
    if session is None and not requires_login():
        return PlainTextResponse(_CLOSED, 403)
    reply = Response(status_code=204 if session else 200)
    if session:
        _set_image_cookie(reply, headers[_KEY_HEADER], scope)
    return reply


def _let_in(scope: Scope, person: str, path: str) -> Response:
    """Begin a session; return a page that keeps its key and goes on to a path of this server."""
    key = secrets.token_urlsafe(32)
    open_sessions().begin(_hash(key), person, Headers(scope=scope).get("user-agent", ""))
    page = _PAGE.format(key=key, path=html.escape(path), script=KEY_SCRIPT)
    response = HTMLResponse(page, headers={"Cache-Control": "no-store"})
    _set_image_cookie(response, key, scope)
    return response


def _set_image_cookie(response: Response, key: str, scope: Scope) -> None:
    """Set the cookie that shows images; it ends with the browser."""
    is_secure = scope["scheme"] == "https"
    response.set_cookie(
        _cookie_name(), _hash(key), httponly=True, samesite="strict", secure=is_secure
    )


def _hash(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def _target(scope: Scope) -> str:
    """The path and query of a request without the token, on this server."""
    url = URL(scope=scope).remove_query_params("token")
    return "/" + url.path.lstrip("/") + (f"?{url.query}" if url.query else "")


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
