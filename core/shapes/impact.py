"""What an issue changed, and what that touches."""

from typing import Self

from pydantic import BaseModel
from pydantic.dataclasses import dataclass

from core.copied_fields import copy_fields
from core.impact import Impact, ReferringClause, TouchedAnswer, TouchedSheet
from core.shapes.clauses import ComparedPair
from core.shapes.documents import NamedIssue


@dataclass(frozen=True, kw_only=True)
class ChangedPair(ComparedPair):
    stable_id: str | None


@dataclass(frozen=True, kw_only=True)
class AnswerShape(TouchedAnswer):
    suspect: bool


@dataclass(frozen=True, kw_only=True)
class SheetShape(TouchedSheet):
    suspect: bool


class ImpactReply(BaseModel):
    """What an issue changed and what that touches; `suspects` counts what is not cleared."""

    document: NamedIssue
    before: NamedIssue | None
    suspects: int
    changed: tuple[ChangedPair, ...]
    answers: tuple[AnswerShape, ...]
    clauses: tuple[ReferringClause, ...]
    sheets: tuple[SheetShape, ...]

    @classmethod
    def of(cls, impact: Impact) -> Self:
        answers, sheets = impact.answers, impact.sheets
        editions = impact.before or impact.document, impact.document
        return cls(
            document=copy_fields(NamedIssue, impact.document),
            before=copy_fields(NamedIssue, impact.before) if impact.before else None,
            suspects=len(impact.suspects) + len(impact.suspect_sheets),
            changed=tuple(ChangedPair.of(one.pair, *editions, one) for one in impact.changed),
            answers=tuple(copy_fields(AnswerShape, o, suspect=o.is_suspect) for o in answers),
            clauses=impact.clauses,
            sheets=tuple(copy_fields(SheetShape, o, suspect=o.is_suspect) for o in sheets),
        )
