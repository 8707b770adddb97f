"""The publisher's own word on changes, beside what was found."""

from dataclasses import replace

from cup import Add

from core.library import ClausePair, Library
from core.library.comparison.compare import compare
from core.rulebook import ClauseMark

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


def compare_with_marks(
    library: Library,
    add: Add,
    before: tuple[tuple[str, str], ...],
    after: tuple[tuple[str, str], ...],
    marks: dict[str, tuple[str, ...]],
    legend: str = "",
) -> dict[str, ClausePair]:
    """Compare Issue 2 of a season with Issue 4, in which words of some articles are inserted."""
    named = {"family": "cup", "season": 2025}
    old = library.clauses(add("Old", *before, **named, issue=2).document_id)
    new = [
        replace(
            clause,
            marks=tuple(
                ClauseMark("inserted", words, 1, ()) for words in marks.get(clause.article, ())
            ),
        )
        for clause in library.clauses(add("New", *after, **named, issue=4).document_id)
    ]
    return {pair.articles[-1]: pair for pair in compare(old, new, legend=legend)}


def test_a_marked_number_declares_that_a_rule_was_renumbered(library: Library, add: Add) -> None:
    after = (("T 1.1", HELMET), ("T 1.2", BELTS), ("T 1.3", LADDER), ("T 2.1", FLAGS))
    before = (("T 1.1", BELTS), ("T 1.2", HELMET), ("T 1.3", LADDER), ("T 2.1", FLAGS))
    pairs = compare_with_marks(
        library, add, before, after, {"T 1.2": ("2",), "T 1.1": ("car is",), "T 2.1": ("1",)}
    )
    told = {number: (pair.place, pair.declaration) for number, pair in pairs.items()}
    assert told == {
        "T 1.1": ("renumbered", "not_found"),
        "T 1.2": ("renumbered", "found"),
        "T 1.3": ("same", None),
        "T 2.1": ("same", "not_found"),
    }


def test_a_rule_that_is_marked_whole_with_its_number_is_declared_to_have_moved(
    library: Library, add: Add
) -> None:
    after = (("T 1.1", HELMET), ("T 1.2", BELTS), ("T 2.1", FLAGS))
    before = (("T 1.1", BELTS), ("T 1.2", HELMET), ("T 2.1", FLAGS))
    marks = {"T 1.2": (f"T 1.2 {BELTS}",), "T 2.1": (f"T 2.1 {FLAGS}",)}
    pairs = compare_with_marks(library, add, before, after, marks)
    assert (pairs["T 1.2"].place, pairs["T 1.2"].declaration) == ("renumbered", "found")
    assert (pairs["T 2.1"].place, pairs["T 2.1"].declaration) == ("same", "not_found")


def test_a_rule_of_moved_words_is_declared_by_the_marks_on_what_is_new_in_it(
    library: Library, add: Add
) -> None:
    moved = "The driver who caused it starts from the pit lane after all other cars have left it"
    pairs = compare_with_marks(
        library,
        add,
        (("T 1.1", f"{BELTS}\n{moved}."), ("T 1.2", FLAGS)),
        (("T 1.1", BELTS), ("T 1.2", FLAGS), ("T 1.3", f"{moved} at the end.")),
        {"T 1.3": ("at the end",)},
    )
    told = {number: (pair.marked, pair.declaration) for number, pair in pairs.items()}
    assert told["T 1.3"] == ("partly", "found")
    assert told["T 1.1"] == ("unmarked", "found")


def test_no_change_is_called_undeclared_that_the_marks_are_not_about(
    library: Library, add: Add
) -> None:
    before, after = (("T 1.1", BELTS), ("T 1.2", HELMET)), (("T 1.1", WIDER), ("T 1.2", HELMET))

    def declaration(legend: str) -> str | None:
        marks = {"T 1.2": ("worn",)}
        return compare_with_marks(library, add, before, after, marks, legend)["T 1.1"].declaration

    assert declaration("") == "undeclared"
    assert declaration("Changes since Issue 2.") == "undeclared"
    assert declaration("Changes since Issue 3.") is None
    assert declaration("Changes approved on 30 April.") is None  # those of its own issue


def test_a_reference_that_follows_a_new_number_is_no_undeclared_change(
    library: Library, add: Add
) -> None:
    before = (("T 1.1", BELTS), ("T 2.1", f"{FLAGS} See Article T 1.1."))
    after = (("T 1.1", DOGS), ("T 1.2", BELTS), ("T 2.1", f"{FLAGS} See Article T 1.2."))
    pairs = compare_with_marks(library, add, before, after, {"T 1.1": (DOGS,)})
    assert (pairs["T 2.1"].wording, pairs["T 2.1"].declaration) == ("changed", None)


def test_a_document_without_a_record_or_marks_declares_nothing(library: Library, add: Add) -> None:
    pairs = compare_with_record(library, add, AFTER, "This is the second version.")
    assert {pair.declaration for pair in pairs.values()} == {None}
