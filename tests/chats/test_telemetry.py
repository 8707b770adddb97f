"""Runs as an administrator's own tracing sees them: OTLP over HTTP, to a receiver of the test."""

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.commands import SAMPLES, SETTINGS, environment_of, run_command
from tests.messages_server import MessagesServer, assessed, classified, said

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="no optional part telemetry")
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

pytestmark = pytest.mark.slow

QUESTION = "What is the pit lane speed limit?"


class Receiver(ThreadingHTTPServer):
    """Keeps the spans that it is sent, or refuses all of them."""

    def __init__(self, status=200):
        self.spans, self.status = [], status
        super().__init__(("127.0.0.1", 0), ReceiverHandler)

    def __enter__(self):
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1/traces"

    def named(self, beginning):
        return [span for span in self.spans if span.name.startswith(beginning)]


class ReceiverHandler(BaseHTTPRequestHandler):
    def do_POST(self):  # the server's name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            for scope in resource.scope_spans:
                self.server.spans += scope.spans
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A data folder with one rulebook."""
    folder = tmp_path_factory.mktemp("data")
    run_command(folder, "ingest", SAMPLES / "meridian_2024_sporting_issue1.pdf")
    return folder


def ask(folder, **settings):
    """Ask in a process of its own, which sends its spans when it ends."""
    own = {name: value for name, value in SETTINGS.items() if value is not None}
    environment = environment_of(folder, **own | settings)
    environment["PYTHONPATH"] += os.pathsep + os.getenv("PYTHONPATH", "")
    return subprocess.run(
        [sys.executable, "-m", "core", "ask", QUESTION],
        env=environment,
        capture_output=True,
        text=True,
    )


def attributes_of(span):
    """The attributes of a span or of its event, as plain values."""
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


def test_a_run_is_a_span_with_its_tools_and_scores_below_and_none_of_its_texts(folder):
    with Receiver() as receiver:
        done = ask(folder, SCRUTINEER_TELEMETRY_URL=receiver.url)
        [run], [tool, *_] = receiver.named("invoke_agent"), receiver.named("execute_tool")
        sent = str(receiver.spans)
    assert done.returncode == 0, done.stderr
    told = attributes_of(run)
    assert told["gen_ai.operation.name"] == "invoke_agent"
    assert told["scrutineer.outcome"] == "answered"
    assert (tool.parent_span_id, tool.trace_id) == (run.span_id, run.trace_id)
    assert run.start_time_unix_nano <= tool.start_time_unix_nano <= tool.end_time_unix_nano
    assert attributes_of(tool)["gen_ai.tool.name"] == tool.name.removeprefix("execute_tool ")
    notes = {event.name for event in run.events}
    assert {"gen_ai.evaluation.result", "scrutineer.decision"} <= notes
    assert "speed" not in sent.casefold(), "neither the question nor a rule"


def test_texts_are_in_spans_where_an_administrator_sets_that(folder):
    with Receiver() as receiver:
        ask(folder, SCRUTINEER_TELEMETRY_URL=receiver.url, SCRUTINEER_TELEMETRY_TEXTS="true")
        [run] = receiver.named("invoke_agent")
    [message] = json.loads(attributes_of(run)["gen_ai.input.messages"])
    assert message["parts"][0]["content"] == QUESTION


def test_a_model_call_is_a_span_with_its_model_and_tokens(folder):
    script = [classified(), said("Found.", "TASK_COMPLETE: It is 50 km/h."), assessed()]
    with MessagesServer(script) as server, Receiver() as receiver:
        ask(folder, SCRUTINEER_TELEMETRY_URL=receiver.url, ANTHROPIC_BASE_URL=server.url)
        called = [attributes_of(span) for span in receiver.named("chat ")]
        [run] = receiver.named("invoke_agent")
    assert {one["scrutineer.purpose"] for one in called} >= {"classify", "answer"}
    assert all(one["gen_ai.request.model"].startswith("claude-") for one in called)
    told = attributes_of(run)
    for side in ("input", "output"):
        tokens = sum(one[f"gen_ai.usage.{side}_tokens"] for one in called)
        assert told[f"gen_ai.usage.{side}_tokens"] == tokens > 0


@pytest.mark.parametrize("status", [None, 400])
def test_a_receiver_that_fails_is_logged_once_and_disturbs_no_run(folder, status):
    with Receiver(status or 200) as receiver:
        url = receiver.url if status else "http://127.0.0.1:9/v1/traces"
        done = ask(folder, SCRUTINEER_TELEMETRY_URL=url)
    assert done.returncode == 0, done.stderr
    assert "50 km/h" in done.stdout
    assert done.stderr.count("Spans cannot be sent") == 1
    assert "Traceback" not in done.stderr
