"""The address of a rule, FAMILY/SEASON/ISSUE/ARTICLE: written and read here for all who name rules.

Pages have it below `/rule/`, MCP below `rule://`. Each part is percent-encoded; "-" is for what is
unknown. FAMILY/SEASON/ARTICLE is short for the newest issue of the season.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self
from urllib.parse import quote, unquote

from core.library.edition_order import Editions
from core.library.retrieval.ranking import IN_FORCE
from core.library.retrieval.search import article as find_article
from core.library.storage.library import Library
from core.library.types import Document, Scope, version_parts
from core.rulebook import Clause, ClauseStatus

_UNKNOWN = "-"
_STATUSES: Sequence[Sequence[ClauseStatus]] = (IN_FORCE, ("deleted", "future"))


@dataclass(frozen=True, slots=True)
class AddressedRule:
    """What an address leads to: a clause, several to choose from, or what is held instead."""

    clause: Clause | None = None
    candidates: tuple[Clause, ...] = ()
    lacks: Literal["family", "season", "issue", "article"] | None = None
    """What the library does not hold. With an unknown issue there are candidates in other ones."""
    held: tuple[str, ...] = ()
    """Instead of what it lacks: families, seasons, issues, or labels of the searched documents."""


@dataclass(frozen=True, slots=True)
class RuleAddress:
    """The parts of an address as a person reads them. Without an `issue` the newest is meant."""

    PREFIX: ClassVar = "/rule/"
    family: str
    season: str
    issue: str | None
    article: str

    @classmethod
    def of(cls, document: Document, article: str) -> Self:
        """Return the address of an article of a document, which names its issue or version."""
        return cls(
            document.family or _UNKNOWN, _name_season(document), _name_issue(document), article
        )

    @classmethod
    def parse(cls, path: str) -> Self | None:
        """Return the address that a path names, encoded or not; None with too few parts."""
        parts = path.strip("/").split("/", 3)
        if len(parts) < 3 or not all(parts):
            return None
        family, season, *issue, article = map(unquote, parts)
        return cls(family, season, issue[0] if issue else None, article.strip())

    @property
    def name(self) -> str:
        """The parts, encoded: "f1-sporting/2025/5/54.3%20d%29"."""
        parts = (self.family, self.season, self.issue, self.article)
        return "/".join(quote(part, safe="") for part in parts if part is not None)

    @property
    def path(self) -> str:
        """The address on any server: "/rule/f1-sporting/2025/5/54.3"; empty without an article."""
        return self.PREFIX + self.name if self.article else ""

    def select_editions(self, documents: Iterable[Document]) -> tuple[Document, ...]:
        """Return the documents that it names; without an issue the newest ones of the season."""
        issues = self._list_issues(documents)
        if self.issue is None:
            return Editions(issues).list_newest()
        return tuple(document for document in issues if self._names_issue(document))

    def find(self, library: Library) -> AddressedRule:
        """Return the rule at this address, whatever its status; one in force comes first.

        What is ambiguous is returned as candidates: several clauses with one number, editions that
        cannot be ordered, and those of other issues where the named one is not held.
        """
        documents = library.documents()
        if editions := self.select_editions(documents):
            return self._find_in(library, editions)
        if issues := self._list_issues(documents):
            found = self._find_in(library, issues)
            candidates = (found.clause,) if found.clause else found.candidates
            held = tuple(dict.fromkeys(map(_name_issue, issues)))
            return AddressedRule(candidates=candidates, lacks="issue", held=held)
        if seasons := {_name_season(one) for one in documents if self._names_family(one)}:
            return AddressedRule(lacks="season", held=tuple(sorted(seasons)))
        families = Editions(documents).families
        return AddressedRule(lacks="family", held=tuple(sorted(families)))

    def _list_issues(self, documents: Iterable[Document]) -> list[Document]:
        """Return the documents of the family and season, whatever their issue."""
        return [
            document
            for document in documents
            if self._names_family(document) and _name_season(document) == self.season
        ]

    def _names_family(self, document: Document) -> bool:
        return (document.family or _UNKNOWN).casefold() == self.family.casefold()

    def _names_issue(self, document: Document) -> bool:
        """True where a document bears the named issue or version, however it is printed."""
        wanted = self.issue or ""
        names = [_name_issue(document), document.version or ""]
        year = document.season or 0
        numbers = {version_parts(name, year) for name in names} - {()}
        return wanted.casefold() in map(str.casefold, filter(None, names)) or (
            version_parts(wanted, year) in numbers
        )

    def _find_in(self, library: Library, editions: Sequence[Document]) -> AddressedRule:
        scope = Scope(tuple(editions), "named")
        for statuses in _STATUSES:
            found = find_article(library, self.article, scope, statuses)
            if found.clause or found.candidates:
                return AddressedRule(found.clause, found.candidates)
        return AddressedRule(lacks="article", held=tuple(scope.labels.values()))


def _name_season(document: Document) -> str:
    return str(document.season or _UNKNOWN)


def _name_issue(document: Document) -> str:
    """Return the number of a document's issue, else its version as printed."""
    return str(document.issue) if document.issue is not None else document.version or _UNKNOWN
