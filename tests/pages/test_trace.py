"""The reasoning as it is drawn: live and replayed alike, whatever the events say."""

from itertools import chain, product

import pytest
from streamlit.testing.v1 import AppTest

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.base import Assessment, Classification, Reply
from core.agent.types import RunBudget, Score
from core.errors import ModelError
from core.library.storage.library import Library
from core.library.types import Hit
from core.model_calls.types import ToolCall, Usage
from core.verification.evidence import Evidence, cite
from tests.pages.visit import lines_of, page_of, reasoning, tables_of
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
    from core.agent.events import from_json
    from pages.components.trace import show_trace

    show_trace([from_json(line) for line in lines], live)


def drawn(events, live=False) -> AppTest:
    app = page_of(drawing, [event.model_dump_json() for event in events], live).run()
    assert not app.exception
    return app


def panels(events, live=False):
    """The panels of a run, as the browser draws them."""
    return reasoning(drawn(events, live))


def lines(events, live=False):
    """All that the reasoning of a run says."""
    return list(chain.from_iterable(map(lines_of, panels(events, live))))


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
    live, replayed = panels(events[:-1], live=True), panels(events[:-1])
    assert lines(events[:-1], live=True) == lines(events[:-1])
    assert list(map(tables_of, live)) == list(map(tables_of, replayed))
    assert live[0]["label"].startswith("Question")
    assert [p["label"] for p in live[1:]] == [p["label"] for p in replayed[1:]]
    assert [p["live"] for p in live] == [False, False, False, True]
    assert not any(panel["live"] for panel in replayed)


def test_each_iteration_has_a_panel_that_says_how_it_went(events):
    labels = [panel["label"].replace("\\", "") for panel in panels(events)]
    assert labels[0].startswith("3 articles read · 1 quote verified · 3 iterations, 9.0/10")
    assert labels[1].startswith("Iteration 1 · Search · “speed” · ")
    assert labels[1].endswith("5.0/10 · query refined")
    assert labels[2].startswith("Iteration 2 · Search · “speed limit pit lane”")
    assert labels[3].endswith("9.0/10 · accepted")


def test_a_run_is_one_element_and_each_panel_says_what_its_iteration_did(events):
    app = drawn(events)
    assert (len(app.get("bidi_component")), len(app.main.children)) == (1, 1)
    [query] = [line for line in lines_of(reasoning(app)[2]) if "**Query**" in line]
    assert "speed limit pit lane" in query
    assert not any("**Scope**" in line for line in lines_of(reasoning(app)[2]))


def test_streamlit_draws_the_same_panels_where_a_setting_says_so(events, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_PLAIN_REASONING", "true")
    app = drawn(events)
    assert not app.get("bidi_component")
    monkeypatch.delenv("SCRUTINEER_PLAIN_REASONING")
    for plain, panel in zip(app.expander, panels(events), strict=True):
        assert plain.label == panel["label"]
        [text] = [element.value for element in plain.markdown]
        assert all(line in text for line in lines_of(panel))
        assert all("|".join(row) in text for table in tables_of(panel) for row in table)


def test_while_a_draft_grows_the_clauses_above_it_are_folded(events):
    grown = next(n for n, event in enumerate(events) if event.type == "DraftGrew")
    long = events[grown].model_copy(update={"text": "The pit lane is slow. " * 60})
    *_, at_work = panels((*events[:grown], long), live=True)
    found = [part for part in at_work["parts"] if "rows" in part]
    assert [(part["title"], part["open"]) for part in found] == [("Clauses found · 3", False)]
    [draft] = [part for part in at_work["parts"] if "text" in part and part["kind"] == "draft"]
    assert draft["live"]


def test_a_panel_holds_the_whole_of_its_iteration(events):
    first = panels(events)[1]
    found, *_, scores = tables_of(first)
    told = "\n".join([*lines_of(first), *chain.from_iterable(scores)]).replace("\\", "")
    assert "Tool round 1" in told
    assert "failed" in told
    assert "Let me look." in told
    assert "That tool is not there." in told
    assert "1,200 tokens in, 80 out" in told
    assert "$0.0040" in told
    assert "Nothing is quoted." in told
    assert "Missing** the value" in told
    assert "query refined (REFINE_QUERY)" in told
    assert found[0][:2] == ["Rank", "No."]


@pytest.mark.slow
def test_a_draft_that_begins_anew_takes_the_place_of_what_broke_off(events):
    begun = next(n for n, event in enumerate(events) if event.type == "DraftGrew")
    broken = events[begun].model_copy(update={"text": "It is sl"})
    cut = ev.ThoughtGrew(iteration=1, text="The connection was cut.")
    for live, between in product((True, False), ([cut], [])):
        told = lines((*events[:begun], broken, *between, events[begun]), live)
        drafts = [line.replace("\\", "") for line in told if "It is" in line]
        assert drafts == ["It is :red[slow] <b>."]


def test_a_scope_that_stays_the_same_is_told_once(events):
    told = lines(events)
    assert sum("**Scope**" in line for line in told) == 1
    assert not any("Question as understood" in line for line in told)


def test_what_the_model_writes_stays_text(events):
    assert "It is \\:red\\[slow\\] \\<b\\>\\." in lines_of(panels(events)[1])


def test_one_line_says_what_matters(events):
    first, *_, last = panels(events)
    line = first["label"].replace("\\", "")
    assert line.startswith("3 articles read · 1 quote verified · 3 iterations, 9.0/10 · ")
    assert any("3 iterations · 1 tool round · 4 tool calls" in line for line in lines_of(last))


def test_a_run_that_goes_on_elsewhere_has_no_end_yet(events):
    assert panels(events[:5])[0]["label"] == "Still going on"


def test_a_run_without_iterations_has_a_panel_too(rules):
    greeting = [Classification("GENERAL", "answer", "hello", "", "", "A greeting.", "Hello.")]
    agent = Agent(Library(rules), ScriptedModel(greeting))
    [panel] = panels(tuple(agent.ask(Request("hello"))))
    assert any("a general question" in line for line in lines_of(panel))
