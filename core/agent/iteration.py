"""One iteration: run the planned tool, let the model call more tools, verify and score its draft.

The loop decides what follows from the score, not this module.
"""

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Literal

from core.agent import events as ev
from core.agent.compliance import check_question_values, cite_checks, find_limit_clauses
from core.agent.context_window import (
    AnyRequest,
    add_recent_sources,
    build_first_request,
    build_next_request,
    build_repair_request,
    check_context,
    fit_request,
    join_rounds,
)
from core.agent.endings import describe_missing_definition, describe_references
from core.agent.markdown import format_tables
from core.agent.models.base import (
    Assessment,
    Reply,
    ReplyDelta,
    ReplyRequest,
    ScoreRequest,
    ToolRound,
)
from core.agent.question import Question
from core.agent.run import Run, words_of_call
from core.agent.run_context import RunContext
from core.agent.tools.interpretation import INTERPRETATION_TOOL, find_interpretation_clauses
from core.agent.tools.not_in_force import (
    describe_not_in_force,
    find_lapsed_words,
    find_ruling_words,
)
from core.agent.types import CitedReference, Draft, Plan, ToolOutcome, ToolResult
from core.copied_fields import copy_fields
from core.errors import ModelError, ToolError
from core.grammar import find_references
from core.library import Hit, Scope, cut_to_part, is_at_or_below
from core.model_calls import ToolCall
from core.rulebook import Clause
from core.verification import (
    ComplianceRow,
    ParsedDraft,
    Source,
    check_draft,
    check_whole,
    list_stated_rules,
    parse_draft,
    relevant_text,
)

log = logging.getLogger("scrutineer.agent")

DEFINITIONS_TOOL = "definitions"
"""The name of clauses that define the term asked for, in events of evidence."""
MAX_DEFINING_WORDS = 300
"""Of a longer clause only the entry of the term is added. The longest of the 60 definitions of
tests/benchmarks/questions/definitions.csv has 160."""
VALUES_TOOL = "values"
"""The name of clauses with limits of a question's values, in events of evidence."""
MAX_REPROMPTS = 2
"""How often an iteration re-prompts a reply that neither calls a tool nor answers."""
MAX_REFERENCES_READ = 8
"""Referenced articles that are read after a draft."""
MAX_IDLE_ROUNDS = 2
"""Rounds in a row that may bring nothing new: the same calls, or failing ones."""
RETRY_BACKOFF = 0.2
"""Seconds before a failed tool is called again; doubles with each attempt."""
WITHHELD_MESSAGE = "Tools are withheld now. Answer from the evidence above."
EMPTY_MESSAGE = "The model gave no answer in words."
CUT_MESSAGE = (
    "The reply was longer than allowed, and so was the second one."
    " Raise SCRUTINEER_MAX_OUTPUT_TOKENS or ask for less."
)


def run_iteration(context: RunContext, plan: Plan) -> ev.EventStream[Assessment | None]:
    """Carry out a plan; return the assessment of its draft, None where it was not scored.

    Raises ModelError where the model gave no draft.
    """
    run = context.run
    number = run.iterations + 1
    documents = tuple(d for d in run.scope.documents if d.document_id in plan.documents)
    scope = replace(run.scope, documents=documents or run.scope.documents)
    log.info("run %s iteration %d: %s", run.run_id[:8], number, plan.tool)
    log.debug("run %s looks for “%s”", run.run_id[:8], plan.query)
    seen = ev.ScopeView.from_scope(scope)
    yield context.record_event(copy_fields(ev.PlanMade, plan, iteration=number, scope=seen))
    asked = context.read_question()
    outcome, rows = yield from _gather_evidence(context, asked, plan, scope)
    first = replace(_build_request(context, asked, plan, outcome), requirements=rows)
    request, reply = yield from _obtain_reply(context, first)
    if not reply.draft.strip():
        raise ModelError(EMPTY_MESSAGE, code="empty")
    parsed = yield from _verify_reply(context, reply, rows)
    failures = run.drafts[-1].failures
    if failures and (mended := (yield from _mend_draft(context, request, reply, failures))):
        reply, parsed = mended, (yield from _verify_reply(context, mended, rows))
    if not run.drafts[-1].is_whole:
        raise ModelError(CUT_MESSAGE, code="truncated")
    if not run.budget.scoring:
        return None
    tables = join_rounds(request).tables
    assessment = yield from _score_draft(context, asked, plan, reply, parsed, tables)
    found_by_judge = () if failures or assessment is None else run.drafts[-1].failures
    if not found_by_judge:
        return assessment
    if mended := (yield from _mend_draft(context, request, reply, found_by_judge)):
        parsed = yield from _verify_reply(context, mended, rows)
        assessment = yield from _score_draft(context, asked, plan, mended, parsed, tables)
    return assessment


