"""Fractions are kept whole, with the fractions inside them, and none of their words is deleted."""

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper


def test_a_fraction_in_a_fraction_is_one_equation_with_all_its_words():
    paper = Paper().heading("1", "POINTS").clause("1.1", "The score is:")
    paper.y -= 40
    base = HEIGHT - paper.y
    paper.at(120, base, "Score = 71.5").at(200, base - 15, "Tmax").at(202, base - 3, "Tteam")
    paper.at(236, base - 9, "- 1").at(215, base + 13, "0.5")
    paper.canvas.line(198, paper.y + 12.5, 232, paper.y + 12.5)
    paper.canvas.line(198, paper.y - 0.5, 255, paper.y - 0.5)
    paper.y -= 20
    paper.clause("1.2", "Points are rounded.")
    clause, after = read_here(paper.pdf()).clauses[-2:]
    [equation] = clause.figures
    assert equation.kind == "equation"
    assert clause.deleted == ()
    [shown] = clause.text.splitlines()[1:]
    assert all(word in shown for word in ("Score", "71.5", "Tmax", "Tteam", "0.5"))
    assert after.text == "Points are rounded."
