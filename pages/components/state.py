"""The one home of session state: which chat is open, what was asked for by a click, what an upload came to.

Widgets whose value others read have their keys here too. What must outlive the tab is in the database, not here.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final
from urllib.parse import urlencode

import streamlit as st
from pydantic import SecretStr

from core.agent import Decision, DecisionKind, Mode, RunLimits, limits_of
from core.chats import Conversations
from core.library import ScopeChoice, UploadJob
from core.settings import Settings
from pages.components.background_run import BackgroundRun, find_background_run

SEASON: Final = "season"
DOCUMENT: Final = "document"
MODE: Final = "mode"
THRESHOLD: Final = "quality_threshold"
QUESTION: Final = "question"
ZOOM: Final = "zoom"
BROWSED_DOCUMENT: Final = "browsed"
BROWSE_QUERY: Final = "wanted"
MARK_KINDS: Final = "marks"

BEFORE: Final = "before"
AFTER: Final = "after"
CHANGE_KINDS: Final = "changes"
CHANGE_MARKED: Final = "publisher"
CHANGED_ARTICLE: Final = "article"
CHANGED_WORDS: Final = "said"
CHANGE_PAGE: Final = "changes-page"
"""Of the page Compare; all but the last stand in its address, so each name is used on one page only."""

RUN_WORDS: Final = "asked"
RUN_DAYS: Final = "days"
RUN_ORDER: Final = "order"
RUN_OUTCOMES: Final = "outcome"
RUN_PAGE: Final = "runs-page"
"""Of the page Runs."""

WHOLE_FOLDER: Final = "whole-folder"
"""Of the page Library."""

ENTERED_KEY: Final = "entered-key"
ONLY_SET: Final = "only-set"
"""Of the page Settings."""

EXAMPLE_SET: Final = "example-set"
METHOD: Final = "method"
EVALUATION_MODE: Final = "evaluation-mode"
RESULT_FILTER: Final = "look"
RESULT_PAGE: Final = "results-page"
"""Of the page Evaluate."""

NEWEST_SEASON: Final = 0
"""The season that stands for none chosen; a real value, since an empty choice would offer to be cleared."""
ALL_DOCUMENTS: Final = ""
"""The document that stands for none chosen."""

MAX_ITERATIONS: Final = 10

CHAT_WORDS: Final = "chat-words"
CHAT_TITLE: Final = "chat-title"

_CHAT = "chat"
_CHOSEN = "chosen"
"""Stands in the address of a link to a chat, until it is followed: what is chosen is no address of before."""
LEFT_CHAT_SECONDS = 2.0
"""Seconds for which a browser that is slow to learn that a chat was left may still name it, as when a file is added
meanwhile and the page looks after it once a second."""
_DISCARDED = "discarded"
_UPLOADS = "uploads"
_UPLOAD_TROUBLE = "upload-trouble"
_KEY = "session-key"
_PAGE = "page"
_CLAUSE = "clause"
_RUN = "run"
_HELD = "held"
_CITED = "cite"
_CLOSED = "closed-citation"


@dataclass(frozen=True, slots=True)
class Asking:
    """What was typed or clicked and waits to be put: a question, and the files that came with it."""

    question: str
    files: tuple[UploadJob, ...] = ()
    trouble: str = ""
    """Why the files could not be taken; then the question is not put."""
    chat: str | None = None
    """The chat in which it was asked; None for one that is to begin with it."""


NO_QUESTION: Final = Asking("")
"""No question waits."""


@dataclass(slots=True)
class Held:
    """What becomes a run and is followed: changed together, in plain Python.

    A script is broken off where the next comes and it touches the page or session state. So who takes something up asks
    for this first (`held`) and touches neither until it stands here again in its new form.
    """

    chat: str | None = None
    """The open chat."""
    left: str | None = None
    left_at: float = 0.0
    """The chat that was left last for an empty page, by the monotonic clock in seconds."""
    asking: Asking = NO_QUESTION
    """A question that waits to be put."""
    decided: tuple[str, Decision] | None = None
    """The run that a person has decided on, and what."""
    work: tuple[str, BackgroundRun] | None = None
    """The run at work, and its chat."""
    broken_off: bool = False
    """A person stopped the page before it came to what waited."""

    def let_go(self) -> None:
        """Have nothing wait any more."""
        self.asking, self.decided = NO_QUESTION, None

    def break_off(self, by_person: Callable[[], bool]) -> None:
        """The chat's page was broken off: if by a person, nothing waits any more and the run it shows is stopped.

        Until that is known a page that is drawn meanwhile is to take up neither.
        """
        waiting = self.asking, self.decided
        work = self.work[1] if self.work and self.work[0] == self.chat else None
        self.let_go()
        if work:
            work.leaving = True
        if by_person():
            self.broken_off = True
            if work:
                work.stop()
        elif self.asking == NO_QUESTION and self.decided is None:
            self.asking, self.decided = waiting
        if work:
            work.leaving = False

    def leave(self) -> None:
        """Have no chat open. A browser may name the one that was for a moment."""
        if self.chat:
            self.left, self.left_at = self.chat, monotonic()
        self.chat, self.decided = None, None

    def ask(self, asking: Asking) -> None:
        """Have a question wait that is asked in the open chat."""
        self.asking = replace(asking, chat=self.chat)

    def stopping(self, run_id: str) -> bool:
        """True where this run was told to stop, which it does with its next event."""
        return self.work is not None and self.work[1].stopped and self.work[1].run_id == run_id

    def begin(self, conversation_id: str, work: BackgroundRun) -> None:
        """Keep a run that works in the open chat, which this is now. One before it there is stopped."""
        if self.work and self.work[0] == conversation_id:
            self.work[1].stop()
        if self.chat != conversation_id:
            self.leave()  # what the address may still name is not there
        self.chat, self.work = conversation_id, (conversation_id, work)


def chat_session() -> Held:
    """What this tab holds."""
    if _HELD not in st.session_state:
        st.session_state[_HELD] = Held()
    found: Held = st.session_state[_HELD]
    return found


def current_chat_id() -> str | None:
    """The id of the open chat, from the address; one left for another page is found again."""
    own = chat_session()
    chosen = st.query_params.pop(_CHOSEN, None)
    if (
        own.left
        and own.left == st.query_params.get(_CHAT)
        and monotonic() - own.left_at < LEFT_CHAT_SECONDS
        and not chosen
    ):
        del st.query_params[_CHAT]
    if _CHAT in st.query_params:
        own.chat = st.query_params[_CHAT]
    elif own.chat:
        st.query_params[_CHAT] = own.chat
    return own.chat


def chat_address(conversation_id: str) -> dict[str, str]:
    """The query by which a link opens a chat."""
    return {_CHAT: conversation_id, _CHOSEN: "1"}


def discard_chat(chats: Conversations, conversation_id: str, title: str) -> None:
    """Put the open chat aside and begin with an empty page, where it can be brought back. A run of it is stopped."""
    begun = active_run(conversation_id)
    for going in (
        begun,
        *(find_background_run(run.run_id) for run in chats.list_runs(conversation_id)),
    ):
        if going:
            going.stop()
    chats.discard_conversation(conversation_id)
    st.session_state[_DISCARDED] = (conversation_id, title)
    leave_chat()


def discarded_chat() -> tuple[str, str] | None:
    """Id and title of the chat that was discarded last in this tab."""
    return st.session_state.get(_DISCARDED)


def restore_chat(chats: Conversations, conversation_id: str) -> None:
    """Bring a discarded chat back and open it."""
    chats.restore_conversation(conversation_id)
    st.session_state[_DISCARDED] = None
    open_chat(conversation_id)


def recall_limits(limits: RunLimits) -> None:
    """Set mode and sliders as they were for an earlier run, where none is chosen in this tab or its address."""
    if MODE in st.session_state or MODE in st.query_params:
        return
    mode: Mode = (
        "quick" if not limits.scoring else "deep" if limits.max_tool_rounds is None else "standard"
    )
    st.session_state[MODE] = mode
    if limits.scoring:
        st.session_state[iterations_key(mode)] = min(max(limits.max_iterations, 1), MAX_ITERATIONS)
        st.session_state[THRESHOLD] = limits.quality_threshold


def open_chat(conversation_id: str) -> None:
    """Make a chat the open one, address and all."""
    chat_session().chat = conversation_id
    st.query_params[_CHAT] = conversation_id


def leave_chat() -> None:
    """Begin with an empty page."""
    chat_session().leave()
    st.query_params.pop(_CHAT, None)
    close_citation()


def guidance_key(run_id: str) -> str:
    """The key of the field for a person's words on how to go on."""
    return f"guidance-{run_id}"


