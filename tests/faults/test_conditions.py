"""A full disk, a folder that cannot be written, a wrong clock, no model: what a person sees.

Two programs that write at once are in tests/library/test_store.py.
"""

import json
import resource
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from core.agent.claude import Claude, connect
from core.agent.loop import Agent, Request
from core.agent.offline import OfflineModel
from core.chats.conversations import Conversations
from core.errors import LibraryError
from core.library.ingest import add_bytes
from core.library.store import Library
from core.settings import Settings
from core.upkeep.checking import check
from tests.messages_server import MessagesServer


def added(library, name, clauses=60):
    return [addition.status for addition in add_bytes(library, rulebook(name, clauses), f"{name}.jsonl")]


def rulebook(name, clauses=60):
    lines = (
        {"document": name, "article": str(n), "text": f"The limit of {name} is {n} kg. " * 20} for n in range(clauses)
    )
    return "\n".join(map(json.dumps, lines)).encode()


@contextmanager
def room_for(most):
    """No file may grow longer than this, which the system refuses as it refuses on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room", [2_000, 20_000, 80_000])
def test_a_disk_that_is_full_leaves_the_library_as_it_was(tmp_path, room):
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    library = Library(settings.data_dir)
    assert added(library, "First", 2) == ["added"]
    data = rulebook("Second", 600)
    with room_for(room):
        [addition] = add_bytes(library, data, "second.jsonl")
    assert addition.status == "failed"
    assert "cannot be written: File too large" in addition.message
    assert "free space" in addition.message
    assert [document.title for document in Library(settings.data_dir).documents()] == ["First"]
    assert all(finding.mended for finding in check(settings))
    assert added(library, "Second", 600) == ["added"]
    assert list(check(settings)) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    """A file in its place serves: the superuser may write into any folder."""
    (tmp_path / "data").write_text("in the way")
    [addition] = add_bytes(Library(tmp_path / "data"), rulebook("R"), "r.jsonl")
    assert (addition.status, addition.code) == ("failed", "unreadable")
    assert "cannot be written" in addition.message
    with pytest.raises(LibraryError, match="Make it writable"):
        Conversations(f"sqlite:///{tmp_path / 'data' / 'conversations.db'}")


def test_a_clock_that_is_wrong_loses_no_chat_and_no_order(tmp_path):
    """It goes ten years back between two questions."""
    moments = iter(datetime(2036, 1, 1, tzinfo=UTC) - timedelta(days=365 * 10 * (n > 20)) for n in range(10_000))
    library = Library(tmp_path / "data")
    assert added(library, "R") == ["added"]
    chats = Conversations(f"sqlite:///{tmp_path / 'chats.db'}", now=lambda: next(moments))
    agent, chat = Agent(library, OfflineModel()), chats.start("Limits")
    asked = ["What is the limit of R?", "And what is the limit in kg?"]
    for question in asked:
        list(chats.keep(chat, agent.ask(Request(question))))
    runs = chats.runs(chat)
    assert [run.question for run in runs] == asked
    assert all(run.outcome for run in runs)
    assert all(event.seq == place for run in runs for place, event in enumerate(run.events, start=1))
    Conversations(f"sqlite:///{tmp_path / 'chats.db'}")  # its sweep gives up nothing that is finished
    assert [run.outcome for run in chats.runs(chat)] == [run.outcome for run in runs]


def test_while_the_model_is_down_a_run_ends_with_a_sentence_and_is_kept(tmp_path):
    """Its words on a network that is slow to a crawl are in tests/agent/test_claude.py."""
    with MessagesServer([]) as server:
        gone = server.url
    settings = Settings(_env_file=None, data_dir=tmp_path / "data", anthropic_base_url=gone)
    library = Library(settings.data_dir)
    assert added(library, "R") == ["added"]
    chats = Conversations(settings.conversations_url)
    chat, request = chats.start("Limits"), Request("What is the limit of R?")
    with connect(settings) as client:
        model = Claude(settings, client.with_options(max_retries=0))
        *_, ended = chats.keep(chat, Agent(library, model).ask(request))
    assert ended.outcome == "failed"
    assert "no answer was written" in ended.answer  # only what was found
    assert "cannot be reached" in ended.message
    *_, ended = chats.keep(chat, Agent(library, OfflineModel()).ask(request))
    assert ended.outcome == "answered"
    assert [run.outcome for run in chats.runs(chat)] == ["failed", "answered"]
