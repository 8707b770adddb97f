"""The page Runs: past questions as a list, and the replay of a run."""

import csv
import io
from datetime import date

import pytest

from core.chats import ORDERS, choose_runs, runs_csv
from pages.components.dates import local_day
from tests.pages.visit import ask, labels, opened, text_of

SPEED = "What is the speed limit in the pit lane?"
BUSES = "How many double-decker buses may a team park?"


def at_runs(**address):
    app = opened().switch_page("runs.py")
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def questions(app):
    buttons = [b for b in app.main.button if b.key and b.key.startswith("run-")]
    return [button.label.replace("\\", "") for button in buttons]


def test_before_the_first_question_the_page_says_what_to_do(library):
    assert "Nothing has been asked yet" in text_of(at_runs())


@pytest.mark.slow
def test_every_run_is_listed_with_what_came_of_it(library, chats):
    ask(ask(opened(), SPEED), BUSES)
    app = at_runs()
    assert questions(app) == [BUSES, SPEED]
    text = text_of(app)
    assert "2 runs of 2" in text
    assert ":green-badge[Answered]" in text
    assert "1 iteration" in text


@pytest.mark.slow
def test_runs_are_found_by_words_outcome_and_day(library, chats):
    ask(ask(opened(), SPEED), BUSES)
    app = at_runs()
    app.text_input(key="asked").set_value("pit speed").run()
    assert questions(app) == [SPEED]
    app.text_input(key="asked").set_value("").run()
    app.pills(key="outcome").set_value(["answered"]).run()
    assert questions(app) == [SPEED]
    app.date_input(key="days").set_value((date(2020, 1, 1), date(2020, 2, 1))).run()
    assert "No runs match" in text_of(app)
    app.date_input(key="days").set_value((date(2020, 1, 1), date(2120, 1, 1))).run()
    assert questions(app) == [SPEED]


@pytest.mark.slow
def test_a_run_is_opened_and_replayed(library, chats):
    ask(opened(), SPEED)
    app = at_runs()
    app.button(
        key=next(b.key for b in app.main.button if b.key and b.key.startswith("run-"))
    ).click().run()
    assert not app.exception
    assert SPEED in text_of(app)
    assert any(label.startswith("Iteration 1") for label in labels(app))
    assert "50 km/h" in text_of(app)
    next(button for button in app.main.button if button.label == "All runs").click().run()
    assert questions(app) == [SPEED]


def test_a_run_has_an_address_and_leads_to_its_chat(library, chats):
    ask(opened(), SPEED)
    [line] = chats.list_run_summaries()
    app = at_runs(run=line.run_id)
    next(button for button in app.main.button if button.label == "Open in its chat").click().run()
    assert not app.exception
    assert app.query_params["chat"] == line.conversation_id
    assert "50 km/h" in text_of(app)


def test_an_address_without_a_run_is_told(library, chats):
    assert "The chat of this run was deleted" in text_of(at_runs(run="nothing"))


@pytest.mark.slow
def test_runs_come_in_the_order_asked_for_and_as_a_file(library, chats):
    ask(ask(opened(), SPEED), BUSES)
    lines = chats.list_run_summaries()
    by_order = {order: choose_runs(lines, order, local_day) for order in ORDERS}
    assert [line.question for line in by_order["oldest"]] == [SPEED, BUSES]
    assert by_order["best score"][0].question == SPEED
    worst = by_order["worst score"]
    assert worst[-1].score is None or worst[0].question == BUSES
    rows = list(csv.DictReader(io.StringIO(runs_csv(lines).decode("utf-8-sig"))))
    assert [row["question"] for row in rows] == [BUSES, SPEED]
    assert rows[1]["outcome"] == "answered"
