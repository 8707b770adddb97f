"""Spans of runs for an administrator's own tracing, made from their events alone.

They follow OpenTelemetry's conventions for generative AI (agent, tool and model spans, as of
version 1.41, in development), with `scrutineer.*` for what these do not name. A span holds no text
of a question, an answer or a document unless `telemetry_texts` is set.
"""

import json
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from core.agent import Event, events as ev
from core.logs import LOGGER_NAME
from core.program import describe_install, read_version
from core.settings import Settings, refresh_settings

_log = logging.getLogger(f"{LOGGER_NAME}.telemetry")
_PROVIDER = "anthropic"
"""Whose API a model is asked by, which other servers speak too (`server.address`)."""
_EXPORT_SECONDS = 5
"""The longest wait for the receiver; a command ends only then."""
_CRITERIA = ("completeness", "accuracy", "clarity", "specificity")

Watch = Callable[[Event], None]


def watch_run(conversation_id: str) -> Watch:
    """Return what is told each event of a run; without an address of a receiver it does nothing."""
    settings = refresh_settings()
    tracer = settings.telemetry_url and _make_tracer(settings.telemetry_url)
    if not tracer:
        return lambda _: None
    return _RunSpans(tracer, conversation_id, settings).record


class _RunSpans:
    """The spans of a run: one for it, from its question or resumption on, and those below it."""

    def __init__(self, tracer: Any, conversation_id: str, settings: Settings) -> None:
        from opentelemetry import trace

        self._trace, self._tracer = trace, tracer
        self._conversation_id, self._shows_texts = conversation_id, settings.telemetry_texts
        self._span: Any = None
        self._context: Any = None
        self._output_tokens = 0

    def record(self, event: Event) -> None:
        """Begin or end a span, or note the event at the span of the run."""
        if isinstance(event, ev.Asked):
            self._begin(event)
        if self._span is None:
            return
        match event:
            case ev.ToolCalled():
                self._add_tool_call(event)
            case ev.ModelCalled():
                self._add_model_call(event)
            case ev.Scored():
                scores = {name: getattr(event.score, name) for name in _CRITERIA}
                for name, value in (*scores.items(), ("mean", event.mean)):
                    result = {"name": name, "score.value": float(value)}
                    self._note(event, "gen_ai.evaluation.result", "gen_ai.evaluation.", result)
            case ev.Decided():
                decided = {"kind": event.decision, "iteration": event.iteration}
                self._note(event, "scrutineer.decision", "scrutineer.decision.", decided)
            case ev.Warned():
                self._note(event, "scrutineer.warning", "scrutineer.warning.", {"code": event.code})
            case ev.Ended():
                self._end(event)

    def _begin(self, event: ev.Asked) -> None:
        attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "scrutineer",
            "gen_ai.agent.version": read_version(),
            "gen_ai.conversation.id": self._conversation_id,
            "scrutineer.run.id": event.run_id,
            "scrutineer.run.resumed": event.resumed,
            "scrutineer.run.offline": event.offline,
        }
        if not event.offline:
            model = {"gen_ai.provider.name": _PROVIDER, "gen_ai.request.model": event.answer_model}
            attributes |= model
        if self._shows_texts:
            attributes["gen_ai.input.messages"] = _message("user", event.question)
        self._output_tokens = 0
        self._span = self._tracer.start_span(
            "invoke_agent scrutineer", attributes=attributes, start_time=_nanoseconds(event)
        )
        self._context = self._trace.set_span_in_context(self._span)

    def _end(self, event: ev.Ended) -> None:
        attributes: dict[str, Any] = {
            "gen_ai.usage.input_tokens": event.sent_tokens,
            "gen_ai.usage.output_tokens": self._output_tokens,
            "scrutineer.outcome": event.outcome,
            "scrutineer.decided_by": event.decided_by,
            "scrutineer.score": event.score,
            "scrutineer.iterations": event.iterations,
            "scrutineer.cost": event.cost,
        }
        if self._shows_texts:
            attributes["gen_ai.output.messages"] = _message("assistant", event.answer)
        self._finish(self._span, attributes, event, "failed" if event.outcome == "failed" else "")
        self._span = None

    def _add_tool_call(self, event: ev.ToolCalled) -> None:
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": event.tool,
            "gen_ai.tool.type": "function",
            "scrutineer.iteration": event.iteration,
            "scrutineer.found": event.found,
            "scrutineer.cached": event.cached,
        }
        if self._shows_texts:
            attributes["gen_ai.tool.call.arguments"] = json.dumps(event.arguments)
        failure = "tool_error" if event.error else ""
        self._add(f"execute_tool {event.tool}", event, event.seconds, attributes, failure)

    def _add_model_call(self, event: ev.ModelCalled) -> None:
        usage = event.usage
        self._output_tokens += usage.output_tokens
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": _PROVIDER,
            "gen_ai.request.model": usage.model,
            "gen_ai.usage.input_tokens": usage.sent_tokens,
            "gen_ai.usage.output_tokens": usage.output_tokens,
            "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
            "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
            "gen_ai.response.finish_reasons": [usage.stop_reason] if usage.stop_reason else None,
            "server.address": usage.server,
            "scrutineer.purpose": event.purpose,
            "scrutineer.iteration": event.iteration,
            "scrutineer.cost": usage.cost,
        }
        kind = self._trace.SpanKind.CLIENT
        self._add(f"chat {usage.model}", event, usage.seconds, attributes, kind=kind)

    def _add(
        self,
        name: str,
        event: Event,
        seconds: float,
        attributes: dict[str, Any],
        failure: str = "",
        **options: Any,
    ) -> None:
        """Add a span that ends with an event, which says how long it took."""
        begun = _nanoseconds(event) - int(seconds * 1e9)
        span = self._tracer.start_span(name, self._context, start_time=begun, **options)
        self._finish(span, attributes, event, failure)

    def _finish(self, span: Any, attributes: dict[str, Any], event: Event, failure: str) -> None:
        known = {name: value for name, value in attributes.items() if value is not None}
        if failure:
            known["error.type"] = failure
            span.set_status(self._trace.StatusCode.ERROR)
        span.set_attributes(known)
        span.end(_nanoseconds(event))

    def _note(self, event: Event, name: str, prefix: str, values: dict[str, Any]) -> None:
        named = {prefix + key: value for key, value in values.items()}
        self._span.add_event(name, named, _nanoseconds(event))


