"""Write the reference pages from the program itself, so that they cannot grow old.

Commands come from Typer's tree, settings from the fields of `core/settings.py`, the service from
docs/openapi.json and the tools for assistants from docs/mcp_tools.json, which tests hold.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer

from core.cli.app import app
from core.settings import Settings, list_settings

DOCS = Path(__file__).parents[1]
Schema = Mapping[str, Any]


def write_reference(folder: Path) -> None:
    """Write the four pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {
        "commands": describe_commands(),
        "settings": describe_settings(),
        "http": describe_service(),
        "mcp": describe_tools(),
    }
    for name, lines in pages.items():
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def describe_commands() -> Iterator[str]:
    """Yield the lines of the page on the command line."""
    yield "# Commands"
    yield ""
    yield (
        "Every command with its arguments and options. What the results mean is in"
        " [the command line](../command_line.md)."
    )
    group: Any = typer.main.get_command(app)  # of Typer's own copy of click
    with group.context_class(group, info_name="scrutineer") as context:
        for name in group.list_commands(context):
            yield from _describe_command(name, group.get_command(context, name), context)


def _describe_command(name: str, command: Any, parent: Any) -> Iterator[str]:
    with command.context_class(command, info_name=name, parent=parent) as context:
        usage = " ".join(command.collect_usage_pieces(context))
        yield from ("", f"## {name}", "", _flatten(command.help or ""), "")
        yield from ("```", f"scrutineer {name} {usage}", "```")
        records = filter(None, (one.get_help_record(context) for one in command.params))
        rows = [(f"`{names}`", _flatten(text)) for names, text in records]
        yield from _table(("argument or option", "meaning"), rows)


def describe_settings() -> Iterator[str]:
    """Yield the lines of the page on settings, with the defaults of a checkout."""
    yield "# Settings"
    yield ""
    yield (
        "Each is a variable of the environment or a line of `.env`, and all are optional. A name"
        " that is none of these is refused. The page *Settings* shows what is in force."
    )
    yield ""
    rows = [
        (f"`{one.variable}`", _describe_values(one.name), f"`{one.value}`", _escape(one.meaning))
        for one in list_settings(Settings.model_construct())
    ]
    yield from _table(("variable", "takes", "default", "meaning"), rows)


def _describe_values(name: str) -> str:
    field = Settings.model_fields[name]
    words: list[str] = []
    for one in (field.annotation, *get_args(field.annotation)):
        if get_origin(one) is Literal:
            words += [f"`{value}`" for value in get_args(one)]
    least = next((one.ge for one in field.metadata if hasattr(one, "ge")), None)
    most = next((one.le for one in field.metadata if hasattr(one, "le")), None)
    if bool in (field.annotation, *get_args(field.annotation)):
        words += ["`true`", "`false`"]
    if least is not None:
        words.append(f"{least:,} to {most:,}" if most is not None else f"from {least:,}")
    return " · ".join(words)


def describe_service() -> Iterator[str]:
    """Yield the lines of the page on the service."""
    service = json.loads((DOCS / "openapi.json").read_text(encoding="utf-8"))
    yield "# HTTP"
    yield ""
    yield (
        f"Version {service['info']['version']} of the service, below `/api/v1`."
        " [For programs](../command_line.md#for-programs-over-http) says how to get a token and how"
        " to call it; [openapi.json](../openapi.json) is the whole description, for generators."
    )
    shapes = service["components"]["schemas"]
    for path, methods in service["paths"].items():
        for method, operation in methods.items():
            yield from ("", f"## {method.upper()} {path}", "", operation["summary"])
            fields = [
                (one["name"], one["schema"], one.get("required", False), one.get("description", ""))
                for one in operation.get("parameters", ())
            ]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if body:
                fields += _list_fields(_resolve(body["schema"], shapes))
            yield from _describe_fields("Takes", fields)
            reply = operation["responses"].get("200", {}).get("content", {})
            for kind, content in reply.items():
                fields = _list_fields(_resolve(content.get("schema", {}), shapes))
                yield from _describe_fields(f"Replies (`{kind}`)", fields)
    errors = {
        status: reply["description"]
        for methods in service["paths"].values()
        for operation in methods.values()
        for status, reply in operation["responses"].items()
        if status != "200"
    }
    yield from ("", "## Errors", "", 'The body is `{"error": {"code": ..., "message": ...}}`.')
    yield from _table(("status", "meaning"), sorted(errors.items()))


def describe_tools() -> Iterator[str]:
    """Yield the lines of the page on the tools for assistants."""
    yield "# MCP tools"
    yield ""
    yield (
        "What an assistant may call. [For assistants and"
        " editors](../command_line.md#for-assistants-and-editors) says how to connect one. Every"
        " tool only reads; [mcp_tools.json](../mcp_tools.json) has the whole schemas."
    )
    for tool in json.loads((DOCS / "mcp_tools.json").read_text(encoding="utf-8")):
        yield from ("", f"## {tool['name']}", "", _flatten(tool["description"]))
        for name, kind in (("Takes", "inputSchema"), ("Returns", "outputSchema")):
            schema = tool.get(kind) or {}
            yield from _describe_fields(name, _list_fields(_resolve(schema, schema)))


Field = tuple[str, Schema, bool, str]


def _list_fields(schema: Schema) -> list[Field]:
    required = schema.get("required", ())
    return [
        (name, field, name in required, field.get("description", ""))
        for name, field in schema.get("properties", {}).items()
    ]


def _resolve(schema: Schema, shapes: Schema) -> Schema:
    if reference := schema.get("$ref"):
        shape = shapes.get(reference.rpartition("/")[2])
        return shape if isinstance(shape, Mapping) else {}
    return schema


def _describe_fields(heading: str, fields: Sequence[Field]) -> Iterator[str]:
    if not fields:
        return
    yield from ("", f"**{heading}**")
    rows = [
        (
            f"`{name}`{' (needed)' if needed and heading == 'Takes' else ''}",
            _name_type(schema),
            _flatten(text),
        )
        for name, schema, needed, text in fields
    ]
    yield from _table(("field", "type", "meaning"), rows)


def _name_type(schema: Schema) -> str:
    if "enum" in schema:
        return " · ".join(f"`{one}`" for one in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " · ".join(dict.fromkeys(map(_name_type, several)))
    if reference := schema.get("$ref"):
        return str(reference).rpartition("/")[2]
    if schema.get("type") == "array":
        return f"list of {_name_type(schema.get('items', {}))}"
    return str(schema.get("type", ""))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    rows = list(rows)
    filled = [column for column in range(len(heads)) if any(row[column] for row in rows)]
    if not rows:
        return
    yield ""
    yield "| " + " | ".join(heads[one] for one in filled) + " |"
    yield "|" + "---|" * len(filled)
    for row in rows:
        yield "| " + " | ".join(row[one].replace("|", "\\|") for one in filled) + " |"


def _flatten(text: str) -> str:
    """Return a help text as one paragraph of Markdown."""
    return _escape(" ".join(text.split()))


def _escape(text: str) -> str:
    return re.sub(r"(`[^`]*`)|([<*_])", lambda m: m[1] or f"\\{m[2]}", text)
