"""Whatever a model replies, a run ends within its limits, with its events in order.

This holds wherever the run was saved and resumed.
"""

from typing import get_args

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from core.agent import events as ev
from core.agent.loop import RESUMABLE_OUTCOMES, Agent, Request
from core.agent.models.base import Assessment, Classification, Reply
from core.agent.types import Decision, Intent, Outcome, PlanStep, RunBudget, Score, Strategy
from core.errors import ModelError
from core.model_calls.types import ToolCall, Usage
from core.verification.evidence import cite
from tests.agent.stories import source
from tests.scripted_model import ScriptedModel

QUESTION = "What is the pit lane speed limit?"
WORDS = st.sampled_from(
    ["", "speed limit", "reprimand", "'; DROP TABLE", "pit lane speed limit", "\u0000 é"]
)
TOOLS = st.sampled_from(
    ["regulation_search", "regulation_summary", "penalty_lookup", "regulation_comparison", "fly"]
)
ARGUMENTS = st.one_of(
    st.fixed_dictionaries({"query": WORDS}),
    st.dictionaries(
        st.sampled_from(["query", "words", "document"]), st.one_of(WORDS, st.integers(), st.none())
    ),
)
CALLS = st.lists(st.builds(ToolCall, st.just("c"), TOOLS, ARGUMENTS), max_size=2).map(tuple)
MARKS = st.integers(1, 10)
QUOTES = st.sampled_from([(), (cite(source(1, "21.3", "x", clause_id="none"), "x"),)])

ERRORS = st.builds(ModelError, st.just("Down."), fatal=st.booleans())
CLASSIFICATIONS = st.builds(
    Classification,
    st.sampled_from(get_args(Intent)),
    st.sampled_from(["tool", "tool", "tool", "answer", "decline", "clarify"]),
    st.just(QUESTION),
    TOOLS,
    WORDS,
    st.just("Why."),
    st.just("A word."),
    further=st.lists(st.builds(PlanStep, TOOLS, WORDS), max_size=2).map(tuple),
)
REPLIES = st.builds(
    Reply,
    WORDS,
    WORDS,
    QUOTES,
    CALLS,
    st.builds(Usage, st.just("m"), st.just("s"), cost=st.sampled_from([None, 0.1])),
    complete=st.booleans(),
)
ASSESSMENTS = st.builds(
    Assessment,
    st.builds(Score, MARKS, MARKS, MARKS, MARKS),
    st.sampled_from(get_args(Strategy)),
    TOOLS,
    WORDS,
    WORDS,
    step_met=st.booleans(),
)
BUDGETS = st.builds(
    RunBudget,
    max_iterations=st.integers(1, 3),
    max_tool_rounds=st.sampled_from([0, 1, 2, None]),
    scoring=st.booleans(),
    history_mode=st.sampled_from(["minimal", "progressive", "kitchen_sink"]),
    max_context_tokens=st.sampled_from([10, 300, 100_000]),
    budget=st.sampled_from([None, 0.3]),
    tool_retries=st.just(0),
)


class AnyModel(ScriptedModel):
    """A model that draws each reply, and stops calling tools after a while, as all models do."""

    def __init__(self, data):
        super().__init__(())
        self._data = data
        self._drawn = 0

    def _next(self, request, kind):
        self.seen.append(request)
        self._drawn += 1
        of = {Classification: CLASSIFICATIONS, Reply: REPLIES, Assessment: ASSESSMENTS}[kind]
        drawn = self._data.draw(st.one_of(of, of, of, ERRORS))
        if isinstance(drawn, ModelError):
            raise drawn
        if isinstance(drawn, Reply) and self._drawn > 20:
            return Reply(drawn.thinking, drawn.draft, drawn.citations, (), drawn.usage)
        return drawn


def well_ordered(events):
    assert isinstance(events[0], ev.Asked)
    assert [event.seq for event in events] == list(
        range(events[0].seq, events[0].seq + len(events))
    )
    assert [event.type for event in events].count("Ended") == 1
    assert isinstance(events[-1], ev.Ended)
    assert events[-1].outcome in get_args(Outcome)


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data(), budget=BUDGETS)
def test_any_replies_end_a_run_within_its_limits(library, data, budget):
    events = list(Agent(library, AnyModel(data)).ask(Request(QUESTION, budget=budget)))
    well_ordered(events)
    ended = events[-1]
    assert ended.iterations <= budget.max_iterations
    if budget.max_tool_rounds is not None:
        assert ended.tool_rounds <= budget.max_tool_rounds * budget.max_iterations
    if ended.outcome == "answered" and ended.iterations:
        assert ended.citations or ended.decided_by is None
    assert [ev.from_json(event.model_dump_json()).type for event in events] == [
        event.type for event in events
    ]


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data(), budget=BUDGETS)
def test_a_run_saved_after_any_event_can_be_gone_on_with(library, data, budget):
    events = list(Agent(library, AnyModel(data)).ask(Request(QUESTION, budget=budget)))
    saved = events[: data.draw(st.integers(1, len(events)))]
    assume(not isinstance(saved[-1], ev.Ended) or saved[-1].outcome in RESUMABLE_OUTCOMES)
    kind = data.draw(st.sampled_from(["go_on", "go_on", "conclude", "stop"]))
    after = list(
        Agent(library, AnyModel(data)).resume(saved, Request("", budget=budget), Decision(kind))
    )
    well_ordered(after)
    assert after[0].seq == saved[-1].seq + 1
    assert (
        after[-1].iterations
        <= max(
            e.iteration
            for e in [*saved, ev.ThoughtGrew(iteration=0, text="")]
            if hasattr(e, "iteration")
        )
        + budget.max_iterations
    )
