"""The list of documents as a program last made it, kept as a file.

Reading it from the index takes an import of LanceDB, which is over a second.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.atomic_files import write_atomically
from core.library.storage.checksums import describe_file
from core.program import describe_program

Rows = list[dict[str, Any]]
_FILE = Path("derived", "documents.json")


def obtain_document_rows(folder: Path, make: Callable[[], Rows]) -> Rows:
    """Return what `make` makes of the documents of a library in a folder, made once for a state.

    The state is that of all files of the table of documents, of the notes' names and of this
    program. So a library that was changed, damaged or interrupted is looked at by `make`.
    """
    path, state = folder / _FILE, _describe_state(folder)
    with suppress(OSError, ValueError):
        digest, _, body = path.read_bytes().partition(b"\n")
        if digest == _digest(state, body):
            kept: Rows = json.loads(body)
            return kept
    rows = make()
    if rows and state == _describe_state(folder):  # nobody wrote meanwhile
        body = json.dumps(rows).encode()
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            write_atomically(path, _digest(state, body) + b"\n" + body)
    return rows


def _describe_state(folder: Path) -> str:
    notes = sorted(path.name for path in (folder / "files").glob("*.json"))
    table = sorted((folder / "index" / "documents.lance").rglob("*"))
    stamps: list[tuple[str, str]] = []
    for path in table:
        with suppress(FileNotFoundError):  # an old version, which its writer removes
            stamps.append((path.name, describe_file(path)))
    return repr((describe_program(), notes, stamps))


def _digest(state: str, body: bytes) -> bytes:
    return sha256(state.encode() + body).hexdigest().encode()
