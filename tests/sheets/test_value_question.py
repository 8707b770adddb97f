"""A question about a value to start with: a limit that the documents themselves set."""

import json

import pytest

from core.library import Library
from core.library.ingestion.ingest import add_bytes
from core.sheets import complete_library, suggest_examples
from core.sheets.value_question import suggest_value_question


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def add_rules(library, name, **texts):
    rules = [
        {"document": name, "article": f"1.{number}", "title": title.replace("_", " "), "text": text}
        for number, (title, text) in enumerate(texts.items(), 1)
    ]
    [added] = add_bytes(library, "\n".join(map(json.dumps, rules)).encode(), f"{name}.jsonl")
    return added.document


def suggested(library, *documents):
    complete_library(library)
    return suggest_value_question(library, documents)


def test_a_title_that_names_what_its_limit_measures_makes_a_question(library):
    text = "The wheelbase must be at least 1200 mm."
    sled = add_rules(library, "Sled", Bells="A sled has 2 kg of bells.", Wheelbase=text)
    assert suggested(library, sled) == "May the wheelbase be 1200 mm?"


def test_a_title_above_two_limits_makes_none(library):
    text = "The wheelbase must be at least 1200 mm on ice. It must be at most 1500 mm on snow."
    assert suggested(library, add_rules(library, "Sled", Wheelbase=text)) == ""


def test_the_first_document_with_a_question_gives_it(library):
    bell = add_rules(library, "Bell", Bells="A sled has 2 kg of bells.")
    sled = add_rules(library, "Sled", Wheelbase="The wheelbase must be at least 1200 mm.")
    assert suggested(library, bell, sled) == "May the wheelbase be 1200 mm?"


def test_limits_that_are_not_read_yet_are_not_waited_for(library):
    sled = add_rules(library, "Sled", Wheelbase="The wheelbase must be at least 1200 mm.")
    assert suggest_value_question(library, [sled]) == ""


def test_a_document_without_titles_has_questions_before_its_limits_are_read(library):
    rules = [
        {
            "document": "Sled",
            "article": "1.1",
            "text": "Each sled has a bell and two smooth runners.",
        },
        {"document": "Sled", "article": "1.2", "text": "The minimum runner width is 20 mm."},
        {"document": "Sled", "article": "1.3", "text": "Its minimum width is 500 mm."},
    ]
    [added] = add_bytes(library, "\n".join(map(json.dumps, rules)).encode(), "sled.jsonl")
    assert suggest_examples(library, [added.document]) == ["What is the minimum runner width?"]


def test_a_limit_a_penalty_and_a_term_are_asked_for_in_turn(library):
    sled = add_rules(
        library,
        "Sled",
        Runners="The runners must be smooth.",
        Runner_width="The runner width must be at least 20 mm.",
        Whistles='"Sled Whistle" means a whistle that is heard from the gate.',
        Gates="Any driver who leaves the gate before the whistle is heard will be fined 5 EUR.",
        Flags="Any driver who does so again will be fined 9 EUR.",
    )
    complete_library(library)
    assert suggest_examples(library, [sled]) == [
        "May the runner width be 20 mm?",
        "What is the penalty for any driver who leaves the gate before the whistle is heard?",
        "What does “Sled Whistle” mean?",
        "What is the limit on runner width?",
    ]
