"""Characters of a rulebook that no reader can see: they leave its text, and are told as hidden."""

from collections.abc import Iterable
from dataclasses import replace

from core.rulebook.types import Clause, ClauseMark, ReadingWarning, Rulebook
from core.sanitize import find_invisible, replace_invisible, reveal


def leave_out_invisible(rulebook: Rulebook) -> Rulebook:
    """Return the rulebook without invisible characters, with a mark where a clause had any."""
    warnings = tuple(_warn_of_hidden((*rulebook.clauses, *rulebook.other_texts)))
    if not warnings:
        return rulebook
    report = rulebook.report
    hidden = report.counts.get("hidden_spans", 0) + len(warnings)
    return replace(
        rulebook,
        clauses=tuple(map(_clean, rulebook.clauses)),
        other_texts=tuple(map(_clean, rulebook.other_texts)),
        report=replace(
            report,
            counts={**report.counts, "hidden_spans": hidden},
            warnings=(*report.warnings, *warnings),
        ),
    )


def _clean(clause: Clause) -> Clause:
    if not (hidden := _hidden_in(clause)):
        return clause
    mark = ClauseMark("hidden", reveal(hidden), clause.page_first, ())
    title, text = replace_invisible(clause.title), replace_invisible(clause.text)
    return replace(clause, title=title, text=text, marks=(*clause.marks, mark))


def _hidden_in(clause: Clause) -> str:
    return find_invisible(clause.title) + find_invisible(clause.text)


def _warn_of_hidden(clauses: Iterable[Clause]) -> Iterable[ReadingWarning]:
    for clause in clauses:
        if hidden := _hidden_in(clause):
            where = clause.article or "a text"
            message = f"{len(hidden)} characters that no reader can see were left out of {where}."
            yield ReadingWarning("hidden_text", clause.page_first or None, message)
