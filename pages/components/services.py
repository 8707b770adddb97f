"""What all visitors share: settings, library, database of chats. Nothing personal is here."""

import gc
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

import streamlit as st
from pydantic import SecretStr

from core.agent import Agent, Model, make_model
from core.chats import ActiveRuns, Conversations, quota_from_settings
from core.errors import LibraryError
from core.evaluation import EVALUATIONS_FOLDER, BackgroundEvaluation, EvaluationStore
from core.impact import FolderWatch
from core.library import IngestWorker, Library, open_library, open_queue
from core.limits import ChecklistStore, SheetStore, read_missing_registers
from core.settings import Settings, load_settings, replace_api_key
from pages.components.people import Person, current_person
from pages.components.read_once import read_once
from pages.components.words import say

Made = TypeVar("Made")

_shared: dict[tuple[str, str], Any] = {}
_locks = {kind: RLock() for kind in ("library", "ingest", "watch", "chats", "runs", "evaluation")}
"""One for each kind: a database that is slow to open keeps nobody from the library."""


def _share(kind: str, source: object, make: Callable[[], Made]) -> Made:
    """Make one object of a kind for each source, and keep it for the life of the process.

    Streamlit's own cache will not do: any connected browser may clear it for everybody.
    """
    key = kind, repr(source)
    with _locks[kind]:
        if key not in _shared:
            _shared[key] = make()
        made: Made = _shared[key]
    return made


def session_key() -> str:
    """The API key that was entered in this session, or ""."""
    key: SecretStr | None = st.session_state.get("session-key")
    return key.get_secret_value() if key else ""


def keep_session_key(key: str) -> None:
    """Use this API key in this session only; "" forgets it."""
    st.session_state["session-key"] = SecretStr(key.strip()) if key.strip() else None


def get_settings() -> Settings:
    """The settings, with the API key that was entered in this session. Raises SettingsError."""
    settings, key = read_once("settings", _read_settings), session_key()
    return replace_api_key(settings, key) if key else settings


def _read_settings() -> Settings:
    file = Path(".env").absolute()
    try:
        found = file.stat()
    except OSError:
        version = (0, 0)
    else:
        version = (found.st_mtime_ns, found.st_size)
    return _load_settings(frozenset(os.environ.items()), file, version)


@lru_cache(maxsize=1)
def _load_settings(environment: object, file: Path, version: tuple[int, int]) -> Settings:  # noqa: ARG001
    """Load the settings if their sources have changed."""
    return load_settings()


def _shared_settings() -> Settings:
    """The settings without what belongs to one session: its API key."""
    settings = get_settings()
    folder = settings.data_dir.absolute()
    return settings.model_copy(update={"data_dir": folder, "anthropic_api_key": None})


def _require_person() -> Person:
    person = current_person()
    if person is None:
        raise LibraryError(say("login-first"), code="chats")
    return person


def get_library() -> Library:
    settings = _shared_settings()
    return _share("library", settings, lambda: open_library(settings))


def library_state(library: Library) -> str:
    """What tells two states of a library apart, as one text: Streamlit takes long over a tuple."""
    editions = [document.edition for document in library.documents()]
    return repr((library.place, library.version, editions))


of_library: dict[str, Any] = {"show_spinner": False, "hash_funcs": {Library: library_state}}
"""For Streamlit's caches: what is found in a library is found again once that has changed."""
find_clause = st.cache_data(Library.clause, max_entries=1000, **of_library)


def get_ingest_worker() -> IngestWorker:
    """The worker that adds the queued files, whatever page is open."""
    settings = _shared_settings()

    def make() -> IngestWorker:
        queue, library = open_queue(settings), get_library()
        return IngestWorker(queue, library, on_added=read_missing_registers)

    return _share("ingest", settings, make)


def start_folder_watch() -> None:
    """Add new files of the watched folder by themselves, if one is set, from now on.

    Their digests name the answers of the person at this machine alone.
    """
    settings = _shared_settings()
    folder = settings.watch_dir
    if folder is not None:
        url = settings.conversations_url

        def start() -> FolderWatch:
            watch = FolderWatch(get_library(), Conversations(url), folder)
            watch.start()
            return watch

        _share("watch", settings, start)


def get_conversations(batch: bool = False) -> Conversations:
    """The chats of the current person. A `batch` of questions has no limit per minute.

    Raises SettingsError for a bad URL and LibraryError if the database does not open.
    """
    person, settings = _require_person(), get_settings()
    quota = quota_from_settings(settings)
    url = settings.conversations_url
    return _share("chats", url, lambda: Conversations(url)).for_person(
        person.key, replace(quota, questions_a_minute=None) if batch else quota
    )


def get_active_runs() -> ActiveRuns:
    """The runs that this process works on, of every person."""
    return _share("runs", "", ActiveRuns)


def get_evaluations() -> EvaluationStore:
    """The evaluations of the current person."""
    folder = get_settings().data_dir.absolute() / EVALUATIONS_FOLDER
    return EvaluationStore(folder / _require_person().key)


def get_evaluation_worker() -> BackgroundEvaluation:
    """The worker on an evaluation of the current person, whatever page is open."""
    store = get_evaluations()
    return _share("evaluation", store.folder, lambda: BackgroundEvaluation(store))


def get_sheets() -> SheetStore:
    """The sheets of values of the current person."""
    return SheetStore(get_settings().data_dir.absolute(), _require_person().key)


def get_checklist() -> ChecklistStore:
    """What the current person noted of obligations."""
    return ChecklistStore(get_settings().data_dir.absolute(), _require_person().key)


def make_agent() -> Agent:
    return Agent(get_library(), get_model(), get_settings().search_results)


def get_model() -> Model:
    settings = get_settings()
    return _make_model(settings, settings.model_dump_json(), settings.secrets)


@st.cache_resource(show_spinner=False, scope="session", max_entries=2)
def _make_model(_settings: Settings, shown: str, secrets: tuple[str, ...]) -> Model:  # noqa: ARG001
    """Keep a model, whose connections are expensive, for one session: the key may be of no other.

    The cache compares the other two parameters.
    """
    return make_model(_settings)


@cache
def freeze_loaded_objects() -> None:
    """Exclude what the first page loaded from later garbage collections, which took a second."""
    gc.collect()
    gc.freeze()
