"""Tables of values: cells are drawn literally, so rule text needs no escaping in them, but where a table says so."""

import re
from collections.abc import Iterable, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agent import Citation, ComplianceRow, PenaltyRow, Source, Verdict
from core.library import ClausePair, Document
from core.sanitize import strip_control_characters
from pages.components.labels import SOURCE_REASONS, format_size
from pages.components.text import escape_markdown

VERDICT_COLORS: dict[Verdict, str] = {"legal": "green", "not legal": "red", "cannot tell": "orange"}
"""The colour of a verdict's badge."""


def show_source_table(box: DeltaGenerator, found: Sequence[Source]) -> None:
    """The clauses a tool found, in its order."""
    rows = [
        {
            "Marker": f"[{source.marker}]",
            "Article": source.article,
            "Title": source.title or _heading(source.breadcrumb),
            "Page": page_range(source.page_first, source.page_last),
            "Document": source.document,
            "Why": SOURCE_REASONS[source.why],
            "Search score": f"{source.score:.2f}",
            "Text": source.text,
        }
        for source in found
    ]
    # The document, by which a rule of another season or series is known, is in view beside the number.
    widths = {
        "Marker": 64,
        "Article": 72,
        "Title": 120,
        "Page": 56,
        "Document": 300,
        "Why": 110,
        "Search score": 96,
    }
    columns = {name: st.column_config.TextColumn(width=width) for name, width in widths.items()}
    box.dataframe(sanitize_rows(rows), hide_index=True, alt="Clauses found", column_config=columns)


def sanitize_rows(rows: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """Rows as a data frame may show them: it escapes nothing, and obeys what turns the direction of writing."""
    return [
        {
            name: strip_control_characters(cell) if isinstance(cell, str) else cell
            for name, cell in row.items()
        }
        for row in rows
    ]


def _heading(breadcrumb: Sequence[str]) -> str:
    """The nearest heading in words above a clause that has none."""
    return next((step for step in reversed(breadcrumb) if any(map(str.isalpha, step))), "")


def show_pair_table(box: DeltaGenerator, found: Sequence[ClausePair]) -> None:
    """The clauses a comparison has aligned."""
    rows = [
        {
            "Change": pair.kind,
            "Before": pair.article_a or "",
            "After": pair.article_b or "",
            "Title": pair.title,
            "Wording before": pair.before,
            "Wording after": pair.after,
            "Publisher's marks": pair.marked or "",
        }
        for pair in found
    ]
    box.dataframe(sanitize_rows(rows), hide_index=True, alt="Clauses compared")


def show_penalty_table(box: DeltaGenerator, found: Sequence[PenaltyRow]) -> None:
    """Breaches and their sanctions."""
    rows = [
        {
            "Article": row.article,
            "Page": row.page,
            "Breach": row.breach,
            "Sanction": row.sanction,
            "Conditions": row.conditions,
            "Decided by": row.decided_by,
            "Document": row.document,
        }
        for row in found
    ]
    box.dataframe(sanitize_rows(rows), hide_index=True, alt="Penalties")


def show_compliance_table(box: DeltaGenerator, found: Sequence[ComplianceRow]) -> None:
    """The values of a question against the limits of the quoted clauses, the verdict first, where a telephone has it in
    view. Its cells are Markdown, and wrap."""
    rows = [
        {
            "Verdict": f":{VERDICT_COLORS[row.verdict]}-badge[{row.verdict}]",
            "Limit": _amount(row.limit),
            "Yours": _amount(row.yours),
            "Margin": _amount(row.margin),
            "Requirement": escape_markdown(row.subject),
            "Article": ", ".join(dict.fromkeys(_marked(citation) for citation in row.citations)),
            "Note": escape_markdown(row.note),
        }
        for row in found
    ]
    if not any(row["Note"] for row in rows):
        rows = [{name: cell for name, cell in row.items() if name != "Note"} for row in rows]
    box.table(rows, hide_index=True, border="horizontal", alt="Your values against the limits")


def _marked(citation: Citation) -> str:
    """An article with the marker of its quote, by which the rulebook is known that it stands in."""
    return escape_markdown(f"[{citation.marker}] {citation.article}").replace(" ", "\u00a0")


def _amount(told: str) -> str:
    """An amount whose figures stay in a line with their units."""
    return re.sub(r"(?<=\d) ", "\u00a0", escape_markdown(told))


def show_document_table(box: DeltaGenerator, documents: Sequence[Document]) -> None:
    """The documents of the library."""
    rows = [
        {
            "Title": document.title,
            "Season": document.season,
            "Issue": document.issue,
            "Date": document.date or "",
            "Family": document.family or "",
            "Pages": document.pages,
            "Clauses": document.clauses,
            "Size": format_size(document.size),
            "File": document.file,
        }
        for document in documents
    ]
    # Without a format a year is written with a thousands separator.
    numbers = {name: st.column_config.NumberColumn(format="%d") for name in ("Season", "Issue")}
    box.dataframe(
        sanitize_rows(rows), hide_index=True, alt="Documents of the library", column_config=numbers
    )


def page_range(first: int, last: int) -> str:
    """A page or a range of pages."""
    return str(first) if first == last else f"{first}–{last}"
