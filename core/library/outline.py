"""The articles of a document as a tree by their numbers; whole branches and languages of it."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from core.library.article_path import article_steps, descendants_of, is_at_or_below
from core.rulebook import Clause

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


def name_chapters(clauses: Iterable[Clause]) -> dict[str, str]:
    """Return the outermost heading above each clause, by its id."""
    chapters: dict[str, str] = {}
    for parent, children in build_outline(clauses).items():  # a parent before its children
        for one in children:
            own = " ".join(dict.fromkeys((one.article, one.title))).strip()
            chapters[one.clause_id] = chapters.get(parent or "", (*one.breadcrumb, own)[0])
    return chapters


def tree_rows(
    outline: Outline, opened: Container[str], parent: str | None = None, depth: int = 0
) -> Iterator[tuple[int, Clause]]:
    """Yield the clauses of a tree with their depth; the children of those that are opened."""
    for clause in outline.get(parent, ()):
        yield depth, clause
        if clause.clause_id in opened:
            yield from tree_rows(outline, opened, clause.clause_id, depth + 1)


def list_articles(
    clauses: Sequence[Clause], opened: Clause | None, wanted: str
) -> list[tuple[int, Clause]]:
    """The clauses to list, with their depth: those that are looked for, else the tree.

    Of the tree the top level, and the children of what is opened and of all above it.
    """
    if wanted:
        return [(0, clause) for clause in filter_clauses(clauses, wanted)]
    path: tuple[Clause, ...] = ()
    if opened is not None and opened in clauses:
        path = (*clause_ancestors(opened, clauses), opened)
    return list(tree_rows(build_outline(clauses), {one.clause_id for one in path}))


def window_around(
    rows: Sequence[tuple[int, Clause]], opened: Clause | None, most: int
) -> tuple[int, Sequence[tuple[int, Clause]]]:
    """Return the most rows of a tree around the opened clause, and how many are above them."""
    place = next((number for number, (_, clause) in enumerate(rows) if clause is opened), 0)
    first = max(0, min(place - most // 2, len(rows) - most))
    return first, rows[first : first + most]


def list_visible(
    clauses: Iterable[Clause], language: str | None, statuses: Container[str]
) -> list[Clause]:
    """Clauses in a language that are in force, and those with one of the other statuses."""
    return [
        one
        for one in in_language(clauses, language)
        if one.status == "in_force" or one.status in statuses
    ]


def in_language(clauses: Iterable[Clause], language: str | None) -> list[Clause]:
    """Clauses without those that are printed in another language too."""
    return [clause for clause in clauses if clause.language in (None, language)]


def translations_of(clause: Clause, clauses: Iterable[Clause]) -> list[Clause]:
    """The same clause in the other languages of its document.

    Where a number is used again, the n-th clause with it is the n-th in each language.
    """
    by_language: dict[str | None, list[Clause]] = {}
    for other in clauses:
        if other.article == clause.article:
            by_language.setdefault(other.language, []).append(other)
    place = by_language[clause.language].index(clause)
    others = (found for language, found in by_language.items() if language != clause.language)
    return [found[place] for found in others if place < len(found)] if clause.language else []


def has_words(text: str, words: str) -> bool:
    """True if the text has all of these words, in any order and case."""
    folded = text.casefold()
    return all(word in folded for word in words.casefold().split())


def filter_clauses(clauses: Sequence[Clause], query: str) -> list[Clause]:
    """The clauses at or below this number, then those with all these words in title or text."""
    numbered = [clause for clause in clauses if is_at_or_below(clause.article, query)]
    known = {clause.clause_id for clause in numbered}
    return numbered + [
        clause
        for clause in clauses
        if clause.clause_id not in known and has_words(f"{clause.title} {clause.text}", query)
    ]


def clause_subtree(clause: Clause, clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """A clause and everything below it, in reading order."""
    return (clause, *descendants_of(clause, clauses))
