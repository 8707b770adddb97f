"""The words of a document's figures, recognized once and kept beside its register."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.atomic_files import write_atomically
from core.library import Document, Library
from core.rulebook import Clause, Figure, can_read_figures, read_figures

FOLDER = "limits"
MAX_ATTEMPTS = 3
"""How often a document's figures are tried: one that always fails must not cost minutes forever."""


@dataclass(frozen=True, slots=True)
class FigureReadings:
    """What was read on figures so far; of one without words, no words."""

    texts: tuple[tuple[Figure, tuple[str, ...]], ...] = ()
    missing: int = 0
    """Figures that were not reached."""
    attempts: int = 0
    """How many attempts left some out."""

    @property
    def is_worth_another_attempt(self) -> bool:
        return self.missing > 0 and self.attempts < MAX_ATTEMPTS


_READINGS = TypeAdapter(FigureReadings)


def reads_figures(library: Library) -> bool:
    """True if the optional part `ocr` is installed and pages that are images are read with it."""
    return library.read_limits.read_scans and can_read_figures()


def load_figure_readings(library: Library, document: Document) -> FigureReadings:
    """Return what is kept of a document's figures; nothing where text recognition is off."""
    if not reads_figures(library):
        return FigureReadings()
    try:
        return _READINGS.validate_json(_path(library, document).read_bytes())
    except (OSError, ValidationError):  # not there, or cut off: they can be read again
        return FigureReadings()


def read_missing_figures(
    library: Library, document: Document, clauses: Iterable[Clause], readings: FigureReadings
) -> FigureReadings:
    """Read the figures that `readings` lacks, keep the words and return those of all."""
    known = dict(readings.texts)
    of_all = dict.fromkeys(one for clause in clauses for one in clause.figures)
    figures = [one for one in of_all if one.kind == "figure" and one not in known]
    file = library.stored_file(document.document_id) if reads_figures(library) else None
    if not figures or file is None or file.suffix != ".pdf" or readings.attempts >= MAX_ATTEMPTS:
        return readings
    read = read_figures(file.read_bytes(), figures)
    missing = len(figures) - len(read)
    attempts = readings.attempts + 1 if missing else 0
    readings = FigureReadings(tuple((known | read).items()), missing, attempts)
    keep_file(_path(library, document), _READINGS.dump_json(readings))
    return readings


def keep_file(path: Path, content: bytes) -> None:
    """Write what can be read again; without a disk it is read anew."""
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        write_atomically(path, content)
    except OSError:
        return


def _path(library: Library, document: Document) -> Path:
    return library.folder / FOLDER / f"{document.document_id}.figures.json"
