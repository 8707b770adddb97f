"""What all visitors share: settings, the library, the chats' database. Nothing of any one person is kept here."""

import gc
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, wraps
from pathlib import Path
from threading import Lock
from typing import TypeVar

import streamlit as st

from core.agent import Agent, Model, make_model
from core.chats import Conversations, quota_from_settings
from core.errors import LibraryError
from core.evaluation import EVALUATIONS_FOLDER, BackgroundEvaluation, EvaluationStore
from core.library import IngestWorker, Library, UploadQueue, open_library
from core.settings import Settings, load_settings, replace_api_key
from pages.components import state
from pages.components.people import current_person

Told = TypeVar("Told")
Made = TypeVar("Made")


def get_settings() -> Settings:
    """The settings in force, with the key that was entered for this session. Raises SettingsError."""
    key, told = (
        state.session_key(),
        _settings(frozenset(os.environ.items()), _written(Path(".env"))),
    )
    return replace_api_key(told, key) if key else told


@lru_cache(maxsize=1)
def _settings(environment: frozenset[tuple[str, str]], written: tuple[str, int, int]) -> Settings:  # noqa: ARG001
    """Read anew only where what they are read from has changed: a page asks for them many times."""
    return load_settings()


def _written(file: Path) -> tuple[str, int, int]:
    """Where a file lies, when it was written and its size; zeros where there is none."""
    try:
        found = file.stat()
    except OSError:
        return str(file.absolute()), 0, 0
    return str(file.absolute()), found.st_mtime_ns, found.st_size


def get_library() -> Library:
    """The library of the data folder in force."""
    return _library(_shared(get_settings()))


def get_ingest_worker() -> IngestWorker:
    """The work on the files that wait to be added; it goes on whatever page anybody looks at."""
    return _adding(_shared(get_settings()))


def get_conversations(in_a_row: bool = False) -> Conversations:
    """The chats of the person who asks. Raises SettingsError for a bad URL and LibraryError where they do not open.

    Of questions that the program puts `in_a_row`, one after the other, any number may come in a minute.
    """
    asking = current_person()
    if asking is None:
        raise LibraryError("Log in first.", code="chats")
    quota = quota_from_settings(get_settings())
    quota = replace(quota, questions_a_minute=None) if in_a_row else quota
    return _conversations(get_settings().conversations_url).for_person(asking.key, quota)


def get_evaluations() -> EvaluationStore:
    """The evaluations of the person who asks."""
    asking = current_person()
    if asking is None:
        raise LibraryError("Log in first.", code="chats")
    return EvaluationStore(get_settings().data_dir.absolute() / EVALUATIONS_FOLDER / asking.key)


def get_evaluation_worker() -> BackgroundEvaluation:
    """The work on an evaluation of the person who asks; it goes on whatever page they look at."""
    return _evaluating(get_evaluations().folder)


def make_agent() -> Agent:
    """An agent with the model that the settings ask for."""
    return Agent(get_library(), get_model(), get_settings().search_results)


def get_model() -> Model:
    """The model that the settings ask for."""
    told = get_settings()
    return _model(told, told.model_dump_json(), told.secrets)


def _shared(chosen: Settings) -> Settings:
    """What of the settings is the same for everybody: not the key of one session."""
    return chosen.model_copy(
        update={"data_dir": chosen.data_dir.absolute(), "anthropic_api_key": None}
    )


def _once(make: Callable[[Told], Made]) -> Callable[[Told], Made]:
    """Make a thing once for each value that it is made from, and keep it for as long as the process lives.

    Streamlit's own cache is no place for it: whoever is connected, logged in or not, may have that emptied for all.
    """
    held: dict[str, Made] = {}
    making = Lock()

    @wraps(make)
    def made(told: Told) -> Made:
        key = repr(told)
        with making:
            if key not in held:
                held[key] = make(told)
            return held[key]

    return made


@_once
def _library(chosen: Settings) -> Library:
    return open_library(chosen)


@st.cache_resource(show_spinner=False, scope="session", max_entries=2)
def _model(_settings: Settings, told: str, secrets: tuple[str, ...]) -> Model:  # noqa: ARG001  (what it is known by)
    """A model keeps nothing between calls but its connections, which are dear to make, and its key.

    It is kept for the session alone, as the key may have been entered for no other.
    """
    return make_model(_settings)


@_once
def _adding(chosen: Settings) -> IngestWorker:
    return IngestWorker(UploadQueue(chosen.data_dir / "queue"), _library(chosen))


@_once
def _conversations(url: str) -> Conversations:
    return Conversations(url)


@_once
def _evaluating(folder: Path) -> BackgroundEvaluation:
    return BackgroundEvaluation(EvaluationStore(folder))


@cache
def freeze_loaded_objects() -> None:
    """Leave what was loaded with the first page out of all later collections: looking through it took a second."""
    gc.collect()
    gc.freeze()
