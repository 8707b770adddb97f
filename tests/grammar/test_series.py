"""A question names a series only where its words, or those around them, say so."""

import pytest

from core.grammar import SERIES


@pytest.mark.parametrize(
    "question",
    [
        "May the change be filed 24 hours before the start?",
        "Is a notice of 24 hours enough to call a general meeting?",
        "Must the report arrive within 24 Hours of the accident?",
        "Are 24 hours race control has to answer in enough?",
        "Which load F1 acts on the bracket in the test?",
        "Are fuse F2 and fuse F3 to be labelled?",
        "Is point F4 above the reference plane?",
        "Where is figure F1 explained?",
        "How is the score computed by formula 2?",
        "Does Formula 3 in Appendix B give the result in points?",
        "Which value of F1 = 3 kN is applied to the hoop?",
        "May we apply formula 1 to both events?",
        "What does formula one of the annex compute?",
        "Is a superbike engine allowed in the vehicle?",
        "May a go-kart be brought into the paddock?",
        "What is the penalty for drag racing on a public road?",
        "Does experience in karting count towards the licence?",
        "Are photographs of rallying to be shown on the panel?",
    ],
)
def test_words_that_mean_other_things_name_no_series(question):
    assert SERIES.find(question) == {}


@pytest.mark.parametrize(
    ("question", "series"),
    [
        ("What is the Formula E pit lane speed limit?", {"fe": "Formula E"}),
        ("How heavy is a MotoGP bike?", {"motogp": "MotoGP"}),
        ("how long may a pit stop take in nascar?", {"nascar": "nascar"}),
        ("What is the F2 pit lane speed limit?", {"f2": "F2"}),
        ("Is it the same in F1 and in Formula 3?", {"f1": "F1", "f3": "Formula 3"}),
        ("what is the minimum weight of a formula 2 car?", {"f2": "formula 2"}),
        ("What do modern F1 cars weigh?", {"f1": "F1"}),
        ("Compare F1 and F4.", {"f1": "F1", "f4": "F4"}),
        ("How many drivers share a car at Le Mans?", {"wec": "Le Mans"}),
        ("What do the karting regulations say of seats?", {"karting": "karting"}),
        ("In karting, how wide may a seat be?", {"karting": "karting"}),
        ("Which tyres does the superbike championship use?", {"superbike": "superbike"}),
        ("What are the points of the 24 Hours series?", {"wec": "24 Hours"}),
        ("Who may score in rallycross races?", {"rallycross": "rallycross"}),
        ("How old must a FIFA referee be?", {"fifa": "FIFA"}),
    ],
)
def test_a_name_is_one_alone_or_by_the_words_around_it(question, series):
    assert SERIES.find(question) == series
