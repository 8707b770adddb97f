"""Questions to start with: from what is held, whichever way its rules are numbered."""

import json

from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.sheets.starter_questions import list_term_questions, list_topic_questions

WORDS = "The hammer is put down before the marker is moved, and is carried by its handle alone."


def add_book(library, name, **titles):
    lines = [
        {"document": name, "article": number, "title": title, "text": WORDS}
        for number, title in titles.items()
    ]
    [added] = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"{name}.jsonl")
    return added.document


def test_topics_are_asked_for_whichever_way_rules_are_numbered(tmp_path):
    library = Library(tmp_path)
    for numbers in (("7", "8"), ("T 2.1", "T 2.2"), ("GR.1.1", "GR.1.2"), ("34.7", "34.8")):
        book = add_book(
            library, f"Book {numbers[0]}", **{numbers[0]: "Hammers", numbers[1]: "Hoops"}
        )
        assert list_topic_questions(library, book) == [
            "What are the rules on hammers?",
            "What are the rules on hoops?",
        ]


def test_terms_of_several_words_come_first_and_then_those_that_are_used_most(tmp_path):
    library = Library(tmp_path)
    lines = [
        {"article": "1", "title": "Hoops", "text": f'{WORDS} "Hoop" means a bent wire.'},
        {"article": "2", "text": f'{WORDS} "Jack" means the small white ball.'},
        {"article": "3", "text": f'{WORDS} "Rover Hoop" means the last Hoop before the peg.'},
    ]
    text = "\n".join(json.dumps({"document": "Bowls", **line}) for line in lines)
    [added] = add_bytes(library, text.encode(), "bowls.jsonl")
    assert list_term_questions(library, added.document) == [
        "What does “Rover Hoop” mean?",
        "What does “Hoop” mean?",
        "What does “Jack” mean?",
    ]
