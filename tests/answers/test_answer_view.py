"""An answer as it is read: its first line, what it rests on, what that refers to; refusals."""

import json

import pytest

from core.agent.events import Ended, EvidenceFound
from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.agent.types import Decision, RunBudget
from core.answers.answer_text import (
    describe_answer,
    describe_end,
    describe_headline,
    describe_refusal,
    write_answer,
)
from core.answers.answer_view import view_answer
from core.answers.reasoning_parts import summarize_run
from core.answers.refusal import Refusal, explain_refusal
from core.language import ENGLISH, find_language
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from tests.made_once import SAMPLE, SAMPLES, read_once

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    earlier = SAMPLES / "meridian_2023_sporting_issue1.pdf"
    return Library(read_once(tmp_path_factory, earlier, SAMPLE))


def answered(library, question, **budget):
    request = Request(question, budget=RunBudget(**budget))
    events = list(Agent(library, OfflineModel()).ask(request))
    return events, events[-1], view_answer(events, events[-1])


def test_the_first_line_is_the_value_where_one_sentence_has_it(library):
    _, _, view = answered(library, "What is the pit lane speed limit?")
    assert describe_headline(ENGLISH, view.headline).startswith(
        "50 km/h · Article 21.3, 2024 Meridian Cup"
    )


def test_the_first_line_is_the_rule_itself_where_no_value_is_asked_for(library):
    _, _, view = answered(library, "What does Article 21.3 say?")
    line = describe_headline(ENGLISH, view.headline)
    assert line.startswith("“The pit lane speed limit is 50 km/h during the whole Event.")
    assert "· Article 21.3, 2024 Meridian Cup" in line


def test_a_draft_that_nobody_accepted_says_so_beside_its_first_line(library):
    events, ended, view = answered(
        library, "What is the pit lane speed limit for buses?", quality_threshold=10
    )
    assert ended.outcome == "found"
    assert describe_headline(ENGLISH, view.headline).startswith("50 km/h · Article 21.3")
    told = write_answer(ENGLISH, events, ended)
    assert "Closest rules. Please check whether they answer. No quote mentions “buses”." in told


def test_the_first_line_names_every_rulebook_that_gives_a_verdict(tmp_path):
    library = Library(tmp_path)
    for name, limit in (("Sleds", "at least 1200 mm"), ("Carts", "at most 1500 mm")):
        rule = {"document": name, "article": "1.1", "title": "Wheelbase"}
        rule["text"] = f"The wheelbase must be {limit}."
        [added] = add_bytes(library, json.dumps(rule).encode(), f"{name}.jsonl")
        assert added.status == "added"
    _, _, view = answered(library, "May the wheelbase be 1300 mm?")
    assert describe_headline(ENGLISH, view.headline) == "1300 mm · Legal: Sleds; Carts"
    events, *_ = answered(library, "May the wheelbase be 1600 mm?")
    request = Request("May the wheelbase be 1600 mm?", budget=RunBudget())
    concluded = Agent(library, OfflineModel()).resume(events, request, Decision("conclude"))
    events = [*events, *concluded]
    view = view_answer(events, events[-1])
    assert describe_headline(ENGLISH, view.headline) == "1600 mm · Legal: Sleds · Not legal: Carts"


def test_citations_count_by_appearance_and_what_is_referred_to_comes_last(library):
    _, ended, view = answered(library, "What is the penalty for an unsafe release?")
    assert [block.cited for block in view.blocks] == [(1,), (2,)]
    assert [block.cited for block in view.referred] == [(3,), (4,)]
    assert view.refers_to_penalties
    assert [view.citations[n].part for n in (3, 4)] == ["c)", "d)"]
    assert all(f"[{n}]" in block.text for block in view.blocks for n in block.cited)
    assert {row.article for row in view.penalties} == {"21.6.1", "21.6.2"}
    assert "page 10" not in view.blocks[0].text, "its place is on the line of its citation"
    assert len(view.citations) == len(set(ended.citations))


def test_a_draft_at_the_limit_says_how_far_it_came(library):
    events, ended, _ = answered(library, "What is the pit lane speed limit?", quality_threshold=10)
    waiting = ended.model_copy(update={"outcome": "limit_reached"})
    said = describe_end(ENGLISH, events, waiting)
    assert said.startswith(f"No draft scored 10 or more (best: {ended.score:.1f}) after ")


