"""Who comes in: a neighbour's server, knocks from elsewhere, unfinished frames, copied secrets."""

import hmac
import json
import shutil
import socket
import time
import tomllib
import urllib.error
import urllib.request
from base64 import urlsafe_b64encode
from contextlib import contextmanager
from http.cookiejar import CookieJar
from itertools import pairwise
from pathlib import Path

import pytest
import streamlit
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from core.chats.tokens import Tokens
from core.sessions import MAX_AGE, Sessions
from core.settings import load_settings
from server import door
from server.connections import CLOSING_SECONDS, HEADER_SECONDS, STRANGERS_MESSAGE
from tests.benchmarks.watched import Watched
from tests.browser.app_server import (
    ROOT,
    begin_session,
    folders,
    free_port,
    kept_key,
    served,
    tokens,
)
from tests.browser.identity import Provider
from tests.patience import PATIENCE
from tests.test_server import asked, shaken

pytestmark = pytest.mark.slow

WITNESS = """
import os, sys
def note(*words):
    with open(os.environ["WITNESS"], "a") as log:
        print(*words, file=log)
def look(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "subprocess.Popen"):
        note(event, *map(repr, given))
sys.addaudithook(look)
note("awake")
"""
STATIC = Path(streamlit.__file__).parent / "static" / "static"
CLAIMS = {"email": "ada@club.example", "email_verified": True}


@pytest.fixture(scope="module")
def asked_for(tmp_path_factory):
    """The file in which a server's process notes each address that it looks for."""
    return tmp_path_factory.mktemp("witness") / "asked"


@pytest.fixture(scope="module")
def address(tmp_path_factory, cup_rules, asked_for):
    """The address of the app, whose process is watched from its first line on."""
    asked_for.with_name("sitecustomize.py").write_text(WITNESS)
    paths = f"{asked_for.parent}:{ROOT}"
    folder = tmp_path_factory.mktemp("door")
    shutil.copytree(cup_rules, folder / "library")
    with served(folder, PYTHONPATH=paths, WITNESS=str(asked_for)) as address:
        yield address


@pytest.fixture(scope="module")
def club(tmp_path_factory, cup_rules):
    """The address of an app with a login."""
    folder, port = tmp_path_factory.mktemp("club"), free_port()
    shutil.copytree(cup_rules, folder / "library")
    with Provider("ada") as provider:
        secrets = folder / "secrets.toml"
        secrets.write_text(provider.secrets(f"http://127.0.0.1:{port}"))
        with served(folder, port=port, STREAMLIT_SECRETS_FILES=str(secrets)) as address:
            yield address


@contextmanager
def tab(address, key, cookie="", host=""):
    """The WebSocket of a tab, which knows the server by another name if a host is given."""
    place = address.removeprefix("http://")
    name, _, port = place.partition(":")
    with (
        socket.create_connection((name, int(port)), timeout=PATIENCE) as line,
        connect(
            f"ws://{host or place}/_stcore/stream",
            sock=line,
            origin=f"http://{host or place}",
            subprotocols=["streamlit", _cross_site_token(cookie) or "none", "new", key or "none"],
            additional_headers={"Cookie": cookie},
            compression=None,
            max_size=None,
        ) as connection,
    ):
        yield connection


def _cross_site_token(cookie):
    """What Streamlit wants to hear again of its own cookie before it reads who somebody is."""
    return cookie.partition("_streamlit_xsrf=")[2].partition(";")[0].strip('"')


def send_without_end(connection, part):
    """Send 160 MB of a message that does not end."""
    connection.protocol.send_binary(part, fin=False)
    for _ in range(5000):
        connection.protocol.send_continuation(part, fin=False)
        connection.socket.sendall(b"".join(connection.protocol.data_to_send()))


def draw_until_closed(connection):
    connection.send(BackMsg(rerun_script={}).SerializeToString())
    while True:
        connection.recv(PATIENCE)


def test_nobody_comes_in_without_the_token(address):
    host = address.removeprefix("http://")
    for path in (
        "/?token=",
        "/?token=wrong",
        "/media/x.png",
        "/_stcore/agent/interact",
        "/door",
        "/news",
    ):
        assert asked(address, path, Cookie="")[0] == 403
    assert shaken(address, host, address, key="") == 403
    assert shaken(address, host, address, key="x") == 403
    assert asked(address, "/healthz", Cookie="")[0] == 200
    assert asked(address, "/", Cookie="")[2] == asked(address, "/")[2]  # an empty page, for all
    key, cookie = begin_session(address)
    assert asked(address, "/media/x.png", Cookie=cookie)[0] == 404
    assert asked(address, "/door", X_Scrutineer_Key=key)[0] == 204
    assert asked(address, "/news?chat=none", Cookie=cookie)[0] == 403
    status, headers, state = asked(address, "/news?chat=none", X_Scrutineer_Key=key)
    assert (status, headers["cache-control"], len(state)) == (200, "no-store", 16)
    assert asked(address, "/news?chat=none", X_Scrutineer_Key=key)[2] == state
    assert shaken(address, host, address, key) == 101


