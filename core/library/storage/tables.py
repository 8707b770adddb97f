"""The index of a library: its tables in LanceDB, opened, read, asked and added to. It locks nothing and sweeps nothing.

What is written here is seen once it is in the manifest; that one writes at a time is the business of the store.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import lancedb
import pyarrow as pa
from lancedb.background_loop import LOOP
from lancedb.db import DBConnection
from lancedb.expr import Expr
from lancedb.query import FullTextQuery
from lancedb.table import AsyncTable, Table

from core.errors import LibraryError
from core.library.storage.errors import CHECK_HINT, wrap_lancedb_errors
from core.library.storage.files import ManifestEntry, contains_notes
from core.library.storage.indices import SEARCH_TIMEOUT, update_indices
from core.library.storage.schema import (
    CLAUSE_SCHEMA,
    DOCUMENT_SCHEMA,
    VALUE_COLUMNS,
    checksum_ok,
    document_from_json,
    document_rows,
)

ManifestEntries = tuple[ManifestEntry, ...]
"""The manifest: documents, each with the name of its stored file."""


class Index:
    """The tables in the folder of a library, for `core.library` only: the manifest, the clauses, the vectors.

    `entries`, `rows` and `rank` raise LibraryError as the library does; the others let through what LanceDB raises,
    for `readable` around them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # With the number of its folder, as another library may come to stand in the same place.
        self._opened: dict[str, tuple[int, Table]] = {}
        self._direct: tuple[int, AsyncTable] | None = None
        self._read: tuple[tuple[int, int], ManifestEntries] = ((0, 0), ())

    def documents_table(self) -> Table | None:
        """The manifest as LanceDB has it, None before the first document."""
        return self._table("documents", DOCUMENT_SCHEMA)

    @property
    def manifest_table(self) -> Table:
        """The same, where it is known to be there."""
        table = self.documents_table()
        assert table is not None, "there is a manifest where there is a document"
        return table

    def clauses_table(self) -> Table | None:
        """The clauses as LanceDB has them, None before the first."""
        return self._table("clauses", CLAUSE_SCHEMA)

    def vectors_table(self) -> Table | None:
        """The vectors as LanceDB has them, whosever they are."""
        return self._table("vectors", None)

    def read_manifest(self) -> ManifestEntries:
        """The manifest, in no order."""
        with wrap_lancedb_errors(self.folder):
            table = self.documents_table()
            if table is None:
                if contains_notes(self.folder / "files"):
                    raise LibraryError(
                        f"The index of the library in {self.folder} is gone. {CHECK_HINT}",
                        code="damaged",
                    )
                return ()
            key = self._opened["documents"][0], int(table.version)
            if self._read[0] != key:
                rows = table.to_arrow().to_pylist()
                if not all(map(checksum_ok, rows)):
                    raise LibraryError(
                        f"The list of documents in {self.folder} is not as it was written. {CHECK_HINT}",
                        code="damaged",
                    )
                self._read = (
                    key,
                    tuple((document_from_json(row["record"]), row["file"]) for row in rows),
                )
            return self._read[1]

    def read_rows(self, where: Expr) -> list[dict[str, str]]:
        """`document_id` and value of the clause rows that a filter lets through, in reading order.

        Rows of documents that are not, or not yet, in the manifest are among them.
        """
        with wrap_lancedb_errors(self.folder):
            table = self.clauses_table()
            if table is None:
                return self._none()
            found = (
                table.search()
                .where(where)
                .select(["document_id", "position", *VALUE_COLUMNS])
                .to_arrow()
            )
            rows: list[dict[str, str]] = found.sort_by(
                [("document_id", "ascending"), ("position", "ascending")]
            ).to_pylist()
            return rows

    def rank_rows(self, query: FullTextQuery, where: Expr, k: int) -> list[dict[str, Any]]:
        """`document_id`, value and `_score` of the `k` clauses that a full-text query ranks first, within a filter.

        LanceDB's plain interface asks for schema, version and index before each search, each time by way of another
        thread, which takes as long as the search; so this asks the other one, for coroutines. LOOP is where LanceDB
        runs those for its plain one; it documents no way from one to the other (0.40). `asyncio.run` would be refused
        where a loop runs already, and a loop of our own would be dead after a fork, where LOOP begins anew.
        """
        with wrap_lancedb_errors(self.folder):
            if self.clauses_table() is None:
                return self._none()
            place = self._opened["clauses"][0]
            if self._direct is None or self._direct[0] != place:
                self._direct = place, LOOP.run(self._opened_directly())  # type: ignore[no-untyped-call]  # LanceDB has none
            found = self._direct[1].query().nearest_to_text(query).where(where)
            rows = (
                found.select(["document_id", *VALUE_COLUMNS, "_score"])
                .limit(k)
                .to_list(timeout=SEARCH_TIMEOUT)
            )
            return cast(list[dict[str, Any]], LOOP.run(rows))  # type: ignore[no-untyped-call]  # as above

    def add_entries(self, entries: Sequence[ManifestEntry]) -> None:
        """Add to the manifest."""
        rows = document_rows(entries)
        # The table comes into being with its first rows: an untouched library has none.
        if (table := self.documents_table()) is not None:
            table.add(rows)
        else:
            self._index.create_table("documents", rows)

    def add_clauses(self, rows: pa.Table) -> None:
        """Add clauses, and take them into the indices. Raises LibraryError `unreadable` where some are missing."""
        table = self._index.create_table("clauses", schema=CLAUSE_SCHEMA, exist_ok=True)
        before = table.count_rows()
        table.add(rows)
        update_indices(table)
        if table.count_rows() != before + rows.num_rows:
            raise LibraryError(
                f"The library in {self.folder} did not take all clauses. Add the document again.",
                code="unreadable",
            )

    def drop_vectors(self) -> None:
        """Do without vectors, whether or not they can be read; they are made again when they are needed."""
        if (self.folder / "index" / "vectors.lance").is_dir():
            self._index.drop_table("vectors")
        self._opened.pop("vectors", None)

    def create_vectors_table(self, schema: pa.Schema) -> Table:
        """An empty table of vectors in place of any that there was."""
        mode = "create" if self.vectors_table() is None else "overwrite"
        return self._index.create_table("vectors", schema=schema, mode=mode)

    def salvage_manifest(self) -> ManifestEntries:
        """The manifest as far as it can be read, of whatever version; `entries` gives it whole or not at all."""
        try:
            with wrap_lancedb_errors(self.folder):
                rows = self._index.open_table("documents").to_arrow().to_pylist()
                told = [row for row in rows if "digest" not in row or checksum_ok(row)]
                return tuple((document_from_json(row["record"]), row["file"]) for row in told)
        except (LibraryError, ValueError, KeyError):
            return ()

    def move_index_aside(self) -> Path | None:
        """Where the folder of the tables is now, None where it was empty; `begin` is to follow."""
        index = self.folder / "index"
        if not any(index.iterdir()):
            return None
        aside = self.folder / f"index-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
        index.rename(aside)
        return aside

    def create_manifest(self) -> None:
        """An empty manifest, and nothing remembered of the tables before."""
        self._opened.clear()
        self._direct = None
        with wrap_lancedb_errors(self.folder):
            self._index.create_table("documents", schema=DOCUMENT_SCHEMA)

    @cached_property
    def _index(self) -> DBConnection:
        # Without the zero interval a connection would go on showing the state in which it first saw a table.
        return lancedb.connect(str(self.folder / "index"), read_consistency_interval=timedelta(0))

    async def _opened_directly(self) -> AsyncTable:
        index = await lancedb.connect_async(
            str((self.folder / "index").absolute()), read_consistency_interval=timedelta(0)
        )
        return await index.open_table("clauses")

    def _table(self, name: str, schema: pa.Schema | None) -> Table | None:
        """A table, None where there is none. It is opened once: with the zero interval it follows every change."""
        try:
            folder = (self.folder / "index" / f"{name}.lance").stat()
        except OSError:
            return None
        place, table = self._opened.get(name, (None, None))
        if table is None or place != folder.st_ino:
            try:
                table = self._index.open_table(name)
            except ValueError as error:
                if "was not found" not in str(error):
                    raise
                return None  # a writer was cut off while making it
            self._check(table, schema)
            self._opened[name] = folder.st_ino, table
        return table

    def _check(self, table: Table, schema: pa.Schema | None) -> None:
        if schema is not None and (table.schema.names, table.schema.metadata) != (
            schema.names,
            schema.metadata,
        ):
            raise LibraryError(
                f"The library in {self.folder} was made by another version of Scrutineer."
                " Run `python -m core check`: it reads its documents again from the files that it keeps.",
                code="version",
            )

    def _none(self) -> list[Any]:
        """No clauses, where there should be none; never silence where the table of clauses is lost."""
        if any(document.clauses for document, _ in self.read_manifest()):
            raise LibraryError(
                f"The clauses of the library in {self.folder} are gone. {CHECK_HINT}",
                code="damaged",
            )
        return []
