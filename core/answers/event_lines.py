"""The events of a run for a reader: in panels, their texts whole, and line by line in words.

The lines are Markdown, the words of documents, models and persons in them escaped."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from core.agent import Mode, RunBudget, events as ev
from core.language import Language
from core.markdown_escape import escape_markdown
from core.verification import DraftCheck

CHECK_MARKS = {True: ":green[:material/check:]", False: ":red[:material/close:]"}
"""The sign of what has passed, and of what has not."""
_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|offline \(extractive\)")
"""A tool, or the model of quotes, as the program calls them."""
DOUBT_MARK = ":orange[:material/question_mark:]"
"""The sign of a failed check that is no proof."""


def split_panels(events: Iterable[ev.Event]) -> list[list[ev.Event]]:
    """Split the events of a run at each question and each plan: a panel of the reasoning each."""
    panels: list[list[ev.Event]] = []
    for event in events:
        if not panels or isinstance(event, ev.Asked | ev.PlanMade):
            panels.append([])
        panels[-1].append(event)
    return panels


def join_fragments(events: Iterable[ev.Event]) -> Iterator[ev.Event]:
    """The events with the fragments of each text joined into one, from its last new start."""
    for _, group in groupby(events, key=type):
        run = list(group)
        if not isinstance(run[0], ev.ThoughtGrew | ev.DraftGrew):
            yield from run
            continue
        starts = [n for n, event in enumerate(run) if getattr(event, "anew", False)]
        run = run[max(starts, default=0) :]
        text = "".join(getattr(event, "text", "") for event in run)
        yield run[0].model_copy(update={"text": text})


def drop_replaced_drafts(panel: Iterable[ev.Event]) -> list[ev.Event]:
    """The events of a panel without fragments of a draft that the next draft replaced."""
    kept: list[ev.Event] = []
    replaced = False
    for event in reversed(list(panel)):
        if isinstance(event, ev.ToolCalled):
            replaced = False
        if not (replaced and isinstance(event, ev.DraftGrew)):
            kept.append(event)
        replaced = replaced or isinstance(event, ev.Drafted | ev.DraftGrew)
    return kept[::-1]


class EventLines:
    """The lines of a run's events, which are given in their order.

    A question and a scope are said again only when they are others than before.
    """

    def __init__(self, language: Language) -> None:
        self.language, self._say = language, language.say
        self._plain = partial(say_plainly, language)
        self._question = self._scope = ""

    def describe(self, event: ev.Event) -> Iterator[str]:
        """Yield the lines of an event; none for one that is text or an end."""
        match event:
            case ev.Asked():
                yield from self._describe_question(event)
            case ev.Classified():
                yield from self._describe_intent(event)
            case ev.PlanMade():
                yield from self._describe_plan(event)
            case ev.ToolCalled():
                yield from self._describe_call(event)
            case ev.ToolRetried():
                tool, error = self._plain(event.tool), self._plain(event.error)
                yield self._say("trace-retried", tool=tool, attempt=event.attempt, error=error)
            case ev.EvidenceFound():
                if found := event.coverage:
                    counts = {"returned": found.returned, "relevant": found.relevant}
                    yield self._say("trace-coverage", **counts)
            case ev.Verified():
                yield from self._describe_checks(event)
            case ev.Scored():
                mean = self.language.format_number(event.mean, "0.0")
                yield self._say("trace-scores", mean=mean, by=self._plain(event.by))
                if event.score.missing:
                    yield self._say("trace-missing", missing=escape_markdown(event.score.missing))
                yield from self._describe_verdicts(event)
            case ev.Decided():
                name, code = self._say(f"decision-{event.decision}"), event.decision
                name += f" ({code})" if code.isupper() else ""
                yield self._say("trace-decision", name=name, reason=self._plain(event.reason))
            case ev.ModelCalled():
                yield self._describe_model_call(event)
            case ev.Warned():
                yield f":orange[:material/warning:] {self._plain(event.message)}"
            case _ if event.grows or isinstance(event, ev.Drafted | ev.Ended):
                pass
            case _:
                raise AssertionError(f"nothing describes {event.type}")

    def describe_cost(self, events: Sequence[ev.Event]) -> Iterator[str]:
        """Yield a line on what the calls of models among some events cost; none without a call."""
        if calls := [event.usage for event in events if isinstance(event, ev.ModelCalled)]:
            cost = self.language.format_cost(sum(usage.cost or 0.0 for usage in calls))
            count = self._say("model-calls", count=len(calls))
            yield self._say("trace-cost", cost=escape_markdown(cost), calls=count)
            read = sum(usage.cache_read_tokens for usage in calls)
            if read:
                yield self._say("trace-cached", read=read, sent=sum(u.sent_tokens for u in calls))

    def _describe_question(self, event: ev.Asked) -> Iterator[str]:
        self._question = event.question
        if event.guidance:
            yield self._say("trace-guidance", guidance=escape_markdown(event.guidance))
        yield from self._describe_scope(event.scope)
        names = dict.fromkeys((event.answer_model, event.decision_model))
        models = ", ".join(map(self._plain, names))
        yield self._say("trace-budget", budget=describe_budget(self.language, event.limits))
        yield self._say("trace-model-offline" if event.offline else "trace-model", models=models)

    def _describe_intent(self, event: ev.Classified) -> Iterator[str]:
        reason = self._plain(event.reason)
        yield self._say("trace-intent", intent=self._say(f"intent-{event.intent}"), reason=reason)
        if event.question != self._question:
            yield self._say("trace-understood", question=escape_markdown(event.question))
        if event.scope:
            yield from self._describe_scope(event.scope)

    def _describe_plan(self, event: ev.PlanMade) -> Iterator[str]:
        step = ""
        if event.steps > 1:
            step = self._say("trace-plan-step", step=event.step, steps=event.steps)
        tool, reason = self._plain(event.tool), self._plain(event.reason)
        yield self._say("trace-plan", tool=tool, reason=reason, step=step)
        if event.intent:
            yield self._say("trace-intent-now", intent=self._say(f"intent-{event.intent}"))
        yield self._say("trace-query", query=escape_markdown(event.query))
        if event.scope:
            yield from self._describe_scope(event.scope)

    def _describe_scope(self, scope: ev.ScopeView) -> Iterator[str]:
        documents = join_labels(self.language, scope)
        line = self._say("trace-scope", documents=documents, why=escape_markdown(scope.why))
        if scope.left_out:
            left = escape_markdown(" · ".join(scope.left_out.values()))
            line = self._say("trace-scope-left-out", scope=line, left=left)
        if line != self._scope:
            self._scope = line
            yield line

    def _describe_call(self, event: ev.ToolCalled) -> Iterator[str]:
        values = ", ".join(f"{name} = {value}" for name, value in event.arguments.items())
        call = f"{self._plain(event.tool)} ({escape_markdown(values)})"
        if event.round:
            call = self._say("trace-tool-round", number=event.round, call=call)
        else:
            call = self._say("trace-planned", call=call)
        time = self.language.format_seconds(event.seconds)
        if event.cached:
            time = self._say("trace-reused")
        result = self._say("clauses", count=event.found)
        if event.error:
            result = self._say("trace-failed", error=self._plain(event.error))
        yield f"{call} · {result} · {time}"
        if event.note:
            yield f":material/info: {escape_markdown(event.note)}"

    def _describe_checks(self, event: ev.Verified) -> Iterator[str]:
        passed = sum(check.passed for check in event.checks)
        if event.checks:
            yield self._say("trace-checks", passed=passed, count=len(event.checks))
        else:
            yield self._say("trace-no-checks")
        for check in event.checks:
            said = describe_check(self.language, check)
            mark = DOUBT_MARK if check.is_doubt else CHECK_MARKS[check.passed]
            yield f"{mark} {check.kind}: {said}"

    def _describe_verdicts(self, event: ev.Scored) -> Iterator[str]:
        """Yield a line on all statements, and one on each that failed or was doubted."""
        if not event.statements:
            return
        supported = sum(one.ruling == "supported" for one in event.statements)
        yield self._say("trace-statements", supported=supported, count=len(event.statements))
        for one in event.statements:
            words = escape_markdown(one.statement)
            if one.failure:
                yield f"{CHECK_MARKS[False]} {self._plain(one.failure)}"
            elif one.ruling != "supported":
                said = self._say("trace-uncounted", statement=words, ruling=one.ruling)
                yield f"{DOUBT_MARK} {said}"
            elif one.doubts:
                doubts = escape_markdown(" ".join(one.doubts))
                said = self._say("trace-overruled", statement=words, doubts=doubts)
                yield f"{CHECK_MARKS[True]} {said}"

    def _describe_model_call(self, event: ev.ModelCalled) -> str:
        usage = event.usage
        tokens = {"in": usage.sent_tokens, "out": usage.output_tokens}
        parts = (
            self._plain(usage.model),
            self.language.format_seconds(usage.seconds),
            self._say("trace-tokens", **tokens) if any(tokens.values()) else "",
            escape_markdown(self.language.format_cost(usage.cost)) if usage.cost else "",
            escape_markdown(usage.server),
            self._say("trace-sent", count=len(event.clauses)) if event.clauses else "",
            self._say("trace-tools", tools=event.tools) if event.tools != "none" else "",
        )
        facts = " · ".join(filter(None, parts))
        return self._say("trace-model-call", purpose=event.purpose, facts=facts)


def say_plainly(language: Language, text: str) -> str:
    """Return words of the program as Markdown, with its names for tools in plain words."""

    def name(found: re.Match[str]) -> str:
        message = f"tool-{found[0].partition(' ')[0]}"
        return language.say(message) if language.has_message(message) else found[0]

    return escape_markdown(_NAME.sub(name, text))


def join_labels(language: Language, scope: ev.ScopeView) -> str:
    """Return the documents of a scope as Markdown, or that there are none."""
    documents = escape_markdown(" · ".join(scope.documents.values()))
    return documents or language.say("answer-scope-none")


def describe_check(language: Language, check: DraftCheck) -> str:
    """Return what a check found, as Markdown that begins with the words that were checked."""
    message = escape_markdown(check.message)
    if check.subject in check.message:
        return message
    return f"{language.say('quoted', words=escape_markdown(check.subject))}: {message}"


def summarize_budget(language: Language, budget: RunBudget, mode: Mode) -> str:
    """Return a mode with its budget if that can be chosen: "Standard, 3 iterations, from 7"."""
    name = language.say(f"mode-{mode}")
    if not budget.scoring:
        return name
    threshold = language.format_number(budget.quality_threshold)
    count = budget.max_iterations
    return language.say("budget-line", mode=name, count=count, threshold=threshold)


def describe_budget(language: Language, budget: RunBudget) -> str:
    """Return the budget of a run as Markdown: "at most 3 iterations, ... accepted from 7/10"."""
    say, most = language.say, budget.max_tool_rounds
    threshold = f"{language.format_number(budget.quality_threshold)}/10"
    parts = [
        say("budget-at-most", most=say("iterations", count=budget.max_iterations)),
        say("budget-any-rounds") if most is None else say("budget-rounds", count=most),
        say("budget-accepted", score=threshold) if budget.scoring else say("budget-not-scored"),
    ]
    if budget.budget is not None:
        dollars = escape_markdown(language.format_cost(budget.budget))
        parts.append(say("budget-at-most", most=dollars))
    if budget.seconds is not None:
        parts.append(say("budget-at-most", most=language.format_seconds(budget.seconds)))
    return ", ".join(parts)
