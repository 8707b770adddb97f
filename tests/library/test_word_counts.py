"""Typing errors are corrected by the words of a scope; names and known words are left alone."""

from pathlib import Path

import pytest
from cup import add_rulebook

from core.library.retrieval.query_expansion import find_synonym_phrases
from core.library.retrieval.search import search
from core.library.retrieval.word_counts import WordCounts, count_words
from core.library.storage.library import Library
from core.library.types import Scope


@pytest.fixture(scope="module")
def paddock(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library for all who only search it."""
    library = Library(tmp_path_factory.mktemp("library"))
    add_rulebook(
        library,
        "Rules",
        ("1", "The scrutineer weighs every chassis."),
        ("2", "A chassis has a homologation of the club."),
        ("3", "Tyres are stored in the paddock."),
    )
    return library


@pytest.fixture(scope="module")
def counts(paddock: Library) -> WordCounts:
    return count_words(paddock, Scope(paddock.documents(), "all"))


def test_a_word_is_counted_once_for_each_clause(counts: WordCounts) -> None:
    assert counts.clauses == 3
    assert (counts.by_word["chassis"], counts.by_word["paddock"]) == (2, 1)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("homologaton", "homologation"),
        ("homolgoation", "homologation"),
        ("scrutineeer", "scrutineer"),
        ("chasis", "chassis"),
        ("padock", "paddock"),
    ],
)
def test_a_typing_error_is_corrected(counts: WordCounts, typed: str, meant: str) -> None:
    assert counts.find_typing_errors(f"what about the {typed}?") == {typed: meant}
    assert counts.correct_text(f"What about the {typed}?") == f"What about the {meant}?"


@pytest.mark.parametrize(
    "question",
    [
        "Which rule is for Padock?",  # a name, by its capital within the sentence
        "What does the PADOCK do?",
        "May we carry a saddock4?",  # no word, but a number of a part
        "Is there a helicopter?",  # a word of English that the rules do not have
        "Are two paddocks there?",  # another ending
        "May he tyr it?",  # so short a word has too many neighbours
        "Who stores an addock?",  # the first letter is seldom wrong
    ],
)
def test_what_is_no_typing_error_is_left_alone(counts: WordCounts, question: str) -> None:
    assert counts.correct_text(question) == question


def test_the_counts_of_a_document_are_kept_until_it_changes(tmp_path: Path) -> None:
    library = Library(tmp_path)
    add_rulebook(library, "Rules", ("1", "A race-day chassis is weighed."), ("2", "Chassis race."))
    first = count_words(library, Scope(library.documents(), "all"))
    [kept] = (tmp_path / "derived" / "word_counts").iterdir()
    written = kept.stat().st_mtime_ns
    add_rulebook(library, "More rules", ("1", "Each chassis has one number."))
    both = count_words(library, Scope(library.documents(), "all"))
    assert (first.clauses, both.clauses) == (2, 3)
    assert (first.by_word["chassis"], both.by_word["chassis"]) == (2, 3)
    assert (both.by_stem["race"], both.by_stem["number"]) == (2, 1)
    assert kept.stat().st_mtime_ns == written


def test_a_question_is_corrected_by_rulebooks_in_its_language_only(tmp_path: Path) -> None:
    library = Library(tmp_path)
    add_rulebook(library, "Rules", ("1", "The chassis is stored in the paddock, and it is dry."))
    add_rulebook(library, "Regeln", ("1", "Der Wagen ist in der Garage und nicht auf dem Platz."))
    counts = count_words(library, Scope(library.documents(), "all"))
    assert not counts.find_typing_errors("Ist die padock auf dem chasis nicht in der Nähe?")
    assert counts.find_typing_errors("Ist die garrage auf dem Platz?") == {"garrage": "garage"}
    assert counts.find_typing_errors("Is the padock in the rules?") == {"padock": "paddock"}


def test_a_search_corrects_what_is_typed(paddock: Library) -> None:
    [hit, *_] = search(paddock, "homologaton", Scope(paddock.documents(), "all"))
    assert hit.clause.article == "2"


@pytest.mark.parametrize("said", ["jump the start", "jumps the start", "jumping the start"])
def test_an_everyday_phrase_is_known_in_every_form_of_its_words(said: str) -> None:
    assert find_synonym_phrases(f"Who {said}?") == (said,)
