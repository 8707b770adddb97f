"""What changed for us: what a new issue changed, and the answers that a person has to look at."""

import getpass
from collections.abc import Sequence

import streamlit as st

from core.impact import Impact, TouchedAnswer, assess_impact, format_digest
from core.library import Document, list_editions
from pages.components import address, services, state
from pages.components.dates import format_time
from pages.components.document_names import comparison_address, distinct_names
from pages.components.labels import format_count
from pages.components.people import current_person
from pages.components.text import escape_markdown
from pages.components.touched_sheets import show_touched_sheet
from pages.components.widgets import icon_button, offer_download


def show_answer(impact: Impact, answer: TouchedAnswer, documents: Sequence[Document]) -> None:
    """Draw a touched answer, with the difference of each rule it cites and a button to clear it."""
    new = impact.document.document_id
    with st.container(border=True):
        badge = ":orange-badge[Suspect]" if answer.is_suspect else ":green-badge[Cleared]"
        kind = "Check of values" if answer.kind == "check" else "Answer"
        st.markdown(f"{badge} **{escape_markdown(answer.question)}**")
        st.caption(f"{kind} of {format_time(answer.asked_at)}")
        for one in answer.citations:
            now = one.article_now or "no longer there"
            st.page_link(
                "compare.py",
                label=f"{one.article}, {escape_markdown(one.document)} → {now}",
                icon=":material/compare_arrows:",
                query_params=comparison_address(
                    documents, one.document_id, new, one.article_now or one.article
                ),
            )
        with st.container(horizontal=True):
            st.page_link(
                "runs.py",
                label="Open the answer",
                icon=":material/history:",
                query_params=address.run_address(answer.run_id),
            )
            if answer.is_suspect:
                clear = clear_answer, answer.run_id, new
                icon_button("I have looked at it", "task_alt", *clear, key=f"clear-{answer.run_id}")
        if answer.cleared_at:
            by = f" by {escape_markdown(answer.cleared_by)}" if answer.cleared_by else ""
            st.caption(f"Cleared{by}, {format_time(answer.cleared_at)}")


def clear_answer(run_id: str, document_id: str) -> None:
    person = current_person()
    name = person.name if person else ""
    services.get_conversations().clear_answer(run_id, document_id, name or getpass.getuser())


def show_impact(impact: Impact, documents: Sequence[Document]) -> None:
    """Draw the answers that an issue touches, and the rules that refer to changed ones."""
    st.subheader("Answers and checks", anchor=False)
    if not impact.answers:
        st.success("No answer and no check cites a rule that changed.")
    elif impact.suspects:
        st.warning(f"{format_count(len(impact.suspects), 'answer')} to look at.")
    else:
        st.success("All answers that cite a changed rule have been looked at.")
    for answer in sorted(impact.answers, key=lambda answer: not answer.is_suspect):
        show_answer(impact, answer, documents)
    if impact.sheets:
        st.subheader("Sheets", anchor=False)
    for sheet in sorted(impact.sheets, key=lambda sheet: not sheet.is_suspect):
        show_touched_sheet(impact, sheet, documents)
    st.subheader("Rules that refer to changed rules", anchor=False)
    if not impact.clauses:
        st.caption("None.")
    for clause in impact.clauses:
        name = escape_markdown(f"{clause.article} {clause.title}".strip())
        st.page_link(
            "browse.py",
            label=f"{name}: refers to {escape_markdown(', '.join(clause.refers_to))}",
            icon=":material/account_tree:",
            query_params=address.clause_address(clause.clause_id),
        )


def show_changes() -> None:
    st.title("What changed for us", anchor=False)
    library = services.get_library()
    documents = library.documents()
    issues = [one for one in documents if list_editions(library, one)[0] != one]
    if not issues:
        st.info(
            "Each rulebook is here in one issue only. Add a later one on the page Library: this"
            " page then says which answers it touches."
        )
        return
    issues.sort(key=lambda one: (one.added_at, one.edition), reverse=True)
    names, keys = distinct_names(documents), [issue.document_id for issue in issues]
    chosen = st.selectbox(
        "Issue", keys, format_func=names.__getitem__, key=state.NEW_ISSUE, bind="query-params"
    )
    with st.spinner("Comparing with the issue before", show_time=True):
        impact = assess_impact(library, services.get_conversations(), services.get_sheets(), chosen)
    if impact.before is None:  # it was just removed
        return
    st.caption(f"Compared with {escape_markdown(impact.before.label)}.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "compare.py",
            label=format_count(len(impact.changed), "changed clause"),
            icon=":material/compare_arrows:",
            query_params=comparison_address(documents, impact.before.document_id, chosen),
        )
        offer_download("Digest (Markdown)", "changes.md", lambda: format_digest(impact))
    show_impact(impact, documents)


show_changes()
