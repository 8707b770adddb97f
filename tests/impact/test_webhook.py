"""New issues posted to a webhook: a listener takes them, refuses, leads on, or says nothing."""

import json
import re
import time
import unicodedata
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from core.chats import Deliveries
from core.errors import SettingsError
from core.impact import Webhook
from core.impact.webhook import MAX_TEXT, escape_message, format_message
from core.library import Relation
from core.library.editions import assign_families
from core.library.ingestion.ingest import add_bytes, parse_file
from core.library.storage.library import Library
from core.logs import LOGGER_NAME
from core.maintenance import check
from core.settings import Settings, list_settings, load_settings
from tests.api.api_server import use_folder
from tests.browser.app_server import free_port

WORD = "\u2060"
EVIL = "<!channel> @here https://evil.example/x?a=1&b [click](http://evil.example) evil.example"


class Listener:
    """What was posted, and how it is answered: `statuses` one after another, then 200."""

    def __init__(self) -> None:
        self.posted: list[str] = []
        self.paths: list[str] = []
        self.statuses: list[int] = []
        self.keys: list[str] = []
        self.elsewhere = ""
        self.is_silent = False
        self.released = Event()


@contextmanager
def listening(listener):
    """The address of a listener."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            listener.paths.append(self.path)
            listener.keys.append(self.headers["Idempotency-Key"])
            body = self.rfile.read(int(self.headers["content-length"]))
            if listener.is_silent:
                listener.released.wait(30)
                return
            status = listener.statuses.pop(0) if listener.statuses else 200
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", listener.elsewhere)
            self.send_header("Content-Length", "0")
            self.end_headers()
            if status == 200:
                listener.posted.append(json.loads(body)["text"])

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/services/secret"
    finally:
        listener.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def add_issue(library, issue, *rules, family="club"):
    lines = [
        {"document": f"Club {issue}", "article": article, "title": title, "text": text}
        | {"family": family, "season": 2025, "issue": issue}
        for article, title, text in rules
    ]
    [added] = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"{issue}.jsonl")
    assert added.document
    return added.document


FIRST = ("1.1", "Flags", "The flag is red, and it is shown at every corner of the track.")
SECOND = ("1.1", "Flags", "The flag is blue, and it is shown at every corner of the track.")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A library with one issue, a listener, and the settings that lead to it."""
    listener = Listener()
    with listening(listener) as address:
        settings = use_folder(
            monkeypatch, tmp_path, WEBHOOK_URL=address, SERVER_ADDRESS="https://rules.example/"
        )
        library = Library(settings.data_dir)
        add_issue(library, 1, FIRST)
        yield library, listener, settings


