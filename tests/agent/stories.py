"""Small values for the tests of the agent."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from core.agent.models.base import Reply, ReplyRequest
from core.agent.models.offline.model import OfflineModel
from core.agent.question import Question, read_question
from core.agent.types import Plan
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Scope
from core.verification.types import Citation, Source

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


def drafted(question: str, *evidence: Source, intent="SEARCH", choices=()) -> Reply:
    """The draft of the offline model."""
    parsed = replace(asked(question, *evidence), choices=choices)
    reply = OfflineModel().stream_reply(
        ReplyRequest(
            asked=parsed, intent=intent, plan=PLAN, iteration=1, max_iterations=3, evidence=evidence
        )
    )
    while True:
        try:
            next(reply)
        except StopIteration as stop:
            return stop.value
