"""Calls over real HTTP to a scripted server: decisions, prices, and what goes wrong."""

from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

import pytest
from pydantic import BaseModel

from core.errors import ModelError, SettingsError
from core.model_calls.client import make_client
from core.model_calls.messages_api import MessagesApi
from core.model_calls.prices import UsageMeter, calculate_cost
from core.model_calls.replies import RetryableError
from core.model_calls.types import ToolSpec, Usage
from core.settings import Settings
from tests.messages_server import MessagesServer, failed, said

KEY = "sk-ant-test-0123456789"
GOOD = said("Sixty.")
LOOK_UP = ToolSpec("look_up", "Looks a word up.", {"type": "object", "properties": {}})


class Speed(BaseModel):
    limit: Literal[50, 60]
    unit: str


SIXTY = said('{"limit": 60, "unit": "km/h"}')


@contextmanager
def calls(*script, **settings):
    """The API of a server with this script; gives both."""
    with MessagesServer(script) as server:
        options = {"anthropic_base_url": server.url, "anthropic_api_key": KEY} | settings
        chosen = Settings(_env_file=None, **options)
        with make_client(chosen) as client:
            yield MessagesApi(chosen, client), server


def decided(api):
    return api.decide("Read the rule.", "How fast?", Speed)


def streamed(api) -> str:
    """The text of one attempt at a reply."""
    question = [{"role": "user", "content": "How fast?"}]
    request = api.build_request("Answer.", question, [LOOK_UP], may_call=True)
    with UsageMeter(request["model"], api.server) as meter:
        return "".join(api.stream(request, meter, read_text))


def read_text(event):
    if event.type == "text":
        yield event.text


def test_a_decision_comes_in_its_shape_with_what_it_cost():
    with calls(SIXTY) as (api, server):
        found, usage = decided(api)
    assert found == Speed(limit=60, unit="km/h")
    assert usage.cost == pytest.approx((1000 * 0.10 + 100 * 0.50) / 1_000_000)
    assert usage.model == "claude-haiku-5-5"
    assert server.bodies[0]["output_config"]["format"]["schema"]["required"] == ["limit", "unit"]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (said("Well, I think"), "malformed"),
        (said('{"limit": 70, "unit": "km/h"}'), "malformed"),
        (said('{"limit": ', stop_reason="max_tokens"), "truncated"),
        (said("", stop_reason="refusal"), "refused"),
    ],
)
def test_a_decision_out_of_shape_is_asked_for_once_more(bad, code):
    with calls(bad, SIXTY) as (api, _):
        found, usage = decided(api)
    assert (found.limit, usage.input_tokens) == (60, 2000)
    with calls(bad, bad, SIXTY) as (api, server), pytest.raises(ModelError) as caught:
        decided(api)
    assert (caught.value.code, caught.value.fatal, len(server.requests)) == (code, False, 2)
    used = caught.value.usage
    assert (used.input_tokens, used.output_tokens) == (2000, 200), "failed attempts cost too"
    assert used.cost == pytest.approx((2000 * 0.10 + 200 * 0.50) / 1_000_000)


def test_a_long_prompt_has_its_own_price():
    read = Usage(
        "claude-haiku-5-5", "", input_tokens=90_000, cache_read_tokens=20_000, output_tokens=1000
    )
    assert calculate_cost(read) == pytest.approx(
        (90_000 * 0.5 + 20_000 * 0.05 + 1000 * 2.5) / 1_000_000
    )


def test_a_reply_streams_and_its_tools_are_offered():
    with calls(GOOD) as (api, server):
        assert streamed(api) == "Sixty."
    [tool] = server.bodies[0]["tools"]
    assert (tool["name"], tool["strict"]) == ("look_up", True)
    assert server.bodies[0]["tool_choice"] == {"type": "auto"}


@pytest.mark.parametrize("fault", ["cut", "error", "garbled"])
@pytest.mark.parametrize("after", [0, 4])
def test_a_stream_that_breaks_off_may_be_tried_again(fault, after):
    broken = said("Sixty, I thi", fault=fault, after=after)
    with calls(broken) as (api, _), pytest.raises(RetryableError) as caught:
        streamed(api)
    assert caught.value.usage.input_tokens == (1000 if after else 0)


REJECTED = [
    (failed(401, "authentication_error"), "ANTHROPIC_API_KEY"),
    (failed(402, "billing_error"), "spending limit"),
    (failed(403, "permission_error"), "SCRUTINEER_ANSWER_MODEL"),
    (failed(404, "not_found_error"), "SCRUTINEER_ANSWER_MODEL"),
    (
        failed(400, "invalid_request_error", f"thinking: not known ({KEY})"),
        "thinking: not known ((key))",
    ),
    (failed(307, location="http://127.0.0.1:9/v1/messages"), "redirects"),
]


@pytest.mark.parametrize(
    ("error", "word"), REJECTED, ids=lambda value: str(getattr(value, "status", ""))
)
def test_a_rejected_request_is_fatal_and_explained(error, word):
    with calls(error, GOOD) as (api, server), pytest.raises(ModelError) as caught:
        streamed(api)
    assert caught.value.fatal
    assert caught.value.code == "rejected"
    assert word in caught.value.message
    assert KEY not in caught.value.message
    assert len(server.requests) == 1


def test_a_decision_names_its_own_setting():
    with (
        calls(failed(404)) as (api, _),
        pytest.raises(ModelError, match="SCRUTINEER_DECISION_MODEL"),
    ):
        decided(api)


def test_a_spending_limit_is_not_taken_for_a_busy_server():
    spent = failed(429, "rate_limit_error", x_should_retry="false")
    spent.error["details"] = {"error_code": "enforced_spend_limit_reached"}
    with calls(spent) as (api, _), pytest.raises(ModelError, match="spending limit") as caught:
        streamed(api)
    assert caught.value.fatal


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_busy_server_is_asked_three_times(status):
    with calls(failed(status), failed(status), GOOD) as (api, server):
        assert streamed(api) == "Sixty."
    with calls(*[failed(status)] * 4) as (api, server), pytest.raises(ModelError) as caught:
        streamed(api)
    assert (caught.value.code, caught.value.fatal, len(server.requests)) == ("overloaded", False, 3)


def test_a_server_that_wants_weeks_is_not_waited_for():
    weeks = failed(429, retry_after="1209600")
    with calls(weeks, GOOD) as (api, server), pytest.raises(ModelError, match="Ask again later"):
        streamed(api)
    assert len(server.requests) == 1


def test_a_server_that_is_not_there():
    with MessagesServer([]) as server:
        gone = server.url
    settings = Settings(_env_file=None, anthropic_base_url=gone)
    with (
        make_client(settings) as client,
        pytest.raises(ModelError, match="cannot be reached") as caught,
    ):
        decided(MessagesApi(settings, client.with_options(max_retries=0)))
    assert (caught.value.code, caught.value.fatal) == ("unreachable", False)


@pytest.mark.slow
def test_a_decision_that_drips_is_cut():
    with calls(SIXTY, call_seconds=30) as (api, _):
        assert decided(api)[0].limit == 60
    slow = replace(SIXTY, drip=0.01)
    hurried = calls(slow, slow, slow, call_seconds=0.1, request_timeout=5)
    with hurried as (api, _), pytest.raises(ModelError, match="did not answer in time"):
        decided(api)


def test_a_client_that_cannot_be_made_raises_a_settings_error(monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    with pytest.raises(SettingsError, match="Look at SSL_CERT_FILE"):
        make_client(Settings(_env_file=None, anthropic_api_key="none"))
