"""The one home of session state: which chat is open, what was asked for by a click, what an upload came to.

Widgets whose value others read have their keys here too. What must outlive the tab is in the database, not here.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from core.agent.budget import limits_of
from core.agent.types import Decision, DecisionKind, Limits, Mode
from core.library.types import Addition, ScopeChoice
from core.settings import Settings

SEASON: Final = "season"
DOCUMENT: Final = "document"
MODE: Final = "mode"
THRESHOLD: Final = "quality_threshold"
EXAMPLE: Final = "example"
QUESTION: Final = "question"
ZOOM: Final = "zoom"
BROWSED: Final = "browsed"
WANTED: Final = "wanted"
MARKS: Final = "marks"

NEWEST: Final = 0
"""The season that stands for none chosen; a real value, since an empty choice would offer to be cleared."""
ALL: Final = ""
"""The document that stands for none chosen."""

MOST_ITERATIONS: Final = 10

_CHAT = "chat"
_PICKED = "picked"
_DECIDED = "decided"
_UPLOADS = "uploads"
_ADDITIONS = "additions"
_PAGE = "page"
_CLAUSE = "clause"


def chat() -> str | None:
    """The id of the open chat, from the address; one left for another page is found again."""
    if _CHAT in st.query_params:
        st.session_state[_CHAT] = st.query_params[_CHAT]
    elif st.session_state.get(_CHAT):
        st.query_params[_CHAT] = st.session_state[_CHAT]
    return st.session_state.get(_CHAT)


def open_chat(conversation_id: str) -> None:
    """Make a chat the open one, address and all."""
    st.session_state[_CHAT] = conversation_id
    st.query_params[_CHAT] = conversation_id


def leave_chat() -> None:
    """Begin with an empty page."""
    st.session_state[_CHAT] = None
    st.query_params.pop(_CHAT, None)


def guidance_key(run_id: str) -> str:
    """The key of the field for a person's words on how to go on."""
    return f"guidance-{run_id}"


def scope_key(run_id: str) -> str:
    """The key of the choice of another scope for going on."""
    return f"scope-{run_id}"


def tool_key(run_id: str) -> str:
    """The key of the choice of another tool for going on."""
    return f"tool-{run_id}"


def decide(run_id: str, kind: DecisionKind) -> None:
    """Note what a person has decided on a run, to be carried out where the run is drawn."""
    guidance: str = st.session_state.get(guidance_key(run_id), "")
    tool, scope = st.session_state.get(tool_key(run_id)), st.session_state.get(scope_key(run_id))
    st.session_state[_DECIDED] = (run_id, Decision(kind, guidance.strip(), tool, scope))


def take_decision() -> tuple[str, Decision] | tuple[None, None]:
    """The run that was decided on and what was decided, told once."""
    decided: tuple[str, Decision] | tuple[None, None] = st.session_state.pop(_DECIDED, (None, None))
    return decided


def turn_to(page: int) -> None:
    """Show this page of the opened document."""
    st.session_state[_PAGE] = page


def page() -> int:
    """The page of the opened document that is shown."""
    shown: int = st.session_state.get(_PAGE, 1)
    return shown


def open_clause(document_id: str, clause_id: str, page: int) -> None:
    """Read this clause, of whatever document, and turn to its page."""
    st.session_state[BROWSED] = document_id
    st.session_state[_CLAUSE] = clause_id
    st.session_state[WANTED] = ""
    turn_to(page)


def close_clause() -> None:
    """Go back to all articles."""
    st.session_state[_CLAUSE] = None


def clause() -> str | None:
    """The id of the clause that is read."""
    return st.session_state.get(_CLAUSE)


def ask(question: str, document_id: str) -> None:
    """Take a question as if it had been typed in a new chat, with this document as the scope."""
    leave_chat()
    st.session_state[SEASON], st.session_state[DOCUMENT] = NEWEST, document_id
    st.session_state[_PICKED] = question


def pick(key: str) -> None:
    """Take the question that was clicked in the widget of this key, as if it had been typed."""
    st.session_state[_PICKED] = st.session_state[key]


def take_picked() -> str | None:
    """The question that was clicked, told once."""
    picked: str | None = st.session_state.pop(_PICKED, None)
    return picked


def choice() -> ScopeChoice:
    """The scope that the person has chosen."""
    season, document = st.session_state.get(SEASON, NEWEST), st.session_state.get(DOCUMENT, ALL)
    return ScopeChoice(season=season or None, document=document or None)


def mode() -> Mode:
    """The named set of limits that the person has chosen."""
    chosen: Mode = st.session_state.get(MODE, "standard")
    return chosen


def iterations_key(mode: Mode) -> str:
    """The key of the slider for iterations: each set begins with its own number."""
    return f"max_iterations-{mode}"


def limits(settings: Settings) -> Limits:
    """The limits that the person has set, those of the chosen set where a slider has not been touched."""
    limits = limits_of(settings, mode())
    if not limits.scoring:
        return limits
    iterations = st.session_state.get(iterations_key(mode()), limits.max_iterations)
    threshold = st.session_state.get(THRESHOLD, limits.quality_threshold)
    # A browser may send what no slider allows.
    return replace(
        limits,
        max_iterations=min(max(iterations, 1), MOST_ITERATIONS),
        quality_threshold=min(max(threshold, 1.0), 10.0),
    )


def uploader_key(place: str) -> str:
    """The key of a file uploader; it changes when its files have been taken, which empties it."""
    return f"{_UPLOADS}-{place}-{st.session_state.get(f'{_UPLOADS}-{place}', 0)}"


def empty_uploader(place: str) -> None:
    """Let go of the files of an uploader."""
    st.session_state[f"{_UPLOADS}-{place}"] = st.session_state.get(f"{_UPLOADS}-{place}", 0) + 1


def additions() -> Sequence[Addition]:
    """What came of the last files that were given."""
    found: Sequence[Addition] = st.session_state.get(_ADDITIONS, ())
    return found


def keep_additions(found: Sequence[Addition]) -> None:
    """Keep what came of some files until the next are given."""
    st.session_state[_ADDITIONS] = tuple(found)
