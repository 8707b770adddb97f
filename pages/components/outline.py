"""The articles of a document as a tree, by their numbers, and as a list to work through. Draws nothing."""

from collections.abc import Iterable, Mapping, Sequence

from core.library import article_steps, descendants_of
from core.rulebook import Clause
from pages.components.spreadsheet import csv_file

Outline = Mapping[str | None, Sequence[Clause]]
"""The clauses right below each, by clause id; those below none are under None."""


def build_outline(clauses: Iterable[Clause]) -> Outline:
    """The tree of clauses that are given in reading order."""
    found: dict[str | None, list[Clause]] = {}
    last: dict[tuple[str, ...], str] = {}
    for clause in clauses:
        path = article_steps(clause.article)
        above = (
            last[path[:length]] for length in range(len(path) - 1, 0, -1) if path[:length] in last
        )
        found.setdefault(next(above, None), []).append(clause)
        last[path] = clause.clause_id
    return found


def clause_ancestors(clause: Clause, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses above one, from the outermost on."""
    above = {
        child.clause_id: parent
        for parent, children in build_outline(clauses).items()
        for child in children
    }
    known = {other.clause_id: other for other in clauses}
    way: list[Clause] = []
    parent = above.get(clause.clause_id)
    while parent is not None:
        way.insert(0, known[parent])
        parent = above.get(parent)
    return way


def is_at_or_below(article: str, number: str) -> bool:
    """True where an article is the one of this number, or below it."""
    wanted = article_steps(number)
    return article_steps(article)[: len(wanted)] == wanted


def filter_clauses(clauses: Sequence[Clause], query: str) -> list[Clause]:
    """The clauses whose number begins so, then those whose title or text has all these words."""
    words = query.casefold().split()
    numbered = [clause for clause in clauses if is_at_or_below(clause.article, query)]
    known = {clause.clause_id for clause in numbered}
    return numbered + [
        clause
        for clause in clauses
        if clause.clause_id not in known
        and all(word in f"{clause.title} {clause.text}".casefold() for word in words)
    ]


def checklist_csv(clauses: Iterable[Clause]) -> bytes:
    """The clauses in force among these as CSV, a row each, with room for an owner and a status."""
    rows = (
        (
            clause.article,
            "\n".join(filter(None, (clause.title, clause.text))),
            clause.page_first,
            None,
            None,
        )
        for clause in clauses
        if clause.status == "in_force"
    )
    return csv_file(("number", "text", "page", "owner", "status"), rows)


def clause_subtree(clause: Clause, clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """A clause and all below it, in reading order."""
    return (clause, *descendants_of(clause, clauses))
