"""The parts of long articles joined again, so that two documents are compared article by article.

How long an article is decides whether it is parted: the same words may be one clause in another
edition.
"""

from collections.abc import Iterable
from dataclasses import replace

from core.rulebook import Clause


def join_parts(clauses: Iterable[Clause]) -> tuple[list[Clause], dict[str, str]]:
    """Return the clauses without parts, and the clause id of the whole by that of each part."""
    joined: list[Clause] = []
    wholes: dict[str, str] = {}
    for clause in clauses:
        if joined and _is_part_of(clause, joined[-1]):
            wholes[clause.clause_id] = joined[-1].clause_id
            joined[-1] = _append(joined[-1], clause)
        else:
            joined.append(clause)
    return joined, wholes


def _is_part_of(clause: Clause, whole: Clause) -> bool:
    same = (clause.language, clause.status) == (whole.language, whole.status)
    return bool(clause.part) and clause.whole_article == whole.article and same


def _append(whole: Clause, part: Clause) -> Clause:
    heading = "" if part.text.startswith(part.title) else part.title
    return replace(
        whole,
        text="\n".join(filter(None, (whole.text, heading, part.text))),
        deleted=(*whole.deleted, *part.deleted),
        inserted=(*whole.inserted, *part.inserted),
        marks=(*whole.marks, *part.marks),
        page_last=part.page_last,
    )
