"""Questions to start with: from what is held, whichever way its rules are numbered."""

import json

from core.library import suggest_questions
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library

WORDS = "The hammer is put down before the marker is moved, and is carried by its handle alone."


def add_book(library, name, **titles):
    lines = [
        {"document": name, "article": number, "title": title, "text": WORDS}
        for number, title in titles.items()
    ]
    [added] = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"{name}.jsonl")
    return added.document


def test_numbers_of_every_kind_make_questions(tmp_path):
    library = Library(tmp_path)
    for numbers in (("7", "8"), ("T 2.1", "T 2.2"), ("GR.1.1", "GR.1.2"), ("34.7", "34.8")):
        book = add_book(library, f"Book {numbers[0]}", **dict.fromkeys(numbers, "Hammers"))
        assert [number in str(suggest_questions(library, [book])) for number in numbers] == [
            True
        ] * 2


def test_each_document_has_its_turn_before_another_has_two(tmp_path):
    library = Library(tmp_path)
    croquet = add_book(library, "Croquet", **{"1.1": "Mallets", "1.2": "Hoops", "1.3": "Balls"})
    bowls = add_book(library, "Bowls", **{"9.1": "The jack"})
    asked = suggest_questions(library, [croquet, bowls])
    assert ["9.1" in question for question in asked] == [False, True, False, False]


def test_a_number_that_two_clauses_have_makes_no_question(tmp_path):
    library = Library(tmp_path)
    lines = [{"document": "Darts", "article": "1", "title": name, "text": WORDS} for name in "AB"]
    [added] = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "darts.jsonl")
    assert suggest_questions(library, [added.document]) == []


def test_a_penalty_or_a_definition_is_asked_for_where_there_is_one(tmp_path):
    library = Library(tmp_path)
    lines = [
        {"article": "1", "title": "Hoops", "text": WORDS},
        {"article": "2", "title": "Late hits", "text": f"{WORDS} Whoever hits late is fined €5."},
        {"article": "3", "text": f'{WORDS} "Jack" means the small white ball.'},
    ]
    text = "\n".join(json.dumps({"document": "Bowls", **line}) for line in lines)
    [added] = add_bytes(library, text.encode(), "bowls.jsonl")
    asked = ["What is the penalty for late hits?", "What does “Jack” mean?"]
    assert suggest_questions(library, [added.document]) == asked
