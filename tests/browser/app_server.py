"""The app on a real server: started as by hand, on a free port, with its own data folder."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / "tests" / "artefacts"
BASE_PATH = "STREAMLIT_SERVER_BASE_URL_PATH"
WIDE = {"width": 1280, "height": 1000}
FAILED = pytest.StashKey[bool]()
"""True of a test that failed, for what is kept of its pages."""


def free_port() -> int:
    """A port that nobody listens on just now, below those that a system gives out by itself.

    Of these another server might be given the same one before ours has begun to listen.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


@contextmanager
def served(
    data: Path,
    script: Path = ROOT / "app.py",
    port: int = 0,
    program: tuple[str | Path, ...] = (sys.executable, "-m", "streamlit", "run"),
    **variables: str,
) -> Iterator[str]:
    """The address of the app, or of another script, served for as long as the context lasts.

    `program` serves the script; one that has its own is given without a script.
    """
    port = port or free_port()
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANTHROPIC_", "SCRUTINEER_"))
    }
    own = (script,) if "streamlit" in program else ()
    command = [*program, *own, "--server.headless=true"]
    told = data / "server.log"
    with told.open("w") as log:
        server = subprocess.Popen(
            [*command, f"--server.port={port}"],
            env=clean
            | {
                "SCRUTINEER_DATA_DIR": str(data / "library"),
                "PYTHONPATH": str(ROOT),
                "PYTHONFAULTHANDLER": "1",
            }
            | variables,
            stdout=log,
            stderr=log,
            cwd=ROOT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}{variables.get(BASE_PATH, '')}/_stcore/health", server)
            if token := printed_token(told):
                tokens[address] = token
            folders[address] = data / "library"
            yield address
        finally:
            _end(server, told)
        # By Ctrl+C, and whatever it made from the library just then, it ends without a complaint.
        assert script != ROOT / "app.py" or server.returncode == 0, told.read_text()


folders: dict[str, Path] = {}
"""The data folder of a server, by its address."""
tokens: dict[str, str] = {}
"""By the address of a server that nobody logs in to: what its own address ends with."""


def printed_token(log: Path) -> str:
    """The token that a server printed into its log, "" as long as there is none."""
    printed = re.search(r"\?token=(\S+)", log.read_text())
    return printed[1] if printed else ""


def enter(tab, address: str) -> None:
    """Open an address of a server, with the token that it printed when it was started."""
    server = "/".join(address.split("/")[:3])
    token, cookie = tokens.get(server), f"scrutineer_{server.rpartition(':')[2]}"
    if token is None or cookie in {held["name"] for held in tab.context.cookies(server)}:
        tab.goto(address)
        return
    with tab.expect_navigation(url=lambda url: "token=" not in url):
        tab.goto(f"{address}{'&' if '?' in address else '?'}token={token}")


def begin_session(address: str, browser: str = "Telephone") -> tuple[str, str]:
    """The key and the cookie that a server gives for its token; "" from one with a login."""
    token = tokens.get(address)
    if token is None:
        return "", ""
    request = urllib.request.Request(f"{address}/?token={token}", headers={"User-Agent": browser})
    with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
        return kept_key(reply.read().decode()), reply.headers["set-cookie"].partition(";")[0]


def kept_key(page: str) -> str:
    """The key that a page would have a browser keep."""
    found = re.search(r'data-key="([^"]+)"', page)
    assert found, page[:200]
    return found[1]


def _end(server: subprocess.Popen[bytes], log: Path) -> None:
    """End a server; of one that does not end in a minute tell where each of its threads stands."""
    server.send_signal(signal.SIGINT)
    try:
        server.wait(60)  # a loaded machine takes its time
        return
    except subprocess.TimeoutExpired:
        # Without the app's own limits uvicorn waits for who reads nothing, until it is told again.
        server.send_signal(signal.SIGINT)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.send_signal(signal.SIGABRT)
        server.wait()
        raise AssertionError(f"The server did not end:\n{log.read_text()}") from None


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=10).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(address)


def new_window(browser, **options):
    """A browser's window, 1280 pixels wide unless told, that waits for a loaded machine."""
    window = browser.new_context(**{"viewport": WIDE} | options)
    window.set_default_timeout(60_000)
    return window


def picture(page, name: str, wanted: bool = "PICTURES" in os.environ) -> None:
    """Keep what a page shows under tests/artefacts: with PICTURES=1, or of a test that failed."""
    if wanted:
        ARTEFACTS.mkdir(exist_ok=True)
        page.screenshot(path=ARTEFACTS / f"{name}.png")
