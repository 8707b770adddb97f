"""The command of the installed program. Nothing else may go in here.

In a wheel all that a checkout holds lies beside this file, in `_app`, so that no package named
`core` or `pages` comes among a person's own.
"""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run a command; without one open Scrutineer in the browser."""
    own = Path(__file__).with_name("_app")
    folder = str(own if own.is_dir() else Path(__file__).parents[1])
    sys.path.insert(0, folder)
    # For the processes that it starts: those of a cluster look there.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, os.getenv("PYTHONPATH"))))
    if not sys.argv[1:]:
        sys.argv.append("run")
    from core.cli import main as run_command

    run_command()
