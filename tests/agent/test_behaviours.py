"""The behaviours of the loop as a table, each driven over HTTP: what was sent on each call, and which events came out.

A call is told in short: what for, tools offered or withheld, clauses shown, and marks of what the turn says.
"""

from dataclasses import dataclass, field, replace

import pytest

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.types import Decision, Limits
from tests.agent.test_claude import QUESTION, claude, texts
from tests.agent.test_loop import told
from tests.messages_server import assessed, called, citing, classified, failed, said, search_results, tool_use

GOOD = citing("The speed limit in the pit lane is 50 km/h")
WEAK = citing("The speed limit in the pit lane", "TASK_COMPLETE: Hm. ")
LOOK = called(tool_use("penalty_lookup", query="unsafe release"), aloud="What is the penalty?")
SEARCH = classified(query=QUESTION)


def look(words):
    return called(tool_use("penalty_lookup", query=words), aloud="What is the penalty?")


OVER = said("No.", stop_reason="refusal")


@dataclass(frozen=True)
class Row:
    """One behaviour: the script, the calls as they were sent, and how the run went."""

    name: str
    script: tuple
    sent: str
    outcome: str
    events: str = ""
    limits: Limits = field(default_factory=Limits)


TABLE = (
    Row(
        "a greeting needs no tool",
        (classified(kind="answer", intent="GENERAL", reply="Hello."),),
        "classify",
        "answered",
    ),
    Row("what no rulebook says is declined", (classified(kind="decline", reply="No."),), "classify", "declined"),
    Row(
        "an unclear question is asked back",
        (classified(kind="clarify", reply="Which?"),),
        "classify",
        "clarification_needed",
    ),
    Row(
        "a simple question takes three calls",
        (SEARCH, GOOD, assessed(9)),
        "classify, answer offered, score",
        "answered",
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Decided:accept",
    ),
    Row(
        "quick: one answer, no tools, no score",
        (SEARCH, GOOD),
        "classify, answer withheld last warned",
        "answered",
        "PlanMade ToolCalled EvidenceFound Drafted Verified Decided:accept",
        Limits(max_iterations=1, max_tool_rounds=0, scoring=False),
    ),
    Row(
        "the model stops calling tools when it can answer",
        (SEARCH, LOOK, GOOD, assessed(9)),
        "classify, answer offered, answer offered results, score",
        "answered",
        "PlanMade ToolCalled EvidenceFound ToolCalled EvidenceFound Drafted Verified Scored Decided:accept",
    ),
    Row(
        "when the rounds are spent tools are withheld",
        (SEARCH, LOOK, LOOK, GOOD, assessed(9)),
        "classify, answer offered, answer offered results, answer withheld results warned, score",
        "answered",
    ),
    Row(
        "rounds that bring nothing new end",
        (SEARCH, LOOK, LOOK, LOOK, GOOD, assessed(9)),
        "classify, answer offered, answer offered results, answer offered results, "
        "answer withheld results warned, score",
        "answered",
        limits=Limits(max_tool_rounds=None),
    ),
    Row(
        "unlimited rounds: tools are offered until it answers",
        (SEARCH, *(look(word) for word in ("unsafe", "stewards", "tyres")), GOOD, assessed(9)),
        "classify, answer offered, answer offered results, answer offered results, answer offered results, score",
        "answered",
        limits=Limits(max_tool_rounds=None),
    ),
    Row(
        "a full context withholds tools",
        (SEARCH, GOOD, assessed(9)),
        "classify, answer withheld warned, score",
        "not_found",
        "PlanMade ToolCalled EvidenceFound Warned:cut Warned:context Drafted Verified Scored Decided:accept",
        limits=Limits(max_context_tokens=1),
    ),
    Row(
        "thinking without the marker is continued",
        (SEARCH, said("Let me see."), GOOD, assessed(9)),
        "classify, answer offered, answer offered continued, score",
        "answered",
    ),
    Row(
        "a failing tool goes back as an error",
        (SEARCH, called(tool_use("penalty_lookup", words="x")), GOOD, assessed(9)),
        "classify, answer offered, answer offered error, score",
        "answered",
    ),
    Row(
        "a weak draft is refined with what was missing",
        (SEARCH, WEAK, assessed(4, "REFINE_QUERY", query="limit", missing="the number"), GOOD, assessed(9)),
        "classify, answer offered, score, answer offered notes, score",
        "answered",
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Decided:REFINE_QUERY "
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Decided:accept",
    ),
    Row(
        "another tool is tried",
        (SEARCH, WEAK, assessed(4, "SWITCH_TOOL", tool="general_rag", query="limit"), GOOD, assessed(9)),
        "classify, answer offered, score, answer offered notes, score",
        "answered",
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Decided:SWITCH_TOOL "
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Decided:accept",
    ),
    Row(
        "what was tried is not tried again",
        (SEARCH, WEAK, assessed(4, "REFINE_QUERY", query=QUESTION), GOOD, assessed(9)),
        "classify, answer offered, score, answer offered notes, score",
        "answered",
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Warned:already_tried Decided:SWITCH_TOOL "
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Decided:accept",
    ),
    Row(
        "a score that is refused twice passes nothing",
        (SEARCH, GOOD, OVER, OVER),
        "classify, answer offered last, score, score",
        "limit_reached",
        "PlanMade ToolCalled EvidenceFound Drafted Verified Warned:refused Decided:limit",
        Limits(max_iterations=1),
    ),
    Row(
        "at the limit the best draft waits for a person",
        (SEARCH, GOOD, assessed(6, "REFINE_QUERY", query="x"), WEAK, assessed(3, "REFINE_QUERY", query="y")),
        "classify, answer offered, score, answer offered notes last, score",
        "limit_reached",
        limits=Limits(max_iterations=2),
    ),
    Row(
        "a budget acts like the limit",
        (SEARCH, GOOD, assessed(4, "REFINE_QUERY", query="x")),
        "classify, answer offered, score",
        "limit_reached",
        limits=Limits(budget=0.001),
    ),
    Row(
        "a question of two parts has two steps",
        (
            classified(query=QUESTION, further=[{"tool": "penalty_lookup", "query": "speeding"}]),
            WEAK,
            assessed(5, "REFINE_QUERY", query="x", step_met=True),
            GOOD,
            assessed(9),
        ),
        "classify, answer offered, score, answer offered notes, score",
        "answered",
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Decided:next_step "
        "PlanMade ToolCalled EvidenceFound Drafted Verified Scored Decided:accept",
    ),
    Row(
        "a model that fails costs its iteration",
        (SEARCH, *[failed(529)] * 3, GOOD, assessed(9)),
        "classify, answer offered, answer offered, answer offered, answer offered, score",
        "answered",
    ),
    Row("a wrong key ends the run", (failed(401),), "classify", "failed"),
)