def _gather_evidence(
    context: RunContext, asked: Question, plan: Plan, scope: Scope
) -> ev.EventStream[tuple[ToolOutcome, tuple[ComplianceRow, ...]]]:
    """Return what the plan's tool, definitions and limits find, and the values that are checked."""
    planned_call = ToolCall("plan", plan.tool, {"query": plan.query})
    definitions = yield from _find_definitions(context, asked)
    outcome = yield from _call_tool(context, scope, 0, planned_call)
    outcome = replace(outcome, sources=tuple(dict.fromkeys((*definitions, *outcome.sources))))
    yield from _find_interpretation(context, outcome.sources)
    rows, limits = yield from _check_values(context, asked, outcome.sources)
    note = ""
    if asked.is_undefined and asked.asked_term:
        note = describe_missing_definition(asked.asked_term.term, context.run.scope.labels.values())
    sources = tuple(dict.fromkeys((*outcome.sources, *limits)))
    tables = "\n\n".join(filter(None, (note, outcome.tables)))
    return replace(outcome, sources=sources, tables=tables), rows


def _mend_draft(
    context: RunContext, request: ReplyRequest, reply: Reply, failures: tuple[str, ...]
) -> ev.EventStream[Reply | None]:
    """Return the reply with its draft mended; None where it is not asked, or gives no whole one."""
    if context.model.offline or context.exceeded_limit:
        return None
    try:
        repair = build_repair_request(request, reply, failures)
        _, mended = yield from _record_last_reply(context, repair)
        return mended if mended.draft.strip() and not mended.cut else None
    except ModelError as error:
        if error.fatal:
            raise
        yield context.record_warning(error.code, f"The draft was not mended: {error.message}")
    return None


def _find_definitions(context: RunContext, asked: Question) -> ev.EventStream[tuple[Source, ...]]:
    """Add what defines the term asked for to the evidence, and return it: it comes first.

    Of a long clause that is the entry alone.
    """
    hits = tuple(
        Hit(
            one.clause
            if len(one.clause.text.split()) <= MAX_DEFINING_WORDS
            else cut_to_part(one.clause, one.words),
            0.0,
            "definition",
        )
        for one in asked.definitions
    )
    if not hits:
        return ()
    return (yield from context.record_evidence(DEFINITIONS_TOOL, ToolResult(hits)))


def _find_interpretation(context: RunContext, found: Sequence[Source]) -> ev.EventStream[None]:
    """Once in a run, add the clauses on how the documents of the first evidence are to be read."""
    run = context.run
    if context.interpretation_searched or run.interpretation_ids or not found:
        return
    context.interpretation_searched = True
    documents = run.scope.by_id
    ids = dict.fromkeys(source.document_id for source in found if source.document_id in documents)
    hits = context.toolbox.find(find_interpretation_clauses, [documents[key] for key in ids])
    if new := tuple(hit for hit in hits if hit.clause.clause_id not in run.evidence):
        yield from context.record_evidence(INTERPRETATION_TOOL, ToolResult(new))


def _check_values(
    context: RunContext, asked: Question, found: Sequence[Source]
) -> ev.EventStream[tuple[tuple[ComplianceRow, ...], tuple[Source, ...]]]:
    """Return the question's values as the rulebooks of clauses limit them, with these limits'
    clauses, which are added to the evidence.
    """
    run = context.run
    if not asked.values:
        return (), ()
    checks = context.toolbox.find(check_question_values, run.question, run.scope, found)
    hits = context.toolbox.find(find_limit_clauses, checks)
    limits: tuple[Source, ...] = ()
    if hits:
        limits = yield from context.record_evidence(VALUES_TOOL, ToolResult(hits))
    return cite_checks(checks, run.evidence), limits


