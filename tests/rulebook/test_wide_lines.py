"""Sentences that go on in the next line: with wide lines, and where that begins with a number."""

from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import Paper

FULL = "The oral examination of each candidate in the final module takes no less than"
RULE = "The members of the board meet in the first week of each month of the year at"


def test_the_first_line_of_a_rule_that_is_set_with_wide_lines_is_no_title():
    paper = Paper()
    for number in range(1, 6):
        paper.line(f"{number}.1  {FULL}", left=72, gap=14)
        paper.line("15 minutes and no more than 45 minutes in all.", left=72, gap=4)
        paper.line(f"{number}.2  {RULE}", left=72, gap=14).line("Kingston.", left=72, gap=4)
    found = {clause.article: clause for clause in read_here(paper.pdf()).clauses}
    assert found["2.1"].text == f"{FULL} 15 minutes and no more than 45 minutes in all."
    assert found["3.2"].text == f"{RULE} Kingston."
    assert not any(clause.title for clause in found.values())


def test_a_number_that_nothing_counts_to_goes_on_from_a_full_line():
    lines = (
        "The rules of the board, which the members have agreed to on the day of the",
        "14. March of the year before, are kept at the following places of the club:",
    )
    items = (
        "1. the office of the secretary, in the cupboard that stands beside the window",
        "2. the hall of the club.",
    )
    paper = Paper()
    for number in range(1, 6):
        paper.clause(f"{number}.1", *lines, *(items if number == 3 else ()))
    found = {clause.article: clause.text for clause in read_here(paper.pdf()).clauses}
    assert found["2.1"] == " ".join(lines)
    assert found["3.1"].split("\n") == [" ".join(lines), *items]
