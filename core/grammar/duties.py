"""The duties of a sentence: what it obliges to, forbids, permits or advises, whom, and when."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile
from typing import Literal

from core.grammar.clauses import STOPS, find_half, is_pronoun, mark_clauses
from core.grammar.comparisons import COMPARISONS
from core.grammar.cues import Piece, load_lists, load_months, load_table
from core.grammar.scopes import DUTIES, PLAIN_DUTIES, ScannedSentence, is_condition

Modality = Literal["must", "must not", "may", "should"]
MODAL_CUES = ("must", "must_not", "may", "will")
"""Categories of the cues of a modal verb."""
_OPENING: dict[str, Modality] = {"ordering": "must", "granting": "may", "prohibiting": "must not"}
"""What cues say that are a duty only where they open a sentence: "Ensure that"."""
_DUTIES = frozenset((*DUTIES, *_OPENING, "aux_to", "time_allowed"))
_DENIED: dict[Modality, Modality] = {"may": "must not", "must": "may", "must not": "may"}
"""What a duty within another becomes where that is denied: "shall not be required to"."""
_COMPARING = ("more", "less", "later", "earlier")
_FINITE = {"copula", "will"}
_STATES = ("copula", "sanction", "negation", "may", "must", "forbidding", "free")
"""What "will" announces instead of ordering it."""
_VERBS = (*DUTIES, "copula", "definition", "sanction", "aux_to", "stating")
_ASIDES = ("barrier", "by", "of", "aside", "adverb_of_ban")
_INSERTED = (*_ASIDES, "relative", "measured", "at_least", "at_most")
_EDGES = tuple(
    "of barrier by determiner universal existing turning condition relative copula".split()
)
"""What parts a noun phrase from the words before it, besides the first of these words."""
_DENIALS = ("negation", "weak_negation", "will")
_INFINITIVE = ("infinitive_mark", "infinitive_ending")
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
    """Return the duties of a sentence in order, those in passing too.

    The last is what it orders without a word of duty where it has none: "Die Wahl erfolgt geheim".
    """
    reader = _Reader(sentence, text, language)
    found = reader.read()
    return (*found, *(() if any(one.is_main for one in found) else reader.read_plain()))


class _Reader:
    """The pieces of a sentence, and of each in which clause it is."""

    def __init__(self, sentence: ScannedSentence, text: str, language: str) -> None:
        self.lead = sentence.pieces[: sentence.first]
        self.pieces = sentence.pieces[sentence.first :]
        self.own = ScannedSentence((), self.pieces)
        self.has, self.find = self.own.has, self.own.find
        self.text = text
        self.language = language
        self.clauses = mark_clauses(self.pieces)
        self.is_led = any(one.has(*PLAIN_DUTIES) for one in self.lead) and self.lead[-2].text == ":"

    def read(self) -> list[Duty]:
        found: list[Duty] = []
        taken = -1
        for place in range(len(self.pieces)):
            if place <= taken or self.pieces[place].names.isdisjoint(_DUTIES):
                continue
            if read := self._read_cue(place):
                modality, taken = read
                found.append(self._complete(place, taken, modality, found))
        own = [one for one in found if not one.in_passing]
        main = [one for one, kind in zip(self.pieces, self.clauses, strict=True) if kind == "main"]
        if own and not any(one.has(*_VERBS) for one in main) and self._ends_main(own[-1].start):
            found[found.index(own[-1])] = replace(own[-1], is_main=True)
        return found

    def _ends_main(self, start: int) -> bool:
        """True of a duty behind a condition that no comma ends: "If it rains they must be used".

        So it is in the middle: "Shoes which melt when heated are banned", not "Ask if it is legal".
        """
        place = next(at for at, one in enumerate(self.pieces) if one.start == start)
        kind, first = self.clauses[place], place
        while first and self.clauses[first - 1] == kind:
            first -= 1
        inside = self.pieces[first + 1 : place]
        is_opening = not any(one.kind == "word" for one in self.pieces[:first])
        is_whole = any(one.has(*_VERBS) for one in inside[:-1])
        is_short = bool(inside) and inside[0].kind == "word"
        return is_opening or kind == "exception" or is_whole or is_short

    def read_plain(self) -> tuple[Duty, ...]:
        """Return the duty of a plain present, in a language that has a list of those that state."""
        own = zip(self.pieces, self.clauses, strict=True)
        main = [one for one, clause in own if clause != "condition"]
        names = {name for one in main for name in one.names}
        if self.has(0, "denying") and self.has(1, "word") and not names & _FINITE:
            return (Duty("must not", 0, 0, what=self.text),)  # "No smoking in the pit"
        if "stating" in names or not self._is_whole():
            return ()
        end = next((n for n, one in enumerate(main[:5], 1) if one.has("agent")), 0)
        actor = self._name_agent(-1) or ("" if names & _FINITE else self._name_head(main[:end]))
        is_denied = any(one.has("negation") and not one.has("lacking") for one in main)
        when = self._join_clause("condition", 0), self._join_clause("exception", 0)
        return (Duty("must not" if is_denied else "must", 0, 0, actor, self.text, *when),)

    def _is_whole(self) -> bool:
        """True of a sentence, and no heading or entry of a list, whose plain present may oblige."""
        is_whole = self.text[-1:] in (".", ";") and (self.lead or not self.text[:1].islower())
        is_stated = self.own.has_any(range(len(self.pieces)), "definition", "sanction")
        has_list = bool(load_lists(self.language).get("stating"))
        return bool(is_whole) and has_list and not is_stated and ": " not in self.text

    def _at(self, place: int) -> Piece:
        return self.pieces[place] if 0 <= place < len(self.pieces) else _NOTHING

    def _near(self, first: int, last: int, *names: str) -> bool:
        """True where a piece from a place up to another is a cue of one of these categories."""
        return self.own.has_any(range(first, last + 1), *names)

    def _read_cue(self, place: int) -> tuple[Modality, int] | None:
        """Return what the duty at a place is, and where its words end; None without a duty."""
        one, before, following = (self._at(at) for at in (place, place - 1, place + 1))
        opens = before.kind == "sign" and before.text != ","
        is_month = one.text in load_months() and (not opens or following.text[:1].isdigit())
        if is_month or self._is_no_duty(place):
            return None
        if order := next((said for name, said in _OPENING.items() if one.has(name)), None):
            is_order = opens and (one.has(*PLAIN_DUTIES) or not self.is_led)
            return (order, place) if is_order else None
        if one.has("aux_to") and (end := self._find_infinitive(place)):
            return "must", end
        return self._read_modal(place) if one.has(*PLAIN_DUTIES) else self._read_verb(place)

    def _is_no_duty(self, place: int) -> bool:
        """True of a word that informs, opens a condition, or says an aim."""
        one = self.pieces[place]
        is_aim = one.has("must", "aux_to") and self._near(place - 6, place - 1, "aim")
        is_condition_word = one.has("inverted") and is_condition(self.pieces, place)
        return is_aim or is_condition_word or one.has("informing")  # "The aim is to show"

    def _read_verb(self, place: int) -> tuple[Modality, int] | None:
        """Return what "will" and "have" bind somebody to: "teams will send", "have 7 days to"."""
        one, following = self.pieces[place], self._at(place + 1)
        if one.has("supposing") or not self._near(place - 3, place - 1, "agent"):
            return None
        if one.has("time_allowed") and following.kind == "amount":
            is_aim = self._near(place + 2, len(self.pieces), "to")
            return ("may" if following.has("count") else "must", place) if is_aim else None
        if not one.has("will") or following.kind == "sign" or following.has(*_STATES):
            return None
        return "may" if following.has("time_allowed") else "must", place

    def _read_modal(self, place: int) -> tuple[Modality, int] | None:
        one = self.pieces[place]
        said = _name_modality(one)
        if one.has("free", "forbidding"):
            return "may" if one.has("free") or self._is_denied_before(place) else said, place
        last = place + self._is_denied_at(place + 1)
        nested = self._find_nested(last + 1)
        if one.has("must_not", "should"):
            return said, max(nested, last)
        is_denied = last > place or self._is_denied_behind(place) or self._is_denied_before(place)
        if nested:  # "shall only be permitted", "may be required"
            inner = _name_modality(self.pieces[nested])
            plain = said if said == "may" else inner
            return _DENIED.get(inner, inner) if is_denied else plain, nested
        if is_denied or (said == "may" and self._is_only(place)):
            return "may" if one.has("obliged") else "must not", last
        is_consequence = self._near(last + 1, last + 2, "sanction", "definition", "ending")
        return None if said == "must" and is_consequence else (said, last)

    def _is_denied_at(self, place: int) -> bool:
        """True of "not", but of neither "no fewer than" nor a word such as "not only"."""
        one = self._at(place)
        is_compared = one.has("denying") and self._at(place + 1).has(*_COMPARING)
        return one.has("negation") and not (one.has("no_negation") or is_compared)

    def _find_nested(self, at: int) -> int:
        """Return where another duty completes one: "shall only be permitted"; 0 for nowhere."""
        while self._at(at).has("only", "copula"):
            at += 1
        is_nested = self._at(at).has(*PLAIN_DUTIES) and not self._at(at).has(*_OPENING)
        return at if is_nested else 0

    def _is_only(self, place: int) -> bool:
        """True of "only two may" and "may be used only by day"."""
        behind = self.pieces[place + 1 : place + 7]
        own = takewhile(lambda one: one.text not in STOPS and one.text != ",", behind)
        is_behind = any(one.has("only") for one in own)
        return is_behind or any(
            self.has(at, "only")
            # "on this day only" opens a sentence
            and not (self.has(at - 1, "word") and self.has(at - 2, "existing") and at < 6)
            for at in range(place - 7, place)
        )

    def _is_denied_behind(self, place: int) -> bool:
        """True where the end of a clause denies its verb: "darf 5 mm nicht überschreiten".

        So does its object: "there must be no crack", "may have no more than two".
        """
        behind, stops = range(place + 1, len(self.pieces)), (",", ";", ".", "turning", "condition")
        late, near = (
            self.find(behind, ("late_negation",), stops),
            self.find(behind[:3], ("denying",), stops),
        )
        is_compared = self.has(near + 1, *_COMPARING) and not self.has(place, "may")
        is_late = late >= 0 and not self.has(late - 1, "determiner")  # "eine nicht neue Plane"
        return is_late or (near >= 0 and not is_compared)

    def _is_denied_before(self, place: int) -> bool:
        """True of a duty whose subject, or the word right before it, denies: "no car may"."""
        if self._at(place - 1).has("negation", "weak_negation", "forbidding"):
            return True
        is_final = self._at(place + 1).kind == "sign"
        is_joined = False
        for at in range(place - 1 - self._at(place - 1).has("will", "copula"), -1, -1):
            one = self.pieces[at]
            if self.clauses[at] not in ("main", self.clauses[place]):
                continue
            if self._denies_whole(at) or (is_final and one.has("late_negation")):
                if self._at(at - 1).has("barrier"):  # "in no case may a car"
                    return self._at(place + 1).has("determiner")
                return not self._at(at - 1).has("relative", "copula")
            is_joined = is_joined or one.has("turning")
            is_verb = one.has("copula") and self.clauses[at] == "main"
            is_parted = one.text == "," and at < place - 1 and not is_joined
            if is_parted or is_verb or one.text in STOPS or one.has(*MODAL_CUES, "condition"):
                return False
        return False

    def _denies_whole(self, place: int) -> bool:
        """True of "no car", not of "no fewer than"."""
        is_bound = " " not in self._at(place).text and self._at(place + 1).has(*_COMPARING)
        return self._at(place).has("denying") and not is_bound

    def _find_infinitive(self, place: int) -> int | None:
        """Return where the "zu" of "ist ... einzuberufen", "sind ... zu geben" ends."""
        mark, ending = (str(load_table(self.language, "words")[name]) for name in _INFINITIVE)
        for at in range(place + 1, len(self.pieces)):
            word = self.pieces[at].text
            if self.has(at, ";", "condition", *PLAIN_DUTIES):
                return None
            is_verb = not self.has(at + 1, "determiner", "existing")  # "zu den Zelten"
            if self.has(at, "to") and is_verb and self._at(at + 1).text.endswith(ending):
                return at + 1
            is_verb = word.islower() and word.endswith(ending) and mark in word[2:-3]
            if is_verb and self.has(at + 1, ".", ",", ";", "turning"):
                return at
        return None

    def _complete(self, place: int, last: int, modality: Modality, found: Sequence[Duty]) -> Duty:
        pieces, text = self.pieces, self.text
        subject = self._find_subject(place)
        is_impersonal = _begins(subject, "expletive")
        start, end = pieces[place].start, last + 1
        end += is_impersonal and self._at(end).text == ","  # "Es ist verboten, ... zu"
        while end < len(pieces) and pieces[end].text not in (",", ";", "."):
            end += 1
        first = place if pieces[place].has("aux_to") and place < last else last
        what = text[pieces[first].end : pieces[end - 1].end].strip(" ,")
        is_quoted = 0 < text.rfind("“", 0, start) > text.rfind("”", 0, start)
        before = self._at(place - 1)
        in_passing = is_quoted or (before.has("aside") and not before.text.isupper())
        is_main = self.clauses[place] == "main" and not self._is_defined(place)
        return Duty(
            modality,
            start,
            pieces[last].end,
            self._find_actor(subject, place, last, found),
            what,
            self._join_clause("condition", place),
            self._join_clause("exception", place),
            is_main=is_main and not in_passing and bool(subject or what),
            in_passing=in_passing,
        )

    def _is_defined(self, place: int) -> bool:
        """True of a duty in what a word means or somebody decides: "whether it may start"."""
        before = range(place - 1, -1, -1)
        at = self.find(before, ("definition", "asking"), (*STOPS, "turning"))
        is_word = self.clauses[at] == "main" and not self.has(at + 1, "relative")
        return at >= 0 and (is_word or self.has(at, "asking"))

    def _find_subject(self, place: int) -> Sequence[Piece]:
        """Return the pieces before a duty that say who or what it is of."""
        subject: list[Piece] = []
        if self._at(place - 1).has("turning") and not self._at(place - 1).has("will"):
            return subject
        for at in range(place - 1, -1, -1):
            one = self.pieces[at]
            is_own = self.clauses[at] == self.clauses[place]
            if one.has("will") and at > place - 3:
                subject.clear()  # "will also have to"
            elif one.text == "," and not (subject and not subject[0].has(*_INSERTED)):
                subject.clear()  # "The board, by a majority, may"
            elif one.text in (",", *STOPS) or (is_own and one.has(*DUTIES)):
                break
            elif is_own and one.kind != "sign":
                subject.insert(0, one)
        return self._trim_subject(subject)

    def _trim_subject(self, subject: list[Piece]) -> Sequence[Piece]:
        """Return a subject without what joins it, denies it or says more of it in a clause."""
        while _begins(subject, "turning", "condition"):
            del subject[0]
        while subject and subject[-1].has(*_DENIALS, "copula") and not subject[-1].has("agent"):
            del subject[-1]
        pronoun = next((n for n in range(1, len(subject)) if is_pronoun(subject, n)), None)
        return subject[:pronoun]

    def _find_actor(
        self, subject: Sequence[Piece], place: int, last: int, found: Sequence[Duty]
    ) -> str:
        """Return who a duty is of: whom "by" names, its subject that acts, or who is addressed."""
        is_passive = self._near(last + 1, last + 2, "copula")
        is_stative = is_passive or self._at(last + 1).has("of", "more", "less", "negation")
        subject = self._cut_subject(subject, place)
        is_expletive = _begins(subject, "expletive")
        is_stated = self._at(place - 1).has("copula", "negation")
        if is_expletive and (is_stated or not _begins(subject, "agent")):
            subject = subject[1:]  # "Il est interdit", not "Il doit"
        named = [self._name_agent(place), self._name_head(subject)]
        if not (is_passive or place < last):
            named.reverse()  # who acts comes before whom "by" names
        if name := next(filter(None, named), ""):
            return name
        if not subject and found and self._at(place - 1).has("turning"):
            return "" if is_stative else found[-1].actor
        if name := self._name_addressee(subject, place, last):
            return name
        if is_stative or is_expletive or _begins(subject, *_ASIDES):
            return ""
        return self._quote(subject)

    def _cut_subject(self, subject: Sequence[Piece], place: int) -> Sequence[Piece]:
        """Return a subject without "only" before it, and without what says which things it is."""
        subject = subject[_begins(subject, "only") :]
        subject = subject[: _find_comparison(subject)]  # "vehicles heavier than 750 kg"
        if self.clauses[place] == "main":
            return subject
        end = max((n for n, one in enumerate(subject, 1) if one.has("agent")), default=0)
        return subject[:end]  # "If a team fails it must"

    def _quote(self, pieces: Sequence[Piece]) -> str:
        return self.text[pieces[0].start : pieces[-1].end].strip(" .,;:") if pieces else ""

    def _name_head(self, pieces: Sequence[Piece]) -> str:
        """Return a noun phrase from the agent that is its head on; empty where none is."""
        for at in (at for at, one in enumerate(pieces) if one.has("agent")):
            if pieces[at].has("pronoun"):
                return f"{pieces[at].text}{self._find_antecedent(pieces[at].start)}"
            first = at
            while first and not pieces[first - 1].has(*_EDGES):
                first -= 1
            if first and _is_article(pieces[first - 1]):
                first -= 1
            if not first or not pieces[first - 1].has("of", "barrier", "by", "exception"):
                return self._quote(pieces[first + (first < at and pieces[first].has("denying")) :])
            part = pieces[first - 2] if first > 1 else _NOTHING
            if part.has("parting") or part.kind == "amount":  # "one of the drivers"
                return self._quote(pieces[first - 2 :])
        return ""

    def _find_antecedent(self, end: int) -> str:
        """Return whom a pronoun that starts at a place means: " (a player)"; empty for nobody."""
        before = [*self.lead, *(one for one in self.pieces if one.start < end)]
        for at, one in enumerate(before):
            if one.has("agent") and not one.has("pronoun"):
                first = at - (at > 0 and _is_article(before[at - 1]))
                return f" ({' '.join(piece.text for piece in before[first : at + 1])})"
        return ""

    def _name_addressee(self, subject: Sequence[Piece], place: int, last: int) -> str:
        """Return who is named behind a duty: "kann der Vorstand", "allowed for the team to"."""
        last -= self.pieces[place].has("granting", "agent")
        behind = self.pieces[last + 1 : last + 7]
        end = next((n for n, one in enumerate(behind, 1) if one.has("agent")), 0)
        end += len([*takewhile(lambda one: one.has("agent"), behind[end:])])  # "team captain"
        is_other = subject and not subject[0].has("pronoun", *_ASIDES)
        if (is_other and self._at(last + end + 1).text != "to") or any(
            one.kind == "sign" or one.has("condition") for one in behind[:end]
        ):
            return ""
        first = end
        while first and not behind[first - 1].has("of", "barrier"):
            first -= 1
        name = self._quote(behind[first:end])
        table = load_table(self.language, "addressed").items()
        stems = (
            f"{rest}{name[len(prefix) :]}" for prefix, rest in table if name.startswith(prefix)
        )
        return next(stems, name)

    def _name_agent(self, last: int) -> str:
        """Return whom "by" names behind a duty; empty for nobody."""
        own = self.clauses[last] if last >= 0 else "main"
        for at in range(last + 1, len(self.pieces) - 1):
            if self.pieces[at].has("denial"):
                break  # "shielded to prevent contact by a driver"
            if not self.pieces[at].has("by") or self.clauses[at] != own:
                continue
            stop = end = at + 1 + (self.pieces[at + 1].kind == "amount")
            while (one := self._at(stop)).kind not in ("sign", "amount") and (
                one.has("determiner") or not one.has("condition", "relative", "negation", "denial")
            ):
                if one.has("barrier") and end < stop:
                    break
                stop += 1
                end = stop if one.has("agent") else end
            name = self._name_head(behind := self.pieces[at + 1 : end])
            if name and name == self._quote(behind):
                return name
        return ""

    def _join_clause(self, kind: str, place: int) -> str:
        """Return the words of the first clause of a kind in the half that a place is in."""
        half = find_half(self.pieces, self.clauses, place)
        own = dropwhile(lambda at: self.clauses[at] != kind, half)
        same = takewhile(lambda at: self.clauses[at] == kind, own)
        return self._quote([self.pieces[at] for at in same])


def _find_comparison(subject: Sequence[Piece]) -> int:
    """Return where the words end that name a thing before they say of what size it is."""
    for at in range(1, len(subject)):
        last = at - subject[at - 1].has("of", "barrier", "relative")
        is_named = subject[last - 1].kind == "word" or subject[last - 1].has("agent")
        if subject[at].has(*COMPARISONS) and is_named and not subject[0].has(*_ASIDES):
            return last
    return len(subject)


def _begins(pieces: Sequence[Piece], *names: str) -> bool:
    return any(one.has(*names) for one in pieces[:1])


def _name_modality(one: Piece) -> Modality:
    """Return what a cue says of itself."""
    if one.has("forbidding", "must_not"):
        return "must not"
    said: Modality = "should" if one.has("should") else "must" if one.has("must") else "may"
    return "may" if one.has("free") else said


def _is_article(one: Piece) -> bool:
    return one.has("determiner") or (one.has("universal", "existing") and not one.has("of"))
