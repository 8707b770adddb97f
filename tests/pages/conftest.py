"""The app as `streamlit run app.py` would start it, over a small library of invented rules."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.chats.conversations import Conversations
from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
from pages.components import services
from tests.cup import add_cup_rules

SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"


@pytest.fixture(scope="session")
def rules(tmp_path_factory) -> Path:
    """A data folder with two seasons of a family in it; never written to."""
    folder = tmp_path_factory.mktemp("rules") / "data"
    add_cup_rules(Library(folder))
    return folder


@pytest.fixture
def data(tmp_path, monkeypatch) -> Iterator[Path]:
    """An empty data folder that the app is pointed to, with no key and no `.env` in sight."""
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SCRUTINEER_DATA_DIR", str(tmp_path / "data"))
    yield tmp_path / "data"
    services._shared.clear()  # a server has one data folder; ours would hold all their files open


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
def shelf(tmp_path_factory):
    """A data folder with one sample rulebook in it; never written to."""
    folder = tmp_path_factory.mktemp("shelf") / "data"
    assert [addition.status for addition in add_file(Library(folder), SAMPLE)] == ["added"]
    return folder


@pytest.fixture
def sporting(data, shelf) -> Library:
    """The app's library, with that rulebook in it."""
    shutil.copytree(shelf, data)
    return Library(data)
