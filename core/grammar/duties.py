"""The duties of a sentence: what it obliges to, forbids, permits or advises, whom, and when."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.grammar.cues import Piece
from core.grammar.scopes import ScannedSentence, is_condition

Modality = Literal["must", "must not", "may", "should"]
MODAL_CUES = ("must", "must_not", "may", "will")
"""Categories of the cues of a modal verb."""
_MODALS = ("forbidding", "free", "must_not", "must", "may", "should")
_PLAIN_PRESENT = ("de", "fr")
"""Languages whose rules oblige by the plain present: "Die Wahl erfolgt geheim"."""


@dataclass(frozen=True, slots=True)
class Duty:
    """A duty with its place in the text, and in the sentence's words who, what and when.

    `is_main` is false of one in a condition or a clause within another, and of words in passing
    ("as permitted by").
    """

    modality: Modality
    start: int
    end: int
    actor: str = ""
    what: str = ""
    condition: str = ""
    exception: str = ""
    is_main: bool = True
    in_passing: bool = False
    """True of "as permitted by", and of what is quoted."""


def find_duties(sentence: ScannedSentence, text: str, language: str) -> tuple[Duty, ...]:
    """Return the duties of a sentence in order, those in passing too."""
    pieces = sentence.pieces[sentence.first :]
    found = tuple(_read_duties(pieces, text))
    if found or language not in _PLAIN_PRESENT or text[-1:] not in ".;":
        return found
    names = {name for piece in pieces for name in piece.names}
    if names & {"definition", "sanction"} or pieces[0].has("negation"):
        return ()
    return (Duty("must", 0, 0, _name_agent(pieces, text, 0, len(pieces)), text),)


def _read_duties(pieces: Sequence[Piece], text: str) -> Iterator[Duty]:
    clauses = _mark_clauses(pieces)
    taken = -1
    for place, one in enumerate(pieces):
        is_word = place > taken and one.has(*_MODALS, "aux_to", "will")
        if (
            not is_word
            or one.has("informing")
            or (one.has("inverted") and is_condition(pieces, place))
        ):
            continue
        if one.has("will") and not one.has(*_MODALS):
            if _binds_agent(pieces, place):
                yield _complete(pieces, text, place, place, "must", clauses)
            continue
        if one.has("forbidding") and any(
            p.has("must", "may") for p in pieces[place + 1 : place + 2]
        ):
            continue  # "at no time shall", whose duty comes next
        if one.has("aux_to"):
            end = _find_infinitive(pieces, place)
            if end is None or not place:
                if not one.has(*_MODALS):
                    continue
            else:
                yield _complete(pieces, text, place, end, "must", clauses)
                taken = end
                continue
        modality, last = _read_modality(pieces, place)
        if modality is None:
            continue
        taken = last
        yield _complete(pieces, text, place, last, modality, clauses)


def _binds_agent(pieces: Sequence[Piece], place: int) -> bool:
    """True of "will" where it says what somebody does: "each entrant will send"."""
    following = pieces[place + 1 : place + 3]
    if not following or following[0].has("copula", "sanction", "negation", "may", "must"):
        return False
    return place > 0 and any(one.has("agent") for one in pieces[max(0, place - 3) : place])


def _read_modality(pieces: Sequence[Piece], place: int) -> tuple[Modality | None, int]:
    """Return what the duty at a place is after what denies it, and where its words end."""
    one = pieces[place]
    if one.has("free"):
        return "may", place
    if one.has("forbidding"):
        return ("may" if _is_denied_before(pieces, place) else "must not"), place
    following = pieces[place + 1] if place + 1 < len(pieces) else one
    is_denied = following.has("negation") and not following.has("no_negation")
    last = place + is_denied
    is_denied = is_denied or _is_denied_late(pieces, place)
    if one.has("must_not"):
        return "must not", last
    if one.has("should"):
        return "should", last
    is_denied = is_denied or _is_denied_before(pieces, place)
    if not is_denied and _names_consequence(pieces, last):
        return None, last
    only = not one.has("must") and any(p.has("only") for p in pieces[max(0, place - 7) : place])
    return ("must not" if is_denied or only else "must" if one.has("must") else "may"), last


def _names_consequence(pieces: Sequence[Piece], last: int) -> bool:
    """True of a duty that says what follows: "shall lose", "shall form a quorum"."""
    following = pieces[last + 1 : last + 4]
    if any(one.has("sanction", "definition") for one in following[:2]):
        return True
    return any(one.has("counting") and one.text.casefold().endswith("quorum") for one in following)


def _is_denied_late(pieces: Sequence[Piece], place: int) -> bool:
    """True where the end of a clause denies its verb: "darf 5 mm nicht überschreiten"."""
    for one in pieces[place + 1 :]:
        if one.text in (",", ";", ".") or one.has("turning", "condition"):
            return False
        if one.has("late_negation"):
            return True
    return False


def _is_denied_before(pieces: Sequence[Piece], place: int) -> bool:
    """True of a duty whose subject, or the word right before it, denies: "no car may"."""
    if place and pieces[place - 1].has("negation", "weak_negation", "forbidding"):
        return True
    for at in range(place - 1, max(-1, place - 14), -1):
        one = pieces[at]
        if one.text in (";", ":", ".") or one.has("condition", "exception", "must", "may", "will"):
            return False
        if one.has("negation") and not one.has("no_negation"):
            before = pieces[at - 1] if at else None
            return before is None or not before.has("barrier", "relative", "copula")
        if one.text == "," and place - at > 1 and not pieces[at + 1].has("negation"):
            return False
    return False


def _find_infinitive(pieces: Sequence[Piece], place: int) -> int | None:
    """Return where the "zu" of "ist ... einzuberufen", "sind ... zu geben" ends."""
    for at in range(place + 1, len(pieces)):
        one = pieces[at]
        if one.text in (";", ".") or one.has("condition", "must", "may"):
            return None
        word = one.text.casefold()
        if one.has("to") and at + 1 < len(pieces) and pieces[at + 1].text.endswith("n"):
            return at + 1
        if (
            one.kind == "word"
            and "zu" in word[2:-3]
            and word.endswith("en")
            and at == len(pieces) - 2
        ):
            return at
    return None


def _mark_clauses(pieces: Sequence[Piece]) -> list[str]:
    """Return for each piece its clause: "main", "condition", "exception" or "relative"."""
    kinds: list[str] = []
    kind = "main"
    for place, one in enumerate(pieces):
        if one.text in (";", ":", ".") or (one.text == "," and kind != "main"):
            kind = "main"
        elif one.has("exception"):
            kind = "exception"
        elif is_condition(pieces, place) and not (
            one.has("before", "after", "latest") and not one.has("requires")
        ):
            kind = "condition"
        kinds.append(kind)
    for place, one in enumerate(pieces):
        before = pieces[place - 1] if place else one
        is_pronoun = one.has("relative") and (not one.has("determiner") or before.text == ",")
        if is_pronoun and not one.has("barrier") and place + 1 < len(kinds):
            end = place + 2
            if one.has("determiner"):  # the clause goes on to its verb at the end
                while end < len(pieces) and pieces[end].text not in (",", ".", ";"):
                    end += 1
            kinds[place + 1 : end] = ["relative"] * len(kinds[place + 1 : end])
    return kinds


def _complete(
    pieces: Sequence[Piece],
    text: str,
    place: int,
    last: int,
    modality: Modality,
    clauses: Sequence[str],
) -> Duty:
    begin = place
    while begin and not (
        pieces[begin - 1].text in (",", ";", ":", ".") or pieces[begin - 1].has(*_MODALS)
    ):
        begin -= 1
    subject = text[pieces[begin].start : pieces[place].start].strip() if begin < place else ""
    end = last + 1
    while end < len(pieces) and pieces[end].text not in (",", ";", "."):
        end += 1
    what = text[pieces[last].end : pieces[min(end, len(pieces)) - 1].end].strip()
    is_quoted = (
        0 < text.rfind("“", 0, pieces[place].start) > text.rfind("”", 0, pieces[place].start)
    )
    in_passing = is_quoted or (place > 0 and pieces[place - 1].has("aside"))
    return Duty(
        modality,
        pieces[place].start,
        pieces[last].end,
        _find_actor(pieces, text, begin, place, last),
        what,
        _find_clause(pieces, text, clauses, "condition"),
        _find_clause(pieces, text, clauses, "exception"),
        is_main=clauses[place] == "main" and not in_passing and bool(subject or what),
        in_passing=in_passing,
    )


def _find_actor(pieces: Sequence[Piece], text: str, begin: int, place: int, last: int) -> str:
    """Return who a duty is of: its subject that acts, or whom "by" names."""
    following = pieces[last + 1 : last + 3]
    is_passive = bool(following) and following[0].has("copula", "of")
    if name := _name_agent(pieces, text, last, len(pieces)):
        return name
    subject = pieces[begin:place]
    while subject and (subject[0].has("turning", "condition") or subject[0].text == "then"):
        subject = subject[1:]
    if any(piece.has("agent") for piece in subject):
        return text[subject[0].start : subject[-1].end]
    behind = pieces[last + 1 : last + 5]
    if not subject and any(piece.has("agent") for piece in behind):
        end = next(n for n, piece in enumerate(behind) if piece.has("agent"))
        return text[behind[0].start : behind[end].end]
    is_stative = bool(following) and following[0].has("copula", "more", "less", "negation")
    if subject and not is_passive and not is_stative:
        return text[subject[0].start : subject[-1].end]
    return ""


def _name_agent(pieces: Sequence[Piece], text: str, first: int, end: int) -> str:
    """Return whom "by" names behind a duty; empty for nobody."""
    for at in range(first + 1, end - 1):
        if pieces[at].text in (";", "."):
            break
        if not pieces[at].has("by"):
            continue
        stop = at + 1
        while (
            stop < end
            and pieces[stop].kind not in ("sign", "amount")
            and not (
                pieces[stop].has("condition", "relative", "negation")
                and not pieces[stop].has("determiner")
            )
        ):
            stop += 1
        if any(piece.has("agent") for piece in pieces[at:stop]):
            return text[pieces[at].end : pieces[stop - 1].end].strip(" .,;:")
    return ""


def _find_clause(pieces: Sequence[Piece], text: str, clauses: Sequence[str], kind: str) -> str:
    """Return the words of the first clause of a kind."""
    places = [place for place, one in enumerate(clauses) if one == kind]
    if not places:
        return ""
    first = last = places[0]
    while last + 1 < len(clauses) and clauses[last + 1] == kind:
        last += 1
    return text[pieces[first].start : pieces[last].end].strip()
