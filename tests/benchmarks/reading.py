"""How fast rulebooks are read, and what of it takes the time.

    .venv/bin/python tests/benchmarks/reading.py [PDF or folder ...]     (default: data/samples)

For each file: pages a second of `read_pdf`, marks and structure included, processes started and
all; the same file's pages a second with plain pypdf (`extract_text`, in this process, over a sample
of its pages); the ratio of both; the peak memory of this process and of the largest reading
process. Then where the time goes, in one process: pages out of pdfium, layout, and the rulebook put
together from the pages.

    .venv/bin/python tests/benchmarks/reading.py --starts OTHER

Processor seconds of reading the smallest sample, processes and all, by this checkout and by another
one (of the commit before), ten times in turns: the first reading of an application with its start,
and each of the next five. Copied from a fork server on a busy machine: 2.42 (the least 1.60) and
0.89 (0.71), in place of 2.77 (2.43) and 2.22 (1.79).
"""

import argparse
import atexit
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import pypdf

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.errors import ReadError
from core.rulebook import read_pdf
from core.rulebook.layout.reading_order import layout_page
from core.rulebook.pdf.pages import PdfFile
from core.rulebook.pipeline import DocumentSource, build_rulebook

ROOT = Path(__file__).resolve().parents[2]
_SAMPLE = 24  # pages of a file that pypdf reads
_ROUNDS, _MORE = 10, 5
_READ_OFTEN = """
import sys
from pathlib import Path
from core.rulebook import read_pdf
for _ in range(int(sys.argv[2])):
    read_pdf(Path(sys.argv[1]).read_bytes(), "rules.pdf")
"""
_MIB = 1024 if sys.platform.startswith("linux") else 1024 * 1024


def main(paths: Iterable[str]) -> None:
    atexit.register(_print_memory)  # once all processes are waited for
    files = [file for path in paths for file in _pdfs(Path(path))]
    print(
        f"{'file':52} {'pages':>5} {'pages/s':>8} {'pypdf':>6} {'ratio':>6}  pdfium layout"
        " assembly (ms a page)"
    )
    pages = seconds = plain_seconds = 0.0
    for file in files:
        data = file.read_bytes()
        started = time.perf_counter()
        try:
            rulebook = read_pdf(data, file.name)
        except ReadError as error:
            print(f"{file.name[:52]:52} {error.code}")
            continue
        took = time.perf_counter() - started
        pages, seconds = pages + rulebook.pages, seconds + took
        plain = _plain(file, rulebook.pages)
        plain_seconds += rulebook.pages / plain
        parts = " ".join(f"{1000 * part / rulebook.pages:6.2f}" for part in _parts(data, file.name))
        rate = rulebook.pages / took
        print(
            f"{file.name[:52]:52} {rulebook.pages:5} {rate:8.1f} {plain:6.1f}"
            f" {rate / plain:6.1f}  {parts}"
        )
    print(
        f"all: {pages / seconds:.1f} pages/s on {os.cpu_count()} cores,"
        f" {plain_seconds / seconds:.2f} times pypdf;"
    )


def _print_memory() -> None:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / _MIB
    print(
        f"     peak {own:.0f} MiB here (pypdf included), {child:.0f} MiB in the largest"
        " reading process"
    )


def _pdfs(path: Path) -> list[Path]:
    return sorted(path.glob("*.pdf")) if path.is_dir() else [path]


def _plain(file: Path, pages: int) -> float:
    """Pages a second of plain pypdf, over pages spread evenly through the file."""
    reader = pypdf.PdfReader(file)
    step = max(1, pages // _SAMPLE)
    started = time.perf_counter()
    read = [reader.pages[index].extract_text() for index in range(0, pages, step)]
    return len(read) / (time.perf_counter() - started)


def _parts(data: bytes, name: str) -> tuple[float, float, float]:
    """Seconds for the pages out of pdfium, their layout, and the rulebook, one after the other."""
    started = time.perf_counter()
    with PdfFile(data) as document:
        sheets = [document.read_page(number) for number in range(1, len(document) + 1)]
    read = time.perf_counter()
    pages = [layout_page(sheet) for sheet in sheets]
    laid = time.perf_counter()
    build_rulebook(pages, DocumentSource("0" * 64, name))
    return read - started, laid - read, time.perf_counter() - laid


def compare_starts(other: Path) -> None:
    """Print the processor seconds of a first reading and of each next, here and in `other`."""
    sample = min((ROOT / "data" / "samples").glob("*.pdf"), key=lambda file: file.stat().st_size)
    first: dict[Path, list[float]] = {other: [], ROOT: []}
    further: dict[Path, list[float]] = {other: [], ROOT: []}
    for _ in range(_ROUNDS):
        for checkout in first:
            once, often = (_read_often(checkout, sample, count) for count in (1, 1 + _MORE))
            first[checkout].append(once)
            further[checkout].append((often - once) / _MORE)
    print(f"{'processor seconds of a reading':40}{'first':>16}{'each further':>16}")
    for checkout in first:
        found = (
            f"{median(seconds[checkout]):8.2f} ({min(seconds[checkout]):.2f})"
            for seconds in (first, further)
        )
        print(f"{str(checkout)[-40:]:40}{''.join(f'{each:>16}' for each in found)}")


def _read_often(checkout: Path, sample: Path, count: int) -> float:
    before = os.times()
    command = [sys.executable, "-c", _READ_OFTEN, str(sample), str(count)]
    subprocess.run(command, cwd=checkout, check=True)
    after = os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", default=[str(ROOT / "data" / "samples")])
    parser.add_argument("--starts", type=Path, metavar="OTHER")
    options = parser.parse_args()
    if options.starts:
        compare_starts(options.starts.resolve())
    else:
        main(options.paths)
