"""The references of cited clauses are read, or reported as not taken into account."""

import json
from dataclasses import replace

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.library import Library
from core.library.ingestion.ingest import add_bytes
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
    assert "Article 21.6 refers to 38.3c), which is not quoted here." in events[-1].unsettled


def test_a_reference_that_the_draft_saw_is_read(library):
    _, references = closed(
        library, "A car released in an unsafe condition", query="car in an unsafe condition"
    )
    assert [r.state for r in references] == ["read"]


def test_a_document_that_is_not_held_and_an_article_that_is_not_there_are_told_apart(library):
    events, references = closed(library, "Inflation follows Article 8.2")
    assert {r.state for r in references} == {"not_held", "missing"}
    assert any("in no document of the scope" in sentence for sentence in events[-1].unsettled)


def test_a_heading_is_taken_into_account_where_its_child_is_cited(tmp_path):
    rules = {
        "1.1": "Karts are weighed as Article 3 says, and no other way.",
        "3": "WEIGHING",
        "3.1": "A kart is weighed with its driver, dry.",
        "4.1": "Drivers rest.",
    }
    lines = [{"document": "Kart", "article": number, "text": rules[number]} for number in rules]
    library = Library(tmp_path)
    list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "kart.jsonl"))
    model_reply = reply("So it is.", "Karts are weighed", library=library, season=None)
    child = reply("", "A kart is weighed with its driver", library=library, season=None)
    states = []
    for citations in (model_reply.citations, (*model_reply.citations, *child.citations)):
        script = (replace(SEARCH, query="Article 1.1"), replace(model_reply, citations=citations))
        events = list(
            Agent(library, ScriptedModel((*script, score(9))), 1).ask(Request("Weighed?"))
        )
        states.append([r.state for r in events_of(events, ev.Verified)[0].references])
    assert [one[0] for one in states][1] == "read"


def test_an_answer_without_references_settles_everything(library):
    events, references = closed(library, "50 km/h")
    assert references == events[-1].unsettled == ()


def test_an_exception_is_offered_next_where_its_sentence_names_the_rule(tmp_path):
    """An appendix names many rules, and has exceptions to others."""
    rules = {
        "1.1": "Every kart must carry a yellow bumper.",
        "2.1": "Karts of juniors carry the bumper of Article 1.1. Gloves are worn, except in rain.",
        "2.2": "A kart of the museum is exempt from Article 1.1.",
    }
    lines = [{"document": "Kart", "article": number, "text": rules[number]} for number in rules]
    library = Library(tmp_path)
    [added] = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "kart.jsonl")
    assert added.status == "added"
    *_, ended = Agent(library, OfflineModel()).ask(Request("What does Article 1.1 say?"))
    assert ended.suggestions == ("What exception to Article 1.1 does Article 2.2 set?",)
