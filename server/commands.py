"""Commands of a shell on the same data folder, run here, where all is imported.

Whoever may read the data folder finds address and secret there: the account that it belongs to.
"""

import asyncio
import json
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from threading import Event
from typing import Any

import streamlit as st
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from core.atomic_files import write_atomically
from core.cli import ADDRESS_FILE, run_for_client, sign_program
from core.errors import SettingsError
from core.program import describe_program
from core.settings import load_settings, refresh_settings

COMMAND_PATH = "/command"
_SECRET = secrets.token_urlsafe(32)
_THREADS = CapacityLimiter(8)
"""Commands at a time; others wait."""


def publish_address() -> None:
    """Write where this server listens, and its secret, into the data folder."""
    if st.get_option("server.sslCertFile"):  # certificates are not for the name of this machine
        return
    describe_program()  # as it was loaded: its files may be replaced while it runs
    base = st.get_option("server.baseUrlPath").strip("/")
    address = {
        "process": os.getpid(),
        "host": st.get_option("server.address") or "127.0.0.1",
        "port": st.get_option("server.port"),
        "path": f"/{base}{COMMAND_PATH}" if base else COMMAND_PATH,
        "secret": _SECRET,
    }
    with suppress(OSError, SettingsError):  # commands run by themselves
        folder = load_settings().data_dir
        if any(folder.iterdir()):  # a backup is restored into an empty folder alone
            write_atomically(folder / ADDRESS_FILE, json.dumps(address).encode())


def withdraw_address() -> None:
    """Remove the address, unless another server has written its own since."""
    with suppress(OSError, SettingsError, ValueError, KeyError):
        file = load_settings().data_dir / ADDRESS_FILE
        if json.loads(file.read_bytes())["process"] == os.getpid():
            file.unlink()


async def run_command(request: Request) -> Response:
    """Reply with what a command prints, as it does so, then its exit status: a line of JSON each.

    409 tells a program of another version, or with other settings, to run it by itself.
    """
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer" or not secrets.compare_digest(secret.encode(), _SECRET.encode()):
        return PlainTextResponse("Not found", 404)
    asked = await request.json()
    if asked["program"] != sign_program(refresh_settings(), _SECRET):
        return PlainTextResponse("Another program, or other settings.", 409)
    return StreamingResponse(_stream_output(asked), media_type="application/x-ndjson")


async def _stream_output(asked: dict[str, Any]) -> AsyncIterator[bytes]:
    """Yield what a command prints; it is interrupted where nobody reads it any longer."""
    loop, has_gone = asyncio.get_running_loop(), Event()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def write(name: str, text: str) -> None:
        if has_gone.is_set():
            raise KeyboardInterrupt
        line = json.dumps([name, text]).encode() + b"\n"
        loop.call_soon_threadsafe(lines.put_nowait, line)

    def run() -> None:
        try:
            with suppress(KeyboardInterrupt):
                run_for_client(asked, write)
        finally:
            loop.call_soon_threadsafe(lines.put_nowait, None)

    running = asyncio.create_task(to_thread.run_sync(run, limiter=_THREADS))
    try:
        while (line := await lines.get()) is not None:
            yield line
        await running
    finally:
        has_gone.set()
