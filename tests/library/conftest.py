"""Small real libraries, whose rulebooks are added as JSON Lines."""

from functools import partial
from pathlib import Path

import pytest
from cup import Add, add_rulebook

from core.library.storage.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


@pytest.fixture
def add(library: Library) -> Add:
    """Add a rulebook to the library."""
    return partial(add_rulebook, library)