def test_a_refusal_names_the_last_article_and_the_words_that_no_rule_has(library):
    documents = [document for document in library.documents() if document.season == 2024]
    [missing] = explain_refusal(library, documents, "What does Article 99.9 say?").articles
    assert missing.article == "99.9"
    assert "2024 Meridian Cup Sporting" in missing.document
    assert (missing.last, missing.below) == ("41.3", "")
    [missing] = explain_refusal(library, documents, "What does Article 21.99 say?").articles
    assert (missing.last, missing.below) == ("21.10", "21")
    assert not explain_refusal(library, documents, "What does Article 21.3 say?").articles
    assert "balloon" in explain_refusal(library, documents, "Is a balloon allowed?").words


def test_the_nearest_clauses_of_a_refusal_are_no_part_of_its_text(library):
    _, ended, view = answered(library, "What does Article 99.9 say?")
    assert ended.outcome == "not_found"
    assert "Nearest clauses" in ended.answer
    assert all("Nearest" not in block.text and "- " not in block.text for block in view.blocks)


def test_what_one_would_ask_next_is_of_the_cited_clause_and_has_an_answer(library):
    _, ended, _ = answered(library, "What is the pit lane speed limit?")
    assert isinstance(ended, Ended)
    assert any("Article 21.3 say in 2023" in question for question in ended.suggestions)
    for question in ended.suggestions:
        _, next_one, _ = answered(library, question)
        assert next_one.citations, question


def test_without_anything_to_add_nothing_is_offered(library):
    _, ended, _ = answered(library, "What colour is the moon buggy parade?")
    assert ended.suggestions == ()


def test_the_last_article_is_the_highest_where_an_appendix_counts_anew(tmp_path):
    library = Library(tmp_path / "data")
    lines = [
        json.dumps({"document": "Rules", "article": article, "text": f"Rule {article} of cars."})
        for article in ("3.1", "12.2", "1", "2")
    ]
    list(add_bytes(library, "\n".join(lines).encode(), "rules.jsonl"))
    [missing] = explain_refusal(
        library, library.documents(), "What does Article 99.9 say?"
    ).articles
    assert missing.last == "12.2"


def test_an_answer_is_told_in_the_language_of_its_reader(library):
    """Rules and quotes stay as they are printed."""
    events, ended, _ = answered(library, "What is the pit lane speed limit?")
    told = write_answer(find_language("de"), events, ended)
    assert "50 km/h" in told
    assert "S. 9" in told
    assert "1 Zitat bestätigt" in summarize_run(find_language("de"), events)


def test_a_question_in_another_language_is_told_where_it_is_looked_for(library):
    """Its own words, which no rule has, are not listed."""
    documents = [document for document in library.documents() if document.season == 2024]
    source = next(
        s
        for e in answered(library, "What is the pit lane speed limit?")[0]
        if isinstance(e, EvidenceFound)
        for s in e.sources
    )
    asked = "Wie hoch ist das Tempolimit in der Boxengasse?"
    refusal = explain_refusal(library, documents, asked, [source])
    assert not refusal.words
    [told, *_] = describe_refusal(find_language("de"), refusal)
    assert told.startswith("Hier wird auf Englisch gesucht.")


def test_a_comparison_marks_what_changed_in_both_wordings(library):
    question = "What changed in the pit lane speed limit between 2023 and 2024?"
    events, ended, view = answered(library, question)
    assert describe_headline(ENGLISH, view.headline).startswith("changed: ")
    blocks = describe_answer(ENGLISH, events, ended, view)[: len(view.blocks)]
    shown = [block["parts"][0]["text"] for block in blocks]
    marked = [words for words in shown if ":green-background[**" in words]
    assert marked
    assert all(words.endswith("\\]") for words in marked), "with its number"


def test_a_refusal_always_says_something(library):
    assert list(describe_refusal(find_language("de"), Refusal())) == [
        "In den gewählten Regelwerken wurde keine Regel gefunden, die das beantwortet."
    ]
