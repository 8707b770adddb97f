"""The reasoning of a run, drawn event by event: one `match` for live and replayed runs alike. It decides nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_status_container import StatusContainer

from core.agent import events as ev
from core.agent.types import Check, Limits, Score
from core.sanitize import visible
from pages.components import tables
from pages.components.labels import DECISIONS, MARKS, amount, grouped, money, seconds
from pages.components.summaries import counters, joined, label_of, opens_panel, panels
from pages.components.text import disarmed, plain

CRITERIA = ("completeness", "accuracy", "clarity", "specificity")
GROWTH = 1.05
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
        if anew or len(self.text) > GROWTH * len(self.drawn):
            self.settle()

    def settle(self) -> None:
        """Draw what has come since it was drawn last."""
        if self.text != self.drawn:
            self.place.markdown(disarmed(self.text))
            self.drawn = self.text


@dataclass
class _Panel:
    """One expandable panel, and the texts that grow in it."""

    box: DeltaGenerator
    thought: _Text | None = None
    draft: _Text | None = None

    def settle(self) -> None:
        """Draw its texts whole, since something else comes next."""
        for text in filter(None, (self.thought, self.draft)):
            text.settle()


@dataclass
class Trace:
    """The panels of a run inside `box`."""

    box: DeltaGenerator
    _panel: _Panel | None = field(default=None, init=False)
    _question: str = field(default="", init=False)
    _scope: str = field(default="", init=False)

    def follow(self, events: Iterable[ev.Event]) -> None:
        """Draw events as they come: the newest panel is open, and its label tells more the more is known."""
        frame: StatusContainer | None = None
        known: list[ev.Event] = []
        for event in events:
            if frame is None or opens_panel(event):
                _close(frame, known)
                known = []
                frame = self.box.status(label_of([event]), type="step", expanded=True)
                self._enter(frame)
            self._draw(event)
            if event.grows:
                continue
            before = label_of(known)
            known.append(event)
            if (label := label_of(known)) != before:
                # Told again, since an update right after the beginning may overtake it.
                frame.update(label=f":shimmer[{label}]", expanded=True)
        self._settle()
        _close(frame, known)

    def replay(self, events: Iterable[ev.Event]) -> None:
        """Draw the events of a run that has ended, or of the part of it that lies behind."""
        for panel in panels(joined(events)):
            self._enter(self.box.expander(label_of(panel), type="step", icon=":material/check:"))
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
            self._panel.settle()

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
                    f":material/refresh: {plain(event.tool)}, attempt {event.attempt}: {plain(event.error)}"
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
                    tables.requirements(self._now.box, event.requirements)
            case ev.Scored():
                self._scored(event)
            case ev.Decided():
                self._say(
                    f"**Decision** {DECISIONS[event.decision]} ({event.decision}): {plain(event.reason)}"
                )
            case ev.ModelCalled():
                self._say(_model_call(event))
            case ev.Warned():
                self._say(f":orange[:material/warning:] {plain(event.message)}")
            case ev.Ended():
                self.box.caption(counters(event))

    def _say(self, markdown: str) -> None:
        self._now.box.markdown(f":small[{markdown}]")

    def _asked(self, event: ev.Asked) -> None:
        self._now.box.text(visible(event.question))
        self._question = event.question
        if event.guidance:
            self._say(f"**Guidance** {plain(event.guidance)}")
        self._scoped(event.scope)
        self._say(f"**Limits** {_limits(event.limits)}")
        models = dict.fromkeys((event.answer_model, event.decision_model))
        where = ": nothing leaves this machine" if event.offline else ""
        self._say(f"**Model** {', '.join(map(plain, models))}{where}")

    def _classified(self, event: ev.Classified) -> None:
        self._say(f"**Intent** {event.intent}: {plain(event.reason)}")
        if event.question != self._question:
            self._say(f"**Question as understood** {plain(event.question)}")
        if event.scope:
            self._scoped(event.scope)

    def _planned(self, event: ev.PlanMade) -> None:
        strategy = f" ({event.strategy})" if event.strategy else ""
        step = f", step {event.step} of {event.steps}" if event.steps > 1 else ""
        self._say(
            f"**Plan version {event.version}**{step}{strategy} {plain(event.tool)}: {plain(event.reason)}"
        )
        if event.intent:
            self._say(f"**Intent** now {event.intent}")
        self._say(f"**Query** {plain(event.query)}")
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
        how_long = "called before, at hand" if event.cached else seconds(event.seconds)
        came = (
            f":red[failed] {plain(event.error)}" if event.error else amount(event.found, "clause")
        )
        self._say(f"**{when}** {plain(event.tool)} ({plain(arguments)}) · {came} · {how_long}")
        if event.note:
            self._say(f":material/info: {plain(event.note)}")

    def _found(self, event: ev.EvidenceFound) -> None:
        panel = self._now
        if event.sources:
            tables.sources(panel.box, event.sources)
        if event.pairs:
            tables.pairs(panel.box, event.pairs)
        if event.rows:
            tables.penalties(panel.box, event.rows)
        if event.coverage:
            self._say(
                f"{event.coverage.returned} of {event.coverage.relevant} relevant clauses are shown."
            )

    def _thought(self) -> _Text:
        panel = self._now
        if panel.thought is None:
            panel.settle()
            panel.draft = None
            self._say("**Thinking**")
            panel.thought = _Text(panel.box.empty())
        return panel.thought

    def _draft(self) -> _Text:
        panel = self._now
        if panel.draft is None:
            panel.settle()
            self._say("**Draft**")
            panel.draft = _Text(panel.box.container(border=True).empty())
        return panel.draft

    def _drafted(self, event: ev.Drafted) -> None:
        if event.thinking and self._now.thought is None:
            self._thought().grow(event.thinking)
        self._draft().grow(event.text, anew=True)

    def _verified(self, checks: Sequence[Check]) -> None:
        passed = sum(check.passed for check in checks)
        self._say(
            f"**Checks** {passed} of {len(checks)} passed"
            if checks
            else "**Checks** there was nothing to check"
        )
        for check in checks:
            about = "" if check.subject in check.message else f"“{plain(check.subject)}”: "
            self._say(f"{MARKS[check.passed]} {check.kind}: {about}{plain(check.message)}")

    def _scored(self, event: ev.Scored) -> None:
        self._say(f"**Scores** mean {event.mean:.1f} of 10, by {plain(event.by)}")
        _bars(self._now.box, event.score)
        if event.score.missing:
            self._say(f"**Missing** {plain(event.score.missing)}")


def _close(frame: StatusContainer | None, panel: Iterable[ev.Event]) -> None:
    if frame is not None:
        frame.update(label=label_of(panel), state="complete", expanded=False)


def _limits(limits: Limits) -> str:
    rounds = (
        "any number of" if limits.max_tool_rounds is None else f"at most {limits.max_tool_rounds}"
    )
    parts = [
        f"at most {amount(limits.max_iterations, 'iteration')}",
        f"{rounds} tool rounds in each",
    ]
    parts.append(
        f"accepted from {limits.quality_threshold:g}/10" if limits.scoring else "not scored"
    )
    if limits.budget is not None:
        parts.append(f"at most {money(limits.budget)}")
    if limits.seconds is not None:
        parts.append(f"at most {seconds(limits.seconds)}")
    return ", ".join(parts)


def _scope(scope: ev.ScopeView) -> str:
    documents = " · ".join(scope.documents.values()) or "no document"
    return f"**Scope** {plain(documents)} ({plain(scope.why)})"


def _bars(box: DeltaGenerator, score: Score) -> None:
    for column, criterion in zip(box.columns(len(CRITERIA)), CRITERIA, strict=True):
        value: int = getattr(score, criterion)
        column.progress(value / 10, text=f":small[{criterion.capitalize()} **{value}**]")
        column.caption(plain(score.reasons.get(criterion, "")))


def _model_call(event: ev.ModelCalled) -> str:
    usage = event.usage
    parts = [plain(usage.model), seconds(usage.seconds)]
    if usage.input_tokens or usage.output_tokens:
        parts.append(f"{grouped(usage.input_tokens)} tokens in, {grouped(usage.output_tokens)} out")
    if usage.cost:
        parts.append(money(usage.cost))
    parts.append(plain(usage.server))
    if event.clauses:
        parts.append(f"{amount(len(event.clauses), 'clause')} sent")
    if event.tools != "none":
        parts.append(f"tools {event.tools}")
    return f":gray[Model call to {event.purpose}: {' · '.join(parts)}]"
