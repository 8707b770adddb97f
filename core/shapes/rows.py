"""Rows on rules, values and sentences: of lists, of files, and as JSON."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, Field

from core.copied_fields import copy_fields
from core.grammar import UNITS, Sentence
from core.library import Document, RuleAddress, Scope
from core.quotes import CheckedPassage, Finding
from core.registers import (
    ChecklistEntry,
    Limit,
    LimitsRegister,
    Obligation,
    OmittedDuty,
    UnreadNumbers,
)
from core.sheets import SheetResult


def number_json(value: Decimal | None) -> int | float | None:
    """Return a decimal as a JSON number with the same digits."""
    if value is None:
        return None
    return int(value) if value == value.to_integral() else float(value)


Row = TypeVar("Row", bound="RuleRow")
OrNone = Annotated[str | None, BeforeValidator(lambda text: text or None)]
"""A text; an empty one is None."""
OrLacking = Field(None, exclude_if=lambda value: value is None)
"""A field that is only there where it has a value."""
Number = Annotated[int | float | None, BeforeValidator(number_json)]


class RuleRow(BaseModel):
    """A row on a rule: the file of its document, its article, and the page of its words."""

    document: str
    article: str
    page: int | None
    address: str
    """Of the rule, on any server."""


class LimitRow(RuleRow):
    """A limit: `unit` is None for a count, `upper` is set for a relation of "between" alone."""

    subject: str
    relation: str
    value: Number
    upper: Number
    unit: Annotated[str | None, BeforeValidator(lambda unit: UNITS.symbol_of(unit) or None)]
    proved: bool
    condition: OrNone
    modality: str
    source: str
    quote: str
    in_force: bool
    overridden: OrNone


class LimitsReply(BaseModel):
    limits: tuple[LimitRow, ...]
    summary: str

    @classmethod
    def of(cls, scope: Scope, register: LimitsRegister) -> Self:
        """Return limits in reading order, and what of the numbers sets none as a sentence."""
        of_id = scope.by_id
        rows = (_make_row(LimitRow, of_id[one.document_id], one) for one in register.limits)
        return cls(limits=tuple(rows), summary=register.summary)


class UnreadRow(RuleRow):
    """A clause whose numbers set no limit, and why."""

    reason: str
    words: str
    in_force: bool


class ObligationRow(RuleRow):
    """What a rule says that somebody must, must not, may or should do."""

    modality: str
    actor: OrNone
    quote: str
    in_force: bool
    overridden: OrNone


class ChecklistRow(ObligationRow):
    """An obligation with what is noted of it."""

    owner: OrNone
    subteam: OrNone
    status: OrNone
    evidence: OrNone
    noted_of: OrNone
    """The words of which it was noted, if they changed."""


class OmittedRow(RuleRow):
    """A sentence that is no obligation, and why."""

    reason: str
    quote: str


class PassageRow(BaseModel):
    """A quote or a citation of a text, from `start` to `end`, and what was found of it."""

    kind: Literal["quote", "citation"]
    text: str
    start: int
    end: int
    finding: Finding
    article: OrNone
    page: int | None
    document: str | None
    season: int | None
    issue: int | None
    difference: OrNone
    clause_id: str | None
    address: str | None

    @classmethod
    def of(cls, checked: CheckedPassage, label: str = "label") -> Self:
        """Return the row of a quote or a citation; what is not known is None.

        `label` is the property of a document that names it.
        """
        place = checked.place
        sources = (place.document, place.clause) if place else ()
        known = dict.fromkeys(("season", "issue", "clause_id")) if not place else {}
        document = getattr(place.document, label) if place else None
        address = RuleAddress.of(place.document, place.clause.article).path if place else None
        return copy_fields(cls, checked, *sources, document=document, address=address, **known)


class VerifyReply(BaseModel):
    stands: bool
    passages: tuple[PassageRow, ...]

    @classmethod
    def of(cls, checked: Sequence[CheckedPassage]) -> Self:
        """Return whether all of a text stands, and each of its passages with its finding."""
        stands = all(one.stands for one in checked)
        return cls(stands=stands, passages=tuple(map(PassageRow.of, checked)))


class VerdictRow(BaseModel):
    """The verdict of one rulebook on one row of a sheet."""

    id: str
    document: str
    verdict: str
    articles: tuple[str, ...]
    limit: OrNone
    margin: OrNone
    missing: OrNone
    addresses: tuple[str, ...]
    """Of the articles, on any server."""


class AmountRow(BaseModel):
    """An amount of a sentence; its name or its fraction is its value where it has one."""

    text: str
    value: int | float | str | None
    unit: str
    role: str
    of: str
    proved: bool
    upper: Number = OrLacking
    relation: str | None = OrLacking


class DutyRow(BaseModel):
    modality: str = "none"
    actor: str = ""
    what: str = ""
    condition: str = ""
    exception: str = ""


class SentenceRow(BaseModel):
    """A sentence's amounts and duties; `id` is as it was given."""

    id: object
    amounts: tuple[AmountRow, ...]
    duties: tuple[DutyRow, ...]


_ROWS: Mapping[type, type[RuleRow]] = {
    Limit: LimitRow,
    UnreadNumbers: UnreadRow,
    Obligation: ObligationRow,
    OmittedDuty: OmittedRow,
}


def rule_row(document: Document, rule: Limit | UnreadNumbers | Obligation | OmittedDuty) -> RuleRow:
    """Return the row of a limit, an obligation, or of words that set none."""
    return _make_row(_ROWS[type(rule)], document, rule)


def checklist_row(
    document: Document, duty: Obligation, noted: Mapping[Obligation, ChecklistEntry]
) -> ChecklistRow:
    """Return an obligation with what is noted of it."""
    columns = noted.get(duty, ChecklistEntry()).columns_for(duty)
    return _make_row(ChecklistRow, document, duty, **columns)


def _make_row(
    kind: type[Row],
    document: Document,
    rule: Limit | UnreadNumbers | Obligation | OmittedDuty,
    **columns: Any,
) -> Row:
    address = RuleAddress.of(document, rule.article).path
    return copy_fields(kind, rule, document=document.file, address=address, **columns)


def verdict_row(document: Document, result: SheetResult) -> VerdictRow:
    addresses = tuple(RuleAddress.of(document, one).path for one in result.articles)
    return copy_fields(VerdictRow, result, document=document.file, addresses=addresses)


def sentence_row(name: str, sentence: Sentence) -> SentenceRow:
    """Return the amounts and duties of a sentence, whose id is `name`."""
    amounts = [
        copy_fields(
            AmountRow,
            amount,
            value=amount.fraction or amount.name or number_json(amount.value),
            unit=f"{amount.unit} {amount.side}".strip(),
            of=amount.thing,
            proved=amount.proved and amount.role != "sanction",
            relation=amount.relation if amount.role in ("limit", "threshold") else None,
        )
        for amount in sentence.amounts
    ]
    duties = [copy_fields(DutyRow, duty) for duty in sentence.main_duties]
    return SentenceRow(id=name, amounts=amounts, duties=duties or [DutyRow()])
