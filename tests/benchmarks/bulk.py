"""How long Ray takes to add very many rulebooks with one worker and with two, as a ratio.

    python tests/benchmarks/bulk.py [--copies 2000]

Copies of the samples that differ in pages and bytes (`tests/scale/copies.py`) are added to an empty
library twice. Starting Ray and adding what was read take the same time with either; the ratio of
the reading is told apart.
"""

import argparse
import os
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.library.ingestion.bulk import add_in_bulk
from core.library.storage.library import Library
from core.rulebook import Progress
from tests.scale.copies import write_copies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--copies", type=int, default=2000)
    copies = parser.parse_args().copies
    print(f"{copies} rulebooks, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print("workers  clauses  start s  read s  add s  all s")
    times = []
    with tempfile.TemporaryDirectory(prefix="bulk-") as folder:
        write_copies(Path(folder, "files"), copies)
        for workers in (1, 2):
            times.append(add_copies(Path(folder), workers))
    (read, whole), (read_by_two, whole_by_two) = times
    print(f"two workers: reading {read / read_by_two:.2f} times as fast, ", end="")
    print(f"all {whole / whole_by_two:.2f} times, load {os.getloadavg()[0]:.1f}")


def add_copies(folder: Path, workers: int) -> tuple[float, float]:
    """Add the files to an empty library; return the seconds of reading and of all."""
    library, moments = Library(folder / str(workers)), [time.monotonic()]

    def note(progress: Progress) -> None:
        if progress.done in (1, progress.total):
            moments.append(time.monotonic())

    results = list(add_in_bulk(library, [str(folder / "files")], None, note, workers))
    assert all(result.status == "added" for result in results), results
    moments.append(time.monotonic())
    clauses = sum(document.clauses for document in library.documents())
    start, read, add = (after - before for before, after in pairwise(moments))
    whole = moments[-1] - moments[0]
    print(f"{workers:7} {clauses:8,} {start:8.1f} {read:7.1f} {add:6.1f} {whole:6.1f}", flush=True)
    return read, whole


if __name__ == "__main__":
    main()
