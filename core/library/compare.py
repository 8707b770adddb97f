"""What changed between two documents: their clauses aligned by number, title and words."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from core.library.types import Pair, PairKind
from core.rulebook.types import Clause

SAME_NUMBER = 0.3
"""Similarity of words from which two clauses of the same number are the same rule."""
OTHER_NUMBER = 0.6
"""The same for clauses of different numbers, where the number speaks against it."""


def compare(before: Sequence[Clause], after: Sequence[Clause], about: Iterable[str] = ()) -> tuple[Pair, ...]:
    """Align the clauses in force of two documents.

    `about` names clause ids; pairs without one of them are left out (none: all pairs). Pairs come in the order of
    the later document, clauses that it no longer has at the end.
    """
    wanted = set(about)
    old, new = _in_force(before), _in_force(after)
    partners = _by_number(old, new)
    partners |= _by_words(_left(old, partners.values()), _left(new, partners), wanted)
    pairs = [
        _pair(partners.get(clause.clause_id), clause) for clause in new if _asked(clause, partners, wanted)
    ]
    gone = _left(old, partners.values())
    return tuple(pairs + [_pair(clause, None) for clause in gone if not wanted or clause.clause_id in wanted])


def similarity(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1: twice the words in matching runs, of all words of both."""
    return SequenceMatcher(None, a.casefold().split(), b.casefold().split(), autojunk=False).ratio()


def _in_force(clauses: Iterable[Clause]) -> list[Clause]:
    return [clause for clause in clauses if clause.status == "in_force"]


def _left(clauses: Iterable[Clause], taken: Iterable[Clause | str]) -> list[Clause]:
    ids = {clause if isinstance(clause, str) else clause.clause_id for clause in taken}
    return [clause for clause in clauses if clause.clause_id not in ids]


def _by_number(old: list[Clause], new: list[Clause]) -> dict[str, Clause]:
    """For ids of new clauses, the old clause of the same number that says much the same."""
    numbered = {clause.article: clause for clause in reversed(old)}
    return {
        clause.clause_id: other
        for clause in new
        if (other := numbered.get(clause.article))
        and similarity(_words(other), _words(clause)) >= SAME_NUMBER
    }


def _by_words(old: list[Clause], new: list[Clause], wanted: set[str]) -> dict[str, Clause]:
    """For ids of new clauses, the most similar old clause of another number, best pairs first."""
    scored = sorted(
        (
            (score, a.clause_id, b.clause_id)
            for a in old
            for b in new
            if (not wanted or wanted & {a.clause_id, b.clause_id})
            and (score := similarity(_words(a), _words(b))) >= OTHER_NUMBER
        ),
        reverse=True,
    )
    by_id = {clause.clause_id: clause for clause in old}
    partners: dict[str, Clause] = {}
    for _, a, b in scored:
        if a in by_id and b not in partners:
            partners[b] = by_id.pop(a)
    return partners


def _asked(clause: Clause, partners: dict[str, Clause], wanted: set[str]) -> bool:
    other = partners.get(clause.clause_id)
    return not wanted or clause.clause_id in wanted or (other is not None and other.clause_id in wanted)


def _pair(a: Clause | None, b: Clause | None) -> Pair:
    one = b or a
    before, after = (_words(clause) if clause else "" for clause in (a, b))
    return Pair(
        kind=_kind(a, b),
        article_a=a.article if a else None,
        article_b=b.article if b else None,
        title=one.title if one else "",
        before=before,
        after=after,
        similarity=similarity(before, after) if a and b else 0.0,
        clause_a=a.clause_id if a else None,
        clause_b=b.clause_id if b else None,
    )


def _kind(a: Clause | None, b: Clause | None) -> PairKind:
    if a is None:
        return "added"
    if b is None:
        return "removed"
    if a.article != b.article:
        return "renumbered"
    return "unchanged" if _words(a).split() == _words(b).split() else "changed"


def _words(clause: Clause) -> str:
    return f"{clause.title}\n{clause.text}".strip()
