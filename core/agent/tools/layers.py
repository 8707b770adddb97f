"""The rules of other layers on what was found, as evidence: they are read beside it."""

from collections.abc import Iterable, Iterator

from core.library import Hit, Library
from core.registers import LayerNotes

_STEPS = 2
"""From a rule to one above it, and to one above that."""


def find_layer_clauses(library: Library, notes: LayerNotes, found: Iterable[Hit]) -> Iterator[Hit]:
    """Yield the rules of other layers on clauses, with what says who prevails, each once."""
    known = {hit.clause.clause_id for hit in found}
    waiting = list(known)
    for _ in range(_STEPS):
        noted = [note for clause_id in waiting for note in notes.get(clause_id, ())]
        ids = (one for note in noted for one in (note.clause_id, note.said.clause_id))
        waiting = [one for one in dict.fromkeys(ids) if one and one not in known]
        known.update(waiting)
        yield from (Hit(clause, 0.0, "reference") for clause in library.select_clauses(waiting))
