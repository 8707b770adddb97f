"""What people and registries start the MCP server by: one command, one version, one name."""

import json
import re
import shlex
from base64 import b64decode
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from core.program import read_version

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "assistants.md").read_text(encoding="utf-8")
COMMAND = ["uvx", "--from", "scrutineer[mcp]", "scrutineer", "mcp"]


def command_of(settings):
    return [settings["command"], *settings["args"]]


def test_every_way_to_set_a_client_up_starts_the_same_command():
    [typed] = re.findall(r"\| once it is published \| `(uvx .*)` \|", PAGE)
    [file] = re.findall(r"```json\n(.*)\n```", PAGE)
    [claude_code] = re.findall(r"`claude mcp add scrutineer -- (.*?)`", PAGE)
    [cursor] = re.findall(r"\((cursor:.*?)\)", PAGE)
    [vs_code] = re.findall(r"\((vscode:.*?)\)", PAGE)
    [added] = re.findall(r"`code --add-mcp '(.*?)'`", PAGE)
    query = parse_qs(urlsplit(cursor).query)
    assert query["name"] == ["scrutineer"]
    linked = json.loads(unquote(urlsplit(vs_code).query))
    assert linked == json.loads(added)
    assert linked["name"] == "scrutineer"
    assert shlex.split(typed) == shlex.split(claude_code) == COMMAND
    for settings in (
        json.loads(file)["mcpServers"]["scrutineer"],
        json.loads(b64decode(query["config"][0])),
        linked,
    ):
        assert command_of(settings) == COMMAND


def test_the_registry_is_told_this_version_and_the_name_that_the_readme_proves():
    server = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    [package] = server["packages"]
    [extra] = package["runtimeArguments"]
    version = read_version()
    assert (server["version"], package["version"]) == (version, version)
    assert extra["value"] == f"scrutineer[mcp]=={version}"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.splitlines()[-1] == f"<!-- mcp-name: {server['name']} -->"
    given = [one.get("value", one.get("name")) for one in package["packageArguments"]]
    assert given == ["mcp", "--family"]
    assert len(server["description"]) <= 100, "the registry takes no more"
