"""The duties of a sentence: what it obliges to, forbids, permits or advises, whom, and when."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.grammar.cues import Piece, load_lists, load_months, load_table
from core.grammar.relations import ScannedSentence, is_condition

Modality = Literal["must", "must not", "may", "should"]
MODAL_CUES = ("must", "must_not", "may", "will")
"""Categories of the cues of a modal verb."""
_MODALS = ("forbidding", "free", "must_not", "must", "may", "should")
_OPENING: dict[str, Modality] = {
    "ordering": "must",
    "granting": "may",
    "prohibiting": "must not",
}
"""What cues say that are a duty only where they open a sentence: "Ensure that"."""
_DENIED: dict[Modality, Modality] = {"may": "must not", "must": "may", "must not": "may"}
"""What a duty within another becomes where that is denied: "shall not be required to"."""
_COMPARING = ("more", "less", "later", "earlier")
_STOPS = (";", ":", ".", "⁝")
_NOTHING = Piece("sign", "", -1, -1)


@dataclass(frozen=True, slots=True)
class Duty:
    """A duty with its place in the text, and in the sentence's words who, what and when.

    `is_main` is false of one in a condition or a clause within another, and of words in passing
    ("as permitted by"). What no word of duty says has no length.
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
    lead = sentence.pieces[: sentence.first]
    is_item = any(one.has(*_MODALS) for one in lead) and lead[-2].text == ":"
    return _Reader(sentence, text, language).read(is_item)


def find_plain_duty(sentence: ScannedSentence, text: str, language: str) -> tuple[Duty, ...]:
    """Return what a sentence without a word of duty orders: "Die Wahl erfolgt geheim"."""
    return _Reader(sentence, text, language).read_plain()


