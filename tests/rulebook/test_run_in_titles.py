"""Titles at the head of the text itself: in capitals, in bold, or before a wide gap."""

import pytest

from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper

NAMES = "Members", "Board", "Dues", "Quorum", "Records"
TEXT = "of the club are kept as the meeting has said in the spring of each year,"
MORE = "and nobody else may keep them."


def read(draw, left=72):
    paper = Paper().line("BYLAWS OF THE CLUB", bold=True)
    for number, name in enumerate(NAMES, start=1):
        paper.line("", gap=10)
        draw(paper, number, name)
        paper.line(MORE, left=left)
    return {clause.article: clause for clause in read_here(paper.pdf()).clauses}


def in_capitals(paper, number, name):
    paper.at(72, HEIGHT - paper.y, f"Section {number}. {name.upper()}. Those {TEXT}")


def before_a_gap(paper, number, name):
    paper.at(72, HEIGHT - paper.y, f"Section {number}. {name}")
    left = 170 + 10 * len(name)
    paper.at(left, HEIGHT - paper.y, "Those of the club are kept as it has said,")


def in_bold(paper, number, name):
    paper.at(72, HEIGHT - paper.y, f"Section {number}. ")
    paper.at(130, HEIGHT - paper.y, f"{name} - ", font="Helvetica-Bold")
    paper.at(200, HEIGHT - paper.y, f"Those {TEXT[:50]}")


@pytest.mark.parametrize("draw", [in_capitals, before_a_gap, in_bold])
def test_a_title_at_the_head_of_the_text_is_the_title(draw):
    found = read(draw)
    assert [found[str(n)].title.capitalize() for n in range(1, 6)] == list(NAMES)
    assert all(found[str(n)].text.startswith("Those of the club") for n in range(1, 6))


def test_words_in_capitals_that_few_rules_begin_with_are_text():
    def draw(paper, number, name):
        first = "NEVER. " if number == 3 else ""
        paper.at(72, HEIGHT - paper.y, f"Section {number}. {first}Those {TEXT}")

    found = read(draw)
    assert found["3"].text.startswith("NEVER. Those")
    assert {clause.title for clause in found.values()} == {""}


@pytest.mark.parametrize(
    "rule", ["Toute demande devra dire :", "Die Meldung wird geprüft und muss nennen:"]
)
def test_a_rule_that_leads_to_a_list_is_no_title_in_any_language(rule):
    paper = Paper().line("BYLAWS OF THE CLUB", bold=True)
    for number in range(1, 6):
        paper.line("", gap=10).line(f"{number}. {rule}", bold=True)
        paper.line("- a name;", left=90).line("- a place.", left=90)
    found = {clause.article: clause for clause in read_here(paper.pdf()).clauses}
    assert found["3"].title == ""
    assert found["3"].text.startswith(rule)
