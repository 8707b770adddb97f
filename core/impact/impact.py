"""What an issue changed since the edition before it, and what that touches.

Touched are a person's answers and checks of values that cite a changed clause, saved sheets with
rows that rest on one or get another verdict, and the clauses that refer to one. An answer and a
sheet are suspect until a person has cleared them. All is worked out from the library, the chats and
the sheets whenever it is asked for; only what was cleared is stored, with the chats and the sheets.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from core.chats import Conversations
from core.copied_fields import copy_fields
from core.language import Language
from core.library import (
    ClauseHistory,
    ClausePair,
    Document,
    Library,
    Lineage,
    compare_documents,
    list_referring_clauses,
    read_lineage,
)
from core.sheets import (
    SavedSheet,
    SheetResult,
    SheetRow,
    SheetStore,
    SheetVerdict,
    check_row,
    limit_index,
)


@dataclass(frozen=True, slots=True)
class TouchedCitation:
    """A citation of a clause that the issue changed; without `clause_now` it dropped it."""

    clause_id: str
    document_id: str
    document: str
    """Its label as it was cited."""
    article: str
    quote: str
    clause_now: str | None
    article_now: str | None


@dataclass(frozen=True, slots=True)
class TouchedRow:
    """A row of a sheet by the edition before and by the issue."""

    id: str
    parameter: str
    value: str
    """With its unit."""
    verdict_before: SheetVerdict
    verdict: SheetVerdict
    limit_before: str
    limit: str
    margin: str
    missing: str
    citations: tuple[TouchedCitation, ...]
    """The changed clauses that the verdict before rested on."""

    def cells(self, language: Language) -> dict[str, object]:
        """Return its cells as a row of a table, by the names of the columns."""
        return {
            "id": self.id,
            "parameter": self.parameter,
            "value": self.value,
            "before": language.say(f"sheet-verdict-{self.verdict_before}"),
            "limit_before": self.limit_before,
            "now": language.say(f"sheet-verdict-{self.verdict}"),
            "limit": self.limit,
            "margin": self.margin,
            "missing": self.missing,
        }


@dataclass(frozen=True, slots=True)
class TouchedSheet:
    """A saved sheet with rows that an issue touches; suspect until a person has cleared it."""

    sheet_id: str
    name: str
    rows: tuple[TouchedRow, ...]
    cleared_by: str | None = None
    cleared_at: str | None = None

    @property
    def is_suspect(self) -> bool:
        return self.cleared_at is None

    @property
    def citations(self) -> tuple[TouchedCitation, ...]:
        """The changed clauses that its rows rested on, each once."""
        by_clause = {one.clause_id: one for row in self.rows for one in row.citations}
        return tuple(by_clause.values())


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
class ChangedClause:
    """A clause whose words changed, or that came or left, with its stable id."""

    stable_id: str | None
    pair: ClausePair


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
    other_seasons: int = 0
    """Answers that cite changed rules of other seasons, which the issue does not replace."""

    @property
    def suspects(self) -> tuple[TouchedAnswer, ...]:
        return tuple(answer for answer in self.answers if answer.is_suspect)

    @property
    def suspect_sheets(self) -> tuple[TouchedSheet, ...]:
        return tuple(sheet for sheet in self.sheets if sheet.is_suspect)


def assess_impact(
    library: Library, chats: Conversations, sheets: SheetStore, document_id: str
) -> Impact:
    """Return what an issue changed, and what of a person's chats and sheets that touches."""
    document = library.rulebook(document_id)
    editions = library.list_editions(document)
    place = [edition.document_id for edition in editions].index(document.document_id)
    if place == 0:
        return Impact(document, None)
    before = editions[place - 1]
    lineage = read_lineage(library, document)
    pairs = compare_documents(library, before.document_id, document.document_id)
    changed = [pair for pair in pairs if pair.pieces or pair.place in ("added", "removed")]
    same = {one.document_id for one in editions if one.season == document.season}
    touched = [*_list_answers(library, chats, document)]
    answers = [one for one in touched if any(c.document_id in same for c in one.citations)]
    referring = list_referring_clauses(library, document, _list_changed_articles(pairs, changed))
    is_replaced = before.document_id in same
    return Impact(
        document,
        before,
        tuple(
            ChangedClause(lineage.stable_id(pair.clause_b or pair.clause_a or ""), pair)
            for pair in changed
        ),
        tuple(answers),
        tuple(copy_fields(ReferringClause, c, refers_to=targets) for c, targets in referring),
        tuple(_list_sheets(library, sheets, lineage, before, document)) if is_replaced else (),
        len(touched) - len(answers),
    )


