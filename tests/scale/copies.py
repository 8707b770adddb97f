"""Varied copies of the sample rulebooks: no two have the same pages and the same bytes."""

from itertools import cycle, islice
from pathlib import Path

from pypdf import PdfReader, PdfWriter

from core.library.samples import SAMPLES_FOLDER


def write_copies(folder: Path, count: int) -> None:
    """Write as many copies into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = [PdfReader(path) for path in sorted(SAMPLES_FOLDER.glob("*.pdf"))]
    for number, sample in enumerate(islice(cycle(samples), count)):
        round_ = number // len(samples)
        writer = PdfWriter()
        writer.append(sample, pages=(0, len(sample.pages) - round_ % 12))
        writer.add_metadata({"/Title": str(sample.metadata.title), "/Copy": str(number)})
        writer.write(folder / f"copy{number:04}.pdf")
