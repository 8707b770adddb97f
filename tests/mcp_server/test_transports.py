"""The MCP server as a process: over its two transports, by the SDK's client and by another."""

import asyncio
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

mcp = pytest.importorskip("mcp", reason="the optional part mcp is not installed")

import httpx2  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402

from core.chats.conversations import Conversations  # noqa: E402
from core.chats.quota import Quota  # noqa: E402
from core.chats.tokens import Tokens, person_of_name  # noqa: E402
from core.library.ingestion.ingest import add_bytes  # noqa: E402
from core.library.storage.library import Library  # noqa: E402
from tests.browser.app_server import free_port  # noqa: E402
from tests.cup import add_cup_rules  # noqa: E402
from tests.pages.visit import KART_RULES  # noqa: E402
from tests.patience import PATIENCE  # noqa: E402

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = Path(os.environ.get("SCRUTINEER_VALIDATORS", ROOT / ".validators/bin/python"))
NAMES = [tool["name"] for tool in json.loads((ROOT / "docs/mcp_tools.json").read_text())]
QUESTION = "What is the speed limit in the pit lane?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    add_cup_rules(Library(folder))
    assert [added.status for added in add_bytes(Library(folder), KART_RULES, "k.pdf")] == ["added"]
    return folder


@pytest.fixture(scope="module")
def tokens(folder):
    return Tokens(url_of(folder))


def url_of(folder):
    return f"sqlite:///{folder / 'conversations.db'}"


def command_of(folder, *options, **variables):
    """The command that starts the server, and its environment."""
    settings = {"DATA_DIR": str(folder), "SEARCH_MODE": "lexical"} | variables
    named = {f"SCRUTINEER_{name}": value for name, value in settings.items()}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(ROOT)}
    return [sys.executable, "-m", "core", "mcp", *options], environment | named


@contextmanager
def served(folder, **variables):
    """The address of a server over HTTP."""
    port = free_port()
    command, environment = command_of(folder, "--http", "--port", str(port), **variables)
    with subprocess.Popen(command, env=environment, cwd=folder) as server:
        address = f"http://127.0.0.1:{port}/mcp"
        while server.poll() is None and status_of(address) is None:
            time.sleep(0.1)
        try:
            yield address
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def address(folder, tokens):
    tokens.make("first")  # without any the server does not start
    with served(folder) as address:
        yield address


def status_of(address, token=""):
    """The status of a reply to nothing; None where nobody replies."""
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return reply.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except OSError:
        return None


@asynccontextmanager
async def over_http(address, token, mode="auto"):
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as browser:
        transport = streamable_http_client(address, http_client=browser)
        async with mcp.Client(transport, mode=mode) as client:
            yield client


@asynccontextmanager
async def over_stdio(folder, mode="auto"):
    command, environment = command_of(folder)
    parameters = StdioServerParameters(
        command=command[0], args=command[1:], env=environment, cwd=folder
    )
    async with mcp.Client(stdio_client(parameters), mode=mode) as client:
        yield client


async def find_limit(connection):
    async with connection as client:
        return await client.call_tool("article", {"number": "21.3"})


async def ask_twice(connection):
    async with connection as client:
        return [await client.call_tool("ask", {"question": QUESTION}) for _ in range(2)]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_it_speaks_both_revisions_over_standard_input_and_output(folder, mode):
    found = asyncio.run(find_limit(over_stdio(folder, mode)))
    assert found.structured_content["found"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_it_speaks_both_revisions_over_http_to_who_has_a_token(address, tokens, mode):
    found = asyncio.run(find_limit(over_http(address, tokens.make("editor"), mode)))
    assert found.structured_content["found"]


def test_who_has_no_token_gets_in_nowhere(address, tokens):
    assert status_of(address) == status_of(address, "scrutineer_guessed") == 401
    assert status_of(address, tokens.make("editor")) != 401


def test_a_person_asks_no_more_than_in_the_browser(folder, tokens):
    token = tokens.make("Ada")
    with served(folder, QUESTIONS_A_MINUTE="1") as address:
        first, second = asyncio.run(ask_twice(over_http(address, token)))
    assert first.structured_content["citations"][0]["article"] == "21.3"
    assert second.is_error
    assert "in the last minute" in second.content[0].text
    hers = Conversations(url_of(folder)).for_person(person_of_name("Ada"), Quota())
    assert [chat.title for chat in hers.list_conversations()] == [QUESTION]


def test_over_http_it_does_not_start_before_there_is_a_token(tmp_path):
    command, environment = command_of(tmp_path / "data", "--http")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert "make one with `python -m core token NAME`" in " ".join(done.stderr.split())


@pytest.mark.skipif(
    not OUTSIDE.is_file(), reason="`make validators` installs the programs of others"
)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_client_of_others_lists_and_calls_each_tool(folder, tokens, transport, request):
    if transport == "http":
        where = {"url": request.getfixturevalue("address"), "token": tokens.make("outside")}
    else:
        where = dict(zip(("command", "env"), command_of(folder), strict=True))
    ids = {document.season: document.document_id for document in Library(folder).documents()}
    before, after, kart = ids[2023], ids[2024], ids[2025]
    calls = {
        "search": {"query": "pit lane"},
        "fetch": {"id": f"{after}:21.3"},
        "article": {"number": "21.3"},
        "compare": {"before": before, "after": after},
        "check_value": {"parameter": "pit lane speed", "value": "60", "unit": "km/h"},
        "penalties": {"breach": "unsafe release"},
        "documents": {},
        "verify": {"text": "Article 21.3: “The speed limit in the pit lane is 70 km/h.”"},
        "ask": {"question": QUESTION},
        "page": {"id": f"{kart}:1.1"},
    }
    program = Path(__file__).with_name("outside_client.py")
    done = subprocess.run(
        [OUTSIDE, program],
        input=json.dumps(where | {"calls": list(calls.items())}),
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["tools"] == list(calls) == NAMES
    assert {name for name, result in seen["called"].items() if result["isError"]} == set()
    assert "70 km/h" not in json.dumps(seen["called"]["fetch"])
