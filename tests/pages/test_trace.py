"""The reasoning as it is drawn: live and replayed alike, whatever the events say."""

from itertools import product

import pytest
from streamlit.testing.v1 import AppTest

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.base import Assessment, Classification, Reply
from core.agent.types import RunBudget
from core.errors import ModelError
from core.library.storage.library import Library
from core.library.types import Hit
from core.model_calls.types import ToolCall, Usage
from core.verification.evidence import Evidence, cite
from core.verification.types import Score
from tests.pages.visit import page_of
from tests.scripted_model import ScriptedModel

QUESTION = "What is the speed limit?"
USAGE = Usage("claude", "server", 1200, 80, seconds=1.2, cost=0.004)


def scripted(rules):
    """A run with a failing tool call, a refinement and a model that stumbles once."""
    weak, good = (
        Score(4, 5, 6, 5, {"accuracy": "Nothing is quoted."}, "the value"),
        Score(9, 9, 9, 9),
    )
    library = Library(rules)
    [document] = [one for one in library.documents() if one.season == 2024]
    [clause] = [c for c in library.clauses(document.document_id) if c.article == "21.3"]
    [source] = Evidence().add_hits([Hit(clause, 1.0, "words")], {})
    cited = (cite(source, "The speed limit in the pit lane is 50 km/h"),)
    script = [
        Classification(
            "SEARCH", "tool", QUESTION, "regulation_search", "speed", "A specific rule."
        ),
        Reply("Let me look.", "", (), (ToolCall("1", "no_such_tool", {"query": "speed"}),), USAGE),
        Reply("That tool is not there.", "It is :red[slow] <b>.", (), (), USAGE),
        Reply("I mend it.", "It is :red[slow] <b>.", (), (), USAGE),
        Assessment(
            weak, "REFINE_QUERY", "regulation_search", "speed limit pit lane", "Be more specific."
        ),
        ModelError("The model did not answer.", code="overloaded"),
        Reply("Again.", "50 km/h [1]", cited, (), USAGE),
        Assessment(good, "CONCLUDE", "", "", "Good."),
    ]
    return tuple(
        Agent(library, ScriptedModel(script)).ask(Request(QUESTION, budget=RunBudget(3, 8.0)))
    )


def drawing(lines, live):
    """A page that draws these events and nothing else."""
    import streamlit as st

    from core.agent.events import from_json
    from pages.components.trace import Trace

    Trace(st.container()).draw([from_json(line) for line in lines], live)


def drawn(events, live=False, unfolded=True) -> AppTest:
    """The page, with all of its panels opened if they are to be `unfolded`."""
    lines = [ev.to_json(event) for event in events]
    app = page_of(drawing, lines, live)
    if unfolded:
        for number, event in enumerate(events):
            app.session_state[f"trace-{event.run_id}-{number}"] = True
            app.session_state[f"found-{event.run_id}-{event.seq}"] = True
    app.run()
    assert not app.exception
    return app


@pytest.fixture(scope="session")
def events(rules):
    return scripted(rules)


def test_the_run_told_of_has_what_a_trace_must_show(events):
    kinds = {event.type for event in events}
    assert kinds >= {
        "Asked",
        "Classified",
        "PlanMade",
        "ToolCalled",
        "EvidenceFound",
        "ThoughtGrew",
        "DraftGrew",
    }
    assert kinds >= {"Drafted", "Verified", "Scored", "Decided", "ModelCalled", "Warned", "Ended"}


def test_live_and_replayed_look_the_same(events):
    live, replayed = drawn(events, live=True), drawn(events)
    for kind in ("markdown", "text", "caption", "progress"):
        assert [element.value for element in live.get(kind)] == [
            element.value for element in replayed.get(kind)
        ]
    *done, at_work = [panel.label for panel in live.status]
    *before, last = [panel.label for panel in panels(replayed)]
    assert done[0].startswith("Question")
    assert (done[1:], at_work) == (before[1:], f":shimmer[{last}]")
    tables = zip(live.dataframe, replayed.dataframe, strict=True)
    assert all(one.value.equals(other.value) for one, other in tables)


