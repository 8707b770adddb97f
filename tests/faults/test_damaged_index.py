"""A search over a damaged index on which LanceDB hangs still ends with an error."""

from pathlib import Path

import pytest

from core.errors import LibraryError
from core.library.ingestion.ingest import add_file
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.library import Library

SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"
ROWS = b"".join(row.to_bytes(2, "little") for row in range(40, 44))
"""Four consecutive rows as a bitmap stores them."""


@pytest.mark.slow
def test_a_search_over_a_damaged_index_comes_back(tmp_path):
    list(add_file(Library(tmp_path), SAMPLE))
    damaged = 0
    for path in (tmp_path / "index").rglob("bitmap_page_lookup.lance"):
        data = path.read_bytes()
        damaged += data.count(ROWS)
        path.write_bytes(data.replace(ROWS, ROWS[::-1]))
    assert damaged
    library = Library(tmp_path)
    with pytest.raises(LibraryError, match="core check"):
        search(library, "pit lane speed limit", resolve_scope(library.documents()), 3)
