"""What a question wants to be told, and whether a clause tells it: only then is a quote an answer offline."""

import pytest

from core.agent.models.offline.sought import sought, told
from core.agent.verification.coverage import content_words
from tests.agent.stories import source


def tells(question, *texts, **more):
    """The sentence that tells it, for each clause of these texts."""
    words = content_words(question)
    wanted = sought(question)
    found = [told(wanted, words, source(1, "4.2", text, **more), dict.fromkeys(words, 1.0)) for text in texts]
    return [one and one.sentence for one in found]


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
        ("What is the definition of a Competitor in the 2026 F1 regulations?", "what Competitor is"),
        ("What is the minimum number of cars for a race to be held?", "a number of cars"),
        ("What is the Fast Lane?", "what the Fast Lane is"),
        ("What is the penalty for exceeding the speed limit?", None),
        ("Who appoints the stewards?", None),
        ("What is allowed in parc fermé?", None),
    ],
)
def test_the_form_of_a_question_says_what_it_wants(question, name):
    wanted = sought(question)
    assert (wanted and wanted.name) == name


def test_an_amount_of_another_kind_tells_nothing():
    force, mass = "The survival cell must withstand 30 kN.", "The survival cell must weigh at least 60 kg."
    assert tells("How heavy is the survival cell?", force, mass) == [None, mass]


def test_a_length_of_something_else_tells_no_thickness():
    away, thick = "The firewall stands 100 mm behind the seat.", "The wall thickness of the firewall is 0.5 mm."
    assert tells("How thick must the firewall be?", away, thick) == [None, thick]


def test_an_amount_by_the_way_tells_no_maximum():
    passing, limit = "Tyres are measured inflated to 1.4 bar.", "The pressure of tyres must not exceed 1.6 bar."
    assert tells("What is the maximum tyre pressure?", passing, limit) == [None, limit]


def test_a_title_may_say_which_end_of_the_range_it_is():
    idle = "a. At idle 103 dBC, fast weighting"
    assert tells("What is the maximum sound level?", idle, title="Maximum Permitted Sound Level") == [idle]


def test_the_number_of_an_article_is_no_number_of_things():
    named, row = "The title goes to most points under Article 2.2.", "| 1st | 25 |"
    table = f"Points are awarded as follows:\n| Position | Points |\n|---|---|\n{row}"
    assert tells("How many points for a win?", named, table) == [None, row]


def test_a_word_is_explained_where_a_sentence_begins_with_it_or_quotes_it():
    used, said = "Parc Fermé is compulsory.", "Parc Fermé: the place where cars are kept."
    quoted = "The area is called “parc fermé”."
    assert tells("What is a parc fermé?", used, said, quoted) == [None, said, quoted]
