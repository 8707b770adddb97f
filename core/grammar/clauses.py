"""The clauses of a sentence: its main one, conditions, exceptions, relative clauses and asides."""

from collections.abc import Sequence

from core.grammar.cues import Piece
from core.grammar.scopes import DUTIES, is_condition

STOPS = (";", ":", ".", "⁝")
_OBJECTS = ("determiner", "universal", "existing", "agent", "only", "denying")
"""What begins a relative clause in which another acts than in the clause around it."""


def mark_clauses(pieces: Sequence[Piece]) -> list[str]:
    """Return for each piece its clause: "main", "condition", "exception", "relative", "aside"."""
    kinds: list[str] = []
    kind = "main"
    in_brackets = False
    for place, one in enumerate(pieces):
        if in_brackets or (place and one.text == "("):
            in_brackets = one.text != ")"
            kinds.append("aside")
            continue
        if one.text in STOPS or (one.text == "," and kind != "main"):
            kind = "main"
        elif one.has("exception"):
            kind = "exception"
        elif (
            one.names
            and is_condition(pieces, place)
            and (one.has("requires") or not one.has("before", "after", "latest"))
        ):
            is_proviso = one.has("requires") and place and pieces[place - 1].text in (":", ";")
            kind = "main" if is_proviso else "condition"  # "...: Provided that it shall"
        kinds.append(kind)
    for place in range(len(pieces) - 1):
        if is_pronoun(pieces, place):
            end = _find_relative_end(pieces, place)
            first = place + (not pieces[place].has("determiner"))
            kinds[first:end] = ["relative"] * (end - first)
    return kinds


def is_pronoun(pieces: Sequence[Piece], place: int) -> bool:
    """True of a relative pronoun, not of an article or of "with"."""
    one, before = pieces[place], pieces[place - 1].text if place else "."
    if not one.has("relative") or one.has("barrier") or before in STOPS:
        return False
    names_agent = any(piece.has("agent") for piece in pieces[place + 1 : place + 2])
    return before == "," if one.has("determiner") else before != "," or not names_agent


def _find_relative_end(pieces: Sequence[Piece], place: int) -> int:
    """Return where the clause ends that a relative pronoun begins.

    A German one goes on to its verb before a comma. Another one takes the first modal verb where
    somebody else acts: "the number of laps which a team may drive shall be ten".
    """
    end = place + 1
    while end < len(pieces) and pieces[end].text not in (",", *STOPS):
        end += 1
    if pieces[place].has("determiner"):
        return end
    is_object = " " in pieces[place].text or pieces[place - 1].has("ordering")
    modals = [at for at, one in enumerate(pieces) if one.has(*DUTIES, "ordering")]
    own = [at for at in modals if place < at < end]
    if own and len(modals) > 1 and (is_object or pieces[place + 1].has(*_OBJECTS)):
        return own[0] + 1
    return place + 2
