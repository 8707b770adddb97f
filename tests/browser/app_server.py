"""The app on a real server: started as by hand, on a free port, with its own data folder."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / "tests" / "artefacts"
WIDE = {"width": 1280, "height": 1000}


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def served(
    data: Path, script: Path = ROOT / "app.py", port: int = 0, **variables: str
) -> Iterator[str]:
    """The address of the app, or of another script, served for as long as the context lasts."""
    port = port or free_port()
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANTHROPIC_", "SCRUTINEER_"))
    }
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true"]
    with (data / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, f"--server.port={port}"],
            env=clean
            | {"SCRUTINEER_DATA_DIR": str(data / "library"), "PYTHONPATH": str(ROOT)}
            | variables,
            stdout=log,
            stderr=log,
            cwd=ROOT,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(10)


def _wait_for(address: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(address, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(address)


def picture(page, name: str) -> None:
    """Keep what a page shows under tests/artefacts."""
    ARTEFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png")
