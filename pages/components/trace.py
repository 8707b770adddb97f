"""Draws the reasoning of a run event by event, live and replayed alike. It decides nothing."""

from collections.abc import Iterable, Iterator
from typing import Literal

from streamlit.delta_generator import DeltaGenerator

from core.agent import RunLimits, events as ev
from core.answers import (
    drop_replaced_drafts,
    join_fragments,
    label_panel,
    split_panels,
    summarize_counters,
)
from core.markdown_escape import escape_markdown, sanitize_markdown
from core.sanitize import strip_control_characters
from pages.components import tables
from pages.components.labels import CHECK_MARKS
from pages.components.words import language, say

CRITERIA = ("completeness", "accuracy", "clarity", "specificity")


class Trace:
    """The panels of a run inside `box`."""

    def __init__(self, box: DeltaGenerator) -> None:
        self.box = self._panel = box
        self._shown: set[str] = set()
        self._question = self._scope = ""

    def draw(self, events: Iterable[ev.Event], live: bool = False) -> None:
        """Draw the events of a run. Of one at work the newest panel is open."""
        panels = split_panels(join_fragments(events))
        for number, panel in enumerate(panels, 1):
            label = escape_markdown(label_panel(language(), panel))
            at_work = live and number == len(panels)
            if live:
                look = f":shimmer[{label}]" if at_work else label
                done: Literal["running", "complete"] = "running" if at_work else "complete"
                frame: DeltaGenerator = self.box.status(
                    look, type="step", expanded=at_work, state=done
                )
            else:
                frame = self.box.expander(label, type="step", icon=":material/check:")
            self._panel = frame.container(gap="xsmall")
            for event in drop_replaced_drafts(panel):
                self._draw(event)
            if calls := [event.usage for event in panel if isinstance(event, ev.ModelCalled)]:
                cost = escape_markdown(
                    language().format_cost(sum(usage.cost or 0.0 for usage in calls))
                )
                self._say(say("trace-cost", cost=cost, calls=say("model-calls", count=len(calls))))

    def _draw(self, event: ev.Event) -> None:
        match event:
            case ev.Asked():
                self._draw_question(event)
            case ev.Classified() | ev.PlanMade():
                self._draw_plan(event)
            case ev.ToolCalled():
                self._say(*_describe_call(event))
            case ev.EvidenceFound():
                self._draw_evidence(event)
            case ev.ThoughtGrew():
                self._show_text("thinking", event.text)
            case ev.DraftGrew():
                self._show_text("draft", event.text)
            case ev.Drafted():
                self._show_text("thinking", event.thinking, if_new=True)
                self._show_text("draft", event.text, if_new=True)
            case ev.Verified():
                self._say(*_describe_checks(event))
                if event.requirements:
                    tables.show_compliance_table(self._panel, event.requirements)
            case ev.Scored():
                self._draw_scores(event)
            case ev.Ended():
                self.box.caption(escape_markdown(summarize_counters(language(), event)))
            case _:
                self._say(_describe_event(event))

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._panel.markdown(f":small[{line}]")

    def _draw_question(self, event: ev.Asked) -> None:
        self._panel.text(strip_control_characters(event.question))
        self._question = event.question
        if event.guidance:
            self._say(say("trace-guidance", guidance=escape_markdown(event.guidance)))
        self._draw_scope(event.scope)
        names = dict.fromkeys((event.answer_model, event.decision_model))
        models = ", ".join(map(escape_markdown, names))
        self._say(
            say("trace-limits", limits=_describe_limits(event.limits)),
            say("trace-model-offline" if event.offline else "trace-model", models=models),
        )

    def _draw_plan(self, event: ev.Classified | ev.PlanMade) -> None:
        if isinstance(event, ev.Classified):
            reason = escape_markdown(event.reason)
            self._say(say("trace-intent", intent=event.intent, reason=reason))
            if event.question != self._question:
                self._say(say("trace-understood", question=escape_markdown(event.question)))
        else:
            step = ""
            if event.steps > 1:
                step = say("trace-plan-step", step=event.step, steps=event.steps)
            if event.strategy:
                step += f" ({event.strategy})"
            tool, reason = escape_markdown(event.tool), escape_markdown(event.reason)
            plan = {"version": event.version, "step": step, "tool": tool, "reason": reason}
            self._say(say("trace-plan", **plan))
            if event.intent:
                self._say(say("trace-intent-now", intent=event.intent))
            self._say(say("trace-query", query=escape_markdown(event.query)))
        if event.scope:
            self._draw_scope(event.scope)

    def _draw_scope(self, scope: ev.ScopeView) -> None:
        documents = escape_markdown(" · ".join(scope.documents.values()))
        documents = documents or say("answer-scope-none")
        line = say("trace-scope", documents=documents, why=escape_markdown(scope.why))
        if scope.left_out:
            left = escape_markdown(" · ".join(scope.left_out.values()))
            line = say("trace-scope-left-out", scope=line, left=left)
        if line != self._scope:  # it is drawn once until it changes
            self._say(line)
        self._scope = line

    def _draw_evidence(self, event: ev.EvidenceFound) -> None:
        if event.sources:
            tables.show_source_table(self._panel, event.sources)
        if event.pairs:
            tables.show_pair_table(self._panel, event.pairs)
        if event.rows:
            tables.show_penalty_table(self._panel, event.rows)
        if found := event.coverage:
            self._say(say("trace-coverage", returned=found.returned, relevant=found.relevant))

    def _show_text(self, kind: str, text: str, if_new: bool = False) -> None:
        if if_new and text in {"", *self._shown}:
            return
        self._say(say(f"trace-{kind}"))
        place = self._panel.container(border=True) if kind == "draft" else self._panel
        place.markdown(sanitize_markdown(text))
        self._shown.add(text)

    def _draw_scores(self, event: ev.Scored) -> None:
        mean = language().format_number(event.mean, "0.0")
        self._say(say("trace-scores", mean=mean, by=escape_markdown(event.by)))
        for column, criterion in zip(self._panel.columns(len(CRITERIA)), CRITERIA, strict=True):
            value: int = getattr(event.score, criterion)
            column.progress(value / 10, text=f":small[{say(f'criterion-{criterion}')} **{value}**]")
            column.caption(escape_markdown(event.score.reasons.get(criterion, "")))
        if event.score.missing:
            self._say(say("trace-missing", missing=escape_markdown(event.score.missing)))


