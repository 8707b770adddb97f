"""What a page asks for dozens of times while it is drawn, and reads once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any, TypeVar

Read = TypeVar("Read")
_run = local()


@contextmanager
def reads_kept() -> Iterator[None]:
    """Keep what `read_once` reads within, in this thread: one run of the script, of one person."""
    _run.kept = {}
    try:
        yield
    finally:
        del _run.kept


def read_once(name: str, read: Callable[[], Read]) -> Read:
    """Return what was read under this name in this run; callbacks and fragments read each time."""
    kept: dict[str, Any] = getattr(_run, "kept", {})
    if name not in kept:
        kept[name] = read()
    found: Read = kept[name]
    return found
