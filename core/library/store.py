"""The library's keeping: documents and clauses in LanceDB, the files beside it. It reads no file and ranks nothing.

A document's clauses are written first and its row in the manifest last, and readers see only what the manifest
names; so a write that was cut off is never seen, and the next writer sweeps its leftovers away. What LanceDB loses all
the same (it waits for no disk) `check` finds, and reads again from the files.
"""

import errno
import logging
import os
import re
import shutil
from collections.abc import Collection, Container, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import filelock
import lancedb
import pyarrow as pa
from lancedb import col, lit
from lancedb.background_loop import LOOP
from lancedb.db import DBConnection
from lancedb.expr import Expr
from lancedb.query import FullTextQuery
from lancedb.table import AsyncTable, Table

from core.errors import LibraryError
from core.library.embedding import Embedding
from core.library.files import Entry, Files, notes_in
from core.library.indices import index
from core.library.lasting import PART
from core.library.rows import (
    CLAUSES,
    DOCUMENTS,
    VALUE,
    clause_of,
    clause_rows,
    document_of,
    document_rows,
    document_value,
    intact,
)
from core.library.types import Document, SearchMode
from core.library.words import storable
from core.rulebook.reader import Allowance
from core.rulebook.types import Clause, Given
from core.settings import Settings

LOCK = "lock"
"""The file in the folder of a library that whoever writes holds."""
LOCK_SECONDS = 60
"""How long a writer waits for another."""
DESCRIBED = ("family", "season", "issue", "date")
"""What a person may say of a document."""

Book = tuple[Document, Sequence[Clause]]
Entries = tuple[Entry, ...]
"""The manifest: documents, each with the name of its stored file."""
MEND = "Run `python -m core check`: it reads again what is damaged, from the files that the library keeps."

_CANNOT_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_WRONGLY_ASKED = ("Invalid input, Schema error", "Invalid input, Error parsing", "Invalid input, Error resolving")
"""How LanceDB tells that a question makes no sense, which is no fault of the table. All else that is invalid to it is
what it found in its files, as changing bytes of them at random shows."""
_log = logging.getLogger("scrutineer.library")


