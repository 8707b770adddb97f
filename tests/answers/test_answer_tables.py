"""The tables of an answer as Markdown, without a page."""

from dataclasses import replace

from core.answers.run_tables import check_table, penalty_table
from core.language import ENGLISH
from core.registers import PenaltyRow
from core.verification import Citation, ComplianceRow

CITED = Citation(1, "d:5", "d", "Rules", "5", "d)", "", "at most 5 mm", 3, None, None)
CHECKED = ComplianceRow("gap * width", "at most 5 mm", "4 mm", "1 mm", "legal")
CITED_CHECK = replace(CHECKED, citations=(CITED, CITED))


def test_a_value_without_a_limit_says_so_and_brings_no_note():
    head, row, _ = check_table(ENGLISH, [replace(CHECKED, subject="(mass)"), CITED_CHECK])
    assert row[0] == "no mass limit in the quoted clauses"
    assert "Note" not in head
    assert check_table(ENGLISH, [CHECKED]) == [], "no row has a limit"


def test_amounts_and_articles_are_not_broken_and_foreign_signs_are_escaped():
    checked = replace(CITED_CHECK, subject="a *gap*", note="if *dry*")
    _, (limit, _, _, verdict, requirement, article, note) = check_table(ENGLISH, [checked])
    assert limit.endswith("5\u00a0mm")
    assert (article, verdict) == ("5\u00a0d\\)", ":green-badge[legal]")
    assert (requirement, note) == (r"a \*gap\*", r"if \*dry\*")


def test_penalties_have_conditions_where_one_has():
    plain = PenaltyRow("speeding", "a fine", "stewards", "34.14 d)", 3, "d:34.14")
    head, row = penalty_table(ENGLISH, [plain, replace(plain, page=4)])  # each once
    assert (len(head), row) == (3, ["speeding", "a fine", "34\\.14\u00a0d\\)"])
    other = PenaltyRow("speeding", "a fine", "stewards", "2", 3, "d:2", "unless it rains")
    assert [row[2] for row in penalty_table(ENGLISH, [plain, other])[1:]] == ["", "unless it rains"]
