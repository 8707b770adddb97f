"""Where a rule stands and what it says are two things, and each pair tells both."""

import random
from dataclasses import replace

import pytest
from cup import Add

from core.library import ClausePair, Document, Library
from core.library.comparison.compare import compare
from core.rulebook import Clause, Figure
from tests.made_once import SAMPLE, read_once

BELTS = "Each driver must wear a harness with six straps that is fixed to the chassis."
WIDER = "Each driver must wear a harness with six straps, 50 mm wide, that is fixed to the chassis."
LADDER = "Every ladder in the garage has to be fixed to the floor."
HELMET = "Drivers must wear a helmet at all times while the car is moving."
DOGS = "Animals are forbidden in the paddock, save those of the security services."


def pairs_of(library: Library, before: Document, after: Document) -> dict[str, ClausePair]:
    """The pairs by the number of the later document, else of the earlier one."""
    old, new = (library.clauses(document.document_id) for document in (before, after))
    return {pair.article_b or f"{pair.article_a} (old)": pair for pair in compare(old, new)}


def test_a_renumbered_rule_says_whether_its_words_changed(library: Library, add: Add) -> None:
    before = add("Old", ("1.1", LADDER), ("1.2", BELTS), ("1.3", HELMET))
    after = add("New", ("1.1", WIDER), ("1.2", HELMET), ("1.3", DOGS))
    pairs = pairs_of(library, before, after)
    told = {number: (pair.place, pair.wording) for number, pair in pairs.items()}
    assert told == {
        "1.1": ("renumbered", "changed"),
        "1.2": ("renumbered", "same"),
        "1.3": ("added", "changed"),
        "1.1 (old)": ("removed", "changed"),
    }
    assert [pair.change for pair in pairs.values()][:2] == ["renumbered, changed", "renumbered"]
    assert 0.8 < pairs["1.1"].similarity < 1
    assert pairs["1.2"].similarity == 1


def test_a_heading_says_which_rules_left_it_and_which_came(library: Library, add: Add) -> None:
    before = add("Old", ("1", "", "Safety"), ("1.1", HELMET), ("1.2", LADDER), ("2", "", "Food"))
    after = add("New", ("1", "", "Safety"), ("1.1", HELMET), ("1.2", DOGS), ("2", "", "Food"))
    pairs = pairs_of(library, before, after)
    assert (pairs["1"].removed_below, pairs["1"].added_below) == (("1.2",), ("1.2",))
    assert (pairs["1"].place, pairs["1"].wording) == ("same", "changed")
    assert (pairs["1"].kind, pairs["1"].change) == ("changed", "changed")
    assert not pairs["1"].has_difference
    assert pairs["2"].wording == "same"


def test_a_heading_says_which_rules_came_from_a_section_that_was_dissolved(
    library: Library, add: Add
) -> None:
    before = add("Old", ("1", "", "Food"), ("1.1", HELMET), ("2", "", "Order"), ("2.1", LADDER))
    after = add("New", ("1", "", "Food"), ("1.1", HELMET), ("1.2", LADDER))
    food = pairs_of(library, before, after)["1"]
    assert (food.wording, food.added_below, food.removed_below) == ("changed", ("1.2",), ())


def test_a_heading_whose_rules_were_renumbered_with_it_is_the_same(
    library: Library, add: Add
) -> None:
    before = add("Old", ("1", "", "Food"), ("1.1", HELMET), ("1.2", LADDER))
    after = add("New", ("4", "", "Food"), ("4.1", LADDER), ("4.2", HELMET))
    assert pairs_of(library, before, after)["4"].wording == "same"


def test_headings_that_share_some_words_are_one_only_with_a_rule_below_both(
    library: Library, add: Add
) -> None:
    before = add("Old", ("1", "", "Brake Light System (BLS)"), ("1.1", LADDER))
    sensors = ("5", "", "EMERGENCY BRAKE SYSTEM (EBS)")
    other = add("New", sensors, ("5.1", DOGS))
    same = add("Newer", sensors, ("5.1", LADDER))
    assert {pair.place for pair in pairs_of(library, before, other).values()} == {
        "added",
        "removed",
    }
    assert pairs_of(library, before, same)["5"].article_a == "1"


