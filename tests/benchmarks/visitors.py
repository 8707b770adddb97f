"""People who are logged in and ask: over the server's own protocol, as a browser's script would, or
in a real tab.

Both tell how long an answer took to stand there whole, and complain where they are sent anything of
another's.
"""

import asyncio
import json
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from playwright.async_api import Page
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.web.server.starlette.starlette_app_utils import (
    create_signed_value,
    generate_xsrf_token_string,
)
from websockets.asyncio.client import ClientConnection, connect

from core.sessions import Sessions
from server.door import person_id
from tests.browser.app_server import folders

MARK = re.compile(rb"zq([a-z]{2})([a-z]{2})x")
"""What tells questions apart: two letters for who asks, two for the round. It is no English word,
and no number."""
ANSWERED = "Answer to {}"
"""What the scripted model begins its answer to a question with, in which the mark stands."""
ANSWER_SECONDS = 120.0
_DONE = ForwardMsg.FINISHED_SUCCESSFULLY


def mark(person: int, round_number: int) -> str:
    """The mark of one person's question in one round; both from 0 to 675."""
    letters = [
        chr(ord("a") + part) for number in (person, round_number) for part in divmod(number, 26)
    ]
    return f"zq{''.join(letters)}x"


def owner(person: int) -> str:
    """The letters that stand for a person in their marks."""
    return mark(person, 0)[2:4]


def cookies(person: int, address: str, secret: str) -> dict[str, str]:
    """What the browser of somebody who has logged in sends along, signed with the server's
    secret.
    """
    told = {
        "origin": address,
        "is_logged_in": True,
        "iss": "load",
        "sub": owner(person),
        "name": f"P. {person}",
    }
    signed = create_signed_value(secret, "_streamlit_user", json.dumps(told)).decode()
    held = sha256(key(person, secret).encode()).hexdigest()
    Sessions(folders[address] / "sessions").begin(held, person_id(told), "load")
    return {"_streamlit_user": signed, "_streamlit_xsrf": generate_xsrf_token_string()}


def key(person: int, secret: str) -> str:
    """The key that a person's browser keeps for the server."""
    return sha256(f"{owner(person)} {secret}".encode()).hexdigest()


class LeakedError(Exception):
    """Somebody was sent what is another's."""


def check_own(person: int, sent: bytes) -> None:
    """Raises LeakedError where a mark in what a person was sent is another's."""
    if strange := {who.decode() for who, _ in MARK.findall(sent)} - {owner(person)}:
        raise LeakedError(f"{owner(person)} was sent something of {', '.join(sorted(strange))}")


