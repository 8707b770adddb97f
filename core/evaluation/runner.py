"""Run a question set through the agent or through search alone, and save the results.

An answer is judged by the set alone. `core.evaluation.results` counts the results.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from threading import Event as Flag

from pydantic import TypeAdapter, ValidationError

from core.agent import Agent, Request, RunBudget, events as ev
from core.atomic_files import remove_stale_parts, write_atomically
from core.chats import Conversations
from core.copied_fields import copy_fields
from core.errors import LibraryError, ScrutineerError
from core.evaluation.questions import (
    KeyedQuestion,
    expected_citations,
    is_expected_article,
    meets_expectation,
    question_scope,
)
from core.evaluation.results import Evaluation, QuestionResult
from core.library import Library, resolve_scope, search
from core.verification import Citation, contains_parts, normalize_text

HIT_DEPTH = 5
"""Clauses among which an expected article counts as a hit."""


@dataclass(frozen=True, slots=True)
class RunnerContext:
    """What the agent needs: each question is a run, all in one conversation of this title."""

    agent: Agent
    library: Library
    chats: Conversations
    budget: RunBudget
    title: str


QuestionRunner = Callable[[KeyedQuestion], QuestionResult | None]
"""Runs a question; None if it was stopped."""
_ADAPTER = TypeAdapter(Evaluation)


class EvaluationStore:
    """The evaluations of a folder, a JSON file each."""

    FOLDER = "evaluations"
    """In the data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save_evaluation(self, evaluation: Evaluation) -> None:
        """Write an evaluation over its earlier state. Raises LibraryError `unreadable`."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(self._path(evaluation.evaluation_id), _ADAPTER.dump_json(evaluation))
        except OSError as error:
            raise LibraryError(
                f"The evaluation cannot be kept in {self.folder}: {error.strerror or error}."
                " Check the folder's permissions and the free space.",
                code="unreadable",
            ) from error

    def load_all(self) -> tuple[Evaluation, ...]:
        """Load all that this version can read, newest first."""
        evaluations = []
        for path in self.folder.glob("*.json"):
            with suppress(ValidationError, OSError):  # of another version, or just removed
                evaluations.append(_ADAPTER.validate_json(path.read_bytes()))
        return tuple(sorted(evaluations, key=lambda found: found.started_at, reverse=True))

    def remove_evaluation(self, evaluation_id: str) -> None:
        self._path(evaluation_id).unlink(missing_ok=True)

    def _path(self, evaluation_id: str) -> Path:
        return self.folder / f"{evaluation_id}.json"


def run_evaluation(
    evaluation: Evaluation,
    questions: Iterable[KeyedQuestion],
    run_question: QuestionRunner,
    store: EvaluationStore,
) -> Iterator[Evaluation]:
    """Run the questions in order; save and yield the evaluation after each of them."""
    remove_stale_parts(store.folder)  # of an interrupted save
    for question in questions:
        result = run_question(question)
        if result is None:
            return
        evaluation = replace(evaluation, results=(*evaluation.results, result))
        store.save_evaluation(evaluation)
        yield evaluation


def make_search_runner(library: Library, stopping: Flag) -> QuestionRunner:
    """Return a runner that searches only, until `stopping` is set."""
    return partial(_search_question, library, stopping)


def make_agent_runner(context: RunnerContext, stopping: Flag) -> QuestionRunner:
    """Return a runner that asks the agent, until `stopping` is set.

    The runner raises LibraryError `limit` if the person's quota is used up.
    """
    start_chat = cache(partial(context.chats.start_conversation, context.title))  # once
    return partial(_ask_question, context, start_chat, stopping)


def _search_question(
    library: Library, stopping: Flag, question: KeyedQuestion
) -> QuestionResult | None:
    if stopping.is_set():
        return None
    started, documents = time.monotonic(), library.documents()
    try:
        choice = question_scope(question, documents)
        scope = resolve_scope(documents, choice, "" if choice.is_set else question.text)
        hits = search(library, question.text, scope, HIT_DEPTH)
    except ScrutineerError as error:
        return replace(_new_result(question, (), started), error=error.message)
    return _new_result(question, [hit.clause.article for hit in hits], started)


def _ask_question(
    context: RunnerContext, start_chat: Callable[[], str], stopping: Flag, question: KeyedQuestion
) -> QuestionResult | None:
    if stopping.is_set():
        return None
    started = time.monotonic()
    try:
        choice = question_scope(question, context.library.documents())
        conversation_id = start_chat()
        run = context.agent.ask(Request(question.text, choice, context.budget))
        events = _collect_events(context.chats.save_events(conversation_id, run), stopping)
    except ScrutineerError as error:
        if error.code == "limit":
            raise
        return replace(_new_result(question, (), started), error=error.message)
    return _judge_run(question, events, context.library, started) if events else None


def _collect_events(run: Generator[ev.Event, None, None], stopping: Flag) -> list[ev.Event]:
    """Return all events of a run; none if it was stopped, and saved as such."""
    events: list[ev.Event] = []
    with closing(run):
        for event in run:
            events.append(event)
            if stopping.is_set() and not isinstance(event, ev.Ended):
                return []
    return events


def _judge_run(
    question: KeyedQuestion, events: Sequence[ev.Event], library: Library, started: float
) -> QuestionResult:
    asked, ended = events[0], events[-1]
    assert isinstance(asked, ev.Asked), "a run begins with Asked"
    assert isinstance(ended, ev.Ended), "a run that was not stopped has ended"
    evidence = [event for event in events if isinstance(event, ev.EvidenceFound)]
    found = {source.marker: source.article for event in evidence for source in event.sources}
    cited = expected_citations(ended.citations, question)
    quotes, standing = _count_quotes(events, ended, library)
    return replace(
        _new_result(question, list(found.values())[:HIT_DEPTH], started),
        cited=bool(cited) if question.articles else None,
        said=meets_expectation(question, cited, ended.requirements),
        quotes=quotes,
        standing=standing,
        refused=ended.outcome in ("declined", "not_found"),
        outcome=ended.outcome,
        score=ended.score,
        iterations=ended.iterations,
        cost=ended.cost,
        model=asked.answer_model,
        run_id=ended.run_id,
        error=ended.message if ended.outcome == "failed" else "",
    )


def _count_quotes(events: Iterable[ev.Event], ended: ev.Ended, library: Library) -> tuple[int, int]:
    """Count the quotes of an answer, and those that are word for word in their clause.

    Quotes are its citations, and passages that the checks of its own iteration found nowhere.
    """
    citations = set(ended.citations)
    standing = sum(_matches_clause(citation, library) for citation in citations)
    checks = chain.from_iterable(
        event.checks
        for event in events
        if isinstance(event, ev.Verified) and event.iteration == ended.best_iteration
    )
    failed = sum((check.kind, check.passed) == ("quote", False) for check in checks)
    return max(len(citations), failed + standing), standing


def _matches_clause(citation: Citation, library: Library) -> bool:
    """True if the library has the quote word for word in the clause cited, in force."""
    clause = library.clause(citation.clause_id)
    if clause is None or clause.status != "in_force":
        return False
    text = normalize_text("\n".join((clause.title, *clause.lead_in, clause.text)))
    return contains_parts(normalize_text(citation.quote), text)


def _new_result(question: KeyedQuestion, found: Sequence[str], started: float) -> QuestionResult:
    hits = [is_expected_article(article, question.articles) for article in found]
    return copy_fields(
        QuestionResult,
        question,
        question=question.text,
        found=tuple(found),
        rank=hits.index(True) + 1 if any(hits) else None,
        seconds=round(time.monotonic() - started, 3),
    )
