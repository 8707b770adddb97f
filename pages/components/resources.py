"""What all visitors share: settings, the library, the chats' database. Nothing of any one person is kept here."""

import logging
from pathlib import Path

import streamlit as st

from core.agent.loop import Agent
from core.agent.models import model_for
from core.conversations import Conversations
from core.library.store import Library
from core.settings import Settings, load_settings


def settings() -> Settings:
    """The settings in force. Raises SettingsError."""
    return load_settings()


def library() -> Library:
    """The library of the data folder in force."""
    return _library(settings().data_dir.absolute())


def conversations() -> Conversations:
    """The chats. Raises SettingsError for a bad URL and LibraryError where they cannot be opened."""
    return _conversations(settings().conversations_url)


def agent() -> Agent:
    """An agent with the model that the settings ask for."""
    return Agent(library(), model_for(settings()), settings().search_results)


@st.cache_resource(show_spinner=False)
def start_log(level: str) -> None:
    """Let the log of the program's own modules go to standard error, once a process."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    logging.getLogger("scrutineer").setLevel(level)


@st.cache_resource(show_spinner=False)
def _library(folder: Path) -> Library:
    return Library(folder)


@st.cache_resource(show_spinner=False)
def _conversations(url: str) -> Conversations:
    return Conversations(url)