def test_the_token_becomes_a_key_that_no_cookie_holds(address):
    key, cookie = begin_session(address)
    assert cookie.startswith(f"scrutineer_{address.rpartition(':')[2]}=")
    assert key not in cookie
    with urllib.request.urlopen(f"{address}/?token={tokens[address]}", timeout=PATIENCE) as reply:
        assert "HttpOnly" in reply.headers["set-cookie"]
        assert "SameSite=strict" in reply.headers["set-cookie"]
        assert "Max-Age" not in reply.headers["set-cookie"]
        assert reply.headers["cache-control"] == "no-store"
        assert tokens[address] not in reply.read().decode()
    files = list((folders[address] / "sessions").iterdir())
    assert files
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
    held = "".join(file.name + file.read_text() for file in files)
    assert key not in held
    assert cookie.partition("=")[2] not in held


def test_what_a_neighbour_got_of_a_browser_opens_nothing(address):
    """The cookies of a host go to each of its ports: a plain client sends them as they came."""
    _, cookie = begin_session(address)
    host, value = address.removeprefix("http://"), cookie.partition("=")[2]
    assert shaken(address, host, address, "", Cookie=cookie) == 403
    assert shaken(address, host, address, value, Cookie=cookie) == 403
    for path in ("/door", "/_stcore/upload_file/session/file"):
        assert asked(address, path, Cookie=cookie, X_Scrutineer_Key=value)[0] == 403


def test_a_page_that_an_earlier_version_sent_is_sent_anew(address):
    status, headers, body = asked(address, "/library", If_None_Match="*")
    assert (status, headers["etag"]) == (200, None)
    assert door.KEY_SCRIPT in body.decode()


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:9999", "http://localhost:{port}", "https://127.0.0.1:{port}", "null", ""],
)
def test_a_page_of_a_neighbour_reads_nothing(address, origin):
    host = address.removeprefix("http://")
    origin = origin.format(port=address.rpartition(":")[2])
    assert shaken(address, host, origin) == 403
    if origin:
        assert asked(address, "/", Origin=origin)[0] == 403
    media = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}
    assert asked(address, "/media/x.png", **media)[0] == 403


def test_knocks_from_elsewhere_ask_nobody_and_hold_nobody_up(address, asked_for):
    host, moments = address.removeprefix("http://"), [time.monotonic()]
    for _ in range(5):
        assert shaken(address, host, address) == 101
        assert asked(address, "/", Origin=address)[0] == 200
    moments.append(time.monotonic())
    earlier = asked_for.read_text()
    for number in range(5):
        assert shaken(address, host, f"http://evil{number}.example") == 403
        assert asked(address, "/", Origin=f"http://evil{number}.example")[0] == 403
    assert asked(address, "/healthz")[0] == 200
    moments.append(time.monotonic())
    welcome, knocks = (after - before for before, after in pairwise(moments))
    assert knocks < 5 + 2 * welcome
    assert "awake" in earlier
    assert "socket" not in asked_for.read_text().removeprefix(earlier)


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="no memory of a process is told")
def test_unfinished_messages_of_strangers_take_no_memory(club):
    server, part = Watched.at(int(club.rpartition(":")[2])), bytes(STRANGERS_MESSAGE // 2)
    before = server.resident()
    for _ in range(6):
        with tab(club, "") as connection, pytest.raises((WebSocketException, OSError)):
            send_without_end(connection, part)
    assert server.resident() - before < 50


def test_headers_that_do_not_end_are_not_waited_for(address):
    name, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((name, int(port)), timeout=3 * HEADER_SECONDS) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        assert connection.recv(1) == b""


def test_a_server_that_is_told_to_stop_does_not_wait_for_who_reads_nothing(tmp_path):
    with socket.socket() as line:
        with served(tmp_path) as address:
            script = max((STATIC / "js").glob("*.js"), key=lambda file: file.stat().st_size)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", int(address.rpartition(":")[2])))
            request = f"GET /static/js/{script.name} HTTP/1.1", f"Host: {address[7:]}"
            line.sendall("\r\n".join((*request, "", "")).encode())
            assert line.recv(12) == b"HTTP/1.1 200"
            told = time.monotonic()
        assert time.monotonic() - told < CLOSING_SECONDS + 10


def test_a_copied_key_ends_with_its_session(address):
    key, cookie = begin_session(address)
    sessions = Sessions(folders[address] / "sessions")
    session = sessions.find(cookie.partition("=")[2])
    with tab(address, key) as copied:
        copied.send(BackMsg(rerun_script={}).SerializeToString())
        copied.recv(PATIENCE)
        sessions.end(session.session_id)
        with pytest.raises(ConnectionClosed):
            draw_until_closed(copied)
    assert shaken(address, address.removeprefix("http://"), address, key) == 403
    assert asked(address, "/media/x.png", Cookie=cookie)[0] == 403


def test_behind_a_proxy_the_key_opens_under_the_name_that_it_passes_on(tmp_path, cup_rules):
    """A proxy keeps the name (`Host`); what it says of hosts otherwise lets nobody in."""
    name = "rules.example"
    shutil.copytree(cup_rules, tmp_path / "library")
    with served(tmp_path, STREAMLIT_SERVER_ALLOWED_HOSTS=f"{name} 127.0.0.1") as address:
        program = Tokens(f"sqlite:///{folders[address] / 'conversations.db'}").make("Ada")
        for host in (name, address.removeprefix("http://")):
            status, _, page = asked(address, f"/?token={tokens[address]}", Cookie="", Host=host)
            key = kept_key(page.decode())
            assert status == 200
            with tab(address, key, host=host) as connection:
                connection.send(BackMsg(rerun_script={}).SerializeToString())
                assert connection.recv(PATIENCE)
            passed_on = {"Host": host, "X_Forwarded_Host": "evil.example"}
            assert asked(address, "/door", X_Scrutineer_Key=key, **passed_on)[0] == 204
            assert shaken(address, host, "http://evil.example", key) == 403
            documents = "/api/v1/documents"
            assert asked(address, documents, Cookie="", Host=host)[0] == 401
            bearer = {"Authorization": f"Bearer {program}", "Cookie": ""}
            assert asked(address, documents, Host=host, **bearer)[0] == 200


def encoded(data):
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def log_in(address, name):
    """The cookies of somebody who has logged in, and what opens addresses with them."""
    cookies = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    secret = tomllib.loads((folders[address].parent / "secrets.toml").read_text())["auth"]
    claims = {"provider": "default", "exp": int(time.time()) + 60}
    token = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "HS256"}, claims))
    signature = encoded(hmac.digest(secret["cookie_secret"].encode(), token.encode(), "sha256"))
    signed = f"{token}.{signature}"
    with (
        opener.open(f"{address}/auth/login?provider={signed}", timeout=PATIENCE) as choice,
        opener.open(f"{choice.url}&as={name}", timeout=PATIENCE) as page,
    ):
        key = kept_key(page.read().decode())
    opener.open(f"{address}/_stcore/health", timeout=PATIENCE).close()
    return key, "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies), opener, cookies


