"""What changed: rules are recognised by their words, wherever they now stand and whatever number
they bear.
"""

import random
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import pytest
from cup import Add

from core.errors import LibraryError
from core.library.comparison.compare import compare
from core.library.storage.library import Library
from core.library.types import ClausePair, Document
from core.rulebook import Clause
from tests.benchmarks.changes import changes_not_marked, marks_not_found
from tests.made_once import needs_shelf

SPEED = "A speed limit of 80km/h will be imposed in the pit lane during the whole competition."
FASTER = "A speed limit of 100km/h will be imposed in the pit lane during the whole competition."
LADDER = "Every ladder in the garage has to be fixed to the floor."
HELMET = "Drivers must wear a helmet at all times while the car is moving."
DOGS = "Animals are forbidden in the paddock, save those of the security services."


def compared(library: Library, before: Document, after: Document) -> tuple[ClausePair, ...]:
    return compare(library.clauses(before.document_id), library.clauses(after.document_id))


def told(pairs: tuple[ClausePair, ...]) -> list[tuple[str, str | None, str | None]]:
    return [(pair.kind, pair.article_a, pair.article_b) for pair in pairs]


@pytest.mark.slow
def test_each_pair_tells_what_happened(library: Library, add: Add) -> None:
    before = add("Old", ("1.1", SPEED), ("1.2", LADDER), ("1.3", HELMET))
    after = add("New", ("1.1", FASTER), ("1.2", HELMET), ("1.3", DOGS))
    pairs = compared(library, before, after)
    assert told(pairs) == [
        ("changed", "1.1", "1.1"),
        ("renumbered", "1.3", "1.2"),
        ("added", None, "1.3"),
        ("removed", "1.2", None),
    ]
    changed = pairs[0]
    assert (changed.before, changed.after) == (SPEED, FASTER)
    assert 0.9 < changed.similarity < 1


def test_a_document_is_itself(library: Library, add: Add) -> None:
    rules = add("Rules", ("1.1", SPEED), ("1.2", LADDER))
    assert {pair.kind for pair in compared(library, rules, rules)} == {"unchanged"}
    assert {pair.similarity for pair in compared(library, rules, rules)} == {1.0}


@pytest.mark.slow
def test_many_clauses_are_compared_in_little_memory(library: Library, add: Add) -> None:
    """A table of all clauses by all words took 150 MB for so many."""
    chance = random.Random(24)
    said = [" ".join(f"word{chance.randrange(4000)}" for _ in range(40)) for _ in range(1000)]
    [rule] = library.clauses(add("Rules", ("1.1", SPEED)).document_id)
    clauses = [replace(rule, article=f"1.{n}", text=text) for n, text in enumerate(said, 1)]
    tracemalloc.start()
    try:
        pairs = compare(clauses, clauses)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert {pair.kind for pair in pairs} == {"unchanged"}
    assert peak < 60_000_000


def test_documents_too_large_to_compare_are_refused_with_a_sentence(
    library: Library, add: Add
) -> None:
    rules = library.clauses(add("Rules", ("1.1", SPEED)).document_id) * 6001
    with pytest.raises(
        LibraryError, match="6,001 clauses are too many to be compared with 6,001"
    ) as refusal:
        compare(rules, rules)
    assert refusal.value.code == "limit"


def test_a_rule_under_another_heading_has_moved(library: Library, add: Add) -> None:
    before = add("Old", ("1.1", SPEED), ("1.2", LADDER), ("1.3", HELMET), ("2.1", DOGS))
    after = add("New", ("1.1", SPEED), ("1.2", LADDER), ("2.1", DOGS), ("2.2", HELMET))
    assert ("moved", "1.3", "2.2") in told(compared(library, before, after))


def test_new_numbers_throughout_are_renumbering(library: Library, add: Add) -> None:
    before = add("Old", ("30.1", SPEED), ("30.2", LADDER), ("31.1", HELMET))
    after = add("New", ("B6.3.3", SPEED), ("B6.3.4", LADDER), ("B7.1.1", HELMET))
    assert [kind for kind, *_ in told(compared(library, before, after))] == ["renumbered"] * 3


def test_typography_is_no_change(library: Library, add: Add) -> None:
    before = add("Old", ("1", "The Competitor’s “car” – at all times – must\ncomply."))
    after = add("New", ("1", 'The Competitor\'s "car" - at all times - must comply.'))
    assert [pair.kind for pair in compared(library, before, after)] == ["unchanged"]


