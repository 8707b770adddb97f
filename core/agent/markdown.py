"""Values as Markdown tables, for a model to read and the command line to print. Pages draw their own."""

from collections.abc import Iterable, Sequence

from core.agent.types import Citation, ComplianceRow, ToolResult
from core.agent.verification.compliance import overall_verdict


def format_tables(result: ToolResult) -> str:
    """The tables of a result, empty where it has none."""
    parts = [result.note or "", *result.struck]
    if result.coverage and result.coverage.returned < result.coverage.relevant:
        told = result.coverage
        parts.append(
            f"{told.returned} of {told.relevant} relevant clauses are given; the rest is left out for length."
        )
    if result.pairs:
        head: tuple[str, ...] = (
            "",
            "Before",
            "After",
            "Title",
            "Wording before",
            "Wording after",
            "By the publisher",
        )
        changed = [p for p in result.pairs if p.kind != "unchanged"]
        cells = (
            (p.kind, p.article_a, p.article_b, p.title, p.before, p.after, p.marked)
            for p in changed
        )
        parts.append(_table(head, cells))
    if result.rows:
        head = ("Article", "Page", "Breach", "Sanction", "Conditions", "Decided by", "Document")
        rows = (
            (r.article, r.page, r.breach, r.sanction, r.conditions, r.decided_by, r.document)
            for r in result.rows
        )
        parts.append(_table(head, rows))
    return "\n\n".join(part for part in parts if part)


def format_compliance(rows: Sequence[ComplianceRow]) -> str:
    """The check of a question's values: the verdict, and a table of what it rests on; empty where there is none."""
    if not rows:
        return ""
    head = ("Requirement", "Limit", "Yours", "Margin", "Verdict", "Article", "Note")
    cells = (
        (
            row.subject,
            row.limit,
            row.yours,
            row.margin,
            row.verdict,
            _articles(row.citations),
            row.note,
        )
        for row in rows
    )
    return f"**{overall_verdict(rows).capitalize()}** by the limits that are quoted here.\n\n{_table(head, cells)}"


def _articles(citations: Iterable[Citation]) -> str:
    return ", ".join(dict.fromkeys(citation.article for citation in citations))


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [_row(head), _row("---" for _ in head), *(_row(row) for row in rows)]
    return "\n".join(lines)


def _row(cells: Iterable[object]) -> str:
    texts = (
        "" if cell is None else " ".join(str(cell).split()).replace("|", "\\|") for cell in cells
    )
    return f"| {' | '.join(texts)} |"