def in_short(body):
    """One call in a few words."""
    if "tools" not in body:
        return "classify" if "first step" in texts({"content": body["system"]}) else "score"
    offered = "withheld" if body["tool_choice"] == {"type": "none"} else "offered"
    first, *later = body["messages"]
    opening, last = texts(first), texts(body["messages"][-1])
    inside = [block for m in later if m["role"] == "user" for block in m["content"]]
    marks = {
        "notes": "What earlier iterations came to" in opening,
        "last": "This is the last iteration" in opening,
        "results": any(b["type"] == "tool_result" and not b.get("is_error") for b in inside),
        "error": any(b.get("is_error") for b in inside),
        "continued": any(b["type"] == "text" and b["text"].startswith("Go on.") for b in inside),
        "warned": "The tool rounds are spent" in last,
    }
    return " ".join(["answer", offered, *(name for name, there in marks.items() if there)])


def line_of(events):
    """The events between classification and end, decisions and warnings with their kind."""
    kinds = {ev.Decided: "decision", ev.Warned: "code"}
    shown = [e for e in events if not e.grows and e.type not in ("Asked", "Classified", "ModelCalled", "Ended")]
    return " ".join(f"{e.type}:{getattr(e, kinds[type(e)])}" if type(e) in kinds else e.type for e in shown)


def run(library, script, limits):
    with claude(*script) as (model, server):
        events = list(Agent(library, model).ask(Request(QUESTION, limits=limits)))
    return events, server


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_what_is_sent_and_what_comes_of_it(library, row):
    events, server = run(library, row.script, row.limits)
    assert ", ".join(map(in_short, server.bodies)) == row.sent
    assert events[-1].outcome == row.outcome
    if row.events:
        assert line_of(events) == row.events


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_call_is_frugal_and_well_formed(library, row):
    _, server = run(library, row.script, row.limits)
    for body in server.bodies:
        assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
        assert ("output_config" in body) != ("tools" in body)  # decisions have a schema, answers citations: never both
        assert "temperature" not in body
        assert body.get("tool_choice", {"type": "auto"})["type"] in ("auto", "none")
        assert [m["role"] for m in body["messages"]] == ["user", "assistant"] * (len(body["messages"]) // 2) + ["user"]


def test_a_waiting_run_is_decided_over_the_wire(library):
    script = (SEARCH, WEAK, assessed(4, "REFINE_QUERY", query="x"), GOOD, assessed(9))
    with claude(*script) as (model, server):
        agent = Agent(library, model)
        once = Limits(max_iterations=1)
        waiting = list(agent.ask(Request(QUESTION, limits=once)))
        assert waiting[-1].outcome == "limit_reached"
        after = list(agent.resume(waiting, Request("", limits=once), Decision(guidance="in the narrow lane")))
    assert after[-1].outcome == "answered"
    assert "in the narrow lane" in texts(server.bodies[3]["messages"][0])


REFINED = (
    SEARCH,
    WEAK,
    assessed(4, "REFINE_QUERY", query="stewards may impose", missing="a"),
    WEAK,
    assessed(5, "SWITCH_TOOL", tool="general_rag", query="prime tyres", missing="b"),
    citing("five sets of Prime tyres"),
    assessed(9),
)


def characters(body):
    return len(str([body["system"], body["messages"]]))


def test_a_run_of_three_iterations_takes_seven_calls_in_every_history_mode(library):
    """Three calls for the first iteration, two for each further one; a classify, select, explain, answer, score design
    would make five an iteration, fifteen in all."""
    sent = {}
    for mode in ("minimal", "progressive", "kitchen_sink"):
        events, server = run(library, REFINED, Limits(history_mode=mode))
        assert (events[-1].outcome, events[-1].iterations, events[-1].model_calls) == ("answered", 3, 7)
        sent[mode] = sum(characters(body) for body in server.bodies)
    assert sent["minimal"] < sent["progressive"] < sent["kitchen_sink"]


def test_the_panel_of_a_call_names_the_server_and_the_clauses_it_was_sent(library):
    events, server = run(library, (SEARCH, GOOD, assessed(9)), Limits())
    call = next(c for c in told(events, ev.ModelCalled) if c.purpose == "answer")
    assert call.usage.server == server.url.removeprefix("http://")
    assert call.clauses == tuple(block["source"] for block in search_results(server.bodies[1]))


def test_a_saved_run_replays_identically(library):
    events, _ = run(library, REFINED, Limits())
    assert [ev.from_json(ev.to_json(event)) for event in events] == events
    assert replace(Limits(), max_iterations=3) == told(events, ev.Asked)[0].limits
