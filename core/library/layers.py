"""How the documents of a library stand to one another on a day: which lie above which.

A relation is said of two documents (`Relation`). It holds for later issues of the same families and
season too, unless something else is said of these. Which clauses that overrides is decided in
`core.registers.overrides`.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from core.library.types import Document, Relation


@dataclass(frozen=True, slots=True)
class Layer:
    """A document that lies above another one, and what was said of both."""

    above: Document
    below: Document
    said: Relation

    @property
    def first_day(self) -> str | None:
        """The ISO date from which on it lies there, None where no day is known."""
        days = (self.said.from_day, self.above.valid_from)
        return max(filter(None, days), default=None)

    @property
    def prevails(self) -> bool | None:
        """True where the rule above holds, False for the one below; None where nothing says so."""
        if self.said.kind in ("amends", "replaces"):
            return True
        return {"this": True, "other": False}.get(self.said.prevails)

    def is_there(self, day: str | None) -> bool:
        """True where it lies there on an ISO date; without one, where it has begun by today."""
        if (self.first_day or "") > (day or date.today().isoformat()):
            return False
        return day is None or self.above.valid_to is None or day <= self.above.valid_to


class Layers:
    """The documents of a library on a day, and how they stand to one another.

    Without a day it is today, and what has ended counts too: the rules of a past season lie as they
    lay then. Where some of the supplements of a document are chosen, the others are those of other
    competitions and do not count.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        day: str | None = None,
        chosen_ids: Collection[str] = (),
    ) -> None:
        self.documents = tuple(documents)
        self.day = day
        self.chosen_ids = chosen_ids

    @cached_property
    def every(self) -> tuple[Layer, ...]:
        """The layers of any day. Of a relation to a document that is gone there are none."""
        return tuple(
            Layer(above, below, said)
            for holder in self.documents
            for said in holder.relations
            for below in self._list_issues(said.document_id)
            for above in self._list_issues(holder.document_id)
            if above == holder or not self._says_otherwise(above, said)
        )

    @cached_property
    def in_force(self) -> tuple[Layer, ...]:
        """The layers of the day, each of the newest issue that lies above a document then."""
        there = [one for one in self.every if one.is_there(self.day)]
        chosen = [one for one in there if one.above.document_id in self.chosen_ids]
        settled = {one.below for one in chosen}
        there = [
            one
            for one in there
            if one in chosen or one.below not in settled or one.said.kind != "supplements"
        ]
        return tuple(
            one
            for one in there
            if not any(
                later.below == one.below and _is_later_issue(later.above, one.above)
                for later in there
            )
        )

    def list_above(self, document_id: str) -> list[Layer]:
        """Return the layers of the day above a document, without those that only interpret it."""
        return [
            one
            for one in self.in_force
            if one.below.document_id == document_id and one.said.kind != "interprets"
        ]

    @cached_property
    def replaced_ids(self) -> frozenset[str]:
        """The ids of documents in whose place another one is in force on the day."""
        replaced = (one for one in self.in_force if one.said.kind == "replaces")
        return frozenset(one.below.document_id for one in replaced)

    def list_competitions(self) -> list[tuple[Document, ...]]:
        """Return each document that lies above none with all that lie above it, by way of others
        too.
        """
        tops = {one.above.document_id for one in self.in_force}
        bases = dict.fromkeys(
            one.below
            for one in self.in_force
            if one.below.document_id not in tops
            and not any(_is_later_issue(other, one.below) for other in self.documents)
        )
        return [self._stack(base) for base in bases if self.list_above(base.document_id)]

    @property
    def competition_names(self) -> dict[str, str]:
        """The names of competitions, by the ids of the documents below all: "Rules + Handbook"."""
        return {
            base.document_id: " + ".join((base.label, *(one.rulebook for one in above)))
            for base, *above in self.list_competitions()
        }

    def _stack(self, base: Document) -> tuple[Document, ...]:
        """Return a document with all above it, the nearest first."""
        found = [base]
        for one in found:  # grows meanwhile
            above = (layer.above for layer in self.list_above(one.document_id))
            found += [document for document in above if document not in found]
        return tuple(found)

    def _list_issues(self, document_id: str) -> list[Document]:
        """Return a document with its later issues of the season; nothing where it is gone."""
        named = [one for one in self.documents if one.document_id == document_id]
        later = (one for one in self.documents if named and _is_later_issue(one, named[0]))
        return [*named, *later]

    def _says_otherwise(self, document: Document, said: Relation) -> bool:
        """True of a document of which it is said itself how it stands to the same rulebook."""
        issues = {one.document_id for one in self._list_issues(said.document_id)}
        return any(own.document_id in issues for own in document.relations)


def _is_later_issue(document: Document, other: Document) -> bool:
    is_same = document.family is not None and document.family == other.family
    return is_same and document.season == other.season and other.is_before(document)
