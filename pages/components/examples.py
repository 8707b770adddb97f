"""Example questions for an empty chat, made from the documents in the scope, so that each has an answer."""

from collections.abc import Sequence

import streamlit as st

from core.library.store import Library
from core.library.types import Document
from core.rulebook.types import Clause

SHOWN = 4
SAMPLES = {
    "meridian-sporting": ("What is the pit lane speed limit?", "What is the penalty for an unsafe release?"),
    "meridian-technical": ("What is the minimum mass of the car?", "May metal matrix composites be used?"),
}
"""Questions for the sample rulebooks that ship with the project, by family."""


def questions(library: Library, documents: Sequence[Document]) -> list[str]:
    """Up to SHOWN questions on these documents, some on each."""
    share = max(1, SHOWN // max(1, len(documents)))
    return [question for held in documents for question in _on(library, held)[:share]][:SHOWN]


def _on(library: Library, document: Document) -> Sequence[str]:
    return SAMPLES.get(document.family or "") or _from_titles(document.document_id, library)


@st.cache_data(show_spinner=False, max_entries=200)
def _from_titles(document_id: str, _library: Library) -> list[str]:
    """Questions for clauses with a title of their own and words enough for an answer, spread over a document."""
    numbered = [c for c in _library.clauses(document_id) if c.status == "in_force" and c.article[:1].isdigit()]
    telling = [clause for clause in numbered if len(clause.text) > 60]
    titled = [clause for clause in telling if 3 < len(clause.title) < 50 and clause.title[-1].isalnum()] or telling
    chosen = titled[:: max(1, len(titled) // SHOWN)][:SHOWN]
    return [question_on(clause) for clause in chosen]


def question_on(clause: Clause) -> str:
    """What one asks to be told a clause."""
    on = f" on {clause.title.capitalize()}" if clause.title else ""
    return f"What does Article {clause.article}{on} say?"
