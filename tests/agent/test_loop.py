"""Whole runs over a real library with a scripted model, as lists of events."""

from contextlib import closing
from dataclasses import replace

import pytest

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.base import Assessment, Classification, Reply
from core.agent.models.offline.model import OfflineModel
from core.agent.types import Decision, RunBudget, Score, Turn
from core.errors import ModelError, ScrutineerError
from core.library.types import ScopeChoice
from core.model_calls.types import ToolCall, Usage
from core.verification.evidence import cite
from tests.agent.stories import source
from tests.scripted_model import ScriptedModel

QUESTION = "What is the pit lane speed limit?"
USAGE = Usage("scripted", "script")
SEARCH = Classification(
    "SEARCH", "tool", QUESTION, "regulation_search", QUESTION, "A specific question."
)
DOWN = ModelError("The model is down.", code="unreachable")


def reply(text="The limit is told.", quote=None, calls=(), library=None, season=2024):
    citations = ()
    if quote:
        clause = next(
            c
            for d in library.documents()
            if d.season == season
            for c in library.clauses(d.document_id)
            if quote in c.text
        )
        citations = (
            cite(source(1, clause.article, clause.text, clause_id=clause.clause_id), quote),
        )
    return Reply("Thinking.", text, citations, tuple(calls), USAGE)


def score(mark, strategy="REFINE_QUERY", tool="regulation_search", query="speed limit pit lane"):
    return Assessment(
        Score(mark, mark, mark, mark, missing="the number"), strategy, tool, query, "Better words."
    )


def run(library, *script, question=QUESTION, budget=None, **choice):
    model = ScriptedModel(script)
    events = list(
        Agent(library, model).ask(Request(question, ScopeChoice(**choice), budget or RunBudget()))
    )
    return events, model


def names(events):
    return [event.type for event in events if event.type != "ModelCalled" and not event.grows]


def events_of(events, kind):
    return [event for event in events if isinstance(event, kind)]


def test_a_good_draft_is_accepted_at_once(library):
    events, _ = run(library, SEARCH, reply("50 km/h.", "50 km/h", library=library), score(9))
    assert names(events) == [
        "Asked",
        "Classified",
        "PlanMade",
        "ToolCalled",
        "EvidenceFound",
        "Drafted",
        "Verified",
        "Scored",
        "Decided",
        "Ended",
    ]
    ended = events[-1]
    assert (ended.outcome, ended.answer, ended.score) == ("answered", "50 km/h.", 9.0)
    assert (ended.iterations, ended.tool_rounds, ended.tool_calls, ended.model_calls) == (
        1,
        0,
        1,
        3,
    )


def test_events_are_numbered_from_one_and_bear_their_run(library):
    events, _ = run(library, SEARCH, reply("50 km/h.", "50 km/h", library=library), score(9))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.run_id for event in events}) == 1


def test_events_leave_as_json_and_come_back_the_same(library):
    events, _ = run(library, SEARCH, reply("50 km/h.", "50 km/h", library=library), score(9))
    assert [ev.from_json(event.model_dump_json()) for event in events] == events


def test_a_weak_draft_is_refined_and_the_plan_is_the_next_version(library):
    events, _ = run(
        library,
        SEARCH,
        reply("I did not find it."),
        score(4),
        reply("50 km/h.", "50 km/h", library=library),
        score(8),
    )
    plans = events_of(events, ev.PlanMade)
    assert [(p.iteration, p.version, p.query, p.strategy) for p in plans] == [
        (1, 1, QUESTION, None),
        (2, 2, "speed limit pit lane", "REFINE_QUERY"),
    ]
    assert [d.decision for d in events_of(events, ev.Decided)] == ["REFINE_QUERY", "accept"]


def test_at_the_limit_the_best_draft_is_kept_not_the_last(library):
    budget = RunBudget(max_iterations=2)
    script = (
        SEARCH,
        reply("Better.", "50 km/h", library=library),
        score(6),
        reply("I did not find that either."),
        score(3),
    )
    events, _ = run(library, *script, budget=budget)
    ended = events[-1]
    assert (ended.outcome, ended.answer, ended.best_iteration, ended.score) == (
        "limit_reached",
        "Better.",
        1,
        6.0,
    )
    assert "3.0 of 10 is below the threshold" in ended.message


