"""Drafts that tests check as the loop checks them."""

from collections.abc import Sequence

from core.verification import (
    Citation,
    ComplianceRow,
    DraftCheck,
    Evidence,
    KeptSentences,
    NotInForce,
    check_draft,
    parse_draft,
)


def verify(
    draft: str,
    citations: Sequence[Citation],
    evidence: Evidence,
    question: str,
    rows: Sequence[ComplianceRow] = (),
    notes: Sequence[str] = (),
    lapsed: Sequence[NotInForce] = (),
    kept: KeptSentences = lambda _: {},
) -> tuple[DraftCheck, ...]:
    """Return the checks of a draft that is not parsed yet."""
    parsed = parse_draft(draft, citations, evidence, kept)
    return check_draft(parsed, evidence, question, rows, notes, lapsed)
