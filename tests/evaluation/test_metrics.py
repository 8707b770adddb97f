"""Results are classified, graded and counted by what the set expects."""

from dataclasses import replace

import pytest

from core.evaluation.questions import (
    KeyedQuestion,
    expected_citations,
    is_expected_article,
    meets_expectation,
)
from core.evaluation.results import compute_metrics
from core.evaluation.runner import QuestionResult
from core.verification.types import Citation, ComplianceRow

RIGHT = QuestionResult(
    2,
    "How fast?",
    ("21.3",),
    False,
    cited=True,
    quotes=1,
    standing=1,
    outcome="answered",
    says=("50 km/h",),
)
REFUSED = QuestionResult(3, "How many buses?", (), True, refused=True, outcome="not_found")


def cited(article: str, quote: str, season: int = 2024) -> Citation:
    return Citation(1, f"d:{article}", "d", "Cup", article, None, "", quote, 1, season, 1)


def row(verdict) -> ComplianceRow:
    return ComplianceRow("mass", "at least 617 kg", "616 kg", "-1 kg", verdict)


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (RIGHT, "right_accepted"),
        (replace(RIGHT, said=True), "right_accepted"),
        (replace(RIGHT, said=False), "wrong_accepted"),
        (replace(RIGHT, cited=False), "wrong_accepted"),
        (replace(RIGHT, standing=0), "wrong_accepted"),
        (replace(RIGHT, outcome="limit_reached"), "right_not_accepted"),
        (replace(RIGHT, outcome="limit_reached", said=False), "missed"),
        (replace(RIGHT, outcome="not_found", cited=False), "missed"),
        (replace(RIGHT, outcome="failed", error="No reply."), None),
        (replace(RIGHT, articles=()), None),
        (replace(RIGHT, outcome=None, cited=None, rank=1), None),
        (REFUSED, "refused_rightly"),
        (replace(REFUSED, outcome="declined"), "refused_rightly"),
        (replace(REFUSED, outcome="clarification_needed", refused=False), "refused_rightly"),
        (replace(REFUSED, outcome="limit_reached", refused=False), "refused_rightly"),
        (replace(REFUSED, outcome="answered", refused=False), "wrong_accepted"),
    ],
)
def test_a_result_is_of_one_of_five_kinds(result, kind):
    assert result.kind == kind


def test_results_are_graded():
    drafted, failed = (
        replace(RIGHT, outcome="limit_reached"),
        replace(RIGHT, outcome="failed", error="No reply."),
    )
    missed, wrong = replace(drafted, said=False), replace(RIGHT, said=False)
    assert [result.grade for result in (RIGHT, REFUSED, drafted, missed, failed, wrong)] == [
        3,
        3,
        2,
        1,
        1,
        0,
    ]


def test_wrong_answers_are_counted_among_the_accepted():
    wrong = replace(REFUSED, outcome="answered", refused=False)
    drafted = replace(RIGHT, outcome="limit_reached")
    metrics = compute_metrics([RIGHT, RIGHT, RIGHT, drafted, wrong, REFUSED])
    assert (metrics.right_accepted, metrics.right_not_accepted) == (3 / 4, 1 / 4)
    assert (metrics.wrong_accepted, metrics.refused_rightly) == (1 / 4, 1 / 2)
    none = compute_metrics([replace(RIGHT, outcome=None, cited=None)])
    assert (none.right_accepted, none.wrong_accepted, none.refused_rightly) == (None, None, None)


def test_a_rule_of_another_season_is_not_the_one_expected():
    quoted = (
        cited("21.3", "50 km/h", 2024),
        cited("21.3", "60 km/h", 2023),
        cited("9.1", "26", 2023),
    )
    question = KeyedQuestion(2, "How fast?", ("21.3",), answer_season=2023)
    assert [citation.quote for citation in expected_citations(quoted, question)] == ["60 km/h"]
    assert len(expected_citations(quoted, replace(question, answer_season=None))) == 2


def test_the_words_expected_must_all_be_quoted():
    quoted = (cited("21.3", "The limit is 50 km/h,\nor 40 km/h in a narrow pit lane."),)
    question = KeyedQuestion(2, "How fast?", ("21.3",))
    assert meets_expectation(question, quoted, ()) is None
    assert meets_expectation(replace(question, says=("50 KM/H", "narrow  pit lane")), quoted, ())
    assert meets_expectation(replace(question, says=("50 km/h", "60 km/h")), quoted, ()) is False
    assert meets_expectation(replace(question, says=("0 km/h",)), quoted, ()) is False


def test_a_check_must_have_the_verdict_expected():
    question = KeyedQuestion(2, "Is 616 kg legal?", ("4.1.1",), says=("617 kg", "not legal"))
    quoted = (cited("4.1.1", "| Main Race | 617 kg |"),)
    assert meets_expectation(question, quoted, (row("not legal"), row("cannot tell")))
    assert meets_expectation(question, quoted, (row("not legal"), row("legal")))
    assert meets_expectation(question, quoted, ()) is False
    legal = replace(question, says=("legal",))
    assert meets_expectation(legal, quoted, (row("legal"),))
    assert meets_expectation(legal, quoted, (row("not legal"),)) is False
    assert meets_expectation(legal, quoted, (row("legal"), row("cannot tell"))) is False


def test_a_check_may_be_expected_to_be_undecided():
    question = KeyedQuestion(2, "Is it legal?", ("4.1.1",), says=("cannot tell",))
    assert meets_expectation(question, (), (row("legal"), row("cannot tell")))
    assert meets_expectation(question, (), (row("legal"),)) is False
    assert meets_expectation(question, (), ()) is False, "no check was made"


@pytest.mark.parametrize(
    ("article", "expected", "is_one"),
    [
        ("21.3", "21.3", True),
        ("21.3.1", "21.3", True),
        ("21.31", "21.3", False),
        ("38.3", "38.3 c)", True),
        ("Appendix 3, 7", "Appendix 3", True),
        ("Appendix 3", "Appendix 3, 7", False),
        ("Appendix 37", "Appendix 3", False),
    ],
)
def test_a_clause_below_an_article_belongs_to_it(article, expected, is_one):
    assert is_expected_article(article, (expected,)) is is_one
