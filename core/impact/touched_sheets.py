"""Citations of clauses that an issue changed, and saved sheets with rows that rest on such clauses.

A sheet is touched where a row rests on a clause that the issue changed, or gets another verdict.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.copied_fields import copy_fields
from core.language import Language
from core.library import Document, Library, Lineage, editions_that_change
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
    article: str
    quote: str
    clause_now: str | None
    article_now: str | None


def find_touched_citation(
    library: Library,
    lineage: Lineage,
    issue: Document,
    clause_id: str,
    label: str = "",
    quote: str = "",
) -> TouchedCitation | None:
    """Return the citation of a clause if the issue changed it, else None.

    `label` is the name of the document that was cited.
    """
    clause = library.clause(clause_id)
    if clause is None or issue.document_id not in editions_that_change(library, lineage, clause):
        return None
    steps = lineage.history(clause.clause_id)
    now = next((step for step in steps if step.document_id == issue.document_id), None)
    return copy_fields(
        TouchedCitation,
        clause,
        document=label,
        quote=quote,
        clause_now=now.clause_id if now else None,
        article_now=now.article if now else None,
    )


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


def touched_cells(language: Language, row: TouchedRow) -> dict[str, object]:
    """Return a touched row as one of a table, its cells by the names of the columns."""
    return {
        "id": row.id,
        "parameter": row.parameter,
        "value": row.value,
        "before": language.say(f"sheet-verdict-{row.verdict_before}"),
        "limit_before": row.limit_before,
        "now": language.say(f"sheet-verdict-{row.verdict}"),
        "limit": row.limit,
        "margin": row.margin,
        "missing": row.missing,
    }


def list_touched_sheets(
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
        for clause_id, quote in (
            quotes | {one.clause_id: one.quote for one in result.limits}
        ).items():
            if found := find_touched_citation(
                library, lineage, issue, clause_id, before.label, quote
            ):
                yield found

    def touch_rows(sheet: SavedSheet) -> Iterator[TouchedRow]:
        for row in sheet.rows:
            old, new = check_before(row), check_now(row)
            citations = tuple(find_citations(old))
            if citations or old.verdict != new.verdict:
                yield _touched_row(row, old, new, citations)

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


def _touched_row(
    row: SheetRow, old: SheetResult, new: SheetResult, citations: tuple[TouchedCitation, ...]
) -> TouchedRow:
    return copy_fields(
        TouchedRow,
        row,
        new,
        value=f"{row.value} {row.unit}".strip(),
        verdict_before=old.verdict,
        limit_before=old.limit,
        citations=citations,
    )
