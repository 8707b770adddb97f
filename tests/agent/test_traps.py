"""Questions whose naive answer quotes deleted or future text: offline answers quote none of it."""

import json
from pathlib import Path

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.grammar.sentences import alphanumeric_only
from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
from core.library.types import ScopeChoice

SHARED = Path(__file__).parents[3] / "shared"
TRAPS = SHARED / "eval" / "deleted_text_traps_open.json"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not TRAPS.exists(), reason="the rulebooks of ../shared are not here"),
]


def traps():
    return json.loads(TRAPS.read_text(encoding="utf-8"))["items"] if TRAPS.exists() else []


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("traps"))
    for name in sorted({trap["file"] for trap in traps()}):
        assert [a.status for a in add_file(library, SHARED / "rulebooks" / name)] == ["added"]
    return library


@pytest.mark.parametrize("trap", traps(), ids=lambda trap: trap["id"])
def test_no_answer_quotes_what_is_deleted(library, trap):
    document = next(d for d in library.documents() if d.file == trap["file"])
    request = Request(trap["question"], ScopeChoice(document=document.document_id))
    ended = list(Agent(library, OfflineModel()).ask(request))[-1]
    struck = [
        alphanumeric_only(piece)
        for piece in trap["struck"].split("...")
        if len(alphanumeric_only(piece)) > 12
    ]
    quoted = alphanumeric_only(" ".join(citation.quote for citation in ended.citations))
    assert quoted
    assert not [piece for piece in struck if piece in quoted]
    assert all(citation.document_id == document.document_id for citation in ended.citations)
