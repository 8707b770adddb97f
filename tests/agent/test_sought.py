"""What a question wants to know and whether a clause says it: only then is a quote an answer."""

import pytest

from core.agent.models.offline.sought import sought, told
from core.agent.text.stems import content_words
from tests.agent.stories import source


def tells(question, *texts, **more):
    """Return the sentence that says it, for each text."""
    words = content_words(question)
    wanted = sought(question)
    found = [
        told(wanted, words, source(1, "4.2", text, **more), dict.fromkeys(words, 1.0))
        for text in texts
    ]
    return [one and one.sentence for one in found]


def shares(question, *texts):
    """Return the share of the question's words in the sentence that says it, for each text."""
    words = content_words(question)
    found = [
        told(sought(question), words, source(1, "4.2", t), dict.fromkeys(words, 1.0)) for t in texts
    ]
    return [one.share for one in found]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How heavy is the survival cell?", "a weight"),
        ("What is the maximum permitted sound level?", "a sound level"),
        ("rear wing width", "a width"),
        ("How many laps is the final?", "a number of laps"),
        ("What is the fee for a protest?", "a sum of money"),
        ("How much is the fine?", "a sum of money"),
        ("What is parc fermé?", "what parc fermé is"),
        (
            "What is the definition of a Competitor in the 2026 F1 regulations?",
            "what Competitor is",
        ),
        ("What is the minimum number of cars for a race to be held?", "a number of cars"),
        ("What is the Fast Lane?", "what the Fast Lane is"),
        ("How many reprimands lead to a grid drop?", "a number of reprimands"),
        ("Within how many days must a receipt be given?", "a number of days"),
        ("How much may a driver weigh at most?", "a weight"),
        ("How high is the fine for speeding?", "a sum of money"),
        ("What cold pressure do we need at least?", "a pressure"),
        ("What is the maximum wheel diameter in the Cup?", "a diameter"),
        ("What is the capital expenditure limit for a team?", "a limit"),
        ("On what date are the race numbers allocated?", "a date"),
        ("What is the penalty for exceeding the speed limit?", None),
        ("Who appoints the stewards?", None),
        ("What is allowed in parc fermé?", None),
    ],
)
def test_the_form_of_a_question_says_what_it_wants(question, name):
    wanted = sought(question)
    assert (wanted and wanted.name) == name


def test_an_amount_of_another_kind_tells_nothing():
    force, mass = (
        "The survival cell must withstand 30 kN.",
        "The survival cell must weigh at least 60 kg.",
    )
    assert tells("How heavy is the survival cell?", force, mass) == [None, mass]


def test_a_length_of_something_else_tells_no_thickness():
    away, thick = (
        "The firewall stands 100 mm behind the seat.",
        "The wall thickness of the firewall is 0.5 mm.",
    )
    assert tells("How thick must the firewall be?", away, thick) == [None, thick]


def test_an_amount_by_the_way_tells_no_maximum():
    passing, limit = (
        "Tyres are measured inflated to 1.4 bar.",
        "The pressure of tyres must not exceed 1.6 bar.",
    )
    assert tells("What is the maximum tyre pressure?", passing, limit) == [None, limit]


def test_a_title_may_say_which_end_of_the_range_it_is():
    idle = "a. At idle 103 dBC, fast weighting"
    assert tells(
        "What is the maximum sound level?", idle, title="Maximum Permitted Sound Level"
    ) == [idle]


def test_the_number_of_an_article_is_no_number_of_things():
    named, row = "The title goes to most points under Article 2.2.", "| 1st | 25 |"
    table = f"Points are awarded as follows:\n| Position | Points |\n|---|---|\n{row}"
    assert tells("How many points for a win?", named, table) == [None, row]


def test_a_number_of_something_else_is_no_number_of_the_things():
    other, table = (
        "A team pays €6,000 for each of its cars.",
        "Q1 lasts 14 minutes. All cars may take part.",
    )
    assert tells("How many cars may take part?", other, table) == [None, None]
    assert tells("How many cars may take part?", "A season has no more than 26 cars.") != [None]


def test_things_may_be_called_by_two_plurals():
    bottles, gas = "A team may bring two gas bottles.", "A team may bring two kinds of gas."
    assert tells("How many gas bottles may a team bring?", bottles, gas) == [bottles, None]


def test_none_is_a_number_too():
    none, refused = "No point is awarded for the fastest lap.", "No point may be taken from it."
    assert tells("How many points does the fastest lap bring?", none, refused) == [none, None]


def test_an_amount_of_each_part_is_none_of_the_whole():
    part = "Each Accumulator Segment must contain:\na. Maximum voltage of 120 V"
    assert tells("What is the maximum accumulator voltage?", part) == [None]
    assert tells("What is the maximum voltage of a segment?", part) != [None]


def test_an_amount_is_told_in_its_unit():
    late = "The receipt is given within 14 days."
    assert tells(
        "Within how many days must the receipt be given?", "The receipt must be given.", late
    ) == [None, late]


def test_a_fine_is_no_fee():
    fee, fine = "A late entry has a fee of €300.", "A late entry is punished with a fine of €500."
    told_fee, told_fine = shares("What is the fine for a late entry?", fee, fine)
    assert told_fee < told_fine == 1


def test_a_sentence_that_goes_on_with_its_clause_is_read_with_it():
    clause = (
        "A Competitor may appeal against a decision. It must state its intention within 90 minutes."
    )
    (alone,) = shares(
        "How long may a Competitor wait before an appeal?", "It must say so within 90 minutes."
    )
    (within,) = shares("How long may a Competitor wait before an appeal?", clause)
    assert alone == 0 < within


def test_a_word_is_explained_where_a_sentence_begins_with_it_or_quotes_it():
    used, said = "Parc Fermé is compulsory.", "Parc Fermé: the place where cars are kept."
    quoted = "The area is called “parc fermé”."
    assert tells("What is a parc fermé?", used, said, quoted) == [None, said, quoted]
