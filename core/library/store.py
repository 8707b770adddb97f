"""The library's keeping: documents and clauses in LanceDB, the files beside it. It reads no file and ranks nothing.

A document's clauses are written first and its row in the manifest last, and readers see only what the manifest
names; so a write that was cut off is never seen, and the next writer sweeps its leftovers away.
"""

import os
from collections.abc import Collection, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import filelock
import lancedb
import pyarrow as pa
from lancedb import col, lit
from lancedb.background_loop import LOOP
from lancedb.db import DBConnection
from lancedb.expr import Expr
from lancedb.index import FTS, Bitmap, BTree
from lancedb.query import FullTextQuery
from lancedb.table import AsyncTable, Table

from core.errors import LibraryError
from core.library.embedding import Embedding
from core.library.rows import (
    CLAUSES,
    DOCUMENTS,
    SEARCHED,
    clause_of,
    clause_rows,
    document_of,
    document_record,
    document_rows,
)
from core.library.types import Document, SearchMode
from core.library.words import storable
from core.rulebook.types import Clause, Given
from core.settings import Settings

LOCK_SECONDS = 60
"""How long a writer waits for another."""
DESCRIBED = ("family", "season", "issue", "date")
"""What a person may say of a document."""
PREFIX_LENGTH = 8
"""Characters of a document's id that may stand for the whole."""

Book = tuple[Document, Sequence[Clause]]
Entries = tuple[tuple[Document, str], ...]
"""The manifest: documents, each with the name of its stored file."""

_WORDS = FTS(with_position=True, remove_stop_words=False)
"""Stop words stay: "shall not" is not "shall", and a search for "not" finds something. Positions serve phrases."""
_INDICES: dict[str, FTS | Bitmap | BTree] = {
    **dict.fromkeys(SEARCHED, _WORDS),
    **dict.fromkeys(("document_id", "status", "heading"), Bitmap()),
    **dict.fromkeys(("key", "clause_id"), BTree()),
}


