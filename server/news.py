"""What is new for a page at rest: its script asks over HTTP, for which no script of a page runs."""

from collections.abc import Sequence
from hashlib import sha256

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from core.chats import RunState
from core.errors import ScrutineerError
from core.library import Library
from core.settings import refresh_settings
from server import door, shared


def describe_state(library: Library, runs: Sequence[RunState]) -> str:
    """Return a text that is another one once the documents or the runs of a chat have changed."""
    return sha256(repr((library.state, runs)).encode()).hexdigest()[:16]


async def report_news(request: Request) -> Response:
    """Return the state of a person's chat, as `describe_state` does, to a page that shows it."""
    person = door.find_person(request.scope)
    if person is None:
        return PlainTextResponse("Only people with access learn what is new.", 403)
    try:
        state = await run_in_threadpool(_read_state, person, request.query_params.get("chat", ""))
    except ScrutineerError as error:
        return PlainTextResponse(error.code, 503)
    return PlainTextResponse(state, headers={"Cache-Control": "no-store"})


def _read_state(person: str, chat_id: str) -> str:
    settings = refresh_settings()
    chats = shared.conversations(settings, person)
    return describe_state(shared.shared_library(settings), chats.list_run_states(chat_id))
