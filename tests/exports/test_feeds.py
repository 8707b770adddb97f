"""Feeds as a reader takes them: stable ids and times, escaped texts, nothing without a token."""

import json
import urllib.error
import urllib.request
from threading import Thread
from time import sleep

import feedparser
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from core.chats import Tokens
from core.exports import Feed
from core.language import ENGLISH
from core.library import RuleAddress
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Relation
from server import door, feeds, shared
from tests.api.api_server import use_folder
from tests.browser.app_server import free_port
from tests.patience import PATIENCE

SERVER = "https://rules.example"
NASTY = 'A flag <b>is</b> "red" & <script>alert(1)</script> ]]> \x07 \u202e \n* not a list'
WORDINGS = {
    1: [("1.1", NASTY), ("1.2", "Every car carries a yellow bumper of at least 40 mm height.")],
    2: [("1.1", NASTY), ("1.2", "Every car carries a yellow bumper of at least 60 mm height.")],
    3: [("1.1", NASTY), ("2.7", "Pumps are made of steel, and nobody may paint any of them.")],
}


def add_issue(library, issue):
    lines = [
        {"document": f"Club {issue}", "article": article, "title": "", "text": text}
        | {"family": "club", "season": 2025, "issue": issue}
        for article, text in WORDINGS[issue]
    ]
    [added] = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"{issue}.jsonl")
    return added.document


@pytest.fixture
def library(tmp_path):
    library = Library(tmp_path / "data")
    for issue in WORDINGS:
        add_issue(library, issue)
    return library


def rule_feed(library, path):
    clause = RuleAddress.parse(path).find(library).clause
    return Feed.of_rule(library, clause, SERVER, ENGLISH)


def test_a_reader_sees_the_changes_of_a_rule(library):
    read = feedparser.parse(rule_feed(library, "club/2025/2/1.2").data)
    assert not read.bozo
    newest, middle, first = read.entries
    assert [one.title.split(":")[0] for one in read.entries] == [
        "Removed",
        "1.2 Changed words",
        "1.2 Added",
    ]
    assert middle.link == f"{SERVER}/rule/club/2025/2/1.2"
    assert "<del>40</del>" in middle.content[0].value.replace(" ", "")
    assert "<ins>60</ins>" in middle.content[0].value.replace(" ", "")
    assert "60 mm" in newest.content[0].value
    assert {one.id.partition(":")[0] for one in (first, read.feed)} == {"urn"}
    same = feedparser.parse(rule_feed(library, "club/2025/1/1.2").data)
    assert (same.feed.id, [one.id for one in same.entries]) == (
        read.feed.id,
        [one.id for one in read.entries],
    )


def test_foreign_text_is_text_and_the_feed_stays_whole(library):
    feed = rule_feed(library, "club/2025/2/1.1")
    [entry] = feedparser.parse(feed.data, sanitize_html=False).entries
    assert not {"\x07", "\u202e"}.intersection(feed.data.decode())
    assert "<script" not in entry.content[0].value
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in entry.content[0].value


def test_a_reader_sees_what_each_issue_changed(library):
    read = feedparser.parse(Feed.of_changes(library, SERVER, ENGLISH).data)
    assert not read.bozo
    titles = {one.title for one in read.entries}
    assert "Club 2, Issue 2: 1 changed, 0 dropped" in {t.removeprefix("2025 ") for t in titles}
    assert len(read.entries) == len({one.id for one in read.entries}) == len(WORDINGS)
    assert any(f"{SERVER}/rule/club/2025/3/2.7" in one.content[0].value for one in read.entries)


def test_nothing_moves_where_nothing_changed(library, tmp_path):
    before = Feed.of_changes(library, SERVER, ENGLISH)
    again = Feed.of_changes(Library(tmp_path / "data"), SERVER, ENGLISH)
    assert (again.data, again.etag, again.updated) == (before.data, before.etag, before.updated)
    assert Feed.of_changes(Library(tmp_path / "none"), SERVER, ENGLISH).updated.year == 1970


@pytest.fixture
def served(library, tmp_path, monkeypatch):
    """The address of both feeds, and the tokens of the server."""
    settings = use_folder(monkeypatch, tmp_path)
    shared.forget_shared()
    routes = [
        Route(door.CHANGES_FEED, feeds.send_changes),
        Route("/rule/{name:path}/feed", feeds.send_rule),
    ]
    config = uvicorn.Config(Starlette(routes=routes), port=free_port(), log_level="warning")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run)
    thread.start()
    while not server.started:
        sleep(0.01)
    yield f"http://127.0.0.1:{config.port}", Tokens(settings.conversations_url)
    server.should_exit = True
    thread.join()
    shared.forget_shared()


