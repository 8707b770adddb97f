"""A process that answers commands from a data folder, in a fork for each line of standard input.

A line is a data folder. It prints one line of JSON: by command the exit status and what was
printed, or the traceback of what was not caught.
"""

import json
import os
import signal
import sys
import traceback
import warnings
from pathlib import Path

from typer.testing import CliRunner

import core.agent.loop
import core.api.requests
import core.chats.conversations
import core.cli.agent_commands
import core.cli.search_commands  # noqa: F401  imported before the forks
from core.cli.app import app

QUESTION = "What does Article 7 say?"
COMMANDS = {
    "documents": ("documents",),
    "article": ("article", "7"),
    "search": ("search", "speed limit in zone 7", "--k", "3"),
    "mentions": ("mentions", "zone"),
    "ask": ("ask", QUESTION),
}
SECONDS = 120
"""How long a command may take; then its process is killed, which counts as hanging."""


def answer(folder: Path) -> dict[str, object]:
    """What each command says, then what `check` finds, and what those that read say after it."""
    said: dict[str, object] = {}
    for name in (*COMMANDS, "check", *(f"{name} again" for name in (*COMMANDS, "check"))):
        settings = {"SCRUTINEER_DATA_DIR": str(folder), "SCRUTINEER_SEARCH_MODE": "lexical"}
        command = [*COMMANDS.get(name.removesuffix(" again"), ("check",)), "--json"]
        done = CliRunner().invoke(app, command, env=settings | {"ANTHROPIC_API_KEY": ""})
        trace = ""
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            trace = "".join(traceback.format_exception(done.exception))
        lines = [json.loads(line) for line in done.stdout.splitlines()] if not trace else []
        said[name] = {"status": done.exit_code, "lines": lines, "trace": trace}
    return said


def main() -> None:
    warnings.simplefilter("ignore")  # about forks of processes with threads: none runs yet
    for line in sys.stdin:
        number = os.fork()
        if number == 0:
            signal.alarm(SECONDS)
            said = json.dumps(answer(Path(line.rstrip("\n"))))
            sys.stdout.write(said + "\n")
            sys.stdout.flush()
            os._exit(0)
        _, status = os.waitpid(number, 0)
        if status:
            print(json.dumps({"ended": os.waitstatus_to_exitcode(status)}), flush=True)


if __name__ == "__main__":
    main()
