"""A value that a question brings, checked against the limits of quoted sources, with citations."""

from collections.abc import Iterable, Sequence

from core.limits import check_values
from core.verification.evidence import cite
from core.verification.types import Citation, ComplianceRow, Source


def check_compliance(
    question: str, quoted: Sequence[tuple[Source, str]], found: Iterable[Source] = ()
) -> tuple[ComplianceRow, ...]:
    """Return what quoted sources require of the question's values; empty where it brings none.

    Limits of other sources that were found may be meant rather: `check_values` says when.
    """
    sources = {source.clause_id: source for source, _ in quoted}
    return tuple(
        ComplianceRow(
            check.subject,
            check.limit,
            check.yours,
            check.margin,
            check.verdict,
            check.note,
            check.alternative,
            tuple(cite(sources[quote.clause_id], quote.words) for quote in check.quotes),
        )
        for check in check_values(question, quoted, [(source, source.text) for source in found])
    )


def collect_citations(rows: Iterable[ComplianceRow]) -> tuple[Citation, ...]:
    """Return the citations that rows rest on, each once."""
    return tuple(dict.fromkeys(citation for row in rows for citation in row.citations))
