"""Who may come in by a token, and how much of the server one person may hold at once."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from core.api.replies import error_reply
from core.api.shared import Shared
from core.chats import Conversations, Token, may_enter, quota_from_settings
from core.errors import LibraryError, ScrutineerError

REQUESTS_AT_A_TIME = 8
"""Requests of one person that are worked on at once; questions have a limit of their own."""
_CALLER = "scrutineer.caller"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: their token, their chats with their limits, and what all share."""

    token: Token
    chats: Conversations
    shared: Shared


def caller_of(connection: HTTPConnection) -> Caller:
    """Return who sends a request that `TokenMiddleware` let in."""
    caller: Caller = connection.scope[_CALLER]
    return caller


class TokenMiddleware:
    """ASGI middleware: lets in who brings a token, as the person whom it was made for.

    While there is no token at all, what is behind it is not there.
    """

    def __init__(self, app: ASGIApp, load: Callable[[], Shared]) -> None:
        self._app, self._load = app, load
        self._working: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        try:
            caller = await run_in_threadpool(self._admit, Headers(scope=scope))
        except ScrutineerError as error:
            return await error_reply(error)(scope, receive, send)
        person = caller.token.person
        if self._working[person] >= REQUESTS_AT_A_TIME:
            message = f"{REQUESTS_AT_A_TIME} of your requests are being worked on: wait for one."
            busy = error_reply(LibraryError(message, code="limit"))
            return await busy(scope, receive, send)
        self._working[person] += 1
        try:
            return await self._app({**scope, _CALLER: caller}, receive, send)
        finally:
            self._working[person] -= 1

    def _admit(self, headers: Headers) -> Caller:
        """Return who brings a token. Raises LibraryError `off`, `no_token`, `no_access`."""
        shared = self._load()
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        token = shared.tokens.find_token(secret.strip()) if scheme.lower() == "bearer" else None
        if token is None and not shared.tokens.list_tokens():
            raise LibraryError("There is nothing here.", code="off")
        if token is None:
            message = "Send a token: Authorization: Bearer scrutineer_..."
            raise LibraryError(message, code="no_token")
        if not may_enter(token.name, shared.settings.people):
            message = "The person of this token is not among those whom Scrutineer lets in."
            raise LibraryError(message, code="no_access")
        quota = quota_from_settings(shared.settings)
        return Caller(token, shared.chats.for_person(token.person, quota), shared)