class Library:
    """Documents and their clauses in a folder. Any number may read, one at a time may write.

    `mode` is how a search ranks where it is not told, `embedding` the model that makes vectors, `allowance` what
    reading a file for it may cost.

    Every method raises LibraryError: `unreadable` where the index cannot be read or written, `damaged` where something
    in it is not as it was written, `locked` where another writer did not finish in time.
    """

    def __init__(
        self,
        folder: Path,
        mode: SearchMode = "lexical",
        embedding: Embedding = Embedding(),  # noqa: B008  # a value
        allowance: Allowance = Allowance(),  # noqa: B008  # a value
    ) -> None:
        self.folder, self.mode, self.embedding, self.allowance = folder, mode, embedding, allowance
        self.files = Files(folder / "files")
        # Each thread has its own of it, and one that holds it may enter again.
        self._lock = filelock.FileLock(folder / LOCK, mode=0o600)
        # With the number of its folder, as another library may come to stand in the same place.
        self._opened: dict[str, tuple[int, Table]] = {}
        self._direct: tuple[int, AsyncTable] | None = None
        self._read: tuple[tuple[int, int], Entries] = ((0, 0), ())

    @property
    def untouched(self) -> bool:
        """True until a first document has been added; removing all does not make a library untouched again."""
        with readable(self):
            return self._table("documents", DOCUMENTS) is None and not notes_in(self.files.folder)

    def documents(self) -> tuple[Document, ...]:
        """All documents, by family, season and issue."""
        return tuple(sorted((document for document, _ in self._manifest()), key=_order))

    def entries(self) -> Entries:
        """The manifest, in no order; for this package only."""
        return self._manifest()

    def document(self, document_id: str) -> Document:
        """The document of an id, or of the only id that begins so (8 characters or more).

        Raises LibraryError `unknown_document`.
        """
        return self._entry(document_id)[0]

    def file(self, document_id: str) -> Path | None:
        """The stored file that a document was read from, None where it is gone."""
        path = self.files.path(self._entry(document_id)[1])
        return path if path.is_file() else None

    def clauses(self, document_id: str) -> tuple[Clause, ...]:
        """All clauses of a document, whatever their status, in reading order."""
        document = self.document(document_id)
        rows = self.rows(col("document_id") == lit(document.document_id))
        if len(rows) != self.document(document.document_id).clauses:  # looked up again, as it may just have left
            told = f"Of {document.label} the index has {len(rows)} clauses in place of {document.clauses}. {MEND}"
            raise LibraryError(told, code="damaged")
        return tuple(clause_of(row, document) for row in rows)

    def clause(self, clause_id: str) -> Clause | None:
        """The clause of an id, None where there is none."""
        known = {document.document_id: document for document, _ in self._manifest()}
        rows = self.rows(col("clause_id") == lit(storable(clause_id)))
        return next(
            (clause_of(row, known[key]) for row in rows if (key := row["document_id"]) in known),
            None,
        )

    @property
    def version(self) -> int:
        """A number that every change of the clauses raises; 0 before the first."""
        with readable(self):
            table = self.table()
            return 0 if table is None else int(table.version)

    def rows(self, where: Expr) -> list[dict[str, str]]:
        """`document_id` and value of the clause rows that a filter lets through, in reading order.

        For this package only: rows of documents that are not, or not yet, in the manifest are among them.
        """
        with readable(self):
            table = self.table()
            if table is None:
                return self._none()
            found = table.search().where(where).select(["document_id", "position", *VALUE]).to_arrow()
            rows: list[dict[str, str]] = found.sort_by(
                [("document_id", "ascending"), ("position", "ascending")]
            ).to_pylist()
            return rows

    def rank(self, asked: FullTextQuery, where: Expr, k: int) -> list[dict[str, Any]]:
        """`document_id`, value and `_score` of the `k` clauses that a full-text query ranks first, within a filter.

        For this package only. LanceDB's plain interface asks for schema, version and index before each search, each
        time by way of another thread, which takes as long as the search; so this goes the direct way.
        """
        with readable(self):
            if self.table() is None:
                return self._none()
            place = self._opened["clauses"][0]
            if self._direct is None or self._direct[0] != place:
                self._direct = place, LOOP.run(self._opened_directly())  # type: ignore[no-untyped-call]  # LanceDB has none
            found = self._direct[1].query().nearest_to_text(asked).where(where)
            found = found.select(["document_id", *VALUE, "_score"]).limit(k)
            return cast(list[dict[str, Any]], LOOP.run(found.to_list()))  # type: ignore[no-untyped-call]  # as above

    def _none(self) -> list[Any]:
        """No clauses, where there should be none; never silence where the table of clauses is lost."""
        if any(document.clauses for document, _ in self._manifest()):
            raise LibraryError(f"The clauses of the library in {self.folder} are gone. {MEND}", code="damaged")
        return []

    async def _opened_directly(self) -> AsyncTable:
        index = await lancedb.connect_async(
            str((self.folder / "index").absolute()), read_consistency_interval=timedelta(0)
        )
        return await index.open_table("clauses")

    def table(self) -> Table | None:
        """The clauses as LanceDB has them, None before the first; for this package only."""
        return self._table("clauses", CLAUSES)

    def vectors(self) -> Table | None:
        """The vectors as LanceDB has them, whosever they are; for this package only, like the next two."""
        return self._table("vectors", None)

    def drop_vectors(self) -> None:
        """Do without vectors, whether or not they can be read; they are made again when they are needed."""
        if (self.folder / "index" / "vectors.lance").is_dir():
            self._index.drop_table("vectors")
        self._opened.pop("vectors", None)

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
                self._keep(file, suffix, new)
            return [
                (known.get(document.document_id, document), document.document_id not in known) for document, _ in books
            ]

    def keep_file(self, file: bytes, document: Document) -> None:
        """Store the file of a document again, where it is gone or changed."""
        name = self._entry(document.document_id)[1]
        if not self.files.whole(name):
            with self.writing():
                self.files.store(file, Path(name).suffix)

    def keep_again(self, name: str, book: Book) -> None:
        """Put a document that was read again from its stored file in place of what the index has of it.

        For `check` only. Cut off in the middle, it leaves a document that lacks clauses, which `check` finds again.
        """
        document, clauses = book
        with self.writing():
            for table in (self.table(), self.vectors()):
                if table is not None:
                    table.delete(_about(document))
            self._write_clauses(clause_rows(clauses))
            if any(held.document_id == document.document_id for held, _ in self._manifest()):
                self._documents.update(_about(document), document_value(document))
            else:
                self._write_manifest(document_rows([(document, name)]))
            self.files.note(document, name)

    def remove(self, document_id: str) -> Document:
        """Take a document out. Raises LibraryError `unknown_document`."""
        with self.writing():
            document = self.document(document_id)
            self.files.forget(document.document_id)
            self._documents.delete(_about(document))
            self._sweep()
            return document

    def describe(self, document_id: str, given: Given, cleared: Collection[str] = ()) -> Document:
        """Correct what a document is; fields of `given` that are None stay as they were, those `cleared` are not known.

        Raises LibraryError `unknown_document`.
        """
        with self.writing():
            document = described(self.document(document_id), given, cleared)
            name = self._entry(document_id)[1]
            self._documents.update(_about(document), document_value(document))
            self.files.note(document, name)
            return document

    def repair(self) -> tuple[str, ...]:
        """Undo what a process that ended in the middle of a change left, unless another is just writing.

        A sentence for each thing that was done. To be called when a program starts.
        """
        if not self.folder.is_dir():
            return ()
        try:
            with self.writing(0.0) as done:
                return (*done, *self._sweep_temporary())
        except LibraryError as error:
            if error.code == "locked":
                return ()
            raise

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
            except ValueError as error:
                if "was not found" not in str(error):
                    raise
                return None  # a writer was cut off while making it
            self._check(table, schema)
            self._opened[name] = folder.st_ino, table
        return table

    def _check(self, table: Table, schema: pa.Schema | None) -> None:
        if schema is not None and (table.schema.names, table.schema.metadata) != (schema.names, schema.metadata):
            raise LibraryError(
                f"The library in {self.folder} was made by another version of Scrutineer."
                " Run `python -m core check`: it reads its documents again from the files that it keeps.",
                code="version",
            )

    def _manifest(self) -> Entries:
        with readable(self):
            table = self._table("documents", DOCUMENTS)
            if table is None:
                if notes_in(self.files.folder):
                    raise LibraryError(f"The index of the library in {self.folder} is gone. {MEND}", code="damaged")
                return ()
            key = self._opened["documents"][0], int(table.version)
            if self._read[0] != key:
                rows = table.to_arrow().to_pylist()
                if not all(map(intact, rows)):
                    raise LibraryError(
                        f"The list of documents in {self.folder} is not as it was written. {MEND}", code="damaged"
                    )
                self._read = key, tuple((document_of(row["record"]), row["file"]) for row in rows)
            return self._read[1]

    def _entry(self, document_id: str) -> tuple[Document, str]:
        found = [entry for entry in self._manifest() if entry[0].is_called(document_id)]
        if len(found) == 1:
            return found[0]
        several = f"{len(found)} documents have an id that begins so: give more of it"
        raise LibraryError(
            f"The library holds no single document {document_id[:80]}:"
            f" {several if found else 'look at the list of documents for its id'}.",
            code="unknown_document",
        )

    @contextmanager
    def writing(self, wait: float = LOCK_SECONDS) -> Iterator[tuple[str, ...]]:
        """Alone with the library, and rid of what a writer before left unfinished: a sentence for each such thing.

        For this package and for backups only. Waits so many seconds for another writer.
        """
        with self.alone(wait), readable(self):
            yield self._sweep()

    @contextmanager
    def alone(self, wait: float = LOCK_SECONDS) -> Iterator[None]:
        """Alone with the library as it is; for this package only, which else asks for `writing`."""
        try:
            for folder in (self.folder, self.files.folder, self.folder / "index"):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._lock.acquire(timeout=wait):
                yield
        except filelock.Timeout as error:
            raise LibraryError(
                f"The library in {self.folder} is being changed by another program."
                " Wait until that has finished and try again.",
                code="locked",
            ) from error
        except OSError as error:
            raise _unwritable(self, error.strerror or str(error)) from error

    def begin_anew(self) -> Path | None:
        """Put the index aside and begin an empty one; tells where it is now, None where there was none.

        For `check` only. What the index still tells of its documents is noted beside their files, where it is not yet;
        files of which nothing is known go with the old index.
        """
        with self.alone(LOCK_SECONDS):
            noted = self.files.noted()
            for document, name in self._told_once():
                if document.document_id not in noted:
                    self.files.note(document, name)
            index, aside = self.folder / "index", None
            if any(index.iterdir()):
                aside = self.folder / f"index-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
                index.rename(aside)
                self.files.put_aside(aside)
            self._opened.clear()
            self._direct = None
            with readable(self):
                self._index.create_table("documents", schema=DOCUMENTS)
            return aside

    def _told_once(self) -> Entries:
        """The manifest as far as it can be read, of whatever version."""
        try:
            with readable(self):
                rows = self._index.open_table("documents").to_arrow().to_pylist()
                told = [row for row in rows if "digest" not in row or intact(row)]
                return tuple((document_of(row["record"]), row["file"]) for row in told)
        except (LibraryError, ValueError, KeyError):
            return ()

    def _sweep(self) -> tuple[str, ...]:
        """Remove clauses, vectors and files that no document in the manifest has."""
        entries = self._manifest()
        known = {document.document_id for document, _ in entries}
        told = []
        table = self.table()
        if table is not None and table.count_rows() != sum(document.clauses for document, _ in entries):
            told += [
                f"Clauses of a document that was not added to its end were removed ({orphan[:12]})."
                for orphan in _sweep_rows(table, known)
            ]
        if (vectors := self.vectors()) is not None:
            _sweep_rows(vectors, known)
        if removed := self.files.sweep(entries):
            told.append(f"{removed} stored files that belong to no document were removed.")
        for sentence in told:
            _log.warning(sentence)
        return tuple(told)

    def _sweep_temporary(self) -> tuple[str, ...]:
        """Remove what LanceDB, and a backup, leave when they are cut off; only while nobody writes."""
        left = [path for path in (self.folder / "index").rglob(".tmp*") if path.is_file()]
        left += [path for path in self.folder.glob(".*.part") if path.is_file()]
        for path in left:
            with suppress(FileNotFoundError):
                path.unlink()
        told = [f"{len(left)} temporary files were removed."] if left else []
        if sweep_beside(self.folder.resolve()):
            told.append("What was left of a backup that was not taken back to its end was removed.")
        return tuple(told)

    def _keep(self, file: bytes, suffix: str, books: Sequence[Book]) -> None:
        """All or nothing; what is left of a failure goes at once, as the room that it takes may be what lacks."""
        try:
            with readable(self):
                name = self.files.store(file, suffix)
                self._write_clauses(pa.concat_tables([clause_rows(clauses) for _, clauses in books]))
                self._write_manifest(document_rows((document, name) for document, _ in books))
                for document, _ in books:
                    self.files.note(document, name)
        except (OSError, LibraryError):
            with suppress(OSError, LibraryError), readable(self):
                self._sweep()
            raise

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
        index(table)
        if table.count_rows() != before + rows.num_rows:
            raise LibraryError(
                f"The library in {self.folder} did not take all clauses. Add the document again.",
                code="unreadable",
            )


