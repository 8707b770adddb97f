"""How clauses of one document stand to each other by their numbers: what is below what. It reads no text."""

import re
from collections.abc import Iterable

from core.library.spelling import strip_unstorable
from core.rulebook import Clause, canonical_number

_STEP = re.compile(r"\([^)]*\)|[^\s.,()][^.,()]*")


def article_key(article: str) -> str:
    """The form in which article numbers are looked up."""
    return strip_unstorable(canonical_number(article).casefold())


def article_steps(article: str) -> tuple[str, ...]:
    """The steps of a number: "B1.7.2" gives ("b1", "7", "2"), "1.1.(2)" gives ("1", "1", "(2)"), "Appendix 3, 7.1"
    gives ("appendix 3", "7", "1")."""
    return tuple(_STEP.findall(article_key(article)))


def descendants_of(clause: Clause, clauses: Iterable[Clause]) -> list[Clause]:
    """The separately numbered clauses below a clause at any depth; `clauses` are of its document, in reading order.

    Where a document uses a number twice, what is below each comes after it and before the next.
    """
    own = article_steps(clause.article)
    found: list[Clause] = []
    inside = False
    for other in clauses:
        theirs = article_steps(other.article)
        if theirs == own:
            inside = other.clause_id == clause.clause_id
        elif inside and theirs[: len(own)] == own:
            found.append(other)
    return found


def children_of(clause: Clause, clauses: Iterable[Clause]) -> list[Clause]:
    """Of what is below a clause, that which is below nothing else there."""
    under = descendants_of(clause, clauses)
    taken = {article_steps(other.article) for other in under}
    own = len(article_steps(clause.article))
    return [
        other
        for other in under
        for path in [article_steps(other.article)]
        if not any(path[:n] in taken for n in range(own + 1, len(path)))
    ]
