"""What a rulebook limits and obliges: tables with filters and files, and what was not read."""

import streamlit as st

from core.limits import limit_row, obligation_row, unread_row
from pages.components import services, state
from pages.components.document_names import distinct_names
from pages.components.labels import format_count, format_number
from pages.components.registers import (
    RegisterFilter,
    choose_row,
    limit_cells,
    load_limits,
    load_obligations,
    obligation_cells,
    offer_rows,
    show_quote,
)
from pages.components.text import escape_markdown
from pages.components.widgets import choose_many, choose_one

VIEWS = {
    "limits": "Limits",
    "obligations": "Obligations",
    "unread": "Numbers without a limit",
}
EMPTY_CHECKLIST = {"owner": None, "status": None, "evidence": None}

library = services.get_library()

st.title("Limits", anchor=False)
documents = {document.document_id: document for document in library.documents()}
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) on the page Library, then look here.")
    st.stop()
names = distinct_names(documents.values())
newest = max(documents.values(), key=lambda d: (d.date or "", d.season or 0, d.issue or 0))
left, right = st.columns(2)
chosen_id = left.selectbox(
    "Document",
    list(documents),
    list(documents).index(newest.document_id),
    format_func=names.__getitem__,
    key=state.LIMITS_DOCUMENT,
    persist_state="session",
)
words = right.text_input("Words", key=state.LIMIT_WORDS, placeholder="wheelbase")
document = documents[chosen_id]
view = choose_one("Show", VIEWS, state.LIMITS_VIEW, persist_state="session")


def show_limits(is_in_force: bool) -> None:
    """Draw the limits with their filters."""
    register, _ = load_limits(library, document, library.version)
    relations = list(dict.fromkeys(limit.relation for limit in register.limits))
    units = sorted({limit.unit for limit in register.limits})
    kinds = choose_many("Relation", relations, state.LIMIT_RELATIONS)
    measures = st.multiselect(
        "Unit", units, key=state.LIMIT_UNITS, format_func=lambda unit: unit or "a count"
    )
    matches = RegisterFilter(words, is_in_force, kinds, measures).matches_limit
    shown = [limit for limit in register.limits if matches(limit)]
    with st.container(horizontal=True, vertical_alignment="center"):
        of_all = f"{format_count(len(shown), 'limit')} of {format_number(len(register.limits))}"
        st.markdown(f"**{of_all}**", width="content")
        offer_rows("limits", (limit_row(document, limit) for limit in shown))
    st.caption(escape_markdown(register.summary))
    row = choose_row([limit_cells(limit) for limit in shown], "Limits")
    if row is not None:
        limit = shown[row]
        show_quote(limit.clause_id, limit.article, limit.page, limit.quote)


def show_obligations(is_in_force: bool) -> None:
    """Draw the obligations with their filters, and their list to inspect a car by."""
    listed = load_obligations(library, document, library.version)
    modalities = list(dict.fromkeys(duty.modality for duty in listed.obligations))
    kinds = choose_many("Duty", modalities, state.DUTY_KINDS)
    matches = RegisterFilter(words, is_in_force, modalities=kinds).matches_obligation
    shown = [duty for duty in listed.obligations if matches(duty)]
    with st.container(horizontal=True, vertical_alignment="center"):
        total = format_number(len(listed.obligations))
        st.markdown(f"**{format_count(len(shown), 'obligation')} of {total}**", width="content")
        rows = (obligation_row(document, duty) | EMPTY_CHECKLIST for duty in shown)
        offer_rows("obligations", rows)
    st.caption(escape_markdown(listed.summary))
    row = choose_row([obligation_cells(duty) for duty in shown], "Obligations")
    if row is not None:
        duty = shown[row]
        show_quote(duty.clause_id, duty.article, duty.page, duty.quote)


def show_unread(is_in_force: bool) -> None:
    """Draw the clauses with a number and no limit, and the figures that are not read."""
    register, _ = load_limits(library, document, library.version)
    shown = [
        one
        for one in register.unread
        if (one.in_force or not is_in_force)
        and all(word in f"{one.reason} {one.words}".casefold() for word in words.casefold().split())
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{format_count(len(shown), 'row')}**", width="content")
        offer_rows("numbers-without-a-limit", (unread_row(document, one) for one in shown))
    pages = sorted({one.page for one in shown if one.reason.startswith("figure")})
    if pages:
        numbers = ", ".join(map(str, pages))
        st.caption(f"Figures may hold numbers that were not read. They are on page {numbers}.")
    cells = [
        {"Article": one.article, "Page": one.page, "Why": one.reason, "Words": one.words}
        for one in shown
    ]
    row = choose_row(cells, "Numbers without a limit")
    if row is not None:
        one = shown[row]
        clauses = library.clauses(document.document_id)
        clause = next(clause for clause in clauses if clause.article == one.article)
        show_quote(clause.clause_id, one.article, one.page, one.words or one.reason)


in_force = st.toggle("Only in force", value=True, key=state.IN_FORCE)
{"limits": show_limits, "obligations": show_obligations, "unread": show_unread}[view](in_force)
