"""The MCP server as an assistant meets it, through the SDK's own client."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

mcp = pytest.importorskip("mcp", reason="the optional part mcp is not installed")

from core.api import Shared  # noqa: E402
from core.chats.conversations import Conversations  # noqa: E402
from core.library import ScopeChoice  # noqa: E402
from core.library.ingestion.ingest import add_bytes  # noqa: E402
from core.library.storage.library import Library  # noqa: E402
from core.mcp.server import make_server  # noqa: E402
from core.settings import Settings  # noqa: E402
from tests.layered_cup import add_harbour_cup  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "mcp_tools.json"
LIMIT = "The speed limit in the pit lane is 50 km/h throughout the Event, for every car."


def ask_server(folder, talk, allowed=ScopeChoice(), **options):  # noqa: B008  # a value
    """Return what a conversation with a server in this process gives."""
    settings = Settings(data_dir=folder, search_mode="lexical", anthropic_api_key=None)

    async def run():
        server = make_server(Shared.open(settings), allowed)
        async with mcp.Client(server, **options) as client:
            return await talk(client)

    return asyncio.run(run())


def call(folder, name, allowed=ScopeChoice(), **arguments):  # noqa: B008  # a value
    return ask_server(folder, lambda client: client.call_tool(name, arguments), allowed)


def list_schemas(folder):
    listed = ask_server(folder, lambda client: client.list_tools())
    return [tool.model_dump(mode="json", exclude_none=True, by_alias=True) for tool in listed.tools]


def test_the_schemas_are_those_that_are_published(cup_folder):
    """Where they change on purpose: write `list_schemas` to docs/mcp_tools.json."""
    assert list_schemas(cup_folder) == json.loads(SCHEMAS.read_text(encoding="utf-8"))


def test_every_tool_says_that_it_only_reads(cup_folder):
    assert all(tool["annotations"]["readOnlyHint"] for tool in list_schemas(cup_folder))


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_what_search_finds_is_fetched(cup_folder, mode):
    """In the handshake of the revision before, and in the present one."""

    async def talk(client):
        found = await client.call_tool("search", {"query": "speed limit in the pit lane"})
        first = found.structured_content["results"][0]
        fetched = await client.call_tool("fetch", {"id": first["id"]})
        resource = await client.read_resource(first["url"])
        return first, json.loads(fetched.content[0].text), json.loads(resource.contents[0].text)

    first, fetched, resource = ask_server(cup_folder, talk, mode=mode)
    assert {"id", "title", "url"} <= first.keys()
    assert {"id", "title", "text", "url", "metadata"} == fetched.keys()
    assert fetched["text"] == LIMIT
    assert resource == fetched["metadata"]


def test_an_article_comes_with_its_place(cup_folder):
    [rule] = call(cup_folder, "article", number="21.3").structured_content["rules"]
    assert (rule["article"], rule["season"], rule["issue"]) == ("21.3", 2024, 1)
    assert len(rule["hash"]) == 64


def test_a_text_is_checked(cup_folder):
    found = call(cup_folder, "verify", text=f"Article 21.3: “{LIMIT.replace('50', '70')}”")
    assert not found.structured_content["stands"]


def test_values_penalties_and_documents(cup_folder):
    checked = call(cup_folder, "check_value", parameter="pit lane speed", value="60", unit="km/h")
    assert [one["verdict"] for one in checked.structured_content["verdicts"]]
    assert "penalties" in call(cup_folder, "penalties", breach="unsafe release").structured_content
    assert len(call(cup_folder, "documents").structured_content["documents"]) == 2


def test_two_seasons_are_compared(cup_folder):
    ids = [one.document_id for one in Library(cup_folder).documents()]
    found = call(cup_folder, "compare", before=ids[0], after=ids[1]).structured_content
    assert "[-60-]" in found["changes"][0]["difference"]


def test_a_competition_is_asked_on_a_day(tmp_path):
    rules = add_harbour_cup(Library(tmp_path))["rules"].document_id
    value = {"parameter": "sail area", "value": "19", "unit": "m²", "competition": rules}
    for day, verdict in (("2025-02-02", "not legal"), ("2025-05-02", "legal")):
        [found] = call(tmp_path, "check_value", **value, on=day).structured_content["verdicts"]
        assert found["verdict"] == verdict, "one for all layers"
    chosen = {"number": "4.1", "competition": rules[:12]}
    [rule] = call(tmp_path, "article", **chosen).structured_content["rules"]
    assert "overridden by Article H 2.1" in rule["layers"][0]
    found = call(tmp_path, "search", query="speed in the harbour").structured_content["results"]
    assert any(
        "overridden by Article H 2.1" in one for one in found[0]["layers"] + found[1]["layers"]
    )
    listed = call(tmp_path, "documents").structured_content["documents"]
    assert {"supplements", "amends"} == {
        said["kind"] for one in listed for said in one["relations"]
    }
    assert call(tmp_path, "article", number="4.1", on="May").is_error


@pytest.mark.slow
def test_a_question_is_answered_with_citations(cup_folder):
    answer = call(cup_folder, "ask", question="What is the speed limit in the pit lane?")
    assert answer.structured_content["citations"][0]["article"] == "21.3"
    chats = Conversations(f"sqlite:///{cup_folder / 'conversations.db'}")
    assert chats.list_conversations()[0].title == "What is the speed limit in the pit lane?"


def test_no_call_widens_what_the_server_may_show(cup_folder):
    earlier = next(one for one in Library(cup_folder).documents() if one.season == 2023)
    allowed = ScopeChoice(season=2024)
    listed = call(cup_folder, "documents", allowed).structured_content["documents"]
    assert [one["season"] for one in listed] == [2024]
    assert call(cup_folder, "article", allowed, number="21.3", season=2023).structured_content == {
        "found": False,
        "rules": [],
        "children": [],
        "not_in_force": [],
    }
    for name, arguments in (
        ("article", {"number": "21.3", "document": earlier.document_id}),
        ("fetch", {"id": f"{earlier.document_id}:21.3"}),
        ("compare", {"before": earlier.document_id, "after": earlier.document_id}),
    ):
        assert call(cup_folder, name, allowed, **arguments).is_error


def test_a_rule_that_is_not_there_is_an_error_in_one_sentence(cup_folder):
    found = call(cup_folder, "fetch", id="nothing")
    assert found.is_error
    assert "There is no rule with this id" in found.content[0].text


def test_rulings_come_beside_their_rule_and_are_none(cup_folder, tmp_path):
    folder = shutil.copytree(cup_folder, tmp_path / "data")
    library = Library(folder)
    newest = max(library.documents(), key=lambda one: one.season)
    rows = b"id,answer,articles\nQ1,A velvet cover changes nothing.,21.3\n"
    [added] = add_bytes(library, rows, "answers.csv", interprets=[newest.document_id])
    [rule] = call(folder, "article", number="21.3").structured_content["rules"]
    assert [(one["title"], one["has_changed"]) for one in rule["rulings"]] == [("Q1", None)]
    assert "velvet" not in rule["text"]
    fetched = call(folder, "fetch", id=rule["id"]).structured_content
    assert fetched["metadata"]["rulings"] == rule["rulings"]
    assert call(folder, "search", query="velvet").structured_content["results"] == []
    assert added.document.document_id not in str(call(folder, "documents").structured_content)
    [ruling] = library.other_texts(added.document.document_id)
    refused = call(folder, "fetch", id=ruling.clause_id)
    assert refused.is_error
    assert "no rule" in refused.content[0].text
