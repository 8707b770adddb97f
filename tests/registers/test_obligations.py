"""What a rulebook says must, must not, may and should be."""

from dataclasses import replace

import pytest

from core.grammar import read_sentence
from core.registers.obligations import read_obligations
from tests.registers.trike import clauses


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("The driver must wear gloves.", "must"),
        ("Tyre warmers are not allowed.", "must not"),
        ("No part may enter the zone.", "must not"),
        ("Tyres may only be inflated with air.", "must not"),
        ("Teams do not have to be identical.", "may"),
        ("Officials may disqualify vehicles.", "may"),
        ("The gap should be small.", "should"),
        ("If mirrors are required, they must remain in place.", "must"),
        ("Any system the purpose of which is to heat tyres is forbidden.", "must not"),
        ("Do Not Resubmit forms.", "must not"),
        ("Each joint requires two bolts.", "must"),
        ("Old helmets are not approved.", "must not"),
        ("Copying is strongly discouraged.", "should"),
        ("Should a car be stopped, the driver must rejoin.", "must"),
        ("Where welding is permitted, a drawing must be shown.", "must"),
        ("Should two hours elapse, no claim can be accepted.", "must not"),
        ("Should be painted, as the body is.", "should"),
        ("Where no bolt is at hand, a clip may be used.", "may"),
        ("Where no bolt or clip may be used, wire must be.", "must"),
        ("Except as expressly permitted, no car may leave.", "must not"),
        ("Once “CARS MAY PASS” is shown, all cars must pass.", "must"),
        ("In order that it may be seen, the lamp must shine.", "must"),
    ],
)
def test_a_sentence_has_the_duty_of_its_main_clause(sentence, modality):
    [duty, *_] = [duty for duty in read_sentence(sentence).duties if duty.is_main]
    assert duty.modality == modality


def test_items_complete_a_lead_in_that_breaks_off():
    [clause, *_] = clauses()
    text = "The lamp must:\na. Shine red\nb. Be visible\nIt will be measured."
    listed = read_obligations([replace(clause, text=text)])
    quotes = [(one.modality, one.quote) for one in listed.obligations]
    assert ("must", "Shine red") in quotes
    assert [one.quote for one in listed.omitted] == ["It will be measured."]


def test_what_an_item_excepts_is_not_what_its_lead_in_says():
    [clause, *_] = clauses()
    text = (
        "In winter no team may do any of the following:\n"
        "a. Use of any tunnel, except as expressly permitted by Rule 4.\n"
        "b. Any other test: teams may, at their own cost, repair it."
    )
    listed = read_obligations([replace(clause, text=text)])
    said = [(one.modality, one.actor) for one in listed.obligations]
    assert said == [("must not", "team"), ("must not", "team"), ("may", "teams")]


def test_of_several_leads_the_last_says_what_its_items_are():
    [clause, *_] = clauses()
    text = "Teams may bring a spare:\na. It has no cover. It must:\ni. Be sealed"
    listed = read_obligations([replace(clause, text=text)])
    assert ("must", "Be sealed") in [(one.modality, one.quote) for one in listed.obligations]


def test_a_duty_that_is_only_quoted_or_named_in_passing_obliges_nobody():
    [clause, *_] = clauses()
    text = "The sentence “Cars must be red” is void.\nIt is 3 m wide, unless otherwise required."
    listed = read_obligations([replace(clause, text=text)])
    assert listed.obligations == ()
    assert {one.reason for one in listed.omitted} == {"names a duty in passing"}


@pytest.mark.parametrize(
    ("change", "duties"),
    [
        (
            "The following is added after Rule 3.5: “3.6 Each cart must carry a horn.”",
            ["Each cart must carry a horn."],
        ),
        (
            'Rule 4 is replaced by "A pilot must wear a helmet. It must have a visor."',
            ["A pilot must wear a helmet.", "It must have a visor."],
        ),
        (
            "§ 5 erhält folgende Fassung: „Der Fahrer muss Handschuhe tragen.“",
            ["Der Fahrer muss Handschuhe tragen."],
        ),
        (
            "L'article 7 est remplacé par : « Le pilote doit porter un casque. »",
            ["Le pilote doit porter un casque."],
        ),
        ("The sentence “A pilot must wear a helmet.” is deleted.", []),
        ("A plate must be attached: “You must not touch this.”", ["A plate must be"]),
    ],
)
def test_quoted_sentences_that_a_change_puts_into_a_rule_oblige(change, duties):
    [clause, *_] = clauses()
    listed = read_obligations([replace(clause, text=change)]).obligations
    assert len(listed) == len(duties)
    assert all(one.quote.startswith(words) for one, words in zip(listed, duties, strict=True))


def test_where_something_may_be_found_is_no_permission():
    [clause, *_] = clauses()
    listed = read_obligations([replace(clause, text="The form may be found on the website.")])
    assert (listed.obligations, len(listed.omitted)) == ((), 1)


def test_who_is_obliged_is_named():
    listed = read_obligations(clauses())
    [names] = [one for one in listed.obligations if one.article == "4"]
    assert (names.modality, names.actor) == ("must", "A team")
