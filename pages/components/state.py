"""Session state of a tab: the keys of widgets, and what they choose.

What must outlive the tab is in the database, not here.
"""

from collections.abc import Container
from dataclasses import replace

import streamlit as st
from pydantic import SecretStr

from core.agent import Mode, RunLimits, limits_of
from core.library import ScopeChoice
from core.settings import Settings
from pages.components.address import CLAUSE, RUN

# Keys of widgets: of the chat,
SEASON, TICKS, MODE, THRESHOLD = "season", "ticks", "mode", "quality_threshold"
SCOPE = "scope"  # what is chosen to be searched
CHAT_WORDS = "chat-words"
# of the pages Browse and Library,
BROWSED_DOCUMENT, BROWSE_QUERY, MARK_KINDS, ZOOM = "browsed", "wanted", "marks", "zoom"
WHOLE_FOLDER = "whole-folder"
# of the page Compare (all but the last are in its address, so no other page may use these names),
BEFORE, AFTER, CHANGE_PLACES, CHANGE_WORDINGS = "before", "after", "place", "wording"
CHANGED_ARTICLE, CHANGED_WORDS, CHANGE_PAGE = "article", "said", "changes-page"
CHANGE_MARKED, CHANGE_DECLARED = "publisher", "declared"
# of the page Search,
SEARCHED, SEARCHED_BOOKS, SEARCHED_SEASONS, SEARCH_PAGE = "q", "books", "seasons", "search-page"
SEARCH_ISSUES, SEARCH_ALSO = "all-issues", "search-also"
# of the page Changes,
NEW_ISSUE = "issue"
# of the pages Runs, Settings and Evaluate.
RUN_WORDS, RUN_DAYS, RUN_ORDER, RUN_OUTCOMES = "asked", "days", "order", "outcome"
RUN_PAGE, ENTERED_KEY, ONLY_SET = "runs-page", "entered-key", "only-set"
EXAMPLE_SET, METHOD, EVALUATION_MODE = "example-set", "method", "evaluation-mode"
RESULT_FILTER, RESULT_PAGE = "look", "results-page"

# Of the pages Limits and Check a sheet.
LIMITS_DOCUMENT, LIMITS_VIEW, LIMIT_WORDS = "limits-of", "limits-view", "limit-words"
LIMIT_RELATIONS, LIMIT_UNITS, IN_FORCE = "relations", "units", "in-force"
DUTY_KINDS, SHEET_RULEBOOKS, SHEET_NAME = "duties", "sheet-rulebooks", "sheet-name"
SAVED_SHEET, SHEET_VERDICTS = "saved-sheet", "verdicts"

# Other keys: the shown page of a document, the document whose lines are looked at, and the open
# sheet of values with its checked rows.
PAGE, LINES_OF = "page", "lines-of"
SHEET, SHEET_RESULTS = "sheet", "sheet-results"

MAX_ITERATIONS = 10


def chosen_scope() -> ScopeChoice:
    choice: ScopeChoice | None = st.session_state.get(SCOPE)
    return choice or ScopeChoice()


def iterations_key(mode: Mode) -> str:
    """The key of the slider for iterations; each mode has its own default."""
    return f"max_iterations-{mode}"


def chosen_mode() -> Mode:
    mode: Mode = st.session_state.get(MODE, "standard")
    return mode


def chosen_limits(settings: Settings) -> RunLimits:
    """The limits of the chosen mode, with the values of the sliders."""
    mode = chosen_mode()
    limits = limits_of(settings, mode)
    if not limits.scoring:
        return limits
    iterations = st.session_state.get(iterations_key(mode), limits.max_iterations)
    threshold = st.session_state.get(THRESHOLD, limits.quality_threshold)
    return replace(  # clamped: a browser may send what no slider allows
        limits,
        max_iterations=min(max(iterations, 1), MAX_ITERATIONS),
        quality_threshold=min(max(threshold, 1.0), 10.0),
    )


def recall_limits(limits: RunLimits) -> None:
    """Set mode and sliders as for an earlier run, unless this tab or address sets them."""
    if MODE in st.session_state or MODE in st.query_params:
        return
    mode: Mode = "deep" if limits.max_tool_rounds is None else "standard"
    st.session_state[MODE] = mode if limits.scoring else "quick"
    if limits.scoring:
        st.session_state[iterations_key(mode)] = min(max(limits.max_iterations, 1), MAX_ITERATIONS)
        st.session_state[THRESHOLD] = limits.quality_threshold


def turn_to_page(page: int) -> None:
    st.session_state[PAGE] = page


def turn_to_chosen_page(key: str) -> None:
    """Show the page that is chosen in a widget, if one is."""
    if page := st.session_state[key]:
        turn_to_page(page)


def open_lines(document_id: str, page: int) -> None:
    """Look at what the reading of a document left over, from this page on."""
    st.session_state[LINES_OF] = document_id
    turn_to_page(page)


def close_lines() -> None:
    """Look at no document's lines."""
    st.session_state.pop(LINES_OF, None)


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


def open_run(run_id: str) -> None:
    """Replay this run on the page Runs."""
    st.query_params[RUN] = run_id


def preset_widget(key: str, value: object) -> None:
    """Set what a widget shows at first. Unlike its default, it does not return when emptied."""
    st.session_state.setdefault(key, value)


def session_key() -> str:
    """The API key that was entered in this session, or ""."""
    key: SecretStr | None = st.session_state.get("session-key")
    return key.get_secret_value() if key else ""


def keep_session_key(key: str) -> None:
    """Use this API key in this session only; "" forgets it."""
    st.session_state["session-key"] = SecretStr(key.strip()) if key.strip() else None
