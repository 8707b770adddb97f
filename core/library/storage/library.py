"""The library's face: its documents told, given out, added, corrected and removed, one writer at a time.

A document's clauses are written first and its row in the manifest last, and readers see only what the manifest
names; so a write that was cut off is never seen, and the next writer sweeps its leftovers away. What LanceDB loses all
the same (it waits for no disk) `check` finds, and reads again from the files. How tables are kept is said in `tables`.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import filelock
import pyarrow as pa
from lancedb import col, lit
from lancedb.expr import Expr

from core.errors import LibraryError
from core.library.embedding.models import EmbeddingModel
from core.library.spelling import strip_unstorable
from core.library.storage.cleanup import LOCK_FILE, clean_up_library, remove_temporary_files
from core.library.storage.errors import CHECK_HINT, unwritable_error, wrap_lancedb_errors
from core.library.storage.files import FileStore, ManifestEntry, contains_notes
from core.library.storage.schema import clause_from_row, clause_rows, document_value
from core.library.storage.tables import Index
from core.library.types import Document, SearchMode
from core.rulebook import Clause, MetadataOverride, ReadLimits
from core.settings import Settings

LOCK_SECONDS = 60
"""How long a writer waits for another."""
METADATA_FIELDS = ("family", "season", "issue", "date")
"""What a person may say of a document."""

ParsedDocument = tuple[Document, Sequence[Clause]]


class Library:
    """Documents and their clauses in a folder. Any number may read, one at a time may write.

    `mode` is how a search ranks where it is not told, `embedding` the model that makes vectors, `allowance` what
    reading a file for it may cost. `files` and `tables` are for `core.library` only.

    Every method raises LibraryError: `unreadable` where the index cannot be read or written, `damaged` where something
    in it is not as it was written, `locked` where another writer did not finish in time.
    """

    def __init__(
        self,
        folder: Path,
        mode: SearchMode = "lexical",
        embedding: EmbeddingModel = EmbeddingModel(),  # noqa: B008  # a value
        read_limits: ReadLimits = ReadLimits(),  # noqa: B008  # a value
    ) -> None:
        self.folder, self.mode, self.embedding, self.allowance = (
            folder,
            mode,
            embedding,
            read_limits,
        )
        self.files = FileStore(folder / "files")
        self.tables = Index(folder)
        # Each thread has its own of it, and one that holds it may enter again.
        self._lock = filelock.FileLock(folder / LOCK_FILE, mode=0o600)

    @property
    def untouched(self) -> bool:
        """True until a first document has been added; removing all does not make a library untouched again."""
        with wrap_lancedb_errors(self.folder):
            return self.tables.documents_table() is None and not contains_notes(self.files.folder)

    @property
    def version(self) -> int:
        """A number that every change of the clauses raises; 0 before the first."""
        with wrap_lancedb_errors(self.folder):
            table = self.tables.clauses_table()
            return 0 if table is None else int(table.version)

    def documents(self) -> tuple[Document, ...]:
        """All documents, by family, season and issue."""
        return tuple(sorted((document for document, _ in self.tables.read_manifest()), key=_order))

    def document(self, document_id: str) -> Document:
        """The document of an id, or of the only id that begins so (8 characters or more).

        Raises LibraryError `unknown_document`.
        """
        return self._entry(document_id)[0]

    def stored_file(self, document_id: str) -> Path | None:
        """The stored file that a document was read from, None where it is gone."""
        path = self.files.file_path(self._entry(document_id)[1])
        return path if path.is_file() else None

    def clauses(self, document_id: str) -> tuple[Clause, ...]:
        """All clauses of a document, whatever their status, in reading order."""
        document = self.document(document_id)
        rows = self.tables.read_rows(_about(document))
        if (
            len(rows) != self.document(document.document_id).clauses
        ):  # looked up again, as it may just have left
            told = f"Of {document.label} the index has {len(rows)} clauses in place of {document.clauses}. {CHECK_HINT}"
            raise LibraryError(told, code="damaged")
        return tuple(clause_from_row(row, document) for row in rows)

    def clause(self, clause_id: str) -> Clause | None:
        """The clause of an id, None where there is none."""
        known = {document.document_id: document for document, _ in self.tables.read_manifest()}
        rows = self.tables.read_rows(col("clause_id") == lit(strip_unstorable(clause_id)))
        return next(
            (
                clause_from_row(row, known[key])
                for row in rows
                if (key := row["document_id"]) in known
            ),
            None,
        )

    def add_documents(
        self, file: bytes, suffix: str, books: Sequence[ParsedDocument]
    ) -> list[tuple[Document, bool]]:
        """Add documents that were read from one file, and tell of each whether it was new.

        One that the library holds already stays as it is.
        """
        with self.lock_for_writing():
            known = {document.document_id: document for document, _ in self.tables.read_manifest()}
            new = [
                (document, clauses)
                for document, clauses in books
                if document.document_id not in known
            ]
            if new:
                self._keep(file, suffix, new)
            return [
                (known.get(document.document_id, document), document.document_id not in known)
                for document, _ in books
            ]

    def restore_file(self, file: bytes, document: Document) -> None:
        """Store the file of a document again, where it is gone or changed."""
        name = self._entry(document.document_id)[1]
        if not self.files.is_intact(name):
            with self.lock_for_writing():
                self.files.store_file(file, Path(name).suffix)

    def replace_document(self, name: str, book: ParsedDocument) -> None:
        """Put a document that was read again from its stored file in place of what the index has of it.

        For `check` only. Cut off in the middle, it leaves a document that lacks clauses, which `check` finds again.
        """
        document, clauses = book
        with self.lock_for_writing():
            for table in (self.tables.clauses_table(), self.tables.vectors_table()):
                if table is not None:
                    table.delete(_about(document))
            self.tables.add_clauses(clause_rows(clauses))
            if any(
                held.document_id == document.document_id for held, _ in self.tables.read_manifest()
            ):
                self.tables.manifest_table.update(_about(document), document_value(document))
            else:
                self.tables.add_entries([(document, name)])
            self.files.write_note(document, name)

    def remove_document(self, document_id: str) -> Document:
        """Take a document out. Raises LibraryError `unknown_document`."""
        with self.lock_for_writing():
            document = self.document(document_id)
            self.files.remove_note(document.document_id)
            self.tables.manifest_table.delete(_about(document))
            clean_up_library(self.tables, self.files)
            return document

    def correct_metadata(
        self, document_id: str, override: MetadataOverride, cleared_fields: Collection[str] = ()
    ) -> Document:
        """Correct what a document is; fields of `given` that are None stay as they were, those `cleared` are not known.

        Raises LibraryError `unknown_document`.
        """
        with self.lock_for_writing():
            document = override_metadata(self.document(document_id), override, cleared_fields)
            name = self._entry(document_id)[1]
            self.tables.manifest_table.update(_about(document), document_value(document))
            self.files.write_note(document, name)
            return document

    def clean_up_leftovers(self) -> tuple[str, ...]:
        """Undo what a process that ended in the middle of a change left, unless another is just writing.

        A sentence for each thing that was done. To be called when a program starts.
        """
        if not self.folder.is_dir():
            return ()
        try:
            with self.lock_for_writing(0.0) as done:
                return (*done, *remove_temporary_files(self.folder))
        except LibraryError as error:
            if error.code == "locked":
                return ()
            raise

    def reset_index(self) -> Path | None:
        """Put the index aside and begin an empty one; tells where it is now, None where there was none.

        For `check` only. What the index still tells of its documents is noted beside their files, where it is not yet;
        files of which nothing is known go with the old index.
        """
        with self.lock_without_cleanup(LOCK_SECONDS):
            noted = self.files.read_notes()
            for document, name in self.tables.salvage_manifest():
                if document.document_id not in noted:
                    self.files.write_note(document, name)
            aside = self.tables.move_index_aside()
            if aside:
                self.files.move_unknown_files(aside)
            self.tables.create_manifest()
            return aside

    @contextmanager
    def lock_for_writing(self, timeout: float = LOCK_SECONDS) -> Iterator[tuple[str, ...]]:
        """Alone with the library, and rid of what a writer before left unfinished: a sentence for each such thing.

        For `core.library` and for backups only. Waits so many seconds for another writer.
        """
        with self.lock_without_cleanup(timeout), wrap_lancedb_errors(self.folder):
            yield clean_up_library(self.tables, self.files)

    @contextmanager
    def lock_without_cleanup(self, timeout: float = LOCK_SECONDS) -> Iterator[None]:
        """Alone with the library as it is; for `core.library` only, which else asks for `writing`."""
        try:
            for folder in (self.folder, self.files.folder, self.folder / "index"):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._lock.acquire(timeout=timeout):
                yield
        except filelock.Timeout as error:
            raise LibraryError(
                f"The library in {self.folder} is being changed by another program."
                " Wait until that has finished and try again.",
                code="locked",
            ) from error
        except OSError as error:
            raise unwritable_error(self.folder, error.strerror or str(error)) from error

    def _entry(self, document_id: str) -> ManifestEntry:
        found = [entry for entry in self.tables.read_manifest() if entry[0].matches_id(document_id)]
        if len(found) == 1:
            return found[0]
        several = f"{len(found)} documents have an id that begins so: give more of it"
        raise LibraryError(
            f"The library holds no single document {document_id[:80]}:"
            f" {several if found else 'look at the list of documents for its id'}.",
            code="unknown_document",
        )

    def _keep(self, file: bytes, suffix: str, books: Sequence[ParsedDocument]) -> None:
        """All or nothing; what is left of a failure goes at once, as the room that it takes may be what lacks."""
        try:
            with wrap_lancedb_errors(self.folder):
                name = self.files.store_file(file, suffix)
                self.tables.add_clauses(
                    pa.concat_tables([clause_rows(clauses) for _, clauses in books])
                )
                self.tables.add_entries([(document, name) for document, _ in books])
                for document, _ in books:
                    self.files.write_note(document, name)
        except (OSError, LibraryError):
            with suppress(OSError, LibraryError), wrap_lancedb_errors(self.folder):
                clean_up_library(self.tables, self.files)
            raise


def open_library(settings: Settings) -> Library:
    """The library that the settings name, searched as they say."""
    embedding = EmbeddingModel(settings.embedding, settings.embedding_model)
    allowance = ReadLimits(
        settings.reading_page_seconds,
        settings.reading_seconds,
        settings.reading_memory_mb << 20,
        settings.reading_max_pages,
        read_scans=settings.reading_scans,
    )
    return Library(settings.data_dir, settings.search_mode, embedding, allowance)


def override_metadata(
    document: Document, override: MetadataOverride, cleared_fields: Collection[str] = ()
) -> Document:
    """A document with what a person says it is; the fields `cleared` are no longer known."""
    fields = {
        name: value for name in METADATA_FIELDS if (value := getattr(override, name)) is not None
    }
    fields |= dict.fromkeys(cleared_fields)
    return replace(
        document, **fields, sources={**document.sources, **dict.fromkeys(fields, "given")}
    )


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
