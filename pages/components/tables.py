"""Tables of values. Data frames draw cells literally, so rule text is not escaped in them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.answers import list_check_tables
from core.sanitize import strip_control_characters
from core.verification import ComplianceRow
from pages.components.words import language, say, say_each

Row = Mapping[str, object]
MAX_ROWS = 2_000
"""Rows that a table draws; a browser that gets more of them stalls."""
WIDTHS = {
    "id": 44,
    "marker": 64,
    "article": 84,
    "page": 56,
    "title": 120,
    "document": 300,
    "why": 110,
    "search_score": 96,
    "parameter": 140,
    "subject": 320,
    "value": 84,
    "limit": 132,
    "layers": 200,
    "rulebook": 176,
    "margin": 84,
}
"""Pixels of the columns whose cells say how wide they are. The document is in view beside the
number: it shows a rule of another season or series. A telephone shows a row's id, its verdict and
its rulebook together."""


def sanitize_rows(rows: Iterable[Row]) -> list[dict[str, object]]:
    """Rows without control characters: a data frame obeys those that reverse the text direction."""
    return [
        {
            name: strip_control_characters(cell) if isinstance(cell, str) else cell
            for name, cell in row.items()
        }
        for row in rows
    ]


def show_rows(rows: Iterable[Row], alt: str, **look: Any) -> DeltaGenerator:
    """Draw rows as a data frame, the heads of its columns in the reader's language.

    What `look` says of a column is its configuration; the rest goes to the data frame.
    """
    rows = sanitize_rows(rows)
    names = say_each("column-", dict.fromkeys(name for row in rows for name in row))
    widths = {name: st.column_config.Column(width=pixels) for name, pixels in WIDTHS.items()}
    # Without a format a year has a thousands separator.
    plain = st.column_config.NumberColumn(format="%d")
    known: dict[str, Any] = {**widths, "season": plain, "issue": plain}
    known |= {name: look.pop(name) for name in names if name in look}
    try:  # pandas, which Streamlit makes of anything else, takes ten times as long
        named: Any = pa.table({names[name]: [row.get(name) for row in rows] for name in names})
    except pa.ArrowException:  # of cells that pandas alone can bring under one type
        named = [{names[name]: cell for name, cell in row.items()} for row in rows]
    drawn: DeltaGenerator = st.dataframe(
        named,
        hide_index=True,
        alt=alt,
        column_config={names[name]: one for name, one in known.items() if name in names},
        placeholder="",
        **look,
    )
    return drawn


def choose_row(rows: Sequence[Row], name: str, **look: Any) -> int | None:
    """Draw a table, and return the number of the row that is chosen in it.

    Other rows make another table, in which none is chosen.
    """
    key = f"{name}-{hash(tuple(tuple(map(str, row.values())) for row in rows))}"
    chooses = {"key": key, "on_select": "rerun", "selection_mode": "single-row"}
    chosen: Any = show_rows(rows[:MAX_ROWS], name, **chooses, **look)
    if len(rows) > MAX_ROWS:
        st.caption(say("table-first-rows", count=MAX_ROWS))
    selected = [row for row in chosen.selection.rows if row < len(rows)]
    return selected[0] if selected else None


def show_checks(found: Sequence[ComplianceRow]) -> None:
    """Draw the values of a question against the quoted limits: a block for each rulebook."""
    for heading, checks in list_check_tables(language(), found):
        if heading:
            st.markdown(heading)
        if checks:
            show_wrapped_rows(checks, say("table-checks"))


def show_wrapped_rows(rows: Sequence[Sequence[str]], alt: str) -> None:
    """Draw rows of Markdown below their head; their cells wrap."""
    head, *cells = rows
    named = [dict(zip(head, row, strict=True)) for row in cells]
    st.table(named, hide_index=True, border="horizontal", alt=alt)
