"""The server as it is started: its replies, its refusals, and when it does not start."""

import asyncio
import http.client
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.chats import Tokens
from core.library.storage.library import Library
from server import health
from server.security import SecurityMiddleware
from tests.browser.app_server import begin_session, free_port, served
from tests.browser.identity import Provider
from tests.cup import add_cup_rules
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def address(cup_folder):
    """The address of the app."""
    with served(cup_folder.parent) as address:
        yield address


def asked(address, path, **headers):
    """Status, headers and body of an answer."""
    request = urllib.request.Request(address + path, headers={"Cookie": begin_session(address)[1]})
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def test_health_says_ready_version_and_library(address):
    status, headers, body = asked(address, "/healthz")
    assert status == 200
    assert headers["cache-control"] == "no-store"
    assert json.loads(body) == {
        "ready": True,
        "version": "0.4.0",
        "library": {"state": "ready", "documents": 2},
    }


def test_who_asks_for_health_many_times_a_second_has_the_library_looked_at_once(
    cup_folder, monkeypatch
):
    monkeypatch.setenv("SCRUTINEER_DATA_DIR", str(cup_folder))
    looks = health._open_library.cache_info().misses
    period = time.monotonic() // health.HEALTH_SECONDS
    assert {health._open_library(period)["documents"] for _ in range(20)} == {2}
    assert health._open_library.cache_info().misses == looks + 1


def test_health_of_a_library_that_cannot_be_read(tmp_path):
    add_cup_rules(Library(tmp_path / "library"))
    for file in (tmp_path / "library" / "index" / "documents.lance" / "_versions").iterdir():
        file.write_bytes(b"no longer what it was")
    with served(tmp_path) as address:
        status, _, body = asked(address, "/healthz")
    assert status == 503
    assert json.loads(body)["ready"] is False
    assert json.loads(body)["library"] == {"state": "damaged"}
    assert str(tmp_path) not in body.decode()


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/_stcore/health", "/static/js/none.js", "/media/none.png", "/none"]
)
def test_every_answer_has_its_headers(address, path):
    _, headers, _ = asked(address, path)
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "'unsafe-eval'" not in policy
    assert "script-src 'self' 'sha256-" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]


def test_metrics_are_not_public(address):
    assert asked(address, "/_stcore/metrics")[0] == 404
    assert asked(address, "/_stcore/metrics/")[0] == 404


@pytest.mark.parametrize("path", ["/", "/healthz", "/_stcore/host-config"])
def test_another_name_for_this_machine_is_turned_away(address, path):
    """A page elsewhere may have its own name lead here (DNS rebinding)."""
    assert asked(address, path, Host="rebound.example")[0] == 421
    assert asked(address, path, Host=address.removeprefix("http://"))[0] == 200


