"""The obligations of a document: every sentence with a word of duty, or why it is none."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.grammar import (
    Modality,
    announces,
    any_word,
    find_duty_words,
    led_duty,
    main_duty,
    split_passages,
)
from core.registers.register import is_in_force, page_of
from core.rulebook import Clause

_ACTOR = re.compile(rf"(?i)\b(?:{any_word('actor')})\b")
_ANNOUNCES = "announces what will or can be"
_IN_PASSING = "names a duty in passing"
_BREAKS_OFF = re.compile(r"(?i)\b(?:must|shall|should|may|not|be|to|only|have|that)\s*:\s*$")
"""The end of a lead-in that its items complete: "must:", "is to:"."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """What a rule says that somebody must, must not, may or should do. `actor` is who, if said."""

    document_id: str
    clause_id: str
    article: str
    page: int
    modality: Modality
    actor: str
    quote: str
    in_force: bool


@dataclass(frozen=True, slots=True)
class OmittedDuty:
    """A sentence with a word of duty that is no obligation, and why."""

    document_id: str
    article: str
    page: int
    reason: str
    quote: str


@dataclass(frozen=True, slots=True)
class ObligationsList:
    """The obligations of a document, and what was left out."""

    obligations: tuple[Obligation, ...]
    omitted: tuple[OmittedDuty, ...]

    @property
    def summary(self) -> str:
        """One sentence that counts both."""
        return (
            f"{len(self.obligations)} obligations; {len(self.omitted)} sentences oblige nobody:"
            " they say what will or can be, or name a duty in passing."
        )


def read_obligations(clauses: Iterable[Clause]) -> ObligationsList:
    """Read the obligations of a document's clauses.

    Every sentence with a word of duty is in the list, and every item that completes one; a sentence
    that only announces, or names a duty in passing, is in the other.
    """
    found: list[Obligation] = []
    omitted: list[OmittedDuty] = []
    for clause in clauses:
        leads = {one.quote: one.lead for one in split_passages(clause.text, clause.lead_in)}
        for quote, lead in leads.items():
            own, has_words = main_duty(quote), bool(find_duty_words(quote))
            is_led = _BREAKS_OFF.search(lead) or (has_words and lead.rstrip().endswith(":"))
            if duty := own or (led_duty(lead) if is_led else None):
                actor = (own and _ACTOR.search(quote, 0, own.start)) or _ACTOR.search(lead)
                found.append(
                    Obligation(
                        clause.document_id,
                        clause.clause_id,
                        clause.article,
                        page_of(clause, quote),
                        duty.modality,
                        actor[0].lower() if actor else "",
                        quote,
                        is_in_force(clause),
                    )
                )
            elif has_words or announces(quote):
                reason = _ANNOUNCES if announces(quote) else _IN_PASSING
                page = page_of(clause, quote)
                omitted.append(OmittedDuty(clause.document_id, clause.article, page, reason, quote))
    return ObligationsList(tuple(found), tuple(omitted))
