"""What the service offers: each path, its request, its reply, what answers; and its description.

The description is in OpenAPI 3.1, made of the shapes that validate requests.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter

from core.agent import Event
from core.api import shapes
from core.api.json_api import ArticleRequest, JsonObject, SearchRequest
from core.api.questions import AskRequest
from core.api.requests import CompareRequest, DocumentsRequest, LimitsRequest, VerifyRequest
from core.api.shapes import ErrorReply
from core.api.shared import Shared

MAX_PARAMETER = 500
"""Characters of a parameter: servers and proxies refuse addresses of more than some kilobytes."""
VERSION = "1.0.0"
_REFERENCE = "#/components/schemas/{model}"
_ERRORS = {
    "400": "The request is not valid.",
    "401": "No token, or one that is unknown.",
    "403": "The person of the token may not enter.",
    "404": "There is no such document, or nothing to look at.",
    "413": "The request is too large.",
    "415": "The body is not JSON.",
    "429": "A limit of the person is reached.",
    "503": "The library or the model cannot be used now.",
}
_ASK_SUMMARY = (
    "Answer a question: the events of the run as server-sent events, `Ended` last. The data of each"
    " is one line of JSON, as `ask --json` prints it."
)


@dataclass(frozen=True, slots=True)
class Operation:
    """A path of the service: GET takes its request as parameters, POST as a JSON body."""

    name: str
    method: Literal["GET", "POST"]
    request: type[BaseModel]
    reply: Any
    answer: Callable[[Shared, Any, Callable[[], bool]], JsonObject]
    """From what all share, a valid request, and whether its sender has gone, which long work asks
    now and then; raises ScrutineerError."""
    summary: str


OPERATIONS = (
    Operation(
        "documents",
        "GET",
        DocumentsRequest,
        shapes.DocumentsReply,
        lambda shared, request, _: request.answer(shared.library),
        "List the rulebooks, with their ids.",
    ),
    Operation(
        "search",
        "GET",
        SearchRequest,
        shapes.SearchReply,
        lambda shared, request, _: request.find(shared.library),
        "Find rules by words or by an article number.",
    ),
    Operation(
        "article",
        "GET",
        ArticleRequest,
        shapes.FoundArticle | shapes.MissingArticle,
        lambda shared, request, _: request.trace(shared.library),
        "Return an article word for word with its history, or those that its number may mean.",
    ),
    Operation(
        "compare",
        "GET",
        CompareRequest,
        shapes.CompareReply,
        lambda shared, request, _: request.answer(shared.library),
        "Compare two documents rule by rule and word by word.",
    ),
    Operation(
        "limits",
        "GET",
        LimitsRequest,
        shapes.LimitsReply,
        lambda shared, request, _: request.answer(shared.library),
        "List every limit that a document sets.",
    ),
    Operation(
        "verify",
        "POST",
        VerifyRequest,
        shapes.VerifyReply,
        lambda shared, request, has_gone: request.answer(shared.rule_texts(), has_gone),
        "Check every quote and every cited article of a text.",
    ),
)


@cache
def describe_api() -> JsonObject:
    """Return the description of all paths; a server adds the address that they are below."""
    adapters: list[tuple[str, Any, TypeAdapter[Any]]] = [
        ("error", "serialization", TypeAdapter(ErrorReply)),
        ("event", "serialization", TypeAdapter(Event)),
        ("ask", "validation", TypeAdapter(AskRequest)),
    ]
    for operation in OPERATIONS:
        adapters.append((operation.name, "validation", TypeAdapter(operation.request)))
        adapters.append((operation.name, "serialization", TypeAdapter(operation.reply)))
    schemas, definitions = TypeAdapter.json_schemas(adapters, ref_template=_REFERENCE)
    shapes = definitions["$defs"]
    for shape in shapes.values():
        shape.get("properties", {}).pop("places", None)  # of clauses: never sent
    error = _json(schemas["error", "serialization"])
    paths = {
        f"/{one.name}": {
            one.method.lower(): _describe(
                one.name,
                one.summary,
                _request(one, schemas[one.name, "validation"], shapes),
                _json(schemas[one.name, "serialization"]),
                error,
            )
        }
        for one in OPERATIONS
    }
    events = {"text/event-stream": {"schema": _event_shape(schemas["event", "serialization"])}}
    asked = {"requestBody": _body(schemas["ask", "validation"])}
    paths["/ask"] = {"post": _describe("ask", _ASK_SUMMARY, asked, events, error)}
    bearer = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Scrutineer", "version": VERSION, "license": {"name": "Apache-2.0"}},
        "security": [{"token": []}],
        "paths": paths,
        "components": {"schemas": shapes, "securitySchemes": {"token": bearer}},
    }


def _describe(
    name: str, summary: str, request: JsonObject, content: JsonObject, error: JsonObject
) -> JsonObject:
    replies = {status: {"description": why, "content": error} for status, why in _ERRORS.items()}
    done = {"200": {"description": "The reply.", "content": content}}
    return {"operationId": name, "summary": summary, **request, "responses": done | replies}


def _request(operation: Operation, schema: JsonObject, shapes: JsonObject) -> JsonObject:
    """Return the body of a POST, or the parameters of a GET."""
    if operation.method == "POST":
        return {"requestBody": _body(schema)}
    shape = shapes.pop(schema["$ref"].rpartition("/")[2])
    return {"parameters": list(_parameters(shape))}


def _parameters(shape: JsonObject) -> Iterable[JsonObject]:
    for name, schema in shape.get("properties", {}).items():
        kinds = [kind for kind in schema.pop("anyOf", []) if kind != {"type": "null"}]
        plain = {key: value for key, value in schema.items() if key != "default" or value}
        required = name in shape.get("required", ())
        found = {**plain, **(kinds[0] if kinds else {})}
        if found.get("type") == "string" and "enum" not in found:
            found["maxLength"] = min(found.get("maxLength", MAX_PARAMETER), MAX_PARAMETER)
        yield {"name": name, "in": "query", "required": required, "schema": found}


def _body(schema: JsonObject) -> JsonObject:
    return {"required": True, "content": _json(schema)}


def _json(schema: JsonObject) -> JsonObject:
    return {"application/json": {"schema": schema}}


def _event_shape(schema: JsonObject) -> JsonObject:
    """Return the schema of a server-sent event whose data is JSON."""
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": schema}
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {"id": text, "event": text, "data": data},
        "required": ["event", "data"],
    }
