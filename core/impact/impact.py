"""What an issue changed since the edition before it, and what that touches.

Touched are a person's answers and checks of values that cite a changed clause, and the clauses
that refer to one. An answer is suspect until a person has cleared it. All is worked out from the
library and the chats whenever it is asked for; only what was cleared is stored, with the chats.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.chats import CitingRun, Clearance, Conversations
from core.library import (
    ClausePair,
    Document,
    Library,
    Lineage,
    compare_documents,
    editions_that_change,
    list_editions,
    list_referring_clauses,
    read_lineage,
)


@dataclass(frozen=True, slots=True)
class ChangedClause:
    """A clause whose words changed, or that came or left, with its stable id."""

    stable_id: str | None
    pair: ClausePair


@dataclass(frozen=True, slots=True)
class TouchedCitation:
    """A citation of a clause that the issue changed; without `clause_now` it dropped it."""

    clause_id: str
    document_id: str
    document: str
    article: str
    quote: str
    clause_now: str | None
    article_now: str | None


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
        """The articles that it cites, each with its number now."""
        pairs = ((one.article, one.article_now or "gone") for one in self.citations)
        return ", ".join(f"{article} ({now})" for article, now in pairs)


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
    sheets: tuple[()] = ()
    """Compliance sheets that cite a changed clause; the library holds none yet."""

    @property
    def suspects(self) -> tuple[TouchedAnswer, ...]:
        return tuple(answer for answer in self.answers if answer.is_suspect)


def assess_impact(library: Library, chats: Conversations, document_id: str) -> Impact:
    """Return what an issue changed and what of a person's chats and of the rules that touches."""
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
            ReferringClause(c.clause_id, c.document_id, c.article, c.title, targets)
            for c, targets in list_referring_clauses(library, document, articles)
        ),
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
                touched[clause_id] = _touched_citation(library, lineage, issue, citation)
            if found := touched[clause_id]:
                citations.append(found)
        if citations:
            yield _touched_answer(run, citations, cleared.get(run.run_id))


def _touched_citation(
    library: Library, lineage: Lineage, issue: Document, citation: Mapping[str, Any]
) -> TouchedCitation | None:
    """Return a citation if the issue changed the clause that it quotes, else None."""
    clause = library.clause(citation["clause_id"])
    if clause is None or issue.document_id not in editions_that_change(library, lineage, clause):
        return None
    steps = lineage.history(clause.clause_id)
    now = next((step for step in steps if step.document_id == issue.document_id), None)
    return TouchedCitation(
        clause_id=clause.clause_id,
        document_id=clause.document_id,
        document=citation.get("document", ""),
        article=clause.article,
        quote=citation.get("quote", ""),
        clause_now=now.clause_id if now else None,
        article_now=now.article if now else None,
    )


def _touched_answer(
    run: CitingRun, citations: list[TouchedCitation], cleared: Clearance | None
) -> TouchedAnswer:
    return TouchedAnswer(
        kind="check" if run.compares_values else "answer",
        run_id=run.run_id,
        conversation_id=run.conversation_id,
        title=run.title,
        question=run.question,
        asked_at=run.started_at,
        citations=tuple(dict.fromkeys(citations)),
        cleared_by=cleared.person if cleared else None,
        cleared_at=cleared.at if cleared else None,
    )
