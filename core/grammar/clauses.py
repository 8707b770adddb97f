"""The clauses of a sentence: its main one, conditions, exceptions, relative clauses and asides."""

from collections.abc import Sequence

from core.grammar.cues import Piece
from core.grammar.scopes import DUTIES, is_condition

STOPS = (";", ":", ".", "⁝")
_VERBS = (*DUTIES, "copula", "definition", "sanction", "stating")
_OBJECTS = ("determiner", "universal", "existing", "agent", "only", "denying")
"""What begins a relative clause in which another acts than in the clause around it."""


def mark_clauses(pieces: Sequence[Piece]) -> list[str]:
    """Return for each piece its clause: "main", "condition", "exception", "relative", "aside"."""
    kinds: list[str] = []
    kind = "main"
    in_brackets = in_aside = False
    for place, one in enumerate(pieces):
        if in_brackets or (place and one.text == "("):
            in_brackets = one.text != ")"
            kinds.append("aside")
            continue
        if one.text == ",":
            was_aside, in_aside = in_aside, not in_aside and _opens_aside(pieces, place)
            kind = kind if was_aside or in_aside else "main"
        elif one.text in STOPS:
            kind, in_aside = "main", False
        else:
            kind = _name_clause(pieces, place) or kind
        kinds.append(kind)
    for place in range(len(pieces) - 1):
        if is_pronoun(pieces, place):
            end = _find_relative_end(pieces, place)
            first = place + (not pieces[place].has("determiner"))
            kinds[first:end] = ["relative"] * (end - first)
    return kinds


def _name_clause(pieces: Sequence[Piece], place: int) -> str:
    """Return the kind of the clause that a piece opens; empty where it opens none."""
    one = pieces[place]
    if one.has("exception"):
        return "exception"
    is_time = one.has("before", "after", "latest") and not one.has("requires")
    if not one.names or is_time or not is_condition(pieces, place):
        return ""
    is_proviso = one.has("requires") and place and pieces[place - 1].text in (":", ";")
    return "main" if is_proviso else "condition"  # "...: Provided that it shall"


def _opens_aside(pieces: Sequence[Piece], comma: int) -> bool:
    """True of a comma right behind the word of a condition: "If, for any reason, it is"."""
    at = comma - 1 - pieces[comma - 1].has("expletive", "pronoun")
    is_word = at >= 0 and not pieces[at].has("before", "after", "latest")
    return is_word and is_condition(pieces, at)


def find_half(pieces: Sequence[Piece], kinds: Sequence[str], place: int) -> range:
    """Return the places of the half of a sentence that a place is in.

    A half begins with a condition of its own: "..., and if it rains 10 km/h".
    """
    verbs = (n for n, one in enumerate(pieces) if kinds[n] == "main" and one.has(*_VERBS))
    first_verb = next(verbs, len(pieces))
    openings = [
        at
        for at in range(first_verb + 1, len(pieces))
        if pieces[at].has("condition", "circumstance") and pieces[at - 1].has("turning")
    ]
    first = max((at for at in openings if at <= place), default=0)
    return range(first, min((at for at in openings if at > place), default=len(pieces)))


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
    is_own = pieces[place + 1].has("pronoun")  # "the laps that they have to sail"
    is_object = is_object or is_own or pieces[place + 1].has(*_OBJECTS)
    if own and is_object and (is_own or len(modals) > 1):
        return own[0] + 1
    return place + 2