def test_a_topic_brings_its_pairs_only(library: Library, add: Add) -> None:
    before = add("Old", ("1.1", SPEED), ("1.2", LADDER))
    after = add("New", ("1.1", FASTER), ("1.2", LADDER))
    old, new = library.clauses(before.document_id), library.clauses(after.document_id)
    assert told(compare(old, new, about=[old[0].clause_id])) == [("changed", "1.1", "1.1")]


def test_nothing_to_compare_with_is_all_added_or_removed(library: Library, add: Add) -> None:
    rules = library.clauses(add("Rules", ("1.1", SPEED)).document_id)
    assert [pair.kind for pair in compare((), rules)] == ["added"]
    assert [pair.kind for pair in compare(rules, ())] == ["removed"]
    assert compare((), ()) == ()


RENUMBERED = dict(
    pair.split()
    for pair in """
    26.4 B1.5.2, 10.8 B11.2.7, 14.3 B1.2.3, 15.3 B1.3.3, 15.7 B1.3.7, 16.1 B1.1.2, 20.1 B1.4.1,
    21.1 B3.3.1, 23.1 B9.2.1, 23.5 B9.5.1, 26.3 B1.1.4, 26.5 B1.8.8, 26.9 B1.8.2, 26.11 B1.5.5,
    26.12 B1.5.8, 26.16 B1.5.7, 26.19 B1.5.10, 27.1 B8.1.1, 28.3 B8.2.8, 30.2 B6.3.4, 31.5 B3.1.4,
    32.2 B1.7.2, 33.3 B1.8.6, 34.5 B1.6.1, 34.7 B1.6.3, 34.14 B1.6.2, 34.15 B1.6.4, 35.3 B3.2.3,
    37.1 B5.1.1, 37.5 B4.1.1, 38.2 B2.1.1, 39.2 B2.4.2, 39.3 B2.2.2, 40.10 B3.5.8, 42.5 B5.1.2,
    54.2 B1.9.3, 54.3 B1.9.5, 54.4 B1.9.6, 59.1 B5.16.1, 60.3 B3.6.3
    """.split(",")
)
"""Where rules of the 2025 Sporting Regulations (Issue 5) stand in Section B of 2026 (Issue 7): read
in both."""


Published = Callable[[str], tuple[Document, tuple[Clause, ...]]]


@pytest.mark.slow
@needs_shelf
def test_between_consecutive_issues_every_mark_is_a_change_and_every_change_marked_or_explained(
    published: Published,
) -> None:
    _, before = published("2025_sporting_iss04")
    _, after = published("2025_sporting_iss05")
    pairs = compare(before, after)
    assert list(marks_not_found(pairs, after)) == []
    assert list(changes_not_marked(pairs)) == []
    assert sum(pair.kind != "unchanged" for pair in pairs) > 30


@pytest.mark.slow
@needs_shelf
def test_what_changed_before_the_issue_that_the_marks_start_from_is_told_too(
    published: Published,
) -> None:
    before, old = published("2026_secB_sporting_iss05")
    after, new = published("2026_secB_sporting_iss07")
    pairs = compare(old, new)
    changed = {pair.article_b: pair for pair in pairs if pair.kind != "unchanged"}
    assert (changed["B2.1.2"].kind, changed["B2.1.2"].marked) == ("changed", "unmarked")
    assert "one and a half (1.5) hours" in changed["B2.1.2"].after
    assert changed["B2.5.2"].marked == "marked"
    assert "Iss 06" in (after.describe_marks(before) or "")
    assert "up to Issue 6 of 2026, stands in it without a mark" in (
        after.describe_marks(before) or ""
    )


@pytest.mark.slow
@needs_shelf
def test_a_season_with_new_numbers_throughout_is_aligned(published: Published) -> None:
    _, before = published("2025_sporting_iss05")
    _, after = published("2026_secB_sporting_iss07")
    partner = {pair.article_a: pair.article_b for pair in compare(before, after)}
    right = [old for old, new in RENUMBERED.items() if partner.get(old) == new]
    assert len(RENUMBERED) == 40
    assert len(right) >= 36, sorted(set(RENUMBERED) - set(right))
