"""What leaves the program, as small examples: commands with `--json`, HTTP paths, MCP tools."""

import asyncio
import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from core.api import Shared
from core.library import ScopeChoice
from core.settings import Settings
from tests.api.api_server import Program
from tests.commands import SAMPLES, run_json

ISSUES = [SAMPLES / f"meridian_2023_technical_issue{issue}.pdf" for issue in (1, 2)]
QUESTION = "What is the minimum weight of the car?"
WRITTEN = "Article 4.1: “The car weighs 790 kg.” See Article 4.1 of the 2023 Technical Regulations."
FILES = {
    "written.md": WRITTEN,
    "sheet.csv": "id,parameter,value,unit,note\n1,minimum mass of the car,700,kg,\n2,colour\n",
    "read.jsonl": '{"id": "a", "lead": "", "sentence": "The car must weigh at least 700 kg."}',
    "asked.csv": f"question,articles\n{QUESTION},4.1\n",
}
REQUESTS = '{"op": "search", "query": "ballast", "k": 1}\n{"op": "fly"}'
COMMANDS = (
    ("ingest", "watched/again.pdf"),
    ("documents",),
    ("search", "minimum mass", "--k", "2"),
    ("article", "1"),
    ("article", "1", "--issue", "1"),
    ("article", "99"),
    ("mentions", "ballast"),
    ("compare", "ISSUE1", "ISSUE2", "--kind", "changed"),
    ("compare", "ISSUE1", "unknown"),
    ("limits", "ISSUE2"),
    ("limits", "ISSUE2", "--coverage"),
    ("obligations", "ISSUE2"),
    ("obligations", "ISSUE2", "--coverage"),
    ("sheet", "sheet.csv"),
    ("verify", "written.md"),
    ("sentences", "read.jsonl"),
    ("export", "ISSUE2"),
    ("correct", "ISSUE2"),
    ("batch",),
    ("ask", QUESTION),
    ("evaluate", "asked.csv"),
    ("impact", "ISSUE2"),
    ("resume", "unknown"),
    ("watch", "watched", "--once"),
    ("token", "Ada"),
    ("token",),
    ("backup", "kept.zip"),
    ("restore", "kept.zip"),
    ("check",),
    ("remove", "ISSUE1"),
)
FIELDS_ALONE = ("ask", "evaluate")
"""Whose words other tests hold."""
KEPT_ITEMS, KEPT_LETTERS = 2, 90
VOLATILE = frozenset(
    "added_at answer asked_at conversation_id created_at files run_id seconds size token"
    " token_id".split()
)
"""What differs from run to run: an example holds the type of its value."""


def shorten(value: Any) -> Any:
    """The first items and letters of a value: an example shows its fields."""
    if isinstance(value, dict):
        return {
            name: type(item).__name__ if name in VOLATILE else shorten(item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return list(map(shorten, value[:KEPT_ITEMS]))
    return value[:KEPT_LETTERS] if isinstance(value, str) else value


def list_fields(events: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """The fields of events by their type, for what other tests hold the words of."""
    return {str(event.get("type", "result")): list(event) for event in events}


def run_commands(library: Path, folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield each command with its exit status and the first of its lines."""
    (folder / "watched").mkdir()
    shutil.copy(ISSUES[0], folder / "watched" / "again.pdf")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    listed = run_json(library, "documents", "--json")[1]
    ids = {f"ISSUE{line['issue']}": line["document_id"] for line in listed}
    for command in COMMANDS:
        words = [ids.get(word, str(folder / word) if "." in word else word) for word in command]
        into = folder / "restored" if command[0] == "restore" else library
        as_json = [] if command[0] == "batch" else ["--json"]
        status, lines = run_json(into, *words, *as_json, stdin=REQUESTS)
        if command[0] in FIELDS_ALONE:
            yield " ".join(command), [status, list_fields(lines)]
        else:
            yield " ".join(command), [status, *map(shorten, lines[:KEPT_ITEMS])]


def ask_over_http(address: str, secret: str) -> Iterator[tuple[str, Any]]:
    """Yield the status and the reply of each path."""
    program = Program(address, secret)
    before, after = (one["document_id"] for one in program.get("documents")[1]["documents"])
    for path, parameters in (
        ("documents", {}),
        ("search", {"query": "minimum mass", "k": 2}),
        ("article", {"article": "4.1"}),
        ("article", {"article": "99.9"}),
        ("compare", {"before": before, "after": after, "kind": "changed"}),
        ("limits", {"document": after}),
        ("limits", {"document": "0" * 64}),
        ("search", {"query": "x", "k": 0}),
    ):
        words = " ".join(map(str, parameters.values()))
        named = words.replace(before, "BEFORE").replace(after, "AFTER")
        yield f"GET {path} {named}".strip(), shorten(list(program.get(path, **parameters)))
    yield "POST verify", shorten(list(program.post("verify", {"text": WRITTEN})))
    yield "POST ask", list_fields(map(json.loads, program.ask(QUESTION)))


def call_tools(library: Path) -> Iterator[tuple[str, Any]]:
    """Yield what each tool of the MCP server returns."""
    import mcp  # an optional part

    from core.mcp.server import make_server

    settings = Settings(data_dir=library, search_mode="lexical", anthropic_api_key=None)
    listed = run_json(library, "documents", "--json")[1]
    before, after = (line["document_id"] for line in listed)
    calls = (
        ("search", {"query": "minimum mass"}),
        ("fetch", {"id": f"{after}:4.1"}),
        ("fetch", {"id": "nothing"}),
        ("article", {"number": "4.1"}),
        ("compare", {"before": before, "after": after}),
        ("check_value", {"parameter": "minimum mass of the car", "value": "700", "unit": "kg"}),
        ("penalties", {"breach": "a breach found after qualifying"}),
        ("documents", {}),
        ("verify", {"text": WRITTEN}),
        ("ask", {"question": QUESTION}),
    )

    async def talk() -> list[tuple[str, Any]]:
        found = []
        async with mcp.Client(make_server(Shared.open(settings), ScopeChoice())) as client:
            for name, arguments in calls:
                reply = await client.call_tool(name, arguments)
                if reply.is_error:
                    found.append((f"{name} refused", shorten(reply.content[0].text)))
                    continue
                found.append((name, shorten(reply.structured_content)))
                if name == "search":
                    url = reply.structured_content["results"][0]["url"]
                    resource = await client.read_resource(url)
                    found.append(("rule", shorten(json.loads(resource.contents[0].text))))
            image = (await client.call_tool("page", {"id": calls[1][1]["id"]})).content[0]
            found.append(("page", [image.type, image.mime_type]))
        return found

    yield from asyncio.run(talk())
