"""What a rulebook limits and obliges: tables with filters and files, and what was not read."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.library import Document, Library, has_words
from core.limits import ChecklistEntry, limit_row, obligation_row, unread_row
from pages.components import services, state
from pages.components.checklist import note_obligation, take_checklist
from pages.components.document_names import choose_document, require_documents
from pages.components.labels import format_count, format_number
from pages.components.registers import (
    RuleList,
    choose_row,
    limit_cells,
    load_limits,
    load_obligations,
    offer_rows,
    show_quote,
)
from pages.components.text import escape_markdown
from pages.components.widgets import choose_many, choose_one

VIEWS = {"limits": "Limits", "obligations": "Obligations", "unread": "Numbers without a limit"}
NOT_NOTED = ChecklistEntry()


def _filter_by(rules: Sequence[Any], field: str, chosen: Sequence[str]) -> list[Any]:
    return [rule for rule in rules if not chosen or getattr(rule, field) in chosen]


def list_limits(library: Library, document: Document) -> RuleList:
    """Draw the filters of limits, and return what they leave."""
    register, _ = load_limits(library, document, library.version)
    relations = list(dict.fromkeys(limit.relation for limit in register.limits))
    units = sorted({limit.unit for limit in register.limits})
    kinds = choose_many("Relation", relations, state.LIMIT_RELATIONS)
    measures = st.multiselect(
        "Unit", units, key=state.LIMIT_UNITS, format_func=lambda unit: unit or "a count"
    )
    limits = _filter_by(_filter_by(register.limits, "relation", kinds), "unit", measures)
    return RuleList("limit", limits, len(register.limits), register.summary, limit_row, limit_cells)


def list_obligations(library: Library, document: Document) -> RuleList:
    """Draw the filter of obligations, and return what it leaves."""
    listed = load_obligations(library, document, library.version)
    modalities = list(dict.fromkeys(duty.modality for duty in listed.obligations))
    kinds = choose_many("Duty", modalities, state.DUTY_KINDS)
    duties = _filter_by(listed.obligations, "modality", kinds)
    noted = services.get_checklist().entries_for(library, document, listed.obligations)
    take_checklist(library, document, listed.obligations)
    return RuleList(
        "obligation",
        duties,
        len(listed.obligations),
        listed.summary,
        lambda document, duty: (
            obligation_row(document, duty) | noted.get(duty, NOT_NOTED).columns_for(duty)
        ),
        lambda one: {
            "Article": one.article,
            "Page": one.page,
            "Duty": one.modality,
            "Who": one.actor,
            "Quote": one.quote,
            "Owner": noted.get(one, NOT_NOTED).owner,
            "Status": noted.get(one, NOT_NOTED).status,
        },
    )


def list_unread(library: Library, document: Document) -> RuleList:
    """Return the clauses with a number and no limit, and the figures that are not read."""
    register, _ = load_limits(library, document, library.version)
    pages = sorted({one.page for one in register.unread if one.reason.startswith("figure")})
    about = "Figures may hold numbers that were not read. They are on page "
    return RuleList(
        "row",
        register.unread,
        len(register.unread),
        f"{about}{', '.join(map(str, pages))}." if pages else "",
        unread_row,
        lambda one: {
            "Article": one.article,
            "Page": one.page,
            "Why": one.reason,
            "Words": one.words,
        },
    )


def show_limits() -> None:
    st.title("Limits", anchor=False)
    library = services.get_library()
    documents = require_documents(library)
    left, right = st.columns(2)
    with left:
        document = choose_document(documents, state.LIMITS_DOCUMENT)
    words = right.text_input("Words", key=state.LIMIT_WORDS, placeholder="wheelbase")
    view = choose_one("Show", VIEWS, state.LIMITS_VIEW, persist_state="session")
    is_in_force = st.toggle("Only in force", value=True, key=state.IN_FORCE)
    make = {"limits": list_limits, "obligations": list_obligations, "unread": list_unread}[view]
    listed = make(library, document)
    shown = [
        rule
        for rule in listed.rules
        if (rule.in_force or not is_in_force)
        and has_words(" ".join(map(str, listed.cells(rule).values())), words)
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        count = f"{format_count(len(shown), listed.noun)} of {format_number(listed.total)}"
        st.markdown(f"**{count}**", width="content")
        offer_rows(VIEWS[view].lower().replace(" ", "-"), (listed.row(document, r) for r in shown))
    st.caption(escape_markdown(listed.summary))
    place = choose_row([listed.cells(rule) for rule in shown], VIEWS[view])
    if place is not None:
        show_quote(library, shown[place])
        if view == "obligations":
            note_obligation(library, document, shown[place])


show_limits()
