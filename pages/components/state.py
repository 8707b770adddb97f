"""What several parts of a tab know of each other: what is searched, how far, and what is read.

What must outlive the tab is in the database, not here.
"""

from collections.abc import Container

import streamlit as st

from core.agent import RunBudget
from core.chats import MAX_CHOSEN_ITERATIONS, choose_budget
from core.choices import Mode
from core.library import ScopeChoice
from core.settings import Settings, replace_models
from pages.components.address import CLAUSE, RULE, is_history_navigation

SCOPE, MODE, THRESHOLD = "scope", "mode", "quality_threshold"
"""What is chosen to be searched, and how far a run goes."""
ANSWER_MODEL, DECISION_MODEL = "answer-model", "decision-model"
"""The models that answer and decide, where others are offered."""
RULEBOOK, WORDS, PAGE = "rulebook", "q", "page"
"""What is read: a document, the words looked for in it, and the page that is shown."""


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
    mode = st.session_state[MODE] = budget.mode
    if budget.scoring:
        most = min(budget.max_iterations, MAX_CHOSEN_ITERATIONS)
        st.session_state[iterations_key(mode)] = most
        st.session_state[THRESHOLD] = budget.quality_threshold


def draw_from(chat_id: str, run_id: str) -> None:
    """Draw a chat from this run on, in this tab."""
    st.session_state[f"first-run-{chat_id}"] = run_id


def turn_to_page(page: int | None) -> None:
    """Show a page; None of a document without pages."""
    st.session_state[PAGE] = page or 1


def current_page() -> int:
    page: int = st.session_state.get(PAGE, 1)
    return page


def open_document(document_id: str | None) -> None:
    """Show the articles of a document; of None, all rulebooks."""
    _read(document_id, None)


def open_clause(document_id: str, clause_id: str, page: int | None) -> None:
    _read(document_id, clause_id)
    turn_to_page(page)


def _read(document_id: str | None, clause_id: str | None, has_address: bool = False) -> None:
    """Note what is read, and name it in the address unless that names the rule already."""
    is_other = clause_id is not None or document_id != opened_document_id()
    if is_other and not is_history_navigation():  # which brings its words back
        st.session_state[WORDS] = ""
    st.session_state.pop(PAGE, None)
    st.session_state.update({RULEBOOK: document_id, CLAUSE: clause_id})
    if has_address:
        return
    shown = {RULEBOOK: None if clause_id else document_id, CLAUSE: clause_id, RULE: None}
    for name, value in shown.items():
        if value is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = value


def opened_document_id() -> str | None:
    return st.session_state.get(RULEBOOK)


def opened_clause_id() -> str | None:
    return st.session_state.get(CLAUSE)


def follow_address(documents: Container[str], addressed: str | None = None) -> bool:
    """Open what the address names, or what was open. False if its document is missing.

    `addressed` is the id of the clause that the address of a rule leads to.
    """
    named = st.query_params
    document_id, clause_id = opened_document_id(), opened_clause_id()
    if addressed:
        document_id, clause_id = addressed.partition(":")[0], addressed
    elif CLAUSE in named or RULEBOOK in named or is_history_navigation():
        clause_id = named.get(CLAUSE)
        document_id = clause_id.partition(":")[0] if clause_id else named.get(RULEBOOK)
    is_held = document_id is None or document_id in documents
    if not is_held:
        document_id = clause_id = None
    if (document_id, clause_id) != (opened_document_id(), opened_clause_id()):
        _read(document_id, clause_id, bool(addressed))
    return is_held
