"""What differs between two wordings, word by word, and what of it is marked by the publisher; noise
is left out.
"""

from dataclasses import replace
from typing import Any

import pytest

from core.grammar.numbering import ArticleCitation
from core.library.comparison.compare import compare
from core.library.comparison.word_diff import PublisherMarks, diff_texts
from core.library.types import ClausePair, DiffSegment
from core.rulebook.types import Clause, ClauseMark, MarkKind

BEFORE = "At the end of the lap the abort lights are shown to all drivers on the grid."
AFTER = BEFORE.replace("abort lights", "orange lights on the start gantry")


def told(
    before: str, after: str, marks: PublisherMarks | None = None
) -> list[tuple[str, str, bool | None]]:
    pieces = diff_texts(before, after, marks, lambda one, other: False)
    return [
        (piece.kind, piece.text.strip(), piece.marked) for piece in pieces if piece.kind != "same"
    ]


def clause(article: str, text: str, *marks: tuple[MarkKind, str], **more: Any) -> Clause:
    own = Clause(
        clause_id=f"{more.get('issue', 1)}:{article}",
        document_id=f"document {more.get('issue', 1)}",
        source_id=article,
        article=article,
        title="",
        breadcrumb=(),
        text=text,
        status="in_force",
        deleted=(),
        inserted=(),
        marks=tuple(ClauseMark(kind, words, 1, ()) for kind, words in marks),
        season=2025,
        issue=1,
        family="cup",
        future=None,
        page_first=1,
        page_last=1,
        references=(),
    )
    return replace(own, **more)


def changed(before: list[Clause], after: list[Clause]) -> list[ClausePair]:
    return [
        pair
        for pair in compare(before, [replace(c, issue=2) for c in after])
        if pair.kind != "unchanged"
    ]


def test_a_capital_letter_is_a_difference_where_nothing_else_is() -> None:
    assert told("Points are as in Table 3.", "Points are as in table 3.") == [
        ("deleted", "Table", None),
        ("inserted", "table", None),
    ]
    assert told("DEFINITIONS of terms", "Definitions of terms") == []


def test_words_that_went_and_came_are_told_apart() -> None:
    assert told(BEFORE, AFTER) == [
        ("deleted", "abort lights", None),
        ("inserted", "orange lights on the start gantry", None),
    ]


def test_the_pieces_put_together_are_both_wordings() -> None:
    pieces = diff_texts(BEFORE, AFTER, None, lambda one, other: False)
    assert "".join(piece.text for piece in pieces if piece.kind != "deleted") == AFTER
    assert (
        "".join(piece.text for piece in pieces if piece.kind != "inserted").split()
        == BEFORE.split()
    )


def test_a_number_is_one_word() -> None:
    assert told("at least 18,000 mm", "at least 15,500 mm") == [
        ("deleted", "18,000", None),
        ("inserted", "15,500", None),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("declared must be", "declaredmust be"),
        (
            "the covers-on -me a0er Qualifying, in Ar-cle 3",
            "the covers-on time after Qualifying, in Article 3",
        ),
        ("at most 60 ◦C", "at most 60 °C"),
        ("at most 60  ∘C", "at most 60°C"),
        ("the sum of 𝑛 runs", "the sum of 𝑛𝑛 runs"),
        ("the sum ∑ 𝑁𝑂 of runs", "the sum � 𝑁𝑁 of runs"),
        ("| a | b |\n|---|---|\n| c | d |", "a b\nc d"),
        ("[Equation, shown on page 3: a = b]", "[Equation, shown on page 4: a = b]"),
        (
            "RULES\nPublished on 26 February 2025\nIssue 4",
            "RULES\nPublished on 30 April 2025\nIssue 5",
        ),
    ],
)
def test_what_only_the_reading_makes_different_is_no_difference(before: str, after: str) -> None:
    assert told(before, after) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3\n◦ wheels", "3° wheels"),
        ("this is", "is is"),
        ("a fine", "a line"),
        ("may", "shall"),
        ("1.5 m", "15 m"),
    ],
)
def test_a_real_difference_is_never_taken_for_noise(before: str, after: str) -> None:
    assert told(before, after)


def test_marked_and_unmarked_words_are_told_apart() -> None:
    marks = PublisherMarks(inserted=("orange",), deleted=("abort",))
    assert told(BEFORE, AFTER, marks) == [
        ("deleted", "abort", True),
        ("inserted", "orange", True),
        ("inserted", "on the start gantry", False),
    ]


