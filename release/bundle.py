"""Make the MCP bundle that Claude Desktop and others install with a click: bundle.py WHEEL FOLDER.

It holds the wheel, and the pins of its dependencies, which the client fetches with its own uv. Its
format is that of https://github.com/modelcontextprotocol/mcpb, version 0.4.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).parents[1]
_START = """import sys

from scrutineer import main

sys.argv[1:] = ["mcp"]
main()
"""
_LONG = (
    "Rulebooks, word for word, with article, page, season and issue. It reads the library of the"
    " program Scrutineer on this machine: its command `scrutineer` opens the browser, where"
    " rulebooks are added as PDF. The first start fetches about 370 MB."
)


def _make_manifest(project: dict[str, str]) -> str:
    tools = json.loads((ROOT / "docs" / "mcp_tools.json").read_text(encoding="utf-8"))
    manifest = {
        "manifest_version": "0.4",
        "name": project["name"],
        "display_name": "Scrutineer",
        "version": project["version"],
        "description": project["description"],
        "long_description": _LONG,
        "author": {"name": "The authors of Scrutineer"},
        "license": project["license"],
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server.py"],
            },
        },
        "tools": [{name: tool[name] for name in ("name", "description")} for tool in tools],
        "compatibility": {
            "platforms": ["darwin", "linux"],
            "runtimes": {"python": project["requires-python"]},
        },
    }
    return json.dumps(manifest, indent=2)


def _make_project(project: dict[str, str], wheel: str) -> str:
    pins = (ROOT / "requirements" / "mcp.txt").read_text(encoding="utf-8")
    constraints = [line.strip() for line in re.findall(r"^(\w[^\\\n]*==[^\\\n]*)", pins, re.M)]
    return f"""[project]
name = "scrutineer-bundle"
version = "{project["version"]}"
requires-python = "{project["requires-python"]}"
dependencies = ["scrutineer[mcp]"]

[tool.uv]
constraint-dependencies = {json.dumps(constraints)}

[tool.uv.sources]
scrutineer = {{ path = "{wheel}" }}
"""


def write_bundle(wheel: Path, folder: Path) -> Path:
    """Write the bundle of a wheel into a folder, and return its path."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    bundle = folder / f"{project['name']}-{project['version']}.mcpb"
    with ZipFile(bundle, "w", ZIP_DEFLATED) as file:
        file.writestr("manifest.json", _make_manifest(project))
        file.writestr("pyproject.toml", _make_project(project, wheel.name))
        file.writestr("server.py", _START)
        file.write(wheel, wheel.name)
    return bundle


if __name__ == "__main__":
    print(write_bundle(Path(sys.argv[1]), Path(sys.argv[2])))