def _list_changed_articles(pairs: Iterable[ClausePair], changed: Iterable[ClausePair]) -> set[str]:
    """Return the numbers of changed clauses, and those of removed ones that no other has now."""
    numbers = {pair.article_b for pair in pairs}
    removed = {pair.article_a for pair in changed if not pair.article_b} - numbers
    return {one for one in removed | {pair.article_b for pair in changed} if one}


def _find_touched_citation(
    library: Library, issue: Document, clause_id: str, label: str = "", quote: str = ""
) -> TouchedCitation | None:
    """Return the citation of a clause if the issue changed it, else None."""
    clause = library.clause(clause_id)
    if clause is None or clause.family != issue.family:
        return None
    history = ClauseHistory(library, clause)
    if issue.document_id not in history.list_changing_editions():
        return None
    now = history.steps.get(issue.document_id)
    return copy_fields(
        TouchedCitation,
        clause,
        document=label,
        quote=quote,
        clause_now=now.clause_id if now else None,
        article_now=now.article if now else None,
    )


def _list_sheets(
    library: Library, store: SheetStore, lineage: Lineage, before: Document, issue: Document
) -> Iterator[TouchedSheet]:
    """Yield the saved sheets that an issue touches.

    A sheet counts where it was saved with an earlier edition of the rulebook, and with none since.
    """
    since = lineage.documents[lineage.documents.index(issue.document_id) :]
    earlier = set(lineage.documents).difference(since)
    sheets = [
        sheet
        for sheet in store.load_sheets()
        if earlier.intersection(sheet.documents) and not set(since).intersection(sheet.documents)
    ]
    if not sheets:
        return
    check_before, check_now = (_make_check(library, store, one) for one in (before, issue))
    articles = {clause.article: clause.clause_id for clause in library.clauses(before.document_id)}

    def find_citations(result: SheetResult) -> Iterator[TouchedCitation]:
        quotes = {articles[article]: "" for article in result.articles if article in articles}
        quotes |= {one.clause_id: one.quote for one in result.limits}
        for clause_id, quote in quotes.items():
            if found := _find_touched_citation(library, issue, clause_id, before.label, quote):
                yield found

    def touch_rows(sheet: SavedSheet) -> Iterator[TouchedRow]:
        for row in sheet.rows:
            old, new = check_before(row), check_now(row)
            citations = tuple(find_citations(old))
            if citations or old.verdict != new.verdict:
                yield copy_fields(
                    TouchedRow,
                    row,
                    new,
                    value=f"{row.value} {row.unit}".strip(),
                    verdict_before=old.verdict,
                    limit_before=old.limit,
                    citations=citations,
                )

    for sheet in sheets:
        if rows := tuple(touch_rows(sheet)):
            person, at = sheet.cleared.get(issue.document_id, (None, None))
            yield TouchedSheet(sheet.sheet_id, sheet.name, rows, person, at)


def _make_check(
    library: Library, store: SheetStore, document: Document
) -> Callable[[SheetRow], SheetResult]:
    index = limit_index(library, document)
    chosen = store.choices_for(library, document)
    return lambda row: check_row(row, index, chosen)


def _list_answers(
    library: Library, chats: Conversations, issue: Document
) -> Iterator[TouchedAnswer]:
    cleared = chats.find_clearances(issue.document_id)
    touched: dict[str, TouchedCitation | None] = {}
    for run in chats.list_citing_runs():
        for citation in run.citations:
            clause_id = citation["clause_id"]
            if clause_id not in touched:
                label, quote = citation.get("document", ""), citation.get("quote", "")
                found = _find_touched_citation(library, issue, clause_id, label, quote)
                touched[clause_id] = found
        own = dict.fromkeys(touched[citation["clause_id"]] for citation in run.citations)
        if citations := tuple(filter(None, own)):
            person, at = cleared.get(run.run_id, (None, None))
            yield copy_fields(
                TouchedAnswer,
                run,
                kind="check" if run.compares_values else "answer",
                asked_at=run.started_at,
                citations=citations,
                cleared_by=person,
                cleared_at=at,
            )
