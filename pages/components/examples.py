"""Questions to click: offered as buttons, and for an empty chat made from the documents in the scope, so that each has
an answer."""

import re
from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.library import Document, Library
from core.rulebook import Clause, article_label, title_within_sentence
from pages.components import state
from pages.components.text import escape_markdown

QUESTIONS_SHOWN = 4
MAX_TITLE_WORDS = 6
"""Words of the longest title that a question names: a longer one is as a rule a sentence or a list."""
SAMPLE_QUESTIONS = {
    "meridian-sporting": (
        "What is the pit lane speed limit?",
        "What is the penalty for an unsafe release?",
    ),
    "meridian-technical": (
        "What is the minimum mass of the car?",
        "May metal matrix composites be used?",
    ),
}
"""Questions for the sample rulebooks that ship with the project, by family."""

_NUMBER = re.compile(r"[A-Z]{0,3}[.]?[0-9]+([.][0-9]+)+")
"""The number of a rule in the body of a document, no appendix: "34.7", "B1.1.2", "GR.1.1"."""


def offer_questions(label: str, offered: Sequence[str], key: str) -> None:
    """Draw questions that are put with a click. No pills, which cut what is longer than a telephone is wide."""
    with st.container(gap="xsmall"):
        st.markdown(f":small[{label}]")
        with st.container(horizontal=True, gap="xsmall"):
            for number, question in enumerate(offered):
                asked = (state.Asking(question),)
                st.button(
                    escape_markdown(question),
                    key=f"{key}-{number}",
                    on_click=state.queue_question,
                    args=asked,
                    wrap=True,
                )


def suggest_questions(library: Library, documents: Sequence[Document]) -> list[str]:
    """Up to SHOWN questions on these documents, some on each."""
    if documents and all(held.family in SAMPLE_QUESTIONS for held in documents):
        ready = (question for held in documents for question in SAMPLE_QUESTIONS[held.family or ""])
        return list(dict.fromkeys(ready))[
            :QUESTIONS_SHOWN
        ]  # the same issue may be there from two files
    share = max(1, QUESTIONS_SHOWN // max(1, len(documents)))
    version = library.version
    numbers = Counter(
        number for held in documents for number in _numbers(library, held.document_id, version)
    )
    telling = [
        (clause, held)
        for held in documents
        for clause in _telling(library, held.document_id, version)[:share]
    ]
    named = [(clause, held) for clause, held in telling if _names(clause.title)] or telling
    offered = (
        question_about_clause(clause, held if numbers[clause.article] > 1 else None)
        for clause, held in named
    )
    return list(dict.fromkeys(offered))[:QUESTIONS_SHOWN]


@st.cache_data(show_spinner=False, max_entries=200)
def _numbers(_library: Library, document_id: str, version: int) -> frozenset[str]:  # noqa: ARG001
    return frozenset(clause.article for clause in _library.clauses(document_id))


@st.cache_data(show_spinner=False, max_entries=200)
def _telling(_library: Library, document_id: str, version: int) -> list[Clause]:  # noqa: ARG001
    """Clauses with a title of their own and words enough for an answer, spread over a document."""
    in_force = [clause for clause in _library.clauses(document_id) if clause.status == "in_force"]
    numbered = [clause for clause in in_force if _NUMBER.fullmatch(clause.article)]
    telling = [clause for clause in numbered if len(clause.text) > 60]
    titled = [clause for clause in telling if _names(clause.title)] or telling
    return titled[:: max(1, len(titled) // QUESTIONS_SHOWN)][:QUESTIONS_SHOWN]


def _names(title: str) -> bool:
    """True for a title that names what a clause is on."""
    words = title.split()
    short = 0 < len(words) <= MAX_TITLE_WORDS and 3 < len(title) < 50
    return short and title[-1].isalnum() and not any(map(str.isdigit, title))


def question_about_clause(clause: Clause, document: Document | None = None) -> str:
    """What one asks to be told a clause; `document` is named where others have an article of its number."""
    on = f" on {title_within_sentence(clause.title)}" if _names(clause.title) else ""
    of = f" in {document.label}" if document else ""
    return f"What does {article_label(clause.article)}{on}{of} say?"
