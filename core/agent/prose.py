"""Pairs and rows of a tool as Markdown tables, for a model to read and a draft to hold. Pages draw their own."""

from collections.abc import Iterable

from core.agent.types import ToolResult


def tables(result: ToolResult) -> str:
    """The tables of a result, empty where it has none."""
    parts = [result.note or ""]
    if result.pairs:
        head: tuple[str, ...] = ("", "Before", "After", "Title", "Wording before", "Wording after")
        changed = [p for p in result.pairs if p.kind != "unchanged"]
        parts.append(_table(head, ((p.kind, p.article_a, p.article_b, p.title, p.before, p.after) for p in changed)))
    if result.rows:
        head = ("Article", "Page", "Breach", "Sanction", "Decided by")
        parts.append(_table(head, ((r.article, r.page, r.breach, r.sanction, r.decided_by) for r in result.rows)))
    return "\n\n".join(part for part in parts if part)


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [_row(head), _row("---" for _ in head), *(_row(row) for row in rows)]
    return "\n".join(lines)


def _row(cells: Iterable[object]) -> str:
    texts = ("" if cell is None else " ".join(str(cell).split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(texts)} |"
