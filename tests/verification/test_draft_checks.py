"""Quotes, numbers and markers of a draft are checked against the evidence, without a model."""

import pytest

from core.agent.models.schemas import compute_accuracy
from core.verification.draft_checks import check_draft
from core.verification.evidence import Evidence
from core.verification.statements import list_stated_rules, parse_draft
from core.verification.types import DraftCheck, StatementVerdict, list_doubts
from tests.agent.stories import cited, source
from tests.verification.drafts import verify

SPEED = source(1, "21.3", "The speed limit in the pit lane is 50 km/h.\na) It may be lowered.")
PENALTY = source(
    2, "38.3", "a) a five (5) second time penalty;\nb) a ten (10) second time penalty;"
)
EVIDENCE = Evidence([SPEED, PENALTY])


def failed(draft, *citations, question=""):
    checks = verify(draft, citations, EVIDENCE, question)
    return tuple(check.message for check in checks if not check.passed)


def test_a_quote_that_stands_in_its_clause_passes():
    quote = "The speed limit in the pit lane is 50 km/h."
    assert not failed(f"> “{quote}” [1]", cited(SPEED, quote))


def test_a_quote_may_run_over_a_line_and_differ_in_dashes_and_spaces():
    assert not failed("", cited(SPEED, "the pit lane is  50 km/h. a) It may be lowered"))


def test_an_invented_quote_fails():
    (message,) = failed("", cited(SPEED, "The speed limit in the pit lane is 60 km/h."))
    assert "is not in Article 21.3" in message


def test_a_quote_of_a_clause_that_was_never_found_fails():
    stranger = source(7, "99.1", "Never found.")
    assert "not among the evidence" in failed("", cited(stranger, "Never found."))[0]


def test_a_passage_in_quotation_marks_needs_no_citation_but_a_clause():
    assert not failed("It says “speed limit in the pit lane”.")
    assert "is in no clause" in failed("It says “speed limit in the paddock”.")[0]


def test_a_word_in_quotation_marks_is_no_quote():
    assert not failed("The “pit lane” is meant.")


def test_a_number_needs_a_cited_clause_or_the_question():
    assert not failed("50km/h it is.", cited(SPEED, "The speed limit in the pit lane is 50 km/h."))
    (wrong,) = failed("80 km/h it is.", cited(SPEED, "The speed limit"))
    assert wrong == "“80 km/h” is said where the cited words say “50 km/h”."
    assert "80 kg is neither" in failed("80 kg it is.", cited(SPEED, "The speed limit"))[0]
    assert not failed(
        "80 km/h is too fast.", cited(SPEED, "The speed limit"), question="Is 80 km/h legal?"
    )


def test_an_items_letter_is_no_unit():
    assert not failed("Article 21.3 m), page 9, says 50 km/h.", cited(SPEED, "50 km/h"))
    assert (
        "10 m is neither"
        in failed("By Article 21.3 it is 10 m (long).", cited(SPEED, "50 km/h"))[0]
    )


def test_a_number_in_brackets_counts_as_the_number():
    assert not failed(
        "A 5 second penalty or 10 seconds.", cited(PENALTY, "a five (5) second time penalty")
    )


def test_a_marker_names_a_clause():
    assert failed("See [3].") == ("The marker [3] names no clause.",)
    assert not failed("See [1] and [2].")


def ruled(ruling, counts=True):
    return StatementVerdict(1, "It is 80 km/h.", ruling, "50 km/h", counts=counts)


@pytest.mark.parametrize(
    ("verdicts", "failures", "accuracy"),
    [
        ([], [], 10),
        ([ruled("supported")] * 3, [], 10),
        ([ruled("supported")], ["“An invented sentence.” is in no clause that was found."], 4),
        ([ruled("supported"), ruled("not in the evidence", counts=False)], [], 8),
        ([ruled("supported"), ruled("not in the evidence")], [], 4),
        ([ruled("not in the evidence")] * 9, [], 1),
        ([ruled("supported"), ruled("contradicted")], [], 1),
        ([ruled("supported"), ruled("contradicted", counts=False)], [], 10),
    ],
)
def test_accuracy_follows_from_the_verdicts(verdicts, failures, accuracy):
    assert compute_accuracy(verdicts, failures) == accuracy


