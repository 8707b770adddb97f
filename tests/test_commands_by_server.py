"""A server of the same data folder runs the commands of a shell, which print as by themselves."""

import json
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from core.cli import ADDRESS_FILE
from tests.browser.app_server import free_port, served
from tests.commands import environment_of
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

RUN = """
import sys
from core.cli import main
try:
    main()
finally:
    print("by itself" if "lancedb" in sys.modules else "by the server", file=sys.stderr)
"""
QUESTION = "What is the speed limit in the pit lane?"
COMMANDS = (
    ("documents", "--json"),
    ("search", "speed limit"),
    ("search", "speed", "--document", "00000000"),
    ("article", "99", "--json"),
    ("ask", QUESTION),
    ("ask", QUESTION, "--max-iterations", "1", "--season", "1901"),
)
SETTINGS = {"SCRUTINEER_LOG_LEVEL": "ERROR", "SCRUTINEER_SEARCH_MODE": "lexical"}
ONCE = re.compile(r"\d+ ms|\d+\.\d s|[0-9a-f]{32}")
"""What differs from run to run."""


def run(folder, *arguments, **settings):
    """Run a command in a shell; return its status, what it printed, and who ran it."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        env=environment_of(folder, COLUMNS="80", **SETTINGS, **settings),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    *messages, who = done.stderr.splitlines()
    printed = done.stdout, *messages
    return (done.returncode, *(ONCE.sub("...", text) for text in printed)), who


@pytest.fixture(scope="module")
def alone(cup_folder):
    """What each command prints before there is a server."""
    return {arguments: run(cup_folder, *arguments)[0] for arguments in COMMANDS}


@pytest.fixture(scope="module")
def folder(alone, cup_folder):
    """The data folder of a server that runs."""
    with served(cup_folder.parent, **SETTINGS):
        yield cup_folder
    assert not (cup_folder / ADDRESS_FILE).exists()


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_command_prints_what_it_prints_by_itself(arguments, alone, folder):
    assert run(folder, *arguments) == (alone[arguments], "by the server")


def test_the_events_of_a_run_come_as_lines_of_json(folder):
    (status, printed, *_), who = run(folder, "ask", QUESTION, "--json")
    assert (status, who) == (0, "by the server")
    assert json.loads(printed.splitlines()[-1])["outcome"] == "answered"


def test_a_command_with_other_settings_or_another_key_runs_by_itself(folder):
    assert run(folder, "search", "speed", SCRUTINEER_SEARCH_RESULTS="3")[1] == "by itself"
    assert run(folder, "search", "speed", ANTHROPIC_API_KEY="key-of-a-shell")[1] == "by itself"


def test_the_address_is_for_the_owner_of_the_data_folder_alone(folder):
    assert (folder / ADDRESS_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("change", ["none", "other secret", "other program"])
def test_nobody_runs_a_command_without_the_secret_or_with_another_program(folder, change):
    address = json.loads((folder / ADDRESS_FILE).read_bytes())
    headers = {
        "none": {},
        "other secret": {"Authorization": "Bearer scrutineer"},
        "other program": {"Authorization": f"Bearer {address['secret']}"},
    }
    body = {"name": "documents", "arguments": {}, "terminals": [], "program": "another"}
    url = f"http://{address['host']}:{address['port']}{address['path']}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers[change])
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=PATIENCE)
    with refused.value as reply:
        assert reply.code == (409 if change == "other program" else 404)


@pytest.mark.parametrize("stale", ["process", "port", "secret", "file"])
def test_an_address_that_leads_nowhere_is_passed_over_in_silence(stale, alone, folder, tmp_path):
    other = shutil.copytree(folder, tmp_path / "library")
    address = json.loads((folder / ADDRESS_FILE).read_bytes())
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    wrong = {"process": ended.pid, "port": free_port(), "secret": "wrong", "file": None}
    content = json.dumps(address | {stale: wrong[stale]}) if wrong[stale] else "{"
    (other / ADDRESS_FILE).write_text(content)
    command = ("search", "speed limit")
    assert run(other, *command) == (alone[command], "by itself")
