"""What changed for us: what a new issue changed, and the answers that a person has to look at."""

import streamlit as st

from core.impact import Impact, assess_impact, format_digest
from core.library import list_editions
from core.markdown_escape import escape_markdown
from pages.components import services
from pages.components.document_names import comparison_address, distinct_names
from pages.components.touched import show_touched_answer, show_touched_sheet
from pages.components.widgets import clause_link, offer_download, row, select_one
from pages.components.words import say


def show_impact(impact: Impact) -> None:
    """Draw the answers that an issue touches, and the rules that refer to changed ones."""
    st.subheader(say("changes-answers"), anchor=False)
    if not impact.answers:
        st.success(say("changes-no-answers"))
    elif impact.suspects:
        st.warning(say("changes-suspects", count=len(impact.suspects)))
    else:
        st.success(say("changes-all-cleared"))
    for answer in sorted(impact.answers, key=lambda answer: not answer.is_suspect):
        show_touched_answer(impact, answer)
    if impact.sheets:
        st.subheader(say("changes-sheets"), anchor=False)
    for sheet in sorted(impact.sheets, key=lambda sheet: not sheet.is_suspect):
        show_touched_sheet(impact, sheet)
    st.subheader(say("changes-rules"), anchor=False)
    if not impact.clauses:
        st.caption(say("changes-no-rules"))
    for clause in impact.clauses:
        name = escape_markdown(f"{clause.article} {clause.title}")
        articles = escape_markdown(", ".join(clause.refers_to))
        clause_link(say("changes-refers", clause=name, articles=articles), clause.clause_id)


def show_changes() -> None:
    st.title(say("changes-title"), anchor=False)
    library = services.get_library()
    documents = library.documents()
    issues = [one for one in documents if list_editions(library, one)[0] != one]
    if not issues:
        st.info(say("changes-one-issue"))
        return
    issues.sort(key=lambda one: (one.added_at, one.edition), reverse=True)
    names = distinct_names(documents)
    names = {issue.document_id: names[issue.document_id] for issue in issues}
    chosen = select_one(say("changes-issue"), names, key="issue", in_address=True)
    with st.spinner(say("changes-comparing"), show_time=True):
        chats, sheets = services.get_conversations(), services.get_sheets()
        impact = assess_impact(library, chats, sheets, chosen)
    if impact.before is None:  # it was just removed
        return
    st.caption(say("changes-before", document=escape_markdown(impact.before.label)))
    with row():
        st.page_link(
            "compare.py",
            label=say("changes-clauses", count=len(impact.changed)),
            icon=":material/compare_arrows:",
            query_params=comparison_address(impact.before.document_id, chosen),
        )
        offer_download(say("changes-digest"), "changes.md", lambda: format_digest(impact))
    show_impact(impact)


show_changes()
