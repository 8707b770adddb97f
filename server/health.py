"""The state of health: what a supervisor of the server asks for."""

import time
from functools import lru_cache
from threading import Lock
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.errors import ScrutineerError
from core.library import Library
from core.program import read_version
from core.settings import load_settings

HEALTH_SECONDS = 2.0
"""How long the state of the library is reused for further health checks."""


async def report_health(_request: Request) -> JSONResponse:
    """Readiness, version and the state of the library; nothing personal."""
    period = time.monotonic() // HEALTH_SECONDS

    def look() -> dict[str, Any]:
        with _library_lock:
            return _open_library(period)

    library = await run_in_threadpool(look)
    ready = library["state"] in ("ready", "empty")
    return JSONResponse(
        {"ready": ready, "version": read_version(), "library": library},
        status_code=200 if ready else 503,
        headers={"Cache-Control": "no-store"},
    )


_library_lock = Lock()


@lru_cache(maxsize=1)
def _open_library(_period: float) -> dict[str, Any]:
    try:
        documents = len(Library.open(load_settings()).list_every_document())
    except ScrutineerError as error:
        return {"state": error.code}
    return {"state": "ready" if documents else "empty", "documents": documents}