@dataclass
class Caller:
    """A person on the server's own protocol: the messages of the installed Streamlit over its
    websocket.

    What pages repeat by themselves (fragments with `run_every`) is repeated here as well. No
    message is kept in a cache, so that the server sends each one whole, which is more than it sends
    to a browser.
    """

    person: int
    socket: ClientConnection
    _known: dict[str, str] = field(default_factory=dict)
    _query: str = ""
    _page: str = ""
    _told: str = ""
    _answered: bool = False
    _judged: bool = False
    _rest: asyncio.Event = field(default_factory=asyncio.Event)
    _again: list["asyncio.Task[None]"] = field(default_factory=list)
    _reading: "asyncio.Task[None] | None" = None

    @classmethod
    async def comes(cls, person: int, address: str, secret: str) -> "Caller":
        """Open the first page, and wait until it is drawn."""
        held = cookies(person, address, secret)
        socket = await connect(
            f"{address.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=["streamlit", held["_streamlit_xsrf"], "new", key(person, secret)],  # type: ignore[list-item]  # plain words, as sent
            additional_headers={
                "Origin": address,
                "Cookie": "; ".join(map("=".join, held.items())),
            },
            max_size=None,
        )
        caller = cls(person, socket)
        caller._reading = asyncio.create_task(caller._read())
        await caller._send()
        await caller._until(lambda: "chat_input" in caller._known)
        return caller

    async def ask(self, question: str, told: str) -> float:
        """Begin a new chat, put a question, and give the seconds until its answer stands whole on a
        page at rest.
        """
        state = WidgetState(id=self._known["New chat"], trigger_value=True)
        self._rest.clear()
        await self._send(state)
        await self._until(lambda: "chat=" not in self._query)
        state = WidgetState(id=self._known["chat_input"])
        state.chat_input_value.data = question
        self._told, self._answered = ANSWERED.format(told), False
        self._rest.clear()
        begun = time.perf_counter()
        await self._send(state)
        await self._until(lambda: self._judged and self._answered)
        return time.perf_counter() - begun

    async def goes(self) -> None:
        """Close the connection."""
        self._stop_repeating()
        await self.socket.close()
        if self._reading:
            with suppress(asyncio.CancelledError):
                self._reading.cancel()
                await self._reading

    async def _until(self, drawn: Any) -> None:
        async with asyncio.timeout(ANSWER_SECONDS):
            while True:
                resting = asyncio.create_task(self._rest.wait())
                done, _ = await asyncio.wait(
                    {resting, self._reading}, return_when=asyncio.FIRST_COMPLETED
                )  # type: ignore[type-var]  # it reads by now
                if self._reading in done:
                    resting.cancel()
                    self._reading.result()  # type: ignore[union-attr]  # raises what it met
                    raise ConnectionError("the server has hung up")
                self._rest.clear()
                if drawn():
                    return

    async def _send(self, *states: WidgetState, fragment: str = "") -> None:
        message = BackMsg()
        told = message.rerun_script
        told.query_string, told.page_script_hash = self._query, self._page
        told.fragment_id, told.is_auto_rerun = fragment, bool(fragment)
        told.widget_states.widgets.extend(states)
        told.context_info.timezone, told.context_info.locale = "UTC", "en-GB"
        await self.socket.send(message.SerializeToString())

    async def _read(self) -> None:
        async for sent in self.socket:
            assert isinstance(sent, bytes)
            check_own(self.person, sent)
            self._answered |= bool(self._told) and self._told.encode() in sent
            message = ForwardMsg()
            message.ParseFromString(sent)
            self._take(message)

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "new_session":
                self._page = message.new_session.page_script_hash
                if not message.metadata.run.fragment_ids:
                    self._stop_repeating()
                    self._judged = False
            case "page_info_changed":
                self._query = message.page_info_changed.query_string
            case "auto_rerun":
                told = message.auto_rerun
                self._again.append(
                    asyncio.create_task(self._repeat(told.fragment_id, told.interval))
                )
            case "delta" if message.delta.WhichOneof("type") == "new_element":
                self._learn(message.delta.new_element)
            case "script_finished" if message.script_finished == _DONE:
                self._rest.set()

    def _learn(self, element: Any) -> None:
        match element.WhichOneof("type"):
            case "chat_input":
                self._known["chat_input"] = element.chat_input.id
            case "button":
                self._known[element.button.label] = element.button.id
            case "feedback":
                self._judged = True

    async def _repeat(self, fragment: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            await self._send(fragment=fragment)

    def _stop_repeating(self) -> None:
        for task in self._again:
            task.cancel()
        self._again.clear()


@dataclass
class Reader:
    """A person at a real tab."""

    person: int
    tab: Page

    @classmethod
    async def comes(cls, person: int, address: str, secret: str, browser: Any) -> "Reader":
        """Open the first page, and wait until it is drawn."""
        context = await browser.new_context(viewport={"width": 1280, "height": 1000})
        held = cookies(person, address, secret)
        await context.add_cookies(
            [{"name": name, "value": value, "url": address} for name, value in held.items()]
        )
        kept = json.dumps(key(person, secret))
        await context.add_init_script(f"localStorage.setItem('scrutineer-key', {kept})")
        reader = cls(person, await context.new_page())
        reader.tab.set_default_timeout(ANSWER_SECONDS * 1000)
        await reader.tab.goto(address)
        await reader.tab.get_by_test_id("stChatInputTextArea").wait_for()
        return reader

    async def ask(self, question: str, told: str) -> float:
        """As that of `Caller`; the end is when the browser has drawn it."""
        await self.tab.get_by_role("button", name="New chat").click()
        await self.tab.get_by_text("Try one of these").wait_for()
        await self.tab.get_by_test_id("stChatInputTextArea").fill(question)
        begun = time.perf_counter()
        await self.tab.keyboard.press("Enter")
        answer = self.tab.get_by_test_id("stChatMessage").last
        await answer.get_by_test_id("stFeedback").wait_for()
        await self.tab.locator("[data-test-script-state=notRunning]").wait_for()
        taken = time.perf_counter() - begun
        shown = await self.tab.locator("body").inner_text()
        check_own(self.person, shown.encode())
        assert ANSWERED.format(told) in shown, f"the answer is not there: {shown}"
        return taken

    async def bring(self, name: str, content: bytes) -> None:
        """Drop a PDF into the side of the page and see it taken; it is added while everybody goes
        on asking.

        A click while the file is still on its way can be undone by the page that shows it as taken.
        """
        file = {"name": name, "mimeType": "application/pdf", "buffer": content}
        await self.tab.locator("[data-testid=stSidebar] input[type=file]").set_input_files(file)  # type: ignore[arg-type]
        await self.tab.get_by_test_id("stSidebar").get_by_text(name).first.wait_for()
        await self.tab.locator("[data-test-script-state=notRunning]").wait_for()

    async def goes(self) -> None:
        """Close the tab."""
        await self.tab.context.close()


Visitor = Caller | Reader


async def all_ask(
    visitors: Iterable[Visitor], round_number: int, question: str
) -> list[float | BaseException]:
    """Everybody asks at once; the seconds each waited, or what came between."""
    marks = [(visitor, mark(visitor.person, round_number)) for visitor in visitors]
    asked = (visitor.ask(f"{question} {told}", told) for visitor, told in marks)
    return await asyncio.gather(*asked, return_exceptions=True)