def scope_key(run_id: str) -> str:
    """The key of the choice of another scope for going on."""
    return f"scope-{run_id}"


def tool_key(run_id: str) -> str:
    """The key of the choice of another tool for going on."""
    return f"tool-{run_id}"


def note_decision(run_id: str, kind: DecisionKind) -> None:
    """Note what a person has decided on a run, to be carried out where the run is drawn."""
    own = chat_session()
    guidance: str = st.session_state.get(guidance_key(run_id), "")
    tool, scope = st.session_state.get(tool_key(run_id)), st.session_state.get(scope_key(run_id))
    own.decided = (run_id, Decision(kind, guidance.strip(), tool, scope))


def active_run(conversation_id: str | None) -> BackgroundRun | None:
    """The run that this tab has begun in this chat; None where there is none, or none any more to be followed."""
    begun = chat_session().work
    return begun[1] if begun and begun[0] == conversation_id and begun[1].is_active else None


def turn_to_page(page: int) -> None:
    """Show this page of the opened document."""
    st.session_state[_PAGE] = page


def current_page() -> int:
    """The page of the opened document that is shown."""
    shown: int = st.session_state.get(_PAGE, 1)
    return shown


def open_clause(document_id: str, clause_id: str, page: int) -> None:
    """Read this clause, of whatever document, and turn to its page."""
    st.session_state[BROWSED_DOCUMENT] = document_id
    st.session_state[BROWSE_QUERY] = ""
    st.session_state[_CLAUSE] = clause_id
    st.query_params[_CLAUSE] = clause_id
    turn_to_page(page)


