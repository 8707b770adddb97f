"""What the pages of one visitor work with: settings, library, chats, agent (`server/shared.py`)."""

from typing import Any, TypeVar

import streamlit as st
from pydantic import SecretStr

from core.agent import Agent, Model, make_model
from core.chats import ActiveRuns, Conversations, Tokens
from core.errors import LibraryError
from core.evaluation import BackgroundEvaluation, EvaluationStore
from core.library import IngestWorker, Library
from core.registers import ChecklistStore, OpenCounts
from core.settings import Settings, refresh_settings, replace_api_key
from core.sheets import SheetStore
from pages.components import state
from pages.components.people import current_person
from pages.components.words import say
from server import shared
from server.read_once import read_once

Store = TypeVar("Store", SheetStore, ChecklistStore, OpenCounts)


def session_key() -> str:
    """The API key that was entered in this session, or ""."""
    key: SecretStr | None = st.session_state.get("session-key")
    return key.get_secret_value() if key else ""


def keep_session_key(key: str) -> None:
    """Use this API key in this session only; "" forgets it."""
    st.session_state["session-key"] = SecretStr(key.strip()) if key.strip() else None


def get_settings() -> Settings:
    """The settings, with the API key that was entered in this session. Raises SettingsError."""
    settings = read_once("settings", refresh_settings)
    key = session_key()
    return replace_api_key(settings, key) if key else settings


def _require_person() -> str:
    """The key of the current person. Raises LibraryError `chats` before they have logged in."""
    person = current_person()
    if person is None:
        raise LibraryError(say("login-first"), code="chats")
    return person.key


def get_library() -> Library:
    return shared.shared_library(get_settings())


of_library: dict[str, Any] = {
    "show_spinner": False,
    "hash_funcs": {Library: lambda library: library.state},
}
"""For Streamlit's caches: what is found in a library is found again once that has changed."""
find_clause = st.cache_data(max_entries=1000, **of_library)(Library.clause)


def get_ingest_worker() -> IngestWorker:
    return shared.ingest_worker(get_settings())


def get_conversations(batch: bool = False) -> Conversations:
    """The chats of the current person; see `server.shared.conversations`."""
    return shared.conversations(get_settings(), _require_person(), batch)


def get_tokens() -> Tokens:
    return shared.tokens(get_settings())


def get_active_runs() -> ActiveRuns:
    return shared.active_runs()


def get_evaluations() -> EvaluationStore:
    """The evaluations of the current person."""
    return shared.evaluations(get_settings(), _require_person())


def get_evaluation_worker() -> BackgroundEvaluation:
    return shared.evaluation_worker(get_settings(), _require_person())


def open_store(kind: type[Store]) -> Store:
    """The sheets of the current person, what they noted of obligations, or what is open of both."""
    return kind(get_settings().data_dir.absolute(), _require_person())


def make_agent() -> Agent:
    return Agent(get_library(), get_model(), get_settings().search_results)


def get_model() -> Model:
    settings = state.with_chosen_models(get_settings())
    return _make_model(settings, settings.model_dump_json(), settings.secrets)


@st.cache_resource(show_spinner=False, scope="session", max_entries=2)
def _make_model(_settings: Settings, shown: str, secrets: tuple[str, ...]) -> Model:  # noqa: ARG001
    """Keep a model, whose connections are expensive, for one session: the key may be of no other.

    The cache compares the other two parameters.
    """
    return make_model(_settings)
