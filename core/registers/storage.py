"""What documents limit and oblige, from their kept sentences; registers of limits are kept too."""

from collections.abc import Collection
from typing import Any

from pydantic import TypeAdapter

from core.library import DerivedKind, Document, Library
from core.registers.asked_conflicts import list_layer_notes
from core.registers.document_sentences import SENTENCES
from core.registers.figure_texts import FIGURE_TEXTS, load_figure_readings, reads_figures
from core.registers.obligations import ObligationsList, read_obligations
from core.registers.penalties import PENALTIES
from core.registers.register import LimitsRegister, read_register

_REGISTER = TypeAdapter(LimitsRegister)


def _read_register(library: Library, document: Document) -> LimitsRegister:
    """Read a register from kept sentences, and from what was read on figures so far."""
    readings = load_figure_readings(library, document)
    clauses = library.clauses(document.document_id)
    sentences = SENTENCES.obtain(library, document)
    return read_register(clauses, dict(readings.texts), sentences)


LIMITS = DerivedKind(
    "limits",
    13,
    _read_register,
    _REGISTER.dump_json,
    _REGISTER.validate_json,
    inputs=lambda library, document: (
        SENTENCES.version,
        len(load_figure_readings(library, document).texts),
    ),
)


def list_register_kinds(library: Library) -> tuple[DerivedKind[Any], ...]:
    """Return the kinds that this room keeps of documents, before each what it is made from."""
    kinds = (SENTENCES, PENALTIES, LIMITS)
    return (FIGURE_TEXTS, *kinds) if reads_figures(library) else kinds


def register_of(
    library: Library,
    document: Document,
    chosen_ids: Collection[str] = (),
    day: str | None = None,
) -> LimitsRegister:
    """Return the limits register of a document, as it is kept or newly read.

    Its limits say by what they are overridden in other layers of the chosen documents on a day.
    """
    if reads_figures(library):
        FIGURE_TEXTS.obtain(library, document)
    notes = list_layer_notes(library, chosen_ids, day, has_own=True)
    return LIMITS.obtain(library, document).amend(notes).mark_overridden(notes)


def obligations_of(
    library: Library,
    document: Document,
    chosen_ids: Collection[str] = (),
    day: str | None = None,
) -> ObligationsList:
    """Return the obligations of a document, from its sentences as they are kept or newly read.

    They say by what they are overridden, as the limits of `register_of` do; one whose words are
    amended stands where they are.
    """
    sentences = SENTENCES.obtain(library, document)
    clauses = library.clauses(document.document_id)
    listed = read_obligations(clauses, sentences)
    notes = list_layer_notes(library, chosen_ids, day, has_own=True)
    return listed.mark_overridden(notes).add_amended(clauses, notes)