class Library:
    """Documents and their clauses in a folder. Any number may read, one at a time may write.

    `mode` is how a search ranks where it is not told, `embedding` the model that makes vectors.

    Every method raises LibraryError: `unreadable` where the index cannot be read, `locked` where another writer
    did not finish in time.
    """

    def __init__(
        self,
        folder: Path,
        mode: SearchMode = "lexical",
        embedding: Embedding = Embedding(),  # noqa: B008  # a value
    ) -> None:
        self.folder, self.mode, self.embedding = folder, mode, embedding
        # With the number of its folder, as another library may come to stand in the same place.
        self._opened: dict[str, tuple[int, Table]] = {}
        self._direct: tuple[int, AsyncTable] | None = None
        self._read: tuple[tuple[int, int], Entries] = ((0, 0), ())

    @property
    def untouched(self) -> bool:
        """True until a first document has been added; removing all does not make a library untouched again."""
        with readable(self):
            return self._table("documents", DOCUMENTS) is None

    def documents(self) -> tuple[Document, ...]:
        """All documents, by family, season and issue."""
        return tuple(sorted((document for document, _ in self._manifest()), key=_order))

    def document(self, document_id: str) -> Document:
        """The document of an id, or of the only id that begins so (8 characters or more).

        Raises LibraryError `unknown_document`.
        """
        return self._entry(document_id)[0]

    def file(self, document_id: str) -> Path | None:
        """The stored file that a document was read from, None where it is gone."""
        path = self._files / self._entry(document_id)[1]
        return path if path.is_file() else None

    def clauses(self, document_id: str) -> tuple[Clause, ...]:
        """All clauses of a document, whatever their status, in reading order."""
        document = self.document(document_id)
        rows = self.rows(col("document_id") == lit(document.document_id))
        return tuple(clause_of(row["record"], document) for row in rows)

    def clause(self, clause_id: str) -> Clause | None:
        """The clause of an id, None where there is none."""
        known = {document.document_id: document for document, _ in self._manifest()}
        rows = self.rows(col("clause_id") == lit(storable(clause_id)))
        return next(
            (clause_of(row["record"], known[key]) for row in rows if (key := row["document_id"]) in known),
            None,
        )

    @property
    def version(self) -> int:
        """A number that every change of the clauses raises; 0 before the first."""
        with readable(self):
            table = self.table()
            return 0 if table is None else int(table.version)

    def rows(self, where: Expr) -> list[dict[str, str]]:
        """`document_id` and `record` of the clause rows that a filter lets through, in reading order.

        For this package only: rows of documents that are not, or not yet, in the manifest are among them.
        """
        with readable(self):
            table = self.table()
            if table is None:
                return []
            found = table.search().where(where).select(["document_id", "position", "record"]).to_arrow()
            rows: list[dict[str, str]] = found.sort_by(
                [("document_id", "ascending"), ("position", "ascending")]
            ).to_pylist()
            return rows

    def rank(self, asked: FullTextQuery, where: Expr, k: int) -> list[dict[str, Any]]:
        """`document_id`, `record` and `_score` of the `k` clauses that a full-text query ranks first, within a filter.

        For this package only. LanceDB's plain interface asks for schema, version and index before each search, each
        time by way of another thread, which takes as long as the search; so this goes the direct way.
        """
        with readable(self):
            if self.table() is None:
                return []
            place = self._opened["clauses"][0]
            if self._direct is None or self._direct[0] != place:
                self._direct = place, LOOP.run(self._opened_directly())  # type: ignore[no-untyped-call]  # LanceDB has none
            found = self._direct[1].query().nearest_to_text(asked).where(where)
            found = found.select(["document_id", "record", "_score"]).limit(k)
            return cast(list[dict[str, Any]], LOOP.run(found.to_list()))  # type: ignore[no-untyped-call]  # as above

    async def _opened_directly(self) -> AsyncTable:
        index = await lancedb.connect_async(
            str((self.folder / "index").absolute()), read_consistency_interval=timedelta(0)
        )
        return await index.open_table("clauses")

    def table(self) -> Table | None:
        """The clauses as LanceDB has them, None before the first; for this package only."""
        return self._table("clauses", CLAUSES)

    def vectors(self) -> Table | None:
        """The vectors as LanceDB has them, whosever they are; for this package only, like `new_vectors`."""
        return self._table("vectors", None)

    def new_vectors(self, schema: pa.Schema) -> Table:
        """An empty table of vectors in place of any that there was."""
        mode = "create" if self.vectors() is None else "overwrite"
        return self._index.create_table("vectors", schema=schema, mode=mode)

    def keep(self, file: bytes, suffix: str, books: Sequence[Book]) -> list[tuple[Document, bool]]:
        """Add documents that were read from one file, and tell of each whether it was new.

        One that the library holds already stays as it is.
        """
        with self.writing():
            known = {document.document_id: document for document, _ in self._manifest()}
            new = [(document, clauses) for document, clauses in books if document.document_id not in known]
            if new:
                name = self._store(file, suffix)
                self._write_clauses(pa.concat_tables([clause_rows(clauses) for _, clauses in new]))
                self._write_manifest(document_rows((document, name) for document, _ in new))
            return [
                (known.get(document.document_id, document), document.document_id not in known) for document, _ in books
            ]

    def remove(self, document_id: str) -> Document:
        """Take a document out. Raises LibraryError `unknown_document`."""
        with self.writing():
            document = self.document(document_id)
            self._documents.delete(_about(document))
            self._sweep()
            return document

    def describe(self, document_id: str, given: Given, cleared: Collection[str] = ()) -> Document:
        """Correct what a document is; fields of `given` that are None stay as they were, those `cleared` are not known.

        Raises LibraryError `unknown_document`.
        """
        with self.writing():
            document = described(self.document(document_id), given, cleared)
            self._documents.update(_about(document), {"record": document_record(document)})
            return document

    @property
    def _files(self) -> Path:
        return self.folder / "files"

    @cached_property
    def _index(self) -> DBConnection:
        # Without the zero interval a connection would go on showing the state in which it first saw a table.
        return lancedb.connect(str(self.folder / "index"), read_consistency_interval=timedelta(0))

    @property
    def _documents(self) -> Table:
        table = self._table("documents", DOCUMENTS)
        assert table is not None, "there is a manifest where there is a document"
        return table

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
            except ValueError:  # a writer was cut off while making it
                return None
            self._check(table, schema)
            self._opened[name] = folder.st_ino, table
        return table

    def _check(self, table: Table, schema: pa.Schema | None) -> None:
        if schema is not None and table.schema.names != schema.names:
            raise LibraryError(
                f"The library in {self.folder} was made by another version of Scrutineer."
                " Move that folder away and add the documents again.",
                code="unreadable",
            )

    def _manifest(self) -> Entries:
        with readable(self):
            table = self._table("documents", DOCUMENTS)
            if table is None:
                return ()
            key = self._opened["documents"][0], int(table.version)
            if self._read[0] != key:
                rows = table.to_arrow().to_pylist()
                self._read = key, tuple((document_of(row["record"]), row["file"]) for row in rows)
            return self._read[1]

    def _entry(self, document_id: str) -> tuple[Document, str]:
        wanted = document_id.strip().lower()
        entries = self._manifest()
        found = [
            entry
            for entry in entries
            if entry[0].document_id == wanted
            or (len(wanted) >= PREFIX_LENGTH and entry[0].document_id.startswith(wanted))
        ]
        if len(found) == 1:
            return found[0]
        several = f"{len(found)} documents have an id that begins so: give more of it"
        raise LibraryError(
            f"The library holds no single document {document_id[:80]}:"
            f" {several if found else 'look at the list of documents for its id'}.",
            code="unknown_document",
        )

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Alone with the library, and rid of what a writer before left unfinished; for this package only."""
        try:
            for folder in (self.folder, self._files, self.folder / "index"):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with filelock.FileLock(self.folder / "lock", timeout=LOCK_SECONDS, mode=0o600), readable(self):
                self._sweep()
                yield
        except filelock.Timeout as error:
            raise LibraryError(
                f"The library in {self.folder} is being changed by another program."
                " Wait until that has finished and try again.",
                code="locked",
            ) from error
        except OSError as error:
            raise LibraryError(
                f"The library in {self.folder} cannot be written: {error.strerror or error}."
                " Check the folder's permissions and the free space.",
                code="unreadable",
            ) from error

    def _sweep(self) -> None:
        """Remove clauses and files that no document in the manifest has."""
        entries = self._manifest()
        known = {document.document_id for document, _ in entries}
        table = self.table()
        if table is not None and table.count_rows() != sum(document.clauses for document, _ in entries):
            _sweep_rows(table, known)
        if (vectors := self.vectors()) is not None:
            _sweep_rows(vectors, known)
        names = {name for _, name in entries}
        for path in self._files.iterdir():
            if path.name not in names:
                path.unlink()

    def _store(self, file: bytes, suffix: str) -> str:
        name = f"{sha256(file).hexdigest()}{suffix}"
        part = self._files / f"{name}.part"
        with open(part, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as target:
            target.write(file)
        part.replace(self._files / name)
        return name

    def _write_manifest(self, rows: pa.Table) -> None:
        # The table comes into being with its first rows: an untouched library has none.
        if (table := self._table("documents", DOCUMENTS)) is not None:
            table.add(rows)
        else:
            self._index.create_table("documents", rows)

    def _write_clauses(self, rows: pa.Table) -> None:
        table = self._index.create_table("clauses", schema=CLAUSES, exist_ok=True)
        before = table.count_rows()
        table.add(rows)
        indexed = {column for index in table.list_indices() for column in index.columns}
        for column, index in _INDICES.items():
            if column not in indexed:
                table.create_index(column, config=index)
        table.optimize()
        if table.count_rows() != before + rows.num_rows:
            raise LibraryError(
                f"The library in {self.folder} did not take all clauses. Add the document again.",
                code="unreadable",
            )


def library_of(settings: Settings) -> Library:
    """The library that the settings name, searched as they say."""
    embedding = Embedding(settings.embedding, settings.embedding_model)
    return Library(settings.data_dir, settings.search_mode, embedding)


def _sweep_rows(table: Table, known: Container[str]) -> None:
    kept = table.search().select(["document_id"]).to_arrow()["document_id"].unique().to_pylist()
    for orphan in kept:
        if orphan not in known:
            table.delete(col("document_id") == lit(orphan))


def described(document: Document, given: Given, cleared: Collection[str] = ()) -> Document:
    """A document with what a person says it is; the fields `cleared` are no longer known."""
    fields = {name: value for name in DESCRIBED if (value := getattr(given, name)) is not None}
    fields |= dict.fromkeys(cleared)
    return replace(document, **fields, sources={**document.sources, **dict.fromkeys(fields, "given")})


def _about(document: Document) -> Expr:
    return col("document_id") == lit(document.document_id)


def _order(document: Document) -> tuple[object, ...]:
    return (
        document.family or "~",
        document.season or 0,
        document.issue or 0,
        document.title,
        document.document_id,
    )


@contextmanager
def readable(library: Library) -> Iterator[None]:
    """LanceDB tells damage of all kinds as RuntimeError."""
    try:
        yield
    except RuntimeError as error:
        raise LibraryError(
            f"The library in {library.folder} is damaged and cannot be read."
            " Move that folder away and add the documents again.",
            code="unreadable",
        ) from error
