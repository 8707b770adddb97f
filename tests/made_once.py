"""Folders that take long to make: the first worker of a run makes one, the others wait for it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def make_once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return the folder that `make` fills. It belongs to all workers: copy it to write in it."""
    root = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    folder = root / name
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            make(partial := root / f"{name}.partial")
            partial.rename(folder)
    return folder
