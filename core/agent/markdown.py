"""Results as Markdown tables, for a model and for the command line. Pages draw their own."""

from collections.abc import Iterable, Iterator, Sequence

from core.agent.types import ToolResult
from core.library import ClausePair
from core.sheets import overall_verdict
from core.verification import ComplianceRow


def format_tables(result: ToolResult) -> str:
    """Return the notes and tables of a result; empty where it has none."""
    parts = [result.note or "", *result.struck]
    coverage = result.coverage
    if coverage and coverage.returned < coverage.relevant:
        parts.append(
            f"{coverage.returned} of {coverage.relevant} relevant clauses are given;"
            " the rest is left out for length."
        )
    if result.pairs:
        parts += _format_pairs(result.pairs)
    if result.rows:
        header = "| Article | Page | Breach | Sanction | Conditions | Decided by | Document |"
        penalties = (
            (r.article, r.page, r.breach, r.sanction, r.conditions, r.decided_by, r.document)
            for r in result.rows
        )
        parts.append(_format_table(header, penalties))
    return "\n\n".join(filter(None, parts))


def _format_pairs(pairs: Sequence[ClausePair]) -> Iterator[str]:
    """Yield the changed pairs as a table, then the unchanged ones in a line."""
    changed = [pair for pair in pairs if pair.has_difference]
    if changed:
        header = "|  | Before | After | Title | ~~Left~~ and **entered** | By the publisher |"
        rows = (
            (p.change, p.article_a, p.article_b, p.title, _mark_changes(p), p.marked)
            for p in changed
        )
        yield _format_table(header, rows)
    if same := [
        f"{p.article_a or p.article_b} {p.title}".strip() for p in pairs if p not in changed
    ]:
        yield f"Unchanged: {'; '.join(same)}."


def _mark_changes(pair: ClausePair) -> str:
    """Return the words that left and those that entered, marked.

    Nothing where they are over 40, or all of a clause: its wording is in the evidence.
    """
    signs = {"deleted": "~~", "inserted": "**"}
    texts = ((signs.get(piece.kind), piece.text.strip()) for piece in pair.pieces)
    marked = " ".join(f"{sign}{text}{sign}" for sign, text in texts if sign and text)
    return marked if len(marked.split()) <= 40 else ""


def format_compliance(rows: Sequence[ComplianceRow]) -> str:
    """Return the overall verdict and a table of the rows; empty where no row has a limit."""
    if not any(row.citations for row in rows):
        return ""
    cells = []
    for row in rows:
        articles = ", ".join(dict.fromkeys(citation.article for citation in row.citations))
        cells.append(
            (row.subject, row.limit, row.yours, row.margin, row.verdict, articles, row.note)
        )
    table = _format_table(
        "| Requirement | Limit | Yours | Margin | Verdict | Article | Note |", cells
    )
    return (
        f"**{overall_verdict(rows).capitalize()}** by the limits that are quoted here.\n\n{table}"
    )


def _format_table(header: str, rows: Iterable[Iterable[object]]) -> str:
    escaped = r"\|"
    lines = [header, f"|{' --- |' * (header.count('|') - 1)}"]
    for row in rows:
        texts = ("" if cell is None else " ".join(str(cell).split()) for cell in row)
        lines.append(f"| {' | '.join(text.replace('|', escaped) for text in texts)} |")
    return "\n".join(lines)
