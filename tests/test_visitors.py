"""A client without our pages, which sends what it likes on the WebSocket and as an upload."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from socket import MSG_PEEK
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from core.library.storage.library import Library
from tests.browser.app_server import begin_session, served
from tests.cup import add_cup_rules
from tests.patience import PATIENCE

SHARED = """
import streamlit as st
from pages.components import services

settings = services.get_settings()
database = services.get_conversations()._database
workers = services.get_ingest_worker(), services.get_evaluation_worker()
shared = services.get_library(), *workers, database
st.text(f"Shared: {[id(thing) for thing in shared]}")
"""


@contextmanager
def connected(address: str) -> Iterator[ClientConnection]:
    """A connection as a tab has one."""
    place = f"{address.replace('http', 'ws')}/_stcore/stream"
    key, _ = begin_session(address)
    protocols = ["streamlit", "none", "new", key or "none"]
    with connect(place, origin=address, subprotocols=protocols, max_size=None) as connection:
        yield connection


def drawn(connection: ClientConnection) -> list[ForwardMsg]:
    """All that is sent until the page is drawn."""
    connection.send(BackMsg(rerun_script={}).SerializeToString())
    told: list[ForwardMsg] = []
    while not told or told[-1].WhichOneof("type") != "script_finished":
        told.append(ForwardMsg.FromString(connection.recv(PATIENCE)))
    return told


def seen(address: str) -> str:
    """What the page shows to a visitor."""
    with connected(address) as connection:
        return " ".join(
            str(message.delta)
            for message in drawn(connection)
            if message.WhichOneof("type") == "delta"
        )


def have_caches_emptied(address: str) -> None:
    """What the developer's menu of a browser sends; the server asks nobody who they are."""
    with connected(address) as connection:
        connection.send(BackMsg(clear_cache=True).SerializeToString())
        drawn(connection)


def shared_in(address: str) -> list[str]:
    return [line for line in seen(address).splitlines() if "Shared:" in line]


@pytest.mark.slow
def test_a_visitor_who_has_the_caches_emptied_takes_nothing_from_the_others(tmp_path):
    """A second ingest worker would read twice as many files, and an evaluation would be lost."""
    script = tmp_path / "shared.py"
    script.write_text(SHARED)
    with served(tmp_path, script) as address:
        before = shared_in(address)
        assert before == shared_in(address) != []
        have_caches_emptied(address)
        assert shared_in(address) == before


def uploaded(address: str, megabytes: int) -> int:
    """The status of the reply to a file that no uploader in a browser has checked."""
    with connected(address) as tab:
        tab.send(BackMsg(rerun_script={}).SerializeToString())
        session = ForwardMsg.FromString(tab.recv(PATIENCE)).new_session.initialize.session_id
        server = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
        server.request("GET", "/_stcore/health")
        answer = server.getresponse()
        token = (
            answer.read()
            and answer.headers["set-cookie"].partition("_streamlit_xsrf=")[2].partition(";")[0]
        )
        body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
        body += bytes(megabytes << 20) + b"\r\n--x--\r\n"
        server.putrequest("PUT", f"/_stcore/upload_file/{session}/1")
        server.putheader("Content-Type", "multipart/form-data; boundary=x")
        server.putheader("Content-Length", str(len(body)))
        server.putheader("Expect", "100-continue")
        server.putheader("Cookie", f"_streamlit_xsrf={token}")
        server.putheader("X-Scrutineer-Key", begin_session(address)[0])
        server.putheader("X-Xsrftoken", token)
        server.endheaders()
        # What is too large is answered by its length alone.
        if server.sock.recv(12, MSG_PEEK) == b"HTTP/1.1 100":
            server.send(body)
        with closing(server), server.getresponse() as answer:
            return answer.status


@pytest.mark.slow
def test_the_server_itself_takes_files_as_large_as_the_setting_says_and_no_larger(tmp_path):
    add_cup_rules(Library(tmp_path / "library"))
    with served(tmp_path, SCRUTINEER_MAX_UPLOAD_MB="60") as address:
        assert uploaded(address, 55) == 204
        assert uploaded(address, 61) == 413