def shaken(address, host, origin, key=None, **headers):
    """The status with which a WebSocket is answered."""
    name, _, port = address.removeprefix("http://").partition(":")
    key = begin_session(address)[0] if key is None else key
    headers |= {"Host": host, "Origin": origin} if origin else {"Host": host}
    whose = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    upgrade = (
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Protocol: streamlit, none, new, {key or 'none'}\r\n"
    )
    with socket.create_connection((name, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(f"GET /_stcore/stream HTTP/1.1\r\n{upgrade}{whose}\r\n".encode())
        return int(connection.recv(4096).split()[1])


def test_a_page_elsewhere_opens_no_connection(address):
    """The WebSocket carries everything; its origin and its host are looked at."""
    host = address.removeprefix("http://")
    assert shaken(address, host, address) == 101
    assert shaken(address, host, "http://evil.example") == 403
    assert shaken(address, "evil.example", "http://evil.example") == 421


def test_an_upload_without_its_token_is_refused(address):
    request = urllib.request.Request(
        f"{address}/_stcore/upload_file/session/file", data=b"x", method="PUT"
    )
    request.add_header("X-Scrutineer-Key", begin_session(address)[0])
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=PATIENCE)
    refused.value.close()
    assert refused.value.code in (400, 403)


def start(tmp_path, *arguments, **variables):
    """What a start says that does not come about."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANTHROPIC_", "SCRUTINEER_"))
    }
    command = [sys.executable, "-m", "streamlit", "run", ROOT / "app.py", "--server.headless=true"]
    return subprocess.run(
        [*command, f"--server.port={free_port()}", *arguments],
        env=clean | {"SCRUTINEER_DATA_DIR": str(tmp_path)} | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_without_login_it_does_not_start_on_the_network(tmp_path):
    ended = start(tmp_path, "--server.address=0.0.0.0")
    assert ended.returncode == 1
    assert ended.stderr.startswith(
        "Scrutineer does not start: it would listen on 0.0.0.0 and has no login"
    )
    assert 'SCRUTINEER_OPEN_TO_NETWORK="without login"' in ended.stderr
    assert "Traceback" not in ended.stderr


def test_other_words_than_those_do_not_open_it(tmp_path):
    ended = start(tmp_path, "--server.address=0.0.0.0", SCRUTINEER_OPEN_TO_NETWORK="yes")
    assert ended.returncode == 1
    assert "SCRUTINEER_OPEN_TO_NETWORK is not usable" in ended.stderr


def test_said_in_words_it_starts_on_the_network(tmp_path):
    settings = {
        "STREAMLIT_SERVER_ADDRESS": "0.0.0.0",
        "SCRUTINEER_OPEN_TO_NETWORK": "without login",
        "STREAMLIT_SERVER_ALLOWED_HOSTS": "rules.example",
    }
    with served(tmp_path, **settings) as address:
        assert asked(address, "/healthz")[0] == 200, "as the image asks after its own health"
        assert asked(address, "/healthz", Host="rules.example")[0] == 200
        assert asked(address, "/healthz", Host="other.example")[0] == 421


def test_with_a_login_it_starts_on_the_network(tmp_path):
    port = free_port()
    with Provider("ada") as provider:
        secrets = tmp_path / "secrets.toml"
        secrets.write_text(provider.secrets(f"http://127.0.0.1:{port}"))
        settings = {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0", "STREAMLIT_SECRETS_FILES": str(secrets)}
        with served(tmp_path, port=port, **settings) as address:
            assert asked(address, "/healthz")[0] == 200


def through_walls(address: tuple[str, int], host: str) -> tuple[int, dict[str, str]]:
    """The reply of the middleware, with a small app behind it, on a local address."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    headers = [(b"host", host.encode())]
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/healthz",
        "scheme": "http",
        "headers": headers,
        "server": address,
        "query_string": b"",
    }
    asyncio.run(SecurityMiddleware(app)(scope, receive, send))
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_a_server_started_another_way_does_not_answer_the_network(tmp_path, monkeypatch):
    """`uvicorn app:app --host 0.0.0.0` asks no setting of Streamlit's where it listens."""
    monkeypatch.chdir(tmp_path)
    assert through_walls(("192.0.2.7", 8501), "localhost:8501")[0] == 403
    assert through_walls(("127.0.0.1", 8501), "localhost:8501")[0] == 200
    assert through_walls(("::1", 8501), "[::1]:8501")[0] == 200


def test_a_strange_host_does_not_get_into_the_policy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, headers = through_walls(("127.0.0.1", 8501), "localhost; img-src *")
    assert "img-src *" not in headers["content-security-policy"]


def test_a_feed_opens_by_its_own_token_alone(address, cup_folder):
    tokens = Tokens(f"sqlite:///{cup_folder / 'conversations.db'}")
    secret = tokens.make("Ada", scope="feeds")
    for path in ("/changes/feed", "/rule/cup/2024/21.3/feed"):
        assert asked(address, path)[0] == 403
        status, headers, body = asked(address, f"{path}?token={secret}")
        assert (status, b"<feed" in body) == (200, True)
        known = {"If-None-Match": headers["etag"]}
        assert asked(address, f"{path}?token={secret}", **known)[0] == 304
    assert asked(address, f"/?token={secret}")[0] == 403
    assert asked(address, f"/api/v1/documents?token={secret}")[0] in (403, 404)
    logs = [file.read_text() for file in cup_folder.parent.rglob("*.log*")]
    assert logs
    assert not any(secret in text for text in logs)


def test_the_address_of_a_rule_leads_to_its_page(address):
    """With the parts as they were encoded; a browser is led on after its token."""
    host, port = address.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
    connection.request("GET", "/rule/cup/2024/7.1%2F2%20d)")
    reply = connection.getresponse()
    assert reply.status == 303
    assert reply.headers["location"] == "/rulebooks?rule=cup%2F2024%2F7.1%252F2%2520d%29"
    reply.read()
    connection.request("GET", "/rule/cup/2024/7.1?rule=cup/2023/7.1&lang=de")  # no other rule
    location = connection.getresponse().headers["location"]
    assert dict(parse_qsl(urlsplit(location).query)) == {"rule": "cup/2024/7.1", "lang": "de"}
    connection.close()