def test_a_doubt_names_its_statement_and_is_no_failure():
    checks = verify("It is 50 km/h [1]. Some 900 people watch it [1].", (), EVIDENCE, "")
    failed = [check for check in checks if not check.passed]
    assert all(check.is_doubt for check in failed)
    assert [check.statement for check in failed if check.kind == "number"] == [2]


def test_a_judge_overrules_a_doubt_of_the_statement_that_it_was_asked_of_alone():
    same = [DraftCheck("number", False, "900", "900 is unknown.", "doubt", n) for n in (1, 2)]
    verdicts = [
        StatementVerdict(n, "Some 900 people watch it.", ruling, "", ("900 is unknown.",))
        for n, ruling in ((1, "supported"), (2, "not in the evidence"))
    ]
    assert list_doubts(same, verdicts) == (same[1],)


def test_a_statement_that_is_doubted_is_put_to_the_judge_though_it_cites_nothing():
    late = source(1, "4.2", "Competitors who arrive late start last.")
    text = f"“{late.text}” [1] Competitors who arrive late start first."
    evidence = Evidence([late])
    draft = parse_draft(text, (cited(late, late.text),), evidence, lambda _: {})
    checks = check_draft(draft, evidence, "")
    [doubt] = [check for check in checks if not check.passed]
    assert (doubt.level, doubt.statement) == ("doubt", 2)
    _, stated = list_stated_rules(draft, checks)
    assert (stated.number, stated.doubts) == (2, (doubt.message,))


@pytest.mark.parametrize(
    ("draft", "passes"),
    [
        ("25.0 mm − 20.0 mm = 5.0 mm", True),
        ("2 × 50 km/h = 100 km/h", True),
        ("25.0 mm - 20.0 mm = 4.0 mm", False),
    ],
)
def test_a_sum_must_be_correct(draft, passes):
    checks = [check for check in verify(draft, (), EVIDENCE, draft) if check.kind == "sum"]
    assert [check.passed for check in checks] == [passes]


FEES = Evidence(
    [
        source(1, "6.1", "The fee is 180 euros for up to six people. Each other costs 25 euros."),
        source(2, "6.2", "A hull must have an area of at least 173 mm² and a wall of 2.0 mm."),
        source(3, "6.3", "Discs of 25 mm, 30 mm and 35 mm may be used for at most 24 hours."),
        source(4, "6.4", "Le recours est formé dans un délai de quarante jours au plus."),
        source(5, "6.5", "Two thirds of the Entrants present must agree."),
    ]
)


@pytest.mark.parametrize(
    ("draft", "question"),
    [
        ("It is only about 145 mm² [2]. π/4 × (25² − 21²) = 144.5", "Is a 25 x 2 mm tube legal?"),
        ("Eight people pay 230 euros: 180 and 2 x 25 [1].", "What do eight people pay?"),
        ("Nine pay 255 euros, as 180 + 25 + 25 + 25 = 255 [1].", "What do nine people pay?"),
        ("Discs of 25, 30 and 35 mm are allowed [3].", ""),
        ("Your 60 hours are three started periods of 24 hours [3].", "What follows for 60 hours?"),
        ("Of 30 Entrants at least 20 have to agree: two thirds of 30 [5].", "We are 30 Entrants."),
        ("Le recours doit être formé dans les 40 jours [4].", ""),
        ("In Formula 1 and by FSAE 2022 an M6 bolt needs a wall of 2.0 mm [2].", ""),
    ],
)
def test_a_number_that_follows_is_no_fault(draft, question):
    checks = verify(draft, (), FEES, question)
    assert not [one.message for one in checks if one.kind in ("number", "sum") and not one.passed]


@pytest.mark.parametrize(
    ("draft", "level"),
    [
        ("A hull must have an area of at least 144 mm² [2].", "fatal"),
        ("The fee is 190 euros for up to six people [1].", "fatal"),
        ("Le recours est formé dans un délai de trente jours au plus [4].", "fatal"),
        ("Some 700 Entrants come to this regatta [5].", "doubt"),
    ],
)
def test_only_an_amount_that_contradicts_is_fatal(draft, level):
    checks = verify(draft, (), FEES, "")
    assert [one.level for one in checks if one.kind == "number" and not one.passed] == [level]


