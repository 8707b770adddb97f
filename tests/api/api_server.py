"""The service over HTTP on a free port of this process, and a program that asks it."""

import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
import uvicorn
from starlette.applications import Starlette

from core.api import make_api
from core.settings import Settings
from tests.browser.app_server import free_port
from tests.patience import PATIENCE


def use_folder(environment: pytest.MonkeyPatch, folder: Path, **variables: str) -> Settings:
    """Settings of a folder alone: nothing of the person's who runs the tests."""
    for name in os.environ:
        if name.startswith(("ANTHROPIC_", "SCRUTINEER_")):
            environment.delenv(name)
    environment.chdir(folder)
    given = {
        "DATA_DIR": str(folder / "data"),
        "SEARCH_MODE": "lexical",
        "LOG_LEVEL": "ERROR",
    } | variables
    for name, value in given.items():
        environment.setenv(f"SCRUTINEER_{name}", value)
    return Settings()


@contextmanager
def served_api() -> Iterator[str]:
    """The address of the service, with the settings of the environment."""
    port = free_port()
    config = uvicorn.Config(Starlette(routes=[make_api()]), port=port, log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}/api/v1"
    finally:  # or the process of a test that fails never ends
        server.should_exit = True
        thread.join()


class Program:
    """Asks the service at an address with a token; `name` is whose it is."""

    def __init__(self, address: str, token: str = "", name: str = "") -> None:
        self._address, self.name = address, name
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **parameters):
        """Status and JSON of a reply, or its bytes."""
        return self._send(f"{path}?{urlencode(parameters)}", None)

    def post(
        self, path: str, data: object, kind: str = "application/json", patience: float = PATIENCE
    ):
        """Status and JSON of the reply to a body; bytes go as they are."""
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        return self._send(path, body, {"Content-Type": kind}, patience)

    def ask(self, question: str, **options):
        """The lines of data of the events that answer a question."""
        status, body = self.post("ask", {"question": question, **options})
        assert status == 200, body
        return [line.removeprefix("data: ") for line in body.splitlines() if line[:5] == "data:"]

    def _send(self, path, body, headers=(), patience=PATIENCE):
        request = urllib.request.Request(
            f"{self._address}/{path}", body, {**self._headers, **dict(headers)}
        )
        try:
            with urllib.request.urlopen(request, timeout=patience) as reply:
                kind, content = reply.headers["content-type"], reply.read()
                if kind == "application/octet-stream":
                    return reply.status, content
                is_json = kind == "application/json"
                return reply.status, json.loads(content) if is_json else content.decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())
