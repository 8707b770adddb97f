"""Rulings: those on a clause below it, and the documents that hold them, with what each is on."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from core.errors import ScrutineerError
from core.library import Document, Library, Rulings
from core.markdown_escape import escape_markdown
from core.sanitize import strip_control_characters
from core.shapes import RulingOnClause, RulingReply
from pages.components.people import person_name
from pages.components.services import of_library
from pages.components.uploads import RULINGS_ON
from pages.components.widgets import confirm_removal, icon_button, select_one, show_failures
from pages.components.words import language, library_text, say


@st.cache_data(max_entries=500, **of_library)
def find_rulings(library: Library, clause_id: str) -> tuple[RulingOnClause, ...]:
    """Return the rulings on a clause, by its id."""
    clause = library.clause(clause_id)
    return RulingOnClause.list_of(library, clause) if clause else ()


def show_rulings(library: Library, clause_id: str) -> None:
    """Draw the rulings on a clause, each closed, with a warning where the rule has changed."""
    for one in find_rulings(library, clause_id):
        day = language().format_day(date.fromisoformat(one.day)) if one.day else ""
        about = " · ".join(filter(None, (one.title, one.source, day)))
        changed = f" {say('ruling-changed')}" if one.has_changed else ""
        with st.expander(f"{say('ruling')} {escape_markdown(about)}{changed}"):
            if one.has_changed is not False:
                why = "ruling-changed-since" if one.has_changed else "ruling-unknown-edition"
                st.warning(say(why, edition=escape_markdown(one.edition)))
            st.text(strip_control_characters(one.text))


def choose_rulings(documents: Sequence[Document]) -> None:
    """Draw the choice of the rulebook that uploaded files hold rulings on; none for rulebooks."""
    if documents:
        names = {"": say("rulings-none")} | library_text().name_documents(documents)
        select_one(say("rulings-upload"), names, key=RULINGS_ON)


def show_ruling_documents(library: Library, rulebooks: Sequence[Document]) -> None:
    """Draw the documents of rulings, each with its rulings and what they are tied to."""
    every = library.list_every_document()
    held = [one for one in every if one.interprets]
    if held:
        st.subheader(say("rulings-held"), anchor=False)
    labels = {one.document_id: one.label for one in rulebooks}
    for document in held:
        on = ", ".join(labels.get(one, say("relation-gone")) for one in document.interprets)
        name = escape_markdown(document.label)
        panel = st.expander(
            f"{name} :gray[{escape_markdown(say('rulings-on', documents=on))}]",
            key=f"rulings-{document.document_id[:16]}",
            on_change="rerun",
        )
        if panel.open:
            with panel, show_failures(ScrutineerError):
                _show_ruling_document(library, document)


def _show_ruling_document(library: Library, document: Document) -> None:
    rows = []
    for one in RulingReply.list_of(library, document):
        tied = [named.reference for named in one.articles if named.state == "found"]
        lost = [
            named.reference for named in one.articles if named.state in ("missing", "ambiguous")
        ]
        rows.append(
            {
                say("column-ruling"): one.title or say("rulings-page", page=one.page or 1),
                say("column-day"): one.day,
                say("column-tied"): ", ".join(tied),
                say("column-unresolved"): ", ".join(lost),
                say("column-words"): strip_control_characters(one.text),
            }
        )
    st.dataframe(rows, hide_index=True)
    with st.container(horizontal=True):
        place = document.document_id[:16]
        if icon_button(say("rulings-are-rules"), "menu_book", key=f"rulebook-{place}", quiet=False):
            Rulings(library).interpret(document.document_id, (), person_name())
            st.rerun()
        question = say("document-remove", label=escape_markdown(document.label))
        if confirm_removal(question, f"remove-{place}"):
            library.remove_document(document.document_id)
            st.rerun()
