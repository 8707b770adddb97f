"""The indices of the clause table: creation, update, and a check that they find every clause.

They derive from the table, so none is ever lost for good.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import groupby
from typing import Any, cast

from lancedb import col, lit
from lancedb.expr import Expr
from lancedb.index import FTS, Bitmap, BTree
from lancedb.table import Table

from core.library.storage.schema import SEARCH_COLUMNS
from core.write_steps import pass_step

_INDICES: dict[str, FTS | Bitmap | BTree] = {
    # Stop words stay: "shall not" is not "shall". Positions serve searches for phrases.
    **dict.fromkeys(SEARCH_COLUMNS, FTS(with_position=True, remove_stop_words=False)),
    **dict.fromkeys(("document_id", "status", "heading"), Bitmap()),
    **dict.fromkeys(("key", "clause_id"), BTree()),
}
_PLAIN_WORD = re.compile(r"(?<!\S)[A-Za-z]{2,20}(?!\S)")
"""A word that every tokenizer indexes as it is."""
MAX_FRAGMENTS = 32
"""Files of a table's rows, which readers take one after the other; more are joined, and what only
old versions have is removed."""
_SMALL_TABLE, _WAITING_SHARE, _WAITING_ROWS = 10_000, 1 / 20, 5_000
"""A table of up to so many rows is indexed at each change; of a larger one such a share may wait,
up to so many rows. In one of 104,000 an update takes 14 s of processor time however little is new;
rows that wait are found by looking at each, which makes a search there 0.04 s longer."""
_KEPT_VERSIONS = timedelta(minutes=10)
"""Longer than anybody reads a version. Each removal reads all that are kept: with LanceDB's seven
days, each document took eight requests to an object store more than the one before it."""
SEARCH_TIMEOUT = timedelta(seconds=30)
"""Limit of a full-text search: over some damaged indices it would never return."""

ClauseRow = Mapping[str, Any]


def update_indices(table: Table) -> None:
    """Add new rows to the indices unless they may wait; create indices that are missing."""
    known = table.list_indices()
    indexed = {column for index in known for column in index.columns}
    for column, kind in _INDICES.items():
        if column not in indexed:
            table.create_index(column, config=kind)
            pass_step("column indexed")
    waiting = max((index.num_unindexed_rows or 0 for index in known), default=0)
    if count_fragments(table) > MAX_FRAGMENTS or not _may_wait(waiting, table.count_rows()):
        compact_table(table)


def count_fragments(table: Table) -> int:
    """Return in how many files the rows of a table lie."""
    stats = cast(Any, table.stats())  # a dict, whatever its type says
    return int(stats["fragment_stats"]["num_fragments"])


def _may_wait(waiting: int, rows: int) -> bool:
    """True where so many of a table's rows may be without an index."""
    return rows > _SMALL_TABLE and waiting <= min(_WAITING_SHARE * rows, _WAITING_ROWS)


def compact_table(table: Table) -> None:
    """Join small files, add new rows to the indices, and remove old versions of a table."""
    table.optimize(cleanup_older_than=_KEPT_VERSIONS)


def rebuild_indices(table: Table) -> None:
    for column, kind in _INDICES.items():
        table.create_index(column, config=kind)


def has_complete_indices(table: Table) -> bool:
    """True where every index finds every row of the table. Errors of LanceDB pass."""
    names = {column: index.name for index in table.list_indices() for column in index.columns}
    if not names.keys() >= _INDICES.keys():
        return False
    count = table.count_rows()
    for column in _INDICES:
        stats = table.index_stats(names[column])
        if stats is None or stats.num_indexed_rows + stats.num_unindexed_rows != count:
            return False
        if stats.num_unindexed_rows and not _may_wait(stats.num_unindexed_rows, count):
            return False
    rows = table.search().select(list(_INDICES)).to_arrow().sort_by("document_id").to_pylist()
    documents = groupby(rows, key=lambda row: row["document_id"])
    return all(_finds_rows(table, document_id, list(group)) for document_id, group in documents)


def has_complete_filters(table: Table) -> bool:
    """True where what searches filter by finds every row of the table. Errors of LanceDB pass."""
    rows = table.search().select(["document_id", "status", "heading"]).to_arrow()
    any_document = col("document_id").isin(rows["document_id"].unique().to_pylist())
    for group in rows.group_by(["status", "heading"]).aggregate([([], "count_all")]).to_pylist():
        where = (col("status") == lit(group["status"])) & (col("heading") == lit(group["heading"]))
        found = table.search().where(any_document & where).select(["position"]).to_arrow()
        if found.num_rows != group["count_all"]:
            return False
    return True


def _finds_rows(table: Table, document_id: str, rows: list[ClauseRow]) -> bool:
    document = col("document_id") == lit(document_id)
    keys = [row["key"] for row in rows]
    ids = _sorted_ids(rows)
    if _find_ids(table, document & col("clause_id").isin(ids) & col("key").isin(keys)) != ids:
        return False
    for status, heading in {(row["status"], row["heading"]) for row in rows}:
        where = document & (col("status") == lit(status)) & (col("heading") == lit(heading))
        wanted = (row for row in rows if (row["status"], row["heading"]) == (status, heading))
        if _find_ids(table, where) != _sorted_ids(wanted):
            return False
    return all(_finds_words(table, document, column, rows) for column in SEARCH_COLUMNS)


def _finds_words(table: Table, where: Expr, column: str, rows: list[ClauseRow]) -> bool:
    words = {row["clause_id"]: word[0] for row in rows if (word := _PLAIN_WORD.search(row[column]))}
    if not words:
        return True
    query = " ".join(sorted(set(words.values())))
    search = table.search(query, query_type="fts", fts_columns=column).where(where)
    found = search.select(["clause_id", "_score"]).limit(len(rows)).to_list(timeout=SEARCH_TIMEOUT)
    return words.keys() <= {row["clause_id"] for row in found}


def _find_ids(table: Table, where: Expr) -> list[str]:
    rows = table.search().where(where).select(["clause_id"]).to_arrow().to_pylist()
    return _sorted_ids(rows)


def _sorted_ids(rows: Iterable[ClauseRow]) -> list[str]:
    return sorted(row["clause_id"] for row in rows)
