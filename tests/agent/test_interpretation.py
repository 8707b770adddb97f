"""Clauses on how documents are to be read, and sentences on text that is not in force."""

import json
from dataclasses import replace

import pytest

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.markdown import format_tables
from core.agent.models.offline.model import OfflineModel
from core.agent.types import ResultCoverage, ToolResult
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from tests.agent.test_claude import claude, texts
from tests.agent.test_loop import events_of
from tests.messages_server import assessed, citing, classified, search_results

RULES = (
    ("1.1", "The definitive text is the English version. Headings are for ease of reference only."),
    ("1.2", "“Must” means a duty; “may” means a permission."),
    ("8.1", "The fuel tank must hold no more than 55 litres."),
    ("8.2", "Refuelling is forbidden during the Main Race. Hoses are kept dry in the Main Race."),
    ("8.3", "The joker lap must be taken once by each driver."),
    ("8.4", "Spray guards must be fitted to all wheels in the rain."),
)
QUESTION = "How many litres may the fuel tank hold?"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Rules of which 8.3 and some words of 8.2 are struck out, and 8.4 holds only from 2026."""
    library = Library(tmp_path_factory.mktemp("standing"))
    given = {"document": "Kart Rules", "season": 2024, "issue": 3, "family": "kart"}
    lines = (json.dumps(given | {"article": article, "text": text}) for article, text in RULES)
    [addition] = add_bytes(library, "\n".join(lines).encode(), "kart.jsonl")
    *kept, fuel, joker, spray = library.clauses(addition.document.document_id)
    library.remove_document(addition.document.document_id)
    words = "Refuelling is forbidden during the Main Race."
    fuel = replace(fuel, text="Hoses are kept dry in the Main Race.", deleted=(words,))
    joker = replace(joker, text="", status="deleted", deleted=(joker.text,))
    spray = replace(spray, status="future", future=2026)
    library.add_documents(b"{}", ".jsonl", [(addition.document, (*kept, fuel, joker, spray))])
    return library


def asked(library, question):
    return list(Agent(library, OfflineModel()).ask(Request(question)))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "What does Article 8.3 say?",
            "Deleted in 2024 Kart Rules, Issue 3, no longer in force: a former Article 8.3, “The",
        ),
        (
            "Must the joker lap be taken?",
            "Deleted in 2024 Kart Rules, Issue 3, no longer in force: a former Article 8.3, “The",
        ),
        (
            "What does Article 8.4 say?",
            "Issue 3 holds a text of Article 8.4 for 2026, not yet in force: “Spray guards",
        ),
        (
            "Must spray guards be fitted?",
            "Issue 3 holds a text of Article 8.4 for 2026, not yet in force: “Spray guards",
        ),
        (
            "Is refuelling in the main race forbidden?",
            "Struck out of Article 8.2 in 2024 Kart Rules, Issue 3, no longer in force: “R",
        ),
    ],
)
def test_what_is_no_rule_is_told_and_not_quoted(library, question, sentence):
    events = asked(library, question)
    assert sentence in events[-1].answer
    assert sentence in events_of(events, ev.ToolCalled)[0].note
    quoted = " ".join(citation.quote for citation in events[-1].citations)
    assert not any(words in quoted for words in ("joker lap", "Spray guards", "Refuelling"))


def test_of_a_long_text_that_was_struck_out_the_sentence_asked_for_is_told_whole(tmp_path):
    filler = [f"Marshal {n} stands beside post {n} of the track and waves." for n in range(30)]
    decides = "A hose that leaks during the Main Race must be taken to the far end of the paddock,"
    decides += " emptied there into a drum of the club, and handed to the chief of the marshals."
    library = Library(tmp_path)
    line = {"document": "Kart Rules", "article": "8.2", "text": "Hoses are dry.", "season": 2024}
    [addition] = add_bytes(library, json.dumps(line).encode(), "kart.jsonl")
    [fuel] = library.clauses(addition.document.document_id)
    library.remove_document(addition.document.document_id)
    struck = replace(fuel, deleted=(" ".join((*filler, decides, *filler)),))
    library.add_documents(b"{}", ".jsonl", [(addition.document, (struck,))])
    events = asked(library, "Must a hose that leaks in the main race be emptied into a drum?")
    note = events_of(events, ev.ToolCalled)[0].note
    assert decides in note
    assert len(note.split()) < 150


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "Must the joker lap be taken once?",
            "Deleted in 2024 Kart Rules, Issue 3",
        ),
        (
            "Is refuelling in the main race forbidden?",
            "Struck out of Article 8.2 in 2024 Kart Rules, Issue 3, no longer in force: “R",
        ),
    ],
)
def test_what_an_earlier_issue_struck_out_is_told_when_the_newest_is_silent(
    library, tmp_path, question, sentence
):
    """Issue 4 is printed clean: what Issue 3 shows as struck out is not in it at all."""
    both = Library(tmp_path / "both")
    given = {"document": "Kart Rules 4", "season": 2024, "issue": 4, "family": "kart"}
    left = (("8.1", RULES[2][1]), ("8.2", "Hoses are kept dry in the Main Race."))
    lines = (json.dumps(given | {"article": article, "text": text}) for article, text in left)
    assert [
        addition.message for addition in add_bytes(both, "\n".join(lines).encode(), "kart4.jsonl")
    ] == [None]
    both.add_documents(
        b"{}",
        ".jsonl",
        [(document, library.clauses(document.document_id)) for document in library.documents()],
    )
    ended = asked(both, question)[-1]
    assert sentence in ended.answer
    assert not any(
        "joker" in citation.quote or "Refuelling" in citation.quote for citation in ended.citations
    )


def test_an_article_of_another_season_is_told_where_it_stands(library, tmp_path):
    both = Library(tmp_path / "both")
    both.add_documents(
        b"{}",
        ".jsonl",
        [(document, library.clauses(document.document_id)) for document in library.documents()],
    )
    later = {"document": "Kart Rules 2026", "season": 2026, "issue": 1, "family": "kart"}
    line = json.dumps(later | {"article": "B8", "text": "Tanks hold 50 litres."})
    assert [addition.message for addition in add_bytes(both, line.encode(), "kart26.jsonl")] == [
        None
    ]
    ended = asked(both, "What does Article 8.1 say?")[-1]
    assert (
        "Article 8.1 is in no document of the scope. It stands in: 2024 Kart Rules, Issue 3."
        in ended.answer
    )
    assert not ended.citations


def test_where_a_rule_in_force_answers_nothing_else_is_told(library):
    events = asked(library, QUESTION)
    assert events[-1].outcome == "answered"
    assert events_of(events, ev.ToolCalled)[0].note is None


def test_a_model_is_told_beside_the_evidence(library):
    with claude(classified(), citing("Hoses"), assessed(9)) as (model, server):
        list(Agent(library, model).ask(Request("What does Article 8.3 say on hoses?")))
    assert "Deleted in 2024 Kart Rules" in texts(server.bodies[1]["messages"][0])
    assert "joker lap" not in str(search_results(server.bodies[1]))


def test_clauses_of_interpretation_are_standing_evidence_once_and_marked_so(library):
    script = (
        classified(),
        citing("hold", "TASK_COMPLETE: Hm. "),
        assessed(4, "REFINE_QUERY", query="fuel tank litres"),
        citing("The fuel tank must hold no more than 55 litres."),
        assessed(9),
    )
    with claude(*script) as (model, server):
        events = list(Agent(library, model).ask(Request(QUESTION)))
    standing = [
        found for found in events_of(events, ev.EvidenceFound) if found.tool == "interpretation"
    ]
    assert [sorted(source.article for source in found.sources) for found in standing] == [
        ["1.1", "1.2"]
    ]
    for body in (server.bodies[1], server.bodies[3]):
        assert texts(body["messages"][0]).count("Standing evidence") == 1
        articles = [block["title"].split()[2].strip(",") for block in search_results(body)]
        assert sorted(articles[-2:]) == ["1.1", "1.2"]
        assert len(articles) == len(set(articles))
    assert {source.clause_id for source in standing[0].sources} <= set(
        events_of(events, ev.ModelCalled)[1].clauses
    )


def test_the_offline_model_quotes_no_clause_of_interpretation_unasked(library):
    events = asked(library, QUESTION)
    assert [citation.article for citation in events[-1].citations] == ["8.1"]


def test_a_model_is_told_what_a_summary_left_out():
    cut = format_tables(ToolResult(coverage=ResultCoverage(returned=12, relevant=40)))
    assert "12 of 40 relevant clauses are given" in cut
    assert format_tables(ToolResult(coverage=ResultCoverage(returned=12, relevant=12))) == ""
