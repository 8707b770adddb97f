"""Kart Rules: a small invented rulebook with vectors, for tests of offline answers."""

import json

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.storage.vectors import embed_clauses

RULES = (
    (
        "1.1",
        "Definitions",
        "a) “Competitor”: a person or body that holds a licence of the club.\n"
        "b) “Fast Lane”: the lane of the pit lane that is next to the pit wall.\n"
        "c) “Bodywork”: all parts of the car that the air flows along, without the wheels.",
    ),
    ("2.1", "Weight", "The car must weigh at least 740 kg at all times of an event, without fuel."),
    ("2.2", "Wheelbase", "The wheelbase of the car must be no less than 1525 mm."),
    ("2.3", "Ground clearance", "The ground clearance must be at least 30 mm with the driver."),
    ("2.4", "Wheels", "The four wheels are of one alloy. Wheel weights of steel are used."),
    ("2.5", "Wings", "Under a load of 1,200 N the rear wing may deflect no more than 6 mm."),
    (
        "3.1",
        "Sound level",
        "At idle the sound level must not exceed 103 dBC."
        " At every other engine speed it must not exceed 110 dBC.",
    ),
    ("3.2", "Fuel", "The fuel must be petrol from the pump of the club, without any additive."),
    ("4.1", "Cost cap", "A team must not spend more than 175 million dollars in a season."),
    ("4.2", "Reports", "Accounts are handed in by the last day of March of the next year."),
    ("5.1", "Speed limit", "The speed in the pit lane must not exceed 50 km/h during an event."),
    (
        "5.2",
        "Unsafe release",
        "A driver released from the pits into the path of another receives a penalty under"
        " Article 7.1 c).",
    ),
    ("5.3", "Refuelling", "Refuelling is forbidden while the engine is running."),
    ("5.4", "Reversing", "A car must not be reversed in the pit lane under its own power."),
    ("6.1", "Practice", "Two sessions of free practice of one hour each are held on Friday."),
    ("6.2", "Points", "The winner scores 25 points. The fastest lap brings its driver one more."),
    ("6.3", "Red flag", "When the red flag is shown all cars drive slowly to the pit exit."),
    (
        "7.1",
        "Penalties",
        "The stewards may impose:\na) a time penalty;\nb) a reprimand;\n"
        "c) a drive-through penalty.",
    ),
    ("7.2", "Protests", "A protest is made in writing within one hour of the end of the race."),
    ("8.1", "Helmets", "A driver must wear a helmet of a standard that the club has approved."),
)


def make_kart_library(folder) -> Library:
    """Make a library of the rules that is searched by words and by meaning."""
    library = Library(folder, "hybrid")
    lines = [
        {"document": "Kart Rules", "season": 2025, "family": "kart"}
        | {"article": article, "title": title, "text": text}
        for article, title, text in RULES
    ]
    added = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "kart.jsonl")
    assert [addition.status for addition in added] == ["added"]
    embed_clauses(library)
    return library
