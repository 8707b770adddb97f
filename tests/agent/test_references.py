"""The references of cited clauses are read, or reported as not taken into account."""

from dataclasses import replace

from core.agent import events as ev
from core.agent.loop import Agent, Request
from tests.agent.test_loop import QUESTION, SEARCH, events_of, reply, score
from tests.scripted_model import ScriptedModel


def closed(library, quote, results=8, query=QUESTION):
    model = ScriptedModel(
        (replace(SEARCH, query=query), reply("So it is.", quote, library=library), score(9))
    )
    events = list(Agent(library, model, results).ask(Request(QUESTION)))
    return events, events_of(events, ev.Verified)[0].references


def test_a_reference_that_was_not_seen_is_read_and_told(library):
    events, references = closed(library, "A car released in an unsafe condition", results=1)
    assert [(r.article, r.reference, r.state) for r in references] == [("21.6", "38.3c)", "unread")]
    read = [found for found in events_of(events, ev.EvidenceFound) if found.tool == "references"]
    assert [source.article for source in read[0].sources] == ["38.3"]
    assert (
        "Article 21.6 refers to 38.3c), which this answer does not take into account."
        in events[-1].unsettled
    )


def test_a_reference_that_the_draft_saw_is_read(library):
    _, references = closed(
        library, "A car released in an unsafe condition", query="car in an unsafe condition"
    )
    assert [r.state for r in references] == ["read"]


def test_a_document_that_is_not_held_and_an_article_that_is_not_there_are_told_apart(library):
    events, references = closed(library, "Inflation follows Article 8.2")
    assert {r.state for r in references} == {"not_held", "missing"}
    assert any("in no document of the scope" in sentence for sentence in events[-1].unsettled)


def test_an_answer_without_references_settles_everything(library):
    events, references = closed(library, "50 km/h")
    assert references == events[-1].unsettled == ()
