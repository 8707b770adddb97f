"""Faults found by `test_any_lines` and `test_any_marks`, one test each."""

from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, WIDTH, Paper


def read_clauses(paper):
    return {clause.article: clause for clause in read_here(paper.pdf()).clauses}


def all_boxes(clause):
    return [box for place in (*clause.places, *clause.marks) for box in place.boxes]


def test_struck_words_before_the_first_number_are_deleted():
    paper = Paper().line(("These rules are a draft.", "struck")).heading("1", "KARTS")
    found = read_clauses(paper.clause("1.1", "Every kart must carry a bumper."))
    assert found["Preamble"].status == "deleted"
    assert found["Preamble"].deleted == ("These rules are a draft.",)


def test_the_first_lettered_part_is_the_parent_of_its_clauses():
    paper = Paper().line("GR - GENERAL RULES", left=72, bold=True, gap=12)
    paper.clause("GR.1", "Every kart must carry a bumper.").clause(
        "GR.2", "No kart may be steered with the feet."
    )
    assert read_clauses(paper)["GR.1"].breadcrumb == ("GR GENERAL RULES",)


def test_words_in_force_below_a_struck_number_continue_the_clause_before_it():
    paper = Paper().heading("1", "KARTS").clause("1.1", "Every kart must carry a bumper.")
    paper.line(("1.2", "struck"), (" Every kart must carry a bell.", "struck"), left=72, gap=8)
    paper.line("The bumper must be yellow.")
    found = read_clauses(paper.clause("1.3", "No kart may be steered with the feet."))
    assert found["1.1"].text.endswith("The bumper must be yellow.")
    assert (found["1.2"].status, found["1.2"].text) == ("deleted", "")


def test_appendices_may_have_no_number():
    paper = Paper().heading("1", "KARTS").clause("1.1", "Every kart must carry a bumper.")
    for words in ("The drawing of a bumper.", "The drawing of a bell."):
        paper.line("APPENDIX", left=72, bold=True, gap=20).line(words, gap=8)
    assert [article for article in read_clauses(paper) if article.startswith("Appendix")]


def test_a_stroke_between_two_lines_is_not_the_bar_of_a_fraction():
    paper = Paper(size=12).heading("1", "KARTS").clause("1.1", "Every kart must carry:")
    paper.line("lamp").line(("bell", "struck")).line("horn")
    found = read_clauses(paper.clause("1.2", "No kart may be steered with the feet."))
    assert found["1.1"].text == "Every kart must carry:\nlamp horn"
    assert found["1.1"].deleted == ("bell",)


def test_struck_words_in_an_equation_are_deleted():
    paper = Paper().heading("1", "KARTS").clause("1.1", "The force is:")
    paper.line("mass ", ("load", "struck"), left=150, gap=10)
    paper.canvas.line(148, paper.y - 3.5, 210, paper.y - 3.5)
    paper.line("time", left=150).line(gap=20)
    found = read_clauses(paper.clause("1.2", "No kart may be steered with the feet."))
    assert found["1.1"].text == "The force is:\n[Equation, shown on page 1: mass time]"
    assert found["1.1"].deleted == ("load",)


def test_print_of_size_zero_does_not_lose_the_page():
    paper = Paper().heading("1", "KARTS").clause("1.1", "Every kart must carry a bumper.")
    paper.canvas.line(60, 300, 200, 300)
    paper.canvas.setFont("Helvetica", 0.004)
    paper.canvas.drawString(72, 299.9999, "Nobody reads this.")
    assert read_clauses(paper)["1.1"].text == "Every kart must carry a bumper."


def test_boxes_of_words_beyond_the_page_end_at_its_edge():
    paper = (
        Paper()
        .heading("1", "KARTS")
        .clause("1.1", "Every kart must carry a bumper, " + "and a bell " * 12)
    )
    found = all_boxes(read_clauses(paper)["1.1"])
    assert all(
        0 <= left < right <= WIDTH + 0.01 and 0 <= top < bottom <= HEIGHT
        for left, top, right, bottom in found
    )
