"""The articles of a document as a tree by their numbers, and as a checklist."""

from collections.abc import Iterable, Mapping, Sequence

from core.library import article_steps, descendants_of
from core.rulebook import Clause
from pages.components.spreadsheet import csv_file

Outline = Mapping[str | None, Sequence[Clause]]
"""The direct children of each clause, by its id; the top level is under None."""


def build_outline(clauses: Iterable[Clause]) -> Outline:
    """Build the tree of clauses in reading order."""
    children: dict[str | None, list[Clause]] = {}
    last: dict[tuple[str, ...], str] = {}
    for clause in clauses:
        path = article_steps(clause.article)
        above = (path[:length] for length in range(len(path) - 1, 0, -1))
        parent = next((last[steps] for steps in above if steps in last), None)
        children.setdefault(parent, []).append(clause)
        last[path] = clause.clause_id
    return children


def clause_ancestors(clause: Clause, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses above a clause, outermost first."""
    known = {other.clause_id: other for other in clauses}
    parents = {
        child.clause_id: known.get(parent or "")
        for parent, children in build_outline(clauses).items()
        for child in children
    }
    ancestors: list[Clause] = []
    while parent := parents.get((ancestors[0] if ancestors else clause).clause_id):
        ancestors.insert(0, parent)
    return ancestors


def is_at_or_below(article: str, number: str) -> bool:
    wanted = article_steps(number)
    return article_steps(article)[: len(wanted)] == wanted


def filter_clauses(clauses: Sequence[Clause], query: str) -> list[Clause]:
    """The clauses at or below this number, then those with all these words in title or text."""
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
    """The clauses in force as CSV, one row each, with empty columns for an owner and a status."""
    rows = (
        (c.article, "\n".join(filter(None, (c.title, c.text))), c.page_first, None, None)
        for c in clauses
        if c.status == "in_force"
    )
    return csv_file(("number", "text", "page", "owner", "status"), rows)


def clause_subtree(clause: Clause, clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """A clause and everything below it, in reading order."""
    return (clause, *descendants_of(clause, clauses))
