"""A marked key is sent to the model's server and is nowhere else that a run leaves a trace."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.chats.conversations import Conversations
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.settings import Settings
from tests.cup import add_cup_rules, contents
from tests.messages_server import (
    MessagesServer,
    assessed,
    called,
    citing,
    classified,
    failed,
    tool_use,
)
from tests.pages.visit import KART_RULES, ask, opened
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
KEY = "sk-ant-marked-5f0c2d"
PASSWORD = "marked-password-9b1e"
QUESTION = "What is the speed limit in the pit lane?"
GOOD = [classified(), citing("50 km/h"), assessed(9)]
ECHOES = [
    failed(401, "authentication_error", f"invalid x-api-key: {KEY}"),
    failed(400, "invalid_request_error", f"{'x' * 290} header x-api-key={KEY} not allowed"),
    failed(400, "invalid_request_error", f"thinking: not known ({KEY})"),
    failed(404, "not_found_error", f"no such model for {KEY}"),
    failed(500, "api_error", f"crashed while handling {KEY}", x_should_retry="false"),
]


def marked_in(folder: Path) -> list[str]:
    """The files that hold the key, or half of it, or the password."""
    marks = (KEY.encode(), KEY[:16].encode(), PASSWORD.encode())
    files = contents(folder).items()
    return [str(path) for path, held in files if any(mark in held for mark in marks)]


def command(data: Path, url: str, *arguments: str, level: str = "DEBUG") -> str:
    """All that a command says, on both ends."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANTHROPIC_", "SCRUTINEER_"))
    }
    told = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url, "SCRUTINEER_LOG_LEVEL": level}
    process = subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        env=clean | told | {"SCRUTINEER_DATA_DIR": str(data)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return process.stdout + process.stderr


def with_password(url: str) -> str:
    return url.replace("http://", f"http://someone:{PASSWORD}@")


@pytest.mark.slow
def test_a_run_from_the_command_line_tells_nobody(tmp_path):
    add_cup_rules(Library(tmp_path))
    with MessagesServer([*GOOD, *ECHOES]) as server:
        said = [command(tmp_path, server.url, "ask", "--json", QUESTION) for _ in range(2)]
        said.append(command(tmp_path, with_password(server.url), "ask", "--json", QUESTION))
        assert KEY in server.requests[0].headers["authorization"]
    said.append(command(tmp_path, "http://127.0.0.1:9", "documents", "--json"))
    assert any("answered" in words for words in said)
    for words in said:
        assert KEY[:16] not in words
        assert PASSWORD not in words
    assert marked_in(tmp_path) == []


@pytest.mark.parametrize(
    "echo", ECHOES, ids=lambda reply: f"{reply.status}-{len(reply.error['message'])}"
)
def test_an_error_that_repeats_the_key_shows_none_of_it(library, monkeypatch, capfd, echo):
    with MessagesServer([classified(), echo, echo, echo]) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        app = ask(opened(), QUESTION)
    shown = json.dumps(
        [str(element) for element in app.main] + [str(element) for element in app.sidebar]
    )
    chats = Conversations(Settings().conversations_url)
    (run,) = [
        run for chat in chats.list_conversations() for run in chats.list_runs(chat.conversation_id)
    ]
    assert run.outcome in ("failed", "limit_reached", "not_found")
    captured = capfd.readouterr()
    for words in (shown, captured.out, captured.err, str(run.events)):
        assert KEY[:16] not in words
    assert marked_in(library.folder) == []


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/environ").exists(),
    reason="a process's environment cannot be looked at here",
)
def test_the_processes_that_read_files_do_not_know_the_key(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    seen: dict[str, bytes] = {}
    done = threading.Event()

    def watch():
        while not done.is_set():
            seen.update(_environments_below(os.getpid()))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        (added,) = add_bytes(Library(tmp_path), KART_RULES, "kart.pdf")
    finally:
        done.set()
        watcher.join()
    assert added.status == "added"
    assert seen, "no child was seen"
    assert not [child for child, environment in seen.items() if KEY.encode() in environment]


def _environments_below(parent: int) -> dict[str, bytes]:
    """The environments of the processes that this one has started, and of those that they have."""
    found: dict[str, bytes] = {}
    parents = {str(parent)}
    for process in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            above = (process / "stat").read_text().rpartition(")")[2].split()[1]
            if (
                above in parents
                and b"core.rulebook.isolation.worker" in (process / "cmdline").read_bytes()
            ):
                parents.add(process.name)
                found[process.name] = b""
                found[process.name] = (process / "environ").read_bytes()
        except PermissionError:
            continue  # its own account may not look into a process that reads
        except OSError:
            continue  # it has ended
    return found


@pytest.mark.slow
def test_the_log_of_a_run_holds_no_words_of_a_document(tmp_path):
    add_cup_rules(Library(tmp_path))
    words = "throughout the Event"
    script = [
        classified(query=words),
        called(tool_use(words, query=words)),
        citing(words),
        assessed(9),
    ]
    with MessagesServer(script) as server:
        said = command(tmp_path, server.url, "ask", "--json", words, level="INFO")
    logged = [line for line in said.splitlines() if not line.startswith("{")]
    assert any("ended: answered" in line for line in logged)
    assert not [line for line in logged if words in line]
