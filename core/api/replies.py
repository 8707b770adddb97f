"""Replies over HTTP: JSON in ASCII, errors with their status, events as they come."""

import json
from collections.abc import AsyncIterator, Generator
from typing import Any

from anyio import CancelScope, CapacityLimiter, to_thread
from pydantic_core import to_jsonable_python
from starlette.responses import Response

from core.agent import Event
from core.errors import LibraryError, ModelError, ScrutineerError, SettingsError

STATUS = {
    "no_token": 401,
    "no_access": 403,
    "off": 404,
    "not_found": 404,
    "nothing_in_scope": 404,
    "unknown_document": 404,
    "too_large": 413,
    "media_type": 415,
    "limit": 429,
    "empty_query": 400,
    "relation": 400,
}
"""Statuses by the code of an error."""
_UNUSABLE = (LibraryError, ModelError, SettingsError)
"""Errors of what stands behind a request: their status is 503, that of others 400."""
RUN_THREADS = CapacityLimiter(16)
"""Threads that wait for the next event of a run, apart from those that serve pages."""


class JsonReply(Response):
    """JSON in ASCII, as every command prints it: words of a document may hold any character."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(to_jsonable_python(content), ensure_ascii=True, allow_nan=False).encode()


def error_reply(error: ScrutineerError) -> JsonReply:
    """Return an error as every command prints it with `--json`, with its status."""
    status = STATUS.get(error.code, 503 if isinstance(error, _UNUSABLE) else 400)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JsonReply(error.as_json, status, headers)


async def stream_events(first: Event, events: Generator[Event, None, None]) -> AsyncIterator[bytes]:
    """Yield the events of a run as server-sent events; a run that nobody reads ends as stopped."""
    event: Event | None = first
    try:
        while event is not None:
            name, line = event.type, event.model_dump_json(ensure_ascii=True)
            yield f"id: {event.seq}\nevent: {name}\ndata: {line}\n\n".encode()
            event = await to_thread.run_sync(next, events, None, limiter=RUN_THREADS)
    except ScrutineerError as error:
        yield f"event: error\ndata: {json.dumps(error.as_json)}\n\n".encode()
    finally:
        with CancelScope(shield=True):
            await to_thread.run_sync(events.close, limiter=RUN_THREADS)
