"""The articles of a document as a tree by their numbers; whole branches and languages of it."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property

from core.library.article_path import article_steps, descendants_of, is_at_or_below
from core.rulebook import Clause


class Outline:
    """Clauses of a document in reading order, as a tree."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self.clauses = tuple(clauses)

    @cached_property
    def children(self) -> Mapping[str | None, Sequence[Clause]]:
        """The direct children of each clause, by its id; the top level is under None."""
        children: dict[str | None, list[Clause]] = {}
        last: dict[tuple[str, ...], str] = {}
        for clause in self.clauses:
            path = article_steps(clause.article)
            above = (path[:length] for length in range(len(path) - 1, 0, -1))
            parent = next((last[steps] for steps in above if steps in last), None)
            children.setdefault(parent, []).append(clause)
            last[path] = clause.clause_id
        return children

    def list_ancestors(self, clause: Clause) -> list[Clause]:
        """Return the clauses above a clause, outermost first."""
        known = {other.clause_id: other for other in self.clauses}
        parents = {
            child.clause_id: known.get(parent or "")
            for parent, children in self.children.items()
            for child in children
        }
        ancestors: list[Clause] = []
        while parent := parents.get((ancestors[0] if ancestors else clause).clause_id):
            ancestors.insert(0, parent)
        return ancestors

    def list_branch(self, clause: Clause) -> tuple[Clause, ...]:
        """Return a clause and everything below it, in reading order."""
        return (clause, *descendants_of(clause, self.clauses))

    def name_chapters(self) -> dict[str, str]:
        """Return the outermost heading above each clause, by its id."""
        chapters: dict[str, str] = {}
        for parent, children in self.children.items():  # a parent before its children
            for one in children:
                own = " ".join(dict.fromkeys((one.article, one.title))).strip()
                chapters[one.clause_id] = chapters.get(parent or "", (*one.breadcrumb, own)[0])
        return chapters

    def list_rows(self, opened: Clause | None, wanted: str) -> list[tuple[int, Clause]]:
        """Return the clauses to list with their depth: those that are looked for, else the tree.

        Of the tree the top level, and the children of what is opened and of all above it.
        """
        if wanted:
            return [(0, clause) for clause in self.filter(wanted)]
        path: set[str] = set()
        if opened is not None and opened in self.clauses:
            path = {one.clause_id for one in (*self.list_ancestors(opened), opened)}
        return self._list_tree(path, None, 0)

    def _list_tree(
        self, opened: Container[str], parent: str | None, depth: int
    ) -> list[tuple[int, Clause]]:
        rows = []
        for clause in self.children.get(parent, ()):
            rows.append((depth, clause))
            if clause.clause_id in opened:
                rows += self._list_tree(opened, clause.clause_id, depth + 1)
        return rows

    def filter(self, query: str) -> list[Clause]:
        """Return the clauses at or below this number, then those with all these words."""
        numbered = [clause for clause in self.clauses if is_at_or_below(clause.article, query)]
        known = {clause.clause_id for clause in numbered}
        return numbered + [
            clause
            for clause in self.clauses
            if clause.clause_id not in known and has_words(f"{clause.title} {clause.text}", query)
        ]

    def select_language(self, language: str | None) -> "Outline":
        """Return the tree without what is printed in another language too."""
        return Outline(one for one in self.clauses if one.language in (None, language))

    def select_statuses(self, statuses: Container[str]) -> "Outline":
        """Return the tree of the clauses in force, and of those with one of the other statuses."""
        return Outline(o for o in self.clauses if o.status == "in_force" or o.status in statuses)

    def list_translations(self, clause: Clause) -> list[Clause]:
        """Return the same clause in the other languages of the document.

        Where a number is used again, the n-th clause with it is the n-th in each language.
        """
        by_language: dict[str | None, list[Clause]] = {}
        for other in self.clauses:
            if other.article == clause.article:
                by_language.setdefault(other.language, []).append(other)
        place = by_language[clause.language].index(clause)
        others = (found for language, found in by_language.items() if language != clause.language)
        return [found[place] for found in others if place < len(found)] if clause.language else []


def has_words(text: str, words: str) -> bool:
    """True if the text has all of these words, in any order and case."""
    folded = text.casefold()
    return all(word in folded for word in words.casefold().split())
