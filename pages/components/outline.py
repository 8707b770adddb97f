"""The articles of a document as a tree, by their numbers, and as a list to work through. Draws nothing."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from core.library.tree import below, steps
from core.rulebook.types import Clause

Outline = Mapping[str | None, Sequence[Clause]]
"""The clauses right below each, by clause id; those below none are under None."""
_FORMULA = ("=", "+", "@", "-", "\t")


def outline(clauses: Iterable[Clause]) -> Outline:
    """The tree of clauses that are given in reading order."""
    found: dict[str | None, list[Clause]] = {}
    last: dict[tuple[str, ...], str] = {}
    for clause in clauses:
        path = steps(clause.article)
        above = (last[path[:length]] for length in range(len(path) - 1, 0, -1) if path[:length] in last)
        found.setdefault(next(above, None), []).append(clause)
        last[path] = clause.clause_id
    return found


def way_to(clause: Clause, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses above one, from the outermost on."""
    above = {child.clause_id: parent for parent, children in outline(clauses).items() for child in children}
    known = {other.clause_id: other for other in clauses}
    way: list[Clause] = []
    parent = above.get(clause.clause_id)
    while parent is not None:
        way.insert(0, known[parent])
        parent = above.get(parent)
    return way


def matching(clauses: Sequence[Clause], wanted: str) -> list[Clause]:
    """The clauses whose number begins so, then those whose title or text has all these words."""
    words, number = wanted.casefold().split(), steps(wanted)
    numbered = [clause for clause in clauses if steps(clause.article)[: len(number)] == number]
    known = {clause.clause_id for clause in numbered}
    return numbered + [
        clause
        for clause in clauses
        if clause.clause_id not in known and all(word in f"{clause.title} {clause.text}".casefold() for word in words)
    ]


def checklist(clause: Clause, clauses: Iterable[Clause]) -> bytes:
    """A clause and all below it as CSV, a row each, with room for an owner and a status."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("number", "text", "page", "owner", "status"))
    for item in (clause, *below(clause, clauses)):
        if item.status == "in_force":
            words = "\n".join(filter(None, (item.title, item.text)))
            writer.writerow((_cell(item.article), _cell(words), item.page_first, "", ""))
    return out.getvalue().encode("utf-8-sig")


def _cell(text: str) -> str:
    """Text that a spreadsheet takes for text, whatever it begins with."""
    return f"'{text}" if text.startswith(_FORMULA) else text
