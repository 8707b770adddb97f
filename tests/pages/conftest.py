"""The app as `streamlit run app.py` would start it, over a small library of invented rules."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.config import get_config_options

from core.chats.conversations import Conversations
from core.library.storage.library import Library
from server.shared import forget_shared
from tests.made_once import SAMPLE, read_once

get_config_options()  # ours, once for the process: each test has a folder of its own


@pytest.fixture
def data(tmp_path, monkeypatch) -> Iterator[Path]:
    """An empty data folder that the app is pointed to, with no key and no `.env` in sight."""
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SCRUTINEER_DATA_DIR", str(tmp_path / "data"))
    yield tmp_path / "data"
    forget_shared()  # a server has one data folder; ours would hold all their files open


@pytest.fixture
def library(data, rules) -> Library:
    """The app's library, with the invented rules in it."""
    shutil.copytree(rules, data)
    return Library(data)


@pytest.fixture
def chats(library) -> Conversations:
    """The app's chats."""
    return Conversations(f"sqlite:///{library.folder / 'conversations.db'}")


@pytest.fixture(scope="session")
def rules(cup_rules) -> Path:
    """A data folder with two seasons of a family in it; never written to."""
    return cup_rules


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """A data folder with one sample rulebook in it; never written to."""
    return read_once(tmp_path_factory, SAMPLE)


@pytest.fixture
def sporting(data, shelf) -> Library:
    """The app's library, with that rulebook in it."""
    shutil.copytree(shelf, data)
    return Library(data)
