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
    ],
)
def test_other_sentences_change_nothing(text):
    assert not find_changes(text)


def test_an_item_alone_can_be_changed():
    [change] = find_article_changes(("Article 5.3 b) is deleted.",), HELD.__contains__)
    assert (change.article, change.part, change.kind) == ("5.3", "b)", "changed")
