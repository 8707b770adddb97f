"""Cup Rules: a small invented rulebook in two seasons, for tests of the agent and the pages."""

import json
from contextlib import suppress
from pathlib import Path

from core.library.ingestion.ingest import add_bytes
from core.library.ingestion.upload_queue import UploadQueue
from core.library.storage.library import Library

RULES = (
    ("21", "PIT LANE", ""),
    (
        "21.3",
        "Speed limit",
        "The speed limit in the pit lane is {speed} km/h throughout the Event, for every car.",
    ),
    ("21.6", "", "A car released in an unsafe condition receives a penalty under Article 38.3 c)."),
    ("38", "PENALTIES", ""),
    (
        "38.3",
        "",
        "The Stewards may impose:\na) a time penalty;\nb) a reprimand;\n"
        "c) a drive-through penalty.",
    ),
    ("40", "TYRES", ""),
    (
        "40.1",
        "Number of sets",
        "Each driver may use five sets of Prime tyres at an Event, and no more than that.",
    ),
    ("40.2", "", "Inflation follows Article 8.2 of the Technical Regulations and Article 99.9."),
)


def queue_in(folder: Path) -> UploadQueue:
    """The queue of the data folder of one machine."""
    return UploadQueue(f"sqlite:///{folder / 'conversations.db'}")


def contents(folder: Path) -> dict[Path, bytes]:
    """What each file under a folder holds; looked at again where one is replaced meanwhile."""
    while True:
        with suppress(FileNotFoundError):
            return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def add_cup_rules(library: Library) -> None:
    """Add both seasons: 60 km/h in 2023, 50 km/h in 2024."""
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
    added = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "cup.jsonl")
    assert [addition.status for addition in added] == ["added", "added"]
