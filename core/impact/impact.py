"""What an issue changed since the edition before it, and what that touches.

Touched are a person's answers and checks of values that cite a changed clause, saved sheets that
rest on one, and the clauses that refer to one. An answer and a sheet are suspect until a person has
cleared them. All is worked out from the library, the chats and the sheets whenever it is asked for;
only what was cleared is stored, with the chats and the sheets.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.chats import CitingRun, Clearance, Conversations
from core.copied_fields import copy_fields
from core.impact.touched_sheets import (
    TouchedCitation,
    TouchedSheet,
    find_touched_citation,
    list_touched_sheets,
)
from core.library import (
    ClausePair,
    Document,
    Library,
    Lineage,
    compare_documents,
    list_editions,
    list_referring_clauses,
    read_lineage,
)
from core.sheets import SheetStore


@dataclass(frozen=True, slots=True)
class ChangedClause:
    """A clause whose words changed, or that came or left, with its stable id."""

    stable_id: str | None
    pair: ClausePair


@dataclass(frozen=True, slots=True)
class TouchedAnswer:
    """An answer, or a check of values, that cites changed clauses."""

    kind: Literal["answer", "check"]
    run_id: str
    conversation_id: str
    title: str
    """Of its conversation."""
    question: str
    asked_at: str
    citations: tuple[TouchedCitation, ...]
    cleared_by: str | None = None
    cleared_at: str | None = None

    @property
    def is_suspect(self) -> bool:
        return self.cleared_at is None

    @property
    def cited(self) -> str:
        """The articles that it cites, with the number now of those that have another or none."""
        pairs = ((one.article, one.article_now) for one in self.citations)
        return ", ".join(
            article if article == now else f"{article} (now {now or 'gone'})"
            for article, now in pairs
        )


@dataclass(frozen=True, slots=True)
class ReferringClause:
    """A clause in force that refers to changed articles."""

    clause_id: str
    document_id: str
    article: str
    title: str
    refers_to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Impact:
    """What an issue changed since `before` (None for the first edition), and what that touches."""

    document: Document
    before: Document | None
    changed: tuple[ChangedClause, ...] = ()
    answers: tuple[TouchedAnswer, ...] = ()
    clauses: tuple[ReferringClause, ...] = ()
    sheets: tuple[TouchedSheet, ...] = ()

    @property
    def suspects(self) -> tuple[TouchedAnswer, ...]:
        return tuple(answer for answer in self.answers if answer.is_suspect)

    @property
    def suspect_sheets(self) -> tuple[TouchedSheet, ...]:
        return tuple(sheet for sheet in self.sheets if sheet.is_suspect)


def list_issues(library: Library) -> list[Document]:
    """Return the documents that have an edition before them, the last that was added first."""
    issues = [one for one in library.documents() if list_editions(library, one)[0] != one]
    return sorted(issues, key=lambda one: (one.added_at, one.edition), reverse=True)


def assess_impact(
    library: Library, chats: Conversations, sheets: SheetStore, document_id: str
) -> Impact:
    """Return what an issue changed, and what of a person's chats and sheets that touches."""
    document = library.document(document_id)
    editions = list_editions(library, document)
    place = [edition.document_id for edition in editions].index(document.document_id)
    if place == 0:
        return Impact(document, None)
    before = editions[place - 1]
    lineage = read_lineage(library, document)
    pairs = compare_documents(library, before.document_id, document.document_id)
    changed = [pair for pair in pairs if pair.pieces or pair.place in ("added", "removed")]
    numbers = {pair.article_b for pair in pairs if pair.article_b}
    removed = {p.article_a for p in changed if p.article_a and not p.article_b} - numbers
    articles = {pair.article_b for pair in changed if pair.article_b} | removed
    return Impact(
        document,
        before,
        tuple(
            ChangedClause(lineage.stable_id(pair.clause_b or pair.clause_a or ""), pair)
            for pair in changed
        ),
        tuple(_list_answers(library, chats, lineage, document)),
        tuple(
            copy_fields(ReferringClause, c, refers_to=targets)
            for c, targets in list_referring_clauses(library, document, articles)
        ),
        tuple(list_touched_sheets(library, sheets, lineage, before, document)),
    )


def _list_answers(
    library: Library, chats: Conversations, lineage: Lineage, issue: Document
) -> Iterator[TouchedAnswer]:
    cleared = {entry.run_id: entry for entry in chats.list_clearances(issue.document_id)}
    touched: dict[str, TouchedCitation | None] = {}
    for run in chats.list_citing_runs():
        citations = []
        for citation in run.citations:
            clause_id = citation["clause_id"]
            if clause_id not in touched:
                label, quote = citation.get("document", ""), citation.get("quote", "")
                touched[clause_id] = find_touched_citation(
                    library, lineage, issue, clause_id, label, quote
                )
            if found := touched[clause_id]:
                citations.append(found)
        if citations:
            yield _touched_answer(run, citations, cleared.get(run.run_id))


def _touched_answer(
    run: CitingRun, citations: list[TouchedCitation], cleared: Clearance | None
) -> TouchedAnswer:
    return copy_fields(
        TouchedAnswer,
        run,
        kind="check" if run.compares_values else "answer",
        asked_at=run.started_at,
        citations=tuple(dict.fromkeys(citations)),
        cleared_by=cleared.person if cleared else None,
        cleared_at=cleared.at if cleared else None,
    )