def test_a_letter_that_is_marked_marks_its_word() -> None:
    assert told("one lap", "one laps", PublisherMarks(inserted=("s",))) == [
        ("deleted", "lap", True),
        ("inserted", "laps", True),
    ]


def test_of_several_ways_to_tell_a_change_the_publishers_is_told() -> None:
    stays = "Having overtaken, these cars proceed around the track."
    gone = (
        "While they overtake, the cars on the lead lap always stay on the racing line unless they"
        " have to leave it."
    )
    come = f"{gone[:-1]} and the stewards agree."
    marks = PublisherMarks(inserted=(come,), deleted=(gone,))
    assert told(f"{stays} {gone}", f"{come} {stays}", marks) == [
        ("inserted", come, True),
        ("deleted", gone, True),
    ]


def test_a_pair_says_what_its_publisher_marked() -> None:
    before = [
        clause("1", BEFORE),
        clause("2", "A lap is a lap."),
        clause("3", "The limit is 80 km/h in the pit lane."),
    ]
    after = [
        clause("1", AFTER, ("deleted", "abort"), ("inserted", "orange")),
        clause("2", "A lap is one lap."),
        clause("3", "The limit is 60 km/h in the pit lane.", ("deleted", "80"), ("inserted", "60")),
    ]
    assert [(pair.article_b, pair.marked) for pair in changed(before, after)] == [
        ("1", "partly"),
        ("2", "unmarked"),
        ("3", "marked"),
    ]


def test_marks_say_nothing_of_another_rulebook_nor_of_a_later_issue() -> None:
    old = [clause("1", BEFORE)]
    new = [clause("1", AFTER, ("inserted", "orange"))]
    assert changed([replace(c, family="other") for c in old], new)[0].marked is None
    assert changed([replace(c, issue=3) for c in old], new)[0].marked is None


def test_a_clause_of_its_own_is_marked_as_a_whole() -> None:
    added = "Drivers keep at least ten car lengths behind the safety car at all times."
    after = [clause("1", BEFORE), clause("2", added, ("inserted", f"2 {added}"))]
    assert [(pair.kind, pair.marked) for pair in changed([clause("1", BEFORE)], after)] == [
        ("added", "marked")
    ]


def test_a_reference_that_follows_a_new_number_is_explained() -> None:
    rule = "The safety car returns to the pit lane at the end of the lap when its lights are out."
    before = [
        clause("1.1", "Overtaking is allowed in the cases of Article 1.2 and in no other."),
        clause("1.2", rule),
    ]
    after = [
        clause(
            "1.1",
            "Overtaking is allowed in the cases of Article 1.3 and in no other.",
            ("inserted", "1.2 More."),
        ),
        clause("1.2", "A board is shown."),
        clause("1.3", rule),
    ]
    first = changed(before, after)[0]
    assert [(p.kind, p.text.strip(), p.reason) for p in first.pieces if p.kind != "same"] == [
        ("deleted", "1.2", "reference"),
        ("inserted", "1.3", "reference"),
    ]


def test_a_reference_to_another_rule_is_a_change() -> None:
    cited = [ArticleCitation("54.3", "c)", 0, 5), ArticleCitation("54.3", "d)", 0, 5)]
    pieces = diff_texts(
        "under Article 54.3c)", "under Article 54.3d)", None, lambda one, other: one == other
    )
    assert cited[0] != cited[1]
    assert [piece.reason for piece in pieces if piece.kind != "same"] == [None, None]


def test_words_that_went_to_another_clause_are_told_where() -> None:
    moved = (
        "Any driver who caused the extra lap and is then able to start a further one enters the pit"
        " lane at its end and starts the race from there, behind all other cars."
    )
    stays = (
        f"{BEFORE} If another problem arises the Race Director may decide that one more formation"
        " lap is required."
    )
    before = [
        clause("1", f"{stays}\n{moved}"),
        clause("2", "Nothing else changes in the order of the cars on the grid."),
    ]
    after = [clause("1", stays), clause("2", before[1].text), clause("3", moved)]
    first, last = changed(before, after)
    assert (first.article_b, first.elsewhere, last.kind, last.elsewhere) == ("1", "3", "added", "1")
    assert DiffSegment("deleted", moved, None, "elsewhere") in first.pieces