def library_of(settings: Settings) -> Library:
    """The library that the settings name, searched as they say."""
    embedding = Embedding(settings.embedding, settings.embedding_model)
    allowance = Allowance(
        settings.reading_page_seconds,
        settings.reading_seconds,
        settings.reading_memory_mb << 20,
        settings.reading_max_pages,
        scans=settings.reading_scans,
    )
    return Library(settings.data_dir, settings.search_mode, embedding, allowance)


def sweep_beside(folder: Path) -> int:
    """Remove the folders beside a library's that were to take its place when a kill came; how many. One that is being
    filled is held by its lock.
    """
    removed = 0
    for left in folder.parent.glob(f".{folder.name}.*{PART}"):
        with suppress(OSError), filelock.FileLock(left / LOCK, timeout=0, mode=0o600):
            shutil.rmtree(left)
            removed += 1
    return removed


def _sweep_rows(table: Table, known: Container[str]) -> list[str]:
    """Remove the rows of documents that are not known, and tell which."""
    held = table.search().select(["document_id"]).to_arrow()["document_id"].unique().to_pylist()
    orphans = [document_id for document_id in held if document_id not in known]
    for orphan in orphans:
        table.delete(col("document_id") == lit(orphan))
    return orphans


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


def readable(library: Library) -> AbstractContextManager[object]:
    """Around what LanceDB does: damage and full disks, told alike by it, become LibraryErrors; nothing else does."""

    def tell(_kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None or not _tells_damage(error):
            return
        number = _OS_ERROR.search(str(error))
        if number and int(number[1]) in _CANNOT_WRITE:
            raise _unwritable(library, os.strerror(int(number[1]))) from error
        told = f"The library in {library.folder} is damaged and cannot be read. {MEND}"
        raise LibraryError(told, code="damaged") from error

    stack = ExitStack()
    stack.push(tell)
    return stack


def _tells_damage(error: BaseException) -> bool:
    """True where LanceDB says that it cannot read or write, or that it read what cannot be."""
    match error:
        case UnicodeDecodeError() | pa.ArrowException():
            return True
        case RuntimeError():
            return str(error).startswith("lance error")
        case ValueError():
            return str(error).startswith("Invalid input") and not str(error).startswith(_WRONGLY_ASKED)
        case _:
            return type(error).__name__ == "RustPanic"  # a class that no module gives


def _unwritable(library: Library, reason: str) -> LibraryError:
    return LibraryError(
        f"The library in {library.folder} cannot be written: {reason}."
        " Check the folder's permissions and the free space.",
        code="unreadable",
    )
