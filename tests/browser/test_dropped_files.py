"""A connection that is cut and returns, as when a laptop slept or a proxy restarted."""

import socket
import threading
from contextlib import suppress

import pytest

from core.chats.conversations import Conversations
from core.library.storage.library import Library
from tests.browser.app_server import enter, new_window, served, tokens
from tests.browser.person import ask, finished
from tests.cup import add_cup_rules
from tests.messages_server import MessagesServer, assessed, citing, classified

pytestmark = pytest.mark.browser

QUESTION = "What is the pit lane speed limit?"
AWAY = 3.0
"""Seconds without a connection."""


class Way:
    """A proxy that can be cut off: its connections break, and it accepts no new ones."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open = threading.Event()
        self._open.set()
        self._ends: list[socket.socket] = []
        self._entry = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._entry.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._welcome, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._entry.close()
        self.cut()

    def cut(self) -> None:
        """Break what is connected, and let nobody in."""
        self._open.clear()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        """Let everybody in again."""
        self._open.set()

    def _welcome(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._entry.accept()
                if not self._open.is_set():
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self._to))
                self._ends += [here, there]
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=_carry, args=(one, other), daemon=True).start()


def _carry(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    with suppress(OSError):
        other.shutdown(socket.SHUT_RDWR)


def test_a_run_goes_on_through_a_dropped_connection(browser, tmp_path):
    """The tab follows its run to the answer; the model is called only once for it."""
    slow = citing("50 km/h", "TASK_COMPLETE: " + "Slowly. " * 160, pause=0.05)
    add_cup_rules(Library(tmp_path / "library"))
    with (
        MessagesServer([classified(query=QUESTION), slow, assessed(9)]) as model,
        served(tmp_path, ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none") as app,
        Way(int(app.rpartition(":")[2])) as way,
    ):
        context = new_window(browser)
        tab = context.new_page()
        tokens[way.address] = tokens[app]
        enter(tab, way.address)
        ask(tab, QUESTION)
        tab.get_by_text("Slowly. Slowly.").wait_for()
        way.cut()
        tab.locator("[data-test-connection-state=CONNECTED]").wait_for(state="detached")
        tab.wait_for_timeout(AWAY * 1000)
        way.mend()
        tab.locator("[data-test-connection-state=CONNECTED]").wait_for()
        finished(tab)
        assert not model.hung_up.is_set()
        assert len(model.requests) == 3
        context.close()
    (chat,) = (
        chats := Conversations(f"sqlite:///{tmp_path / 'library' / 'conversations.db'}")
    ).list_conversations()
    (run,) = chats.list_runs(chat.conversation_id)
    assert run.outcome == "answered"
