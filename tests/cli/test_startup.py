"""The command line starts fast: help and wrong usage load no room."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import core.agent
from core.api.requests import QueryText
from tests.commands import environment_of, run_command, run_json

ROOT = Path(__file__).parents[2]
SLOW = frozenset("anthropic lancedb numpy pydantic_settings scipy sqlalchemy".split())
STATUSES = {
    "--help": 0,
    "ingest --help": 0,
    "compare --help": 0,
    "": 2,
    "fly": 2,
    "search": 2,
    "search word --mode best": 2,
    "resume run --conclude --stop": 2,
    "--show-completion bash": 0,
}
RUN = """
import json, sys
from core.cli import main
seen = {}
for arguments in sys.argv[1:]:
    sys.argv[1:] = arguments.split()
    try:
        main()
    except SystemExit as ended:
        seen[arguments] = ended.code, list(sys.modules)
print()
print(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """The status of each command, and the modules that are loaded after it, in one process."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *STATUSES],
        cwd=tmp_path_factory.mktemp("startup"),
        env={"PYTHONPATH": str(ROOT), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "True"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("arguments", STATUSES)
def test_help_and_wrong_usage_load_no_slow_module(arguments, seen):
    status, modules = seen[arguments]
    assert status == STATUSES[arguments]
    assert SLOW.isdisjoint(modules)


def test_a_query_may_be_as_long_as_a_question():
    schema = TypeAdapter(QueryText).json_schema()
    assert schema["maxLength"] == core.agent.MAX_QUESTION_LENGTH


def test_documents_that_were_listed_before_are_listed_without_the_index(cup):
    first = run_command(cup, "documents").stdout
    done = subprocess.run(
        [sys.executable, "-c", RUN, "documents"],
        env=environment_of(cup, COLUMNS="80"),
        capture_output=True,
        text=True,
        check=True,
    )
    [(status, modules)] = json.loads(done.stdout.splitlines()[-1]).values()
    assert status == 0
    assert done.stdout.startswith(first)
    assert {"lancedb", "pyarrow", "sqlalchemy", "core.library.types"}.isdisjoint(modules)


def test_the_list_is_made_anew_when_documents_or_its_file_have_changed(cup, tmp_path):
    folder = shutil.copytree(cup, tmp_path / "library")
    before = run_json(folder, "documents", "--json")
    kept = folder / "derived" / "documents.json"
    kept.write_bytes(kept.read_bytes().replace(b"2024", b"1924"))
    assert run_json(folder, "documents", "--json") == before
    run_command(folder, "remove", before[1][0]["document_id"])
    assert run_json(folder, "documents", "--json")[1] == before[1][1:]


def test_a_list_that_was_kept_does_not_hide_a_damaged_index(cup, tmp_path):
    folder = shutil.copytree(cup, tmp_path / "library")
    assert run_command(folder, "documents").exit_code == 0
    for file in (folder / "index" / "documents.lance" / "data").iterdir():
        file.write_bytes(bytes(file.stat().st_size))
    assert "damaged" in run_command(folder, "documents").stderr
