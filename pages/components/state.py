"""What several parts of a tab know of each other: what is searched, how far, and what is read.

What must outlive the tab is in the database, not here.
"""

from collections.abc import Container

import streamlit as st

from core.agent import Mode, RunBudget
from core.chats import choose_budget, clamp_iterations, mode_of
from core.library import ScopeChoice
from core.settings import Settings, replace_models
from pages.components.address import CLAUSE

SCOPE, MODE, THRESHOLD = "scope", "mode", "quality_threshold"
"""What is chosen to be searched, and how far a run goes."""
ANSWER_MODEL, DECISION_MODEL = "answer-model", "decision-model"
"""The models that answer and decide, where others are offered."""
BROWSED_DOCUMENT, BROWSE_QUERY, PAGE = "browsed", "wanted", "page"
"""What is read: a document, the articles looked for in it, and the page that is shown."""


def chosen_scope() -> ScopeChoice:
    choice: ScopeChoice | None = st.session_state.get(SCOPE)
    return choice or ScopeChoice()


def iterations_key(mode: Mode) -> str:
    """The key of the slider for iterations; each mode has its own default."""
    return f"max_iterations-{mode}"


def chosen_mode() -> Mode:
    mode: Mode = st.session_state.get(MODE, "standard")
    return mode


def chosen_budget(settings: Settings) -> RunBudget:
    """The budget of the chosen mode, with the values of the sliders."""
    mode = chosen_mode()
    iterations, threshold = map(st.session_state.get, (iterations_key(mode), THRESHOLD))
    return choose_budget(settings, mode, iterations, threshold)


def with_chosen_models(settings: Settings) -> Settings:
    """The settings with the models that were chosen in this tab."""
    answer, decision = map(st.session_state.get, (ANSWER_MODEL, DECISION_MODEL))
    return replace_models(settings, answer, decision)


def recall_budget(budget: RunBudget) -> None:
    """Set mode and sliders as for an earlier run, unless this tab or address sets them."""
    if MODE in st.session_state or MODE in st.query_params:
        return
    mode = st.session_state[MODE] = mode_of(budget)
    if budget.scoring:
        st.session_state[iterations_key(mode)] = clamp_iterations(budget.max_iterations)
        st.session_state[THRESHOLD] = budget.quality_threshold


def first_run(chat_id: str) -> str:
    """The id of the first run of a chat that this tab draws, "" before it has drawn any."""
    first: str = st.session_state.get(f"first-run-{chat_id}", "")
    return first


def draw_from(chat_id: str, run_id: str) -> None:
    """Draw a chat from this run on."""
    st.session_state[f"first-run-{chat_id}"] = run_id


def turn_to_page(page: int) -> None:
    st.session_state[PAGE] = page


def current_page() -> int:
    page: int = st.session_state.get(PAGE, 1)
    return page


def open_clause(document_id: str, clause_id: str, page: int) -> None:
    st.session_state[BROWSED_DOCUMENT], st.session_state[BROWSE_QUERY] = document_id, ""
    st.session_state[CLAUSE] = st.query_params[CLAUSE] = clause_id
    turn_to_page(page)


def close_clause() -> None:
    """Go back to all articles."""
    st.session_state[CLAUSE] = None
    st.query_params.pop(CLAUSE, None)


def opened_clause_id() -> str | None:
    return st.session_state.get(CLAUSE)


def follow_address(documents: Container[str]) -> bool:
    """Open the clause in the address, or the last one. False if its document is missing."""
    wanted = st.query_params.get(CLAUSE, opened_clause_id())
    if wanted is None:
        return True
    document_id = wanted.partition(":")[0]
    if document_id not in documents:
        close_clause()
        return False
    if wanted != opened_clause_id():
        st.session_state[BROWSED_DOCUMENT], st.session_state[CLAUSE] = document_id, wanted
        st.session_state[BROWSE_QUERY] = ""
        st.session_state.pop(PAGE, None)
    st.query_params[CLAUSE] = wanted
    return True
