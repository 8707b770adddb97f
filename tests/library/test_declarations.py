"""The publisher's own word on changes, beside what was found."""

from dataclasses import replace

from cup import Add

from core.library import ClausePair, Library, compare

BELTS = "Each driver must wear a harness with six straps that is fixed to the chassis."
WIDER = "Each driver must wear a harness with six straps, 50 mm wide, that is fixed to the chassis."
LADDER = "Every ladder in the garage has to be fixed to the floor."
HELMET = "Drivers must wear a helmet at all times while the car is moving."
DOGS = "Animals are forbidden in the paddock, save those of the security services."
FLAGS = "A yellow flag means that a driver must be ready to stop at any moment."

BEFORE = (("T 1.1", BELTS), ("T 1.2", HELMET), ("T 1.3", LADDER), ("T 2.1", FLAGS))


def compare_with_record(
    library: Library, add: Add, after: tuple[tuple[str, str], ...], record: str
) -> dict[str, ClausePair]:
    old = library.clauses(add("Old", *BEFORE).document_id)
    new = library.clauses(add("New", *after).document_id)
    changelog = [replace(new[0], article="", kind="changelog", text=record)]
    pairs = compare(old, new, changelog=changelog)
    return {pair.article_b or f"{pair.article_a} (old)": pair for pair in pairs}


AFTER = (("T 1.1", WIDER), ("T 1.2", HELMET), ("T 2.1", FLAGS), ("T 2.2", DOGS))


def test_each_change_is_declared_or_not_and_each_declaration_found_or_not(
    library: Library, add: Add
) -> None:
    record = "Rule Version Change\nT 1.1 1.1 Width of the straps\nT 2.1 1.1 New flags"
    pairs = compare_with_record(library, add, AFTER, record)
    assert {number: pair.declaration for number, pair in pairs.items()} == {
        "T 1.1": "found",
        "T 1.2": None,
        "T 2.1": "not_found",
        "T 2.2": "undeclared",
        "T 1.3 (old)": "undeclared",
    }
    assert pairs["T 1.1"].said == ("1.1 Width of the straps",)


def test_a_removed_rule_may_be_declared_at_the_rule_before_it(library: Library, add: Add) -> None:
    pairs = compare_with_record(library, add, AFTER, "T 1.2 Ladders may stand as they like")
    assert pairs["T 1.2"].declaration == "found"


def test_changed_rules_may_be_declared_at_the_heading_above_them(
    library: Library, add: Add
) -> None:
    before, after = (("T 1", "Equipment"), *BEFORE), (("T 1", "Equipment"), *AFTER)
    old = library.clauses(add("Old", *before).document_id)
    new = library.clauses(add("New", *after).document_id)
    record = replace(new[0], article="", kind="changelog", text="T 1 Wider straps")
    pairs = {pair.article_b: pair for pair in compare(old, new, changelog=[record])}
    assert [pairs[number].declaration for number in ("T 1", "T 1.1", "T 2.2")] == [
        "found",
        "found",
        "undeclared",
    ]


def test_two_entries_in_one_line_are_two_where_versions_show_it(library: Library, add: Add) -> None:
    record = "T 1.1 1.1 Width T 2.2 1.1 Dogs, see T 1.2\nT 1.3 1.1 Ladders\nT 2.1 1.1 Flags"
    pairs = compare_with_record(library, add, AFTER, record)
    assert pairs["T 2.2"].said == ("1.1 Dogs, see T 1.2",)
    assert pairs["T 1.2"].declaration is None


def test_a_document_without_a_record_or_marks_declares_nothing(library: Library, add: Add) -> None:
    pairs = compare_with_record(library, add, AFTER, "This is the second version.")
    assert {pair.declaration for pair in pairs.values()} == {None}
