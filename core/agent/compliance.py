"""The values that a question brings, checked against limits of rulebooks, with citations."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from core.grammar import list_cues, split_sentences
from core.library import Hit, Library, Scope, count_words
from core.sheets import QuotedWords, ValueCheck, check_values, limit_index
from core.verification import Citation, ComplianceRow, Evidence, Source, cite

_TAKES_BACK = list_cues("exception", "exempting", "however").pattern


def check_question_values(
    library: Library, question: str, scope: Scope, found: Sequence[Source]
) -> tuple[ValueCheck, ...]:
    """Return the checks of a question's values by the first four rulebooks that were found."""
    ids = dict.fromkeys(source.document_id for source in found)
    # A rule of another layer may be found that is in no document of the scope.
    held = {one.document_id: one for one in library.documents()} | scope.by_id
    documents = [held[key] for key in ids if key in held][:4]
    indexes = [limit_index(library, one, scope.ids, scope.day) for one in documents]
    plain = count_words(library, scope).correct_text(question)
    return check_values(plain, indexes)


def find_limit_clauses(library: Library, checks: Iterable[ValueCheck]) -> Iterator[Hit]:
    """Yield the clauses that checks rest on, each once. Raises LibraryError."""
    ids = dict.fromkeys(quote.clause_id for check in checks for quote in check.quotes)
    for clause in filter(None, map(library.clause, ids)):
        yield Hit(clause, 0.0, "topic")


def cite_checks(checks: Iterable[ValueCheck], evidence: Evidence) -> tuple[ComplianceRow, ...]:
    """Return checks with citations of what they rest on.

    One with a clause that is not in the evidence decides nothing.
    """
    return tuple(
        ComplianceRow(
            check.subject,
            check.limit,
            check.yours,
            check.margin,
            check.verdict if all(source for source, _ in quoted) else "cannot tell",
            check.note or _find_exception(quoted),
            check.alternative,
            tuple(cite(source, quote.words) for source, quote in quoted if source),
        )
        for check in checks
        for quoted in [[(evidence.find_by_clause(one.clause_id), one) for one in check.quotes]]
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
