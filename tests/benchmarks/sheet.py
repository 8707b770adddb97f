"""Time and memory of a sheet of values that is checked against several rulebooks.

    python tests/benchmarks/sheet.py FILE... [--rows 500]

Each FILE is a rulebook (PDF or JSON Lines). The rows are drawn from its own limits: their words,
a value near the limit, another unit of the kind at times. The registers are read first, as they
are right after a document was added, and each time is printed beside a reference: the seconds in
which this machine adds up a million numbers.

Measured on two cores, a Formula 1 and three student rulebooks; text recognition of six figures is
most of the first reading:

    reference                            0.02 s   178 MB at most
    registers, read for the first time  40.27 s   432 MB
    registers, as they are kept          0.28 s   432 MB
    500 rows, 4 rulebooks                2.14 s   432 MB   2,000 verdicts of 3,103 limits
"""

import argparse
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.library import Library, add_file
from core.registers import Limit, register_of
from core.sheets import LimitIndex, SheetRow, check_row

SEED = 7
T = TypeVar("T")


def measure(name: str, work: Callable[[], T]) -> T:
    """Print how long a piece of work takes, and the most memory of the process so far."""
    started = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{name:32} {seconds:7.2f} s   {memory:5} MB at most")
    return result


def draw_rows(limits: Sequence[Limit], count: int) -> tuple[SheetRow, ...]:
    """Return rows in the words of limits, at values from half to twice of them."""
    chance = random.Random(SEED)
    drawn = chance.choices([limit for limit in limits if limit.in_force], k=count)
    return tuple(
        SheetRow(
            str(number),
            " ".join((limit.heading.rpartition(" / ")[2], *limit.subject.split()[-4:])),
            f"{float(limit.value) * chance.uniform(0.5, 2):.3f}",
            limit.unit,
            limit.condition,
        )
        for number, limit in enumerate(drawn)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rows", type=int, default=500)
    options = parser.parse_args()
    measure("reference", lambda: sum(range(1_000_000)))
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder))
        for path in options.files:
            for result in add_file(library, path):
                print(f"{path.name}: {result.status} in {result.seconds:.0f} s")
        documents = library.documents()

        def read_registers() -> list[LimitIndex]:
            return [LimitIndex(register_of(library, one)) for one in documents]

        measure("registers, read for the first time", read_registers)
        indexes = measure("registers, as they are kept", read_registers)
        limits = [limit for one in documents for limit in register_of(library, one).limits]
        rows = draw_rows(limits, options.rows)
        results = measure(
            f"{len(rows)} rows, {len(documents)} rulebooks",
            lambda: [check_row(row, index) for row in rows for index in indexes],
        )
        print(f"{len(results)} verdicts of {len(limits)} limits")


if __name__ == "__main__":
    main()
