"""The installed program: built, installed where nothing else is, and used from an empty home."""

import json
import os
import re
import subprocess
import sys
from zipfile import ZipFile

import pytest

from core.program import read_version
from release.bundle import write_bundle
from tests.browser.app_server import ROOT, enter, served
from tests.browser.person import ask, bring_file, finished
from tests.pages.visit import KART_RULES

pytest.importorskip("uv", reason="the package uv is not installed")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

MEGABYTES = 1100
"""Most that an install with MCP may take; with torch it would be more than three times that."""
VERSION = read_version()
NOBODY = {"name": "test", "version": "1"}
QUESTION = "What is the minimum weight of a kart with its driver?"
ANSWER = "A kart may not weigh less than 150 kg"
_PARTS = """
import importlib.metadata as metadata, json
parts = {
    part.name.lower(): sum(path.stat().st_size for path in paths if path.is_file())
    for part in metadata.distributions()
    for paths in [[file.locate() for file in part.files]]
}
print(json.dumps(parts))
"""


def call_article(process):
    """What the tool `article` of an MCP server returns, as its line."""
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": NOBODY}
    call = {"name": "article", "arguments": {"number": "1.2"}}
    sent = [
        {"id": 1, "method": "initialize", "params": begin},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    with process:
        for one in sent:
            process.stdin.write(json.dumps({"jsonrpc": "2.0"} | one) + "\n")
        process.stdin.flush()
        begun, answered = (process.stdout.readline() for _ in range(2))
        process.stdin.close()
    assert json.loads(begun)["result"]["serverInfo"]["version"] == VERSION
    return answered


class InstalledProgram:
    """The wheel with MCP in an environment of its own, called from a folder of a stranger's."""

    def __init__(self, folder):
        self.folder = folder
        self.home = folder / "home"
        self.bin = folder / "environment" / "bin"
        self.here = folder / "here"
        self._uv("build", "--quiet", "--wheel", "--out-dir", folder, ROOT)
        self._uv("venv", "--quiet", "--python", sys.executable, folder / "environment")
        [self.wheel] = folder.glob("*.whl")
        self._uv("pip", "install", "--quiet", f"--python={self.bin}/python", f"{self.wheel}[mcp]")
        self.home.mkdir()
        self.here.mkdir()
        for name in ("core.py", "streamlit.py", "pages.py"):
            (self.here / name).write_text("raise SystemExit('a file of the folder was run')")
        (self.here / ".env").write_text("ANTHROPIC_BASE_URL=http://127.0.0.1:9\n")

    def _uv(self, *arguments):
        subprocess.run([sys.executable, "-m", "uv", *arguments], check=True)

    def start(self, program, *arguments, **environment):
        """A program of the environment, as its owner calls it."""
        return subprocess.Popen(
            [self.bin / program, *arguments],
            cwd=self.here,
            env={"PATH": os.environ["PATH"], "HOME": str(self.home)} | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *command, **environment):
        """What a program of the environment prints."""
        with self.start(*command, **environment) as process:
            printed, _ = process.communicate()
        assert process.returncode == 0
        return printed


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    return InstalledProgram(tmp_path_factory.mktemp("installed"))


def test_it_brings_no_framework_of_models_and_its_name_alone(installed):
    parts = json.loads(installed.run("python", "-c", _PARTS))
    assert not {"torch", "tensorflow", "transformers", "onnxruntime"} & set(parts)
    assert sum(parts.values()) < MEGABYTES << 20, sorted(parts.items(), key=lambda one: -one[1])
    [own] = (installed.bin.parent / "lib").glob("python*/site-packages")
    assert {"core", "pages", "server", "app.py", "data", "tests"}.isdisjoint(os.listdir(own))


def test_browser_commands_and_assistants_ask_one_library(installed, tab, tmp_path):
    program = (installed.bin / "scrutineer", "run")
    elsewhere = {"PYTHONPATH": "", "SCRUTINEER_DATA_DIR": "", "HOME": str(installed.home)}
    with served(tmp_path, program=program, **elsewhere) as app:
        enter(tab, app)
        tab.get_by_text("Offline mode").wait_for(timeout=180_000)  # the samples are read first
        tab.get_by_role("button", name="What is the pit lane speed limit?").click(timeout=120_000)
        finished(tab).click()
        tab.get_by_text("The pit lane speed limit is 50 km/h").first.wait_for()
        kart_rules = {"name": "kart.pdf", "mimeType": "application/pdf", "buffer": KART_RULES}
        bring_file(tab, kart_rules)
        tab.get_by_text(re.compile("Added |Unchanged")).first.wait_for()
        ask(tab, QUESTION)
        finished(tab)
        tab.get_by_text(ANSWER).first.wait_for()
    [data] = [path.parent for path in installed.home.rglob("conversations.db")]
    assert "scrutineer" in data.parts
    assert installed.run("scrutineer", "--version") == f"Scrutineer {VERSION}\n"
    assert ANSWER in " ".join(installed.run("scrutineer", "ask", QUESTION).split())
    assert ANSWER in call_article(installed.start("scrutineer", "mcp"))


def test_an_assistant_starts_the_bundle_with_its_own_uv(installed, tmp_path):
    bundle = write_bundle(installed.wheel, tmp_path)
    with ZipFile(bundle) as file:
        file.extractall(tmp_path / "unpacked")
    manifest = json.loads((tmp_path / "unpacked" / "manifest.json").read_text())
    assert (manifest["manifest_version"], manifest["version"]) == ("0.4", VERSION)
    config = manifest["server"]["mcp_config"]
    folder = {"${__dirname}": str(tmp_path / "unpacked")}
    assert config["command"] == "uv"
    command = [folder.get(argument, argument) for argument in config["args"]]
    uv = (sys.executable, "-m", "uv")
    cache = subprocess.run([*uv, "cache", "dir"], check=True, capture_output=True, text=True)
    own = dict(os.environ) | {"HOME": str(tmp_path), "UV_CACHE_DIR": cache.stdout.strip()}
    (tmp_path / "kart.pdf").write_bytes(KART_RULES)
    installed.run("scrutineer", "ingest", tmp_path / "kart.pdf", HOME=str(tmp_path))
    answered = call_article(installed.start(*uv, *command, **own))
    assert ANSWER in answered, "the bundle reads the library of the installed program"