def draw_page(connection):
    """All that is sent of a page until it says who it is drawn for."""
    connection.send(BackMsg(rerun_script={}).SerializeToString())
    drawn = b""
    while b"Log in" not in drawn and b"stChatInput" not in drawn and b"Ada" not in drawn:
        drawn += connection.recv(PATIENCE)
    return drawn


def sees_log_in(connection):
    """True if a page is drawn for somebody who has not logged in."""
    return b"Log in" in draw_page(connection)


def test_a_stranger_sees_the_logo_though_the_door_shows_them_no_file(club):
    with tab(club, "") as connection:
        drawn = draw_page(connection)
    assert b"Log in" in drawn
    assert b"data:image/svg" in drawn
    assert b"data:image/png" in drawn
    assert b"/media/" not in drawn


def test_who_logs_out_is_logged_out_on_the_server(club):
    pytest.importorskip("authlib", reason="the optional part login is not installed")
    key, cookie, opener, _ = log_in(club, "ada")
    sessions = Sessions(folders[club] / "sessions")
    session = sessions.find(cookie.partition("scrutineer_")[2].partition("=")[2].split(";")[0])
    assert asked(club, "/media/x.png", Cookie=cookie)[0] == 404
    with tab(club, key, cookie) as copied:
        assert not sees_log_in(copied)
        opener.open(f"{club}/auth/logout", timeout=PATIENCE).close()
        assert not sessions.is_open(session.session_id)
        with pytest.raises(ConnectionClosed):
            draw_until_closed(copied)
    assert asked(club, "/media/x.png", Cookie=cookie)[0] == 403
    assert asked(club, "/media/x.png", Cookie="")[0] == 403


def test_the_cookies_of_a_login_without_its_key_are_those_of_a_stranger(club):
    """A neighbour's server gets them all, for a week at the most."""
    pytest.importorskip("authlib", reason="the optional part login is not installed")
    key, cookie, _, cookies = log_in(club, "ada")
    assert all((held.expires or 0) < time.time() + 14 * 86_400 + 60 for held in cookies)
    assert max(h.expires for h in cookies if "user" in h.name) <= time.time() + MAX_AGE
    for copied in ("", cookie.partition("scrutineer_")[2].partition("=")[2].split(";")[0]):
        with tab(club, copied, cookie) as neighbour:
            assert sees_log_in(neighbour)
    with tab(club, key) as without:
        assert sees_log_in(without)
    upload = f"{club}/_stcore/upload_file/session/file"
    request = urllib.request.Request(upload, b"x", {"Cookie": cookie}, method="PUT")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request, timeout=PATIENCE)
    with tab(club, key, cookie) as own:
        assert not sees_log_in(own)


def test_people_without_an_entry_are_everybody_and_an_empty_list_is_nobody(monkeypatch):
    assert door.has_access(CLAIMS, None)
    assert not door.has_access(CLAIMS, ())
    assert door.has_access(CLAIMS, ("@club.example",))
    monkeypatch.setenv("SCRUTINEER_PEOPLE", "[]")
    assert load_settings().people == ()
    monkeypatch.setenv("SCRUTINEER_PEOPLE", json.dumps(["a@b.example"]))
    assert load_settings().people == ("a@b.example",)
