"""The log: a JSON object a line in the data folder, turned over when it is full. It says what happened, no more.

Text of documents is written on level DEBUG alone, and a key on none.
"""

import json
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from threading import Lock
from typing import TextIO
from urllib.parse import quote, unquote

from core.settings import MIN_KEY_LENGTH, Settings

LOGGER_NAME = "scrutineer"
"""The logger of the program's own modules."""
MAX_LOG_BYTES = 1_000_000
"""Bytes of one file."""
KEPT_LOG_FILES = 5
"""Full files that are kept beside the one that is written."""
REDACTED = "(key)"
MAX_HIDDEN_KEYS = 200
"""Keys of sessions that are hidden, those that were in use last."""

_starting = Lock()


def start_log(settings: Settings) -> None:
    """Write what is logged from here on to `logs/scrutineer.log` in the data folder, and to standard error as text.

    Called again it only learns what else must not stand there: a key that was entered for one session. From any
    thread. Where the folder cannot be written, standard error is all there is.
    """
    with _starting:
        hiding = [
            handler.formatter
            for handler in logging.getLogger().handlers
            if handler.name == LOGGER_NAME
        ]
        for formatter in hiding:
            if isinstance(formatter, _Hiding):
                formatter.add_secrets(settings.secrets)
        if not hiding:
            _start(settings)


def _start(settings: Settings) -> None:
    root, own = logging.getLogger(), logging.getLogger(LOGGER_NAME)
    log_to_stderr(settings, settings.log_level, "%(asctime)s %(levelname)s %(message)s")
    folder = settings.data_dir.absolute() / "logs"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = _Log(
            folder / "scrutineer.log",
            maxBytes=MAX_LOG_BYTES,
            backupCount=KEPT_LOG_FILES,
            encoding="utf-8",
        )
    except OSError as error:
        own.warning("there is no log file: %s", error.strerror)
        return
    file.set_name(LOGGER_NAME)
    file.setFormatter(_Lines(settings.secrets))
    root.addHandler(file)


def log_to_stderr(settings: Settings, level: str, line_format: str = "%(message)s") -> None:
    """Write what the program's own modules log from `level` on, and the warnings of others, to standard error."""
    screen = _Screen()
    screen.set_name(LOGGER_NAME)
    screen.setFormatter(_Hiding(settings.secrets, line_format))
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if handler.name == LOGGER_NAME]:
        root.removeHandler(handler)
        handler.close()
    root.addHandler(screen)
    logging.getLogger(LOGGER_NAME).setLevel(level)


def log_failure(error: BaseException, what: str = "a page") -> None:
    """Log where something failed that should not have: the kind of error and its way, its words on DEBUG alone."""
    way = [
        f"{Path(frame.filename).name}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    own = logging.getLogger(LOGGER_NAME)
    own.error("%s failed: %s at %s", what, type(error).__name__, " > ".join(way[-8:]))
    own.debug("it said: %s", error)


class _Brief(logging.Handler):
    """Tells that a line could not be written without what stands in it: the usual way shows its parts unhidden."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's name
        with suppress(OSError, ValueError):  # nobody is left to tell
            sys.stderr.write(
                f"A line of the log of {record.name} could not be written: {sys.exception()!r:.80}\n"
            )


class _Screen(_Brief, logging.StreamHandler[TextIO]):
    """Standard error, whichever that is when something is told."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # an attribute there
        return sys.stderr


class _Log(_Brief, RotatingFileHandler):
    """Its files are for their owner alone."""

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT, 0o600))
        return super()._open()


class _Hiding(logging.Formatter):
    """Writes HIDDEN wherever a secret would stand."""

    def __init__(self, secrets: Sequence[str], form: str | None = None) -> None:
        super().__init__(form)
        self._given = {secret: _forms(secret) for secret in secrets}
        self._learned: dict[str, set[str]] = {}
        self._sort()

    def add_secrets(self, secrets: Sequence[str]) -> None:
        """Hide these too, in whatever form they may come; shorter ones than a key can be would be found in words."""
        for secret in secrets:
            if len(secret) >= MIN_KEY_LENGTH and secret not in self._given:
                known = self._learned.pop(secret, None)
                self._learned[secret] = known or _forms(secret)
                if not known:
                    self._sort()

    def _sort(self) -> None:
        """The longest first: one may stand within another."""
        for old in list(self._learned)[:-MAX_HIDDEN_KEYS]:
            del self._learned[old]
        forms = set().union(*self._given.values(), *self._learned.values())
        self._forms = tuple(sorted(forms, key=len, reverse=True))

    def format(self, record: logging.LogRecord) -> str:
        return self.redact(super().format(record))

    def redact(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, REDACTED)
        return text


class _Lines(_Hiding):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            told["error"] = record.exc_info[0].__name__
        return json.dumps(
            {name: self.redact(value) for name, value in told.items()}, ensure_ascii=False
        )


def _forms(secret: str) -> set[str]:
    """A secret as it is, as JSON and Python write it, and as it stands in an address or stood before that."""
    plain = {secret, unquote(secret)}
    written = {
        form
        for text in plain
        for form in (json.dumps(text)[1:-1], repr(text)[1:-1], quote(text, safe=""))
    }
    return plain | written
