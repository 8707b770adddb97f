"""A question set put to the agent or to search alone, and what came of it, kept to be compared with a later one.

What is right it knows from the set alone. What the results come to in figures is said in `core.evaluation.metrics`.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event as Flag
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from core.agent import Agent, Citation, Outcome, Request, RunLimits, contains_words, normalize_text
from core.agent import events as ev
from core.atomic_files import remove_stale_parts, write_atomically
from core.chats import Conversations
from core.errors import LibraryError, ScrutineerError
from core.evaluation.expectations import expected_citations, is_expected_article, meets_expectation
from core.evaluation.questions import Question, question_scope
from core.library import Library, resolve_search_scope, search

Method = Literal["agent", "search"]
EVALUATIONS_FOLDER = "evaluations"
"""The folder in the data folder that they are kept in."""
HIT_DEPTH = 5
"""Clauses among which an expected article counts as hit."""
REFUSAL_OUTCOMES = ("declined", "not_found")


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What came of a question. What the method does not give, or the set does not ask for, is None."""

    line: int
    question: str
    articles: tuple[str, ...]
    """Those expected."""
    refusal: bool
    """Expected to be refused."""
    found: tuple[str, ...] = ()
    """Articles of the first clauses found, best first."""
    rank: int | None = None
    """Place from 1 of the first expected article among them; None: it is not."""
    cited: bool | None = None
    """The answer cites an expected article, of the season expected."""
    quotes: int = 0
    standing: int = 0
    """Quotes of the answer, and those that stand word for word in the clause they name."""
    refused: bool | None = None
    outcome: Outcome | None = None
    score: float | None = None
    iterations: int = 0
    cost: float | None = None
    """US dollars."""
    seconds: float = 0.0
    model: str = ""
    """Who wrote the answer; empty for search alone."""
    run_id: str | None = None
    error: str = ""
    """Why it could not be asked, or failed, in a sentence."""
    says: tuple[str, ...] = ()
    answer_season: int | None = None
    """Words and season expected."""
    said: bool | None = None
    """The quotes of the expected articles hold those words."""

    @property
    def is_accepted(self) -> bool:
        """The run gave its answer as good; nothing was left to a person."""
        return self.outcome == "answered"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A question set and the results so far; it was stopped where they are fewer than `questions`."""

    evaluation_id: str
    name: str
    """That of the set's file, as its sender gave it; for showing only."""
    method: Method
    started_at: str
    """ISO time, UTC."""
    questions: int
    results: tuple[QuestionResult, ...] = ()

    @property
    def is_complete(self) -> bool:
        return len(self.results) == self.questions

    @property
    def model(self) -> str:
        """Who wrote the answers; empty for search alone."""
        return next((result.model for result in self.results if result.model), "")


@dataclass(frozen=True, slots=True)
class RunnerContext:
    """What the agent needs to be put questions: each is a run of its own, all in one conversation of this title."""

    agent: Agent
    library: Library
    chats: Conversations
    limits: RunLimits
    title: str


QuestionRunner = Callable[[Question], QuestionResult | None]
"""Puts a question; None when it was stopped."""


class EvaluationStore:
    """The evaluations kept in a folder, a JSON file each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save_evaluation(self, evaluation: Evaluation) -> None:
        """Write an evaluation, in place of what was kept of it before. Raises LibraryError `unreadable`."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(self._path(evaluation.evaluation_id), _ADAPTER.dump_json(evaluation))
        except OSError as error:
            raise LibraryError(
                f"The evaluation cannot be kept in {self.folder}: {error.strerror or error}."
                " Check the folder's permissions and the free space.",
                code="unreadable",
            ) from error

    def remove_partial_files(self) -> None:
        """Remove what was left of one whose keeping was cut off."""
        remove_stale_parts(self.folder)

    def load_all(self) -> tuple[Evaluation, ...]:
        """All that this version can read, the newest first."""
        found = [kept for path in self.folder.glob("*.json") if (kept := _read(path))]
        return tuple(sorted(found, key=lambda kept: kept.started_at, reverse=True))

    def remove_evaluation(self, evaluation_id: str) -> None:
        """Forget an evaluation; nothing happens where there is none."""
        self._path(evaluation_id).unlink(missing_ok=True)

    def _path(self, evaluation_id: str) -> Path:
        return self.folder / f"{evaluation_id}.json"


_ADAPTER: TypeAdapter[Evaluation] = TypeAdapter(Evaluation)


def _read(path: Path) -> Evaluation | None:
    try:
        return _ADAPTER.validate_json(path.read_bytes())
    except (ValidationError, OSError):  # another version's, or just removed
        return None


def new_evaluation(name: str, method: Method, questions: Sequence[Question]) -> Evaluation:
    """An evaluation that has not begun."""
    started = datetime.now(UTC).isoformat(timespec="microseconds")
    return Evaluation(secrets.token_hex(8), name, method, started, len(questions))