def test_what_was_tried_is_never_tried_again(library):
    same = score(4, query=QUESTION.upper())
    events, _ = run(
        library,
        SEARCH,
        reply("I did not find it."),
        same,
        reply("50 km/h.", "50 km/h", library=library),
        score(9),
    )
    assert [w.code for w in events_of(events, ev.Warned)] == ["already_tried"]
    assert [p.tool for p in events_of(events, ev.PlanMade)] == [
        "regulation_search",
        "regulation_summary",
    ]


def test_the_model_may_call_tools_and_then_must_answer(library):
    call = ToolCall("c1", "penalty_lookup", {"query": "unsafe release"})
    budget = RunBudget(max_tool_rounds=1)
    events, model = run(
        library,
        SEARCH,
        reply("", calls=[call]),
        reply("50 km/h.", "50 km/h", library=library),
        score(9),
        budget=budget,
    )
    assert [(t.round, t.tool) for t in events_of(events, ev.ToolCalled)] == [
        (0, "regulation_search"),
        (1, "penalty_lookup"),
    ]
    assert (events[-1].tool_rounds, events[-1].tool_calls) == (1, 2)
    first, last = (turn for turn in model.seen if hasattr(turn, "exchanges"))
    assert (first.final, last.final) == (False, True)
    assert first.evidence == last.evidence
    assert last.exchanges[0].outcomes[0].tables.startswith("| Article")


def test_a_wrong_tool_call_goes_back_as_an_error_and_the_run_goes_on(library):
    calls = [
        ToolCall("c1", "no_such_tool", {}),
        ToolCall("c2", "regulation_search", {"words": "x"}),
    ]
    events, model = run(
        library,
        SEARCH,
        reply("", calls=calls),
        reply("50 km/h.", "50 km/h", library=library),
        score(9),
    )
    errors = [outcome.error for outcome in model.seen[2].exchanges[0].outcomes]
    assert "There is no tool called no_such_tool" in errors[0]
    assert "query: Field required" in errors[1]
    assert events[-1].outcome == "answered"


def test_no_argument_widens_the_scope(library):
    call = ToolCall(
        "c1", "regulation_search", {"query": "speed limit", "document": "Cup Rules 2023"}
    )
    events, model = run(
        library,
        SEARCH,
        reply("", calls=[call]),
        reply("50 km/h.", "50 km/h", library=library),
        score(9),
        season=2024,
    )
    assert "names no single document in scope" in model.seen[2].exchanges[0].outcomes[0].error
    assert {s.season for found in events_of(events, ev.EvidenceFound) for s in found.sources} == {
        2024
    }


def test_a_season_named_in_the_question_is_the_scope(library):
    events, _ = run(
        library, SEARCH, reply("60 km/h."), score(9), question="What was the speed limit in 2023?"
    )
    assert {s.season for found in events_of(events, ev.EvidenceFound) for s in found.sources} == {
        2023
    }


def test_a_season_that_is_not_held_is_not_answered_from_another(library):
    events, _ = run(library, SEARCH, question="What was the speed limit in the 2019 regulations?")
    assert events[-1].outcome == "not_found"
    assert "2019" in events[-1].answer
    assert not events_of(events, ev.EvidenceFound)


def test_an_accepted_draft_that_cites_nothing_found_nothing(library):
    events, _ = run(library, SEARCH, reply("I did not find it."), score(8))
    assert events[-1].outcome == "not_found"


def test_a_reply_without_text_is_never_an_empty_answer(library):
    events, _ = run(library, SEARCH, reply(""), reply(""))
    ended = events[-1]
    assert (ended.outcome, ended.message) == ("failed", "The model gave no answer in words.")
    assert "- Article 21.3 Speed limit, page 1, Cup Rules 2024" in ended.answer


