"""The service over HTTP as a program meets it: with a token, without one, and with nonsense."""

import asyncio
import json
import secrets
import time
from pathlib import Path

import pytest

from core.agent import Ended, from_json
from core.api import SearchRequest
from core.api.openapi import describe_api
from core.api.replies import stream_events
from core.chats.conversations import Conversations
from core.chats.quota import Quota
from core.chats.tokens import Tokens, may_enter, person_of_name
from core.library.storage.library import Library
from tests.api.api_server import Program, served_api, use_folder
from tests.cup import add_cup_rules
from tests.patience import PATIENCE

DESCRIPTION = Path(__file__).parents[2] / "docs" / "openapi.json"
LIMIT = "The speed limit in the pit lane is 50 km/h throughout the Event, for every car."
QUESTION = "What is the speed limit in the pit lane?"
PATHS = [path.strip("/") for path in describe_api()["paths"]] + ["openapi.json", "nothing", ""]


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    with pytest.MonkeyPatch.context() as environment:
        yield use_folder(environment, tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def library(settings):
    library = Library(settings.data_dir)
    add_cup_rules(library)
    return library


@pytest.fixture(scope="module")
def tokens(settings, library):
    return Tokens(settings.conversations_url)


@pytest.fixture(scope="module")
def address(tokens):
    with served_api() as address:
        yield address


@pytest.fixture
def ada(address, tokens):
    """A program of an Ada's, who has asked nothing yet."""
    name = f"ada.{secrets.token_hex(4)}@team.example"
    return Program(address, tokens.make(name), name)


def test_until_there_is_a_token_there_is_nothing(address, tokens):
    for token in tokens.list_tokens():
        tokens.remove_token(token.token_id)
    for path in PATHS:
        assert Program(address).get(path)[0] == 404
        assert Program(address, "scrutineer_guessed").get(path)[0] == 404


def test_who_brings_no_token_gets_in_nowhere(address, tokens, ada):
    removed = tokens.make("gone")
    tokens.remove_token(tokens.find_token(removed).token_id)
    for stranger in ("", "scrutineer_guessed", removed, "' or 1=1 --"):
        for path in PATHS:
            status, reply = Program(address, stranger).get(path)
            assert (status, reply["error"]["code"]) == (401, "no_token")
            assert Program(address, stranger).post(path, {})[0] == 401


def test_a_token_is_kept_as_its_hash_alone(settings, tokens):
    secret = tokens.make("ada@team.example")
    files = settings.data_dir.glob("conversations.db*")
    assert all(secret.encode() not in file.read_bytes() for file in files)


def test_who_may_not_enter_in_the_browser_may_not_by_a_token(ada, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_PEOPLE", '["@other.example"]')
    status, reply = ada.get("documents")
    assert (status, reply["error"]["code"]) == (403, "no_access")
    monkeypatch.setenv("SCRUTINEER_PEOPLE", '["@team.example"]')
    assert ada.get("documents")[0] == 200


def test_people_are_known_by_their_address_or_its_domain():
    assert may_enter("Ada@Team.example", ("ada@team.example",))
    assert may_enter("ada@team.example", ("@team.example",))
    assert may_enter("build server", None)
    assert not may_enter("build server", ())
    assert not may_enter("ada@team.example.evil", ("@team.example",))


def test_the_replies_are_those_of_the_command_line(ada, library):
    status, found = ada.get("search", query="pit lane", k=3)
    printed = SearchRequest(query="pit lane", k=3).answer(library).model_dump(mode="json")
    assert (status, found) == (200, printed)
    status, found = ada.get("article", article="21.3", season=2023)
    assert (status, found["found"], found["season"]) == (200, True, 2023)
    assert [edition["season"] for edition in found["history"]] == [2023, 2024]


def test_documents_are_compared_and_their_limits_listed(ada):
    _, listed = ada.get("documents")
    before, after = (document["document_id"] for document in listed["documents"])
    _, compared = ada.get("compare", before=before[:12], after=after, wording="changed")
    assert [pair["article_b"] for pair in compared["pairs"]] == ["21.3"]
    _, limits = ada.get("limits", document=after)
    assert (50, "km/h") in [(row["value"], row["unit"]) for row in limits["limits"]]


def test_a_redline_is_a_file_and_a_refusal_is_json(ada):
    _, listed = ada.get("documents")
    before, after = (document["document_id"] for document in listed["documents"])
    for asked, beginning in (({}, b"PK"), ({"format": "pdf"}, b"%PDF")):
        status, data = ada.get("redline", before=before[:12], after=after, **asked)
        assert (status, data[: len(beginning)]) == (200, beginning)
    assert ada.get("redline", before=before, after=after, format="exe")[0] == 400
    assert ada.get("redline", before="0" * 64, after=after)[0] == 404


def test_a_text_is_verified(ada):
    text = f"Article 21.3: “{LIMIT}” and “{LIMIT.replace('50', '70')}”"
    status, checked = ada.post("verify", {"text": text})
    findings = [row["finding"] for row in checked["passages"] if row["kind"] == "quote"]
    assert (status, checked["stands"], findings) == (200, False, ["stands", "altered"])


@pytest.mark.slow
def test_a_question_is_answered_in_the_events_of_its_run(ada, settings):
    *_, ended = map(from_json, ada.ask(QUESTION))
    assert isinstance(ended, Ended)
    assert "50 km/h" in ended.answer
    chats = Conversations(settings.conversations_url)
    hers = chats.for_person(person_of_name(ada.name), Quota())
    assert hers.find_run(ended.run_id).question == QUESTION
    assert chats.find_run(ended.run_id) is None


def test_a_person_asks_no_more_than_in_the_browser(ada, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_QUESTIONS_A_MINUTE", "1")
    ada.ask(QUESTION)
    status, reply = ada.post("ask", {"question": QUESTION})
    assert (status, reply["error"]["code"]) == (429, "limit")


def test_a_run_that_nobody_reads_is_ended():
    ended = []

    def events():
        try:
            yield from map(from_json, [BEGUN] * 3)
        finally:
            ended.append(True)

    async def read_one():
        run = events()
        stream = stream_events(next(run), run)
        await anext(stream)
        await stream.aclose()

    asyncio.run(read_one())
    assert ended == [True]


BEGUN = json.dumps({"type": "DraftGrew", "run_id": "r", "seq": 1, "iteration": 1, "text": "a"})


@pytest.mark.parametrize(
    ("path", "body", "kind", "status"),
    [
        ("verify", b"{", "application/json", 400),
        ("verify", b"[" * 100_000, "application/json", 400),
        ("verify", b"[]", "application/json", 400),
        ("verify", b"{}", "application/json", 400),
        ("verify", b'{"text": "x", "season": "next"}', "application/json", 400),
        ("verify", b'{"text": "x"}', "text/plain", 415),
        ("verify", b" " * (5 << 20), "application/json", 413),
        ("ask", b'{"question": " "}', "application/json", 400),
        ("ask", b'{"question": "x", "budget": 1000}', "application/json", 400),
        ("ask", b'{"question": "x", "document": "ffffffffffff"}', "application/json", 404),
    ],
)
def test_what_is_no_request_is_refused_in_a_sentence(ada, path, body, kind, status):
    got, reply = ada.post(path, body, kind)
    assert (got, reply["error"]["message"][-1]) == (status, ".")


def test_a_parameter_is_given_once_and_known(ada):
    assert ada.get("search?query=a&query=b&x")[0] == 400
    assert ada.get("search", query="a", colour="red")[0] == 400


def test_a_document_that_is_not_there_is_not_found_by_any_path(ada):
    absent = "ffffffffffff"
    assert ada.get("limits", document=absent)[0] == 404
    assert ada.get("search", query="wheel", document=absent)[0] == 404
    assert ada.get("article", article="1", document=absent)[0] == 404
    assert ada.get("compare", before=absent, after=absent)[0] == 404


@pytest.mark.slow
def test_a_check_ends_when_its_client_goes(ada):
    text = "".join(f"Article 21.3, line {n}: “{LIMIT}” says {n} km/h.\n\n" for n in range(1_500))
    started = time.process_time()
    with pytest.raises(TimeoutError):
        ada.post("verify", {"text": text}, patience=1)
    while (before := time.process_time()) - started < PATIENCE:
        time.sleep(1)
        if time.process_time() - before < 0.1:
            break
    assert before - started < 5, "it worked on for nobody"


def test_the_description_is_the_one_that_is_published(ada):
    """Where it changes on purpose: write `describe_api` to docs/openapi.json."""
    _, served = ada.get("openapi.json")
    assert served.pop("servers") == [{"url": "/api/v1"}]
    assert served == json.loads(DESCRIPTION.read_text(encoding="utf-8"))