class _Reader:
    """The pieces of a sentence, and of each in which clause it is."""

    def __init__(self, sentence: ScannedSentence, text: str, language: str) -> None:
        self.lead = sentence.pieces[: sentence.first]
        self.pieces = sentence.pieces[sentence.first :]
        self.text = text
        self.language = language
        self.clauses = _mark_clauses(self.pieces)

    def read(self, is_item: bool) -> tuple[Duty, ...]:
        found: list[Duty] = []
        taken = -1
        for place in range(len(self.pieces)):
            if place > taken and (read := self._read_modality(place, is_item)):
                modality, taken = read
                found.append(self._complete(place, taken, modality, found))
        own = [one for one in found if not one.in_passing]
        if own and not any(one.is_main for one in own):
            # "If a tool is at hand it must be used" tells by no comma where its condition ends
            parts = zip(self.pieces, self.clauses, strict=True)
            if not any(kind == "main" and piece.kind != "sign" for piece, kind in parts):
                found[found.index(own[-1])] = replace(own[-1], is_main=True)
        return tuple(found)

    def read_plain(self) -> tuple[Duty, ...]:
        """Return the duty of a plain present, in a language that has a list of those that state."""
        own = zip(self.pieces, self.clauses, strict=True)
        main = [one for one, clause in own if clause != "condition"]
        is_fragment = self._at(0).has("denying") and self._at(1).kind == "word"
        if is_fragment and not any(one.has("copula", "will") for one in main):
            return (Duty("must not", 0, 0, what=self.text),)  # "No smoking in the pit"
        is_whole = self.text[-1:] in (".", ";") and (self.lead or not self.text[:1].islower())
        if not load_lists(self.language).get("stating") or not is_whole or ": " in self.text:
            return ()
        if any(one.has("stating") for one in main) or any(
            one.has("definition", "sanction") for one in self.pieces
        ):
            return ()
        is_passive = any(one.has("will", "copula") for one in main)
        end = next((n for n, one in enumerate(main[:5], 1) if one.has("agent")), 0)
        actor = self._name_agent(-1) or ("" if is_passive else self._name_head(main[:end]))
        is_denied = any(one.has("negation") and not one.has("lacking") for one in main)
        modality: Modality = "must not" if is_denied else "must"
        when = self._join_clause("condition"), self._join_clause("exception")
        return (Duty(modality, 0, 0, actor, self.text, *when),)

    def _at(self, place: int) -> Piece:
        return self.pieces[place] if 0 <= place < len(self.pieces) else _NOTHING

    def _opens(self, place: int) -> bool:
        before = self._at(place - 1)
        return before.has("turning") or (before.kind == "sign" and before.text != ",")

    def _read_modality(self, place: int, is_item: bool) -> tuple[Modality, int] | None:
        """Return what the duty at a place is, and where its words end; None without a duty."""
        one = self.pieces[place]
        if one.has("informing") or (one.has("inverted") and is_condition(self.pieces, place)):
            return None
        is_date = not self._opens(place) or self._at(place + 1).text[:1].isdigit()
        if one.text in load_months() and is_date:
            return None
        for name, modality in _OPENING.items():
            if one.has(name):
                is_order = self._opens(place) and (one.has(*_MODALS) or not is_item)
                return (modality, place) if is_order else None
        if one.has("aux_to") and (end := self._find_infinitive(place)):
            return "must", end
        if one.has("will") and not one.has(*_MODALS):
            return self._read_will(place)
        return self._read_modal(place) if one.has(*_MODALS) else None

    def _read_modal(self, place: int) -> tuple[Modality, int] | None:
        one, following = self.pieces[place], self._at(place + 1)
        if one.has("forbidding") and following.has("must", "may"):
            return None  # "at no time shall", whose duty comes next
        said = _name_modality(one)
        if one.has("free", "forbidding"):
            is_denied = one.has("forbidding") and self._is_denied_before(place)
            return ("may" if is_denied else said), place
        is_compared = following.has("denying") and self._at(place + 2).has(*_COMPARING)
        is_denied = following.has("negation") and not (
            following.has("no_negation") or is_compared
        )
        last = place + is_denied
        if one.has("must_not", "should"):
            return said, last
        is_denied = is_denied or self._is_denied_late(place) or self._is_denied_before(place)
        at = last + 1
        while self._at(at).has("only") or self._at(at).text == "be":
            at += 1
        if self._at(at).has(*_MODALS) and not self._at(at).has(*_OPENING):  # "shall only be permitted", "may be required"
            inner = _name_modality(self.pieces[at])
            return (_DENIED.get(inner, inner) if is_denied else min(said, inner)), at
        if said == "must" and not is_denied and self._names_consequence(last):
            return None
        near = self.pieces[max(0, place - 7) : place]
        is_denied = is_denied or (said == "may" and any(one.has("only") for one in near))
        return ("must not" if is_denied else said), last

    def _read_will(self, place: int) -> tuple[Modality, int] | None:
        """Return what "will" binds somebody to: "each entrant will send", "will have a run"."""
        following = self._at(place + 1)
        names = ("copula", "sanction", "negation", "may", "must")
        if following.kind == "sign" or following.has(*names):
            return None
        near = self.pieces[max(0, place - 3) : place]
        if not any(one.has("agent") for one in near):
            return None
        return ("may" if following.has("time_allowed") else "must"), place

    def _names_consequence(self, last: int) -> bool:
        """True of a duty that says what follows: "shall lose", "shall form a quorum"."""
        following = self.pieces[last + 1 : last + 4]
        if any(one.has("sanction", "definition", "ending") for one in following[:2]):
            return True
        return any(one.has("counting") and one.text.lower().endswith("quorum") for one in following)

    def _is_denied_late(self, place: int) -> bool:
        """True where the end of a clause denies its verb: "darf 5 mm nicht überschreiten".

        So does its object: "there must be no crack", "may have no more than two".
        """
        for at in range(place + 1, len(self.pieces)):
            one = self.pieces[at]
            if one.text in (",", ";", ".") or one.has("turning", "condition"):
                return False
            is_object = at <= place + 3 and one.has("denying")
            is_compared = is_object and self._at(at + 1).has(*_COMPARING)
            if one.has("late_negation") or (
                is_object and (not is_compared or self.pieces[place].has("may"))
            ):
                return True
        return False

    def _is_denied_before(self, place: int) -> bool:
        """True of a duty whose subject, or the word right before it, denies: "no car may"."""
        if self._at(place - 1).has("negation", "weak_negation", "forbidding"):
            return True
        is_joined = False
        for at in range(place - 1 - self._at(place - 1).has("will"), -1, -1):
            one = self.pieces[at]
            if one.text in _STOPS or one.has("condition", "must", "may", "will"):
                return False
            if self.clauses[at] == "aside":
                continue
            if one.has("denying"):
                return not self._at(at - 1).has("barrier", "relative", "copula")
            if one.has("copula") and self.clauses[at] == "main":
                return False
            is_joined = is_joined or one.has("turning")
            if one.text == "," and place - at > 1 and not is_joined:
                return False
        return False

    def _find_infinitive(self, place: int) -> int | None:
        """Return where the "zu" of "ist ... einzuberufen", "sind ... zu geben" ends."""
        for at in range(place + 1, len(self.pieces)):
            one, following = self.pieces[at], self._at(at + 1)
            if one.text == ";" or one.has("condition", "must", "may"):
                return None
            if one.has("to") and following.text.endswith("n"):
                return at + 1
            is_verb = one.kind == "word" and one.text.islower() and one.text.endswith("n")
            is_last = following.text in (".", ",", ";") or following.has("turning")
            if is_verb and is_last and "zu" in one.text[2:-3]:
                return at
        return None

    def _complete(
        self, place: int, last: int, modality: Modality, found: Sequence[Duty]
    ) -> Duty:
        pieces, text = self.pieces, self.text
        start, end = pieces[place].start, last + 1
        while end < len(pieces) and pieces[end].text not in (",", ";", "."):
            end += 1
        first = place if pieces[place].has("aux_to") and place < last else last
        what = text[pieces[first].end : pieces[end - 1].end].strip()
        is_quoted = 0 < text.rfind("“", 0, start) > text.rfind("”", 0, start)
        in_passing = is_quoted or self._at(place - 1).has("aside")
        subject = self._find_subject(place)
        is_main = self.clauses[place] == "main" and not self._is_defined(place)
        return Duty(
            modality,
            start,
            pieces[last].end,
            self._find_actor(subject, place, last, found),
            what,
            self._join_clause("condition"),
            self._join_clause("exception"),
            is_main=is_main and not in_passing and bool(subject or what),
            in_passing=in_passing,
        )

    def _is_defined(self, place: int) -> bool:
        """True of a duty in what a word means: "a clock of which only one side can run"."""
        for at in range(place - 1, -1, -1):
            one = self.pieces[at]
            if one.text in _STOPS or one.has("turning"):
                return False
            if one.has("definition") and at and not self._at(at + 1).has("relative"):
                return self.clauses[at] == "main"
        return False

    def _find_subject(self, place: int) -> Sequence[Piece]:
        """Return the pieces before a duty that say who or what it is of."""
        subject: list[Piece] = []
        if self._at(place - 1).has("turning"):
            return subject
        for at in range(place - 1, -1, -1):
            one = self.pieces[at]
            is_own = self.clauses[at] == self.clauses[place]
            if one.has("will") and at > place - 3:
                continue  # "will also have to"
            if one.text in _STOPS or (is_own and one.has(*_MODALS, "will")):
                break
            if one.text == ",":
                if subject and not subject[0].has("barrier", "by", "of", "aside"):
                    break
                subject.clear()  # "The board, by a majority, may"
            elif is_own:
                subject.insert(0, one)
        while subject and subject[0].has("turning", "condition"):
            subject = subject[1:]
        while subject and subject[-1].has("negation", "weak_negation", "will") and not (
            subject[-1].has("agent")
        ):
            subject = subject[:-1]
        pronoun = next((n for n in range(1, len(subject)) if _is_pronoun(subject, n)), None)
        return subject[:pronoun]

    def _find_actor(
        self, subject: Sequence[Piece], place: int, last: int, found: Sequence[Duty]
    ) -> str:
        """Return who a duty is of: whom "by" names, its subject that acts, or who is addressed."""
        following = self._at(last + 1)
        is_stative = following.has("of", "more", "less", "negation") or any(
            one.has("copula") for one in self.pieces[last + 1 : last + 3]
        )
        if self.clauses[place] != "main":  # "If a team fails it must"
            end = max((n for n, one in enumerate(subject, 1) if one.has("agent")), default=0)
            subject = subject[:end]
        if name := self._name_agent(place) or self._name_head(subject):
            return name
        if not subject and found and self._at(place - 1).has("turning"):
            return "" if is_stative else found[-1].actor
        if name := self._name_addressed(subject, place, last):
            return name
        return "" if is_stative or not subject else self._quote(subject)

    def _quote(self, pieces: Sequence[Piece]) -> str:
        return self.text[pieces[0].start : pieces[-1].end].strip(" .,;:")

    def _name_head(self, pieces: Sequence[Piece]) -> str:
        """Return a noun phrase from the agent that is its head on; empty where none is."""
        for at, one in enumerate(pieces):
            if not one.has("agent"):
                continue
            first = at
            while first and pieces[first - 1].kind in ("word", "amount"):
                first -= 1
            article = pieces[first - 1] if first else _NOTHING
            is_plain = article.has("universal", "existing") and not article.has("of")
            first -= article.has("determiner") or is_plain
            before = pieces[first - 1] if first else _NOTHING
            if one.has("pronoun"):
                return f"{one.text}{self._find_antecedent(one.start)}"
            if not before.has("of", "barrier", "by", "exception"):
                first += first < at and pieces[first].has("denying")
                return self._quote(pieces[first:])
            if first > 1 and pieces[first - 2].has("parting"):  # "one of the drivers"
                return self._quote(pieces[first - 2 :])
        return ""

    def _find_antecedent(self, end: int) -> str:
        """Return whom a pronoun that starts at a place means: " (a player)"; empty for nobody."""
        before = [*self.lead, *(one for one in self.pieces if one.start < end)]
        for at, one in enumerate(before):
            if one.has("agent") and not one.has("pronoun"):
                first = at - (at > 0 and before[at - 1].has("determiner", "existing"))
                return f" ({' '.join(piece.text for piece in before[first : at + 1])})"
        return ""

    def _name_addressed(self, subject: Sequence[Piece], place: int, last: int) -> str:
        """Return who is named behind a duty: "kann der Vorstand", "allowed for the team to"."""
        last -= self.pieces[place].has("granting", "agent")
        behind = self.pieces[last + 1 : last + 7]
        end = next((n for n, one in enumerate(behind, 1) if one.has("agent")), 0)
        is_named = not subject or subject[0].has("pronoun") or self._at(last + end + 1).text == "to"
        if not is_named or any(one.kind == "sign" for one in behind[:end]):
            return ""
        first = end
        while first and not behind[first - 1].has("of", "barrier"):
            first -= 1
        name = self._quote(behind[first:end]) if end else ""
        for prefix, rest in load_table(self.language, "addressed").items():
            if name.startswith(prefix):
                return f"{rest}{name.removeprefix(prefix)}"
        return name

    def _name_agent(self, last: int) -> str:
        """Return whom "by" names behind a duty; empty for nobody."""
        for at in range(last + 1, len(self.pieces) - 1):
            if self.pieces[at].text in (";", "."):
                break
            stop = at + 1 + (self.pieces[at + 1].kind == "amount")
            while (one := self._at(stop)).kind not in ("sign", "amount") and not (
                one.has("condition", "relative", "negation") and not one.has("determiner")
            ):
                stop += 1
            is_own = self.clauses[at] == (self.clauses[last] if last >= 0 else "main")
            name = self._name_head(behind := self.pieces[at + 1 : stop])
            if is_own and self.pieces[at].has("by") and name and self._quote(behind) == name:
                return name
        return ""

    def _join_clause(self, kind: str) -> str:
        """Return the words of the first clause of a kind."""
        if kind not in self.clauses:
            return ""
        first = last = self.clauses.index(kind)
        while last + 1 < len(self.clauses) and self.clauses[last + 1] == kind:
            last += 1
        return self.text[self.pieces[first].start : self.pieces[last].end].strip()


