"""The page Evaluate: how well a question set is answered."""

import csv
import io
from dataclasses import replace

import pytest

from core.evaluation.runner import EvaluationStore
from pages.components import services
from tests.pages.visit import opened, text_of
from tests.patience import PATIENCE

SET = b"""question,articles,season
What is the speed limit in the pit lane?,21.3,2024
How many sets of Prime tyres may a driver use?,99.1,2024
How many double-decker buses may a team park?,none,2024
"""


def at_evaluate():
    app = opened().switch_page("runs.py")
    app.query_params["runs-view"] = "evaluation"
    app.run()
    assert not app.exception
    return app


def given(app, data, name="set.csv"):
    app.file_uploader[0].set_value((name, data, "text/csv")).run()
    assert not app.exception
    return app


def put(app):
    """Start, and wait for the end."""
    next(button for button in app.main.button if button.label.startswith("Run ")).click().run()
    assert not app.exception
    services.get_evaluation_worker().wait(PATIENCE)
    app.run()
    assert not app.exception
    return app


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def test_before_the_first_evaluation_the_page_says_what_to_do(library):
    app = at_evaluate()
    assert "No evaluation yet" in text_of(app)
    assert next(button for button in app.main.button if button.label.startswith("Run ")).disabled


def test_an_empty_library_says_what_to_do(library):
    for document in library.documents():
        library.remove_document(document.document_id)
    assert "The library is empty" in text_of(at_evaluate())


@pytest.mark.slow
def test_a_set_is_put_to_the_agent(library, chats):
    app = given(at_evaluate(), SET)
    assert any(button.label == "Run 3 questions" for button in app.main.button)
    put(app)
    assert metrics(app)["Cited"] == "50%"
    assert metrics(app)["Refused rightly"] == "100%"
    assert metrics(app)["Quotes that are correct"] == "100%"
    text = text_of(app)
    assert "3 results of 3" in text
    assert "expected 99.1: not among the first 5" in text
    shares = ("Right, accepted", "Right, not accepted", "Wrong, accepted")
    assert [metrics(app)[label] for label in shares] == ["50%", "0%", "50%"]
    app.segmented_control(key="look").set_value("wrong").run()
    assert "1 result of 3" in text_of(app)
    assert "wrong, accepted" in text_of(app)
    app.segmented_control(key="look").set_value("missed").run()
    assert "1 result of 3" in text_of(app)
    app.button(key="result-3").click().run()
    assert not app.exception
    assert app.title[0].value == "Runs"
    assert "How many sets of Prime tyres" in text_of(app)


@pytest.mark.slow
def test_a_second_evaluation_is_compared_with_the_first(library, chats):
    app = put(given(at_evaluate(), SET))
    app = put(given(app, SET.replace(b"99.1", b"99.1; 40.1")))
    assert metrics(app)["Cited"] == "100%"
    assert "on the 2 questions in both" in text_of(app)
    newest, oldest = services.get_evaluations().load_all()
    twice = replace(
        newest, results=tuple(replace(result, outcome="limit_reached") for result in newest.results)
    )
    assert [result.line for result in twice.filter_results(newest, "worse")] == [2, 3]
    assert [result.line for result in newest.filter_results(twice, "better")] == [2, 3]
    app.selectbox(key=f"evaluation-{newest.evaluation_id}").set_value(oldest.evaluation_id).run()
    assert metrics(app)["Cited"] == "50%"


def test_search_alone(library):
    app = given(at_evaluate(), SET)
    app.segmented_control(key="method").set_value("search").run()
    put(app)
    assert metrics(app)["Expected article first"] == "50%"
    assert "Cited" not in metrics(app)


@pytest.mark.slow
def test_the_example_brings_the_samples_that_it_asks_about(sporting):
    app = at_evaluate()
    app.checkbox(key="example-set").check().run()
    assert "the library lacks some of them" in text_of(app)
    assert next(button for button in app.main.button if button.label.startswith("Run ")).disabled
    next(
        button for button in app.main.button if button.label == "Add the sample rulebooks"
    ).click().run()
    assert not app.exception
    assert len(sporting.documents()) == 6
    app.segmented_control(key="method").set_value("search").run()
    put(app)
    assert "16 results of 16" in text_of(app)
    assert "asks for the document" not in text_of(app)


def test_a_bad_set_is_told_with_its_line(library):
    app = given(at_evaluate(), b"question,articles\nHow?,1\n,2\n")
    assert [error.value.replace("\\", "") for error in app.error] == [
        "Line 3 of set.csv cannot be used: question: it is empty. Correct it and try again."
    ]


def test_an_evaluation_is_forgotten(library):
    app = given(at_evaluate(), SET)
    app.segmented_control(key="method").set_value("search").run()
    put(app)
    next(button for button in app.main.button if button.label == "Yes, remove it").click().run()
    assert "No evaluation yet" in text_of(app)


def test_results_go_into_files(library, data):
    app = given(at_evaluate(), SET)
    app.segmented_control(key="method").set_value("search").run()
    put(app)
    [evaluation] = EvaluationStore(data / "evaluations").load_all()
    rows = list(csv.DictReader(io.StringIO(evaluation.format_csv().decode("utf-8-sig"))))
    assert [row["rank"] for row in rows] == ["1", "", ""]
    assert evaluation.to_json(None)["figures"]["hit_1"] == 0.5
    assert [result.line for result in evaluation.filter_results(None, "missed")] == [3]