def test_a_claim_that_cites_nothing_is_not_shown_as_what_was_found(library):
    guess = reply("The limit is 80 km/h, I think.")
    events, _ = run(library, SEARCH, guess, guess, score(8), budget=RunBudget(max_iterations=1))
    assert events[-1].outcome == "not_found"
    assert events[-1].answer.startswith("I did not find it. I looked in Cup Rules 2024")
    assert events[-1].unsettled, "the person is told what failed"


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [("answer", "answered"), ("decline", "declined"), ("clarify", "clarification_needed")],
)
def test_some_questions_need_no_tool(library, kind, outcome):
    found = Classification("GENERAL", kind, QUESTION, "", "", "No rule is asked for.", "A word.")
    events, _ = run(library, found)
    assert names(events) == ["Asked", "Classified", "Ended"]
    assert (events[-1].outcome, events[-1].answer, events[-1].iterations) == (outcome, "A word.", 0)


def test_a_model_that_fails_once_fails_one_iteration(library):
    events, _ = run(library, SEARCH, DOWN, reply("50 km/h.", "50 km/h", library=library), score(9))
    assert [w.message for w in events_of(events, ev.Warned)] == ["The model is down."]
    assert events[-1].outcome == "answered"
    assert events[-1].iterations == 2


def test_a_model_that_never_answers_fails_the_run_in_a_sentence(library):
    events, _ = run(library, DOWN, DOWN, DOWN, DOWN)
    assert (events[-1].outcome, events[-1].message) == ("failed", "The model is down.")


def test_a_wrong_key_ends_the_run_at_once(library):
    events, _ = run(library, ModelError("The key is wrong.", fatal=True))
    assert names(events) == ["Asked", "Ended"]
    assert (events[-1].outcome, events[-1].message) == ("failed", "The key is wrong.")


def test_without_a_score_no_draft_passes(library):
    budget = RunBudget(max_iterations=1)
    events, _ = run(
        library, SEARCH, reply("50 km/h.", "50 km/h", library=library), DOWN, budget=budget
    )
    assert (events[-1].outcome, events[-1].score) == ("limit_reached", None)


def test_an_invented_quote_passes_with_no_score(library):
    invented = reply("“The speed limit in the pit lane is 90 km/h.”", "50 km/h", library=library)
    script = (SEARCH, invented, invented, score(9))
    events, _ = run(library, *script, budget=RunBudget(max_iterations=1))
    assert (events_of(events, ev.Scored)[0].mean, events[-1].outcome) == (9, "limit_reached")


@pytest.mark.parametrize("question", ["", "  \n", "???"])
def test_an_empty_question_is_refused_in_a_sentence(library, question):
    with pytest.raises(ScrutineerError, match="The question is empty"):
        Agent(library, ScriptedModel(())).ask(Request(question))


def test_a_run_that_reached_its_limit_goes_on_where_it_was(library):
    budget = RunBudget(max_iterations=1)
    before, _ = run(
        library, SEARCH, reply("Hm.", "50 km/h", library=library), score(4), budget=budget
    )
    model = ScriptedModel((reply("50 km/h.", "50 km/h", library=library), score(9)))
    after = list(Agent(library, model).resume(before, Request("", budget=budget)))
    assert after[0].resumed
    assert (after[0].run_id, after[0].seq) == (before[0].run_id, before[-1].seq + 1)
    assert (after[-1].outcome, after[-1].iterations, after[-1].best_iteration) == ("answered", 2, 2)
    assert events_of(after, ev.PlanMade)[0].version == 2
    assert "Scored 4.0 of 10" in model.seen[0].notes[0]


@pytest.mark.parametrize("until", [ev.PlanMade, ev.Drafted, ev.Verified])
def test_a_plan_that_was_stopped_on_the_way_is_carried_out_again(library, until):
    good = reply("50 km/h.", "50 km/h", library=library)
    before = []
    with closing(Agent(library, ScriptedModel((SEARCH, good))).ask(Request(QUESTION))) as begun:
        while not events_of(before, until):
            before.append(next(begun))
    after = list(Agent(library, ScriptedModel((good, score(9)))).resume(before, Request("")))
    [first], [again] = events_of(before, ev.PlanMade), events_of(after, ev.PlanMade)
    assert (again.tool, again.query, again.version) == (first.tool, first.query, 1)
    assert after[-1].outcome == "answered"


