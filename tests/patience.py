"""How long a test waits for another process or thread before it says that it never came."""

import time
from collections.abc import Callable

PATIENCE = 180.0
"""Seconds. A guard against what hangs, no bar for speed: on a machine with other work the first
page of a server, which imports everything, was drawn after more than 20 seconds."""


def until(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for another thread or process."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the condition did not come true"
        time.sleep(0.01)
