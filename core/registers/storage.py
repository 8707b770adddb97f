"""The limits registers of documents, each read once and kept with its document."""

from pydantic import TypeAdapter

from core.library import DerivedKind, Document, Library, obtain_derived
from core.registers.figure_texts import FIGURE_TEXTS, load_figure_readings, reads_figures
from core.registers.register import LimitsRegister, read_register

_REGISTER = TypeAdapter(LimitsRegister)


def _read_register(library: Library, document: Document) -> LimitsRegister:
    """Read a register from clauses, and from what was read on figures so far."""
    readings = load_figure_readings(library, document)
    return read_register(library.clauses(document.document_id), dict(readings.texts))


LIMITS = DerivedKind(
    "limits",
    10,
    _read_register,
    _REGISTER.dump_json,
    _REGISTER.validate_json,
    inputs=lambda library, document: len(load_figure_readings(library, document).texts),
)


def register_of(library: Library, document: Document) -> LimitsRegister:
    """Return the limits register of a document, as it is kept or newly read."""
    if reads_figures(library):
        obtain_derived(library, document, FIGURE_TEXTS)
    return obtain_derived(library, document, LIMITS)
