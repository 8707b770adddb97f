"""Draws the reasoning of a run event by event, live and replayed alike. It decides nothing."""

from collections.abc import Iterable, Iterator
from typing import Literal

from streamlit.delta_generator import DeltaGenerator

from core.agent import RunLimits, events as ev
from core.sanitize import strip_control_characters
from pages.components import tables
from pages.components.labels import (
    CHECK_MARKS,
    DECISIONS,
    format_cost,
    format_count,
    format_number,
    format_seconds,
)
from pages.components.summaries import (
    drop_replaced_drafts,
    join_fragments,
    panel_label,
    split_panels,
    summarize_counters,
)
from pages.components.text import escape_markdown, sanitize_markdown

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
            label, at_work = panel_label(panel), live and number == len(panels)
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
                cost = format_cost(sum(usage.cost or 0.0 for usage in calls))
                self._say(f"**Cost** {cost} for {format_count(len(calls), 'model call')}")

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
            case ev.ThoughtGrew() | ev.DraftGrew() | ev.Drafted():
                self._draw_text(event)
            case ev.Verified():
                self._say(*_describe_checks(event))
                if event.requirements:
                    tables.show_compliance_table(self._panel, event.requirements)
            case ev.Scored():
                self._draw_scores(event)
            case ev.Ended():
                self.box.caption(summarize_counters(event))
            case _:
                self._say(_describe_event(event))

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._panel.markdown(f":small[{line}]")

    def _draw_question(self, event: ev.Asked) -> None:
        self._panel.text(strip_control_characters(event.question))
        self._question = event.question
        if event.guidance:
            self._say(f"**Guidance** {escape_markdown(event.guidance)}")
        self._draw_scope(event.scope)
        models = dict.fromkeys((event.answer_model, event.decision_model))
        where = ": nothing leaves this machine" if event.offline else ""
        self._say(
            f"**Limits** {_describe_limits(event.limits)}",
            f"**Model** {', '.join(map(escape_markdown, models))}{where}",
        )

    def _draw_plan(self, event: ev.Classified | ev.PlanMade) -> None:
        if isinstance(event, ev.Classified):
            self._say(f"**Intent** {event.intent}: {escape_markdown(event.reason)}")
            if event.question != self._question:
                self._say(f"**Question as understood** {escape_markdown(event.question)}")
        else:
            step = f", step {event.step} of {event.steps}" if event.steps > 1 else ""
            strategy = f" ({event.strategy})" if event.strategy else ""
            tool, reason = escape_markdown(event.tool), escape_markdown(event.reason)
            self._say(f"**Plan version {event.version}**{step}{strategy} {tool}: {reason}")
            if event.intent:
                self._say(f"**Intent** now {event.intent}")
            self._say(f"**Query** {escape_markdown(event.query)}")
        if event.scope:
            self._draw_scope(event.scope)

    def _draw_scope(self, scope: ev.ScopeView) -> None:
        documents = escape_markdown(" · ".join(scope.documents.values()) or "no document")
        line = f"**Scope** {documents} ({escape_markdown(scope.why)})"
        if scope.left_out:
            line += f". Left out: {escape_markdown(' · '.join(scope.left_out.values()))}"
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
            self._say(f"{found.returned} of {found.relevant} relevant clauses are shown.")

    def _draw_text(self, event: ev.ThoughtGrew | ev.DraftGrew | ev.Drafted) -> None:
        if isinstance(event, ev.Drafted):
            if event.thinking and event.thinking not in self._shown:
                self._show_text("Thinking", event.thinking)
            if event.text not in self._shown:
                self._show_text("Draft", event.text)
        else:
            self._show_text("Draft" if isinstance(event, ev.DraftGrew) else "Thinking", event.text)

    def _show_text(self, kind: str, text: str) -> None:
        self._say(f"**{kind}**")
        place = self._panel.container(border=True) if kind == "Draft" else self._panel
        place.markdown(sanitize_markdown(text))
        self._shown.add(text)

    def _draw_scores(self, event: ev.Scored) -> None:
        self._say(f"**Scores** mean {event.mean:.1f} of 10, by {escape_markdown(event.by)}")
        for column, criterion in zip(self._panel.columns(len(CRITERIA)), CRITERIA, strict=True):
            value: int = getattr(event.score, criterion)
            column.progress(value / 10, text=f":small[{criterion.capitalize()} **{value}**]")
            column.caption(escape_markdown(event.score.reasons.get(criterion, "")))
        if event.score.missing:
            self._say(f"**Missing** {escape_markdown(event.score.missing)}")


def _describe_event(event: ev.Event) -> str:
    match event:
        case ev.ToolRetried():
            tool, error = escape_markdown(event.tool), escape_markdown(event.error)
            return f":material/refresh: {tool}, attempt {event.attempt}: {error}"
        case ev.Decided():
            name = f"{DECISIONS[event.decision]} ({event.decision})"
            return f"**Decision** {name}: {escape_markdown(event.reason)}"
        case ev.ModelCalled():
            return _describe_model_call(event)
        case ev.Warned():
            return f":orange[:material/warning:] {escape_markdown(event.message)}"
    raise AssertionError(f"nothing draws {event.type}")


def _describe_call(event: ev.ToolCalled) -> Iterator[str]:
    label = "Planned call" if event.round == 0 else f"Tool round {event.round}"
    values = ", ".join(f"{name} = {value}" for name, value in event.arguments.items())
    call = f"**{label}** {escape_markdown(event.tool)} ({escape_markdown(values)})"
    time = "from the cache" if event.cached else format_seconds(event.seconds)
    result = format_count(event.found, "clause")
    if event.error:
        result = f":red[failed] {escape_markdown(event.error)}"
    yield f"{call} · {result} · {time}"
    if event.note:
        yield f":material/info: {escape_markdown(event.note)}"


def _describe_checks(event: ev.Verified) -> Iterator[str]:
    passed = sum(check.passed for check in event.checks)
    some = f"{passed} of {len(event.checks)} passed"
    yield f"**Checks** {some if event.checks else 'there was nothing to check'}"
    for check in event.checks:
        message = escape_markdown(check.message)
        if check.subject not in check.message:
            message = f"“{escape_markdown(check.subject)}”: {message}"
        yield f"{CHECK_MARKS[check.passed]} {check.kind}: {message}"


def _describe_limits(limits: RunLimits) -> str:
    most = limits.max_tool_rounds
    parts = [
        f"at most {format_count(limits.max_iterations, 'iteration')}",
        f"{'any number of' if most is None else f'at most {most}'} tool rounds in each",
        f"accepted from {limits.quality_threshold:g}/10" if limits.scoring else "not scored",
    ]
    if limits.budget is not None:
        parts.append(f"at most {format_cost(limits.budget)}")
    if limits.seconds is not None:
        parts.append(f"at most {format_seconds(limits.seconds)}")
    return ", ".join(parts)


def _describe_model_call(event: ev.ModelCalled) -> str:
    usage = event.usage
    tokens = [format_number(number) for number in (usage.input_tokens, usage.output_tokens)]
    parts = (
        escape_markdown(usage.model),
        format_seconds(usage.seconds),
        f"{tokens[0]} tokens in, {tokens[1]} out" if tokens != ["0", "0"] else "",
        format_cost(usage.cost) if usage.cost else "",
        escape_markdown(usage.server),
        f"{format_count(len(event.clauses), 'clause')} sent" if event.clauses else "",
        f"tools {event.tools}" if event.tools != "none" else "",
    )
    return f":gray[Model call to {event.purpose}: {' · '.join(filter(None, parts))}]"
