"""A full disk, a folder that cannot be written, a wrong clock, no model: what a person sees.

Two programs that write at once are in tests/library/test_storage.py.
"""

import json
import os
import resource
import tempfile
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.agent.loop import Agent, Request
from core.agent.models.claude import Claude
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import Conversations
from core.cli.app import app
from core.errors import LibraryError
from core.evaluation import Evaluation
from core.evaluation.runner import EvaluationStore
from core.library.ingestion.ingest import add_bytes
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.maintenance.backups import backup
from core.maintenance.checks import check
from core.model_calls.client import make_client
from core.model_calls.messages_api import MessagesApi
from core.settings import Settings
from tests.cup import queue_in
from tests.messages_server import MessagesServer
from tests.rulebook.pdf_builder import Paper, locked

NOBODY = 65534
"""The number of the user who owns nothing."""


def added(library, name, clauses=60):
    return [
        addition.status for addition in add_bytes(library, rulebook(name, clauses), f"{name}.jsonl")
    ]


def rulebook(name, clauses=60):
    lines = (
        {"document": name, "article": str(n), "text": f"The limit of {name} is {n} kg. " * 20}
        for n in range(clauses)
    )
    return "\n".join(map(json.dumps, lines)).encode()


@contextmanager
def room_for(most):
    """Limit the size of files; the system rejects longer ones as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_full_disk_is_told_by_everything_that_writes_and_loses_nothing(tmp_path):
    """Chats, the queue, an evaluation and a backup: each gives a message and loses nothing."""
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    library = Library(settings.data_dir)
    assert added(library, "R") == ["added"]
    chats, queue = (
        Conversations(settings.conversations_url),
        queue_in(settings.data_dir),
    )
    kept, evaluation = (
        EvaluationStore(settings.data_dir / "evaluations"),
        Evaluation.start("set.csv", "search", 0),
    )
    kept.save_evaluation(evaluation)
    chat, agent = chats.start_conversation("Limits"), Agent(library, OfflineModel())
    list(chats.save_events(chat, agent.ask(Request("What is the limit of R?"))))
    before = chats.list_runs(chat)
    with room_for(100):
        for doing, told in (
            (
                lambda: list(chats.save_events(chat, agent.ask(Request("And in kg?")))),
                "the disk is not full",
            ),
            (lambda: queue.enqueue("kart.pdf", b"%PDF" + bytes(10**6)), "disk is not full"),
            (lambda: kept.save_evaluation(replace(evaluation, name="x" * 1000)), "free space"),
            (lambda: backup(settings, tmp_path / "all.zip"), "free space"),
        ):
            with pytest.raises(LibraryError, match=told):
                doing()
    assert chats.list_runs(chat) == before
    assert (queue.list_jobs(), kept.load_all()) == ((), (evaluation,))
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".part", ".zip", ".bytes")]
    assert list(check(settings)) == []
    *_, ended = chats.save_events(chat, agent.ask(Request("And in kg?")))
    assert ended.outcome


@contextmanager
def as_nobody():
    """Give up the superuser's right to write anywhere for a while."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def read_only():
    """A data folder with a rulebook and a chat that its owner may not write into."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "data"
        settings = Settings(_env_file=None, data_dir=folder)
        assert added(Library(folder), "R") == ["added"]
        Conversations(settings.conversations_url).start_conversation("Limits")
        everything = [Path(place), *Path(place).rglob("*")]
        for path in everything:
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)
            path.chmod(0o500 if path.is_dir() else 0o400)
        yield settings
        for path in everything:
            path.chmod(0o700)


def test_a_folder_that_may_only_be_read_is_searched_and_says_what_it_cannot_take(
    read_only, tmp_path
):
    reading, library = (
        resolve_scope(Library(read_only.data_dir).documents()),
        Library(read_only.data_dir),
    )
    assert search(library, "limit of 7 kg", reading, 3)  # all that is imported late is imported
    with as_nobody():
        hits = search(Library(read_only.data_dir), "limit of 7 kg", reading, 3)
        [addition] = add_bytes(library, rulebook("Second"), "second.jsonl")
        with pytest.raises(LibraryError) as removing:
            library.remove_document(library.documents()[0].document_id)
        with pytest.raises(LibraryError) as asking:
            Conversations(read_only.conversations_url).start_conversation("Another")
        with pytest.raises(LibraryError) as queueing:
            queue_in(read_only.data_dir).enqueue("kart.pdf", b"%PDF-1.7")
    assert hits
    for told in (addition.message, removing.value.message):
        assert "cannot be written: Permission denied" in told
        assert "Check" in told
    for told in (asking.value.message, queueing.value.message):
        assert "Check that the folder can be written" in told
    assert [document.title for document in library.documents()] == ["R"]


def ask_and_back_up(folder, place):
    """What `ask` prints, and the summary of a backup."""
    settings = {"SCRUTINEER_DATA_DIR": str(folder), "ANTHROPIC_API_KEY": ""}
    asked = CliRunner().invoke(app, ["ask", "--json", "What is the limit?"], env=settings)
    return asked, backup(Settings(_env_file=None, data_dir=folder), place / "all.zip")


@pytest.mark.slow
def test_a_folder_that_may_only_be_read_can_be_asked_and_backed_up(read_only, tmp_path):
    assert added(Library(tmp_path / "other"), "R") == ["added"]
    ask_and_back_up(tmp_path / "other", tmp_path)  # all that is imported late is imported
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        with as_nobody():
            asked, made = ask_and_back_up(read_only.data_dir, Path(place))
    assert "This run is not kept" in asked.stderr, asked.output[-1500:]
    assert json.loads(asked.stdout.splitlines()[-1])["outcome"] not in ("failed", "cancelled")
    assert made.documents == 1
    assert made.chats


def test_a_writer_that_does_not_end_is_waited_for_and_then_told(tmp_path):
    first, second = Library(tmp_path), Library(tmp_path)
    began = time.monotonic()
    with (
        first.lock_for_writing(),
        pytest.raises(LibraryError, match="is being changed by another program") as caught,
        second.lock_for_writing(timeout=0.3),
    ):
        pass
    assert caught.value.code == "locked"
    assert time.monotonic() - began >= 0.3
    assert second.clean_up_leftovers() == ()
    assert added(second, "R", 2) == ["added"]


def test_what_reading_may_cost_is_set(tmp_path):
    """Its limits themselves are in tests/rulebook/test_hostile.py."""
    paper = Paper()
    paper.line("2025 Karting Club Sporting Regulations").heading("1", "KARTS")
    for _ in range(40):
        paper.page().line("Nothing is ruled here.")
    paper.page().clause("1.1", "Be fast.")
    data = paper.pdf()
    for settings, told in (
        ({"reading_max_pages": 1}, "1 are the most"),
        ({"reading_seconds": 0.01}, "took too long"),
    ):
        library = Library.open(Settings(_env_file=None, data_dir=tmp_path, **settings))
        [addition] = add_bytes(library, data, "karts.pdf")
        assert addition.status == "failed"
        assert told in addition.message


def test_a_file_whose_password_is_empty_is_read(tmp_path):
    paper = Paper()
    data = (
        paper.line("2025 Karting Club Sporting Regulations")
        .heading("1", "KARTS")
        .clause("1.1", "Be fast.")
        .pdf()
    )
    [addition] = add_bytes(Library(tmp_path), locked(data, ""), "karts.pdf")
    assert addition.status == "added", addition.message


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    """A file in its place, as the superuser may write into any folder."""
    (tmp_path / "data").write_text("in the way")
    [addition] = add_bytes(Library(tmp_path / "data"), rulebook("R"), "r.jsonl")
    assert (addition.status, addition.code) == ("failed", "unreadable")
    assert "cannot be written" in addition.message
    with pytest.raises(LibraryError, match="Make it writable"):
        Conversations(f"sqlite:///{tmp_path / 'data' / 'conversations.db'}")


@pytest.mark.slow
def test_a_clock_that_is_wrong_loses_no_chat_and_no_order(tmp_path):
    """The clock goes back ten years between two questions."""
    moments = iter(
        datetime(2036, 1, 1, tzinfo=UTC) - timedelta(days=365 * 10 * (n > 20))
        for n in range(10_000)
    )
    library = Library(tmp_path / "data")
    assert added(library, "R") == ["added"]
    chats = Conversations(f"sqlite:///{tmp_path / 'chats.db'}", now=lambda: next(moments))
    agent, chat = Agent(library, OfflineModel()), chats.start_conversation("Limits")
    asked = ["What is the limit of R?", "And what is the limit in kg?"]
    for question in asked:
        list(chats.save_events(chat, agent.ask(Request(question))))
    runs = chats.list_runs(chat)
    assert [run.question for run in runs] == asked
    assert all(run.outcome for run in runs)
    assert all(
        event.seq == place for run in runs for place, event in enumerate(run.events, start=1)
    )
    Conversations(
        f"sqlite:///{tmp_path / 'chats.db'}"
    )  # its sweep gives up nothing that is finished
    assert [run.outcome for run in chats.list_runs(chat)] == [run.outcome for run in runs]


@pytest.mark.slow
def test_while_the_model_is_down_a_run_ends_with_a_sentence_and_is_kept(tmp_path):
    """Its words on a network that is slow to a crawl are in tests/model_calls."""
    with MessagesServer([]) as server:
        gone = server.url
    settings = Settings(_env_file=None, data_dir=tmp_path / "data", anthropic_base_url=gone)
    library = Library(settings.data_dir)
    assert added(library, "R") == ["added"]
    chats = Conversations(settings.conversations_url)
    chat, request = chats.start_conversation("Limits"), Request("What does Article 1 say?")
    with make_client(settings) as client:
        model = Claude(settings, MessagesApi(settings, client.with_options(max_retries=0)))
        *_, ended = chats.save_events(chat, Agent(library, model).ask(request))
    assert ended.outcome == "failed"
    assert "no answer was written" in ended.answer  # only what was found
    assert "cannot be reached" in ended.message
    *_, ended = chats.save_events(chat, Agent(library, OfflineModel()).ask(request))
    assert ended.outcome == "answered"
    assert [run.outcome for run in chats.list_runs(chat)] == ["failed", "answered"]
