"""How much time the command line needs to start, beside `import lancedb` in the same run.

    .venv/bin/python tests/benchmarks/startup.py [--repeat 10] [--before CHECKOUT]

Prints the medians of processor and clock seconds for each command; with a checkout of another
commit also its own, in turns. The rows "served" ask a server that runs on the same data folder. Two
bars: `--help` under 0.6 s of processor, and `documents` and `ask` under `import lancedb` plus
0.5 s; the exit status is 1 where one is missed.

On a busy machine, ten turns beside the commit before the list was kept and a server asked, seconds
of processor: `--help` 0.33 (before 0.31), `documents` 0.48 (2.41), `search` 3.01 (3.03) and served
0.46, `ask` 4.96 (4.90) and served 0.45, `import lancedb` alone 3.15. `ask` misses its bar by
itself, as before.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.browser.app_server import served
from tests.commands import environment_of

SAMPLE = ROOT / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"
QUESTION = "What is the speed limit in the pit lane?"
HELP_BAR = 0.6
COMMAND_BAR = 0.5
SERVED = ("documents", "search", "ask")


ROW = "{:36}{:>10}{:>8}{:>11}"


def run_seconds(arguments: list[str], root: Path, folder: Path) -> tuple[float, float]:
    """Run Python with a checkout; return the processor and the clock seconds that it took."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment_of(folder, PYTHONPATH=str(root)),
        capture_output=True,
    )
    clock, after = time.perf_counter() - start, os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system, clock


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--before", type=Path)
    options = parser.parse_args()
    core = ["-m", "core"]
    commands = {
        "import lancedb": ["-c", "import lancedb"],
        "--help": [*core, "--help"],
        "ingest --help": [*core, "ingest", "--help"],
        "wrong usage": [*core, "search"],
        "documents": [*core, "documents"],
        "search": [*core, "search", "speed limit"],
        "ask": [*core, "ask", QUESTION],
    }
    with ExitStack() as stack:
        small, data = (Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(2))
        run_seconds([*core, "ingest", str(SAMPLE)], ROOT, small)
        shutil.copytree(small, data / "library")
        stack.enter_context(served(data))
        places = [("", ROOT, small), ("served", ROOT, data / "library")]
        if options.before:
            places.append(("before", options.before.resolve(), small))
        taken: dict[str, list[tuple[float, float]]] = {}
        for turn in range(options.repeat + 1):
            for name, arguments in commands.items():
                for which, root, folder in places:
                    if which != "served" or name in SERVED:
                        seconds = run_seconds(arguments, root, folder)
                        if turn:  # the first one makes what is kept
                            taken.setdefault(f"{name} {which}".strip(), []).append(seconds)
    print(ROW.format("medians, seconds", "processor", "clock", "/ lancedb"))
    used = {name: median(one[0] for one in found) for name, found in taken.items()}
    for name, found in taken.items():
        clock, ratio = median(one[1] for one in found), used[name] / used["import lancedb"]
        print(ROW.format(name, f"{used[name]:.2f}", f"{clock:.2f}", f"{ratio:.2f}"))
    slow = [name for name in ("--help", "wrong usage") if used[name] >= HELP_BAR]
    bar = used["import lancedb"] + COMMAND_BAR
    slow += [name for name in SERVED if used[name] >= bar]
    print(f"Too slow: {', '.join(slow)}" if slow else "All within their bars.")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
