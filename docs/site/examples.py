"""Run the commands that pages show and write what they print below them: `make examples`.

    python -m docs.site.examples [PAGE ...]

A block of the kind `console` begins with `$ ` and a command of a shell, in which `scrutineer` is
this checkout. All commands run one after another in one folder that holds docs/how_to/files, with
a library of the sample rulebooks. Standard output is shown. What goes to standard error (the
steps of a run, counts) is not; it is shown where there is nothing else.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
PAGES = (ROOT / "README.md", DOCS / "first_steps.md", *sorted((DOCS / "how_to").glob("*.md")))
"""The pages whose commands are run, unless others are named."""
WIDTH = 86
"""Columns of the terminal; the site's pages show as many without scrolling."""
_BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)


def main(pages: Sequence[Path] = PAGES) -> None:
    """Rewrite the blocks of pages in place."""
    with tempfile.TemporaryDirectory() as folder:
        shell = _Shell(Path(folder))
        shell.run(f"scrutineer ingest {ROOT / 'data' / 'samples'}")
        for page in pages:
            text = page.read_text(encoding="utf-8")
            page.write_text(_BLOCK.sub(lambda block: shell.fill(block[0]), text), encoding="utf-8")


class _Shell:
    """A folder, a library and the command `scrutineer` for the examples."""

    def __init__(self, folder: Path) -> None:
        self._here = folder / "here"
        shutil.copytree(DOCS / "how_to" / "files", self._here)
        program = folder / "bin" / "scrutineer"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m core "$@"\n')
        program.chmod(0o755)
        own = ("SCRUTINEER_", "ANTHROPIC_")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(own)}
        self._variables = clean | {
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "SCRUTINEER_DATA_DIR": str(folder / "library"),
            "COLUMNS": str(WIDTH),
            "LC_ALL": "C.UTF-8",
        }

    def run(self, command: str) -> str:
        """Return what a command prints, without what only fills lines."""
        done = subprocess.run(
            command,
            shell=True,
            cwd=self._here,
            env=self._variables,
            capture_output=True,
            text=True,
        )
        lines = (done.stdout.strip("\n") or done.stderr.strip("\n")).splitlines()
        return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines))

    def fill(self, block: str) -> str:
        """Return a block with the output of each of its commands below it."""
        commands = [line for line in block.splitlines() if line.startswith("$ ")]
        parts = [f"{one}\n{self.run(one.removeprefix('$ '))}".rstrip() for one in commands]
        return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or PAGES)
