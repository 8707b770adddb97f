"""The library: its documents listed, read, added, corrected and removed, by one writer at a time.

The clauses of a document are written before its row in the manifest, and readers see only what the
manifest names. So an interrupted write is never seen, and the next writer removes its remains.
LanceDB does not sync to the disk; what a power failure loses, `check` reads again from the files.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from threading import local
from typing import Any

import filelock
import pyarrow as pa
from lancedb import col, lit
from lancedb.expr import Expr

from core.choices import SearchMode
from core.errors import LibraryError
from core.library.embedding.models import EmbeddingModel
from core.library.layers import Layers, carry_relations
from core.library.samples import sample_ids
from core.library.spelling import strip_unstorable
from core.library.storage.cleanup import (
    LOCK_FILE,
    clean_up_library,
    make_restore_folder,
    remove_derived_files,
    remove_temporary_files,
    remove_unknown_documents,
)
from core.library.storage.errors import CHECK_HINT, unwritable_error, wrap_lancedb_errors
from core.library.storage.files import FileStore
from core.library.storage.places import LibraryPlace
from core.library.storage.schema import clause_rows, clauses_from_rows, document_value
from core.library.storage.tables import Index
from core.library.storage.writer_lease import WriterLease, locked_error
from core.library.types import Document, Relation, matches_id
from core.rulebook import Clause, MetadataOverride, ReadingWarning, ReadLimits, is_day
from core.settings import Settings
from core.write_steps import pass_step

LOCK_SECONDS = 60  # a writer waits for another
ParsedDocument = tuple[Document, Sequence[Clause]]


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The bytes of a file, and its documents with their rows as `clause_rows` makes them."""

    data: bytes
    suffix: str
    documents: Sequence[tuple[Document, pa.Table]]


class Snapshot:
    """What a library holds, each thing as it was when it was first asked for."""

    def __init__(self, library: "Library", is_pinned: bool = False) -> None:
        self._library, self._is_pinned = library, is_pinned

    @cached_property
    def version(self) -> int:
        library = self._library
        with wrap_lancedb_errors(library.place):
            is_new = library.tables.clauses_table() is None
            return 0 if is_new else library.tables.read_version("clauses")

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """All documents from the index, compared with their notes.

        A document gets its note last and loses it first, so one that has a note and is not in the
        manifest is damage: an older state of the index would pass for the newest.
        """
        if self._is_pinned:  # read before them: never older documents under a newer version
            _ = self.version
        files = self._library.files
        noted = files.noted_ids()
        manifest = self._library.tables.read_manifest()
        lost = [missing for missing in noted - manifest.keys() if files.read_note(missing)]
        if lost:
            raise LibraryError(
                f"The index of the library in {self._library.folder} lacks {len(lost)} of its"
                f" documents. {CHECK_HINT}",
                code="damaged",
            )
        return tuple(document for document, _ in manifest.values())

    @cached_property
    def state(self) -> str:
        held = [
            (one.document_id, one.edition, one.family, one.date, one.relations, one.validity)
            for one in self.documents
        ]
        return repr((self._library.place, self._library.version, held))


