"""How the documents of a library stand to one another on a day: which lie above which.

A relation is said of two documents (`Relation`). It holds for later issues of the same families and
season too, unless something else is said of these; an amendment holds for later issues of what it
amends where the words that it changed still stand there. Which clauses that overrides is decided in
`core.registers.overrides`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from core.library.types import Document, Relation


@dataclass(frozen=True, slots=True)
class Layer:
    """A document that lies above another one, and what was said of both.

    `said_of` is the issue of the one below that it was said of, maybe an earlier one.
    """

    above: Document
    below: Document
    said: Relation
    said_of: Document
    is_rival: bool = False
    """True where another competition's document prevails over the one below too, and nothing
    chooses between them."""

    @property
    def first_day(self) -> str | None:
        """The ISO date from which on it lies there, None where no day is known."""
        days = (self.said.from_day, self.above.valid_from)
        return max(filter(None, days), default=None)

    @property
    def has_ended(self) -> bool:
        """True where the document above has ended by today, and the one below has not."""
        return _has_ended(self.above) and not _has_ended(self.below)

    @property
    def is_of_season(self) -> bool:
        """True where both documents are of one season."""
        return self.above.season == self.below.season

    @property
    def is_unsure(self) -> bool:
        """True where even what it changes by number may not be the law: of one competition among
        several, or said of an issue that is gone.
        """
        return self.is_rival or (self.said.is_carried and self.said.kind == "amends")

    @property
    def prevails(self) -> bool | None:
        """True where the rule above holds, False for the one below; None where nothing says so."""
        if self.is_unsure:
            return None
        if self.said.kind in ("amends", "replaces"):
            return True
        return {"this": True, "other": False}.get(self.said.prevails)


class Layers:
    """The documents of a library on a day, and how they stand to one another.

    Without a day it is today; of a document that has ended, what has ended too lies above it still:
    the rules of a past season lie as they lay then. Where some of the supplements of a document are
    chosen, the others are those of other competitions and do not count.
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
            Layer(above, below, said, named)
            for holder in self.documents
            for said in holder.relations
            for named in self.documents
            if named.document_id == said.document_id
            for below in self._list_issues(named)
            for above in self._list_issues(holder)
            if above == holder or not self._says_otherwise(above, named)
            if below == named or not (below == above or _is_later_issue(below, above))
        )

    @cached_property
    def in_force(self) -> tuple[Layer, ...]:
        """The layers of the day.

        Of supplements the newest issue counts; amendments add up. What is replaced in its season
        lies above nothing.
        """
        there = [one for one in self.every if self._is_there(one) and not self._is_left(one)]
        replaced = {one.below for one in there if one.said.kind == "replaces" and one.is_of_season}
        chosen = [one for one in there if one.above.document_id in self.chosen_ids]
        settled = {one.below for one in chosen if one.said.kind == "supplements"}
        seen = [
            one
            for one in there
            if one in chosen or one.below not in settled or one.said.kind != "supplements"
        ]
        seen = [
            one
            for one in seen
            if one.said.kind == "replaces"
            or not (one.above in replaced or self._is_repeated(one, seen))
        ]
        rivals = set(_list_rivals(seen))
        return tuple(replace(one, is_rival=one in rivals) for one in seen)

    @cached_property
    def ended(self) -> frozenset[Document]:
        """The documents that have ended by today, and lie above one that has not."""
        return frozenset(one.above for one in self.every if one.has_ended)

    @cached_property
    def in_force_on_day(self) -> tuple[Document, ...]:
        """The documents that are in force on the day, or may be; all without a day.

        An issue that names no day at all may be where no issue is known to be.
        """
        day = self.day
        if day is None:
            return self.documents
        known = [one for one in self.documents if one.is_in_force(day)]
        undated = (one for one in self.documents if not (one.valid_from or one.date))
        return (
            *known,
            *(
                one
                for one in undated
                if one not in known
                and (one.valid_to or day) >= day
                and not any(is_same_rulebook(one, other) for other in known)
            ),
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
        too: once for each of the rivals above it.
        """
        tops = {one.above for one in self.in_force}
        bases = dict.fromkeys(
            one.below
            for one in self.in_force
            if one.below not in tops
            and not any(_is_later_issue(other, one.below) for other in self.in_force_on_day)
        )
        found = []
        for base in bases:
            above = self.list_above(base.document_id)
            rivals = dict.fromkeys(one.above for one in above if one.is_rival)
            for rival in rivals or ([None] if above else []):
                found.append(self._stack(base, {*rivals} - {rival}))
        return found

    def list_with(self, document: Document) -> tuple[Document, ...]:
        """Return all layers of the one competition that a document is of, else it alone."""
        own = [one for one in self.list_competitions() if document in one]
        return own[0] if len(own) == 1 else (document,)

    @property
    def competition_names(self) -> dict[str, str]:
        """The names of competitions, "Rules + Handbook", by the id of the document below all; of
        rivals by the id of theirs.
        """
        competitions = self.list_competitions()
        shared = Counter(base for base, *_ in competitions)
        names = {}
        for base, *above in competitions:
            rival = next((one for one in above if one in self._rivals), base)
            key = rival if shared[base] > 1 else base
            names[key.document_id] = " + ".join((base.label, *(one.rulebook for one in above)))
        return names

    @cached_property
    def _rivals(self) -> frozenset[Document]:
        return frozenset(one.above for one in self.in_force if one.is_rival)

    def _stack(self, base: Document, left_out: Collection[Document]) -> tuple[Document, ...]:
        """Return a document with all above it, the nearest first, without those left out."""
        found = [base]
        for one in found:  # grows meanwhile
            above = (layer.above for layer in self.list_above(one.document_id))
            found += dict.fromkeys(new for new in above if new not in (*found, *left_out))
        return tuple(found)

    def _is_there(self, layer: Layer) -> bool:
        """True where a layer lies there on the day; without one, where it has begun by today."""
        today = date.today().isoformat()
        if (layer.first_day or "") > (self.day or today):
            return False
        if self.day is None:
            return not layer.has_ended
        return layer.above in self.in_force_on_day and layer.below in self.in_force_on_day

    def _is_left(self, layer: Layer) -> bool:
        """True where a document is chosen that another season has replaced since."""
        ids = self.chosen_ids
        is_chosen = layer.below.document_id in ids and layer.above.document_id not in ids
        return layer.said.kind == "replaces" and is_chosen and not layer.is_of_season

    def _is_repeated(self, layer: Layer, there: Iterable[Layer]) -> bool:
        """True of a supplement of which a later issue lies there."""
        return layer.said.kind == "supplements" and any(
            later.below == layer.below and _is_later_issue(later.above, layer.above)
            for later in there
        )

    def _list_issues(self, document: Document) -> list[Document]:
        """Return a document with its later issues of the season."""
        return [document, *(one for one in self.documents if _is_later_issue(one, document))]

    def _says_otherwise(self, document: Document, named: Document) -> bool:
        """True of a document of which it is said itself how it stands to the same rulebook."""
        issues = {one.document_id for one in self._list_issues(named)}
        return any(own.document_id in issues for own in document.relations)


def _is_later_issue(document: Document, other: Document) -> bool:
    return is_same_rulebook(document, other) and other.is_before(document)


def carry_relations(documents: Iterable[Document], removed: Document) -> Iterator[Document]:
    """Yield documents with what was said of one that is to be removed said of its next issue.

    That a document of rulings interprets it is left as it was said.
    """
    held = [one for one in documents if one.document_id != removed.document_id]
    later = [one for one in held if _is_later_issue(one, removed)]
    if not later:
        return
    heir = min(later, key=lambda one: one.edition)
    for one in held:
        known = {said.document_id for said in one.relations}
        found = [
            replace(said, document_id=heir.document_id, is_carried=True)
            if said.document_id == removed.document_id
            and said.kind != "interprets"
            and heir.document_id not in known
            and not is_same_rulebook(one, heir)
            else said
            for said in one.relations
        ]
        if one == heir:
            known.add(one.document_id)
            found += [said for said in removed.relations if said.document_id not in known]
        if found != [*one.relations]:
            yield replace(one, relations=tuple(found))


def is_same_rulebook(document: Document, other: Document) -> bool:
    """True for two issues of one rulebook and season."""
    is_same = document.family is not None and document.family == other.family
    return is_same and document.season == other.season


def _has_ended(document: Document) -> bool:
    """True where its last day is over; where none is known, the year of its season."""
    today = date.today().isoformat()
    season_end = f"{document.season}-12-31" if document.season else today
    return (document.valid_to or season_end) < today


def _list_rivals(layers: Collection[Layer]) -> Iterator[Layer]:
    """Yield the supplements of competitions that share the document below.

    They are those that prevail over it, or all where none is said to; one is no rival, and those
    that lie above one another are of one competition.
    """
    stacked = {(one.above, one.below) for one in layers}
    for below in {one.below for one in layers}:
        found = [
            one
            for one in layers
            if one.below == below
            and one.said.kind == "supplements"
            and one.said.prevails != "other"
        ]
        found = [one for one in found if one.said.prevails] or found
        above = [one.above for one in found]
        lowest = [one for one in above if stacked.isdisjoint((one, other) for other in above)]
        if len({one.family or one for one in lowest}) > 1:
            yield from found
