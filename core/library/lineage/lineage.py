"""Stable ids: each clause of a family followed from edition to edition by the pairs of `compare`.

A lineage depends on the editions alone, not on the order in which they were added.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.choices import PairPlace, PairWording
from core.errors import LibraryError
from core.library.comparison.alignment import join_parts, title_and_text
from core.library.comparison.compare import compare
from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import Clause

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://scrutineer/lineage")


@dataclass(frozen=True, slots=True)
class LineageStep:
    """A clause in one edition, and how it differs from the same clause in the edition before."""

    document_id: str
    clause_id: str
    article: str
    place: PairPlace = "added"
    wording: PairWording = "changed"
    similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class IssueChange:
    """What an issue changed: a rule as it stands in `document`, that before it if it was dropped.

    `how` names a message.
    """

    document: Document
    article: str
    title: str
    how: str


@dataclass(frozen=True, slots=True)
class Lineage:
    """The clauses of a family by stable id, each with its steps from the earliest edition on."""

    documents: tuple[str, ...] = ()
    """The ids of the editions, the earliest first."""
    steps: Mapping[str, tuple[LineageStep, ...]] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    """The clause id of the whole article by that of each of its parts."""
    stable_ids: Mapping[str, str] = field(default_factory=dict)
    """The stable id by the id of each clause in force."""

    def stable_id(self, clause_id: str) -> str | None:
        """Return the stable id of a clause, for a part that of its whole article."""
        return self.stable_ids.get(self.parts.get(clause_id, clause_id))

    def history(self, clause_id: str) -> tuple[LineageStep, ...]:
        """Return the steps of a clause, the earliest first; () for one that is not in force."""
        return self.steps.get(self.stable_id(clause_id) or "", ())

    def list_changes(
        self, library: Library, document: Document
    ) -> tuple[Document | None, list[IssueChange]]:
        """Return the edition before one, and what this one changed, brought and dropped.

        What is dropped comes last, all in the order of its document. The first edition has none.
        """
        editions = library.list_editions(document)
        place = [one.document_id for one in editions].index(document.document_id)
        if not place:
            return None, []
        before = editions[place - 1]
        changes = []
        for steps in self.steps.values():
            by_document = {step.document_id: step for step in steps}
            earlier = by_document.get(before.document_id)
            now = by_document.get(document.document_id)
            if now and (now.wording == "changed" or not earlier):
                how = "place-added" if now.place == "added" else "wording-changed"
                changes.append((document, now, how))
            elif earlier and not now:
                changes.append((before, earlier, "place-removed"))
        order = {
            clause.clause_id: (edition is before, number, clause.title)
            for edition in (before, document)
            for number, clause in enumerate(library.clauses(edition.document_id))
        }
        changes.sort(key=lambda change: order[change[1].clause_id])
        return before, [
            IssueChange(edition, step.article, order[step.clause_id][2], how)
            for edition, step, how in changes
        ]


Step = tuple[str, LineageStep]
"""The id of a clause in the edition before, and its step to the next one."""


def build_lineage(
    editions: Sequence[tuple[Document, Sequence[Clause]]], known: Lineage = Lineage()
) -> Lineage:
    """Follow the clauses of a family through its editions, the earliest first.

    Editions that follow each other in the `known` lineage too are not compared again: it must be
    of the same clauses.
    """
    tracer = _Tracer(editions[0][0].family or editions[0][0].document_id if editions else "")
    compared = _steps_of(known)
    before: Sequence[Clause] = ()
    last = ""
    for document, clauses in editions:
        steps = compared.get((last, document.document_id))
        tracer.add_edition(clauses, _compare_editions(before, clauses) if steps is None else steps)
        before, last = clauses, document.document_id
    documents = tuple(document.document_id for document, _ in editions)
    found = {stable_id: tuple(steps) for stable_id, steps in tracer.steps.items()}
    ids = {step.clause_id: stable_id for stable_id, steps in found.items() for step in steps}
    return Lineage(documents, found, tracer.parts, ids)


class _Tracer:
    """The lineage of a family while its editions are added."""

    def __init__(self, family: str) -> None:
        self.steps: dict[str, list[LineageStep]] = {}
        self.parts: dict[str, str] = {}
        self._family = family
        self._ids_before: Mapping[str, str] = {}

    def add_edition(self, clauses: Sequence[Clause], steps: Mapping[str, Step]) -> None:
        """Add the clauses of the next edition; `steps` has those that the one before has too."""
        wholes, parts = join_parts(clauses)
        self.parts |= parts
        in_force = [clause for clause in wholes if clause.status == "in_force"]
        ids = {clause_id: self._ids_before[earlier] for clause_id, (earlier, _) in steps.items()}
        taken = set(ids.values())
        for clause in in_force:
            if clause.clause_id not in ids:
                ids[clause.clause_id] = self._make_id(clause, taken)
                taken.add(ids[clause.clause_id])
        for clause in in_force:
            new = LineageStep(clause.document_id, clause.clause_id, clause.article)
            _, step = steps.get(clause.clause_id, ("", new))
            self.steps.setdefault(ids[clause.clause_id], []).append(step)
        self._ids_before = ids

    def _make_id(self, clause: Clause, taken: set[str]) -> str:
        """Return the UUIDv5 of the family and a wording, with its number where it is not alone.

        A rule that comes back in its first words gets the id that it had.
        """
        wording = " ".join(title_and_text(clause).split())
        names = (
            (self._family, wording),
            (self._family, wording, clause.article),
            (self._family, wording, clause.clause_id),
        )
        ids = (str(uuid.uuid5(NAMESPACE, "\n".join(name))) for name in names)
        return next(stable_id for stable_id in ids if stable_id not in taken)


def _steps_of(lineage: Lineage) -> dict[tuple[str, str], dict[str, Step]]:
    """Return the steps between each edition and the next, by the id of the later clause."""
    found: dict[tuple[str, str], dict[str, Step]] = {
        editions: {} for editions in pairwise(lineage.documents)
    }
    for steps in lineage.steps.values():
        for earlier, step in pairwise(steps):
            editions = (earlier.document_id, step.document_id)
            if editions in found:
                found[editions][step.clause_id] = (earlier.clause_id, step)
    return found


def _compare_editions(before: Sequence[Clause], after: Sequence[Clause]) -> dict[str, Step]:
    """Return the steps between two editions; those too large to be compared share no clause."""
    try:
        pairs = compare(before, after) if before else ()
    except LibraryError as error:
        if error.code != "limit":
            raise
        pairs = ()
    return {
        pair.clause_b: (
            pair.clause_a,
            LineageStep(
                after[0].document_id,
                pair.clause_b,
                pair.article_b or "",
                pair.place,
                "changed" if pair.pieces else "same",
                pair.similarity,
            ),
        )
        for pair in pairs
        if pair.clause_a and pair.clause_b
    }