def _build_request(
    context: RunContext, asked: Question, plan: Plan, planned: ToolOutcome
) -> ReplyRequest:
    run = context.run
    request = ReplyRequest(
        asked=asked,
        intent=run.intent,
        plan=plan,
        iteration=run.iterations,
        max_iterations=run.budget.max_iterations,
        tables=planned.tables or planned.error or "",
        tools=context.toolbox.call_specs,
        documents=tuple(filter(None, (*run.scope.labels.values(), run.missing))),
        pairs=planned.pairs,
        struck=planned.struck,
        standing=run.evidence.only_clauses(run.interpretation_ids),
        rounds=run.budget.tool_rounds_for(run.intent),
        guidance=tuple(run.guidance),
    )
    return build_first_request(run, planned, request)


def _obtain_reply(
    context: RunContext, request: ReplyRequest
) -> ev.EventStream[tuple[ReplyRequest, Reply]]:
    """Return the answer after any tool rounds with its request; at a limit, withhold the tools."""
    run, max_rounds = context.run, request.rounds
    rounds = reprompts = idle_rounds = 0
    while True:
        is_full = yield from _is_context_full(context, replace(request, final=True))
        if is_full:  # what was sent cannot be cut, so the list begins anew
            joined = replace(join_rounds(request), final=True)
            request = yield from _fit_request(context, joined, "the context")
        final = (
            is_full
            or reprompts >= MAX_REPROMPTS
            or idle_rounds >= MAX_IDLE_ROUNDS
            or (max_rounds is not None and rounds >= max_rounds)
            or context.exceeded_limit is not None
        )
        if final:
            return (yield from _record_last_reply(context, replace(request, final=True)))
        reply = yield from _record_reply(context, request)
        if reply.complete and not reply.calls:
            return request, reply
        outcomes: list[ToolOutcome] = []
        known_calls = len(context.cached_results)
        if reply.calls:
            rounds += 1
            log.info("run %s tool round %d: %d calls", run.run_id[:8], rounds, len(reply.calls))
            for call in reply.calls:
                outcomes.append((yield from _call_tool(context, run.scope, rounds, call)))
            idle_rounds = idle_rounds + 1 if len(context.cached_results) == known_calls else 0
        else:
            reprompts += 1
        request = build_next_request(run, request, ToolRound(reply, tuple(outcomes)))


def _fit_request(
    context: RunContext, request: AnyRequest, where: str
) -> ev.EventStream[AnyRequest]:
    request, cut = fit_request(context.run, request, context.model)
    if cut:
        markers = ", ".join(f"[{marker}]" for marker in cut)
        message = f"Sources cut to their quotes so that the others fit into {where}: {markers}."
        yield context.record_warning("cut", message)
    return request


def _is_context_full(context: RunContext, request: ReplyRequest) -> ev.EventStream[bool]:
    """Return True when the model must answer now; warn when four fifths are used."""
    limit, tokens = context.run.budget.max_context_tokens, context.model.count_tokens(request)
    if tokens > 0.8 * limit:
        rest = "The model must answer now." if tokens >= limit else "It is nearly full."
        message = f"{tokens} of {limit} tokens of context are used. {rest}"
        yield context.record_warning("context", message)
    return tokens >= limit


def _record_last_reply(
    context: RunContext, request: ReplyRequest
) -> ev.EventStream[tuple[ReplyRequest, Reply]]:
    """Return the reply to a last request with its request; calls in it are refused, once."""
    reply = yield from _record_reply(context, request)
    if reply.calls and not reply.draft:
        refused = tuple(ToolOutcome(call, error=WITHHELD_MESSAGE) for call in reply.calls)
        exchanges = (*request.exchanges, ToolRound(reply, refused, final=True))
        request = replace(request, exchanges=exchanges)
        reply = yield from _record_reply(context, request)
    return request, reply


def _record_reply(context: RunContext, request: ReplyRequest) -> ev.EventStream[Reply]:
    """Stream one reply, and record what it cost even when it failed."""
    tools: Literal["offered", "withheld"] = "withheld" if request.final else "offered"
    check_context(context.run, context.model.count_tokens(request))
    replies = context.model.stream_reply(request)
    try:
        while True:
            yield context.record_event(_to_event(next(replies), request.iteration))
    except StopIteration as end:
        reply: Reply = end.value
    except ModelError as error:
        yield from context.record_usage("answer", error.usage, request.sources, tools)
        raise
    finally:
        replies.close()
    yield from context.record_usage("answer", reply.usage, request.sources, tools)
    return reply