def test_where_every_call_failed_the_first_plan_is_carried_out_again(library):
    before, _ = run(library, SEARCH, DOWN, DOWN)
    assert [plan.tool for plan in events_of(before, ev.PlanMade)] == [
        "regulation_search",
        "regulation_summary",
    ]
    model = ScriptedModel((reply("Nothing is said of it."), score(9)))
    after = list(Agent(library, model).resume(before, Request("")))
    assert events_of(after, ev.PlanMade)[0].tool == "regulation_search"


def test_offline_answers_from_the_season_that_is_asked_for(library):
    for season, speed in ((2023, 60), (2024, 50)):
        request = Request(f"What is the pit lane speed limit in {season}?")
        ended = list(Agent(library, OfflineModel()).ask(request))[-1]
        assert ended.outcome == "answered"
        assert f"{speed} km/h" in ended.citations[0].quote
        assert (ended.citations[0].article, ended.citations[0].season) == ("21.3", season)


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        ("What changed in the pit lane speed limit between 2023 and 2024?", "answered"),
        ("What changed in Article 21.3 between 2023 and 2024?", "answered"),
        ("What changed in Article 21.3 since 2023?", "answered"),
    ],
)
def test_offline_compares_two_seasons_and_accepts_articles_that_are_named(
    library, question, outcome
):
    ended = list(Agent(library, OfflineModel()).ask(Request(question)))[-1]
    assert ended.outcome == outcome
    assert {citation.season for citation in ended.citations} == {2023, 2024}


def test_a_season_that_is_chosen_is_compared_with_no_other(library):
    request = Request("What changed in Article 21.3 since 2023?", ScopeChoice(season=2023))
    ended = list(Agent(library, OfflineModel()).ask(request))[-1]
    assert {citation.season for citation in ended.citations} == {2023}


def test_offline_says_what_it_did_not_find(library):
    ended = list(Agent(library, OfflineModel()).ask(Request("How heavy may a helicopter be?")))[-1]
    assert ended.outcome == "not_found"
    assert not ended.citations


def test_both_models_tell_a_run_in_the_same_events(library):
    offline = list(Agent(library, OfflineModel()).ask(Request(QUESTION)))
    scripted, _ = run(library, SEARCH, reply("50 km/h.", "50 km/h", library=library), score(9))
    assert names(offline) == names(scripted)


EARLIER = Turn(
    QUESTION,
    "> “The speed limit in the pit lane is 50 km/h throughout the Event.” [1]",
    (
        cite(
            source(1, "21.3", "x"),
            "The speed limit in the pit lane is 50 km/h throughout the Event.",
        ),
    ),
)


def direct(library, words, *script):
    found = Classification(
        "GENERAL", "answer", QUESTION, "regulation_search", QUESTION, "Said before.", words
    )
    model = ScriptedModel((found, *script))
    return list(Agent(library, model).ask(Request("Say that again", history=(EARLIER,))))


def test_what_was_answered_before_is_repeated_with_its_citation(library):
    events = direct(library, "“The speed limit in the pit lane is 50 km/h throughout the Event.”")
    assert names(events) == ["Asked", "Classified", "Ended"]
    assert [citation.article for citation in events[-1].citations] == ["21.3"]


@pytest.mark.parametrize("words", ["It is 90 km/h.", "“A driver may overtake in the pit lane.”"])
def test_what_nobody_quoted_is_not_answered_without_a_search(library, words):
    events = direct(library, words, reply("50 km/h.", "50 km/h", library=library), score(9))
    assert events_of(events, ev.Warned)[0].code == "unsupported"
    assert (events[-1].outcome, events[-1].answer) == ("answered", "50 km/h.")


@pytest.mark.parametrize("scoring", [True, False])
def test_a_draft_with_an_invented_quote_never_passes(library, scoring):
    invented = reply("“The speed limit in the pit lane is 90 km/h.”", "50 km/h", library=library)
    budget = RunBudget(max_iterations=1, scoring=scoring)
    events, _ = run(library, SEARCH, invented, score(10), budget=budget)
    assert events[-1].outcome == "limit_reached"
    assert "is in no clause" in events[-1].unsettled[0]


