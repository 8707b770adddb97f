"""The values that a question brings, checked against limits, with citations."""

import re
from collections.abc import Iterable
from itertools import pairwise

from core.limits import QuotedWords, ValueCheck, split_sentences
from core.verification.evidence import Evidence, cite
from core.verification.types import Citation, ComplianceRow, Source

_TAKES_BACK = re.compile(r"(?:However|Except|Unless|Notwithstanding)\b")


def cite_checks(checks: Iterable[ValueCheck], evidence: Evidence) -> tuple[ComplianceRow, ...]:
    """Return checks with citations of what they rest on.

    One with a clause that is not in the evidence is left out.
    """
    return tuple(
        ComplianceRow(
            check.subject,
            check.limit,
            check.yours,
            check.margin,
            check.verdict,
            check.note or _find_exception(quoted),
            check.alternative,
            tuple(cite(source, quote.words) for source, quote in quoted if source),
        )
        for check in checks
        for quoted in [[(evidence.find_by_clause(one.clause_id), one) for one in check.quotes]]
        if all(source for source, _ in quoted)
    )


def _find_exception(quoted: Iterable[tuple[Source | None, QuotedWords]]) -> str:
    """Return the sentence behind quoted words that takes something back; empty without one."""
    for source, quote in quoted:
        sentences = split_sentences(source.text if source else "")
        for sentence, following in pairwise(sentences):
            if quote.words in sentence and _TAKES_BACK.match(following):
                return f"“{following}”"
    return ""


def collect_citations(rows: Iterable[ComplianceRow]) -> tuple[Citation, ...]:
    """Return the citations that rows rest on, each once."""
    return tuple(dict.fromkeys(citation for row in rows for citation in row.citations))
