"""Tables of values: cells are drawn literally, so rule text needs no escaping in them."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agent.types import PenaltyRow, Requirement, Source
from core.library.types import Document, Pair
from pages.components.words import WHY, megabytes


def sources(box: DeltaGenerator, found: Sequence[Source]) -> None:
    """The clauses a tool found, in its order."""
    rows = [
        {
            "Marker": f"[{source.marker}]",
            "Article": source.article,
            "Title": source.title or _heading(source.breadcrumb),
            "Page": pages(source.page_first, source.page_last),
            "Why": WHY[source.why],
            "Search score": f"{source.score:.2f}",
            "Document": source.document,
            "Text": source.text,
        }
        for source in found
    ]
    widths = {"Marker": 64, "Article": 72, "Title": 180, "Page": 56, "Why": 110, "Search score": 96}
    columns = {name: st.column_config.TextColumn(width=width) for name, width in widths.items()}
    box.dataframe(rows, hide_index=True, alt="Clauses found", column_config=columns)


def _heading(breadcrumb: Sequence[str]) -> str:
    """The nearest heading in words above a clause that has none."""
    return next((step for step in reversed(breadcrumb) if any(map(str.isalpha, step))), "")


def pairs(box: DeltaGenerator, found: Sequence[Pair]) -> None:
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
    box.dataframe(rows, hide_index=True, alt="Clauses compared")


def penalties(box: DeltaGenerator, found: Sequence[PenaltyRow]) -> None:
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
    box.dataframe(rows, hide_index=True, alt="Penalties")


def requirements(box: DeltaGenerator, found: Sequence[Requirement]) -> None:
    """The values of a question against the limits of the quoted clauses."""
    rows = [
        {
            "Requirement": row.subject,
            "Limit": row.limit,
            "Yours": row.yours,
            "Margin": row.margin,
            "Verdict": row.verdict,
            "Article": ", ".join(dict.fromkeys(citation.article for citation in row.citations)),
            "Note": row.note,
        }
        for row in found
    ]
    # Together as wide as the column of a chat, so that nothing but the note is out of sight.
    widths = {"Requirement": 170, "Limit": 130, "Yours": 90, "Margin": 90, "Verdict": 100, "Article": 76}
    columns = {name: st.column_config.TextColumn(width=width) for name, width in widths.items()}
    box.dataframe(rows, hide_index=True, alt="Your values against the limits", column_config=columns)


def documents(box: DeltaGenerator, held: Sequence[Document]) -> None:
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
            "Size": megabytes(document.size),
            "File": document.file,
        }
        for document in held
    ]
    # Without a format a year is written with a thousands separator.
    numbers = {name: st.column_config.NumberColumn(format="%d") for name in ("Season", "Issue")}
    box.dataframe(rows, hide_index=True, alt="Documents of the library", column_config=numbers)


def pages(first: int, last: int) -> str:
    """A page or a range of pages."""
    return str(first) if first == last else f"{first}–{last}"
