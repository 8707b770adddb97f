"""A running server of the same data folder, which runs a command without importing for seconds.

The server writes where it listens into a file that only its account can read, with a secret that
it asks for. A command whose program or settings differ from the server's runs by itself.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from core.cli import output
from core.errors import SettingsError
from core.processes import find_process
from core.program import describe_program

if TYPE_CHECKING:
    from core.settings import Settings

ADDRESS_FILE = "server.json"
_SECONDS_TO_REPLY = 15
"""A server replies before it runs a command. A busy one is waited for: nothing is asked twice."""


def sign_program(settings: "Settings", secret: str) -> str:
    """Return a text that is equal for programs of one kind with equal settings, keys included."""
    folder = settings.data_dir.absolute()
    described = settings.model_copy(update={"data_dir": folder})
    parts = secret, describe_program(), described, settings.secrets, os.environ.get("TZ")
    return sha256(repr(parts).encode()).hexdigest()


def ask_server(name: str, arguments: dict[str, Any]) -> int | None:
    """Have a server run a command, and print what it prints; return its exit status.

    None, and nothing is printed, where no server runs that would do the same.
    """
    from http.client import HTTPConnection, HTTPException

    from core.settings import load_settings

    try:
        settings = load_settings()
        if settings.library_url or settings.database_url:  # keys of stores are in no setting
            return None
        address = json.loads((settings.data_dir / ADDRESS_FILE).read_bytes())
        secret = str(address["secret"])
        if find_process(int(address["process"])) != "own":
            return None
        asked = {"name": name, "arguments": arguments, "terminals": output.describe_terminals()}
        asked["program"] = sign_program(settings, secret)
        connection = HTTPConnection(address["host"], int(address["port"]), _SECONDS_TO_REPLY)
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        connection.request("POST", address["path"], json.dumps(asked), headers)
        socket, reply = connection.sock, connection.getresponse()
    except (OSError, HTTPException, ValueError, KeyError, TypeError, SettingsError):
        return None
    if reply.status != 200:
        return None
    socket.settimeout(None)  # a model may think for minutes
    for place, said in _read_lines(reply):
        if place == "status":
            return int(said)
        stream = sys.stdout if place == "out" else sys.stderr
        stream.write(said)
        stream.flush()
    message = "The server did not finish this; its log may say why. Run it again."
    output.err.print(message, style="red")
    return 1


def _read_lines(reply: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Yield the pairs that a server sends, as far as they come."""
    from http.client import HTTPException

    with suppress(OSError, HTTPException, ValueError):  # cut off, also in a line
        for line in reply:
            place, said = json.loads(line)
            yield place, said
