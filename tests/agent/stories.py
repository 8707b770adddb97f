"""Small values for the tests of the agent."""

import json
from dataclasses import replace
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
from core.registers.register import read_register
from core.rulebook import read_jsonl
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
    with TemporaryDirectory() as folder:
        library = Library(Path(folder))
        lines = [
            {"document": "Rules", "article": s.article, "title": s.title, "text": s.text}
            for s in evidence
        ]
        list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "rules.jsonl"))
        return read_question(library, question, Scope(library.documents(), "all"))


def checked(question: str, *evidence: Source) -> tuple[ComplianceRow, ...]:
    """The question's values as these clauses, within a rulebook with other limits, limit them."""
    lines = [
        {"document": "Rules", "article": s.article, "title": s.title, "text": s.text}
        for s in evidence
    ]
    lines += [
        {"document": "Rules", "article": f"99.{n}", "text": f"Each {name} must be at least {n} mm."}
        for n, name in enumerate(map("".join, product("bdfghj", "aeiou", "klmnprst")), start=1)
    ]
    [book] = read_jsonl("\n".join(map(json.dumps, lines)).encode(), "rules.jsonl")
    ids = {source.article: source.clause_id for source in evidence}
    clauses = [replace(c, clause_id=ids.get(c.article, c.clause_id)) for c in book.clauses]
    checks = check_values(question, [LimitIndex(read_register(clauses))])
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
