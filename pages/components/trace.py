"""The reasoning of a run, drawn event by event: one `match` for live and replayed runs alike. It decides nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_status_container import StatusContainer

from core.agent import DraftCheck, RunLimits, Score
from core.agent import events as ev
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
    join_fragments,
    opens_panel,
    panel_label,
    split_panels,
    summarize_counters,
)
from pages.components.text import escape_markdown, sanitize_markdown

CRITERIA = ("completeness", "accuracy", "clarity", "specificity")
REDRAW_GROWTH = 1.05
"""How much longer a growing text is when it is drawn again. Each time it is drawn and sent whole: with each fragment
the cost of a reply would grow with the square of its length."""


@dataclass
class _Text:
    """A text that grows in its place on the page."""

    place: DeltaGenerator
    text: str = ""
    drawn: str = ""

    def grow(self, more: str, *, anew: bool = False) -> None:
        self.text = more if anew else self.text + more
        if anew or len(self.text) > REDRAW_GROWTH * len(self.drawn):
            self.flush()

    def flush(self) -> None:
        """Draw what has come since it was drawn last."""
        if self.text != self.drawn:
            self.place.markdown(sanitize_markdown(self.text))
            self.drawn = self.text


@dataclass
class _Panel:
    """One expandable panel, and the texts that grow in it."""

    box: DeltaGenerator
    thought: _Text | None = None
    draft: _Text | None = None

    def flush(self) -> None:
        """Draw its texts whole, since something else comes next."""
        for text in filter(None, (self.thought, self.draft)):
            text.flush()


@dataclass
class Trace:
    """The panels of a run inside `box`."""

    box: DeltaGenerator
    _panel: _Panel | None = field(default=None, init=False)
    _question: str = field(default="", init=False)
    _scope: str = field(default="", init=False)

    def draw_live(self, events: Iterable[ev.Event]) -> None:
        """Draw events as they come: the newest panel is open, and its label tells more the more is known."""
        frame: StatusContainer | None = None
        known: list[ev.Event] = []
        for event in events:
            if frame is None or opens_panel(event):
                _close(frame, known)
                known = []
                frame = self.box.status(panel_label([event]), type="step", expanded=True)
                self._enter(frame)
            self._draw(event)
            if event.grows:
                continue
            before = panel_label(known)
            known.append(event)
            if (label := panel_label(known)) != before:
                # Told again, since an update right after the beginning may overtake it.
                frame.update(label=f":shimmer[{label}]", expanded=True)
        self._settle()
        _close(frame, known)

    def replay(self, events: Iterable[ev.Event]) -> None:
        """Draw the events of a run that has ended, or of the part of it that lies behind."""
        for panel in split_panels(join_fragments(events)):
            self._enter(self.box.expander(panel_label(panel), type="step", icon=":material/check:"))
            for event in panel:
                self._draw(event)
        self._settle()

    def _enter(self, frame: DeltaGenerator) -> None:
        self._settle()
        self._panel = _Panel(frame.container(gap="xsmall"))

    @property
    def _now(self) -> _Panel:
        assert self._panel is not None, "a panel is entered before anything is drawn"
        return self._panel

    def _settle(self) -> None:
        if self._panel:
            self._panel.flush()

    def _draw(self, event: ev.Event) -> None:
        if not event.grows:
            self._settle()
        match event:
            case ev.Asked():
                self._asked(event)
            case ev.Classified():
                self._classified(event)
            case ev.PlanMade():
                self._planned(event)
            case ev.ToolCalled():
                self._called(event)
            case ev.ToolRetried():
                self._say(
                    f":material/refresh: {escape_markdown(event.tool)}, attempt {event.attempt}: {escape_markdown(event.error)}"
                )
            case ev.EvidenceFound():
                self._found(event)
            case ev.ThoughtGrew():
                self._thought().grow(event.text)
            case ev.DraftGrew():
                self._draft().grow(event.text, anew=event.anew)
            case ev.Drafted():
                self._drafted(event)
            case ev.Verified():
                self._verified(event.checks)
                if event.requirements:
                    tables.show_compliance_table(self._now.box, event.requirements)
            case ev.Scored():
                self._scored(event)
            case ev.Decided():
                self._say(
                    f"**Decision** {DECISIONS[event.decision]} ({event.decision}): {escape_markdown(event.reason)}"
                )
            case ev.ModelCalled():
                self._say(_model_call(event))
            case ev.Warned():
                self._say(f":orange[:material/warning:] {escape_markdown(event.message)}")
            case ev.Ended():
                self.box.caption(summarize_counters(event))

    def _say(self, markdown: str) -> None:
        self._now.box.markdown(f":small[{markdown}]")

    def _asked(self, event: ev.Asked) -> None:
        self._now.box.text(strip_control_characters(event.question))
        self._question = event.question
        if event.guidance:
            self._say(f"**Guidance** {escape_markdown(event.guidance)}")
        self._scoped(event.scope)
        self._say(f"**Limits** {_limits(event.limits)}")
        models = dict.fromkeys((event.answer_model, event.decision_model))
        where = ": nothing leaves this machine" if event.offline else ""
        self._say(f"**Model** {', '.join(map(escape_markdown, models))}{where}")

    def _classified(self, event: ev.Classified) -> None:
        self._say(f"**Intent** {event.intent}: {escape_markdown(event.reason)}")
        if event.question != self._question:
            self._say(f"**Question as understood** {escape_markdown(event.question)}")
        if event.scope:
            self._scoped(event.scope)

    def _planned(self, event: ev.PlanMade) -> None:
        strategy = f" ({event.strategy})" if event.strategy else ""
        step = f", step {event.step} of {event.steps}" if event.steps > 1 else ""
        self._say(
            f"**Plan version {event.version}**{step}{strategy} {escape_markdown(event.tool)}: {escape_markdown(event.reason)}"
        )
        if event.intent:
            self._say(f"**Intent** now {event.intent}")
        self._say(f"**Query** {escape_markdown(event.query)}")
        self._scoped(event.scope)

    def _scoped(self, scope: ev.ScopeView) -> None:
        """The scope, where it is not the one told last."""
        told = _scope(scope)
        if told != self._scope:
            self._say(told)
        self._scope = told

    def _called(self, event: ev.ToolCalled) -> None:
        panel = self._now
        panel.thought = panel.draft = None
        when = "Planned call" if event.round == 0 else f"Tool round {event.round}"
        arguments = ", ".join(f"{name} = {value}" for name, value in event.arguments.items())
        how_long = "called before, at hand" if event.cached else format_seconds(event.seconds)
        came = (
            f":red[failed] {escape_markdown(event.error)}"
            if event.error
            else format_count(event.found, "clause")
        )
        self._say(
            f"**{when}** {escape_markdown(event.tool)} ({escape_markdown(arguments)}) · {came} · {how_long}"
        )
        if event.note:
            self._say(f":material/info: {escape_markdown(event.note)}")

    def _found(self, event: ev.EvidenceFound) -> None:
        panel = self._now
        if event.sources:
            tables.show_source_table(panel.box, event.sources)
        if event.pairs:
            tables.show_pair_table(panel.box, event.pairs)
        if event.rows:
            tables.show_penalty_table(panel.box, event.rows)
        if event.coverage:
            self._say(
                f"{event.coverage.returned} of {event.coverage.relevant} relevant clauses are shown."
            )

    def _thought(self) -> _Text:
        panel = self._now
        if panel.thought is None:
            panel.flush()
            panel.draft = None
            self._say("**Thinking**")
            panel.thought = _Text(panel.box.empty())
        return panel.thought

    def _draft(self) -> _Text:
        panel = self._now
        if panel.draft is None:
            panel.flush()
            self._say("**Draft**")
            panel.draft = _Text(panel.box.container(border=True).empty())
        return panel.draft

    def _drafted(self, event: ev.Drafted) -> None:
        if event.thinking and self._now.thought is None:
            self._thought().grow(event.thinking)
        self._draft().grow(event.text, anew=True)

    def _verified(self, checks: Sequence[DraftCheck]) -> None:
        passed = sum(check.passed for check in checks)
        self._say(
            f"**Checks** {passed} of {len(checks)} passed"
            if checks
            else "**Checks** there was nothing to check"
        )
        for check in checks:
            about = (
                "" if check.subject in check.message else f"“{escape_markdown(check.subject)}”: "
            )
            self._say(
                f"{CHECK_MARKS[check.passed]} {check.kind}: {about}{escape_markdown(check.message)}"
            )

    def _scored(self, event: ev.Scored) -> None:
        self._say(f"**Scores** mean {event.mean:.1f} of 10, by {escape_markdown(event.by)}")
        _bars(self._now.box, event.score)
        if event.score.missing:
            self._say(f"**Missing** {escape_markdown(event.score.missing)}")


def _close(frame: StatusContainer | None, panel: Iterable[ev.Event]) -> None:
    if frame is not None:
        frame.update(label=panel_label(panel), state="complete", expanded=False)


def _limits(limits: RunLimits) -> str:
    rounds = (
        "any number of" if limits.max_tool_rounds is None else f"at most {limits.max_tool_rounds}"
    )
    parts = [
        f"at most {format_count(limits.max_iterations, 'iteration')}",
        f"{rounds} tool rounds in each",
    ]
    parts.append(
        f"accepted from {limits.quality_threshold:g}/10" if limits.scoring else "not scored"
    )
    if limits.budget is not None:
        parts.append(f"at most {format_cost(limits.budget)}")
    if limits.seconds is not None:
        parts.append(f"at most {format_seconds(limits.seconds)}")
    return ", ".join(parts)


def _scope(scope: ev.ScopeView) -> str:
    documents = " · ".join(scope.documents.values()) or "no document"
    return f"**Scope** {escape_markdown(documents)} ({escape_markdown(scope.why)})"


def _bars(box: DeltaGenerator, score: Score) -> None:
    for column, criterion in zip(box.columns(len(CRITERIA)), CRITERIA, strict=True):
        value: int = getattr(score, criterion)
        column.progress(value / 10, text=f":small[{criterion.capitalize()} **{value}**]")
        column.caption(escape_markdown(score.reasons.get(criterion, "")))


def _model_call(event: ev.ModelCalled) -> str:
    usage = event.usage
    parts = [escape_markdown(usage.model), format_seconds(usage.seconds)]
    if usage.input_tokens or usage.output_tokens:
        parts.append(
            f"{format_number(usage.input_tokens)} tokens in, {format_number(usage.output_tokens)} out"
        )
    if usage.cost:
        parts.append(format_cost(usage.cost))
    parts.append(escape_markdown(usage.server))
    if event.clauses:
        parts.append(f"{format_count(len(event.clauses), 'clause')} sent")
    if event.tools != "none":
        parts.append(f"tools {event.tools}")
    return f":gray[Model call to {event.purpose}: {' · '.join(parts)}]"