def panels(app):
    """The panels of a replayed run."""
    return app.expander


def test_each_iteration_has_a_panel_that_says_how_it_went(events):
    labels = [panel.label.replace("\\", "") for panel in panels(drawn(events))]
    assert labels[0].startswith("3 articles read · 1 quote verified · 3 iterations, 9.0/10")
    assert labels[1].startswith("Iteration 1 · Search · “speed” · ")
    assert labels[1].endswith("5.0/10 · query refined")
    assert labels[2].startswith("Iteration 2 · Search · “speed limit pit lane”")
    assert labels[3].endswith("9.0/10 · accepted")


def test_a_closed_panel_has_no_contents_and_an_open_one_says_what_it_would(events):
    closed = drawn(events, unfolded=False)
    assert (len(panels(closed)), len(closed.markdown), len(closed.dataframe)) == (4, 0, 0)
    closed.session_state[f"trace-{events[0].run_id}-2"] = True
    [query] = [line.value for line in closed.run().markdown if "**Query**" in line.value]
    assert "speed limit pit lane" in query
    assert not any("**Scope**" in line.value for line in closed.markdown)


def test_while_a_draft_grows_the_clauses_above_it_are_folded(events):
    grown = next(n for n, event in enumerate(events) if event.type == "DraftGrew")
    long = events[grown].model_copy(update={"text": "The pit lane is slow. " * 60})
    app = drawn((*events[:grown], long), live=True, unfolded=False)
    assert [panel.label for panel in app.expander] == ["3 clauses found"]
    assert not app.dataframe


def test_a_panel_holds_the_whole_of_its_iteration(events):
    first = panels(drawn(events))[1]
    told = "\n".join(element.value for element in (*first.markdown, *first.caption)).replace(
        "\\", ""
    )
    assert "Tool round 1" in told
    assert "failed" in told
    assert "Let me look." in told
    assert "That tool is not there." in told
    assert "1,200 tokens in, 80 out" in told
    assert "$0.0040" in told
    assert "Nothing is quoted." in told
    assert "Missing** the value" in told
    assert "query refined (REFINE_QUERY)" in told
    assert list(first.dataframe[0].value.columns)[:2] == ["Rank", "No."]


@pytest.mark.slow
def test_a_draft_that_begins_anew_takes_the_place_of_what_broke_off(events):
    begun = next(n for n, event in enumerate(events) if event.type == "DraftGrew")
    broken = events[begun].model_copy(update={"text": "It is sl"})
    cut = ev.ThoughtGrew(iteration=1, text="The connection was cut.")
    for live, between in product((True, False), ([cut], [])):
        told = drawn((*events[:begun], broken, *between, events[begun]), live)
        drafts = [
            element.value.replace("\\", "") for element in told.markdown if "It is" in element.value
        ]
        assert drafts == ["It is :red[slow] <b>."]


def test_a_scope_that_stays_the_same_is_told_once(events):
    told = [element.value for element in drawn(events).markdown]
    assert sum("**Scope**" in line for line in told) == 1
    assert not any("Question as understood" in line for line in told)


def test_what_the_model_writes_stays_text(events):
    markdown = [element.value for element in panels(drawn(events))[1].markdown]
    assert "It is \\:red\\[slow\\] \\<b\\>\\." in markdown


def test_one_line_says_what_matters(events):
    app = drawn(events)
    line = panels(app)[0].label.replace("\\", "")
    assert line.startswith("3 articles read · 1 quote verified · 3 iterations, 9.0/10 · ")
    assert "3 iterations · 1 tool round · 4 tool calls" in app.caption[-1].value


def test_a_run_that_goes_on_elsewhere_has_no_end_yet(events):
    assert panels(drawn(events[:5]))[0].label == "Still going on"


def test_a_run_without_iterations_has_a_panel_too(rules):
    greeting = [Classification("GENERAL", "answer", "hello", "", "", "A greeting.", "Hello.")]
    app = drawn(tuple(Agent(Library(rules), ScriptedModel(greeting)).ask(Request("hello"))))
    assert len(panels(app)) == 1
    assert any("a general question" in line.value for line in app.markdown)