def _to_event(delta: ReplyDelta, iteration: int) -> ev.Event:
    if delta.usage:
        return ev.UsageGrew(iteration=iteration, usage=delta.usage)
    if delta.kind == "thought":
        return ev.ThoughtGrew(iteration=iteration, text=delta.text)
    return ev.DraftGrew(iteration=iteration, text=delta.text, anew=delta.anew)


def _call_tool(
    context: RunContext, scope: Scope, round_number: int, call: ToolCall
) -> ev.EventStream[ToolOutcome]:
    """Make one tool call, or take its result from the cache.

    A ToolError becomes an outcome, unless it is fatal.
    """
    started = time.perf_counter()
    run_id = context.run.run_id[:8]
    arguments = {str(name): value for name, value in call.arguments.items()}
    key = json.dumps([call.tool, arguments, scope.ids], sort_keys=True, default=str)
    cached = context.cached_results.get(key)
    failure, error = None, None
    try:
        result = cached or (yield from _run_tool(context, call, scope))
    except ToolError as raised:
        failure, error, result = raised, raised.message, ToolResult()
    # Arguments and errors can contain words of a document, which only the debug level may hold.
    brought = "failed" if error else f"{len(result.clauses)} clauses"
    log.info("run %s tool call: %s", run_id, brought)
    log.debug("run %s called %s: %s", run_id, call.tool, error or "as planned")
    yield context.record_event(
        ev.ToolCalled(
            iteration=context.run.iterations,
            round=round_number,
            tool=call.tool,
            arguments=arguments,
            seconds=time.perf_counter() - started,
            found=len(result.clauses),
            note=" ".join(filter(None, (result.note, *result.struck))) or None,
            error=error,
            cached=cached is not None,
        )
    )
    if failure is not None:
        if failure.fatal:
            raise failure
        return ToolOutcome(call, error=failure.message)
    context.cached_results[key] = result
    sources = yield from context.record_evidence(call.tool, result)
    return ToolOutcome(call, sources, format_tables(result), result.pairs, struck=result.struck)


def _run_tool(context: RunContext, call: ToolCall, scope: Scope) -> ev.EventStream[ToolResult]:
    """Return the result of a call; a failure for a passing cause is retried with backoff."""
    for attempt in count(1):
        try:
            result = context.toolbox.call(call.tool, call.arguments, scope)
            break
        except ToolError as error:
            if not error.passing or attempt > context.run.budget.tool_retries:
                raise
            iteration = context.run.iterations
            yield context.record_event(
                ev.ToolRetried(
                    iteration=iteration, tool=call.tool, attempt=attempt, error=error.message
                )
            )
            context.sleep(RETRY_BACKOFF * 2 ** (attempt - 1))
    query = words_of_call(call.arguments)
    clauses = [hit.clause for hit in result.clauses]
    struck = context.toolbox.find(describe_not_in_force, query, scope, clauses)
    return replace(result, struck=struck)


def _read_references(
    context: RunContext, draft: Draft
) -> ev.EventStream[tuple[CitedReference, ...]]:
    """Return the references in the cited words and their lead-ins, and read the unread articles."""
    run = context.run
    in_words = _references_in_cited_words(run, draft)
    references: list[CitedReference] = []
    unread: dict[str, Hit] = {}
    articles = {citation.clause_id: citation.article for citation in draft.citations}
    for clause_id, article in articles.items():
        for found in context.toolbox.resolve_clause_references(clause_id, run.scope):
            if clause_id in in_words and found.reference not in in_words[clause_id]:
                continue
            if found.state == "missing" and run.evidence.is_of_other_layer(
                clause_id, found.reference
            ):
                continue
            clause = found.clause
            is_unread = clause is not None and not _was_read(run, draft, clause)
            state = found.state if found.state != "found" else "unread" if is_unread else "read"
            references.append(CitedReference(article, found.reference, state))
            if clause and is_unread and len(unread) < MAX_REFERENCES_READ:
                unread[clause.clause_id] = Hit(clause, 0.0, "reference")
    if unread:
        yield from context.record_evidence("references", ToolResult(tuple(unread.values())))
    return tuple(dict.fromkeys(references))