def close_clause() -> None:
    """Go back to all articles."""
    st.session_state[_CLAUSE] = None
    st.query_params.pop(_CLAUSE, None)


def opened_clause_id() -> str | None:
    """The id of the clause that is read."""
    return st.session_state.get(_CLAUSE)


def clause_address(clause_id: str) -> dict[str, str]:
    """What the address of the page Browse holds where this clause is read."""
    return {_CLAUSE: clause_id}


def follow_address(documents: Container[str]) -> bool:
    """Read the clause that the address names; one left for another page is found again.

    False where its document is none of these; then no clause is read.
    """
    wanted = st.query_params.get(_CLAUSE, opened_clause_id())
    if wanted is None:
        return True
    document_id = wanted.partition(":")[0]
    if document_id not in documents:
        close_clause()
        return False
    if wanted != opened_clause_id():
        st.session_state[BROWSED_DOCUMENT], st.session_state[_CLAUSE] = document_id, wanted
        st.session_state[BROWSE_QUERY] = ""
        st.session_state.pop(_PAGE, None)
    st.query_params[_CLAUSE] = wanted
    return True


def citation_address(run_id: str, number: int) -> str:
    """Where this page shows a citation of a run opened, relative to the page: a query of safe characters."""
    here = {name: st.query_params[name] for name in (_CHAT, _RUN) if name in st.query_params}
    return "?" + urlencode({**here, _CITED: f"{run_id}.{number}"})


def open_citation(run_id: str, number: int) -> None:
    """Show a citation of a run, in the address too."""
    st.session_state.pop(_CLOSED, None)
    st.query_params[_CITED] = f"{run_id}.{number}"


def close_citation() -> None:
    """Show no citation. A browser that is slow to learn of it may still name the one that was closed."""
    st.session_state[_CLOSED] = st.query_params.pop(_CITED, None)
    st.session_state.pop(_CITED, None)


def is_citation_open(run_id: str, number: int, page: int) -> bool:
    """True where the address names this citation; it begins at its page."""
    wanted = st.query_params.get(_CITED)
    if wanted != f"{run_id}.{number}" or wanted == st.session_state.get(_CLOSED):
        return False
    if st.session_state.get(_CITED) != wanted:
        st.session_state[_CITED] = wanted
        turn_to_page(page)
    return True


def set_default_page(page: int) -> None:
    """Show this page where none has been turned to."""
    st.session_state.setdefault(_PAGE, page)


