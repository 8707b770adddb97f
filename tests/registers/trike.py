"""Trike Rules: an invented rulebook on three-wheelers, for tests of limits and sheets."""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.rulebook import read_jsonl
from core.rulebook.types import Clause

RULES = (
    ("1", "Size", ""),
    ("1.1", "Wheelbase", "The trike must have a minimum wheelbase of 1200 mm."),
    ("1.2", "Cargo box", "The cargo box must not be taller than 600 mm."),
    ("1.3", "Front Tires", "There is a minimum tread depth of 2.4 mm."),
    ("1.4", "Rear Tires", "Any tread will do."),
    ("2", "Tubes", ""),
    (
        "2.1",
        "Uses",
        "| Use | Size |\n|---|---|\n| a. Seat Post | Size A |\n| b. Seat Post Brace | Size B |",
    ),
    (
        "2.2",
        "Sizes",
        "A tube must be at least:\n| Tube | Minimum Wall Thickness |\n|---|---|\n"
        "| Size A | 2.0 mm |\n| Size B | 1.2 mm |",
    ),
    ("3", "Battery", ""),
    (
        "3.1",
        "Voltage",
        "Each pack must contain:\n• Maximum voltage of less than 60 V DC\n• Maximum energy of 2 MJ",
    ),
    (
        "3.2",
        "Bleed resistor",
        "The bleed resistor must be sized so:\n| Pack voltage | Resistor |\n|---|---|\n"
        "| U <= 24 V DC | 5 kOhm |\n| 24 V DC < U <= 60 V DC | 10 kOhm |",
    ),
    ("3.3", "Lamps", "When lamps are used without a lens, they must not be more than 20 mm apart."),
    ("3.4", "Bell", "The bell should be 85 dBC or less."),
    ("3.5", "Horn", "The sound level is at most:\na. At idle 80 dBC\nb. At full speed 90 dBC"),
    ("3.6", "Flag", "The orange safety flag must be at least 60 mm wide."),
    (
        "3.7",
        "Wind test",
        "A load of 50 N (minimum) is applied to the flag in the wind test."
        " No more than 80 N will be required for the test of a flag.",
    ),
    ("3.8", "Siren", "The siren must sound with a minimum of 100 Hz and a maximum of 200 Hz."),
    ("4", "Teams", "A team must name two riders. See 1.1 and Table 3."),
)


def lines(
    issue: int = 1,
    changes: Mapping[str, str] = MappingProxyType({}),
    rules: Iterable[tuple[str, str, str]] = RULES,
) -> bytes:
    """Return rules as JSON Lines, in a later issue with other texts for some articles."""
    names = ("article", "title", "text")
    identity = {"document": "Trike Rules", "season": 2024, "issue": issue, "family": "trike"}
    rows = (identity | dict(zip(names, rule, strict=True)) for rule in rules)
    return "\n".join(
        json.dumps(row | {"text": changes.get(str(row["article"]), row["text"])}) for row in rows
    ).encode()


def clauses(rules: Iterable[tuple[str, str, str]] = RULES) -> tuple[Clause, ...]:
    """Return rules, each an article, its title and its text, as they are read."""
    [book] = read_jsonl(lines(rules=rules), "trike.jsonl")
    return book.clauses


def add_trike_rules(
    library: Library, issue: int = 1, changes: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Add an issue of the rules to a library; return its id."""
    name = "trike.jsonl" if issue == 1 else f"trike_{issue}.jsonl"
    [added] = add_bytes(library, lines(issue, changes), name)
    assert added.status == "added"
    assert added.document
    return added.document.document_id
