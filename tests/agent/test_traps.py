"""Questions whose naive answer quotes deleted or future text: offline answers quote none of it."""

import json

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.grammar.sentences import alphanumeric_only
from core.library.storage.library import Library
from core.library.types import ScopeChoice
from tests.made_once import SHARED, SHELF, read_once

TRAPS = SHARED / "eval" / "deleted_text_traps_open.json"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not TRAPS.exists(), reason="the rulebooks of ../shared are not here"),
]


def traps():
    return json.loads(TRAPS.read_text(encoding="utf-8"))["items"] if TRAPS.exists() else []


@pytest.mark.parametrize("trap", traps(), ids=lambda trap: trap["id"])
def test_no_answer_quotes_what_is_deleted(tmp_path_factory, trap):
    library = Library(read_once(tmp_path_factory, SHELF / trap["file"]))
    [document] = library.documents()
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
