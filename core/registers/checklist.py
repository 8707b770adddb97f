"""The checklist of obligations: owner, subteam, status, evidence, kept from issue to issue.

They are kept by the stable id of the clause, so that they follow it to another number.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter
from rapidfuzz import fuzz

from core.library import Document, Library, Lineage, read_lineage
from core.registers.obligations import Obligation
from core.registers.personal_files import PersonalFolder
from core.table_files import MAX_CELL, name_cells, open_table

CHECKLIST_COLUMNS = ("article", "quote", "owner", "subteam", "status", "evidence")
_REQUIRED = ("article", "quote")
_FILE = "obligations.checklist"


@dataclass(frozen=True, slots=True)
class StatusChange:
    """Who changed a status, at which ISO time, from what to what."""

    who: str
    at: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChecklistEntry:
    """What a person noted of an obligation, and the `quote` of which it was noted."""

    owner: str = ""
    status: str = ""
    evidence: str = ""
    quote: str = ""
    subteam: str = ""
    history: tuple[StatusChange, ...] = ()
    """The changes of its status, the oldest first; `ChecklistStore` keeps it."""

    @property
    def is_empty(self) -> bool:
        return not (self.owner or self.subteam or self.status or self.evidence)

    @property
    def is_owned(self) -> bool:
        return bool(self.owner or self.subteam)

    def columns_for(self, obligation: Obligation) -> dict[str, str | None]:
        """Return its columns; the last has the words of which it was noted, if they changed."""
        is_same = not self.quote or _fold_words(self.quote) == _fold_words(obligation.quote)
        return {
            "owner": self.owner or None,
            "subteam": self.subteam or None,
            "status": self.status or None,
            "evidence": self.evidence or None,
            "noted_of": None if is_same else self.quote,
        }


_ENTRIES = TypeAdapter(dict[str, list[ChecklistEntry]])
Entries = Mapping[Obligation, ChecklistEntry]
_NOTHING: Entries = MappingProxyType({})


class ChecklistStore:
    """What one person noted of obligations: a file beside the saved sheets."""

    def __init__(self, data_folder: Path, person: str = "") -> None:
        self._folder = PersonalFolder(data_folder, person)

    def entries_for(
        self, library: Library, document: Document, obligations: Iterable[Obligation]
    ) -> Entries:
        """Return what was noted, in this issue or an earlier one, of all a document's obligations.

        Raises SheetError `damaged`.
        """
        saved = self._folder.load(_FILE, _ENTRIES)
        entries: dict[Obligation, ChecklistEntry] = {}
        for key, duties in _by_clause(library, document, obligations).items():
            if key in saved:
                entries |= _match_entries(duties, saved[key])
        return entries

    def list_unowned(
        self, library: Library, document: Document, obligations: Sequence[Obligation]
    ) -> list[Obligation]:
        """Return what `list_unowned` does of all a document's obligations. Raises SheetError."""
        entries = self.entries_for(library, document, obligations)
        return list_unowned(obligations, entries)

    def save_entries(
        self, library: Library, document: Document, entries: Entries, who: str = ""
    ) -> int:
        """Keep what was noted of some obligations; all else of their clauses stays.

        An entry that was noted of other words names these in its `quote`. `who` is noted with each
        status that changes. Return how many of the entries are not empty. Raises SheetError
        `damaged` or `unwritable`.
        """
        groups = _by_clause(library, document, entries)
        with self._folder.change(_FILE, _ENTRIES) as saved:
            for key, duties in groups.items():
                before = {_fold_words(one.quote): one for one in saved.get(key, ())}
                noted = {}
                for duty in duties:
                    words, entry = _fold_words(duty.quote), replace(entries[duty], quote=duty.quote)
                    earlier = before.get(words) or before.get(_fold_words(entries[duty].quote))
                    noted[words] = _add_change(earlier or ChecklistEntry(), entry, who)
                kept = (before | noted).values()
                saved[key] = [one for one in kept if one.history or not one.is_empty]
        return sum(not entry.is_empty for entry in entries.values())

    def save_file(
        self,
        library: Library,
        document: Document,
        obligations: Sequence[Obligation],
        data: bytes,
        name: str,
        who: str = "",
    ) -> tuple[int, int]:
        """Keep what a filled checklist notes; return of how many obligations, and unknown rows.

        Raises SheetError as `read_checklist` and `save_entries` do.
        """
        before = self.entries_for(library, document, obligations)
        entries, unknown = read_checklist(data, name, obligations, before)
        return self.save_entries(library, document, entries, who), unknown