def _was_read(run: Run, draft: Draft, clause: Clause) -> bool:
    """True of a clause of the evidence, and of one that a cited clause is at or below."""
    return clause.clause_id in run.evidence or any(
        cited.document_id == clause.document_id and is_at_or_below(cited.article, clause.article)
        for cited in draft.citations
    )


def _references_in_cited_words(run: Run, draft: Draft) -> dict[str, set[str]]:
    """Return, by clause id, the references in the words that a draft cites of it."""
    in_words: dict[str, set[str]] = {}
    for citation in draft.citations:
        if source := run.evidence.find_by_clause(citation.clause_id):
            names = find_references(relevant_text(source, citation))
            in_words.setdefault(citation.clause_id, set()).update(names)
    return in_words


def _verify_reply(
    context: RunContext, reply: Reply, rows: tuple[ComplianceRow, ...]
) -> ev.EventStream[ParsedDraft]:
    """Record the draft of a reply, and its checks without a model; return it as parsed."""
    run = context.run
    yield context.record_event(
        ev.Drafted(
            iteration=run.iterations,
            text=reply.draft.strip(),
            thinking=reply.thinking,
            citations=reply.citations,
        )
    )
    draft = run.drafts[-1].draft
    references = yield from _read_references(context, draft)
    cited = dict.fromkeys(citation.clause_id for citation in draft.citations)
    known = cited | dict.fromkeys(source.clause_id for source in run.evidence.sources)
    parsed = parse_draft(draft.text, draft.citations, run.evidence, context.toolbox.find_sentences)
    checks = (
        *check_whole(reply.draft, draft.citations, reply.cut),
        *check_draft(
            parsed,
            run.evidence,
            run.question,
            rows,
            (*run.scope.labels.values(), *run.notes, *run.guidance),
            (
                *context.toolbox.find(find_lapsed_words, cited, run.scope),
                *context.toolbox.find(find_ruling_words, known),
            ),
        ),
    )
    yield context.record_event(
        ev.Verified(
            iteration=draft.iteration, checks=checks, references=references, requirements=rows
        )
    )
    return parsed


def _score_draft(
    context: RunContext,
    asked: Question,
    plan: Plan,
    reply: Reply,
    parsed: ParsedDraft,
    tables: str,
) -> ev.EventStream[Assessment | None]:
    """Return the model's assessment of the draft; None, with a warning, where it gave none."""
    run = context.run
    latest, draft = run.drafts[-1], run.drafts[-1].draft
    known = run.evidence.without_clauses(run.interpretation_ids)
    request = ScoreRequest(
        asked=asked,
        intent=run.intent,
        plan=plan,
        draft=draft.text,
        citations=draft.citations,
        evidence=add_recent_sources(parsed.sources, known),
        failures=latest.failures,
        # Offline nothing rules on statements, and reading them would be most of what a run calls.
        statements=() if context.model.offline else list_stated_rules(parsed, latest.checks),
        tools=context.toolbox.specs,
        tried=tuple(dict.fromkeys((plan.tool, plan.query) for plan in run.plans)),
        requirements=latest.requirements,
        calls=tuple(run.calls.values()),
        tables=tables,
        documents=tuple(filter(None, (*run.scope.labels.values(), run.missing))),
        references=describe_references(latest.references),
        guidance=tuple(run.guidance),
        measures=reply.measures,
    )
    request = yield from _fit_request(context, request, "the scoring call")
    try:
        check_context(run, context.model.count_tokens(request))
        assessment, usage = context.model.score(request)
    except ModelError as error:
        yield from context.record_usage("score", error.usage, request.evidence)
        if error.fatal:
            raise
        yield context.record_warning(error.code, f"The draft could not be scored: {error.message}")
        return None
    yield from context.record_usage("score", usage, request.evidence)
    score = assessment.score
    yield context.record_event(
        ev.Scored(
            iteration=draft.iteration,
            score=score,
            mean=score.mean,
            by=context.model.decision_model,
            statements=assessment.statements,
        )
    )
    return assessment
