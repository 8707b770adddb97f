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
        article = (clause.whole_article, clause.language, clause.status)
        whole = joined[-1] if joined else None
        if whole and clause.part and article == (whole.article, whole.language, whole.status):
            wholes[clause.clause_id] = whole.clause_id
            joined[-1] = _append(whole, clause)
        else:
            joined.append(clause)
    return joined, wholes


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
