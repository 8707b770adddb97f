"""How a document stands to others: what was said of it, what its text proposes, and a form."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import streamlit as st

from core.choices import Prevailing, RelationKind
from core.errors import ScrutineerError
from core.library import Document, Library, Relation, Rulings, propose_layers
from core.markdown_escape import escape_markdown
from pages.components.people import person_name
from pages.components.services import of_library
from pages.components.widgets import icon_button, row, select_one, show_failures
from pages.components.words import library_text, say, say_each

_propose = st.cache_data(max_entries=100, **of_library)(propose_layers)


def show_layers(library: Library, document: Document, documents: Sequence[Document]) -> None:
    """Draw how a document stands to others, and how others stand to it."""
    st.markdown(say("layers-title"))
    text, key = library_text(), document.document_id[:16]
    for said in document.relations:
        line = escape_markdown(text.describe_relation(said, documents))
        with row():
            quote = f" :small[:gray[“{escape_markdown(said.quote)}”]]" if said.quote else ""
            st.markdown(f"- {line}{quote}")
            about = say("layers-remove", document=escape_markdown(_label(said, documents)))
            place = f"unrelate-{key}-{said.document_id[:16]}"
            if icon_button(about, "delete", key=place):
                library.unrelate(document.document_id, said.document_id)
                st.rerun()
    for other in documents:
        for said in other.relations:
            if said.document_id == document.document_id:
                line = text.describe_relation(said, documents)
                named = say("layers-on-this", document=other.label, relation=line)
                st.markdown(f"- {escape_markdown(named)}")
    show_proposals(library, document, documents)
    with st.popover(say("layers-add"), icon=":material/layers:"), show_failures(ScrutineerError):
        _show_form(library, document, [one for one in documents if one != document])


def show_proposals(
    library: Library, document: Document, documents: Sequence[Document], place: str = ""
) -> None:
    """Draw what a document's text proposes, to be accepted; `place` tells its keys apart."""
    proposals = _propose(library, document)
    if proposals:
        st.caption(say("layers-proposed"))
    for number, one in enumerate(proposals):
        with row():
            said = escape_markdown(library_text().describe_proposal(one, documents))
            article = escape_markdown(one.article)
            st.markdown(f"- {said} :small[:gray[{article} “{escape_markdown(one.quote)}”]]")
            key = f"{place}accept-{document.document_id[:16]}-{number}"
            with show_failures(ScrutineerError):
                if icon_button(say("layers-accept"), "check", key=key, quiet=False):
                    one.accept(library, person_name())
                    st.rerun()


def _show_form(library: Library, document: Document, others: Sequence[Document]) -> None:
    """Draw the fields in which a person says how a document stands to another one."""
    key = document.document_id[:16]
    names = library_text().name_documents(others)
    with st.form(f"relation-{key}", border=False):
        kinds: tuple[RelationKind, ...] = get_args(RelationKind)
        sides: tuple[Prevailing, ...] = get_args(Prevailing)
        kind = select_one(
            say("layers-kind"), say_each("relation-kind-", kinds), key=f"relation-kind-{key}"
        )
        other = select_one(say("layers-other"), names, key=f"relation-other-{key}")
        prevails = select_one(
            say("layers-prevails"),
            {one: say(f"relation-prevails-{one or 'none'}") for one in sides},
            index=sides.index(""),
            key=f"relation-prevails-{key}",
        )
        day = st.date_input(
            say("layers-from"), None, key=f"relation-from-{key}", format="YYYY-MM-DD"
        )
        if st.form_submit_button(say("layers-save")) and other:
            if kind == "interprets":
                Rulings(library).interpret(document.document_id, [other], person_name())
            else:
                said = Relation(kind, other, prevails, day.isoformat() if day else None)
                library.relate(document.document_id, replace(said, by=person_name()))
            st.rerun()


def _label(said: Relation, documents: Sequence[Document]) -> str:
    labels = {one.document_id: one.label for one in documents}
    return labels.get(said.document_id) or say("relation-gone")