def test_where_numbers_stay_a_rule_that_was_put_in_moves_its_changed_neighbours_too(
    library: Library, add: Add
) -> None:
    chance = random.Random(5)
    said = [" ".join(f"word{chance.randrange(900)}" for _ in range(24)) for _ in range(17)]
    elsewhere = [(f"2.{n}", text) for n, text in enumerate(said[:12], 1)]
    first, second, third, new, end = said[12:]
    before = add("Old", ("1.1", first), ("1.2", second), ("1.3", third, "Order"), *elsewhere)
    longer = f"{' '.join(second.split()[:16])} {' '.join(end.split()[:8])}"
    closed = f"{third} closed"
    rules = (("1.1", first), ("1.2", new), ("1.3", longer), ("1.4", closed, "Order"))
    after = add("New", *rules, *elsewhere)
    pairs = pairs_of(library, before, after)
    assert [(pairs[n].place, pairs[n].article_a) for n in ("1.2", "1.3", "1.4")] == [
        ("added", None),
        ("renumbered", "1.2"),
        ("renumbered", "1.3"),
    ]


def test_a_removed_rule_says_after_which_rule_it_would_stand(library: Library, add: Add) -> None:
    before = add("Old", ("1.1", HELMET), ("1.2", LADDER), ("1.3", DOGS))
    after = add("New", ("7.1", HELMET), ("7.2", DOGS))
    assert pairs_of(library, before, after)["1.2 (old)"].gap_after == "7.1"


def test_a_picture_that_is_printed_below_another_rule_changes_neither(
    library: Library, add: Add
) -> None:
    clauses = library.clauses(add("Rules", ("1.1", HELMET), ("1.2", LADDER)).document_id)

    def with_picture(clause: Clause, caption: str) -> Clause:
        picture = Figure("figure", caption, 1, (0, 0, 9, 9))
        return replace(clause, text=f"{clause.text}\n{caption}", figures=(picture,))

    helmet, ladder = clauses
    before = (with_picture(helmet, "Figure 3: Visor"), ladder)
    moved = compare(before, (helmet, with_picture(ladder, "Figure 4: Visor")))
    assert {pair.wording for pair in moved} == {"same"}
    other = compare(before, (with_picture(helmet, "Figure 3: Strap"), ladder))
    assert [pair.wording for pair in other] == ["changed", "same"]


def test_a_number_that_is_printed_with_another_space_stays(library: Library, add: Add) -> None:
    before, after = add("Old", ("D7", HELMET)), add("New", ("D 7", HELMET))
    assert pairs_of(library, before, after)["D 7"].place == "same"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_where_numbers_never_move_no_rule_is_renumbered(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Words are mixed up, rules leave, copies of others come under numbers of their own."""
    chance, sample = random.Random(seed), Library(read_once(tmp_path_factory, SAMPLE))
    [document] = sample.documents()
    rules = [c for c in sample.clauses(document.document_id) if c.status == "in_force"]
    words = [word for rule in rules for word in rule.text.split()]

    def edit(rule: Clause, share: float) -> Clause:
        text = (chance.choice(words) if chance.random() < share else w for w in rule.text.split())
        return replace(rule, text=" ".join(text))

    edited = []
    for rule in rules:
        if not rule.text or chance.random() > 0.1:
            edited.append(edit(rule, chance.choice((0, 0, 0.1, 0.5))))
        if rule.text and chance.random() < 0.1:
            copy = edit(chance.choice(rules), 0.4)
            edited.append(
                replace(copy, article=f"{rule.article}.99", clause_id=f"new{rule.article}")
            )
    pairs = compare(rules, edited)
    assert {pair.place for pair in pairs} == {"same", "added", "removed"}
