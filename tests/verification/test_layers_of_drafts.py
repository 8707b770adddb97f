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
    articles = {rules: ("4.1", "3.1", "3.5", "2.4"), handbook: ("H 2.1", "H 2.4", "H 2.2")}
    ids = [f"{book}:{article}" for book, own in articles.items() for article in own]
    ids.insert(1, ids.pop(4))  # the handbook's speed is [2]
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


BOTH = " ".join(
    f"“The speed in the harbour must not exceed {n} km/h.” [{m}]" for n, m in ((10, 1), (8, 2))
)


@pytest.mark.parametrize(
    "told",
    [
        "The speed must not exceed 10 km/h [1][2].",
        "The speed must not exceed 10 km/h.",
        "As in previous seasons the speed must not exceed 10 km/h [1].",
        "As before the speed must not exceed 10 km/h in this and in the previous season [1][2].",
        "The rules prevail over the handbook [1][2]: 10 km/h is the limit.",
        "The 10 km/h of the rules overrides the 8 km/h of the handbook [1][2].",
        "The 8 km/h of the handbook is replaced by the 10 km/h of the rules [1][2].",
        "The handbook does not replace the 10 km/h of the rules [1][2].",
        "Nothing in the handbook overrides the 10 km/h of the rules [1][2].",
        "As replaced by the handbook, the speed must not exceed 10 km/h [1][2].",
        "Das Handbook ersetzt nicht die 10 km/h der Rules [1][2].",
        "The speed must not exceed 10000 m/h [1][2].",
        "Limit: 10 km/h [1].",
    ],
)
@pytest.mark.parametrize("markers", [(1, 2), (2,)], ids=["both quoted", "one quoted"])
def test_an_overridden_amount_is_told_as_overridden_or_not_at_all(found, told, markers):
    assert check_force(found, f"{BOTH} {told}" if 1 in markers else told, *markers)


@pytest.mark.parametrize(
    "told",
    [
        "The 10 km/h of Article 4.1 is replaced by 8 km/h [1][2].",
        "The handbook replaces the 10 km/h of the rules by 8 km/h [1][2].",
        "The speed must not exceed 10 km/h [1], which the handbook replaces by 8 km/h [2].",
        "The rules say 10 km/h [1], but the handbook replaces this by 8 km/h [2].",
        "The limit is 8 km/h [2] instead of 10 km/h [1].",
        "The limit was lowered from 10 km/h to 8 km/h [1][2].",
        "Das Handbook ersetzt die 10 km/h der Rules durch 8 km/h [1][2].",
        "The 10 km/h of Article 4.1 is overridden by Article H 2.1 of the handbook [1][2].",
    ],
)
def test_a_sentence_may_say_that_an_amount_is_overridden_and_by_what(found, told):
    assert not check_force(found, f"{BOTH} {told}", 1, 2)


def test_a_duty_that_another_layer_lifts_is_told_as_lifted_or_not_at_all(found):
    radio, waived = "Radios must not be used in a race", "Each member must carry proof of insurance"
    for told in (f"{radio} [4][6].", f"{radio}.", f"{waived} [5].", f"{waived} [5][7]."):
        assert check_force(found, told, 4, 5, 6, 7), told
    for told in ("Radios may be used during a race [6].", f"{radio} [4], overruled by [6]."):
        assert not check_force(found, told, 4, 5, 6, 7), told


def test_a_value_of_the_question_may_be_named(found):
    def check(told):
        question = "May a boat do 10 km/h?"
        citation = cite(found.sources[1], found.sources[1].text)
        parsed = parse_draft(told, [citation], found, lambda _: {})
        checks = check_draft(parsed, found, question)
        return [one for one in checks if one.kind == "force"]

    assert not check("No, 10 km/h is more than the 8 km/h of the handbook [2].")
    assert check("The speed must not exceed 10 km/h.")
