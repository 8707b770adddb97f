"""What a text says of articles of other rules: that it changes them, or adds to them."""

import pytest

from core.grammar import find_article_changes

HELD = ("5.3", "4.1", "4.2", "A4.6", "EV5.8.5", "IN3.1.2", "D7.3.1", "D9.1")


def find_changes(text):
    return {one.article: one.kind for one in find_article_changes((text,), HELD.__contains__)}


@pytest.mark.parametrize(
    "text",
    [
        "Article 5.3 is replaced by the following:",
        "Article 5.3 of the Sporting Regulations is deleted.",
        "Rule 5.3 does not apply.",
        "The limit in Article 5.3 is replaced by 8.5 m.",
        "In deviation from Article 5.3 a boat may be longer.",
        "Abweichend von Artikel 5.3 gilt 40 km/h.",
        "Artikel 5.3 wird gestrichen.",
        "L'article 5.3 est remplacé par ce qui suit.",
        "Length (change of Rules 2020\\5.3)",
        "Article 5.3 is hereby replaced by the following.",
        "Article 5.3 is withdrawn.",
        "Article 5.3 is struck out.",
        "Article 5.3 no longer applies.",
        "Delete Article 5.3.",
        "Amend Article 5.3 to read: 20 m².",
        "Contrary to Article 5.3, a boat may be longer.",
        "Artikel 5.3 wird wie folgt geändert: 8 m.",
        "Artikel 5.3 wird durch folgende Fassung ersetzt: 8 m.",
        "L'article 5.3 est remplacée par ce qui suit.",
        "● 5.3: void",
    ],
)
def test_a_change_is_known_by_its_words_beside_the_article(text):
    assert find_changes(text) == {"5.3": "changed"}


def test_a_list_of_articles_is_changed_as_one():
    assert find_changes("articles 4.1 and 4.2 are deleted") == dict.fromkeys(
        ("4.1", "4.2"), "changed"
    )
    found = find_changes("Monitoring (change of Rules 2020\\EV5.8.5, IN3.1.2)")
    assert found == dict.fromkeys(("EV5.8.5", "IN3.1.2"), "changed")


def test_an_addition_is_no_change():
    assert find_changes("Running order goal - Supplement to D7.3.1") == {"D7.3.1": "supplemented"}


@pytest.mark.parametrize(
    "text",
    [
        "A run that breaches D9.1 is void.",
        "If Article 5.3 is breached the run is void.",
        "Penalties apply as per D9.1.",
        "The boat must be 5.3 m long and is replaced by another one.",
        "Article 9.9 is deleted.",
        "The Rules " * 30 + "are void.",
        "The battery may deliver 5.5 kW instead of 5.3 kW.",
        "Nothing in this handbook amends Article 5.3.",
        "Under Article 5.3 damaged tyres must be replaced.",
        "According to Article 5.3 worn parts shall be replaced.",
        "Notwithstanding Article 5.3 of this handbook, a flag is shown.",
        "This bulletin replaces Bulletin 5.3.",
        "This handbook replaces Version 4.1.",
    ],
)
def test_other_sentences_change_nothing(text):
    assert not find_changes(text)


def test_an_item_alone_can_be_changed():
    [change] = find_article_changes(("Article 5.3 b) is deleted.",), HELD.__contains__)
    assert (change.article, change.part, change.kind) == ("5.3", "b)", "changed")


def test_a_change_for_some_cases_is_limited_and_one_of_a_part_unclear():
    for rest in ("to boats of class B", "on Saturday", "if it rains"):
        assert find_changes(f"Article 5.3 does not apply {rest}.") == {"5.3": "limited"}
    assert find_changes("For boats of class B Article 5.3 is void.") == {"5.3": "limited"}
    assert find_changes("In Article 5.3 the second sentence is deleted.") == {"5.3": "unclear"}


def test_the_article_of_another_rulebook_is_not_meant():
    text = "Notwithstanding Article 5.3 of the FIA International Sporting Code, a flag is shown."
    assert not [*find_article_changes((text,), HELD.__contains__, "2026 Sporting Regulations")]
    own = "Article 5.3 of the Sporting Regulations is deleted."
    assert [*find_article_changes((own,), HELD.__contains__, "2026 Sporting Regulations")]


def test_of_an_article_only_those_below_it_that_are_named_are_changed():
    held = ("D7", "D7.3.1", "4", "4.2")
    texts = ("Scoring (change of Rules 2023/D7)", "In D7.3.1 the time is 60 s.")
    found = find_article_changes(texts, held.__contains__)
    assert [one.article for one in found] == ["D7.3.1"]
    [change] = find_article_changes(
        ("Article 4 is amended as follows: in 4.2 the horn is a bell.",), held.__contains__
    )
    assert change.article == "4.2"


def test_words_are_taken_away_before_the_verb_and_given_after_it():
    [change] = find_article_changes(
        ("In Article 5.3 “6 m” is replaced by “5 m”.",), HELD.__contains__
    )
    assert change.quoted == ("6 m",)
    [change] = find_article_changes(("Article 5.3 is replaced by: “5 m”.",), HELD.__contains__)
    assert not change.quoted


def test_a_range_is_all_articles_of_it():
    first, *_ = find_article_changes(("Articles 4.1 to 5.3 are deleted.",), HELD.__contains__)
    assert (first.article, first.last) == ("4.1", "5.3")
