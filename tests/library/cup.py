"""Rules of an invented cup, as JSON Lines."""

import json
from collections.abc import Callable
from typing import Any

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Document

Add = Callable[..., Document]


def lines(document: str, *clauses: tuple[str, ...], **identity: Any) -> bytes:
    named = [dict(zip(("article", "text", "title"), clause, strict=False)) for clause in clauses]
    return "\n".join(
        json.dumps({"document": document, **identity, **clause}) for clause in named
    ).encode()


def add_rulebook(
    library: Library, document: str, *clauses: tuple[str, ...], **identity: Any
) -> Document:
    """Add a rulebook: title, clauses as (article, text) or (article, text, title), identity."""
    [addition] = add_bytes(library, lines(document, *clauses, **identity), f"{document}.jsonl")
    assert addition.document is not None, addition.message
    return addition.document


PIT_LANE = (
    ("34", "", "Pit lane"),
    ("34.1", "The section of track leading to the pit lane is the pit entry road."),
    ("34.7", "A speed limit of 80km/h will be imposed in the pit lane."),
    (
        "34.14",
        "A car must not be released in an unsafe condition."
        " A penalty under Article 54.3d) applies.",
    ),
    ("54", "", "Penalties"),
    ("54.3", "The stewards may impose:\na) a fine;\nb) a reprimand;\nd) a drive-through penalty."),
)