def run_evaluation(
    evaluation: Evaluation,
    questions: Iterable[Question],
    run_question: QuestionRunner,
    store: EvaluationStore,
) -> Iterator[Evaluation]:
    """Put the questions one after the other; yields the evaluation, and keeps it, after each of them."""
    store.remove_partial_files()
    for question in questions:
        result = run_question(question)
        if result is None:
            return
        evaluation = replace(evaluation, results=(*evaluation.results, result))
        store.save_evaluation(evaluation)
        yield evaluation


def make_search_runner(library: Library, stopping: Flag) -> QuestionRunner:
    """Questions put to search alone, until `stopping` is set."""

    def put(question: Question) -> QuestionResult | None:
        if stopping.is_set():
            return None
        began, documents = time.monotonic(), library.documents()
        try:
            choice = question_scope(question, documents)
            hits = search(
                library,
                question.text,
                resolve_search_scope(documents, choice, question.text),
                HIT_DEPTH,
            )
        except ScrutineerError as error:
            return replace(_result(question, (), began), error=error.message)
        return _result(question, [hit.clause.article for hit in hits], began)

    return put


def make_agent_runner(context: RunnerContext, stopping: Flag) -> QuestionRunner:
    """Questions put to the agent until `stopping` is set.

    What is returned raises LibraryError `limit` where the person may not ask more for now.
    """
    conversation: list[str] = []

    def put(question: Question) -> QuestionResult | None:
        if stopping.is_set():
            return None
        began = time.monotonic()
        try:
            choice = question_scope(question, context.library.documents())
            conversation[:] = conversation or [context.chats.start_conversation(context.title)]
            events = context.chats.save_events(
                conversation[0], context.agent.ask(Request(question.text, choice, context.limits))
            )
            told = _followed(events, stopping)
        except ScrutineerError as error:
            if error.code == "limit":
                raise
            return replace(_result(question, (), began), error=error.message)
        return None if told is None else _of_run(question, told, context.library, began)

    return put


def _followed(events: Iterator[ev.Event], stopping: Flag) -> list[ev.Event] | None:
    """All events of a run; None where it was stopped, and saved as such."""
    told: list[ev.Event] = []
    with closing(events) as going:  # type: ignore[type-var]  # a generator, as `keep` gives it
        for event in going:
            told.append(event)
            if stopping.is_set() and not isinstance(event, ev.Ended):
                return None
    return told


def _of_run(
    question: Question, told: Sequence[ev.Event], library: Library, began: float
) -> QuestionResult:
    asked, ended = told[0], told[-1]
    assert isinstance(asked, ev.Asked), "a run begins with Asked"
    assert isinstance(ended, ev.Ended), "a run that was not stopped has ended"
    found = {
        source.marker: source.article
        for event in told
        if isinstance(event, ev.EvidenceFound)
        for source in event.sources
    }
    cited = expected_citations(ended.citations, question)
    quotes, standing = _quotes(told, ended, library)
    return replace(
        _result(question, list(found.values())[:HIT_DEPTH], began),
        cited=bool(cited) if question.articles else None,
        said=meets_expectation(question, cited, ended.requirements),
        quotes=quotes,
        standing=standing,
        refused=ended.outcome in REFUSAL_OUTCOMES,
        outcome=ended.outcome,
        score=ended.score,
        iterations=ended.iterations,
        cost=ended.cost,
        model=asked.answer_model,
        run_id=ended.run_id,
        error=ended.message if ended.outcome == "failed" else "",
    )


def _quotes(told: Iterable[ev.Event], ended: ev.Ended, library: Library) -> tuple[int, int]:
    """How many quotes an answer has, and how many stand: its citations, and passages its own run found nowhere."""
    citations = tuple(dict.fromkeys(ended.citations))
    standing = sum(_stands(citation, library) for citation in citations)
    checked = (
        event
        for event in told
        if isinstance(event, ev.Verified) and event.iteration == ended.best_iteration
    )
    failed = sum(
        check.kind == "quote" and not check.passed for event in checked for check in event.checks
    )
    return len(citations) + max(0, failed - (len(citations) - standing)), standing


def _stands(citation: Citation, library: Library) -> bool:
    """True where the library itself has the quote, in force, in the clause cited."""
    clause = library.clause(citation.clause_id)
    if clause is None or clause.status != "in_force":
        return False
    return contains_words(
        normalize_text(citation.quote), normalize_text(f"{clause.title}\n{clause.text}")
    )


def _result(question: Question, found: Sequence[str], began: float) -> QuestionResult:
    ranks = (
        place
        for place, article in enumerate(found, 1)
        if is_expected_article(article, question.articles)
    )
    return QuestionResult(
        line=question.line,
        question=question.text,
        articles=question.articles,
        refusal=question.refusal,
        found=tuple(found),
        rank=next(ranks, None),
        seconds=round(time.monotonic() - began, 3),
        says=question.says,
        answer_season=question.answer_season,
    )