def _describe_event(event: ev.Event) -> str:
    match event:
        case ev.ToolRetried():
            tool, error = escape_markdown(event.tool), escape_markdown(event.error)
            return say("trace-retried", tool=tool, attempt=event.attempt, error=error)
        case ev.Decided():
            name, reason = say(f"decision-{event.decision}"), escape_markdown(event.reason)
            return say("trace-decision", name=name, code=event.decision, reason=reason)
        case ev.ModelCalled():
            return _describe_model_call(event)
        case ev.Warned():
            return f":orange[:material/warning:] {escape_markdown(event.message)}"
    raise AssertionError(f"nothing draws {event.type}")


def _describe_call(event: ev.ToolCalled) -> Iterator[str]:
    values = ", ".join(f"{name} = {value}" for name, value in event.arguments.items())
    call = f"{escape_markdown(event.tool)} ({escape_markdown(values)})"
    if event.round:
        call = say("trace-tool-round", number=event.round, call=call)
    else:
        call = say("trace-planned", call=call)
    time = say("trace-cached") if event.cached else language().format_seconds(event.seconds)
    result = say("clauses", count=event.found)
    if event.error:
        result = say("trace-failed", error=escape_markdown(event.error))
    yield f"{call} · {result} · {time}"
    if event.note:
        yield f":material/info: {escape_markdown(event.note)}"


def _describe_checks(event: ev.Verified) -> Iterator[str]:
    passed = sum(check.passed for check in event.checks)
    if event.checks:
        yield say("trace-checks", passed=passed, count=len(event.checks))
    else:
        yield say("trace-no-checks")
    for check in event.checks:
        message = escape_markdown(check.message)
        if check.subject not in check.message:
            message = f"{say('quoted', words=escape_markdown(check.subject))}: {message}"
        yield f"{CHECK_MARKS[check.passed]} {check.kind}: {message}"


def _describe_limits(limits: RunLimits) -> str:
    most = limits.max_tool_rounds
    threshold = f"{language().format_number(limits.quality_threshold)}/10"
    parts = [
        say("limits-at-most", most=say("iterations", count=limits.max_iterations)),
        say("limits-any-rounds") if most is None else say("limits-rounds", count=most),
        say("limits-accepted", score=threshold) if limits.scoring else say("limits-not-scored"),
    ]
    if limits.budget is not None:
        parts.append(
            say("limits-at-most", most=escape_markdown(language().format_cost(limits.budget)))
        )
    if limits.seconds is not None:
        parts.append(say("limits-at-most", most=language().format_seconds(limits.seconds)))
    return ", ".join(parts)


def _describe_model_call(event: ev.ModelCalled) -> str:
    usage = event.usage
    tokens = {"in": usage.input_tokens, "out": usage.output_tokens}
    parts = (
        escape_markdown(usage.model),
        language().format_seconds(usage.seconds),
        say("trace-tokens", **tokens) if any(tokens.values()) else "",
        escape_markdown(language().format_cost(usage.cost)) if usage.cost else "",
        escape_markdown(usage.server),
        say("trace-sent", count=len(event.clauses)) if event.clauses else "",
        say("trace-tools", tools=event.tools) if event.tools != "none" else "",
    )
    facts = " · ".join(filter(None, parts))
    return say("trace-model-call", purpose=event.purpose, facts=facts)
