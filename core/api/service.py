"""The service over HTTP: routes below a path with its version, which take tokens alone.

Who may come in by a token, and how much of the server one person may hold at once.
"""

import json
from asyncio import create_task
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial, wraps
from threading import Event
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from core.api.openapi import FILE, MAX_PARAMETER, describe_api
from core.api.replies import RUN_THREADS, JsonReply, error_reply, stream_events
from core.api.requests import OPERATIONS, ApiRequest, AskRequest
from core.api.shared import Shared, SharedLoader
from core.chats import Conversations, Quota, Token, may_enter
from core.errors import LibraryError, ScrutineerError

REQUESTS_AT_A_TIME = 8
"""Requests of one person that are worked on at once; questions have a limit of their own."""
_CALLER = "scrutineer.caller"
API_PATH = "/api/v1"
MAX_BODY = 4 << 20
"""Bytes of a request: the longest text, with every letter escaped in JSON as it often is."""
_LOOKUP_THREADS = CapacityLimiter(4)
"""Threads that look rules up, apart from those that serve pages."""
Handler = Callable[[Request], Awaitable[Response]]


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
        if token is None and not shared.tokens.list_tokens("programs"):
            raise LibraryError("There is nothing here.", code="off")
        if token is None:
            message = "Send a token: Authorization: Bearer scrutineer_..."
            raise LibraryError(message, code="no_token")
        if not may_enter(token.name, shared.settings.people):
            message = "The person of this token is not among those whom Scrutineer lets in."
            raise LibraryError(message, code="no_access")
        quota = Quota.from_settings(shared.settings)
        return Caller(token, shared.chats.for_person(token.person, quota), shared)


def make_api(path: str = API_PATH) -> Mount:
    """Return the route of the service below a path; without a token there is nothing."""
    routes = [
        Route(f"/{operation.path}", _endpoint(operation), methods=[operation.method])
        for operation in OPERATIONS
    ]
    routes.append(Route("/ask", _answer_errors(_ask), methods=["POST"]))
    routes.append(Route("/openapi.json", _answer_errors(_send_description), methods=["GET"]))
    router = Router(routes, redirect_slashes=False, default=_reply_not_found)
    return Mount(path, TokenMiddleware(router, SharedLoader()))


def _answer_errors(handler: Handler) -> Handler:
    """Return a handler that replies with the errors of this program."""

    @wraps(handler)
    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except ScrutineerError as error:
            return error_reply(error)

    return handle


def _endpoint(operation: type[ApiRequest]) -> Handler:
    async def handle(request: Request) -> Response:
        if operation.method == "POST":
            asked = operation.parse(await _read_body(request), strict=True)
        else:
            asked = operation.parse(_read_query(request))
        has_gone = Event()
        watch = create_task(_watch_sender(request, has_gone))
        try:
            shared = caller_of(request).shared
            answer = partial(asked.serve, shared, has_gone.is_set)
            reply = await to_thread.run_sync(answer, limiter=_LOOKUP_THREADS)
            return (
                Response(reply, media_type=FILE) if isinstance(reply, bytes) else JsonReply(reply)
            )
        finally:
            watch.cancel()

    return _answer_errors(handle)


async def _watch_sender(request: Request, has_gone: Event) -> None:
    """Set an event when the sender of a request has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    has_gone.set()


async def _ask(request: Request) -> Response:
    """Reply with the events of a run as they come; with an error where it does not begin."""
    caller = caller_of(request)
    asked = AskRequest.parse(await _read_body(request), strict=True)
    shared = caller.shared

    def start_run() -> Any:
        events = asked.events(shared.agent, shared.settings, caller.chats)
        return next(events), events

    first, events = await to_thread.run_sync(start_run, limiter=RUN_THREADS)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(
        stream_events(first, events), media_type="text/event-stream", headers=headers
    )


async def _send_description(request: Request) -> Response:
    return JsonReply(describe_api() | {"servers": [{"url": request.scope["root_path"]}]})


async def _reply_not_found(scope: Scope, receive: Receive, send: Send) -> None:
    error = ScrutineerError("There is nothing here.", code="not_found")
    await error_reply(error)(scope, receive, send)


def _read_query(request: Request) -> dict[str, Any]:
    """Return the parameters of a request, each short and there once. Raises ScrutineerError."""
    pairs = request.query_params.multi_items()
    if any(len(value) > MAX_PARAMETER for _, value in pairs):
        message = f"A parameter has at most {MAX_PARAMETER} characters."
        raise ScrutineerError(message, code="bad_request")
    if len(dict(pairs)) < len(pairs):
        raise ScrutineerError("A parameter is there twice.", code="bad_request")
    return dict(pairs)


async def _read_body(request: Request) -> dict[str, Any]:
    """Return the JSON object that a request brings. Raises ScrutineerError."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ScrutineerError("Send Content-Type: application/json.", code="media_type")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            message = f"A request has at most {MAX_BODY >> 20} MB: send less of the text."
            raise ScrutineerError(message, code="too_large")
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ScrutineerError("The body is not JSON.", code="bad_request") from error
    if not isinstance(raw, dict):
        raise ScrutineerError("The body is not a JSON object.", code="bad_request")
    return raw
