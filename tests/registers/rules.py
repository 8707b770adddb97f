"""Invented rules that threaten penalties, and a library of them."""

import json
from pathlib import Path

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library

RULES = (
    ("21.3", "Speed limit", "The speed limit in the pit lane is 60 km/h."),
    (
        "21.4",
        "",
        "A driver who exceeds the limit in the pit lane in practice is fined €100 for each km/h,"
        " unless it rains.",
    ),
    (
        "21.5",
        "",
        "A driver who exceeds the limit in the pit lane in a race receives a penalty under"
        " Article 38.3 c) or d).",
    ),
    (
        "21.6",
        "",
        "If a car is released in an unsafe condition, the stewards may drop the driver three grid"
        " places.",
    ),
    (
        "22.1",
        "",
        "A penalty under Article 38.3 d) will be imposed on any driver who refuels in a race.",
    ),
    (
        "22.2",
        "",
        "The suspension of the car must not be changed."
        " Cars starting from the pit lane wait at its end.",
    ),
    ("36.1", "", "A driver who is late is fined €300, and a driver who is absent is fined €1,500."),
    (
        "38.3",
        "",
        "The stewards may impose any of the penalties below on a driver:\n"
        "a) A time penalty.\nb) A reprimand.\n"
        "c) A drive-through penalty. The driver rejoins without stopping.\n"
        "d) A ten second stop-and-go penalty. The driver stops for ten seconds.\n"
        "If any is imposed, it is final.",
    ),
    (
        "38.4",
        "",
        "A penalty under Article 38.3 c) must be served within two laps"
        " and is not subject to appeal.",
    ),
    (
        "40.5",
        "",
        "A team which exceeds the amount:\na) by less than 3% is fined;\n"
        "b) by more loses at least 20 points.",
    ),
)


def make_penalty_library(folder: Path) -> Library:
    library = Library(folder)
    lines = (
        {
            "document": "Cup Rules",
            "article": article,
            "title": title,
            "text": text,
            "season": 2024,
            "family": "cup",
        }
        for article, title, text in RULES
    )
    list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "cup.jsonl"))
    return library
