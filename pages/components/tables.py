"""Tables of values. Data frames draw cells literally, so rule text is not escaped in them."""

import re
from collections.abc import Iterable, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agent import ComplianceRow, PenaltyRow, Source, full_article
from core.library import ClausePair, Document
from core.limits import Verdict, overall_verdict
from core.sanitize import strip_control_characters
from pages.components.labels import SOURCE_REASONS, format_size
from pages.components.text import escape_markdown

VERDICT_COLORS: dict[Verdict, str] = {"legal": "green", "not legal": "red", "cannot tell": "orange"}
_NBSP = "\u00a0"


def show_source_table(box: DeltaGenerator, found: Sequence[Source]) -> None:
    """Draw the clauses that a tool found, in its order."""

    def has_letters(heading: str) -> bool:
        return any(map(str.isalpha, heading))

    rows = [
        {
            "Rank": rank,
            "Marker": f"[{source.marker}]",
            "Article": source.article,
            "Title": source.title or next(filter(has_letters, reversed(source.breadcrumb)), ""),
            "Page": page_range(source.page_first, source.page_last),
            "Document": source.document,
            "Why": SOURCE_REASONS[source.why],
            "Search score": f"{source.score:.2f}",
            "Text": source.text,
        }
        for rank, source in enumerate(found, 1)
    ]
    # The document is in view beside the number: it shows a rule of another season or series.
    widths = {"Marker": 64, "Article": 72, "Title": 120, "Page": 56, "Document": 300}
    widths |= {"Why": 110, "Search score": 96}
    columns = {name: st.column_config.TextColumn(width=width) for name, width in widths.items()}
    box.dataframe(sanitize_rows(rows), hide_index=True, alt="Clauses found", column_config=columns)


def sanitize_rows(rows: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """Rows without control characters: a data frame obeys those that reverse the text direction."""
    return [
        {
            name: strip_control_characters(cell) if isinstance(cell, str) else cell
            for name, cell in row.items()
        }
        for row in rows
    ]


def show_pair_table(box: DeltaGenerator, found: Sequence[ClausePair]) -> None:
    """Draw the pairs of clauses that a comparison aligned."""
    rows = [
        {
            "Change": pair.change,
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


def show_checks(found: Sequence[ComplianceRow]) -> None:
    """Draw the values of a question against the quoted limits: a block for each rulebook."""
    by_rulebook: dict[str, list[ComplianceRow]] = {}
    for row in found:
        by_rulebook.setdefault(row.citations[0].document if row.citations else "", []).append(row)
    for document, rows in by_rulebook.items():
        if document:
            verdict = overall_verdict(rows)
            badge = f":{VERDICT_COLORS[verdict]}-badge[{verdict}]"
            st.markdown(f"{badge} :small[{escape_markdown(document)}]")
        show_compliance_table(st.container(), rows)


def show_compliance_table(box: DeltaGenerator, found: Sequence[ComplianceRow]) -> None:
    """Draw values against limits: limit, yours, margin, verdict come first. The cells wrap."""
    rows = [
        {
            "Limit": _bind_units(row.limit) if row.citations else "none found",
            "Yours": _bind_units(row.yours),
            "Margin": _bind_units(row.margin),
            "Verdict": f":{VERDICT_COLORS[row.verdict]}-badge[{row.verdict}]",
            "Requirement": escape_markdown(row.subject),
            "Article": ", ".join(
                dict.fromkeys(
                    escape_markdown(full_article(citation)).replace(" ", _NBSP)
                    for citation in row.citations
                )
            ),
            "Note": escape_markdown(row.note),
        }
        for row in found
    ]
    if not any(row["Note"] for row in rows):
        rows = [{name: cell for name, cell in row.items() if name != "Note"} for row in rows]
    box.table(rows, hide_index=True, border="horizontal", alt="Your values against the limits")


def show_penalties(found: Sequence[PenaltyRow]) -> None:
    """Draw the penalties of an answer."""
    rows = [
        {
            "Breach": escape_markdown(row.breach),
            "Sanction": escape_markdown(row.sanction),
            "Condition": escape_markdown(row.conditions),
            "Article": escape_markdown(row.article).replace(" ", _NBSP),
        }
        for row in found
    ]
    if not any(row["Condition"] for row in rows):
        rows = [{name: cell for name, cell in row.items() if name != "Condition"} for row in rows]
    st.table(rows, hide_index=True, border="horizontal", alt="Penalties")


def _bind_units(amount: str) -> str:
    """Escape an amount, with no line break between a number and its unit."""
    return re.sub(r"(?<=\d) ", _NBSP, escape_markdown(amount))


def show_document_table(box: DeltaGenerator, documents: Sequence[Document]) -> None:
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
    # Without a format a year has a thousands separator.
    numbers = {name: st.column_config.NumberColumn(format="%d") for name in ("Season", "Issue")}
    box.dataframe(
        sanitize_rows(rows), hide_index=True, alt="Documents of the library", column_config=numbers
    )


def page_range(first: int, last: int) -> str:
    """A page or a range of pages: "4", "4–5"."""
    return str(first) if first == last else f"{first}–{last}"
