"""Folders that take long to make: the first worker of a run makes one, the others wait for it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

SAMPLES = Path(__file__).parents[1] / "data" / "samples"
SAMPLE = SAMPLES / "meridian_2024_sporting_issue1.pdf"
SHARED = Path(__file__).parents[2] / "shared"
SHELF = SHARED / "rulebooks"
needs_shelf = pytest.mark.skipif(
    not SHELF.is_dir(), reason="the published rulebooks are not beside the project (../shared)"
)


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


def read_once(temporary: pytest.TempPathFactory, *files: Path) -> Path:
    """Return a data folder to which these files were added, in this order; see `make_once`."""
    # Imported here: the process that hands tests to the others needs none of it.
    from core.library.ingestion.ingest import add_file
    from core.library.storage.library import Library

    def add_files(folder: Path) -> None:
        for file in files:
            assert [addition.status for addition in add_file(Library(folder), file)] == ["added"]

    return make_once(temporary, "-".join(file.stem for file in files), add_files)
