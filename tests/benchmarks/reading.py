"""How fast rulebooks are read, and what of it takes the time.

    .venv/bin/python tests/benchmarks/reading.py [PDF or folder ...]     (default: data/samples)

For each file: pages a second of `read_pdf`, marks and structure included, processes started and
all; the same file's pages a second with plain pypdf (`extract_text`, in this process, over a sample
of its pages); the ratio of both; the peak memory of this process and of the largest reading
process. Then where the time goes, in one process: pages out of pdfium, layout, and the rulebook put
together from the pages.
"""

import os
import resource
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pypdf

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.errors import ReadError
from core.rulebook import read_pdf
from core.rulebook.layout.reading_order import layout_page
from core.rulebook.pdf.pages import PdfFile
from core.rulebook.pipeline import DocumentSource, build_rulebook

_SAMPLE = 24  # pages of a file that pypdf reads
_MIB = 1024 if sys.platform.startswith("linux") else 1024 * 1024


def main(paths: Iterable[str]) -> None:
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
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / _MIB
    print(
        f"all: {pages / seconds:.1f} pages/s on {os.cpu_count()} cores,"
        f" {plain_seconds / seconds:.1f} times pypdf;"
    )
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


if __name__ == "__main__":
    main(sys.argv[1:] or [str(Path(__file__).resolve().parents[2] / "data" / "samples")])
