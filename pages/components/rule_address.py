"""The address of a rule: what it leads to on the page Rulebooks, and the address to copy."""

import streamlit as st

from core.library import Document, Library, RuleAddress
from core.markdown_escape import escape_markdown
from core.rulebook import Clause
from pages.components.address import RULE, server_address
from pages.components.clause import clause_label, status_badge
from pages.components.widgets import clause_link, page_link
from pages.components.words import say


def follow_rule(library: Library) -> str | None:
    """Return the id of the clause that the address of a rule leads to; None without such an one.

    Where it leads to several or to none, draws these or what is held, and returns "".
    """
    if RULE not in st.query_params:
        return None
    address = RuleAddress.parse(st.query_params[RULE])
    if address is None:
        st.warning(say("address-short"))
        return ""
    found = address.find(library)
    if found.clause and not found.lacks:
        return found.clause.clause_id
    if found.lacks:
        asked = {"family": address.family, "season": address.season, "article": address.article}
        named = {name: escape_markdown(text) for name, text in asked.items()}
        held = escape_markdown(", ".join(found.held) or say("address-nothing"))
        issue = escape_markdown(address.issue or "")
        st.warning(say(f"address-lacks-{found.lacks}", held=held, issue=issue, **named))
    if found.candidates:
        st.markdown(say("address-choose", count=len(found.candidates)))
    for clause in found.candidates:
        document = library.document(clause.document_id)
        label = escape_markdown(document.citation_label)
        clause_link(f"**{clause_label(clause)}** · {label}", clause.clause_id)
        status = "" if clause.status == "in_force" else status_badge(clause.status)
        place = say("search-place", document=label, page=clause.page_first)
        words = escape_markdown(clause.text[:200])
        st.caption(" · ".join(filter(None, (place, status, words))))
    page_link("rulebooks", say("browse-back"), "arrow_back")
    return ""


def show_address(document: Document, clause: Clause) -> None:
    """Draw the address of a rule, with a button that copies it."""
    if clause.article:
        st.caption(say("address-copy"))
        path = RuleAddress.of(document, clause.article).path
        st.code(server_address(path), language=None, wrap_lines=True)
