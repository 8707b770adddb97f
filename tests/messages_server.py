"""A small server that speaks the Messages API over real HTTP and replies from a script.

    script = [classified(), said("Found.", "TASK_COMPLETE: It is 60 km/h."), assessed()]
    with MessagesServer(script) as server:
        settings = Settings(anthropic_base_url=server.url)

It is for tests, on loopback only. A reply is a `Scripted` value, or a function that makes one from
the request's body, such as `citing`. To run it by hand, with a list of `Scripted` values as JSON:
`python tests/messages_server.py --port 8123 --script replies.json`.
"""

import argparse
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, Self

Body = dict[str, Any]
QUICK = {"retry-after-ms": "1"}
"""Lets the SDK try again at once instead of after half a second."""


@dataclass(frozen=True)
class Scripted:
    """One reply: the content of a message, or an error; `fault` breaks it off after some events."""

    content: list[Body] = field(default_factory=list)
    stop_reason: str | None = "end_turn"
    usage: Body = field(default_factory=lambda: {"input_tokens": 1000, "output_tokens": 100})
    status: int = 200
    error: Body | None = None
    headers: dict[str, str] = field(default_factory=dict)
    fault: Literal["cut", "ends", "error", "garbled"] | None = None
    after: int = 3
    pause: float = 0.0
    """Seconds before each event."""
    drip: float = 0.0
    """Seconds before each byte, of a stream and of a whole message alike."""
    chunk: int = 7
    """Characters of text in one event."""


Reply = Scripted | Callable[[Body], Scripted]
Rule = Callable[[Body, int], Body]
"""Returns the words and the verdict on a statement of a request, by its number."""


def support(body: Body, number: int) -> Body:
    """The verdict of a kind judge: everything is supported."""
    return {"words": "", "verdict": "supported"}


def classified(tool: str = "regulation_search", **more: Any) -> Scripted:
    """A classification; by default a search with the question as it stands."""
    told = {
        "question": "",
        "intent": "SEARCH",
        "reason": "A specific rule is asked for.",
        "kind": "tool",
        "tool": tool,
        "query": "",
        "documents": [],
        "reply": "",
    }
    return said(json.dumps(told | more))


def assessed(score: int = 8, strategy: str = "CONCLUDE", **more: Any) -> Scripted:
    """An assessment with the same score for all four criteria."""
    names = ("completeness", "accuracy", "clarity", "specificity")
    criteria = {name: {"reason": "As it is.", "score": score} for name in names}
    told = {
        "missing": "",
        "strategy": strategy,
        "tool": "regulation_search",
        "query": "",
        "reason": "Enough.",
    }
    return said(json.dumps(criteria | told | more))


def said(*blocks: str | Body, **more: Any) -> Scripted:
    """A reply of text and other blocks."""
    return Scripted([text(block) if isinstance(block, str) else block for block in blocks], **more)


def citing(quote: str, before: str = "TASK_COMPLETE: ", **more: Any) -> Callable[[Body], Scripted]:
    """Return a reply that quotes the `search_result` blocks of its request, cited as by the API."""

    def reply(body: Body) -> Scripted:
        for index, block in enumerate(search_results(body)):
            for place, piece in enumerate(block["content"]):
                if quote in piece["text"]:
                    return said(before, text(f'"{quote}"', location(block, index, place)), **more)
        return said(f"{before}I did not find it.", **more)

    return reply


def called(*calls: Body, aloud: str = "") -> Scripted:
    """A reply that calls tools (see `tool_use`)."""
    return Scripted([*([text(aloud)] if aloud else []), *calls], stop_reason="tool_use")


def text(words: str, *citations: Body) -> Body:
    return {"type": "text", "text": words} | ({"citations": list(citations)} if citations else {})


def thought(words: str, signature: str = "c2lnbmVk") -> Body:
    return {"type": "thinking", "thinking": words, "signature": signature}


def tool_use(name: str, call_id: str = "toolu_1", **arguments: Any) -> Body:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def location(block: Body, index: int, place: int) -> Body:
    """The citation of one text block of a `search_result` block."""
    return {
        "type": "search_result_location",
        "source": block["source"],
        "title": block["title"],
        "cited_text": block["content"][place]["text"],
        "search_result_index": index,
        "start_block_index": place,
        "end_block_index": place + 1,
    }


