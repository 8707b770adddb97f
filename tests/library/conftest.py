"""Small real libraries, whose rulebooks are added as JSON Lines."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cup import lines

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Document


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


@pytest.fixture
def add(library: Library) -> Callable[..., Document]:
    """Add a rulebook: title, clauses as (article, text) or (article, text, title), identity."""

    def add_rulebook(document: str, *clauses: tuple[str, ...], **identity: Any) -> Document:
        [addition] = add_bytes(library, lines(document, *clauses, **identity), f"{document}.jsonl")
        assert addition.document is not None, addition.message
        return addition.document

    return add_rulebook
