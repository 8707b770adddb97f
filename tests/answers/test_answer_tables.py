"""The tables of an answer as Markdown, without a page."""

from dataclasses import replace

from core.answers import compliance_cells, penalty_cells
from core.language import ENGLISH
from core.registers import PenaltyRow
from core.verification import Citation, ComplianceRow

CITED = Citation(1, "d:5", "d", "Rules", "5", "d)", "", "at most 5 mm", 3, None, None)
CHECKED = ComplianceRow("gap * width", "at most 5 mm", "4 mm", "1 mm", "legal")


def test_a_value_without_a_limit_says_so_and_brings_no_note():
    (row,) = compliance_cells(ENGLISH, [replace(CHECKED, subject="(mass)")])
    assert row["limit"] == "no mass limit in the quoted clauses"
    assert "note" not in row


def test_amounts_and_articles_are_not_broken_and_foreign_signs_are_escaped():
    words = {"subject": "a *gap*", "note": "if *dry*", "citations": (CITED, CITED)}
    checked = replace(CHECKED, **words)
    (row,) = compliance_cells(ENGLISH, [checked])
    assert row["limit"].endswith("5\u00a0mm")
    assert (row["article"], row["verdict"]) == ("5\u00a0d\\)", "legal")
    assert (row["requirement"], row["note"]) == (r"a \*gap\*", r"if \*dry\*")


def test_penalties_have_conditions_where_one_has():
    plain = PenaltyRow("speeding", "a fine", "stewards", "34.14 d)", 3, "d:34.14")
    (row,) = penalty_cells([plain, replace(plain, page=4)])  # each once
    assert row == {"breach": "speeding", "sanction": "a fine", "article": "34\\.14\u00a0d\\)"}
    other = PenaltyRow("speeding", "a fine", "stewards", "2", 3, "d:2", "unless it rains")
    assert [one["condition"] for one in penalty_cells([plain, other])] == ["", "unless it rains"]
