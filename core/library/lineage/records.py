"""The lineage of each family on disk: built when an edition is added, and again where it is stale.

It can always be built again from the clauses, so it is no part of a backup.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from threading import Lock, Thread

from pydantic import TypeAdapter, ValidationError

from core.atomic_files import write_atomically
from core.copied_fields import copy_fields
from core.errors import ScrutineerError
from core.grammar import extract_part, strip_marker
from core.library.lineage.lineage import Lineage, LineageStep, build_lineage
from core.library.storage.library import Library
from core.library.types import Document, PairPlace, PairWording
from core.rulebook import READING_VERSION, Clause

LINEAGE_FOLDER = "lineage"
_FORMAT = 4  # raised when clauses are paired or compared in another way, too

_rebuilt: set[Path] = set()
"""The records that a thread of this process is building again."""
_rebuilt_lock = Lock()


@dataclass(frozen=True, slots=True)
class _Record:
    """A lineage as it is stored, with the state of the editions that it was built from."""

    states: Mapping[str, str]
    lineage: Lineage


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A clause in one edition, for people: the edition's label and the clause's words there."""

    document_id: str
    label: str
    season: int | None
    issue: int | None
    date: str | None
    clause_id: str
    article: str
    place: PairPlace
    wording: PairWording
    similarity: float
    text: str | None
    """Title and text where they are new in this edition, else None."""


_RECORD = TypeAdapter(_Record)


