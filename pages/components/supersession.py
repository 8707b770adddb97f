"""The badge on a citation whose words a later issue changed, with the difference one click away."""

import streamlit as st

from core.agent import Citation
from core.library import Library, Supersession, find_supersession
from core.markdown_escape import escape_markdown
from pages.components.document_names import comparison_address
from pages.components.words import say


def show_supersession(library: Library, citation: Citation) -> None:
    """Draw the badge, and a link to both wordings, where a later issue changed the rule."""
    documents = library.documents()
    editions = tuple(document.edition for document in documents)
    found = _find_supersession(library, citation.clause_id, library.version, editions)
    if found is None:
        return
    issue = escape_markdown(found.document.label)
    how = "superseded-changed" if found.clause else "superseded-dropped"
    st.markdown(say(how, issue=issue), width="content")
    article = found.clause.article if found.clause else citation.article
    st.page_link(
        "compare.py",
        label=say("superseded-difference"),
        icon=":material/compare_arrows:",
        query_params=comparison_address(
            documents, citation.document_id, found.document.document_id, article
        ),
    )


@st.cache_data(show_spinner=False, max_entries=1000)
def _find_supersession(
    _library: Library,
    clause_id: str,
    version: int,  # noqa: ARG001
    editions: tuple[tuple[int, int], ...],  # noqa: ARG001
) -> Supersession | None:
    """What superseded a clause; found again once the library's clauses or editions change."""
    clause = _library.clause(clause_id)
    return find_supersession(_library, clause) if clause else None
