"""Session state of a tab: the open chat, what waits for the next script, and the keys of widgets.

What must outlive the tab is in the database, not here.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from time import monotonic
from urllib.parse import urlencode

import streamlit as st
from pydantic import SecretStr

from core.agent import Decision, Mode, RunLimits, limits_of
from core.chats import Conversations
from core.library import ScopeChoice, UploadJob
from core.settings import Settings
from pages.components.background_run import BackgroundRun, find_background_run

# Keys of widgets: of the chat,
SEASON, TICKS, MODE, THRESHOLD = "season", "ticks", "mode", "quality_threshold"
SCOPE = "scope"  # what is chosen to be searched
QUESTION, CHAT_WORDS, CHAT_TITLE = "question", "chat-words", "chat-title"
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

# Parameters of addresses. `chosen` is in a link to a chat until the link is followed.
CHAT, RUN, CLAUSE, CITATION, CHOSEN = "chat", "run", "clause", "cite", "chosen"

# Other keys: the chat that was deleted last with its title, the shown page of a document, the
# document whose lines are looked at, and the open sheet of values with its checked rows.
DISCARDED, PAGE, LINES_OF = "discarded", "page", "lines-of"
SHEET, SHEET_RESULTS = "sheet", "sheet-results"

MAX_ITERATIONS = 10
LEFT_CHAT_SECONDS = 2.0
"""How long a slow browser may still name a chat that was left: while a file is added, the page
reruns once a second."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question that was typed or clicked and is not yet asked, with its files."""

    question: str
    files: tuple[UploadJob, ...] = ()
    trouble: str = ""
    """Why the question cannot be asked."""
    chat: str | None = None
    """The chat it was asked in; None for a new one."""


NO_QUESTION = Asking("")


@dataclass(slots=True)
class Held:
    """What becomes a run and is followed. It is changed in plain Python, in one step.

    Streamlit may break a script off wherever it touches the page or session state. So a caller gets
    this object first, and touches neither until its changes are complete.
    """

    chat: str | None = None
    """The open chat."""
    left: str | None = None
    left_at: float = 0.0
    """The chat that was left last, and when (monotonic clock, seconds)."""
    asking: Asking = NO_QUESTION
    """The question that waits."""
    decided: tuple[str, Decision] | None = None
    """A run and what a person decided on it."""
    work: tuple[str, BackgroundRun] | None = None
    """The chat and the run at work in it."""
    broken_off: bool = False
    """A person stopped the page before it came to what waited."""

    def clear_pending(self) -> None:
        self.asking, self.decided = NO_QUESTION, None

    def break_off(self, by_person: Callable[[], bool]) -> None:
        """Handle a chat page that was broken off. If by a person, drop what waits and stop its run.

        `by_person` takes a moment; a page drawn meanwhile takes up neither.
        """
        pending = self.asking, self.decided
        work = self.work[1] if self.work and self.work[0] == self.chat else None
        self.clear_pending()
        if work:
            work.leaving = True
        if by_person():
            self.broken_off = True
            if work:
                work.stop()
        elif self.asking == NO_QUESTION and self.decided is None:
            self.asking, self.decided = pending
        if work:
            work.leaving = False

    def leave(self) -> None:
        """Open no chat. A browser may name the left one for a moment."""
        if self.chat:
            self.left, self.left_at = self.chat, monotonic()
        self.chat, self.decided = None, None

    def ask(self, asking: Asking) -> None:
        """Queue a question for the open chat."""
        self.asking = replace(asking, chat=self.chat)

    def is_stopping(self, run_id: str) -> bool:
        """True for a stopped run, which ends with its next event."""
        return self.work is not None and self.work[1].stopped and self.work[1].run_id == run_id

    def begin(self, conversation_id: str, work: BackgroundRun) -> None:
        """Follow a run in this chat and open the chat. Stop an earlier run of it."""
        if self.work and self.work[0] == conversation_id:
            self.work[1].stop()
        if self.chat != conversation_id:
            self.leave()
        self.chat, self.work = conversation_id, (conversation_id, work)


def chat_session() -> Held:
    found: Held = st.session_state.setdefault("held", Held())
    return found


def current_chat_id() -> str | None:
    """The open chat, from the address or as it was before a visit to another page."""
    session = chat_session()
    chosen = st.query_params.pop(CHOSEN, None)
    just_left = monotonic() - session.left_at < LEFT_CHAT_SECONDS and not chosen
    if session.left and session.left == st.query_params.get(CHAT) and just_left:
        del st.query_params[CHAT]
    if CHAT in st.query_params:
        session.chat = st.query_params[CHAT]
    elif session.chat:
        st.query_params[CHAT] = session.chat
    return session.chat


def chat_address(conversation_id: str) -> dict[str, str]:
    return {CHAT: conversation_id, CHOSEN: "1"}


def open_chat(conversation_id: str) -> None:
    """Open a chat and name it in the address."""
    chat_session().chat = st.query_params[CHAT] = conversation_id


def leave_chat() -> None:
    """Show the empty chat page."""
    chat_session().leave()
    st.query_params.pop(CHAT, None)
    close_citation()


def active_run(conversation_id: str | None) -> BackgroundRun | None:
    """The run that this tab began in this chat; None once it has ended or was stopped."""
    begun = chat_session().work
    return begun[1] if begun and begun[0] == conversation_id and begun[1].is_active else None


def discard_chat(chats: Conversations, conversation_id: str, title: str) -> None:
    """Move the open chat to the bin, stop its runs and show the empty page."""
    runs = [find_background_run(run.run_id) for run in chats.list_runs(conversation_id)]
    for run in filter(None, (active_run(conversation_id), *runs)):
        run.stop()
    chats.discard_conversation(conversation_id)
    st.session_state[DISCARDED] = (conversation_id, title)
    leave_chat()


def restore_chat(chats: Conversations, conversation_id: str) -> None:
    """Take a chat out of the bin and open it."""
    chats.restore_conversation(conversation_id)
    st.session_state[DISCARDED] = None
    open_chat(conversation_id)


def ask_in_new_chat(question: str, document_id: str) -> None:
    """Queue a question for a new chat, with this document as the scope."""
    st.session_state[SCOPE] = ScopeChoice(documents=(document_id,))
    leave_chat()
    chat_session().ask(Asking(question))


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


def clause_address(clause_id: str) -> dict[str, str]:
    return {CLAUSE: clause_id}


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


def citation_address(run_id: str, number: int) -> str:
    """A relative address that opens a citation of a run: a query of safe characters."""
    here = {name: st.query_params[name] for name in (CHAT, RUN) if name in st.query_params}
    return "?" + urlencode({**here, CITATION: f"{run_id}.{number}"})


def open_citation(run_id: str, number: int) -> None:
    """Show a citation of a run, and name it in the address."""
    st.session_state.pop("closed-citation", None)
    st.query_params[CITATION] = f"{run_id}.{number}"


def close_citation() -> None:
    """Show no citation. A slow browser may still name the closed one."""
    st.session_state["closed-citation"] = st.query_params.pop(CITATION, None)
    st.session_state.pop(CITATION, None)


def is_citation_open(run_id: str, number: int, page: int) -> bool:
    """True if the address names this citation; the first time, turn to its page."""
    wanted = st.query_params.get(CITATION)
    if wanted != f"{run_id}.{number}" or wanted == st.session_state.get("closed-citation"):
        return False
    if st.session_state.get(CITATION) != wanted:
        st.session_state[CITATION] = wanted
        turn_to_page(page)
    return True


def run_address(run_id: str) -> dict[str, str]:
    return {RUN: run_id}


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
