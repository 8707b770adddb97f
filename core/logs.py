"""The log: JSON Lines in the data folder, rotated by size.

Text of documents is logged at level DEBUG alone, and a key at none.
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
KEPT_LOG_FILES = 5
"""Full files that are kept beside the current one."""
REDACTED = "(key)"
MAX_HIDDEN_KEYS = 200
"""Keys of sessions that are hidden: those used last."""

_starting = Lock()


def start_log(settings: Settings) -> None:
    """Log to `logs/scrutineer.log` in the data folder, and as text to standard error.

    A second call, from any thread, only adds the keys to hide: one may be entered for a session.
    If the folder cannot be written, only standard error is used.
    """
    with _starting:
        handlers = [handler for handler in logging.getLogger().handlers if _is_own(handler)]
        for handler in handlers:
            if isinstance(handler.formatter, _RedactingFormatter):
                handler.formatter.add_secrets(settings.secrets)
        if not handlers:
            log_to_stderr(settings, settings.log_level, "%(asctime)s %(levelname)s %(message)s")
            _log_to_file(settings)


def _log_to_file(settings: Settings) -> None:
    folder = settings.data_dir.absolute() / "logs"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = _PrivateFileHandler(
            folder / "scrutineer.log",
            maxBytes=MAX_LOG_BYTES,
            backupCount=KEPT_LOG_FILES,
            encoding="utf-8",
        )
    except OSError as error:
        logging.getLogger(LOGGER_NAME).warning("there is no log file: %s", error.strerror)
        return
    file.set_name(LOGGER_NAME)
    file.setFormatter(_JsonFormatter(settings.secrets))
    logging.getLogger().addHandler(file)


def log_to_stderr(settings: Settings, level: str, line_format: str = "%(message)s") -> None:
    """Write the program's own log from `level` on, and the warnings of others, to stderr."""
    root = logging.getLogger()
    for handler in filter(_is_own, root.handlers[:]):
        root.removeHandler(handler)
        handler.close()
    handler = _StderrHandler()
    handler.set_name(LOGGER_NAME)
    handler.setFormatter(_RedactingFormatter(settings.secrets, line_format))
    root.addHandler(handler)
    logging.getLogger(LOGGER_NAME).setLevel(level)


def _is_own(handler: logging.Handler) -> bool:
    return handler.name == LOGGER_NAME


def log_failure(error: BaseException, what: str = "a page") -> None:
    """Log an unexpected error: its type and traceback; its message on DEBUG alone."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    trace = " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
    logger = logging.getLogger(LOGGER_NAME)
    logger.error("%s failed: %s at %s", what, type(error).__name__, trace)
    logger.debug("its message: %s", error)


class _DiscreetHandler(logging.Handler):
    """Reports a line that cannot be written without its text, which logging would show unhidden."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's name
        with suppress(OSError, ValueError):  # standard error may be closed as well
            error = f"{sys.exception()!r:.80}"
            sys.stderr.write(f"A line of the log of {record.name} could not be written: {error}\n")


class _StderrHandler(_DiscreetHandler, logging.StreamHandler[TextIO]):
    """Writes to whatever `sys.stderr` is at the time."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


class _PrivateFileHandler(_DiscreetHandler, RotatingFileHandler):
    """Writes files that only their owner may read."""

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT, 0o600))
        return super()._open()


class _RedactingFormatter(logging.Formatter):
    """Replaces every secret with REDACTED."""

    def __init__(self, secrets: Sequence[str], line_format: str | None = None) -> None:
        super().__init__(line_format)
        self._configured = {secret: _spellings(secret) for secret in secrets}
        self._added: dict[str, set[str]] = {}
        self._sort_spellings()

    def add_secrets(self, secrets: Sequence[str]) -> None:
        """Hide these keys too, except those so short that they occur in words."""
        for secret in secrets:
            if len(secret) >= MIN_KEY_LENGTH and secret not in self._configured:
                known = self._added.pop(secret, None)
                self._added[secret] = known or _spellings(secret)  # now the one used last
                if not known:
                    self._sort_spellings()

    def _sort_spellings(self) -> None:
        for old in list(self._added)[:-MAX_HIDDEN_KEYS]:
            del self._added[old]
        spellings = set().union(*self._configured.values(), *self._added.values())
        self._longest_first = sorted(spellings, key=len, reverse=True)  # one may contain another

    def format(self, record: logging.LogRecord) -> str:
        return self.redact(super().format(record))

    def redact(self, text: str) -> str:
        for spelling in self._longest_first:
            text = text.replace(spelling, REDACTED)
        return text


class _JsonFormatter(_RedactingFormatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            fields["error"] = record.exc_info[0].__name__
        redacted = {name: self.redact(value) for name, value in fields.items()}
        return json.dumps(redacted, ensure_ascii=False)


def _spellings(secret: str) -> set[str]:
    """Return a secret as it is, as JSON, Python and a URL write it, and decoded from a URL."""
    plain = {secret, unquote(secret)}
    encoded = [(json.dumps(text)[1:-1], repr(text)[1:-1], quote(text, safe="")) for text in plain]
    return plain.union(*encoded)
