"""Characters of a rulebook that no reader can see: they leave its text, and are told as hidden."""

from collections.abc import Iterable
from dataclasses import replace

from core.rulebook.types import Clause, ClauseMark, ReadingWarning, Rulebook
from core.sanitize import find_invisible, replace_invisible, reveal


def leave_out_invisible(rulebook: Rulebook) -> Rulebook:
    """Return the rulebook without invisible characters, with a mark where a clause had any."""
    report = rulebook.report
    clauses = tuple(map(_clean, rulebook.clauses))
    others = tuple(map(_clean, rulebook.other_texts))
    warnings = tuple(_warn((*rulebook.clauses, *rulebook.other_texts)))
    if not warnings:
        return rulebook
    hidden = report.counts.get("hidden_spans", 0) + len(warnings)
    return replace(
        rulebook,
        clauses=clauses,
        other_texts=others,
        report=replace(
            report,
            counts={**report.counts, "hidden_spans": hidden},
            warnings=(*report.warnings, *warnings),
        ),
    )


def _clean(clause: Clause) -> Clause:
    hidden = _hidden_in(clause)
    if not hidden:
        return clause
    mark = ClauseMark("hidden", reveal(hidden), clause.page_first, ())
    return replace(
        clause,
        title=replace_invisible(clause.title),
        text=replace_invisible(clause.text),
        marks=(*clause.marks, mark),
    )


def _hidden_in(clause: Clause) -> str:
    return find_invisible(clause.title) + find_invisible(clause.text)


def _warn(clauses: Iterable[Clause]) -> Iterable[ReadingWarning]:
    for clause in clauses:
        if hidden := _hidden_in(clause):
            message = (
                f"{len(hidden)} characters that no reader can see were left out of"
                f" {clause.article or 'a text'}."
            )
            yield ReadingWarning("hidden_text", clause.page_first or None, message)
