"""The settings page: current settings, a key for one session, the connection test over HTTP."""

import pytest

from core.chats import Deliveries
from core.settings import Settings, list_settings
from server import shared
from tests.browser.app_server import free_port
from tests.messages_server import (
    MessagesServer,
    assessed,
    citing,
    classified,
    failed,
    said,
    thought,
)
from tests.pages.visit import ask, opened, text_of

KEY = "sk-ant-session-0123456789"


def at_settings():
    """The settings page in a new tab."""
    app = opened().switch_page("settings.py").run()
    assert not app.exception
    return app


def enter(app, key):
    """Type a key and use it."""
    app.text_input(key="entered-key").set_value(key)
    app.button(key="FormSubmitter:key-Use this key").click().run()
    assert not app.exception
    return app


def shown(app):
    """All that the page says or holds in its fields."""
    return text_of(app) + str([field.value for field in app.text_input]) + str(app.success)


def test_every_setting_is_told_with_its_meaning_and_origin(library, monkeypatch, tmp_path):
    (tmp_path / ".env").write_text("SCRUTINEER_MAX_ITERATIONS=5\nSCRUTINEER_SEARCH_RESULTS=9\n")
    monkeypatch.setenv("SCRUTINEER_SEARCH_RESULTS", "4")
    told = text_of(at_settings())
    assert "SCRUTINEER_MAX_ITERATIONS 5 :blue-badge[.env]" in told
    assert "SCRUTINEER_SEARCH_RESULTS 4 :blue-badge[environment]" in told
    assert "SCRUTINEER_QUALITY_THRESHOLD 7.0 :gray-badge[default]" in told
    assert "ANTHROPIC_API_KEY not set :gray-badge[default]" in told
    assert "Passes of the loop before a person is asked. Not a limit on tool calls." in told
    assert told.count("-badge[") == len(Settings.model_fields)


def test_what_is_set_can_be_looked_at_alone(library, monkeypatch):
    monkeypatch.delenv("SCRUTINEER_SEARCH_MODE")
    app = at_settings()
    app.toggle(key="only-set").set_value(True).run()
    assert text_of(app).count("-badge[") == 1
    assert "SCRUTINEER_DATA_DIR" in text_of(app)


def test_no_secret_is_shown(library, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://me:pass-word@127.0.0.1:9")
    told = shown(at_settings())
    assert "ANTHROPIC_API_KEY set, not shown" in told
    assert KEY not in told
    assert "pass-word" not in told
    people = Settings(people=("someone@b.example",))
    assert "someone" not in str(list_settings(people))


@pytest.mark.slow
def test_a_key_is_used_in_this_session_alone_and_never_shown(library, monkeypatch):
    script = [classified(), citing("The speed limit in the pit lane is 50 km/h"), assessed()]
    with MessagesServer(script) as server:
        app = at_settings()
        assert "works offline" in text_of(app)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        enter(app, f" {KEY} ")
        assert "A key that you entered is used" in text_of(app)
        assert "ANTHROPIC_API_KEY set, not shown :blue-badge[this session]" in text_of(app)
        assert KEY not in shown(app)
        ask(app.switch_page("chat.py").run(), "What is the pit lane speed limit?")
        assert {seen.headers["authorization"] for seen in server.requests} == {f"Bearer {KEY}"}
        assert "A key that you entered is used" not in text_of(at_settings())
        app.switch_page("settings.py").run()
        next(button for button in app.button if button.label == "Forget this key").click().run()
        assert "ANTHROPIC_API_KEY not set" in text_of(app)


@pytest.mark.parametrize("key", ["", "two words", "schlüssel", "a\nb", "e"])
def test_what_cannot_be_a_key_is_refused(library, key):
    app = enter(at_settings(), key)
    [error] = app.error
    assert "key" in error.value
    assert "ANTHROPIC_API_KEY not set" in text_of(app)


def test_the_connection_is_tried_with_both_models(library, monkeypatch):
    script = [
        classified(),
        lambda body: said(thought("Let me look."), *citing("The speed limit")(body).content),
    ]
    with MessagesServer(script) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        app = at_settings()
        next(button for button in app.button if button.label == "Test the connection").click().run()
        assert not app.exception
    decides, answers = (told.value.replace("\\", "") for told in app.success)
    assert "claude-haiku-5-5" in decides
    assert "structured outputs: works" in decides
    assert "claude-sonnet-5-5" in answers
    assert (
        "streaming: works · citations: works · thinking: works · token counting: works" in answers
    )


def test_a_connection_that_fails_says_why(library, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    script = [
        failed(401, "authentication_error", f"invalid x-api-key {KEY}"),
        failed(404, "not_found_error"),
    ]
    with MessagesServer(script) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        app = at_settings()
        next(button for button in app.button if button.label == "Test the connection").click().run()
        assert not app.exception
    key, model = (told.value.replace("\\", "") for told in app.error)
    assert "does not accept the key" in key
    assert "knows no model claude-sonnet-5-5" in model
    assert KEY not in key + model


def test_features_that_are_switched_off_are_told_so(library, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_SERVER_CITATIONS", "false")
    monkeypatch.setenv("SCRUTINEER_SERVER_TOKEN_COUNTING", "false")
    with MessagesServer([classified(), said("TASK_COMPLETE: It is 60 km/h. [1]")]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        app = at_settings()
        next(button for button in app.button if button.label == "Test the connection").click().run()
    told = app.success[1].value
    assert (
        "citations: off · thinking: taken, but not needed this time · token counting: off" in told
    )


def test_offline_there_is_nothing_to_test(library):
    app = at_settings()
    assert "the offline model needs none" in text_of(app)
    assert not [button for button in app.button if button.label == "Test the connection"]


def test_an_address_for_a_feed_reader_is_shown_once_and_can_be_ended(library):
    app = at_settings()
    app.button(key="make-feed").click().run()
    assert not app.exception
    [address] = [code.value for code in app.code]
    secret = address.partition("/changes/feed?token=")[2]
    tokens = shared.tokens(Settings())
    kept = tokens.find_token(secret, "feeds")
    assert kept is not None
    app.run()
    assert not app.code
    app.button(key=f"end-{kept.token_id}").click().run()
    assert not app.exception
    assert tokens.find_token(secret, "feeds") is None


def test_what_the_webhook_did_not_take_is_told(library, monkeypatch):
    assert "Webhook" not in text_of(at_settings())
    address = f"http://127.0.0.1:{free_port()}/secret-part"
    monkeypatch.setenv("SCRUTINEER_WEBHOOK_URL", address)
    deliveries, document = Deliveries(Settings().conversations_url), library.documents()[0]
    deliveries.queue_new({}, "")
    deliveries.queue_new({document.document_id: document.added_at}, "")
    lease, _ = deliveries.claim()
    deliveries.postpone(lease, "it answered with status 500", 1, 3600.0)
    told = text_of(at_settings())
    assert "it answered with status 500; it is tried again" in told
    assert "secret-part" not in told
