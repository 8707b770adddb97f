"""The obligations of a document: every sentence with a word of duty, or why it is none."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from core.grammar import (
    Duty,
    Modality,
    Sentence,
    find_cues,
    list_cues,
    list_printed_sentences,
    read_sentence,
)
from core.registers.document_sentences import DocumentSentences, read_sentences
from core.registers.overrides import LayerNote, LayerNotes, find_prevailing
from core.registers.register import is_in_force, mark_overridden, page_of
from core.rulebook import Clause

_ANNOUNCES = "announces what will or can be"
_IN_PASSING = "names a duty in passing"
_BREAKS_OFF = re.compile(rf"(?i)\b(?:{list_cues('modal').any}|not|be|to|only|have|that)\s*:\s*$")
"""The end of a lead-in that its items complete: "must:", "is to:"."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """What a rule says that somebody must, must not, may or should do. `actor` is who, if said."""

    document_id: str
    clause_id: str
    article: str
    page: int | None
    modality: Modality
    actor: str
    quote: str
    in_force: bool
    overridden: str = ""
    """By what it is overridden or contradicted in another layer; empty where it is not."""


@dataclass(frozen=True, slots=True)
class OmittedDuty:
    """A sentence with a word of duty that is no obligation, and why."""

    document_id: str
    article: str
    page: int | None
    reason: str
    quote: str


@dataclass(frozen=True, slots=True)
class ObligationsList:
    """The obligations of a document, and what was left out."""

    obligations: tuple[Obligation, ...]
    omitted: tuple[OmittedDuty, ...]

    def mark_overridden(self, notes: LayerNotes) -> "ObligationsList":
        """Return the list with what other layers mean for its obligations."""
        marked = (_mark(one, notes.get(one.clause_id, ())) for one in self.obligations)
        return replace(self, obligations=tuple(marked))

    def add_amended(self, clauses: Iterable[Clause], notes: LayerNotes) -> "ObligationsList":
        """Return the list with what rules of others oblige to as sentences of this document amend.

        `clauses` are those of this document. Such an obligation has the words that amend the rule.
        """
        by_id = {one.clause_id: one for one in clauses}
        places = {clause_id: place for place, clause_id in enumerate(by_id)}
        every = dict.fromkeys(self.obligations)
        for note in chain.from_iterable(notes.values()):
            clause = by_id.get(note.clause_id) if note.kind == "overridden" else None
            duty = _find_main_duty(read_sentence(note.amended)) if clause else None
            if clause and duty:
                own = notes.get(clause.clause_id, ())
                of_others = (one for one in own if one.clause_id != clause.clause_id)
                every[_mark(_make(clause, duty, note.sentence), of_others)] = None
        ordered = sorted(every, key=lambda one: places[one.clause_id])
        return replace(self, obligations=tuple(ordered))

    @classmethod
    def join(cls, lists: Iterable["ObligationsList"]) -> "ObligationsList":
        """Return the lists of several documents as one."""
        parts = tuple(lists)
        obligations = chain.from_iterable(one.obligations for one in parts)
        return cls(tuple(obligations), tuple(chain.from_iterable(one.omitted for one in parts)))

    @property
    def summary(self) -> str:
        """One sentence that counts both."""
        return (
            f"{len(self.obligations)} obligations; {len(self.omitted)} sentences oblige nobody:"
            " they say what will or can be, or name a duty in passing."
        )


def read_obligations(
    clauses: Iterable[Clause], sentences: DocumentSentences | None = None
) -> ObligationsList:
    """List the obligations of a document's clauses.

    Every sentence with a word of duty is in the list, and every item that completes one; a sentence
    that only announces, or names a duty in passing, is in the other. `sentences` are those of the
    clauses, parsed here where they are not given.
    """
    clauses = tuple(clauses)
    sentences = sentences or read_sentences(clauses)
    found: list[Obligation] = []
    omitted: list[OmittedDuty] = []
    for clause in clauses:
        for quote, sentence in list_printed_sentences(
            sentences.find_passages(clause.clause_id)
        ).items():
            if duty := _find_main_duty(sentence):
                found.append(_make(clause, duty, quote))
            elif sentence.duties or find_cues(quote, "will", "informing"):
                reason = _ANNOUNCES if find_cues(quote, "will", "informing") else _IN_PASSING
                place = clause.document_id, clause.article, page_of(clause, quote)
                omitted.append(OmittedDuty(*place, reason, quote))
    return ObligationsList(tuple(found), tuple(omitted))


def _make(clause: Clause, duty: Duty, quote: str) -> Obligation:
    place = clause.document_id, clause.clause_id, clause.article, page_of(clause, quote)
    return Obligation(*place, duty.modality, duty.actor, quote, is_in_force(clause))


def _mark(duty: Obligation, notes: Iterable[LayerNote]) -> Obligation:
    return mark_overridden(duty, find_prevailing(notes, duty.quote))


def _find_main_duty(sentence: Sentence) -> Duty | None:
    """Return a sentence's duty: the first in no condition, else any, else what leads to it."""
    own = [duty for duty in sentence.duties if duty.end and not duty.in_passing]
    main = [duty for duty in own if duty.is_main]
    is_part = sentence.duties or find_cues(sentence.text, "exception")
    is_led = _BREAKS_OFF.search(sentence.lead) or (is_part and sentence.lead.rstrip()[-1:] == ":")
    return next(iter((*main, *own)), sentence.led_duty if is_led else None)
