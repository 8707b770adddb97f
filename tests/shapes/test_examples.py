"""Every field that leaves the program is as it was: in commands, over HTTP, in tools of MCP."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from core.chats.tokens import Tokens
from tests.api.api_server import served_api, use_folder
from tests.commands import run_json
from tests.made_once import make_once
from tests.shapes.surface import ISSUES, ask_over_http, call_tools, run_commands

EXAMPLES = Path(__file__).parent / "examples"
pytestmark = pytest.mark.slow


def add_issues(folder: Path) -> None:
    assert run_json(folder, "ingest", *ISSUES, "--json")[0] == 0


@pytest.fixture
def library(tmp_path, tmp_path_factory, monkeypatch):
    """A folder with both issues of a sample rulebook, added by the command line."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(make_once(tmp_path_factory, "issues", add_issues), tmp_path / "data")


def compare_examples(name: str, found: Iterable[tuple[str, Any]], folder: Path) -> None:
    """Compare with the committed examples; those found are left in a folder."""
    new = folder / name
    new.write_text(json.dumps(dict(found), ensure_ascii=False, indent=1), encoding="utf-8")
    kept = json.loads((EXAMPLES / name).read_text(encoding="utf-8"))
    assert json.loads(new.read_text(encoding="utf-8")) == kept, f"if on purpose: copy {new}"


def test_commands(library, tmp_path):
    compare_examples("commands.json", run_commands(library, tmp_path), tmp_path)


def test_http(library, tmp_path, monkeypatch):
    settings = use_folder(monkeypatch, tmp_path)
    secret = Tokens(settings.conversations_url).make("Ada")
    with served_api() as address:
        compare_examples("http.json", ask_over_http(address, secret), tmp_path)


def test_mcp(library, tmp_path):
    pytest.importorskip("mcp", reason="the optional part mcp is not installed")
    compare_examples("mcp.json", call_tools(library), tmp_path)