def fetch(address, **headers):
    request = urllib.request.Request(
        address, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return reply.status, reply.headers, reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def test_a_reader_brings_a_token_of_feeds_and_is_told_when_nothing_is_new(served):
    address, tokens = served
    secret = tokens.make("ada@club.example", scope="feeds")
    feed = f"{address}{door.CHANGES_FEED}?token={secret}"
    status, headers, body = fetch(feed)
    assert status == 200
    assert secret.encode() not in body
    assert headers["content-type"].startswith("application/atom+xml")
    assert fetch(feed, If_None_Match=headers["etag"])[0] == 304
    assert fetch(feed, If_None_Match=f"W/{headers['etag']}")[0] == 304
    assert fetch(feed, If_None_Match='"other"')[0] == 200
    assert fetch(feed, If_Modified_Since=headers["last-modified"])[0] == 304
    assert fetch(feed, If_Modified_Since="nonsense")[0] == 200
    read = feedparser.parse(f"{address}/rule/club/2025/1.1/feed?token={secret}")
    assert (read.status, len(read.entries)) == (200, 1)
    status, _, said = fetch(f"{address}/rule/club/2025/9.9/feed?token={secret}")
    assert (status, b"There is no rule 9.9" in said) == (404, True)


def test_a_reader_is_told_of_a_bulletin_that_changes_a_rule(library, served):
    address, tokens = served
    secret = tokens.make("ada@club.example", scope="feeds")
    line = {"document": "Club Bulletin", "article": "B1", "title": "", "family": "bulletin"}
    line |= {"text": "Article 1.1 is deleted.", "season": 2025, "issue": 1}
    [added] = add_bytes(library, json.dumps(line).encode(), "bulletin.jsonl")
    newest = next(one for one in library.documents() if (one.family, one.issue) == ("club", 3))
    said = Relation("amends", newest.document_id, from_day="2025-03-01")
    library.relate(added.document.document_id, said)
    newest_entry, *_ = feedparser.parse(
        f"{address}/rule/club/2025/3/1.1/feed?token={secret}"
    ).entries
    assert newest_entry.title == "overridden by Article B1, 2025 Club Bulletin, Issue 1"
    assert newest_entry.published.startswith("2025-03-01")
    assert newest_entry.link == f"{address}/rule/bulletin/2025/1/B1"
    assert "Article 1.1 is deleted." in newest_entry.content[0].value


def test_no_other_token_opens_a_feed_and_a_removed_one_none(served):
    address, tokens = served
    feed = f"{address}{door.CHANGES_FEED}"
    secret = tokens.make("Ada", scope="feeds")
    assert fetch(feed)[0] == 403
    assert fetch(f"{feed}?token=scrutineer_wrong")[0] == 403
    assert fetch(f"{feed}?token={tokens.make('Ada')}")[0] == 403
    assert fetch(f"{feed}?token={secret}")[0] == 200
    assert tokens.find_token(secret) is None  # programs ask for their own
    tokens.remove_token(tokens.list_tokens("feeds")[0].token_id)
    assert fetch(f"{feed}?token={secret}")[0] == 403


def test_a_stranger_is_told_no_place_of_a_server_that_is_broken(
    served, tmp_path, monkeypatch, caplog
):
    address, tokens = served
    secret = tokens.make("Ada", scope="feeds")
    (tmp_path / "file").touch()
    monkeypatch.setenv("SCRUTINEER_DATABASE_URL", f"sqlite:///{tmp_path}/file/chats.db")
    for token in ("wrong", secret):
        status, _, body = fetch(f"{address}{door.CHANGES_FEED}?token={token}")
        assert (status, body.decode()) == (503, ENGLISH.say("feed-broken"))
    assert f"{tmp_path}/file" in caplog.text


def test_who_is_no_longer_let_in_has_no_feed(served, monkeypatch):
    address, tokens = served
    secret = tokens.make("ada@club.example", scope="feeds")
    monkeypatch.setenv("SCRUTINEER_PEOPLE", '["@other.example"]')
    assert fetch(f"{address}{door.CHANGES_FEED}?token={secret}")[0] == 403
    monkeypatch.setenv("SCRUTINEER_PEOPLE", '["@club.example"]')
    assert fetch(f"{address}{door.CHANGES_FEED}?token={secret}")[0] == 200
