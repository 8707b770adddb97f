"""Where the day decides which rule holds, and a question does not say it: the days to choose from.

A day decides where a layer, or an edition whose days are known, begins or ends, and the quoted
rules are others from then on. It is asked for an event in the past, and where rules end or begin
later than today; else the rules of today are meant.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from itertools import pairwise

from core.agent.choices import MAX_CHOICES
from core.agent.events import Choice
from core.grammar import list_words
from core.library import Document, Layers, Library, Scope, find_clauses
from core.registers import list_layer_notes
from core.rulebook import Clause

_PAST = re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, list_words('past_event')))})\b")


def list_decisive_days(
    library: Library, question: str, scope: Scope, clause_ids: Collection[str]
) -> Iterator[Choice]:
    """Yield a question for each day from which on other rules hold for quoted clauses.

    Nothing where the question says its day, or where the rules are the same on all of them. Raises
    LibraryError.
    """
    clauses = library.select_clauses(clause_ids)
    documents = library.documents()
    if scope.day or not clauses:
        return
    named = {one.document_id for one in clauses}
    starts, is_open = _list_starts(documents, named, scope)
    if not starts or not (is_open or _PAST.search(question)):
        return
    days = [_shift(starts[0], -1), *starts]
    rules = [_list_rules(library, day, scope, clauses) for day in days]
    changes = [
        day for day, (one, other) in zip(starts, pairwise(rules), strict=True) if one != other
    ]
    if changes and not any(texts for texts, _ in rules[0]) and any(texts for texts, _ in rules[-1]):
        days, changes = changes[:1], changes[1:]  # before the first edition there was no rule
    for day in (days[0], *changes)[:MAX_CHOICES] if changes else ():
        yield Choice(question=f"{question.strip().rstrip('? .')} (as of {day})?")


def _list_starts(
    documents: Collection[Document], named: set[str], scope: Scope
) -> tuple[list[str], bool]:
    """Return the days on which rules of named documents may change; True where one has an end, or
    is later than today.
    """
    layers = [
        one
        for one in Layers(documents, chosen_ids=scope.ids).every
        if named & {one.above.document_id, one.below.document_id}
    ]
    families = Counter(one.family for one in documents)
    cited = {one.family for one in documents if one.family and one.document_id in named}
    editions = [one for one in documents if one.family in cited and families[one.family] > 1]
    begun = [one.first_day for one in layers]
    ended = [one.above.valid_to for one in layers]
    begun += [one.valid_from for one in editions]
    ended += [one.valid_to for one in editions]
    ends = [_shift(day, 1) for day in ended if day]
    starts = sorted({*filter(None, begun), *ends})
    today = date.today().isoformat()
    return starts, bool(ends) or any(day > today for day in starts)


def _shift(day: str, count: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=count)).isoformat()


def _list_rules(
    library: Library, day: str, scope: Scope, clauses: Collection[Clause]
) -> list[tuple[list[str], list[str]]]:
    """Return what the rules with the numbers of clauses are on a day, and what overrides them."""
    notes = list_layer_notes(library, scope.ids, day)
    found = []
    for clause in clauses:
        editions = [
            one
            for one in library.list_editions(library.document(clause.document_id))
            if (one.valid_from or one.valid_to) and one.is_in_force(day)
        ]
        own = find_clauses(library, clause.article, Scope(tuple(editions[-1:]), "then"))
        overriding = [
            note.clause_id
            for one in (clause, *own)
            for note in notes.get(one.clause_id, ())
            if note.kind in ("overridden", "unsettled")
        ]
        found.append(([one.text for one in own], sorted(set(overriding))))
    return found
