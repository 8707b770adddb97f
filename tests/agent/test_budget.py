"""How far a run goes: rounds, history modes, budgets, and decisions of a person."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from core.agent import events as ev
from core.agent.budget import budget_of
from core.agent.iteration import run_iteration
from core.agent.loop import Agent, Request
from core.agent.models.base import Assessment, Classification
from core.agent.run import Run
from core.agent.run_context import RunContext
from core.agent.tools.toolbox import Toolbox
from core.agent.types import Decision, Plan, PlanStep, RunBudget, Score, Turn
from core.errors import ToolError
from core.library.scope import resolve_scope
from core.library.types import ScopeChoice
from core.model_calls.types import ToolCall, Usage
from core.settings import Settings
from tests.agent.test_loop import QUESTION, SEARCH, USAGE, events_of, reply, run, score
from tests.scripted_model import ScriptedModel

CALL = ToolCall("c", "penalty_lookup", {"query": "unsafe release"})
ALMOST = RunBudget(max_iterations=1)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def decisions(events):
    return [decided.decision for decided in events_of(events, ev.Decided)]


def turns(model):
    return [request for request in model.seen if hasattr(request, "exchanges")]


def good(library):
    return reply("50 km/h.", "50 km/h", library=library)


def thinking(library, complete=False):
    draft = reply("", library=library)
    return type(draft)("Let me see.", "", (), (), USAGE, complete=complete)


def iterate(library, *script, budget=None, toolbox=None, **clocks):
    scope = resolve_scope(library.documents(), ScopeChoice())
    run = Run(QUESTION, scope, budget or RunBudget())
    context = RunContext(run, ScriptedModel(script), toolbox or Toolbox(library), **clocks)
    plan = Plan(1, "regulation_search", QUESTION, scope.ids, None, "")
    return list(run_iteration(context, plan)), context


def test_unlimited_rounds_go_on_until_the_model_answers(library):
    calls = [
        reply("", calls=[ToolCall(f"c{n}", "regulation_search", {"query": f"tyres {n}"})])
        for n in range(5)
    ]
    budget = RunBudget(max_tool_rounds=None)
    events, model = run(library, SEARCH, *calls, good(library), score(9), budget=budget)
    assert (events[-1].outcome, events[-1].tool_rounds, events[-1].iterations) == ("answered", 5, 1)
    assert not any(turn.final for turn in turns(model))


def test_an_intent_may_have_rounds_of_its_own(library):
    budget = RunBudget(rounds_by_intent={"SEARCH": 0})
    _, model = run(library, SEARCH, good(library), score(9), budget=budget)
    assert [turn.final for turn in turns(model)] == [True]


def test_the_same_call_is_made_once_and_marked(library):
    events, _ = run(
        library, SEARCH, reply("", calls=[CALL]), reply("", calls=[CALL]), good(library), score(9)
    )
    assert [called.cached for called in events_of(events, ev.ToolCalled)] == [False, False, True]


def test_a_reply_that_only_thinks_is_asked_to_go_on_twice_at_the_most(library):
    script = (
        SEARCH,
        thinking(library),
        thinking(library),
        thinking(library),
        good(library),
        score(8),
    )
    events, model = run(library, *script)
    assert [len(turn.exchanges) for turn in turns(model)] == [0, 1, 2, 0]
    assert [turn.final for turn in turns(model)] == [False, False, True, False]
    assert (events[-1].tool_rounds, events[-1].iterations) == (0, 2)


@pytest.mark.parametrize(
    ("mode", "sources", "notes"),
    [
        ("minimal", {"38.3"}, []),
        ("progressive", {"21.3", "38.3"}, ["Thinking."]),
        ("kitchen_sink", {"21.3", "38.3"}, ["Thinking.", "A first draft.", "Scored 4.0"]),
    ],
)
def test_a_history_mode_says_what_is_taken_along(library, mode, sources, notes):
    other = score(4, query="The Stewards may impose a reprimand")
    script = (
        SEARCH,
        reply("A first draft.", "50 km/h", library=library),
        other,
        good(library),
        score(9),
    )
    _, model = run(library, *script, budget=RunBudget(history_mode=mode))
    second = turns(model)[1]
    assert sources <= {source.article for source in second.evidence}
    assert ("21.3" in {source.article for source in second.evidence}) == (mode != "minimal")
    assert all(note in "\n".join(second.notes) for note in notes)
    assert ("A first draft." in "\n".join(second.notes)) == (mode == "kitchen_sink")


def test_minimal_mode_takes_results_along_and_no_messages(library):
    script = (SEARCH, reply("", calls=[CALL]), good(library), score(9))
    _, model = run(library, *script, budget=RunBudget(history_mode="minimal"))
    first, second = turns(model)
    assert not second.exchanges
    assert set(second.evidence) >= set(first.evidence)
    assert "38.3" in {source.article for source in second.evidence}
    assert second.tables != first.tables


def test_a_full_context_brings_the_final_call(library):
    script = (SEARCH, good(library), score(9))
    _, whole = run(library, *script)
    tokens = [whole.count_tokens(request) for request in whole.seen[1:]]
    events, model = run(library, *script, budget=RunBudget(max_context_tokens=min(tokens) - 1))
    assert turns(model)[0].final
    codes = [warned.code for warned in events_of(events, ev.Warned)]
    assert codes == ["context", "cut", "cut"]
    assert max(map(model.count_tokens, model.seen)) < min(tokens)
    assert (events[-1].outcome, model.seen[-1].evidence[-1].text) == ("answered", "")


def test_a_context_that_nothing_fits_into_is_told_and_nothing_is_sent(library):
    events, model = run(library, budget=RunBudget(max_context_tokens=1))
    ended = events[-1]
    assert (ended.outcome, model.seen) == ("failed", [])
    assert "more than 1. Raise SCRUTINEER_MAX_CONTEXT_TOKENS" in ended.message
    assert "Article 21.3" in ended.answer, "it lists what was found"


def test_the_oldest_results_are_cut_to_their_citations(library):
    script = (
        SEARCH,
        reply("Hm.", "50 km/h", library=library),
        score(4, query="reprimand"),
        good(library),
        score(9),
    )
    _, whole = run(library, *script)
    tokens = whole.count_tokens(turns(whole)[1])
    events, model = run(library, *script, budget=RunBudget(max_context_tokens=tokens - 5))
    second = turns(model)[1]
    cut = [warned for warned in events_of(events, ev.Warned) if warned.code == "cut"]
    assert ["context" in warned.message for warned in cut].count(True) == 1
    assert second.evidence[-1].text in ("", "50 km/h")
    assert second.evidence[0].text == turns(whole)[1].evidence[0].text


def test_the_budget_acts_like_the_limit(library):
    dear = reply("Hm.", "50 km/h", library=library)
    dear = type(dear)(dear.thinking, dear.draft, dear.citations, (), Usage("m", "s", cost=0.5))
    events, _ = run(library, SEARCH, dear, score(4), budget=RunBudget(budget=0.4))
    assert (events[-1].outcome, events[-1].iterations, events[-1].cost) == ("limit_reached", 1, 0.5)
    assert "The budget of $0.4 is spent" in events[-1].message


def test_without_scoring_the_first_draft_is_the_answer(library):
    budget = RunBudget(max_iterations=1, max_tool_rounds=0, scoring=False)
    events, _ = run(library, SEARCH, good(library), budget=budget)
    assert (events[-1].outcome, events[-1].score, events[-1].model_calls) == ("answered", None, 2)


def test_a_plan_of_two_steps_goes_on_with_the_second(library):
    found = Classification(
        "PENALTY",
        "tool",
        QUESTION,
        "regulation_search",
        "speed limit",
        "Two parts.",
        further=(PlanStep("penalty_lookup", "speeding"),),
    )
    met = Assessment(
        Score(5, 5, 5, 5), "REFINE_QUERY", "regulation_search", "x", "Half of it.", step_met=True
    )
    events, _ = run(library, found, good(library), met, good(library), score(9))
    plans = events_of(events, ev.PlanMade)
    assert [(p.version, p.step, p.steps, p.tool) for p in plans] == [
        (1, 1, 2, "regulation_search"),
        (1, 2, 2, "penalty_lookup"),
    ]
    assert decisions(events) == ["next_step", "accept"]


def test_a_refinement_may_revise_the_intent(library):
    revised = Assessment(
        Score(4, 4, 4, 4),
        "SWITCH_TOOL",
        "penalty_lookup",
        "unsafe release",
        "A penalty is meant.",
        intent="PENALTY",
    )
    _, model = run(library, SEARCH, good(library), revised, good(library), score(9))
    assert [turn.intent for turn in turns(model)] == ["SEARCH", "PENALTY"]


def test_the_model_may_ask_back_three_times_at_the_most(library):
    asks = Classification("SEARCH", "clarify", QUESTION, "", "", "Unclear.", "Which season?")
    events, _ = run(library, asks)
    for _ in range(2):
        model = ScriptedModel((asks,))
        events += list(Agent(library, model).resume(events, Request(""), Decision(guidance="2024")))
        assert events[-1].outcome == "clarification_needed"
    model = ScriptedModel((asks, good(library), score(9)))
    events += list(Agent(library, model).resume(events, Request(""), Decision(guidance="2024")))
    assert events[-1].outcome == "answered"
    assert "2024" in model.seen[0].question


def waiting(library):
    script = (SEARCH, reply("Half an answer.", "50 km/h", library=library), score(5))
    return run(library, *script, budget=ALMOST)[0]


def resumed(library, decision, *script, budget=ALMOST):
    model = ScriptedModel(script)
    return list(
        Agent(library, model).resume(waiting(library), Request("", budget=budget), decision)
    ), model


def test_a_person_may_conclude_with_the_best_draft(library):
    events, _ = resumed(library, Decision("conclude"))
    ended = events[-1]
    assert [event.type for event in events] == ["Asked", "Ended"]
    assert (ended.outcome, ended.answer, ended.decided_by) == (
        "answered",
        "Half an answer.",
        "person",
    )
    assert ended.iterations == 1


def test_a_person_may_stop(library):
    assert resumed(library, Decision("stop"))[0][-1].outcome == "cancelled"


def test_a_person_may_give_guidance_and_grant_more(library):
    events, model = resumed(
        library, Decision(guidance="in the narrow lane"), good(library), score(9)
    )
    assert events[0].guidance == "in the narrow lane"
    plan = events_of(events, ev.PlanMade)[0]
    assert (plan.iteration, plan.version, plan.query) == (2, 2, f"{QUESTION} in the narrow lane")
    assert turns(model)[0].guidance == ("in the narrow lane",)
    assert events[-1].outcome == "answered"


def test_a_person_may_pick_the_tool(library):
    events, _ = resumed(library, Decision(tool="general_rag"), good(library), score(9))
    assert events_of(events, ev.PlanMade)[0].tool == "general_rag"


def test_a_person_may_widen_the_scope(library):
    decision = Decision(scope=ScopeChoice(season=2023))
    events, _ = resumed(library, decision, good(library), score(9))
    assert {s.season for found in events_of(events, ev.EvidenceFound) for s in found.sources} == {
        2023
    }


@pytest.mark.parametrize(
    ("strategy", "outcome"), [("CONCLUDE", "limit_reached"), ("CLARIFY", "clarification_needed")]
)
def test_the_model_may_give_up_or_ask_back(library, strategy, outcome):
    gives_up = Assessment(Score(5, 5, 5, 5), strategy, "", "Which lane?", "Nothing more to find.")
    events, _ = run(library, SEARCH, good(library), gives_up)
    assert (decisions(events), events[-1].outcome) == ([strategy], outcome)


def test_a_follow_up_keeps_the_season_the_person_named(library):
    follow = Classification(
        "SEARCH",
        "tool",
        "What is the pit lane speed limit in 2023?",
        "regulation_search",
        "speed limit",
        "A follow-up.",
    )
    model = ScriptedModel((follow, reply("60 km/h."), score(8)))
    history = (Turn("What may be imposed in 2023?", "A reprimand."),)
    events = list(Agent(library, model).ask(Request("And the speed limit?", history=history)))
    assert {s.season for found in events_of(events, ev.EvidenceFound) for s in found.sources} == {
        2023
    }


def test_a_season_that_only_the_model_names_changes_nothing(library):
    follow = Classification(
        "SEARCH", "tool", "Speed limit in 2023?", "regulation_search", "speed limit", "Made up."
    )
    events, _ = run(library, follow, good(library), score(8))
    assert {s.season for found in events_of(events, ev.EvidenceFound) for s in found.sources} == {
        2024
    }


def test_suggestions_are_those_the_library_can_answer(library):
    asked = ("What may the Stewards impose?", "How heavy may a helicopter be?")
    found = Assessment(Score(9, 9, 9, 9), "CONCLUDE", "", "", "", suggestions=asked)
    events, _ = run(library, SEARCH, good(library), found)
    first, *others = events[-1].suggestions
    assert first == asked[0]
    assert asked[1] not in others


def test_a_locked_library_is_tried_again_with_back_off(library):
    class Locked(Toolbox):
        """A toolbox whose library is locked for the first calls."""

        failures = itertools.chain([True, True], itertools.repeat(False))

        def call(self, name, arguments, scope):
            if next(self.failures):
                raise ToolError("The library is locked.", passing=True)
            return super().call(name, arguments, scope)

    waits = []
    events, _ = iterate(
        library, good(library), score(9), toolbox=Locked(library), sleep=waits.append
    )
    assert [event.attempt for event in events_of(events, ev.ToolRetried)] == [1, 2]
    assert waits == [0.2, 0.4]
    assert events_of(events, ev.EvidenceFound)


def test_the_time_of_a_run_is_bounded(library):
    seconds = itertools.count(0, 3)
    budget = RunBudget(seconds=2)
    _, context = iterate(library, good(library), budget=budget, clock=lambda: next(seconds))
    assert turns(context.model)[0].final


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_change_of_the_date_during_a_run_does_not_change_its_time(library, hours):
    dates = (NOON + timedelta(hours=hours * number) for number in itertools.count())
    budget = RunBudget(seconds=600)
    _, context = iterate(library, good(library), score(9), budget=budget, now=lambda: next(dates))
    assert not turns(context.model)[0].final
    assert 0 <= context.seconds < 600


def test_modes_are_named_sets_of_limits():
    settings = Settings(_env_file=None)
    quick, standard, deep = (budget_of(settings, mode) for mode in ("quick", "standard", "deep"))
    assert (quick.max_iterations, quick.max_tool_rounds, quick.scoring) == (1, 0, False)
    assert (standard.max_iterations, standard.max_tool_rounds, standard.scoring) == (3, 2, True)
    assert (deep.max_iterations, deep.max_tool_rounds, deep.scoring) == (5, None, True)
