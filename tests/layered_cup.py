"""The Harbour Cup: rules, a handbook, a bulletin and a safety sheet of our own, as JSON Lines."""

import json

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Document, Relation
from core.rulebook import MetadataOverride

RULES = (
    ("1", "General", ""),
    ("1.1", "Season", "These rules are valid for the season 2025."),
    (
        "1.2",
        "Handbook",
        "The event handbook supplements these rules. In case of contradiction the handbook"
        " prevails.",
    ),
    ("2", "Crew", ""),
    ("2.1", "Entry fee", "The entry fee is EUR 400 and must be paid by 1 March 2025."),
    ("2.2", "Crew size", "A crew must have at least three and at most six members."),
    ("2.3", "Age", "Every crew member must be at least 16 years old."),
    ("2.4", "Insurance", "Every crew member must carry proof of a health insurance."),
    ("2.4.1", "", "The proof of insurance must be shown at registration."),
    ("3", "Boat", ""),
    ("3.1", "Hull length", "The hull must not be longer than 6.5 m."),
    ("3.2", "Hull mass", "The mass of the hull must be at least 180 kg."),
    ("3.3", "Sail area", "The sail area must not exceed 18 m²."),
    ("3.4", "Fire extinguisher", "Each boat must carry a fire extinguisher of at least 2 kg."),
    ("3.5", "Radio", "Radios must not be used during a race."),
    ("4", "Race", ""),
    ("4.1", "Speed in the harbour", "The speed in the harbour must not exceed 10 km/h."),
    ("4.2", "Start", "The start is given by a horn five minutes after the warning signal."),
    ("4.3", "Protest", "A protest must be lodged within 60 minutes of the finish."),
    (
        "4.4",
        "Speeding",
        "A boat that exceeds the speed in the harbour receives a time penalty of 30 seconds.",
    ),
    ("4.5", "Life jackets", "A life jacket must be worn at all times on the water."),
    ("5", "Scoring", ""),
    ("5.1", "Points", "The winner of a race scores 25 points."),
)
HANDBOOK = (
    ("H 1", "General", ""),
    (
        "H 1.1",
        "Precedence",
        "This handbook supplements the Harbour Cup Rules for the event in Kiel. In case of"
        " contradiction between this handbook and the Harbour Cup Rules the handbook prevails.",
    ),
    ("H 2", "Event", ""),
    ("H 2.1", "Speed in the harbour", "The speed in the harbour must not exceed 8 km/h."),
    ("H 2.2", "Health insurance (change of Rules 2025\\2.4)", "Requirement waived."),
    ("H 2.3", "Start (supplement to 4.2)", "The warning signal is given with a yellow flag too."),
    ("H 2.4", "Radio", "Radios may be used during a race."),
    (
        "H 2.5",
        "Protest (change of Article 4.3)",
        "A protest must be lodged within 45 minutes of the finish.",
    ),
    ("H 2.6", "Paddock", "The paddock closes at 22:00."),
    ("H 2.7", "Points (change of Article 5.1)", "The winner of a race scores 30 points."),
)
BULLETIN = (
    (
        "B 1",
        "Validity",
        "This bulletin amends the Harbour Cup Rules and comes into force on 1 May 2025.",
    ),
    ("B 2", "", "Article 3.3 is replaced by: The sail area must not exceed 20 m²."),
    ("B 3", "", "Article 3.4 on the fire extinguisher is deleted."),
    ("B 4", "", "In Article 2.2 “at most six members” is replaced by “at most five members”."),
    (
        "B 5",
        "",
        "In deviation from Article 4.4 a boat that exceeds the speed in the harbour receives a"
        " time penalty of 60 seconds.",
    ),
)
SAFETY = (("S 1", "Age", "Every crew member must be at least 14 years old."),)

BOOKS = {
    "rules": ("Harbour Cup Rules", RULES),
    "handbook": ("Harbour Cup Handbook", HANDBOOK),
    "bulletin": ("Harbour Cup Bulletin", BULLETIN),
    "safety": ("Harbour Cup Safety Sheet", SAFETY),
}


def add_harbour_cup(library: Library) -> dict[str, Document]:
    """Add the four documents, and say how they stand to one another; return them by name."""
    found: dict[str, Document] = {}
    for name, (title, clauses) in BOOKS.items():
        lines = [
            {
                "document": f"{title} 2025",
                "article": article,
                "title": heading,
                "text": text,
                "season": 2025,
                "issue": 1,
                "family": f"harbour-cup-{name}",
            }
            for article, heading, text in clauses
        ]
        data = "\n".join(map(json.dumps, lines)).encode()
        [added] = add_bytes(library, data, f"{name}.jsonl")
        assert added.document is not None, added.message
        found[name] = added.document
    rules = found["rules"].document_id

    def relate(name: str, relation: Relation) -> None:
        found[name] = library.relate(found[name].document_id, relation)

    said = HANDBOOK[1][2].partition(". ")[2]
    clause = f"{found['handbook'].document_id}:H 1.1"
    relate("handbook", Relation("supplements", rules, "this", None, clause, said))
    relate("bulletin", Relation("amends", rules, "this", "2025-05-01"))
    relate("safety", Relation("supplements", rules))
    found["rules"] = library.correct_metadata(rules, MetadataOverride(valid_from="2025-01-15"))
    return found