def _name_modality(one: Piece) -> Modality:
    """Return what a cue says of itself."""
    if one.has("free"):
        return "may"
    if one.has("forbidding", "must_not"):
        return "must not"
    return "should" if one.has("should") else "must" if one.has("must") else "may"


def _is_pronoun(pieces: Sequence[Piece], place: int) -> bool:
    """True of a relative pronoun, not of an article or of "with"."""
    one, before = pieces[place], pieces[place - 1].text if place else "."
    if not one.has("relative") or one.has("barrier") or before in _STOPS:
        return False
    if one.has("determiner"):
        return before == ","
    return before != "," or not any(piece.has("agent") for piece in pieces[place + 1 : place + 2])


def _mark_clauses(pieces: Sequence[Piece]) -> list[str]:
    """Return for each piece its clause: "main", "condition", "exception" or "relative"."""
    kinds: list[str] = []
    kind = "main"
    in_brackets = False
    for place, one in enumerate(pieces):
        if in_brackets or (place and one.text == "("):
            in_brackets = one.text != ")"
            kinds.append("aside")
            continue
        if one.text in _STOPS or (one.text == "," and kind != "main"):
            kind = "main"
        elif one.has("exception"):
            kind = "exception"
        elif is_condition(pieces, place) and not (
            one.has("before", "after", "latest") and not one.has("requires")
        ):
            is_proviso = place > 0 and pieces[place - 1].text in (":", ";") and one.has("requires")
            kind = "main" if is_proviso else "condition"  # "...: Provided that it shall"
        kinds.append(kind)
    for place in range(len(pieces) - 1):
        if _is_pronoun(pieces, place):
            end = _find_relative_end(pieces, place)
            first = place + (not pieces[place].has("determiner"))
            kinds[first:end] = ["relative"] * (end - first)
    return kinds


def _find_relative_end(pieces: Sequence[Piece], place: int) -> int:
    """Return where the clause ends that a relative pronoun begins.

    A German one goes on to its verb before a comma. Another one takes the first modal verb where
    somebody else acts: "the number of laps which a team may drive shall be ten".
    """
    end = place + 1
    while end < len(pieces) and pieces[end].text not in (",", *_STOPS):
        end += 1
    if pieces[place].has("determiner"):
        return end
    following = pieces[place + 1]
    is_object = " " in pieces[place].text or pieces[place - 1].has("ordering")
    if is_object or following.has(
        "determiner", "universal", "existing", "agent", "only", "denying"
    ):
        modals = [at for at, one in enumerate(pieces) if one.has(*_MODALS, "will")]
        own = [at for at in modals if place < at < end]
        if own and len(modals) > 1:
            return own[0] + 1
    return place + 2
