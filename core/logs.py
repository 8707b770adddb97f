"""The log: a JSON object a line in the data folder, turned over when it is full. It says what happened, no more.

Text of documents is written on level DEBUG alone, and a key on none.
"""

import json
import logging
import os
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from core.settings import Settings

NAME = "scrutineer"
"""The logger of the program's own modules."""
LARGEST = 1_000_000
"""Bytes of one file."""
KEPT = 5
"""Full files that are kept beside the one that is written."""
HIDDEN = "(key)"


def start_log(settings: Settings) -> None:
    """Write what is logged from here on to `logs/scrutineer.log` in the data folder, and to standard error as text.

    Called again it changes nothing. Where the folder cannot be written, standard error is all there is.
    """
    root, own = logging.getLogger(), logging.getLogger(NAME)
    if any(handler.name == NAME for handler in root.handlers):
        return
    log_to_screen(settings, settings.log_level, "%(asctime)s %(levelname)s %(message)s")
    folder = settings.data_dir.absolute() / "logs"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = _Log(folder / "scrutineer.log", maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8")
    except OSError as error:
        own.warning("there is no log file: %s", error.strerror)
        return
    file.setFormatter(_Lines(settings.secrets))
    root.addHandler(file)


def log_to_screen(settings: Settings, level: str, form: str = "%(message)s") -> None:
    """Write what the program's own modules log from `level` on, and the warnings of others, to standard error."""
    screen = logging.StreamHandler()
    screen.set_name(NAME)
    screen.setFormatter(_Hiding(settings.secrets, form))
    root = logging.getLogger()
    root.handlers = [handler for handler in root.handlers if handler.name != NAME]
    root.addHandler(screen)
    logging.getLogger(NAME).setLevel(level)


def note_failure(error: Exception) -> None:
    """Log where a page failed that should not have: the kind of error and its way, its words on DEBUG alone."""
    way = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    own = logging.getLogger(NAME)
    own.error("a page failed: %s at %s", type(error).__name__, " > ".join(way[-8:]))
    own.debug("it said: %s", error)


class _Log(RotatingFileHandler):
    """Its files are for their owner alone."""

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT, 0o600))
        return super()._open()


class _Hiding(logging.Formatter):
    """Writes HIDDEN wherever a secret would stand."""

    def __init__(self, secrets: Sequence[str], form: str | None = None) -> None:
        super().__init__(form)
        self._secrets = tuple(secrets)

    def format(self, record: logging.LogRecord) -> str:
        return self.hidden(super().format(record))

    def hidden(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
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
        return self.hidden(json.dumps(told, ensure_ascii=False))
