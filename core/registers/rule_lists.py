"""Lists of the rules of one kind that a document has, as a table shows them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from core.language import Language
from core.library import has_words
from core.registers.checklist import ChecklistEntry, list_unowned
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


class RuleLists:
    """The lists of rules in a reader's language; of several documents with the names of these."""

    def __init__(
        self, language: Language, rulebooks: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._language, self._say = language, language.say
        self._rulebooks = rulebooks if len(rulebooks) > 1 else {}

    def limits(
        self, register: LimitsRegister, relations: Sequence[str] = (), units: Sequence[str] = ()
    ) -> RuleList:
        """List the limits of some relations and units; none means all."""
        limits = _filter_by(_filter_by(register.limits, "relation", relations), "unit", units)
        unproved = sum(limit.in_force and not limit.proved for limit in register.limits)
        summary = self._say("limits-summary", unproved=unproved, others=len(register.unread))
        cells = partial(self.limit_cells, in_layers=any(one.overridden for one in register.limits))
        return RuleList(limits, len(register.limits), summary, cells)

    def obligations(
        self,
        listed: ObligationsList,
        noted: Mapping[Obligation, ChecklistEntry],
        modalities: Sequence[str] = (),
        subteams: Sequence[str] = (),
    ) -> RuleList:
        """List the obligations of some modalities and subteams, with what is noted of each.

        None means all; "" among the subteams means those that nobody owns, as of `list_unowned`.
        """
        in_layers = any(one.overridden for one in listed.obligations)

        def cells(duty: Obligation) -> Cells:
            entry = noted.get(duty, ChecklistEntry())
            place = self._place_cells(duty, in_layers)
            return place | {
                "page": duty.page,
                "duty": self._say(f"duty-{duty.modality}"),
                "who": duty.actor,
                "quote": duty.quote,
                "owner": entry.owner,
                "subteam": entry.subteam,
                "status": entry.status,
            }

        duties = _filter_by(listed.obligations, "modality", modalities)
        if subteams:
            unowned = set(list_unowned(duties, noted)) if "" in subteams else set()
            named = {duty for duty, entry in noted.items() if entry.subteam in {*subteams} - {""}}
            duties = [duty for duty in duties if duty in unowned | named]
        summary = self._say("obligations-summary", count=len(listed.omitted))
        return RuleList(duties, len(listed.obligations), summary, cells)

    def unread(self, register: LimitsRegister) -> RuleList:
        """List the clauses with a number and no limit, and the figures that are not read."""

        def cells(unread: UnreadNumbers) -> Cells:
            place: Cells = {"article": unread.article, "page": unread.page}
            return (
                self._name_rulebook(unread.document_id)
                | place
                | {"why": unread.reason, "words": unread.words}
            )

        unread = register.unread
        pages = sorted({one.page or 0 for one in unread if one.reason.startswith("figure")})
        figures = self._say("limits-figures", count=len(pages), pages=", ".join(map(str, pages)))
        return RuleList(unread, len(unread), figures if pages else "", cells)

    def limit_cells(self, limit: Limit, in_layers: bool = False) -> Cells:
        """Return a limit's cells; one whose direction is not proved says so.

        What another layer means for it has a cell if there is any, or if wanted.
        """
        said = str(limit) if limit.proved else self._say("limit-not-proved", limit=str(limit))
        return self._place_cells(limit, in_layers) | {
            "limit": said,
            "subject": limit.subject,
            "condition": limit.condition,
            "page": limit.page,
            "duty": self._say(f"duty-{limit.modality}"),
            "quote": limit.quote,
        }

    def _place_cells(self, rule: Limit | Obligation, in_layers: bool) -> Cells:
        """Return the cells that come first: whether a rule is the law is seen without scrolling."""
        cells = self._name_rulebook(rule.document_id) | {"article": rule.article}
        if in_layers or rule.overridden:
            cells["layers"] = self._language.translate(rule.overridden)
        return cells

    def _name_rulebook(self, document_id: str) -> Cells:
        name = self._rulebooks.get(document_id)
        return {"rulebook": name} if name else {}


def _filter_by(rules: Iterable[Any], field: str, chosen: Sequence[str]) -> list[Any]:
    return [rule for rule in rules if not chosen or getattr(rule, field) in chosen]
