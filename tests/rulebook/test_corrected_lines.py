"""What a reading leaves over, and what a person then says of the lines of a document."""

import pytest

from core.errors import SettingsError
from core.rulebook import LineCorrection
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import Paper

TEXT = "The rule itself is written in these words, which are enough to fill a line."


def read(paper, *corrections):
    return read_here(paper.pdf(), corrections=corrections)


def articles(book):
    return [clause.article for clause in book.clauses]


def codes(book):
    return [warning.code for warning in book.report.warnings]


def numbered_rules(paper, *numbers):
    for number in numbers:
        paper.heading(number, "A heading of its own").line(TEXT, gap=4)
    return paper


def test_lines_below_no_number_are_listed_but_the_cover_is_not():
    paper = Paper().line("CLUB RULES", bold=True).line("Season 2025").page()
    paper.line("Words that introduce the rules.").line("They are below no number.").page()
    report = read(numbered_rules(paper, "1", "2", "3")).report
    unplaced = [(line.page, line.words) for line in report.account.unplaced]
    assert unplaced == [(2, "Words that introduce the rules."), (2, "They are below no number.")]
    assert report.counts["lines_unplaced"] == 2


def test_a_number_that_goes_on_from_the_others_and_began_no_clause_is_told():
    paper = numbered_rules(Paper(), "1", "2", "3", "4", "5")
    paper.line("6. is written in small print and in a sentence", left=140)
    report = read(numbered_rules(paper, "7", "8")).report
    assert [(line.number, line.page) for line in report.account.untaken] == [("6", 1)]


def test_numbers_of_a_list_that_begins_anew_are_not_told():
    paper = numbered_rules(Paper(), "1", "2", "3")
    for number in (1, 2, 3):
        paper.line(f"{number}. a thing to bring", left=140)
    assert read(numbered_rules(paper, "4", "5")).report.account.untaken == ()


def test_a_clause_longer_than_a_rule_is_told():
    paper = numbered_rules(Paper(), "1", "2")
    for _ in range(3):
        paper.page()
        for _ in range(45):
            paper.line(TEXT)
    [clause] = read(paper).report.account.long_clauses
    assert (clause.article, clause.page) == ("2", 1)
    assert clause.letters > 5_000


def test_a_document_mostly_not_in_force_is_warned_of():
    paper = numbered_rules(Paper(), "1", "2")
    assert "little_in_force" not in codes(read(paper))
    paper = numbered_rules(Paper(), "1", "2")
    for number in ("3", "4", "5", "6"):
        paper.line((TEXT, "struck"), number=number, bold=True, gap=6)
    assert "little_in_force" in codes(read(paper))


def named_parts():
    """Rules below headings without a number."""
    paper = Paper()
    for name in ("Purpose of the rules", "Who may take part", "How to protest"):
        paper.line(name, left=72, bold=True, gap=12)
        paper.line(TEXT, left=72, gap=4)
    paper.page()
    return numbered_rules(paper, "1", "2", "3")


def test_a_person_names_one_heading_without_a_number_and_all_like_it_are_headings():
    assert articles(read(named_parts())) == ["Preamble", "1", "2", "3"]
    book = read(named_parts(), LineCorrection("heading", 1, "purpose of"))
    names = ["Purpose of the rules", "Who may take part", "How to protest"]
    assert articles(book)[:3] == names
    assert [clause.text for clause in book.clauses[:3]] == [TEXT] * 3


def test_a_person_gives_numbers_their_level():
    paper = Paper()
    for number in range(1, 4):
        paper.heading(str(number), f"PART {number}")
        for letter in "ab":
            paper.line(f"{letter}. {TEXT[:40]}", left=100, gap=4)
    pdf = paper.pdf()
    book = read_here(pdf, corrections=(LineCorrection("heading", 1, "a. The rule", 2),))
    assert articles(book) == ["1", "1(a)", "1(b)", "2", "2(a)", "2(b)", "3", "3(a)", "3(b)"]


def test_a_number_that_was_not_taken_is_a_heading_once_a_person_says_so():
    def paper():
        paper = numbered_rules(Paper(), "1", "2", "3", "4", "5")
        paper.line("6. is written in small print and in a sentence", left=140)
        return numbered_rules(paper, "7", "8")

    assert "6" not in articles(read(paper()))
    assert "6" in articles(read(paper(), LineCorrection("heading", 1, "6. is written")))


def test_a_stamp_that_a_person_calls_furniture_leaves_every_page():
    def paper():
        paper = Paper()
        for number in range(1, 5):
            numbered_rules(paper, f"{number}", f"{number}.1", f"{number}.2")
            paper.at(100, 400, f"For the stewards only, copy {number}")
            paper.page()
        return paper

    assert any("stewards only" in clause.text for clause in read(paper()).clauses)
    book = read(paper(), LineCorrection("furniture", 2, "for the STEWARDS"))
    assert not any("stewards only" in clause.text for clause in book.clauses)


def test_a_line_that_is_not_there_is_told_and_changes_nothing():
    book = read(named_parts(), LineCorrection("heading", 2, "No such line"))
    assert "line_not_found" in codes(book)
    assert articles(book) == articles(read(named_parts()))


def test_a_sentence_or_a_line_of_a_table_is_no_heading_and_that_is_told():
    def paper():
        rules = numbered_rules(Paper(), "1", "1.1", "1.2", "1.3")
        rules.line("Nobody may do any of this otherwise than as it is said here.", bold=True)
        rules.grid([["Fees", "Euro"], ["Entry", "20"], ["Protest", "50"]])
        return rules

    for words in ("Nobody may do", "Protest"):
        book = read(paper(), LineCorrection("heading", 1, words))
        assert "line_not_used" in codes(book)
        assert articles(book) == articles(read(paper()))


@pytest.mark.parametrize(
    ("page", "words", "level"), [(0, "a", 1), (1, "  ", 1), (1, "a", 0), (1, "a" * 201, 1)]
)
def test_what_no_page_can_have_is_refused(page, words, level):
    with pytest.raises(SettingsError) as refused:
        LineCorrection("heading", page, words, level)
    assert refused.value.code == "correction"