class Library:
    """Documents and their clauses at a place, for any number of readers and one writer at a time.

    `mode` is the default ranking of a search, `embedding` the model that makes vectors, and
    `read_limits` bounds the reading of a file. `files` and `tables` are for `core.library` only.

    Every method raises LibraryError: `unreadable` where the index cannot be read or written,
    `damaged` where a checksum is wrong, `locked` where another writer did not finish in time,
    `away` where an object store does not answer.
    Those that take a document's id accept its beginning too (see `Document.matches_id`) and raise
    `unknown_document`.
    """

    def __init__(
        self,
        place: Path | LibraryPlace,
        mode: SearchMode = "lexical",
        embedding: EmbeddingModel = EmbeddingModel(),  # noqa: B008  # a value
        read_limits: ReadLimits = ReadLimits(),  # noqa: B008  # a value
    ) -> None:
        self.place = place if isinstance(place, LibraryPlace) else LibraryPlace(place)
        self.folder = self.place.folder
        self.mode, self.embedding, self.read_limits = mode, embedding, read_limits
        self.files = FileStore(self.place.files_in("files"))
        self.tables = Index(self.place, self.files)
        # Both belong to a thread and are reentrant. The system frees a file's lock with its
        # process, but does so reliably on one machine only.
        self._lease = WriterLease(self.place.lease_url, self.place.url) if self.place.url else None
        self._lock = filelock.FileLock(self.folder / LOCK_FILE, mode=0o600)
        self._pins = local()

    make_restore_folder = staticmethod(make_restore_folder)

    def __eq__(self, other: object) -> bool:
        """True for the library at the same place: what is kept of one is true of both."""
        return type(other) is type(self) and self.place == other.place

    def __hash__(self) -> int:
        return hash(self.place)

    @classmethod
    def open(cls, settings: Settings) -> "Library":
        """Open the library that the settings name, by words alone where e5 is not installed."""
        limits = ReadLimits(
            settings.reading_page_seconds,
            settings.reading_seconds,
            settings.reading_memory_mb << 20,
            settings.reading_max_pages,
            read_scans=settings.reading_scans,
        )
        model = EmbeddingModel(settings.embedding, settings.embedding_model)
        mode: SearchMode = settings.search_mode if model.is_installed else "lexical"
        return cls(LibraryPlace.of(settings), mode, model, limits)

    @property
    def untouched(self) -> bool:
        """True until the first document was added, even where all were removed since."""
        with wrap_lancedb_errors(self.place):
            return self.tables.documents_table() is None and not self.files.noted_ids()

    @property
    def has_samples(self) -> bool:
        """True where it holds all sample rulebooks."""
        return sample_ids() <= {document.document_id for document in self.documents()}

    @property
    def exists(self) -> bool:
        """False where not even the folder is there; an object store needs none."""
        folder = self.place.shared_folder
        return folder is None or folder.is_dir()

    @contextmanager
    def pin_state(self) -> Iterator[None]:
        """Read `version` and `documents` once within, in this thread, until it writes.

        Who draws a page asks for them dozens of times, and each answer is a look at the disk.
        """
        is_outermost = self._pinned is None
        if is_outermost:
            self._pins.snapshot = Snapshot(self, is_pinned=True)
        try:
            yield
        finally:
            if is_outermost:
                self._pins.snapshot = None

    def forget_pins(self) -> None:
        """Read anew what is asked for next, because something else was read that may be newer."""
        if self._pinned is not None:
            self._pins.snapshot = Snapshot(self, is_pinned=True)

    @property
    def _pinned(self) -> "Snapshot | None":
        return getattr(self._pins, "snapshot", None)

    @property
    def version(self) -> int:
        """A number that grows with every change of the clauses; 0 before the first."""
        return (self._pinned or Snapshot(self)).version

    @property
    def state(self) -> str:
        """A text that tells two states of it apart, for what is kept of it elsewhere."""
        return (self._pinned or Snapshot(self)).state

    def documents(self) -> tuple[Document, ...]:
        """Return all rulebooks, by family, season and issue: no document of rulings."""
        return tuple(one for one in self.list_every_document() if not one.interprets)

    def list_every_document(self) -> tuple[Document, ...]:
        """Return the rulebooks and the documents of rulings."""
        return (self._pinned or Snapshot(self)).documents

    def list_editions(self, document: Document) -> list[Document]:
        """Return the documents of a family, the earliest first; of no family itself alone."""
        if document.family is None:
            return [document]
        family = [other for other in self.documents() if other.family == document.family]
        return sorted(family, key=lambda one: (one.edition, one.document_id))

    def document(self, document_id: str) -> Document:
        return self.find_entry(document_id)[0]

    def rulebook(self, document_id: str) -> Document:
        """Return a document that holds rules; one of rulings raises LibraryError `relation`."""
        document = self.document(document_id)
        if document.interprets:
            message = f"{document.label} holds rulings, not rules: choose the rulebook itself."
            raise LibraryError(message, code="relation")
        return document

    def stored_file(self, document_id: str) -> Path | None:
        """Return the path of a document's stored file, None where it is gone."""
        return self.files.files.local_path(self.find_entry(document_id)[1])

    def stored_pdf(self, document_id: str) -> Path | None:
        """Return the path of a document's PDF; None if it was removed or is not a PDF."""
        known = {document.document_id for document in self.list_every_document()}
        path = self.stored_file(document_id) if document_id in known else None
        return path if path is not None and path.suffix == ".pdf" else None

    def clauses(self, document_id: str) -> tuple[Clause, ...]:
        """Return all clauses of a document, whatever their status, in reading order."""
        return tuple(clause for clause in self._read_clauses(document_id) if not clause.kind)

    def other_texts(self, document_id: str) -> tuple[Clause, ...]:
        """Return the texts of a document that are no rules, such as its cover, in reading order."""
        return tuple(clause for clause in self._read_clauses(document_id) if clause.kind)

    def _read_clauses(self, document_id: str) -> list[Clause]:
        document = self.document(document_id)
        rows = self.tables.read_rows(_rows_of(document))
        # Looked up again, as somebody may just have removed it.
        if len(rows) < self.document(document.document_id).rows:
            raise LibraryError(
                f"The index has {len(rows)} of the {document.rows} clauses of {document.label}."
                f" {CHECK_HINT}",
                code="damaged",
            )
        return clauses_from_rows(rows, {document.document_id: document})

    def clause(self, clause_id: str) -> Clause | None:
        """Return the clause with an id, None where there is none."""
        return next(iter(self.select_clauses([clause_id])), None)

    def select_clauses(self, clause_ids: Iterable[str]) -> list[Clause]:
        """Return the clauses with these ids that there are, in the order of the ids."""
        ids = [*map(strip_unstorable, clause_ids)]
        rows = self.tables.read_rows(col("clause_id").isin(ids)) if ids else []
        documents = {key: document for key, (document, _) in self.tables.read_manifest().items()}
        known = [row for row in rows if row["document_id"] in documents]
        found = {clause.clause_id: clause for clause in clauses_from_rows(known, documents)}
        return [found[clause_id] for clause_id in ids if clause_id in found]

    def add_documents(
        self, file: bytes, suffix: str, books: Sequence[ParsedDocument]
    ) -> list[tuple[Document, bool]]:
        """Add unknown documents of one file; return all as stored, with True where it is new."""
        documents = [(document, clause_rows(clauses)) for document, clauses in books]
        new = self.add_files([ParsedFile(file, suffix, documents)])
        stored = self.tables.read_manifest()
        return [
            (stored.get(document.document_id, (document, ""))[0], document.document_id in new)
            for document, _ in documents
        ]

    def add_files(self, files: Iterable[ParsedFile]) -> set[str]:
        """Add the unknown documents of files in one change; return their ids.

        The files are taken one after the other, as they may not fit into memory together.
        """
        with self.lock_for_writing():
            before = self.tables.read_manifest().keys()
            known = set(before)
            self._store(_select_unknown(files, known))
        return known - before

    def restore_file(self, file: bytes, document: Document) -> None:
        """Store the file of a document again, where it is gone or changed."""
        name = self.find_entry(document.document_id)[1]
        if not self.files.is_intact(name):
            with self.lock_for_writing():
                self.files.store_file(file, Path(name).suffix)

    def replace_document(self, name: str, book: ParsedDocument) -> None:
        """Replace a document in the index that `check` read again from its stored file.

        Clauses in force whose words are as before keep their vectors. Readers find the clauses of
        before or these, for a moment with the other's entry. An interruption leaves an entry with
        another number of clauses, which the next `check` finds.
        """
        document, clauses = book
        with self.lock_for_writing():
            if document.relations:
                with suppress(LibraryError):  # of a related one that is damaged too
                    document = self._settle_references(document, clauses)
            kept = self._find_unchanged_clauses(document, clauses)
            if (vectors := self.tables.vectors_table()) is not None:
                changed = ~col("clause_id").isin(kept) if kept else lit(True)
                vectors.delete(_rows_of(document) & changed)
                pass_step("rows removed")
            held = self.tables.read_manifest().get(document.document_id)
            # An entry never promises more clauses than there are: readers take that for damage.
            promises_less = held is not None and document.rows < held[0].rows
            if promises_less:
                self._update_entry(document, name)
            self.tables.replace_clauses(_rows_of(document), clause_rows(clauses))
            if held is None:
                self.tables.add_entries([(document, name)])
                pass_step("entries added")
                self.files.write_note(document, name)
            elif not promises_less:
                self._update_entry(document, name)

    def _find_unchanged_clauses(self, document: Document, clauses: Iterable[Clause]) -> list[str]:
        """Return the ids of clauses that are in force and have the words that are stored."""
        stored: dict[str, tuple[str, str]] = {}
        with suppress(LibraryError):  # what is damaged is made anew
            rows = self.tables.read_rows(_rows_of(document))
            known = clauses_from_rows(rows, {document.document_id: document})
            stored = {one.clause_id: (one.title, one.text) for one in known}
        in_force = (one for one in clauses if one.status == "in_force")
        return [
            one.clause_id for one in in_force if stored.get(one.clause_id) == (one.title, one.text)
        ]

    def remove_document(self, document_id: str) -> Document:
        """Remove a document; how it and others stand to one another goes to its next issue."""
        with self.lock_for_writing():
            document = self.document(document_id)
            for one in carry_relations(self.list_every_document(), document):
                self.update_document(one)
            self.files.remove_note(document.document_id)
            pass_step("note removed")
            self.tables.manifest_table.delete(_rows_of(document))
            pass_step("entry removed")
            remove_unknown_documents(self.tables, self.files)
            remove_derived_files(self.folder, self.tables.read_manifest())
            return document

    def correct_metadata(
        self, document_id: str, override: MetadataOverride, cleared_fields: Collection[str] = ()
    ) -> Document:
        """Correct the identity of a document, `cleared_fields` to unknown; return it corrected."""
        with self.lock_for_writing():
            before, name = self.find_entry(document_id)
            document = before.overlay({**override.corrections, **dict.fromkeys(cleared_fields)})
            self._update_entry(document, name)
            return document

    def correct_details(
        self, document_id: str, shown: Mapping[str, Any], entered: Mapping[str, Any]
    ) -> Document:
        """Correct what differs from what a form showed, so that the rest keeps its source.

        Raises SettingsError for what no rulebook can have.
        """
        changed = dict(entered.items() - shown.items())
        values = {name: value for name, value in changed.items() if value is not None}
        cleared = changed.keys() - values.keys()
        return self.correct_metadata(document_id, MetadataOverride(**values), cleared)

    def update_document(self, document: Document) -> None:
        """Store what was decided of a document that is held."""
        with self.lock_for_writing():
            self._update_entry(document, self.find_entry(document.document_id)[1])

    def relate(self, document_id: str, relation: Relation) -> Document:
        """Store how a document stands to another one, in place of what was said of both before.

        Both ids may be beginnings. Raises LibraryError `relation` for what cannot be: a day that is
        none, or a document that stands to itself, maybe by way of others.
        """
        with self.lock_for_writing():
            document, other = self.document(document_id), self.document(relation.document_id)
            if relation.from_day is not None and not is_day(relation.from_day):
                message = f"{relation.from_day[:40]!r} is no day as YYYY-MM-DD, like 2025-04-30."
                raise LibraryError(message, code="relation")
            if (relation.kind == "interprets") != bool(document.interprets):
                why = "is read as a rulebook: say that it holds rulings, and it is read again."
                if document.interprets:
                    why = "holds rulings, which interpret rules and change none."
                raise LibraryError(f"{document.label} {why}", code="relation")
            at = relation.at or datetime.now(UTC).isoformat(timespec="seconds")
            said = replace(relation, document_id=other.document_id, at=at)
            kept = (one for one in document.relations if one.document_id != other.document_id)
            related = replace(document, relations=(*kept, said))
            if self._is_circular(related, said):
                message = (
                    f"{document.label} cannot stand to {other.label}: it is the same document, or"
                    " already stands to this one, and one of the two has to be removed first."
                )
                raise LibraryError(message, code="relation")
            return self._update_related(related)

    def unrelate(self, document_id: str, other_id: str) -> Document:
        """Remove what was said of how a document stands to another one.

        `other_id` may be a beginning, also of a document that is gone. Raises LibraryError
        `relation` where nothing was said of them.
        """
        with self.lock_for_writing():
            document = self.document(document_id)
            kept = tuple(
                one for one in document.relations if not matches_id(one.document_id, other_id)
            )
            if len(kept) == len(document.relations):
                message = f"Nothing is said of how {document.label} stands to {other_id[:80]}."
                raise LibraryError(message, code="relation")
            related_without = replace(document, relations=kept)
            if document.interprets and not related_without.interprets:
                message = (
                    f"{document.label} holds rulings: say that it is a rulebook, and it is read"
                    " again."
                )
                raise LibraryError(message, code="relation")
            return self._update_related(related_without)

    def _update_related(self, document: Document) -> Document:
        """Store a document whose relations changed, and return it with its references settled."""
        settled = self._settle_references(document, self.clauses(document.document_id))
        self.update_document(settled)
        return settled

    def _settle_references(self, document: Document, clauses: Sequence[Clause]) -> Document:
        """Return a document without warnings of references into those that it lies above."""
        if "unresolved_references" not in document.counts:  # they were not looked up
            return document
        rest = (one for one in self.documents() if one.document_id != document.document_id)
        layers = Layers((*rest, document)).every
        below = {one.below for one in layers if one.above == document}
        related = [clause for one in below for clause in self.clauses(one.document_id)]
        count, unresolved = ReadingWarning.list_unresolved(clauses, related)
        others = (one for one in document.warnings if one.code != "unresolved_reference")
        counts = {**document.counts, "unresolved_references": count}
        return replace(document, warnings=(*others, *unresolved), counts=counts)

    def _is_circular(self, related: Document, said: Relation) -> bool:
        """True where a new relation lays a document above itself, also by way of others."""
        every_document = self.list_every_document()
        others = (one for one in every_document if one.document_id != related.document_id)
        every = [*Layers((*others, related)).every]
        found = {one.below for one in every if one.said == said}
        tops = {one.above for one in every if one.said == said}
        waiting = [*found]
        while waiting:
            lowest = waiting.pop()
            new = {one.below for one in every if one.above == lowest} - found
            found |= new
            waiting += new
        return not tops.isdisjoint(found)

    def clean_up_leftovers(self) -> tuple[str, ...]:
        """Undo interrupted changes unless another program writes; return a sentence for each."""
        if not self.exists:
            return ()
        try:
            with self.lock_for_writing(0.0) as messages:
                left = remove_derived_files(self.folder, self.tables.read_manifest())
                return (*messages, *left, *remove_temporary_files(self.folder))
        except LibraryError as error:
            if error.code == "locked":
                return ()
            raise

    def reset_index(self) -> str | None:
        """Rename the index and create an empty one; return the new name of the old one, if any.

        For `check` only. Documents that the old index still names get a note where they lack one.
        Files without a note move into the folder of the old index.
        """
        with self.lock_without_cleanup(LOCK_SECONDS):
            salvaged = self.tables.salvage_manifest()
            for document_id in salvaged.keys() - self.files.read_notes().keys():
                self.files.write_note(*salvaged[document_id])
            aside = self.tables.move_index_aside()
            pass_step("index moved")
            if aside:
                self.files.move_unknown_files(self.place.files_in(aside))
            self.tables.create_manifest()
            return aside

    @contextmanager
    def lock_for_writing(self, timeout: float = LOCK_SECONDS) -> Iterator[tuple[str, ...]]:
        """Lock the library and undo interrupted changes; give a sentence for each."""
        with self.lock_without_cleanup(timeout), wrap_lancedb_errors(self.place):
            yield clean_up_library(self.tables, self.files)

    @contextmanager
    def lock_without_cleanup(self, timeout: float = LOCK_SECONDS) -> Iterator[None]:
        try:
            for folder in (self.folder, *self.place.storage_folders):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (self._lease or self._lock).acquire(timeout=timeout):
                try:
                    yield
                    if self._lock.lock_counter == 1:  # the outermost of this thread
                        self.tables.checksums.note_new()
                finally:
                    self.forget_pins()
        except filelock.Timeout as error:
            raise locked_error(self.place) from error
        except OSError as error:
            raise unwritable_error(self.place, error.strerror or str(error)) from error

    def confirm_lease(self) -> None:
        """Raise LibraryError `locked` where another writer took over meanwhile."""
        if self._lease is not None:
            self._lease.confirm()

    def find_entry(self, document_id: str) -> tuple[Document, str]:
        """Return the document with an id, or a beginning of one, and the name of its file."""
        entries = self.tables.read_manifest()
        if entry := entries.get(document_id):
            return entry
        found = [entry for entry in entries.values() if entry[0].matches_id(document_id)]
        if len(found) == 1:
            return found[0]
        several = f"{len(found)} documents have an id that begins so: give more of it"
        raise LibraryError(
            f"The library holds no single document {document_id[:80]}:"
            f" {several if found else 'see the list of documents for its id'}.",
            code="unknown_document",
        )

    def _update_entry(self, document: Document, name: str) -> None:
        """Change a document in the index. A note that is missing is written by the next cleanup."""
        self.files.remove_note(document.document_id)
        pass_step("note removed")
        self.tables.manifest_table.update(_rows_of(document), document_value(document))
        pass_step("entry updated")
        self.files.write_note(document, name)

    def _store(self, files: Iterable[ParsedFile]) -> None:
        """Store all documents or none; a failure is undone at once, as the disk may be full."""
        entries: list[tuple[Document, str]] = []

        def store_files() -> Iterator[pa.Table]:
            for file in files:
                name = self.files.store_file(file.data, file.suffix)
                entries.extend((document, name) for document, _ in file.documents)
                yield from (rows for _, rows in file.documents)

        try:
            with wrap_lancedb_errors(self.place):
                self.tables.add_clauses(store_files())
                if not entries:
                    return
                pass_step("clauses added")
                self.confirm_lease()
                self.tables.add_entries(entries)
                pass_step("entries added")
                for document, name in entries:
                    self.files.write_note(document, name)
        except (OSError, LibraryError):
            with suppress(OSError, LibraryError), wrap_lancedb_errors(self.place):
                clean_up_library(self.tables, self.files)
            raise


def _select_unknown(files: Iterable[ParsedFile], known: set[str]) -> Iterator[ParsedFile]:
    """Yield files with those of their documents that are not known, which then are."""
    for file in files:
        new = [entry for entry in file.documents if entry[0].document_id not in known]
        known.update(document.document_id for document, _ in new)
        if new:
            yield replace(file, documents=new)


def _rows_of(document: Document) -> Expr:
    return col("document_id") == lit(document.document_id)
