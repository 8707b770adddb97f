"""The service on the server around the pages: below a proxy's path, behind the same walls."""

import urllib.request

import pytest

from core.chats.tokens import Tokens
from tests.browser.app_server import BASE_PATH, served
from tests.patience import PATIENCE
from tests.test_server import asked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def token(cup_folder):
    return Tokens(f"sqlite:///{cup_folder / 'conversations.db'}").make("Ada")


@pytest.fixture(scope="module")
def address(cup_folder):
    with served(cup_folder.parent, **{BASE_PATH: "/rules"}) as address:
        yield address


def test_below_a_path_the_service_and_the_health_are_there_too(address, token):
    path = "/rules/api/v1/search?query=pit+lane"
    assert asked(address, path)[0] == 401
    assert asked(address, path, Cookie="", Authorization=f"Bearer {token}")[0] == 200
    assert asked(address, "/rules/healthz")[0] == asked(address, "/healthz")[0] == 200


def test_a_token_opens_the_service_and_nothing_else(address, token):
    bearer = {"Authorization": f"Bearer {token}", "Cookie": ""}
    assert asked(address, "/rules/media/x.png", **bearer)[0] == 403
    assert asked(address, "/api/v1/documents", **bearer)[0] == 404


def test_the_walls_of_the_pages_stand_before_the_service(address, token):
    bearer = {"Authorization": f"Bearer {token}", "Cookie": ""}
    path = "/rules/api/v1/documents"
    assert asked(address, path, **bearer, Origin="http://evil.example")[0] == 403
    assert asked(address, path, **bearer, Host="rebound.example")[0] == 421
    assert "default-src 'none'" in asked(address, path, **bearer)[1]["content-security-policy"]


def test_events_come_one_by_one_through_the_server(address, token):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    question = b'{"question": "What is the speed limit in the pit lane?"}'
    request = urllib.request.Request(f"{address}/rules/api/v1/ask", question, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        lines = reply.read().decode().splitlines()
    assert [line for line in lines if line.startswith("event: ")][-1] == "event: Ended"