def failed(status: int, kind: str = "api_error", message: str = "No.", **headers: str) -> Scripted:
    """An error; `headers` are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Scripted(status=status, error={"type": kind, "message": message}, headers=QUICK | named)


def search_results(body: Body) -> list[Body]:
    """All `search_result` blocks of a request, in messages and tool results."""
    blocks = [
        block for m in body["messages"] if isinstance(m["content"], list) for block in m["content"]
    ]
    inside = [
        part
        for block in blocks
        for part in (block, *block.get("content", ()))
        if isinstance(part, dict)
    ]
    return [block for block in inside if block["type"] == "search_result"]


@dataclass(frozen=True)
class Seen:
    """A request as it came; names of headers in lower case."""

    path: str
    headers: dict[str, str]
    body: Body


class LocalServer:
    """A server on loopback, at work as long as its block is open."""

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        self._http = _Server(("127.0.0.1", port), handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


class MessagesServer(LocalServer):
    """Serves a script, a reply a request, in order; `requests` keeps what came."""

    def __init__(self, script: Iterable[Reply], port: int = 0, rule: Rule = support) -> None:
        self._rule = rule
        self.requests: list[Seen] = []
        self.hung_up = threading.Event()
        """A client has gone in the middle of a reply."""
        self._script = iter(script)
        self._lock = threading.Lock()
        super().__init__(_Connection, port)
        self._http.messages = self  # type: ignore[attr-defined]

    @property
    def bodies(self) -> list[Body]:
        return [seen.body for seen in self.requests]

    def serve(self) -> None:
        """Serve in this thread until it is interrupted."""
        self._http.serve_forever()

    def reply_to(self, seen: Seen) -> Scripted:
        """The next reply of the script."""
        fields, numbers = _asked_of_judge(seen.body)
        verdicts = [{"number": n, **self._rule(seen.body, n)} for n in numbers]
        with self._lock:
            self.requests.append(seen)
            if fields == {"statements"}:
                return said(json.dumps({"statements": verdicts}))
            reply = next(self._script, None)
        if reply is None:
            return failed(500, message="The script is at its end.", x_should_retry="false")
        reply = reply if isinstance(reply, Scripted) else reply(seen.body)
        return _with_verdicts(reply, verdicts) if verdicts else reply


def _asked_of_judge(body: Body) -> tuple[set[str], list[int]]:
    """The fields that the schema of a request asks for, and the numbers of its statements."""
    system = json.dumps(body.get("system", ""))
    if "output_config" in body:
        schema = body["output_config"]["format"]["schema"]
    elif '\\"statements\\"' in system:
        whole = "".join(block["text"] for block in body["system"])
        schema = json.loads(whole[whole.index('{"') :])
    else:
        return set(), []
    found = [one["properties"] for one in (schema, *schema.get("$defs", {}).values())]
    numbers = next((one["number"] for one in found if {"number", "verdict"} <= one.keys()), {})
    listed = numbers.get("enum", [numbers["const"]] if "const" in numbers else [])
    return set(schema["properties"]), listed


def _with_verdicts(reply: Scripted, verdicts: list[Body]) -> Scripted:
    """A scripted assessment with verdicts, where it has none of its own."""
    words = "".join(block.get("text", "") for block in reply.content)
    if not words.startswith('{"completeness"') or '"statements"' in words:
        return reply
    return replace(reply, content=[text(json.dumps(json.loads(words) | {"statements": verdicts}))])


class _Server(ThreadingHTTPServer):
    daemon_threads, block_on_close = True, False
    request_queue_size = 128
    """Many may call at the same moment; by default the sixth is refused."""


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.startswith("/v1/messages/count_tokens"):
            return self._json(200, {"input_tokens": len(json.dumps(body)) // 4}, {})
        reply = self.server.messages.reply_to(
            Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        )  # type: ignore[attr-defined]
        if reply.error is not None or reply.status != 200:
            return self._json(reply.status, {"type": "error", "error": reply.error}, reply.headers)
        if not body.get("stream"):
            time.sleep(reply.pause)
            return self._whole(reply, body["model"])
        try:
            self._stream(reply, body["model"])
        except (BrokenPipeError, ConnectionResetError):
            self.server.messages.hung_up.set()  # type: ignore[attr-defined]
            self.close_connection = True
        return None

    def _whole(self, reply: Scripted, model: str) -> None:
        try:
            self._json(200, _message(reply, model), reply.headers, reply.drip)
        except (BrokenPipeError, ConnectionResetError):
            self.server.messages.hung_up.set()  # type: ignore[attr-defined]
            self.close_connection = True

    def _json(self, status: int, body: Body, headers: dict[str, str], drip: float = 0.0) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {
            "content-type": "application/json",
            "content-length": str(len(data)),
            **headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self._write(data, drip)

    def _stream(self, reply: Scripted, model: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(_events(reply, model)):
            time.sleep(reply.pause)
            if reply.fault and number == reply.after:
                return self._break_off(reply.fault)
            self._send(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n", reply.drip)
        return self._send("")

    def _break_off(self, fault: str) -> None:
        match fault:
            case "cut":
                self.close_connection = True
                return
            case "error":
                told = {
                    "type": "error",
                    "error": {"type": "overloaded_error", "message": "Overloaded"},
                }
                self._send(f"event: error\ndata: {json.dumps(told)}\n\n")
            case "garbled":
                self._send("event: content_block_delta\ndata: {not json\n\n")
            case _:
                pass
        self._send("")

    def _send(self, words: str, drip: float = 0.0) -> None:
        data = words.encode()
        self._write(f"{len(data):x}\r\n".encode() + data + b"\r\n", drip)

    def _write(self, data: bytes, drip: float) -> None:
        pieces = [data[place : place + 1] for place in range(len(data))] if drip else [data]
        for piece in pieces:
            time.sleep(drip)
            self.wfile.write(piece)
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""


def _message(reply: Scripted, model: str) -> Body:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": reply.content,
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "usage": reply.usage,
    }


def _events(reply: Scripted, model: str) -> Iterator[Body]:
    """Yield the events of a message; as with the API its output tokens come at the end."""
    start = _message(reply, model) | {
        "content": [],
        "stop_reason": None,
        "usage": reply.usage | {"output_tokens": 1},
    }
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(reply.content):
        yield {"type": "content_block_start", "index": index, "content_block": _opened(block)}
        for delta in _deltas(block, reply.chunk):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": reply.stop_reason, "stop_sequence": None}
    yield {
        "type": "message_delta",
        "delta": delta,
        "usage": {"output_tokens": reply.usage["output_tokens"]},
    }
    yield {"type": "message_stop"}


def _opened(block: Body) -> Body:
    match block["type"]:
        case "text":
            return {"type": "text", "text": ""}
        case "thinking":
            return {"type": "thinking", "thinking": "", "signature": ""}
        case "tool_use":
            return block | {"input": {}}
        case _:
            return block


def _deltas(block: Body, chunk: int) -> Iterator[Body]:
    match block["type"]:
        case "text":
            yield from (
                {"type": "text_delta", "text": piece} for piece in _pieces(block["text"], chunk)
            )
            yield from (
                {"type": "citations_delta", "citation": c} for c in block.get("citations", ())
            )
        case "thinking":
            yield from (
                {"type": "thinking_delta", "thinking": piece}
                for piece in _pieces(block["thinking"], chunk)
            )
            yield {"type": "signature_delta", "signature": block["signature"]}
        case "tool_use":
            pieces = _pieces(json.dumps(block["input"]), chunk)
            yield from ({"type": "input_json_delta", "partial_json": piece} for piece in pieces)
        case _:
            pass


def _pieces(words: str, chunk: int) -> list[str]:
    return [words[start : start + chunk] for start in range(0, len(words), chunk)]


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted Messages server on loopback.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path, required=True)
    options = parser.parse_args()
    replies = json.loads(options.script.read_text(encoding="utf-8"))
    server = MessagesServer([Scripted(**reply) for reply in replies], options.port)
    print(server.url, flush=True)
    server.serve()


if __name__ == "__main__":
    main()
