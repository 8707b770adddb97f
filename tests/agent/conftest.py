"""A small library of invented rules, in two seasons, for the stories of the loop."""

import json

import pytest

from core.library.ingest import add_bytes
from core.library.store import Library

RULES = [
    ("21", "PIT LANE", ""),
    ("21.3", "", "The speed limit in the pit lane is {speed} km/h throughout the Event."),
    ("21.6", "", "A car released in an unsafe condition receives a penalty under Article 38.3 c)."),
    ("38", "PENALTIES", ""),
    ("38.3", "", "The Stewards may impose:\na) a time penalty;\nb) a reprimand;\nc) a drive-through penalty."),
    ("40", "TYRES", ""),
    ("40.1", "", "Each driver may use five sets of Prime tyres at an Event."),
    ("40.2", "", "Inflation follows Article 8.2 of the Technical Regulations and Article 99.9."),
]


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("library"))
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
    data = "\n".join(map(json.dumps, lines)).encode()
    assert [addition.status for addition in add_bytes(library, data, "cup.jsonl")] == ["added", "added"]
    return library