def ask_in_new_chat(question: str, document_id: str) -> None:
    """Take a question as if it had been typed in a new chat, with this document as the scope."""
    st.session_state[SEASON], st.session_state[DOCUMENT] = NEWEST_SEASON, document_id
    leave_chat()
    queue_question(Asking(question))


def replayed_run_id() -> str | None:
    """The id of the run that is opened to replay, from the address."""
    return st.query_params.get(_RUN)


def evaluation_key(newest: str) -> str:
    """The key of the choice of an evaluation: it changes when there is a new one, which is then chosen."""
    return f"evaluation-{newest}"


def earlier_key(evaluation_id: str) -> str:
    """The key of the choice of what an evaluation is compared with."""
    return f"earlier-{evaluation_id}"


def run_address(run_id: str) -> dict[str, str]:
    """What the address of the page Runs holds where this run is opened."""
    return {_RUN: run_id}


def open_run(run_id: str) -> None:
    """Replay this run."""
    st.query_params[_RUN] = run_id


def leave_run() -> None:
    """Go back to all runs."""
    st.query_params.pop(_RUN, None)


def swap_documents() -> None:
    """Compare the other way round."""
    before, after = st.session_state[BEFORE], st.session_state[AFTER]
    st.session_state[BEFORE], st.session_state[AFTER] = after, before


def choose_change_kind(chart: str) -> None:
    """Show the kind of change whose bar was clicked in the chart of this key, and no other."""
    clicked = st.session_state[chart].selection.get(CHANGE_KINDS, [])
    if clicked:
        st.session_state[CHANGE_KINDS] = [clicked[0]["kind"]]
        st.session_state[CHANGE_PAGE] = 1


def queue_question(asking: Asking) -> None:
    """Keep a question until the script that puts it comes to it: the one before may be cut off on the way."""
    chat_session().ask(asking)


def chosen_scope() -> ScopeChoice:
    """The scope that the person has chosen."""
    season, document = (
        st.session_state.get(SEASON, NEWEST_SEASON),
        st.session_state.get(DOCUMENT, ALL_DOCUMENTS),
    )
    return ScopeChoice(season=season or None, document=document or None)


def chosen_mode() -> Mode:
    """The named set of limits that the person has chosen."""
    chosen: Mode = st.session_state.get(MODE, "standard")
    return chosen


def iterations_key(mode: Mode) -> str:
    """The key of the slider for iterations: each set begins with its own number."""
    return f"max_iterations-{mode}"


def chosen_limits(settings: Settings) -> RunLimits:
    """The limits that the person has set, those of the chosen set where a slider has not been touched."""
    limits = limits_of(settings, chosen_mode())
    if not limits.scoring:
        return limits
    iterations = st.session_state.get(iterations_key(chosen_mode()), limits.max_iterations)
    threshold = st.session_state.get(THRESHOLD, limits.quality_threshold)
    # A browser may send what no slider allows.
    return replace(
        limits,
        max_iterations=min(max(iterations, 1), MAX_ITERATIONS),
        quality_threshold=min(max(threshold, 1.0), 10.0),
    )


def uploader_key(place: str) -> str:
    """The key of a file uploader; it changes when its files have been taken, which empties it."""
    return f"{_UPLOADS}-{place}-{st.session_state.get(f'{_UPLOADS}-{place}', 0)}"


def empty_uploader(place: str) -> None:
    """Let go of the files of an uploader."""
    st.session_state[f"{_UPLOADS}-{place}"] = st.session_state.get(f"{_UPLOADS}-{place}", 0) + 1


def preset_widget(key: str, value: object) -> None:
    """What a widget of this key shows at first; unlike its own default it does not come back when it is emptied."""
    st.session_state.setdefault(key, value)


def session_key() -> str:
    """The key that was entered for this session; nothing where none was."""
    key: SecretStr | None = st.session_state.get(_KEY)
    return key.get_secret_value() if key else ""


def keep_session_key(key: str) -> None:
    """Use this key in this session alone; an empty one for none."""
    st.session_state[_KEY] = SecretStr(key.strip()) if key.strip() else None


def upload_trouble() -> str:
    """Why the last files that were given were not taken; nothing where they were."""
    trouble: str = st.session_state.get(_UPLOAD_TROUBLE, "")
    return trouble


def keep_upload_trouble(trouble: str) -> None:
    """Keep why some files were not taken until the next are given."""
    st.session_state[_UPLOAD_TROUBLE] = trouble
