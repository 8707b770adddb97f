"""The index of a library: its LanceDB tables, opened, read, searched and extended, without locks.

Rows of a document count once the document is in the manifest. The library serializes the writers.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import lancedb
import pyarrow as pa
from lancedb.background_loop import LOOP
from lancedb.db import DBConnection
from lancedb.expr import Expr
from lancedb.query import FullTextQuery
from lancedb.table import AsyncTable, Table

from core.errors import LibraryError
from core.library.storage.checksums import TableChecksums
from core.library.storage.errors import CHECK_HINT, wrap_lancedb_errors
from core.library.storage.files import FileStore, Manifest
from core.library.storage.indices import (
    MAX_FRAGMENTS,
    SEARCH_TIMEOUT,
    compact_table,
    count_fragments,
    has_complete_filters,
    rebuild_indices,
    update_indices,
)
from core.library.storage.places import LibraryPlace
from core.library.storage.schema import (
    CLAUSE_SCHEMA,
    DOCUMENT_SCHEMA,
    VALUE_COLUMNS,
    checksum_ok,
    document_from_json,
    document_rows,
)
from core.library.types import Document
from core.program import COMMAND
from core.write_steps import pass_step

Result = TypeVar("Result")
_APPENDED_ROWS = 50_000
"""Rows that are appended at once, about 250 MB: each append is a version and files of a table."""
_CLAUSE_INDICES = "clauses.lance/_indices"
_COARSEST_TIME = 2_000_000_000
"""Nanoseconds: FAT keeps the time of a change to two seconds, others more exactly."""
_ALWAYS_FRESH = timedelta(0)
"""Otherwise a connection keeps showing the first version of a table that it has seen."""


class Index:
    """The tables at a library's place, for `core.library` only: manifest, clauses, vectors.

    `read_manifest`, `read_rows` and `rank_rows` raise LibraryError as the library does. The other
    methods raise LanceDB's errors: wrap them in `wrap_lancedb_errors`. A table is None before its
    first rows.
    """

    def __init__(self, place: LibraryPlace, files: FileStore) -> None:
        self.place, self._files = place, files
        self._address, self._is_local = place.index_address, place.shared_folder is not None
        # Several machines that write into one folder would compare everything each time.
        self.checksums = TableChecksums(None if place.url else Path(self._address))
        # Tables with the inodes of their folders, as another library may replace this one.
        self._tables: dict[str, tuple[int, Table]] = {}
        self._async_tables: dict[str, tuple[int, AsyncTable]] = {}
        self._manifest: tuple[tuple[int, int], Manifest, int] = ((0, 0), {}, 0)
        self._filters_checked = 0, 0
        self._versions: dict[str, tuple[int, int, int]] = {}
        """Of a table: its inode, when a version of it was last written, and the version then."""

    def documents_table(self) -> Table | None:
        return self._open_table("documents", DOCUMENT_SCHEMA)

    @property
    def manifest_table(self) -> Table:
        table = self.documents_table()
        assert table is not None, "a library with documents has a manifest"
        return table

    def clauses_table(self) -> Table | None:
        return self._open_table("clauses", CLAUSE_SCHEMA)

    def vectors_table(self) -> Table | None:
        """Return the vectors of whichever model."""
        return self._open_table("vectors", None)

    def read_version(self, name: str) -> int:
        """Return the version of a table that is open.

        LanceDB is asked only where the folder of versions has changed since, as it does with each:
        a trip to LanceDB's thread takes a hundred times as long, and a page makes dozens. A time
        is trusted once so old that a further change cannot have the same.
        """
        inode, table = self._tables[name]
        if not self._is_local:
            return int(table.version)
        try:
            written = Path(self._address, f"{name}.lance", "_versions").stat().st_mtime_ns
        except OSError:
            return int(table.version)  # LanceDB says what is wrong
        known_inode, known, version = self._versions.get(name, (0, 0, 0))
        if (known_inode, known) != (inode, written):
            is_still = time.time_ns() - written > _COARSEST_TIME
            version = int(table.version)
            if is_still:
                self._versions[name] = inode, written, version
        return version

    def read_manifest(self) -> Manifest:
        """Return all documents, by family, season and issue."""
        with wrap_lancedb_errors(self.place):
            table = self.documents_table()
            if table is None:
                if self._files.noted_ids():
                    raise self._damage(f"The index of the library in {self.place} is gone.")
                return {}
            key = self._tables["documents"][0], self.read_version("documents")
            if self._manifest[0] != key:
                rows = table.to_arrow().to_pylist()
                if not all(map(checksum_ok, rows)):
                    raise self._damage(
                        f"The list of documents in {self.place} differs from what was stored."
                    )
                manifest = _manifest(rows)
                self._manifest = key, manifest, _count_rows(manifest)
            return self._manifest[1]

    def read_rows(self, where: Expr) -> list[dict[str, str]]:
        """Return `document_id` and value of the clause rows matching a filter, in reading order.

        They include rows of documents that are not, or not yet, in the manifest.
        """
        found = self._select(where, "document_id", "position", *VALUE_COLUMNS)
        order = [("document_id", "ascending"), ("position", "ascending")]
        rows: list[dict[str, str]] = found.sort_by(order).to_pylist()
        return rows

    def read_words(self, where: Expr) -> list[str]:
        """Return the indexed words of the clause rows matching a filter, with their headings."""
        found = self._select(where, "text", "title", "trail")
        return [" ".join(row.values()) for row in found.to_pylist()]

    def read_keys(self, where: Expr) -> set[str]:
        """Return the keys of the articles of the clause rows matching a filter."""
        return set(self._select(where, "key")["key"].to_pylist())

    def rank_rows(self, query: FullTextQuery, where: Expr, k: int) -> list[dict[str, Any]]:
        """Return `document_id`, value and `_score` of the `k` best clauses of a full-text query."""

        async def rank(clauses: AsyncTable) -> list[dict[str, Any]]:
            search = clauses.query().nearest_to_text(query).where(where)
            columns = ["document_id", *VALUE_COLUMNS, "_score"]
            return await search.select(columns).limit(k).to_list(timeout=SEARCH_TIMEOUT)

        with wrap_lancedb_errors(self.place):
            found = self._query_clauses(rank)
            if found == []:
                self._check_filters()
            return found or []

    def add_entries(self, entries: Sequence[tuple[Document, str]]) -> None:
        """Add documents to the manifest; the first ones create it."""
        rows = document_rows(entries)
        if (table := self.documents_table()) is not None:
            table.add(rows)
            if count_fragments(table) > MAX_FRAGMENTS:
                compact_table(table)
        else:
            self._connection.create_table("documents", rows)

    def add_clauses(self, documents: Iterable[pa.Table]) -> None:
        """Add the clauses of documents in large appends, then index them.

        Raises LibraryError `unreadable` where some are missing.
        """
        table: Table | None = None
        for rows in _join_tables(documents):
            self.clauses_table()  # compared before it is opened
            table = self._connection.create_table("clauses", schema=CLAUSE_SCHEMA, exist_ok=True)
            before = table.count_rows()
            table.add(rows)
            pass_step("rows added")
            if table.count_rows() != before + rows.num_rows:
                message = f"The library in {self.place} did not store all clauses."
                raise LibraryError(f"{message} Add the document again.", code="unreadable")
        if table is not None:
            update_indices(table)

    def replace_clauses(self, stored: Expr, rows: pa.Table) -> None:
        """Put the clauses of a document in place of the stored ones in one change; index them."""
        if (table := self.clauses_table()) is None:
            self.add_clauses([rows])
            return
        ids = table.search().where(stored).select(["clause_id"]).to_arrow()["clause_id"]
        if len(ids.unique()) < len(ids):  # of a clause that is there twice both would stay
            table.delete(stored)
            pass_step("rows removed")
        merge = table.merge_insert("clause_id").when_matched_update_all()
        merge = merge.when_not_matched_insert_all().when_not_matched_by_source_delete(stored)
        merge.execute(rows)
        pass_step("rows replaced")
        update_indices(table)

    def drop_vectors(self) -> None:
        """Delete the vectors, whether or not they can be read."""
        self.checksums.forget("vectors.lance")
        with suppress(ValueError):  # there are none
            self._connection.drop_table("vectors")
        self._tables.pop("vectors", None)

    def create_vectors_table(self, schema: pa.Schema) -> Table:
        """Create an empty table of vectors, in place of an existing one."""
        mode = "create" if self.vectors_table() is None else "overwrite"
        self.checksums.forget("vectors.lance")
        return self._connection.create_table("vectors", schema=schema, mode=mode)

    def mend_indices(self) -> bool:
        """Make the indices of the clauses again if no other of their files is damaged."""
        wrong = self.checksums.find_wrong("clauses")
        if not wrong or not all(name.startswith(_CLAUSE_INDICES) for name in wrong):
            return False
        with wrap_lancedb_errors(self.place):
            if (table := self._open_table("clauses", CLAUSE_SCHEMA, compared=False)) is not None:
                rebuild_indices(table)
        self.checksums.forget(_CLAUSE_INDICES)
        return True

    def salvage_manifest(self) -> Manifest:
        """Return what can be read of a damaged manifest, or of one of another version."""
        try:
            with wrap_lancedb_errors(self.place):
                self._compare_checksums("documents")
                rows = self._connection.open_table("documents").to_arrow().to_pylist()
                intact = [row for row in rows if "digest" not in row or checksum_ok(row)]
                return _manifest(intact)
        except (LibraryError, ValueError, KeyError):
            return {}

    def move_index_aside(self) -> str | None:
        """Move all tables to a place of their own; return its name, None where there were none."""
        aside = f"index-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
        return aside if self.place.move_index(aside) else None

    def create_manifest(self) -> None:
        """Create an empty manifest and forget the tables of before."""
        self._tables.clear()
        self._async_tables.clear()
        with wrap_lancedb_errors(self.place):
            self._connection.create_table("documents", schema=DOCUMENT_SCHEMA)
            pass_step("manifest created")

    @cached_property
    def _connection(self) -> DBConnection:
        return lancedb.connect(self._address, read_consistency_interval=_ALWAYS_FRESH)

    def _open_table(
        self, name: str, schema: pa.Schema | None, compared: bool = True
    ) -> Table | None:
        """Return a table, opened once; None where it is missing. Raises LibraryError `version`."""
        try:
            inode = self._inode(name)
        except OSError:
            return None
        known_inode, table = self._tables.get(name, (None, None))
        if table is None or known_inode != inode:
            if compared:
                self._compare_checksums(name)
            try:
                table = self._connection.open_table(name)
            except ValueError as error:
                if "was not found" not in str(error):
                    raise
                return None  # its writer was interrupted while creating it
            found = table.schema
            if schema and (found.names, found.metadata) != (schema.names, schema.metadata):
                raise LibraryError(
                    f"The library in {self.place} was made by another version of Scrutineer."
                    f" Run `{COMMAND} check`: it reads its documents again from their files.",
                    code="version",
                )
            self._tables[name] = inode, table
        return table

    def _compare_checksums(self, name: str) -> None:
        """Raise LibraryError `damaged` where a table's files are not as they were written."""
        if self.checksums.find_wrong(name):
            raise self._damage(f"The library in {self.place} is damaged and cannot be read.")

    def _inode(self, name: str) -> int:
        """Return what tells a table from one that took its place. Raises OSError if it is gone."""
        if not self._is_local:
            return 0  # in an object store none takes another's place while it is open
        return Path(self._address, f"{name}.lance").stat().st_ino

    def _complete_clauses(self) -> Table | None:
        """Return the clauses, None where there are none; raise `damaged` where some are missing.

        A document's rows come before its entry and go after it, so while the manifest stays the
        same there are never fewer than it promises.
        """
        while True:
            manifest, table = self.read_manifest(), self.clauses_table()
            if _count_rows(manifest) <= (0 if table is None else table.count_rows()):
                return table
            if self.read_manifest() is manifest:
                raise self._damage(f"Clauses of the library in {self.place} are gone.")

    def _fast_table(self, name: str) -> AsyncTable:
        """Return a table, which exists, for LanceDB's asynchronous interface.

        Its synchronous one fetches schema, version and index before each search, each through
        another thread, which takes as long as the search.
        """
        inode, _ = self._tables[name]
        known_inode, table = self._async_tables.get(name, (None, None))
        if table is None or known_inode != inode:
            index = lancedb.connect_async(self._address, read_consistency_interval=_ALWAYS_FRESH)
            table = _run(_run(index).open_table(name))
            self._async_tables[name] = inode, table
        return table

    def _query_clauses(self, query: Callable[[AsyncTable], Awaitable[Result]]) -> Result | None:
        """Return what a query of the clauses finds, None where there are none.

        Raises `damaged` where some are missing (`_complete_clauses`). The counts that tell are
        asked for together with the query: each trip to LanceDB's thread takes longer than a count.
        """

        async def ask(documents: AsyncTable, clauses: AsyncTable) -> tuple[int, int, Result]:
            version = await documents.version()
            return version, await clauses.count_rows(), await query(clauses)

        if self.documents_table() is not None and self.clauses_table() is not None:
            known, _, promised = self._manifest
            documents, clauses = map(self._fast_table, ("documents", "clauses"))
            version, rows, found = cast(tuple[int, int, Result], _run(ask(documents, clauses)))
            is_current = known == (self._tables["documents"][0], version)
            if is_current and promised <= rows:
                return found
        if self._complete_clauses() is None:
            return None
        return cast(Result, _run(query(self._fast_table("clauses"))))

    def _select(self, where: Expr, *columns: str) -> pa.Table:
        """Return columns of the clause rows matching a filter, in no order."""

        async def select(clauses: AsyncTable) -> pa.Table:
            return await clauses.query().where(where).select(list(columns)).to_arrow()

        with wrap_lancedb_errors(self.place):
            found = self._query_clauses(select)
            if found is None:
                return pa.table(dict.fromkeys(columns, pa.array([], pa.string())))
            if not found.num_rows:
                self._check_filters()
            return found

    def _check_filters(self) -> None:
        """Raise `damaged` where the filters of searches leave out clauses.

        Asked where nothing was found, once for each version of the table: a damaged index of a
        filter finds nothing, and says nothing.
        """
        if (table := self.clauses_table()) is None:
            return
        inode, _ = self._tables["clauses"]
        while (key := (inode, self.read_version("clauses"))) != self._filters_checked:
            if has_complete_filters(table):
                self._filters_checked = key
            elif self.read_version("clauses") == key[1]:  # not while somebody writes
                raise self._damage(f"An index of the library in {self.place} is damaged.")

    @staticmethod
    def _damage(sentence: str) -> LibraryError:
        return LibraryError(f"{sentence} {CHECK_HINT}", code="damaged")


def _run(wanted: Any) -> Any:
    """Wait for a coroutine of LanceDB, on LOOP, where LanceDB runs its own.

    0.40 documents no other way: `asyncio.run` fails inside a running loop, and a loop of our own
    would be dead after a fork. LanceDB gives LOOP no types.
    """
    return cast(Any, LOOP).run(wanted)


def _join_tables(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Join tables until they have enough rows for an append."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        if sum(each.num_rows for each in waiting) >= _APPENDED_ROWS:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


def _count_rows(manifest: Manifest) -> int:
    """Return how many rows the documents of a manifest have."""
    return sum(document.rows for document, _ in manifest.values())


def _manifest(rows: Sequence[dict[str, Any]]) -> Manifest:
    entries = [(document_from_json(row["record"]), row["file"]) for row in rows]
    entries.sort(key=lambda e: (e[0].family or "~", *e[0].edition, e[0].title, e[0].document_id))
    return {document.document_id: (document, file) for document, file in entries}
