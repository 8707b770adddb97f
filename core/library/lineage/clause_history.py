"""A clause through the editions of its rulebook: where it stood, what it said, what changed it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from core.choices import PairPlace, PairWording
from core.copied_fields import copy_fields
from core.grammar import extract_part, strip_marker
from core.library.lineage.lineage import Lineage, LineageStep
from core.library.lineage.records import read_lineage, recall_lineage
from core.library.spelling import squeeze_text
from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import Clause


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


class ClauseHistory:
    """A clause and its lineage, which is read at the first need, and built where it is stale."""

    def __init__(self, library: Library, clause: Clause) -> None:
        self._library, self._clause = library, clause
        self._document = library.document(clause.document_id)

    @cached_property
    def lineage(self) -> Lineage:
        return read_lineage(self._library, self._document)

    @property
    def stable_id(self) -> str | None:
        return self.lineage.stable_id(self._clause.clause_id)

    @cached_property
    def steps(self) -> dict[str, LineageStep]:
        """The clause in each edition that has it, by document, the earliest first."""
        steps = self.lineage.history(self._clause.clause_id)
        return {step.document_id: step for step in steps}

    @cached_property
    def entries(self) -> tuple[HistoryEntry, ...]:
        """Where it stood and what it said in each edition, the earliest first."""
        documents = {document.document_id: document for document in self._library.documents()}
        return tuple(self._make_entry(documents[key], step) for key, step in self.steps.items())

    def _make_entry(self, document: Document, step: LineageStep) -> HistoryEntry:
        clause = None
        if step.wording == "changed":
            is_own = step.clause_id == self._clause.clause_id
            clause = self._clause if is_own else self._library.clause(step.clause_id)
        text = f"{clause.title}\n{clause.text}".strip() if clause else None
        return copy_fields(HistoryEntry, step, document, text=text)

    def find_wording_since(self, part: str | None = None) -> HistoryEntry | None:
        """Return the entry since which the clause has had its words; None if it is not in force.

        With a `part`, the entry since which it has had those of that item, whatever its letter was.
        """
        wordings: list[HistoryEntry] = []
        for entry in self.entries:
            if entry.wording == "changed":
                wordings.append(entry)
            if entry.document_id == self._clause.document_id:
                break
        else:
            return None
        since, *earlier = reversed(wordings)
        item = _unmarked_lines(extract_part(since.text or "", part) or "") if part else set()
        with_item = takewhile(
            lambda entry: item and item <= _unmarked_lines(entry.text or ""), earlier
        )
        return [since, *with_item][-1]

    def list_changing_editions(self) -> list[str]:
        """Return the ids of the later editions that changed its words, or dropped it.

        A part of a long article is changed only where its own words no longer stand in the article.
        """
        own, documents = self._clause.document_id, self.lineage.documents
        if not self.steps or own not in documents:
            return []
        changed, there = [], True
        for document_id in documents[documents.index(own) + 1 :]:
            step = self.steps.get(document_id)
            if step is None:
                changed += [document_id] if there else []
            elif step.wording == "changed" and not self._stands_in(step.clause_id):
                changed.append(document_id)
            there = step is not None
        return changed

    def _stands_in(self, clause_id: str) -> bool:
        """True for a part whose words an article of another edition has in one piece."""
        if not self._clause.part:
            return False
        whole = self._library.clause(clause_id)
        texts = (
            clause.text
            for clause in self._library.clauses(clause_id.partition(":")[0])
            if whole and clause.whole_article == whole.whole_article
        )
        return any(squeeze_text(self._clause.text) in squeeze_text(text) for text in texts)

    def find_superseding(self) -> tuple[Document, Clause | None] | None:
        """Return the newest edition with other words, and the clause there, None where it is gone.

        It is None where the words of the clause still stand in the newest edition.
        """
        changing = self.list_changing_editions()
        if not changing:
            return None
        step = self.steps.get(changing[-1])
        now = self._library.clause(step.clause_id) if step else None
        if now is not None and squeeze_text(now.text) == squeeze_text(self._clause.text):
            return None
        return self._library.document(changing[-1]), now

    def find_counterparts(self, documents: Iterable[Document]) -> Iterator[Clause]:
        """Yield the clause as it is in those documents of its family that have it.

        Of an article that is parted there it is the part of the same name, else the first. A
        question does not wait for a lineage to be built again: it is followed as it was.
        """
        own, clause = self._document, self._clause
        others = [
            d for d in documents if d.family == own.family and d.document_id != own.document_id
        ]
        if own.family is None or not others:
            return
        lineage = recall_lineage(self._library, own)
        steps = {step.document_id: step.clause_id for step in lineage.history(clause.clause_id)}
        for whole in (steps[d.document_id] for d in others if d.document_id in steps):
            parts_of = (part for part, article in lineage.parts.items() if article == whole)
            parts = self._library.select_clauses(dict.fromkeys((whole, *parts_of)))
            yield from sorted(parts, key=lambda part: part.part != clause.part)[:1]


def _unmarked_lines(text: str) -> set[str]:
    return {" ".join(strip_marker(line).split()) for line in text.splitlines()}
