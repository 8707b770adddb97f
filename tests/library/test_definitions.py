"""What terms mean: a clause's own document first, then its season's others, and only the entries
that it needs.
"""

from cup import Add

from core.library import article
from core.library.retrieval.references import find_definitions
from core.library.storage.library import Library
from core.library.types import Scope

GLOSSARY = (
    "In these rules:\n“Competition” means a race meeting.\n"
    "“Fast Lane”: The lane closest to the pit wall,\nand no other."
    "\n“Lap Time Classified Session” (or “LTCS”) means a session classified by lap times."
    "\n“May” means may."
)


def everything(library: Library) -> Scope:
    return Scope(library.documents(), "all")


def told(library: Library, number: str, scope: Scope | None = None) -> list[tuple[str, str]]:
    scope = scope or everything(library)
    clause = article(library, number, scope).clause
    assert clause is not None
    return [(found.article, found.text) for found in find_definitions(library, clause, scope)]


def test_only_the_entries_of_the_terms_used_come(library: Library, add: Add) -> None:
    add(
        "Rules",
        ("1", "No car stops in the Fast Lane; a fast lane is something else."),
        ("2", "Every LTCS of Competitions counts. A Competition may be cut short."),
        ("3", "Nothing special."),
        ("A", GLOSSARY, "Definitions"),
    )
    assert told(library, "1") == [
        ("A", "“Fast Lane”: The lane closest to the pit wall,\nand no other.")
    ]
    [(_, entries)] = told(library, "2")
    assert entries == (
        "“Competition” means a race meeting.\n[…]\n"
        "“Lap Time Classified Session” (or “LTCS”) means a session classified by lap times."
    )
    assert told(library, "3") == []


def test_what_is_left_out_between_entries_is_told(library: Library, add: Add) -> None:
    listed = (
        'a) "Event": a meeting.\nb) "Fast Lane": the lane by the wall.\n'
        'c) "Line": a line.\nd) "Flag": a cloth.'
    )
    add("Rules", ("1", "An Event has a Line and a Flag."), ("2", listed, "Definitions"))
    assert told(library, "1") == [
        ("2", 'a) "Event": a meeting.\n[…]\nc) "Line": a line.\nd) "Flag": a cloth.')
    ]


def test_a_clause_does_not_explain_itself(library: Library, add: Add) -> None:
    add(
        "Rules",
        ("1", "The stewards look at every breach (an “Incident”)."),
        ("2", "An Incident is reported."),
    )
    assert told(library, "1") == []
    assert told(library, "2") == [("1", "The stewards look at every breach (an “Incident”).")]


def test_the_clauses_own_document_goes_before_its_seasons_others(
    library: Library, add: Add
) -> None:
    add(
        "General",
        ("G1", "“Driver” means a licence holder.\n“Car” means a vehicle.", "Definitions"),
        season=2026,
    )
    add("Old", ("O1", "“Car” means a carriage.", "Definitions"), season=2020)
    add(
        "Sporting",
        ("1", "A Driver leaves the Car."),
        ("2", "“Car” means four wheels.", "Definitions"),
        season=2026,
    )
    assert told(library, "1") == [
        ("2", "“Car” means four wheels."),
        ("G1", "“Driver” means a licence holder."),
    ]


def test_definitions_follow_the_library(library: Library, add: Add) -> None:
    add("Rules", ("1", "A Driver drives."), season=2026)
    assert told(library, "1") == []
    general = add("General", ("G1", "“Driver” means a licence holder.", "Definitions"), season=2026)
    assert told(library, "1") == [("G1", "“Driver” means a licence holder.")]
    library.remove_document(general.document_id)
    assert told(library, "1") == []
    scope = Scope(tuple(d for d in library.documents() if d.title == "Rules"), "one")
    assert told(library, "1", scope) == []