def test_a_computed_number_is_named_so():
    checks = verify(
        "60 km/h - 50 km/h = 10 km/h", (cited(SPEED, "50 km/h"),), EVIDENCE, "I drove 60 km/h"
    )
    assert [check.message for check in checks if check.kind == "number"] == [
        "60 km/h: yours.",
        "50 km/h: quoted.",
        "10 km/h: computed.",
    ]


DUTIES = Evidence(
    [
        source(1, "5.1", "The driver must wear a helmet. Gloves may be worn."),
        source(2, "5.2", "A driver must not leave the car."),
        source(3, "5.3", "The pit lane is 12 m wide."),
    ]
)


@pytest.mark.parametrize(
    ("sentence", "fails"),
    [
        ("A helmet must be worn [1].", False),
        ("Gloves may be worn [1].", False),
        ("The driver must not wear a helmet [1].", True),
        ("The driver may leave the car [2].", True),
        ("The driver shall not leave the car [2].", False),
        ("The pit lane must be 12 m wide [3].", False),
        ("“A driver must not leave the car.” [2] stands there.", False),
    ],
)
def test_must_may_and_must_not_are_not_turned_round(sentence, fails):
    failed_duties = [
        check for check in verify(sentence, (), DUTIES, sentence) if check.kind == "duty"
    ]
    assert bool(failed_duties) == fails


STRENGTH = Evidence(
    [
        source(1, "6.1", "Refuelling is not permitted unless the Race Director has agreed to it."),
        source(2, "6.2", "The mass of the car must be no less than 798 kg."),
        source(
            3, "6.3", "Tyre blankets may only be used in the garage. They may be of any colour."
        ),
        source(4, "6.4", "No device may be used, save for those listed in Appendix 3."),
        source(5, "6.5", "The width of the wing must not exceed 1800 mm."),
    ]
)


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        (
            "Refuelling is not permitted [1].",
            "leaves out “unless the Race Director has agreed to it.”",
        ),
        ("Refuelling is not permitted unless the Race Director has agreed [1].", None),
        ("No refuelling is permitted [1]: “unless the Race Director has agreed to it” [1].", None),
        (
            "Devices of no kind may be used [4].",
            "leaves out “save for those listed in Appendix 3.”",
        ),
        ("No device may be used except those listed in Appendix 3 [4].", None),
        (
            "The mass of the car must be no more than 798 kg [2].",
            "says “at most 798 kg” where it is “at least 798 kg”",
        ),
        ("The mass of the car must be 798 kg [2].", "says “798 kg” where it is “at least 798 kg”"),
        ("The car must weigh at least 798 kg [2].", None),
        (
            "The wing must be at least 1800 mm wide [5].",
            "says “at least 1800 mm” where it is “at most 1800 mm”",
        ),
        ("The wing may be up to 1.8 m wide [5].", None),
        ("Tyre blankets may be used in the garage [3].", "says “may” where it says “may only”"),
        ("Tyre blankets may only be used in the garage [3].", None),
        ("Blankets may be of any colour [3].", None),
    ],
)
def test_unless_only_and_limits_are_kept(draft, wrong):
    messages = [
        check.message for check in verify(draft, (), STRENGTH, "1800 mm") if check.kind == "duty"
    ]
    assert [wrong in message for message in messages] == ([True] if wrong else [])


@pytest.mark.parametrize("quote", ["0 km/h. a) It may", "", ".", "pit lan"])
def test_a_quote_is_whole_words_and_some(quote):
    assert failed("", cited(SPEED, quote))


def test_numbers_compare_by_value():
    assert not failed(
        "It is 50.0 km/h.", cited(SPEED, "The speed limit in the pit lane is 50 km/h.")
    )


def test_a_longer_sum_is_not_read_from_its_middle():
    assert not [
        c
        for c in verify("2 mm + 3 mm + 4 mm = 9 mm", (), EVIDENCE, "2 mm 3 mm 4 mm 9 mm")
        if not c.passed
    ]


def test_not_is_a_prohibition_only_with_a_duty():
    assert not [
        c for c in verify("The limit is not 60 but 50 [1].", (), DUTIES, "") if c.kind == "duty"
    ]
