"""The browsers that were let in: each has a session on the server, which ends there.

A session is a small file, named by the hash of a secret that the browser proves: whoever reads the
files cannot enter by them, and what was copied ends with its session.
"""

import json
import os
import time
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

from core.atomic_files import write_atomically

MAX_AGE = 7 * 86_400
"""Seconds after which a session ends by itself. Each start prints an address that begins one."""
_LONGEST_NAME = 200  # characters of what a browser calls itself


@dataclass(frozen=True, slots=True)
class Session:
    """`person` is whose it is, `started` seconds since 1970, `browser` what it calls itself."""

    session_id: str
    person: str
    started: float
    browser: str


class Sessions:
    """The sessions of one folder. Where nothing can be written, they end with the process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unwritten: dict[str, Session] = {}

    def begin(self, secret: str, person: str, browser: str) -> None:
        """Keep a session for whoever knows the secret."""
        session = Session(_hash(secret), person, time.time(), browser[:_LONGEST_NAME])
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomically(self._path(session.session_id), json.dumps(asdict(session)).encode())
        except OSError:
            self._unwritten[session.session_id] = session

    def find(self, secret: str) -> Session | None:
        """The session of a secret, None if there is none or it has ended."""
        return self._load_session(_hash(secret)) if secret else None

    def list_sessions(self, person: str) -> list[Session]:
        """The sessions of a person, latest first."""
        stored = filter(
            None, (self._load_session(path.stem) for path in self._folder.glob("*.json"))
        )
        every = chain(self._unwritten.values(), stored)
        own = [session for session in every if session.person == person]
        return sorted(own, key=lambda session: session.started, reverse=True)

    def end(self, session_id: str) -> None:
        """End a session, whoever may still hold its key."""
        self._unwritten.pop(session_id, None)
        self._path(session_id).unlink(missing_ok=True)

    def is_open(self, session_id: str) -> bool:
        # Asked for each message of a page; a Path would take three times as long.
        return session_id in self._unwritten or os.path.exists(f"{self._folder}/{session_id}.json")

    def _load_session(self, session_id: str) -> Session | None:
        session = self._unwritten.get(session_id)
        if session is None:
            try:
                session = Session(**json.loads(self._path(session_id).read_bytes()))
            except (OSError, ValueError, TypeError):
                return None
        if time.time() - session.started <= MAX_AGE:
            return session
        self.end(session_id)
        return None

    def _path(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.json"


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