class _Exporter:
    """Sends spans by another exporter, and logs the first failure alone."""

    def __init__(self, exporter: Any, succeeded: object) -> None:
        self._exporter, self._succeeded = exporter, succeeded
        self._has_failed = False

    def export(self, spans: Sequence[Any]) -> Any:
        result = None
        try:
            result = self._exporter.export(spans)
        finally:
            if result is not self._succeeded and not self._has_failed:
                self._has_failed = True
                _log.warning("Spans cannot be sent to SCRUTINEER_TELEMETRY_URL; runs go on.")
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 0) -> bool:
        return bool(self._exporter.force_flush(timeout_millis))


@lru_cache(maxsize=1)
def _make_tracer(url: str) -> Any:
    """Return what makes spans and sends them to an address; None, logged, if it is not there."""
    if not find_spec("opentelemetry") or not find_spec("opentelemetry.exporter"):
        install = describe_install("telemetry")
        _log.error("SCRUTINEER_TELEMETRY_URL needs the optional part telemetry: %s.", install)
        return None
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

    # Its own loggers repeat each failure, some with the address, which may hold a password.
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    version = read_version()
    resource = Resource.create({"service.name": LOGGER_NAME, "service.version": version})
    provider = TracerProvider(resource=resource)
    otlp = OTLPSpanExporter(endpoint=url, timeout=_EXPORT_SECONDS)
    exporter: Any = _Exporter(otlp, SpanExportResult.SUCCESS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider.get_tracer(LOGGER_NAME, version)


def _message(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def _nanoseconds(event: Event) -> int:
    return int(datetime.fromisoformat(event.at).replace(tzinfo=UTC).timestamp() * 1e9)
