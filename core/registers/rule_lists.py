"""Lists of the rules of one kind that a document has, as a table shows them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.language import Language
from core.library import has_words
from core.registers.checklist import ChecklistEntry
from core.registers.obligations import Obligation, ObligationsList
from core.registers.register import Limit, LimitsRegister, UnreadNumbers

Cells = dict[str, object]
"""Plain text by the names of a table's columns."""


@dataclass(frozen=True, slots=True)
class RuleList:
    """Rules of one kind, and what is shown of each."""

    rules: Sequence[Any]
    """What filters leave of a `total`."""
    total: int
    summary: str
    cells: Callable[[Any], Mapping[str, object]]

    def find_rules(self, words: str, is_in_force: bool) -> list[Any]:
        """Return the rules whose cells have all words, and those in force alone if wanted."""
        return [
            rule
            for rule in self.rules
            if (rule.in_force or not is_in_force)
            and has_words(" ".join(map(str, self.cells(rule).values())), words)
        ]


def list_limits(
    language: Language,
    register: LimitsRegister,
    relations: Sequence[str] = (),
    units: Sequence[str] = (),
) -> RuleList:
    """List the limits of some relations and units; none means all."""
    limits = _filter_by(_filter_by(register.limits, "relation", relations), "unit", units)
    count, in_force = len(register.limits), [one for one in register.limits if one.in_force]
    unproved, others = sum(not one.proved for one in in_force), len(register.unread)
    summary = language.say("limits-summary", unproved=unproved, others=others)
    return RuleList(limits, count, summary, partial(limit_cells, language))


def list_obligations(
    language: Language,
    listed: ObligationsList,
    noted: Mapping[Obligation, ChecklistEntry],
    modalities: Sequence[str] = (),
) -> RuleList:
    """List the obligations of some modalities, none means all, with what is noted of each."""
    return RuleList(
        _filter_by(listed.obligations, "modality", modalities),
        len(listed.obligations),
        language.say("obligations-summary", count=len(listed.omitted)),
        lambda duty: obligation_cells(language, duty, noted.get(duty, ChecklistEntry())),
    )


def list_unread(language: Language, register: LimitsRegister) -> RuleList:
    """List the clauses with a number and no limit, and the figures that are not read."""
    unread = register.unread
    pages = sorted({one.page for one in unread if one.reason.startswith("figure")})
    figures = language.say("limits-figures", count=len(pages), pages=", ".join(map(str, pages)))
    return RuleList(unread, len(unread), figures if pages else "", unread_cells)


def _filter_by(rules: Iterable[Any], field: str, chosen: Sequence[str]) -> list[Any]:
    return [rule for rule in rules if not chosen or getattr(rule, field) in chosen]


def limit_cells(language: Language, limit: Limit) -> Cells:
    """Return a limit's cells; one whose direction is not proved says so."""
    said = str(limit) if limit.proved else language.say("limit-not-proved", limit=str(limit))
    return {
        "article": limit.article,
        "limit": said,
        "subject": limit.subject,
        "condition": limit.condition,
        "page": limit.page,
        "duty": language.say(f"duty-{limit.modality}"),
        "quote": limit.quote,
    }


def obligation_cells(language: Language, duty: Obligation, noted: ChecklistEntry) -> Cells:
    return {
        "article": duty.article,
        "page": duty.page,
        "duty": language.say(f"duty-{duty.modality}"),
        "who": duty.actor,
        "quote": duty.quote,
        "owner": noted.owner,
        "status": noted.status,
    }


def unread_cells(unread: UnreadNumbers) -> Cells:
    place = {"article": unread.article, "page": unread.page}
    return place | {"why": unread.reason, "words": unread.words}
