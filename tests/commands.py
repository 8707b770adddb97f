"""Runs commands in the process of a test, without the settings of the person who runs it."""

import json
import os
from pathlib import Path

from typer.testing import CliRunner, Result

from core.cli.app import app

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "data" / "samples"
OWN = {name: None for name in os.environ if name.startswith(("ANTHROPIC_", "SCRUTINEER_"))}
SETTINGS = OWN | {"SCRUTINEER_SEARCH_MODE": "lexical"}
"""Whose ranks a person can follow, as in the tests of everything else (None: by default)."""


def run_command(folder, *arguments, stdin=None, **settings) -> Result:
    """Run a command on a data folder in a terminal of 80 columns."""
    environment = SETTINGS | {"SCRUTINEER_DATA_DIR": str(folder), "COLUMNS": "80"} | settings
    done = CliRunner().invoke(app, [*map(str, arguments)], input=stdin, env=environment)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


def run_json(folder, *arguments, stdin=None, **settings):
    """Run a command that answers in JSON Lines; return its exit status and its lines."""
    done = run_command(folder, *arguments, stdin=stdin, **settings)
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def environment_of(folder, **settings):
    """Return the environment of a program that knows a data folder and these settings alone."""
    known = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return known | {"SCRUTINEER_DATA_DIR": str(folder)} | settings
