"""How a run ends: every end keeps the best draft so far."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from core.agent import events as ev
from core.agent.choices import list_elsewhere, list_meanings, list_rulebooks, names_nothing
from core.agent.decisive_days import list_decisive_days
from core.agent.models.base import Assessment
from core.agent.question import Question, read_amounts
from core.agent.run import Run, ScoredDraft
from core.agent.run_context import RunContext
from core.agent.types import CitedReference, Outcome, RunBudget
from core.grammar import article_label
from core.library import Document, Layers, Scope
from core.verification import Source, list_sources

MAX_CLARIFICATIONS = 3
"""Questions back to the person, in one run."""
MAX_SUGGESTIONS = 3
"""Questions that an answer suggests."""
DISCARDED_MESSAGE = "A person stopped the run."
MAX_FOUND = 8
"""Clauses that a failed run lists: as many as one search finds by default."""
FOUND_MESSAGE = "Closest rules. Please check whether they answer."
OPEN_MESSAGE = "Several things fit. Which do you mean?"
DAY_MESSAGE = "The rules changed, and the question does not say its day. Which day do you mean?"
ANSWERED_OPEN_MESSAGE = "The rulebooks differ. Which do you mean?"
_UNREAD = {
    "unread": "which is not quoted here",
    "missing": "which its document does not hold",
    "not_held": "which is in no document of the scope",
}
"""What is said of references that were not read, by their state."""
MAX_NAMED = 3
"""Documents that a sentence on them names."""


def end_run(
    context: RunContext,
    outcome: Outcome,
    best: ScoredDraft | None = None,
    answer: str = "",
    **fields: Any,
) -> ev.Ended:
    """Build the last event: with `answer` and no draft, else with the best draft.

    `fields` are further fields of the event.
    """
    draft = None if answer else best or context.run.best_draft
    seconds = context.run.seconds + context.seconds
    end = build_ended_event(context.run, outcome, draft, seconds)
    return end.model_copy(update={"answer": answer or end.answer, **fields})


def build_ended_event(
    run: Run, outcome: Outcome, best: ScoredDraft | None, seconds: float
) -> ev.Ended:
    """Build the end of a run with a draft or without one, after so many seconds of work."""
    return ev.Ended(
        outcome=outcome,
        answer=best.draft.text if best else "",
        citations=best.draft.citations if best else (),
        requirements=best.requirements if best else (),
        unsettled=_list_open_points(best) if best else (),
        score=best.mean if best and best.score else None,
        best_iteration=best.draft.iteration if best else None,
        iterations=run.iterations,
        tool_rounds=run.tool_rounds,
        tool_calls=run.tool_calls,
        model_calls=len(run.calls_made),
        seconds=seconds,
        cost=run.cost,
        sent_tokens=sum(usage.sent_tokens for usage in run.calls_made),
        cached_tokens=sum(usage.cache_read_tokens for usage in run.calls_made),
    )


def _list_open_points(best: ScoredDraft) -> tuple[str, ...]:
    return (*best.failures, *best.doubts, *describe_references(best.references))


def accept_draft(
    context: RunContext, draft: ScoredDraft, suggestions: tuple[str, ...] = ()
) -> ev.Ended:
    """End with a draft that passed; one without citations says that nothing was found."""
    outcome: Outcome = "answered" if draft.draft.citations else "not_found"
    return end_run(context, outcome, draft, decided_by="score", suggestions=suggestions)


def conclude_run(
    context: RunContext, decided_by: Literal["person", "model"], message: str
) -> ev.Ended:
    """End with the best draft by decision; a person can resume what the model concluded."""
    best = context.run.best_draft
    if best is None or not best.draft.citations:
        return _end_without_citation(context, message, decided_by)
    if decided_by == "model" and has_only_quotes(context):
        return end_run(context, "found", message=FOUND_MESSAGE, decided_by="limit")
    outcome: Outcome = "answered" if decided_by == "person" else "limit_reached"
    return end_run(context, outcome, best, message=message, decided_by=decided_by)


def has_only_quotes(context: RunContext) -> bool:
    """True where the best draft is quotes of the offline model whose checks passed.

    They end as `found`, not at a limit: more iterations would not make them surer.
    """
    best = context.run.best_draft
    quotes = best and best.is_trusted and best.draft.citations
    return bool(context.model.offline and quotes)


def end_at_limit(context: RunContext, reason: str) -> ev.Ended:
    """End at a limit: a person decides on the best draft, where there is one."""
    run = context.run
    if has_only_quotes(context):
        return end_run(context, "found", message=FOUND_MESSAGE, decided_by="limit")
    best = run.best_draft
    if best and best.draft.citations:
        return end_run(context, "limit_reached", best, message=reason, decided_by="limit")
    if best or not run.evidence.sources:
        return _end_without_citation(context, reason, "limit")
    return fail_run(context, reason)


def _end_without_citation(
    context: RunContext, message: str, decided_by: Literal["person", "model", "limit"]
) -> ev.Ended:
    """End with a draft that found nothing; what one says without a citation is not shown."""
    best = context.run.best_draft
    answer = ""
    if not (best and best.is_trusted):
        queries = "; ".join(dict.fromkeys(f"“{plan.query}”" for plan in context.run.plans))
        answer = f"I did not find it. I looked in {context.run.scope.label} for {queries}."
    fields: dict[str, Any] = {"message": message, "decided_by": decided_by if best else None}
    if best:
        fields["unsettled"] = _list_open_points(best)
    return end_run(context, "not_found", best, answer, **fields)


def fail_run(context: RunContext, message: str) -> ev.Ended:
    """End a run that failed, with its best draft, else with the clauses that were found."""
    run, answer = context.run, ""
    if not run.best_draft and run.evidence.sources:
        found = list_sources(run.evidence.sources[:MAX_FOUND])
        answer = f"These clauses were found, but no answer was written:\n\n{found}"
    return end_run(context, "failed", answer=answer, message=message)


def describe_missing_definition(term: str, documents: Iterable[str]) -> str:
    """Return the sentence on a term that no document defines."""
    labels = tuple(documents)
    named, more = ", ".join(labels[:MAX_NAMED]), len(labels) - MAX_NAMED
    return f"“{term}” is defined nowhere in {named}{f' and {more} more' if more > 0 else ''}."


def name_definition(context: RunContext, ended: ev.Ended) -> ev.Ended:
    """Return the end with the term that its first quote defines, or that nothing defines.

    Quotes that do not define it are the closest rules.
    """
    asked = context.read_question() if context.run.plans else None
    if asked is None or asked.asked_term is None or ended.outcome in ("failed", "cancelled"):
        return ended
    term, first = asked.asked_term.term, next(iter(ended.citations), None)
    if first and first.clause_id in {one.clause.clause_id for one in asked.definitions}:
        return ended.model_copy(update={"definition": term})
    if not (asked.is_undefined and context.model.offline):
        return ended
    message = describe_missing_definition(term, context.run.scope.labels.values())
    if not ended.citations:
        return ended.model_copy(update={"undefined": term, "message": message})
    found = open_again(ended, "found", f"{message} {FOUND_MESSAGE}")
    return found.model_copy(update={"undefined": term})


def open_again(ended: ev.Ended, outcome: Outcome, message: str) -> ev.Ended:
    """Return an end whose quotes do not answer; a score that says they do is not shown."""
    score = None if ended.outcome == "answered" else ended.score
    return ended.model_copy(update={"outcome": outcome, "message": message, "score": score})


def find_meanings(context: RunContext) -> tuple[ev.Choice, ...]:
    """Return what the question may be on, where it names nothing."""
    run = context.run
    if run.missing:
        return ()
    return context.toolbox.find(list_meanings, context.read_question(), run.scope)


def offer_choices(context: RunContext, ended: ev.Ended) -> ev.Ended:
    """Return the end with what may be meant, or with other documents that say what is asked.

    Quotes of several rulebooks that differ answer nothing before one is chosen.
    """
    run, ended = context.run, name_contradictions(ended)
    if not run.plans or ended.choices or ended.definition or ended.requirements:
        return ended
    asked = context.read_question()
    if ended.outcome in ("answered", "found") and (asked_back := _ask_back(context, ended, asked)):
        return asked_back
    is_open = ended.outcome in ("found", "not_found", "limit_reached")
    if not is_open or run.missing:
        return ended
    return ended.model_copy(
        update={"choices": context.toolbox.find(list_elsewhere, asked, run.scope)}
    )


def _ask_back(context: RunContext, ended: ev.Ended, asked: Question) -> ev.Ended | None:
    """Return the end of an answer that is open after all: the days, rulebooks or limits that are
    quoted differ. None where it is not.
    """
    run = context.run
    if run.clarifications < MAX_CLARIFICATIONS:
        cited_ids = [one.clause_id for one in ended.citations]
        if days := context.toolbox.find(list_decisive_days, asked.text, run.scope, cited_ids):
            ended = open_again(ended, "clarification_needed", DAY_MESSAGE)
            return ended.model_copy(update={"choices": days})
    if context.model.offline:
        cited = [run.evidence.find_by_clause(one.clause_id) for one in ended.citations]
        sources = [*_list_leading((*filter(None, cited), *run.evidence.sources), run.scope)]
        if choices := tuple(list_rulebooks(asked, sources, run.scope.documents)):
            asked_back = open_again(ended, "clarification_needed", ANSWERED_OPEN_MESSAGE)
            return asked_back.model_copy(update={"choices": choices})
        unnamed = run.evidence.sources if names_nothing(asked) else ()
        several = sum(bool(read_amounts(asked, one.text)[0]) for one in unnamed) > 1
        if ended.outcome == "answered" and (several or _has_open_change(asked, ended)):
            return open_again(ended, "found", FOUND_MESSAGE)
    return None


def _has_open_change(asked: Question, ended: ev.Ended) -> bool:
    """True where another layer contradicts the rule that is quoted first, and nothing settles it,
    or may change that rule, and does not answer.
    """
    return any(
        note.kind in ("unsettled", "unclear")
        and note.is_about(one.quote)
        and not note.leads(asked.text, one.quote)
        for one in ended.citations[:1]
        for note in one.layers
    )


def _list_leading(sources: Iterable[Source], scope: Scope) -> Iterator[Source]:
    """Yield sources without those of further documents of a competition: they answer as one."""
    layers = Layers(scope.documents, scope.day, scope.ids)
    leading: dict[tuple[Document, ...], str] = {}
    competitions = layers.list_competitions()
    for source in sources:
        name = source.document_id
        own = [one for one in competitions if name in {layer.document_id for layer in one}]
        if all(leading.get(one, name) == name for one in own):
            leading.update(dict.fromkeys(own, name))
            yield source


def name_contradictions(ended: ev.Ended) -> ev.Ended:
    """Return the end with the contradictions of quoted rules that nothing settles, as sentences."""
    found = {
        frozenset((one.clause_id, note.clause_id)): (one, note)
        for one in ended.citations
        for note in one.layers
        if note.kind == "unsettled"
    }
    said = tuple(
        f"{article_label(one.article)}, {one.document} and {note.place} contradict each other,"
        " and nothing says which prevails."
        for one, note in found.values()
    )
    return ended.model_copy(update={"unsettled": (*said, *ended.unsettled)})


def describe_references(references: Iterable[CitedReference]) -> tuple[str, ...]:
    """Return a sentence on what was not read of the references, for each article and state."""
    unread: dict[tuple[str, str], dict[str, None]] = {}
    for cited in references:
        if cited.state != "read":
            unread.setdefault((cited.article, cited.state), {})[cited.reference] = None
    return tuple(
        f"{article_label(article)} refers to {', '.join(found)}, {_UNREAD[state]}."
        for (article, state), found in unread.items()
    )


def find_end(
    context: RunContext, assessment: Assessment | None
) -> tuple[ev.Decided, ev.Ended] | None:
    """Return the decision and the end of the run, where its latest draft ends it."""
    run, toolbox = context.run, context.toolbox
    latest, budget = run.drafts[-1], run.budget
    passes = latest.reaches(budget.quality_threshold) if budget.scoring else latest.is_trusted
    if passes and budget.scoring and run.plans[-1].further:
        return None  # the next step comes first
    if passes:
        reason = f"{latest.mean:.1f} of 10 reaches the threshold of {budget.quality_threshold:g}."
        decided = ev.Decided(
            iteration=run.iterations,
            decision="accept",
            reason=reason if budget.scoring else "Scoring is off.",
        )
        asked, cited = assessment.suggestions if assessment else (), latest.draft.citations
        questions = toolbox.suggest_questions(asked, run.scope, cited, MAX_SUGGESTIONS)
        return decided, accept_draft(context, latest, questions)
    if assessment is None:
        return None
    decided = ev.Decided(
        iteration=run.iterations, decision=assessment.strategy, reason=assessment.reason
    )
    match assessment.strategy:
        case "CONCLUDE" if not run.plans[-1].further:
            return decided, conclude_run(context, "model", assessment.reason)
        case "CLARIFY" if run.clarifications < MAX_CLARIFICATIONS:
            question = assessment.ask or assessment.query or assessment.reason
            return decided, end_run(context, "clarification_needed", answer=question)
    return None


def describe_shortfall(draft: ScoredDraft, budget: RunBudget) -> str:
    """Return why a draft does not pass."""
    if not draft.is_trusted:
        return f"A draft with a failed check or statement cannot pass. {draft.failures[0]}"
    if draft.score is None:
        return "The draft has no score, so it cannot pass."
    missing = f" Missing: {draft.score.missing.rstrip(' .')}." if draft.score.missing else ""
    score, threshold = draft.score, budget.quality_threshold
    if draft.reaches(threshold):
        return "A later step of the plan is still open."
    if draft.mean < threshold:
        return f"{draft.mean:.1f} of 10 is below the threshold of {threshold:g}.{missing}"
    named = ((score.accuracy, "An accuracy"), (score.completeness, "A completeness"))
    value, name = min(named)
    return f"{name} of {value} of 10 is below the threshold of {threshold:g}.{missing}"