def test_a_trusted_draft_is_better_than_a_better_scored_one(library):
    invented = reply("“The speed limit in the pit lane is 90 km/h.”", "50 km/h", library=library)
    plain = reply("50 km/h.", "50 km/h", library=library)
    script = (SEARCH, invented, invented, score(9), plain, score(5))
    events, _ = run(library, *script, budget=RunBudget(max_iterations=2))
    assert events[-1].best_iteration == 2


def test_a_resumed_run_keeps_the_scope_it_had_come_to(library):
    follow = Classification(
        "SEARCH",
        "tool",
        "What is the speed limit in 2023?",
        "regulation_search",
        "limit",
        "Follows.",
    )
    history = (Turn("What may be imposed in 2023?", "A reprimand."),)
    model = ScriptedModel((follow, reply("Hm.", "60 km/h", season=2023, library=library), score(4)))
    once = RunBudget(max_iterations=1)
    before = list(
        Agent(library, model).ask(Request("And the speed limit?", budget=once, history=history))
    )
    assert before[-1].outcome == "limit_reached"
    model = ScriptedModel((reply("I did not find it."), score(4)))
    after = list(Agent(library, model).resume(before, Request("", budget=once)))
    assert {s.season for found in events_of(after, ev.EvidenceFound) for s in found.sources} == {
        2023
    }


@pytest.mark.parametrize(
    ("decision", "is_said"),
    [
        (Decision(), True),
        (Decision("conclude"), True),
        (Decision(scope=ScopeChoice(season=2024)), False),
    ],
)
def test_a_resumed_run_says_what_no_rulebook_is_of(library, decision, is_said):
    question = "What is the pit lane speed limit of Formula E?"
    once = RunBudget(max_iterations=1)
    good = reply("50 km/h.", "50 km/h", library=library)
    asked = replace(SEARCH, question=question)
    before, _ = run(library, asked, good, score(4), question=question, budget=once)
    model = ScriptedModel((good, score(9)))
    *_, ended = Agent(library, model).resume(before, Request("", budget=once), decision)
    assert ended.outcome == "answered"
    sentence = "No rulebook in scope is of Formula E."
    assert [one.startswith(sentence) for one in ended.unsettled] == [True] * is_said


def test_guidance_that_names_a_season_is_the_scope(library):
    before, _ = run(
        library,
        SEARCH,
        reply("Hm.", "50 km/h", library=library),
        score(4),
        budget=RunBudget(max_iterations=1),
    )
    model = ScriptedModel((reply("I did not find it."), score(4)))
    decision = Decision(guidance="I mean 2023")
    after = list(
        Agent(library, model).resume(
            before, Request("", budget=RunBudget(max_iterations=1)), decision
        )
    )
    assert {s.season for found in events_of(after, ev.EvidenceFound) for s in found.sources} == {
        2023
    }


@pytest.mark.parametrize(
    ("decision", "code"), [(Decision(tool="fly"), "unknown_tool"), (Decision(), "not_waiting")]
)
def test_what_cannot_be_gone_on_with_is_refused(library, decision, code):
    ends = score(4) if code == "unknown_tool" else score(9)
    before, _ = run(
        library,
        SEARCH,
        reply("50 km/h.", "50 km/h", library=library),
        ends,
        budget=RunBudget(max_iterations=1),
    )
    with pytest.raises(ScrutineerError) as caught:
        Agent(library, ScriptedModel(())).resume(before, Request(""), decision)
    assert caught.value.code == code


def test_a_comparison_is_of_the_rulebook_that_is_asked_about(library):
    found = Classification(
        "COMPARISON", "tool", "pit lane", "regulation_comparison", "pit lane", "Two seasons."
    )
    events, _ = run(
        library, found, reply("I did not find it."), score(9), question="Pit lane, 2023 and 2024?"
    )
    pairs = events_of(events, ev.EvidenceFound)[0].pairs
    assert {(pair.article_a, pair.article_b) for pair in pairs} >= {("21.3", "21.3")}
