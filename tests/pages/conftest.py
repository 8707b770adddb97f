"""The app as `streamlit run app.py` would start it, over a small library of invented rules."""

import json
import shutil
from pathlib import Path

import pytest

from core.conversations import Conversations
from core.library.ingest import add_bytes, add_file
from core.library.store import Library

SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"
RULES = [
    ("21", "PIT LANE", ""),
    ("21.3", "Speed limit", "The speed limit in the pit lane is {speed} km/h throughout the Event, for every car."),
    ("21.6", "", "A car released in an unsafe condition receives a penalty under Article 38.3 c)."),
    ("38", "PENALTIES", ""),
    ("38.3", "", "The Stewards may impose:\na) a time penalty;\nb) a reprimand;\nc) a drive-through penalty."),
    ("40", "TYRES", ""),
    ("40.1", "Number of sets", "Each driver may use five sets of Prime tyres at an Event, and no more than that."),
]


@pytest.fixture(scope="session")
def rules(tmp_path_factory) -> Path:
    """A data folder with two seasons of a family in it; never written to."""
    folder = tmp_path_factory.mktemp("rules") / "data"
    lines = [
        {
            "document": f"Cup Rules {season}",
            "article": article,
            "title": title,
            "text": text.format(speed=speed),
            "season": season,
            "issue": 1,
            "family": "cup",
        }
        for season, speed in ((2023, 60), (2024, 50))
        for article, title, text in RULES
    ]
    added = list(add_bytes(Library(folder), "\n".join(map(json.dumps, lines)).encode(), "cup.jsonl"))
    assert [addition.status for addition in added] == ["added", "added"]
    return folder


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """An empty data folder that the app is pointed to, with no key and no `.env` in sight."""
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SCRUTINEER_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


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
