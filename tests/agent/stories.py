"""Small values for the tests of the agent."""

import atexit
import json
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from core.agent.compliance import cite_checks
from core.agent.models.base import Reply, ReplyRequest
from core.agent.models.offline.model import OfflineModel
from core.agent.question import Question, read_question
from core.agent.types import Plan
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Scope
from core.registers.document_sentences import DocumentSentences, read_sentences
from core.registers.register import read_register
from core.rulebook import Clause, read_jsonl
from core.sheets import LimitIndex, check_values
from core.verification.evidence import Evidence
from core.verification.types import Citation, ComplianceRow, Source

PLAN = Plan(1, "regulation_search", "q", ("doc",), None, "")


def source(marker: int, article: str, text: str, **more) -> Source:
    fields = {
        "clause_id": f"doc:{article}",
        "document_id": "doc",
        "document": "2024 Meridian Cup Sporting Regulations, Issue 1",
        "title": "",
        "breadcrumb": (),
        "season": 2024,
        "issue": 1,
        "page_first": 9,
        "page_last": 9,
        "score": 1.0,
        "why": "words",
    } | more
    return Source(marker=marker, article=article, text=text, **fields)


def cited(of: Source, quote: str) -> Citation:
    return Citation(
        marker=of.marker,
        clause_id=of.clause_id,
        document_id=of.document_id,
        document=of.document,
        article=of.article,
        part=None,
        title=of.title,
        quote=quote,
        page=of.page_first,
        season=of.season,
        issue=of.issue,
    )


def asked(question: str, *evidence: Source) -> Question:
    """The question as it is parsed for a library of these clauses."""
    library = make_library(evidence)
    return read_question(library, question, Scope(library.documents(), "all"))


@cache
def make_library(evidence: tuple[Source, ...]) -> Library:
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    library = Library(Path(folder.name))
    list(add_bytes(library, write_rules(evidence), "rules.jsonl"))
    return library


def write_rules(evidence: tuple[Source, ...]) -> bytes:
    lines = (
        {"document": "Rules", "article": s.article, "title": s.title, "text": s.text}
        for s in evidence
    )
    return "\n".join(map(json.dumps, lines)).encode()


@cache
def read_others() -> tuple[tuple[Clause, ...], DocumentSentences]:
    """Clauses with limits of other things, and their sentences."""
    names = map("".join, product("bdfghj", "aeiou", "klmnprst"))
    [book] = read_jsonl(
        write_rules(
            tuple(
                source(n, f"99.{n}", f"Each {name} must be at least {n} mm.")
                for n, name in enumerate(names, start=1)
            )
        ),
        "others.jsonl",
    )
    return book.clauses, read_sentences(book.clauses)


@cache
def index_limits(evidence: tuple[Source, ...]) -> LimitIndex:
    """The limits of these clauses, within a rulebook with other limits."""
    [book] = read_jsonl(write_rules(evidence), "rules.jsonl")
    ids = {source.article: source.clause_id for source in evidence}
    clauses = [replace(c, clause_id=ids.get(c.article, c.clause_id)) for c in book.clauses]
    own, (others, sentences) = read_sentences(clauses), read_others()
    together = replace(own, passages={**own.passages, **sentences.passages})
    return LimitIndex(read_register((*clauses, *others), sentences=together))


def checked(question: str, *evidence: Source) -> tuple[ComplianceRow, ...]:
    """The question's values as these clauses, within a rulebook with other limits, limit them."""
    checks = check_values(question, [index_limits(evidence)])
    return cite_checks(checks, Evidence(evidence))


def drafted(question: str, *evidence: Source, intent="SEARCH", choices=()) -> Reply:
    """The draft of the offline model."""
    parsed = replace(asked(question, *evidence), choices=choices)
    reply = OfflineModel().stream_reply(
        ReplyRequest(
            asked=parsed,
            intent=intent,
            plan=PLAN,
            iteration=1,
            max_iterations=3,
            evidence=evidence,
            requirements=checked(question, *evidence),
        )
    )
    while True:
        try:
            next(reply)
        except StopIteration as stop:
            return stop.value