def list_unowned(obligations: Iterable[Obligation], entries: Entries) -> list[Obligation]:
    """Return the obligations in force without owner and subteam; what may be done needs none."""
    return [
        duty
        for duty in obligations
        if duty.in_force
        and duty.modality != "may"
        and not entries.get(duty, ChecklistEntry()).is_owned
    ]


def read_checklist(
    data: bytes, name: str, obligations: Sequence[Obligation], before: Entries = _NOTHING
) -> tuple[Entries, int]:
    """Return what a filled checklist notes of obligations, and how many rows fit none of them.

    Rows are known by article and quote. A column that the file lacks stays as it was `before`.
    Raises SheetError with code `too_large`, `damaged`, `encoding` or `columns`.
    """
    known = {(duty.article, _fold_words(duty.quote)): duty for duty in obligations}
    entries: dict[Obligation, ChecklistEntry] = {}
    unknown, (table, _) = 0, open_table(data, name)
    for row in name_cells(table, name, CHECKLIST_COLUMNS, _REQUIRED):
        noted: dict[str, Any] = {name: row[name] for name in CHECKLIST_COLUMNS[2:] if name in row}
        duty = known.get((row["article"], _fold_words(row["quote"])))
        if duty:
            entries[duty] = replace(before.get(duty, ChecklistEntry()), **noted)
        else:
            unknown += any(noted.values())
    return entries, unknown


def _add_change(before: ChecklistEntry, entry: ChecklistEntry, who: str) -> ChecklistEntry:
    """Return an entry with the history of the one before it, and its own change of status."""
    history = before.history
    if entry.status != before.status:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        history = (*history, StatusChange(who, now, before.status, entry.status))
    return replace(entry, history=history)


def _by_clause(
    library: Library, document: Document, obligations: Iterable[Obligation]
) -> Mapping[str, list[Obligation]]:
    """Group obligations by the stable id of their clause, or its own id where it has none."""
    lineage: Lineage = read_lineage(library, document)
    groups: dict[str, list[Obligation]] = defaultdict(list)
    for duty in obligations:
        groups[lineage.stable_id(duty.clause_id) or duty.clause_id].append(duty)
    return groups


def _match_entries(
    duties: Sequence[Obligation], saved: Sequence[ChecklistEntry]
) -> Iterator[tuple[Obligation, ChecklistEntry]]:
    """Yield the obligations of a clause with what was noted of them.

    Other words take what no words still fit, the most alike first.
    """
    same = {_fold_words(one.quote): one for one in saved}
    found = {
        duty: same[_fold_words(duty.quote)] for duty in duties if _fold_words(duty.quote) in same
    }
    yield from found.items()
    open_duties = [duty for duty in duties if duty not in found]
    left = [one for one in saved if one not in found.values()]
    while open_duties and left:
        duty, entry = max(
            ((duty, entry) for duty in open_duties for entry in left),
            key=lambda pair: fuzz.ratio(pair[0].quote, pair[1].quote),
        )
        yield duty, entry
        open_duties.remove(duty)
        left.remove(entry)


def _fold_words(quote: str) -> str:
    """Return the words of a quote that a cell of a file has room for; all spaces are alike.

    Their signs count: "1.5 m" is not "15 m". An apostrophe at the beginning is that of a file,
    which has it before what a spreadsheet would compute.
    """
    words = "".join(one for one in quote.lstrip("'") if one.isprintable() or one.isspace())
    return " ".join(words[:MAX_CELL].split())
