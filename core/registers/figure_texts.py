"""The words of a document's figures, recognized once and kept with the document."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from core.library import DerivedKind, Document, Library
from core.rulebook import Clause, Figure, can_recognize_text, read_figures

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
    return library.read_limits.read_scans and can_recognize_text()


def load_figure_readings(library: Library, document: Document) -> FigureReadings:
    """Return what is kept of a document's figures; nothing where text recognition is off."""
    kept = FIGURE_TEXTS.load(library, document, older=True) if reads_figures(library) else None
    return kept or FigureReadings()


def read_missing_figures(
    library: Library, document: Document, clauses: Iterable[Clause], readings: FigureReadings
) -> FigureReadings:
    """Read the figures that `readings` lacks, and return the words of all."""
    known = dict(readings.texts)
    of_all = dict.fromkeys(one for clause in clauses for one in clause.figures)
    figures = [one for one in of_all if one.kind == "figure" and one not in known]
    if not figures:
        return replace(readings, missing=0)
    file = library.stored_file(document.document_id) if reads_figures(library) else None
    if file is None or file.suffix != ".pdf" or readings.attempts >= MAX_ATTEMPTS:
        return readings
    read = read_figures(file.read_bytes(), figures)
    missing = len(figures) - len(read)
    attempts = readings.attempts + 1 if missing else 0
    return FigureReadings(tuple((known | read).items()), missing, attempts)


def _read_figures(library: Library, document: Document) -> FigureReadings:
    """Read the figures of a document that no earlier reading of it has read."""
    readings = load_figure_readings(library, document)
    return read_missing_figures(library, document, library.clauses(document.document_id), readings)


FIGURE_TEXTS = DerivedKind(
    "figure_texts",
    1,
    _read_figures,
    _READINGS.dump_json,
    _READINGS.validate_json,
    is_unfinished=lambda readings: readings.is_worth_another_attempt,
)