def test_a_new_issue_is_posted_once_and_what_was_there_before_is_not(place):
    library, listener, settings = place
    Webhook(library, settings).post_new()
    assert listener.posted == []
    add_issue(library, 2, SECOND, ("1.2", "Pumps", "Pumps are made of steel everywhere."))
    servers = [Webhook(library, settings) for _ in range(3)]
    threads = [Thread(target=server.post_new) for server in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    Webhook(library, settings).post_new()  # after a restart
    assert listener.posted == [
        "New issue: 2025 Club 2, Issue 2. Compared with 2025 Club 1, Issue 1: 2 rules changed or"
        " new, 0 dropped.\n"
        "• 1.1 Flags: Changed words https://rules.example/rule/club/2025/2/1.1\n"
        "• 1.2 Pumps: Added https://rules.example/rule/club/2025/2/1.2"
    ]


def test_a_webhook_that_fails_is_tried_again_after_growing_pauses_and_over_a_restart(place):
    library, listener, settings = place
    pauses = (1.5, 1.5)
    Webhook(library, settings, pauses).post_new()
    add_issue(library, 2, SECOND)
    listener.statuses = [500, 503]
    Webhook(library, settings, pauses).post_new()
    Webhook(library, settings, pauses).post_new()
    assert len(listener.paths) == 1  # it is not due yet
    [sentence] = Webhook.describe_failures(settings, library)
    assert "status 500; it is tried again" in sentence
    assert any(one.code == "webhook" and not one.mended for one in check(settings))
    for _ in range(2):
        time.sleep(1.6)
        Webhook(library, settings, pauses).post_new()
    assert len(listener.posted) == 1
    assert len(listener.paths) == 3
    assert len(set(listener.keys)) == 1  # by which a receiver knows it again
    assert list(Webhook.describe_failures(settings, library)) == []


def test_after_the_last_pause_it_is_not_tried_again_and_told(place):
    library, listener, settings = place
    Webhook(library, settings, ()).post_new()
    add_issue(library, 2, SECOND)
    listener.statuses = [404]
    for _ in range(2):
        Webhook(library, settings, ()).post_new()
    assert len(listener.paths) == 1
    [sentence] = Webhook.describe_failures(settings, library)
    assert sentence.endswith("it answered with status 404; it is not tried again.")
    assert "secret" not in sentence


def test_a_redirect_is_not_followed(place):
    library, listener, settings = place
    Webhook(library, settings).post_new()
    add_issue(library, 2, SECOND)
    other = Listener()
    with listening(other) as elsewhere:
        listener.statuses, listener.elsewhere = [307], elsewhere
        Webhook(library, settings).post_new()
    assert other.paths == []
    [sentence] = Webhook.describe_failures(settings, library)
    assert "leads elsewhere (status 307)" in sentence


@pytest.mark.slow
def test_a_webhook_that_is_silent_or_away_holds_nobody_up(place, monkeypatch):
    library, listener, settings = place
    Webhook(library, settings).post_new()
    add_issue(library, 2, SECOND)
    listener.is_silent = True
    begun = time.monotonic()
    Webhook(library, settings).post_new()
    assert time.monotonic() - begun < 20
    [sentence] = Webhook.describe_failures(settings, library)
    assert "did not answer within 10 seconds" in sentence
    assert "may have taken it all the same" in sentence
    assert "try 1" in sentence
    monkeypatch.setenv("SCRUTINEER_WEBHOOK_URL", f"http://127.0.0.1:{free_port()}/secret")
    add_issue(library, 3, FIRST)
    Webhook(library, load_settings()).post_new()
    assert any("cannot be reached" in told for told in Webhook.describe_failures(settings, library))


def test_a_document_mentions_nobody_and_links_nothing(tmp_path):
    library = Library(tmp_path)
    add_issue(library, 1, FIRST)
    document = add_issue(library, 2, ("1.1", EVIL, EVIL))
    text = format_message(library, document, None)
    assert "<" not in text
    assert ">" not in text
    for live in ("@here", "://", "](", "evil.example", "&"):
        assert live not in text
    assert escape_message("T 2.8.1 a < b & c: d (2.1)") == "T 2.8.1 a ＜ b ＆ c: d (2.1)"
    assert escape_message(EVIL).replace(WORD, "").startswith("＜!channel＞ @here https://evil")


@pytest.mark.parametrize(
    "text", ["*must*", "_not_", "`x`", "~~no~~", "||hidden||", ":smile:", "a :+1: b", "&lt;b&gt;"]
)
def test_no_sign_of_a_chat_hides_or_shapes_a_rule(text):
    shown = escape_message(text)
    assert not set("*_`~|&<>") & set(shown)
    assert not re.search(r":\S", shown.replace(f":{WORD}", ""))
    assert unicodedata.normalize("NFKC", shown).replace(WORD, "") == text  # it reads the same


def test_a_message_has_an_end(tmp_path):
    library = Library(tmp_path)
    add_issue(library, 1, FIRST)
    rules = [(f"2.{n}", f"A rule on part {n}", f"Part {n} weighs {n} kg.") for n in range(1, 200)]
    text = format_message(library, add_issue(library, 2, *rules), "https://rules.example")
    assert len(text) <= MAX_TEXT
    assert text.splitlines()[-1].endswith(" more.")


def test_a_document_that_left_before_it_was_posted_is_not(place):
    library, listener, settings = place
    Webhook(library, settings).post_new()
    document = add_issue(library, 2, SECOND)
    Deliveries(settings.conversations_url).queue_new({document.document_id: document.added_at}, "")
    library.remove_document(document.document_id)
    Webhook(library, settings).post_new()
    assert listener.paths == []


def test_an_issue_that_was_read_again_as_rulings_is_not_posted_and_holds_none_up(place):
    library, listener, settings = place
    Webhook(library, settings).post_new()
    first = library.documents()[0]
    rulings = add_issue(library, 2, SECOND)
    added = {one.document_id: one.added_at for one in library.documents()}
    Deliveries(settings.conversations_url).queue_new(added, "")
    library.update_document(
        replace(rulings, relations=(Relation("interprets", first.document_id),))
    )
    add_issue(library, 3, SECOND)
    Webhook(library, settings).post_new()
    assert [text.splitlines()[0][:30] for text in listener.posted] == [
        "New issue: 2025 Club 3, Issue "
    ]


def test_an_issue_that_cannot_be_told_is_tried_again_and_the_next_is_told(place, caplog):
    library, listener, settings = place
    caplog.set_level("WARNING", logger=LOGGER_NAME)  # whatever commands of other tests log
    Webhook(library, settings).post_new()
    broken = add_issue(library, 2, SECOND)
    add_issue(library, 3, FIRST, family="other")
    library.tables.clauses_table().delete(f"document_id = '{broken.document_id}'")
    Webhook(library, settings).post_new()
    assert listener.posted == ["New in the library: 2025 Club 3, Issue 3, 1 clauses."]
    told = list(Webhook.describe_failures(settings, library))
    assert any("2025 Club 2" in one and "it is tried again" in one for one in told)
    assert "The webhook did not take an issue" in caplog.text


def test_an_issue_waits_until_it_is_known_of_which_rulebook_it_is(place, monkeypatch):
    library, listener, settings = place
    texts = [f"Part {n} is made of steel and weighs {n} kg at the start." for n in range(20)]
    for year in (2024, 2025):
        lines = [
            {"document": "Plain Rules", "season": year, "article": f"1.{n}", "text": text}
            for n, text in enumerate(texts, 1)
        ]
        data = "\n".join(map(json.dumps, lines)).encode()
        if year == 2024:
            assert next(add_bytes(library, data, "2024.jsonl")).document
            Webhook(library, settings).post_new()
            continue
        parsed = parse_file(data, "2025.jsonl", library.read_limits)
        library.add_documents(data, ".jsonl", parsed)  # as a reader sees it before it is assigned
        Webhook(library, settings).post_new()
        assert listener.paths == []
        assign_families(library, [one.document_id for one, _ in parsed])
        Webhook(library, settings).post_new()
        [text] = listener.posted
        assert text.startswith("New issue: 2025 Plain Rules. Compared with 2024 Plain Rules")


@pytest.mark.parametrize(
    "address",
    [
        "http://hooks.example/x",
        "ftp://hooks.example",
        "https://",
        "hooks.example",
        f"https://{'a' * 70}.example/x",
        "https://hooks..example/x",
        "https://hooks.example/\x7f",
        "https://hooks.example:99999/x",
    ],
)
def test_a_webhook_elsewhere_is_asked_by_https_alone(tmp_path, monkeypatch, address):
    use_folder(monkeypatch, tmp_path)
    monkeypatch.setenv("SCRUTINEER_WEBHOOK_URL", address)
    with pytest.raises(SettingsError, match="SCRUTINEER_WEBHOOK_URL"):
        load_settings()


def test_the_address_of_a_webhook_is_a_secret():
    settings = Settings(webhook_url="https://hooks.example/services/T0/secret")
    assert "services/T0/secret" in settings.secrets
    [shown] = [one.value for one in list_settings(settings) if one.name == "webhook_url"]
    assert shown == "set, not shown"
    assert "T0" not in repr(settings)
