"""Question sets as people write them are read; an error names its line."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import LibraryError, ReadError
from core.evaluation.questions import (
    MAX_QUESTIONS,
    KeyedQuestion,
    question_scope,
    read_questions,
    select_held,
)
from core.library.types import Document, ScopeChoice

HEADER = "question,articles,season,document\n"


def test_csv_with_a_header():
    found = read_questions(
        (HEADER + 'How fast?,"21.3; 21.4",2024,cup\n\nWhy?,none,,\n').encode(), "q.csv"
    )
    assert found == (
        KeyedQuestion(2, "How fast?", ("21.3", "21.4"), season=2024, document="cup"),
        KeyedQuestion(4, "Why?", (), refusal=True),
    )


def test_csv_as_a_spreadsheet_saves_it():
    found = read_questions(
        "\ufeffQuestion;Articles;Notes\r\nHow fast?;21.3|21.4;x\r\n".encode(), "q.csv"
    )
    assert found == (KeyedQuestion(2, "How fast?", ("21.3", "21.4")),)


def test_json_lines():
    lines = (
        '{"question": "How fast?", "articles": ["App. 1, Part B"], "season": 2024, "id": 7}\n\n'
        '{"question": "Why?", "articles": "none", "says": null}'
    )
    assert read_questions(lines.encode(), "q.jsonl") == (
        KeyedQuestion(1, "How fast?", ("App. 1, Part B",), season=2024),
        KeyedQuestion(3, "Why?", (), refusal=True),
    )


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85"])
def test_a_json_string_may_hold_other_line_separators(sign):
    questions = (f"How{sign}fast?", "Why?")
    lines = "".join(f'{{"question": "{text}", "articles": "none"}}\r\n' for text in questions)
    found = read_questions(lines.encode(), "q.jsonl")
    assert [(question.line, question.text) for question in found] == [
        (1, f"How{sign}fast?"),
        (2, "Why?"),
    ]


def test_a_question_may_expect_words_and_a_season():
    header, row = "question,articles,says,answer_season", "How heavy?,4.1,"
    csv_set = f'{header}\n{row}"Main Race | 617 kg; not legal",2024\n'
    heavy = KeyedQuestion(
        2, "How heavy?", ("4.1",), says=("Main Race | 617 kg", "not legal"), answer_season=2024
    )
    assert read_questions(csv_set.encode(), "q.csv") == (heavy,)
    lines = '{"question": "How?", "articles": ["4.1"], "says": ["a; b"], "answer_season": null}'
    assert read_questions(lines.encode(), "q.jsonl") == (
        KeyedQuestion(1, "How?", ("4.1",), says=("a; b",)),
    )


def test_a_cell_may_hold_several_lines():
    found = read_questions((HEADER + '"How\nfast?",21.3,,\nWhy?,1,,\n').encode(), "q.csv")
    assert [(question.line, question.text) for question in found] == [
        (2, "How\nfast?"),
        (4, "Why?"),
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"text,articles\nHow?,1\n", "Line 1 of q names no column “question”."),
        (b"question;article\nHow?;1\n", "Line 1 of q names no column “articles”."),
        (
            (HEADER + "How?,1,,\n ,2,,\n").encode(),
            "Line 3 of q cannot be used: question: it is empty.",
        ),
        ((HEADER + "How?,1,soon,\n").encode(), "Line 2 of q cannot be used: season: "),
        ((HEADER + "How?,1,24,\n").encode(), "Line 2 of q cannot be used: season: "),
        (
            (HEADER + "How, really?,1,2024,cup,\n").encode(),
            "Line 2 of q has 6 cells, the header 4.",
        ),
        ((HEADER + 'How?,1,,\n"Why?,1,,\n').encode(), "Line 3 of q is not CSV: "),
        (HEADER.encode() + b"How?,1,,\nWh\xff?,1,,\n", "Line 3 of q is not UTF-8 text."),
        (b'{"question": "How?", "articles": []}\n{"question": \n', "Line 2 of q is not JSON."),
        (b'[{"question": "How?"}]', "Line 1 of q is no JSON object."),
        (b'{"question": "How?"}', "Line 1 of q cannot be used: articles: Field required."),
        (b'{"question": "How?", "articles": [3]}', "Line 1 of q cannot be used: articles.0: "),
        (b'{"question": "How?", "articles": 3}', "Line 1 of q cannot be used: articles: "),
        (
            b'{"question": "' + b"x" * 10_001 + b'", "articles": []}',
            "Line 1 of q cannot be used: question: ",
        ),
        (
            b"question,articles,says\nHow?,none,5 m\n",
            "Line 2 of q says that no rule answers, and what the answer holds.",
        ),
        (
            b"question,articles,says\nHow?,,5 m\n",
            "Line 2 of q says what the answer holds, and no article",
        ),
        (
            b"question,articles,answer_season\nHow?,,2024\n",
            "Line 2 of q says what the answer holds, and no article",
        ),
        (
            b"question,articles,answer_season\nHow?,1,soon\n",
            "Line 2 of q cannot be used: answer_season: ",
        ),
        (b"[" * 100_000, "Line 1 of q is not JSON."),
        (HEADER.encode(), "q holds no question."),
        (b"", "Line 1 of q names no column"),
        (HEADER.encode() + b"How?,1,,\n" * (MAX_QUESTIONS + 1), "q holds 2,001 questions"),
        (HEADER.encode() + b"x" * 200_000 + b",1,,\n", "Line 2 of q is not CSV: "),
    ],
)
def test_an_error_names_its_line(data, expected):
    with pytest.raises(ReadError) as caught:
        read_questions(data, "q")
    assert caught.value.message.startswith(expected)
    assert caught.value.code in ("bad_line", "empty")


def test_the_example_that_ships_can_be_read():
    path = Path(__file__).parents[2] / "data" / "samples" / "questions.csv"
    questions = read_questions(path.read_bytes(), path.name)
    assert len(questions) == 16
    assert sum(question.refusal for question in questions) == 3
    path = path.with_name("hard_questions.csv")
    hard = read_questions(path.read_bytes(), path.name)
    assert len(hard) == 60
    assert sum(question.refusal for question in hard) == 24
    assert all(question.says or question.refusal or len(question.articles) > 1 for question in hard)


def make_document(document_id: str, family: str, issue: int) -> Document:
    return Document(
        title="Rules",
        family=family,
        season=2024,
        issue=issue,
        document_id=document_id,
        file=f"{family}{issue}.pdf",
        pages=1,
        clauses=1,
        size=1,
        added_at="",
    )


def test_documents_are_named_in_any_usual_way():
    first, second = make_document("a" * 64, "cup", 1), make_document("b" * 64, "cup", 2)

    def chosen(name):
        question = KeyedQuestion(2, "?", (), season=2024, document=name)
        return question_scope(question, (first, second))

    assert chosen(None) == ScopeChoice(season=2024)
    assert chosen("CUP") == ScopeChoice(season=2024, family="cup")
    for name in ("cup2.pdf", "2024 Rules, Issue 2", "b" * 12):
        assert chosen(name) == ScopeChoice(document=second.document_id)
    with pytest.raises(LibraryError, match="Line 2 asks for the document “other”"):
        chosen("other")


def test_questions_on_seasons_of_which_nothing_is_held_are_left_out():
    asked = read_questions(
        b"question,articles,season,answer_season\n"
        b"How heavy?,1.1,2024,\nHow long?,1.2,1999,\nHow wide?,1.3,,1999\nHow high?,1.4,,\n",
        "set.csv",
    )
    held = [SimpleNamespace(season=2024), SimpleNamespace(season=None)]
    assert [one.text for one in select_held(asked, held)] == ["How heavy?", "How high?"]
