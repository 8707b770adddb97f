"""The hierarchy of a document's clauses, derived from their numbers alone; no text is read."""

import re
from collections.abc import Iterable
from functools import lru_cache

from core.grammar import canonical_number
from core.library.spelling import strip_unstorable
from core.rulebook import Clause

_STEP = re.compile(r"\([^)]*\)|“[^”]*”|[^\s.,()“](?:[^.,()“]*[^\s.,()“])?")


@lru_cache(maxsize=4_000)
def article_key(article: str) -> str:
    """Return the form of an article number that look-ups use."""
    return strip_unstorable(canonical_number(article).casefold())


@lru_cache(maxsize=40_000)  # the articles of a large library, which are gone through in turn
def article_steps(article: str) -> tuple[str, ...]:
    """Split a number into its levels.

    "B1.7.2" gives ("b1", "7", "2"), "1.1.(2)" gives ("1", "1", "(2)"), "Appendix 3, 7.1" gives
    ("appendix 3", "7", "1"), "20 “Circuit”" gives ("20", "“circuit”").
    """
    return tuple(_STEP.findall(article_key(article)))


def is_at_or_below(article: str, number: str) -> bool:
    """True for the article with a number, and for those below it."""
    wanted = article_steps(number)
    return article_steps(article)[: len(wanted)] == wanted


def descendants_of(clause: Clause, clauses: Iterable[Clause]) -> list[Clause]:
    """Return the separately numbered clauses below a clause at any depth.

    `clauses` are those of its document, in reading order. Where a document uses a number twice, the
    descendants of each use lie between it and the next use.
    """
    parent = article_steps(clause.article)
    found: list[Clause] = []
    inside = False
    for other in clauses:
        steps = article_steps(other.article)
        if steps == parent:
            inside = other.clause_id == clause.clause_id
        elif inside and steps[: len(parent)] == parent:
            found.append(other)
    return found


def children_of(clause: Clause, clauses: Iterable[Clause]) -> list[Clause]:
    """Return the direct children of a clause: descendants without an ancestor among the others."""
    below = [(other, article_steps(other.article)) for other in descendants_of(clause, clauses)]
    numbers = {steps for _, steps in below}
    depth = len(article_steps(clause.article))
    return [
        other
        for other, steps in below
        if not any(steps[:n] in numbers for n in range(depth + 1, len(steps)))
    ]
