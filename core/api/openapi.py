"""The description of the service in OpenAPI 3.1, made of the shapes of requests and replies."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from core.agent import Event
from core.api.requests import OPERATIONS, ApiRequest, AskRequest
from core.shapes import ErrorReply

JsonObject = dict[str, Any]

MAX_PARAMETER = 500
"""Characters of a parameter: servers and proxies refuse addresses of more than some kilobytes."""
VERSION = "1.4.0"
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
FILE = "application/octet-stream"
"""The type of a reply that is a file."""
_ASK_SUMMARY = (
    "Answer a question: the events of the run as server-sent events, `Ended` last. The data of each"
    " is one line of JSON, as `ask --json` prints it."
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
        adapters.append((operation.path, "validation", TypeAdapter(operation)))
        adapters.append((operation.path, "serialization", TypeAdapter(operation.reply)))
    schemas, definitions = TypeAdapter.json_schemas(adapters, ref_template=_REFERENCE)
    shapes = definitions["$defs"]
    error = _json(schemas["error", "serialization"])
    paths = {
        f"/{one.path}": {
            one.method.lower(): _describe(
                one.path,
                one.summary,
                _request(one, schemas[one.path, "validation"], shapes),
                {FILE: {}} if one.reply is bytes else _json(schemas[one.path, "serialization"]),
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


def _request(operation: type[ApiRequest], schema: JsonObject, shapes: JsonObject) -> JsonObject:
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
