"""The indices of the clauses: which there are, whether every clause is found through them, and making them anew.

They follow from the table of the clauses, so nothing is lost with them. This reads no document and ranks nothing.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import groupby
from typing import Any

from lancedb import col, lit
from lancedb.expr import Expr
from lancedb.index import FTS, Bitmap, BTree
from lancedb.table import Table

from core.library.storage.schema import SEARCH_COLUMNS

_WORDS = FTS(with_position=True, remove_stop_words=False)
"""Stop words stay: "shall not" is not "shall", and a search for "not" finds something. Positions serve phrases."""
_INDICES: dict[str, FTS | Bitmap | BTree] = {
    **dict.fromkeys(SEARCH_COLUMNS, _WORDS),
    **dict.fromkeys(("document_id", "status", "heading"), Bitmap()),
    **dict.fromkeys(("key", "clause_id"), BTree()),
}
_PLAIN = re.compile(r"(?<!\S)[A-Za-z]{2,20}(?!\S)")
"""A word that is surely in the index, however it cuts others."""
SEARCH_TIMEOUT = timedelta(seconds=30)
"""How long a search by words may take: over some damaged indices it would otherwise never come back."""

ClauseRow = Mapping[str, Any]


def update_indices(table: Table) -> None:
    """Take what was added into the indices; those that there are not yet are made."""
    indexed = {column for found in table.list_indices() for column in found.columns}
    for column, kind in _INDICES.items():
        if column not in indexed:
            table.create_index(column, config=kind)
    table.optimize()


def rebuild_indices(table: Table) -> None:
    """Make every index again from the table."""
    for column, kind in _INDICES.items():
        table.create_index(column, config=kind)


def has_complete_indices(table: Table) -> bool:
    """True where every index holds as many rows as the table, and each row is found through all of them: by its
    document, id, key, status, and by a word of each searched column. What LanceDB raises goes through.
    """
    rows = table.count_rows()
    names = {column: found.name for found in table.list_indices() for column in found.columns}
    told = [table.index_stats(names[column]) for column in _INDICES if column in names]
    if [(stats.num_indexed_rows, stats.num_unindexed_rows) for stats in told if stats] != [
        (rows, 0)
    ] * len(_INDICES):
        return False
    held = table.search().select(list(_INDICES)).to_arrow().sort_by("document_id").to_pylist()
    documents = groupby(held, key=lambda row: row["document_id"])
    return all(_finds(table, document_id, list(rows)) for document_id, rows in documents)


def _finds(table: Table, document_id: str, rows: list[ClauseRow]) -> bool:
    of_it = col("document_id") == lit(document_id)
    plain = (
        of_it & col("clause_id").isin(_ids(rows)) & col("key").isin([row["key"] for row in rows])
    )
    if _found(table, plain) != _ids(rows):
        return False
    kinds = {(row["status"], row["heading"]) for row in rows}
    return all(
        _found(table, of_it & (col("status") == lit(status)) & (col("heading") == lit(heading)))
        == _ids(row for row in rows if (row["status"], row["heading"]) == (status, heading))
        for status, heading in kinds
    ) and all(_finds_words(table, of_it, column, rows) for column in SEARCH_COLUMNS)


def _finds_words(table: Table, where: Expr, column: str, rows: list[ClauseRow]) -> bool:
    wanted = {row["clause_id"]: word[0] for row in rows if (word := _PLAIN.search(row[column]))}
    if not wanted:
        return True
    asked = table.search(
        " ".join(sorted(set(wanted.values()))), query_type="fts", fts_columns=column
    )
    found = (
        asked.where(where)
        .select(["clause_id", "_score"])
        .limit(len(rows))
        .to_list(timeout=SEARCH_TIMEOUT)
    )
    return wanted.keys() <= {row["clause_id"] for row in found}


def _found(table: Table, where: Expr) -> list[str]:
    return _ids(table.search().where(where).select(["clause_id"]).to_arrow().to_pylist())


def _ids(rows: Iterable[ClauseRow]) -> list[str]:
    return sorted(row["clause_id"] for row in rows)
