"""A draft that tells an overridden rule without the one that overrides it does not pass."""

import pytest

from core.library.storage.library import Library
from core.library.types import Hit
from core.registers import list_layer_notes
from core.verification import Evidence, check_draft, cite, parse_draft
from tests.layered_cup import add_harbour_cup

QUESTION = "How fast may a boat be in the harbour?"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Evidence with the rule of the base, that of the handbook, and one on the hull."""
    library = Library(tmp_path_factory.mktemp("cup"))
    books = add_harbour_cup(library)
    rules, handbook = books["rules"].document_id, books["handbook"].document_id
    ids = [f"{rules}:4.1", f"{handbook}:H 2.1", f"{rules}:3.1"]
    hits = [Hit(clause, 1.0, "words") for clause in library.select_clauses(ids)]
    labels = {one.document_id: one.label for one in books.values()}
    evidence = Evidence()
    evidence.add_hits(hits, labels, layers=list_layer_notes(library))
    return evidence


def check_force(evidence, text, *markers):
    citations = tuple(
        cite(source, source.text) for source in evidence.sources if source.marker in markers
    )
    parsed = parse_draft(text, citations, evidence, lambda _: {})
    checks = check_draft(parsed, evidence, QUESTION)
    return [one.message for one in checks if one.kind == "force" and not one.passed]


def test_the_base_alone_is_refused(found):
    [message] = check_force(found, "The speed must not exceed 10 km/h [1].", 1)
    assert "overridden by Article H 2.1, Harbour Cup Handbook 2025" in message


def test_the_base_beside_the_handbook_still_has_to_say_which_holds(found):
    as_law = "The speed must not exceed 10 km/h [1]. At the event it is 8 km/h [2]."
    assert check_force(found, as_law, 1, 2)
    both = "The handbook says 8 km/h [2]; the 10 km/h of the rules is no longer in force [1][2]."
    assert not check_force(found, both, 1, 2)


def test_what_no_layer_speaks_of_and_what_overrides_are_free(found):
    assert not check_force(found, "The speed must not exceed 8 km/h [2].", 2)
    assert not check_force(found, "The hull must not be longer than 6.5 m [3].", 3)