def read_lineage(library: Library, document: Document) -> Lineage:
    """Return the lineage of a document's family; it is built first where editions have changed."""
    editions = list_editions(library, document)
    path, states = _record_path(library, document), _digest_editions(editions)
    record = _find_record(path) or _Record({}, Lineage())
    if list(record.states.items()) == list(states.items()):
        return record.lineage
    same = all(states.get(known, state) == state for known, state in record.states.items())
    lineage = build_lineage(
        [(edition, library.clauses(edition.document_id)) for edition in editions],
        record.lineage if same else Lineage(),
    )
    with suppress(OSError):  # a full disk loses only the copy
        path.parent.mkdir(mode=0o700, exist_ok=True)
        data = _RECORD.dump_json(_Record(states, lineage))
        write_atomically(path, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
    return lineage


def recall_lineage(library: Library, document: Document) -> Lineage:
    """Return the lineage of a document's family as it was last built, for who cannot wait.

    Where editions have changed since, a thread builds it anew; where there is none, it is built.
    """
    path, states = (
        _record_path(library, document),
        _digest_editions(list_editions(library, document)),
    )
    record = _find_record(path)
    if record is None:
        return read_lineage(library, document)
    if list(record.states.items()) != list(states.items()):
        with _rebuilt_lock:
            is_new = path not in _rebuilt
            _rebuilt.add(path)
        if is_new:
            Thread(target=_rebuild, args=(library, document), name="lineage").start()
    return record.lineage


def _rebuild(library: Library, document: Document) -> None:
    """Build the lineage of a family again; a damage is shown to who waits for it."""
    try:
        with suppress(ScrutineerError):
            read_lineage(library, document)
    finally:
        with _rebuilt_lock:
            _rebuilt.discard(_record_path(library, document))


def _digest_editions(editions: Iterable[Document]) -> dict[str, str]:
    """Return for each edition a digest of all that decides its clauses and its place."""
    states = {}
    for edition in editions:
        decisive = (_FORMAT, READING_VERSION, edition.edition, edition.corrections)
        digest = hashlib.sha256(repr((decisive, edition.rows)).encode())
        states[edition.document_id] = digest.hexdigest()
    return states


def remove_damaged_lineages(library: Library) -> int:
    """Remove what cannot be read, and what is of families that are gone; return how many."""
    known = {_record_path(library, document) for document in library.documents()}
    removed = 0
    for path in (library.folder / LINEAGE_FOLDER).glob("*.json"):
        if path not in known or _find_record(path) is None:
            path.unlink(missing_ok=True)
            removed += path in known
    return removed


def _find_record(path: Path) -> _Record | None:
    """Return the record of a file, None where it is missing or damaged."""
    try:
        return _read_record(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=8)
def _read_record(path: Path, written: int) -> _Record | None:  # noqa: ARG001
    """Return the record of a file, None where it is damaged; read again once it is `written`."""
    digest, _, data = path.read_bytes().partition(b"\n")
    with suppress(ValidationError):
        if hashlib.sha256(data).hexdigest().encode() == digest:
            return _RECORD.validate_json(data)
    return None


def list_editions(library: Library, document: Document) -> list[Document]:
    """Return the documents of a family, the earliest edition first; of no family itself alone."""
    if document.family is None:
        return [document]
    family = [other for other in library.documents() if other.family == document.family]
    return sorted(family, key=lambda d: (d.edition, d.document_id))


def list_history(library: Library, clause: Clause) -> tuple[HistoryEntry, ...]:
    """Return where a clause stood and what it said in each edition, the earliest first."""
    lineage = read_lineage(library, library.document(clause.document_id))
    by_id = {document.document_id: document for document in library.documents()}
    steps = lineage.history(clause.clause_id)
    return tuple(_make_entry(library, by_id[step.document_id], step, clause) for step in steps)


def wording_since(
    history: Iterable[HistoryEntry], document_id: str, part: str | None = None
) -> HistoryEntry | None:
    """Return the entry since which a clause has had the words that it has in a document.

    With a `part`, the entry since which it has had those of that item, whatever its letter was.
    """
    wordings: list[HistoryEntry] = []
    for entry in history:
        if entry.wording == "changed":
            wordings.append(entry)
        if entry.document_id == document_id:
            break
    else:
        return None
    since, *earlier = reversed(wordings)
    item = _unmarked_lines(extract_part(since.text or "", part) or "") if part else set()
    with_item = takewhile(lambda entry: item and item <= _unmarked_lines(entry.text or ""), earlier)
    return [since, *with_item][-1]


def _unmarked_lines(text: str) -> set[str]:
    return {" ".join(strip_marker(line).split()) for line in text.splitlines()}


def _make_entry(
    library: Library, document: Document, step: LineageStep, asked: Clause
) -> HistoryEntry:
    clause = None
    if step.wording == "changed":
        known = step.clause_id == asked.clause_id
        clause = asked if known else library.clause(step.clause_id)
    text = f"{clause.title}\n{clause.text}".strip() if clause else None
    return copy_fields(HistoryEntry, step, document, text=text)


def _record_path(library: Library, document: Document) -> Path:
    name = document.family or document.document_id
    return library.folder / LINEAGE_FOLDER / f"{hashlib.sha256(name.encode()).hexdigest()}.json"


def find_counterparts(
    library: Library, clause: Clause, documents: Iterable[Document]
) -> Iterator[Clause]:
    """Yield a clause as it is in those documents of its family that have it, in their order.

    Of an article that is parted there it is the part of the same name, else the first. A question
    does not wait for a lineage to be built again: it is followed as it was.
    """
    own = library.document(clause.document_id)
    others = [d for d in documents if d.family == own.family and d.document_id != own.document_id]
    if own.family is None or not others:
        return
    lineage = recall_lineage(library, own)
    steps = {step.document_id: step.clause_id for step in lineage.history(clause.clause_id)}
    for document_id in (d.document_id for d in others if d.document_id in steps):
        whole = steps[document_id]
        parts_of = (part for part, article in lineage.parts.items() if article == whole)
        parts = library.select_clauses(dict.fromkeys((whole, *parts_of)))
        yield from sorted(parts, key=lambda part: part.part != clause.part)[:1]


@dataclass(frozen=True, slots=True)
class Supersession:
    """The newest edition whose words differ from those of a clause, and the clause there."""

    document: Document
    clause: Clause | None
    """None where that edition no longer has the rule."""


def find_supersession(library: Library, clause: Clause) -> Supersession | None:
    """Return what superseded a clause, None where its words still stand in the newest edition."""
    document = library.document(clause.document_id)
    lineage = read_lineage(library, document)
    changed_in = editions_that_change(library, lineage, clause)
    if not changed_in:
        return None
    newest = changed_in[-1]
    edition = next(d for d in list_editions(library, document) if d.document_id == newest)
    steps = {step.document_id: step for step in lineage.history(clause.clause_id)}
    now = library.clause(steps[newest].clause_id) if newest in steps else None
    is_back = now is not None and _squeeze(now.text) == _squeeze(clause.text)
    return None if is_back else Supersession(edition, now)


def editions_that_change(library: Library, lineage: Lineage, clause: Clause) -> list[str]:
    """Return the ids of the later editions that changed the words of a clause, or dropped it.

    A part of a long article is changed only where its own words no longer stand in the article.
    """
    steps = lineage.history(clause.clause_id)
    if not steps or clause.document_id not in lineage.documents:
        return []
    by_document = {step.document_id: step for step in steps}
    later = lineage.documents[lineage.documents.index(clause.document_id) + 1 :]
    changed, there = [], True
    for document_id in later:
        step = by_document.get(document_id)
        if step is None:
            changed += [document_id] if there else []
        elif step.wording == "changed" and not _holds_part(library, clause, step.clause_id):
            changed.append(document_id)
        there = step is not None
    return changed


def _holds_part(library: Library, part: Clause, clause_id: str) -> bool:
    """True where an article of another edition still has the words of a part in one piece."""
    if not part.part:
        return False
    document_id = clause_id.partition(":")[0]
    whole = library.clause(clause_id)
    texts = (
        clause.text
        for clause in library.clauses(document_id)
        if whole and clause.whole_article == whole.whole_article
    )
    return any(_squeeze(part.text) in _squeeze(text) for text in texts)


def _squeeze(text: str) -> str:
    return "".join(text.split()).casefold()
