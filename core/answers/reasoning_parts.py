"""The reasoning of a run, described once for pages, terminals and reports: panels of parts.

A part is Markdown, the words of documents, models and persons in it escaped: a line; a text (with
`kind` and `title`); or the rows of a table (with `title`), the first of which is its head.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from textwrap import shorten
from typing import Any

from core.agent import RunBudget, events as ev
from core.answers.run_tables import check_table, head_rows, list_tables
from core.choices import Mode
from core.language import Language
from core.markdown_escape import escape_markdown, sanitize_markdown, strip_marks, style_text
from core.verification import DraftCheck

Part = str | dict[str, Any]

CRITERIA = ("completeness", "accuracy", "clarity", "specificity")
CHECK_MARKS = {True: ":green[:material/check:]", False: ":red[:material/close:]"}
"""The sign of what has passed, and of what has not."""
DOUBT_MARK = ":orange[:material/question_mark:]"
"""The sign of a failed check that is no proof."""
MAX_QUERY = 90
"""Characters of a query in a label, which has one line."""
MAX_ROWS = 100
"""Rows of a table. A comparison has thousands, 1 kB each; the page Compare shows all."""
_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|offline \(extractive\)")
"""A tool, or the model of quotes, as the program calls them."""


def describe_panels(
    language: Language, events: Sequence[ev.Event], live: bool = False
) -> list[dict[str, Any]]:
    """Return a panel for each question and each plan: its label and its parts.

    The first label of a run that ended sums it up. Panels are `done` unless the run is at work on
    them, was cut off in them or failed.
    """
    reasoning = Reasoning(language, live)
    panels: list[dict[str, Any]] = []
    for group in _split_panels(_join_fragments(events)):
        label = _label_panel(language, group)
        if not (panels or live):
            label = summarize_run(language, events)
        parts = [
            part for event in _drop_replaced_drafts(group) for part in reasoning.describe(event)
        ]
        parts += reasoning.describe_cost(group)
        panel = {"label": escape_markdown(label), "live": False, "done": True, "parts": parts}
        panels.append(panel)
    end = events[-1]
    has_ended = isinstance(end, ev.Ended) and end.outcome not in ("failed", "cancelled")
    panels[-1].update(live=live, done=has_ended)
    return panels


def list_lines(part: Part) -> Iterator[str]:
    """Yield a part as lines of plain text: a table or a text by its title, scores one by one."""
    if isinstance(part, str):
        yield strip_marks(part)
    elif part.get("kind") == "scores":
        for name, value, reason in zip(*part["rows"], strict=True):
            yield strip_marks(f"{name} {value} {reason}").removesuffix(":")
    elif "title" in part:
        yield strip_marks(part["title"])


def _split_panels(events: Iterable[ev.Event]) -> list[list[ev.Event]]:
    """Split the events of a run at each question and each plan: a panel of the reasoning each."""
    panels: list[list[ev.Event]] = []
    for event in events:
        if not panels or isinstance(event, ev.Asked | ev.PlanMade):
            panels.append([])
        panels[-1].append(event)
    return panels


def _join_fragments(events: Iterable[ev.Event]) -> Iterator[ev.Event]:
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


def _drop_replaced_drafts(panel: Iterable[ev.Event]) -> list[ev.Event]:
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


class Reasoning:
    """Describes the events of a run, which are given in their order.

    A question, a scope and a text are said again only when they are others than before. Of a run
    at work tables are folded, so that its draft is in view.
    """

    def __init__(self, language: Language, live: bool = False) -> None:
        self.language, self._say, self._live = language, language.say, live
        self._plain = partial(name_tools, language)
        self._question = self._scope = ""
        self._is_offline = True
        self._texts = {""}

    def describe(self, event: ev.Event) -> Iterator[Part]:  # noqa: C901  # a case an event
        """Yield the parts of an event; none for one that others hold in full."""
        match event:
            case ev.Asked():
                self._is_offline = event.offline
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
                yield from self._describe_found(event)
            case ev.ThoughtGrew():
                yield from self._describe_text("thinking", event.text)
            case ev.DraftGrew():
                yield from self._describe_text("draft", event.text)
            case ev.Drafted():
                yield from self._describe_text("thinking", event.thinking)
                yield from self._describe_text("draft", event.text)
            case ev.Verified():
                yield from self._describe_checks(event)
            case ev.Scored():
                yield from self._describe_scores(event)
            case ev.Decided():
                yield self._describe_decision(event)
            case ev.ModelCalled():
                yield from self._describe_model_call(event)
            case ev.Warned():
                yield f":orange[:material/warning:] {self._plain(event.message)}"
            case ev.Ended():
                yield f":gray[{escape_markdown(_summarize_counters(self.language, event))}]"

    def describe_cost(self, events: Sequence[ev.Event]) -> Iterator[str]:
        """Yield a line on what the calls of models among some events cost; none without a call."""
        if calls := [event.usage for event in events if isinstance(event, ev.ModelCalled)]:
            cost = self.language.format_cost(sum(usage.cost or 0.0 for usage in calls))
            count = self._say("model-calls", count=len(calls))
            yield self._say("trace-cost", cost=escape_markdown(cost), calls=count)
            read = sum(usage.cache_read_tokens for usage in calls)
            if read:
                yield self._say("trace-cached", read=read, sent=sum(u.sent_tokens for u in calls))

    def _describe_question(self, event: ev.Asked) -> Iterator[Part]:
        self._question = event.question
        yield {"text": style_text(event.question, "{}")}
        if event.guidance:
            yield self._say("trace-guidance", guidance=escape_markdown(event.guidance))
        yield from self._describe_scope(event.scope)
        names = dict.fromkeys((event.answer_model, event.decision_model))
        models = ", ".join(map(self._plain, names))
        yield self._say("trace-budget", budget=_describe_budget(self.language, event.limits))
        yield self._say("trace-model-offline" if event.offline else "trace-model", models=models)

    def _describe_intent(self, event: ev.Classified) -> Iterator[Part]:
        reason = self._plain(event.reason)
        yield self._say("trace-intent", intent=self._say(f"intent-{event.intent}"), reason=reason)
        if event.question != self._question:
            yield self._say("trace-understood", question=escape_markdown(event.question))
        if event.scope:
            yield from self._describe_scope(event.scope)

    def _describe_plan(self, event: ev.PlanMade) -> Iterator[Part]:
        step = ""
        if event.steps > 1:
            step = self._say("trace-plan-step", step=event.step, steps=event.steps)
        tool, reason = self._plain(event.tool), self._plain(event.reason)
        yield self._say("trace-plan", tool=tool, reason=reason, step=step)
        if event.intent:
            yield self._say("trace-intent-now", intent=self._say(f"intent-{event.intent}"))
        yield self._say("trace-query", query=escape_markdown(event.query))
        yield from self._describe_scope(event.scope)

    def _describe_scope(self, scope: ev.ScopeView) -> Iterator[Part]:
        documents, why = join_labels(self.language, scope), self._plain(scope.why)
        line = self._say("trace-scope", documents=documents, why=why)
        if scope.left_out:
            left = escape_markdown(" · ".join(scope.left_out.values()))
            line = self._say("trace-scope-left-out", scope=line, left=left)
        if line != self._scope:
            self._scope = line
            yield line

    def _describe_call(self, event: ev.ToolCalled) -> Iterator[Part]:
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
            yield f":material/info: {self._plain(event.note)}"

    def _describe_found(self, event: ev.EvidenceFound) -> Iterator[Part]:
        for title, rows in list_tables(self.language, event):
            cells = [
                {name: escape_markdown(str(cell)) for name, cell in row.items()}
                for row in rows[:MAX_ROWS]
            ]
            label = f"{title} · {self.language.format_number(len(rows))}"
            yield {"rows": head_rows(self.language, cells), "title": label, "open": not self._live}
            if len(rows) > MAX_ROWS:
                yield self._say("table-first-rows", count=MAX_ROWS)
        if found := event.coverage:
            yield self._say("trace-coverage", returned=found.returned, relevant=found.relevant)

    def _describe_text(self, kind: str, text: str) -> Iterator[Part]:
        if text not in self._texts:
            self._texts.add(text)
            said = self.language.translate(text) if self._is_offline else text
            title = self._say(f"trace-{kind}")
            yield {
                "text": sanitize_markdown(said),
                "kind": kind,
                "title": title,
                "live": self._live,
            }

    def _describe_checks(self, event: ev.Verified) -> Iterator[Part]:
        passed = sum(check.passed for check in event.checks)
        if event.checks:
            yield self._say("trace-checks", passed=passed, count=len(event.checks))
        else:
            yield self._say("trace-no-checks")
        for check in event.checks:
            mark = DOUBT_MARK if check.is_doubt else CHECK_MARKS[check.passed]
            kind = self._say(f"check-{check.kind}")
            yield f"{mark} {kind}: {describe_check(self.language, check)}"
        if rows := check_table(self.language, event.requirements):
            title = self._say("table-checks")
            yield {"rows": rows, "title": title, "open": True}

    def _describe_scores(self, event: ev.Scored) -> Iterator[Part]:
        mean = self.language.format_number(event.mean, "0.0")
        yield self._say("trace-scores", mean=mean, by=self._plain(event.by))
        if event.score.missing:
            yield self._say("trace-missing", missing=self._plain(event.score.missing))
        yield from self._describe_verdicts(event)
        names = self.language.say_each("criterion-", CRITERIA)
        values = [f"**{getattr(event.score, criterion)}**" for criterion in CRITERIA]
        reasons = [self._plain(event.score.reasons.get(one, "")) for one in CRITERIA]
        yield {"rows": [[*names.values()], values, reasons], "kind": "scores"}

    def _describe_verdicts(self, event: ev.Scored) -> Iterator[Part]:
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
                ruling = self._say(f"ruling-{one.ruling}")
                said = self._say("trace-uncounted", statement=words, ruling=ruling)
                yield f"{DOUBT_MARK} {said}"
            elif one.doubts:
                doubts = " ".join(map(self._plain, one.doubts))
                said = self._say("trace-overruled", statement=words, doubts=doubts)
                yield f"{CHECK_MARKS[True]} {said}"

    def _describe_decision(self, event: ev.Decided) -> str:
        name, code = self._say(f"decision-{event.decision}"), event.decision
        name += f" ({code})" if code.isupper() else ""
        return self._say("trace-decision", name=name, reason=self._plain(event.reason))

    def _describe_model_call(self, event: ev.ModelCalled) -> Iterator[Part]:
        usage = event.usage
        tokens = {"in": usage.sent_tokens, "out": usage.output_tokens}
        parts = (
            self._plain(usage.model),
            self.language.format_seconds(usage.seconds),
            self._say("trace-tokens", **tokens) if any(tokens.values()) else "",
            escape_markdown(self.language.format_cost(usage.cost)) if usage.cost else "",
            self._plain(usage.server),
            self._say("trace-sent", count=len(event.clauses)) if event.clauses else "",
            self._say(f"trace-tools-{event.tools}") if event.tools != "none" else "",
        )
        purpose, facts = self._say(f"purpose-{event.purpose}"), " · ".join(filter(None, parts))
        yield self._say("trace-model-call", purpose=purpose, facts=facts)


def _label_panel(language: Language, panel: Iterable[ev.Event]) -> str:
    """Return the label of a panel: its iteration, tool, query, clauses, score and decision."""
    parts: list[str] = []
    markers: set[int] = set()
    for event in panel:
        match event:
            case ev.Asked():
                begin = "resumed" if event.resumed else "question"
                ends = event.decision if event.decision in ("conclude", "stop") else None
                parts.append(language.say(f"panel-{ends or begin}"))
            case ev.Classified():
                parts.append(language.say(f"intent-{event.intent}"))
            case ev.PlanMade():
                number = language.say("panel-iteration", number=event.iteration)
                parts += [number, name_tools(language, event.tool)]
                if query := shorten(event.query, MAX_QUERY, placeholder=" …"):
                    parts.append(language.say("quoted", words=query))
            case ev.EvidenceFound():
                before = language.say("clauses", count=len(markers))
                markers |= {source.marker for source in event.sources}
                parts = [part for part in parts if part != before]
                parts.append(language.say("clauses", count=len(markers)))
            case ev.Scored():
                parts.append(language.format_score(event.mean))
            case ev.Decided():
                parts.append(language.say(f"decision-{event.decision}"))
    return " · ".join(parts)


def summarize_run(language: Language, events: Iterable[ev.Event]) -> str:
    """Return one line on a run: what matters for trusting it."""
    ended: ev.Ended | None = None
    articles: set[str] = set()
    verified: dict[int, ev.Verified] = {}
    for event in events:
        match event:
            case ev.EvidenceFound():
                articles |= {source.clause_id for source in event.sources}
            case ev.Verified():
                verified[event.iteration] = event
            case ev.Ended():
                ended = event
    if ended is None:
        return language.say("run-open")
    best = verified.get(ended.best_iteration or 0)
    iterations = language.say("iterations", count=ended.iterations)
    if ended.score is not None:
        iterations = language.say(
            "run-score", iterations=iterations, score=language.format_score(ended.score)
        )
    share = ended.cached_tokens / max(1, ended.sent_tokens)
    parts = (
        language.say("run-articles", count=len(articles)) if articles else "",
        *(_summarize_checks(language, best) if best else ()),
        iterations,
        language.format_seconds(ended.seconds),
        language.format_cost(ended.cost) if ended.cost else "",
        language.say("run-cached", share=language.format_share(share)) if share else "",
    )
    return " · ".join(filter(None, parts))


def _summarize_checks(language: Language, event: ev.Verified) -> Iterator[str]:
    passed = [check.kind for check in event.checks if check.passed]
    missing = {found.reference for found in event.references if found.state == "not_held"}
    if quotes := passed.count("quote"):
        yield language.say("run-quotes", count=quotes)
    if computed := len(event.requirements) + passed.count("sum"):
        yield language.say("run-computed", count=computed)
    doubts = sum(check.is_doubt for check in event.checks)
    if failed := len(event.checks) - len(passed) - doubts:
        yield language.say("run-failed-checks", count=failed)
    if doubts:
        yield language.say("run-doubts", count=doubts)
    if missing:
        yield language.say("run-not-held", count=len(missing))


def _summarize_counters(language: Language, event: ev.Ended) -> str:
    """Return the outcome of a run, its four counters and its time."""
    counters = (
        language.say("iterations", count=event.iterations),
        language.say("tool-rounds", count=event.tool_rounds),
        language.say("tool-calls", count=event.tool_calls),
        language.say("model-calls", count=event.model_calls),
    )
    return " · ".join(
        (
            language.say(f"outcome-{event.outcome}"),
            *counters,
            language.format_seconds(event.seconds),
        )
    )


def name_tools(language: Language, text: str) -> str:
    """Return words of core as Markdown in the language, with plain names for its tools."""

    def name(found: re.Match[str]) -> str:
        message = f"tool-{found[0].partition(' ')[0]}"
        return language.say(message) if language.has_message(message) else found[0]

    return escape_markdown(_NAME.sub(name, language.translate(text)))


def join_labels(language: Language, scope: ev.ScopeView) -> str:
    """Return the documents of a scope as Markdown, or that there are none."""
    documents = escape_markdown(" · ".join(scope.documents.values()))
    return documents or language.say("answer-scope-none")


def describe_check(language: Language, check: DraftCheck) -> str:
    """Return what a check found, as Markdown that begins with the words that were checked."""
    message = escape_markdown(language.translate(check.message))
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


def _describe_budget(language: Language, budget: RunBudget) -> str:
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
