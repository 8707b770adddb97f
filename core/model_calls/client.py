"""The client of the Messages API: its time limits, its retries, the certificates it trusts."""

import os
import ssl
import time
from collections.abc import Iterator
from functools import lru_cache

import anthropic
import httpx2

from core.errors import SettingsError
from core.settings import Settings

ANTHROPIC_URL = "https://api.anthropic.com"
CONNECT_TIMEOUT = 10.0
"""Seconds."""
MAX_RETRY_WAIT = 30.0
"""Seconds. There is no retry for a server that asks for a longer wait; some ask for weeks."""


def make_client(settings: Settings) -> anthropic.Anthropic:
    """Make a client as the settings ask for. Close it, or keep it as long as the program runs.

    It retries what fails before a reply begins. It follows no redirect, which would send the
    conversation elsewhere. Raises SettingsError where the environment prevents a client.
    """
    connect = min(CONNECT_TIMEOUT, settings.request_timeout)
    timeout = anthropic.Timeout(settings.request_timeout, connect=connect)

    def limit_response(response: httpx2.Response) -> None:
        wait = response.headers.get("retry-after")
        if wait is not None and not (wait.strip().isdigit() and int(wait) <= MAX_RETRY_WAIT):
            response.headers["x-should-retry"] = "false"
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _TimeLimitedStream(response.stream, settings.call_seconds)

    try:
        http = anthropic.DefaultHttpxClient(
            verify=_load_certificates(os.getenv("SSL_CERT_FILE"), os.getenv("SSL_CERT_DIR")),
            follow_redirects=False,
            timeout=timeout,
            event_hooks={"response": [limit_response]},
        )
    except (OSError, ValueError, ImportError) as error:
        message = f"No connection to a model can be made: {error}."
        hint = "Look at SSL_CERT_FILE and the settings of a proxy."
        raise SettingsError(f"{message} {hint}") from error
    key = settings.anthropic_api_key
    return anthropic.Anthropic(
        api_key=key.get_secret_value() if key else "none",
        base_url=settings.anthropic_base_url or ANTHROPIC_URL,
        timeout=timeout,
        max_retries=2,
        http_client=http,
    )


@lru_cache(maxsize=1)
def _load_certificates(*_places: str | None) -> ssl.SSLContext:
    """Return the trusted certificates: loading them takes 30 ms, so that all clients share them.

    `_places` is where the environment says they are.
    """
    return httpx2.create_ssl_context()


class _TimeLimitedStream(httpx2.SyncByteStream):
    """A body that must arrive within some seconds; the client's own limit is for each read."""

    def __init__(self, stream: httpx2.SyncByteStream, seconds: float) -> None:
        self._stream = stream
        self._until = time.monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the reply took too long")
            yield chunk

    def close(self) -> None:
        self._stream.close()
