"""How much processor time the command line needs to start, beside `import lancedb` in the same run.

    .venv/bin/python tests/benchmarks/startup.py [--repeat 5]

Prints the median and the least of user plus system seconds for each command. The rounds are
interleaved, so that a busy machine slows all of them alike. Two bars: `--help` under 0.6 s, and
`documents` and `ask` under `import lancedb` plus 0.5 s; the exit status is 1 where one is missed.

On a busy machine `ask` took 0.98 of `import lancedb`: 1.82 s (the least 1.74) beside 1.86 s. In
another run, of two seconds: LanceDB 1.0 (0.22 of it pandas, which pyarrow imports at its first
value, 0.1 the package overrides, which only Python 3.11 needs), SQLAlchemy 0.2, pydantic-settings
and the terminal 0.2, our own modules 0.3, the question itself 0.4.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"
QUESTION = "What is the speed limit in the pit lane?"
HELP_BAR = 0.6
COMMAND_BAR = 0.5


def processor_seconds(arguments: list[str], folder: Path) -> float:
    """Run Python with these arguments; return the user and system seconds that it took."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    environment["SCRUTINEER_DATA_DIR"] = str(folder)
    before = os.times()
    subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True)
    after = os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as small:
        core = ["-m", "core"]
        processor_seconds([*core, "ingest", str(SAMPLE)], Path(small))
        commands = {
            "import lancedb": (["-c", "import lancedb"], empty),
            "--help": ([*core, "--help"], empty),
            "ingest --help": ([*core, "ingest", "--help"], empty),
            "wrong usage": ([*core, "search"], empty),
            "documents, empty library": ([*core, "documents"], empty),
            "documents, small library": ([*core, "documents"], small),
            "ask, small library": ([*core, "ask", QUESTION], small),
        }
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(repeat):
            for name, (arguments, folder) in commands.items():
                seconds[name].append(processor_seconds(arguments, Path(folder)))
    medians = {name: median(found) for name, found in seconds.items()}
    lancedb = medians["import lancedb"]
    print(f"{'processor seconds':28}{'median':>8}{'least':>8}{'/ lancedb':>11}")
    for name, found in seconds.items():
        print(f"{name:28}{medians[name]:8.2f}{min(found):8.2f}{medians[name] / lancedb:11.2f}")
    slow = [name for name in ("--help", "wrong usage") if medians[name] >= HELP_BAR]
    names = [name for name in medians if name.startswith(("documents", "ask"))]
    slow += [name for name in names if medians[name] >= lancedb + COMMAND_BAR]
    print(f"Too slow: {', '.join(slow)}" if slow else "All within their bars.")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
