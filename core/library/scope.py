"""Which documents a run may see: a person's choice, and what the question names. Reads no clause.

A season of regulations that a person names and the library lacks gives an empty scope: another
season's rule is never the answer. A year alone is searched in what is held. A restricted library
shows no other documents, whatever a caller asks for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from core.errors import LibraryError
from core.library.edition_order import Editions, without_samples
from core.library.layers import Layers, is_same_rulebook
from core.library.retrieval.query_filters import QueryFilters, parse_query_filters
from core.library.storage.library import Library
from core.library.types import Document, Scope, ScopeChoice, join_seasons
from core.rulebook import Clause

_NO_CHOICE = ScopeChoice()
_BY_DEFAULT = "the newest issue of each rulebook"


def resolve_scope(
    documents: Iterable[Document],
    choice: ScopeChoice = _NO_CHOICE,
    question: str = "",
    is_firm: bool = False,
) -> Scope:
    """Return the documents that a choice selects, restricted to what a question names.

    Where the two contradict each other the choice holds, and the scope's `why` says so. If the
    question names two seasons or issues, both are in scope. Where nothing chosen is of what the
    question names, the scope is empty; with `is_firm`, the choice holds then too. Raises
    LibraryError `unknown_document`.
    """
    held = tuple(documents)
    filters = parse_query_filters(question, held)
    if not filters.choices:
        return _resolve_choice(held, choice)
    scope = _resolve_wishes(held, filters, choice)
    if not scope.documents and is_firm and choice.is_set:
        return replace(_resolve_choice(held, choice), why=scope.why)
    return scope


def _resolve_wishes(held: Sequence[Document], filters: QueryFilters, choice: ScopeChoice) -> Scope:
    """Return the documents that a question names, as far as the choice allows them."""
    wishes = dict.fromkeys(_overlay(wish, choice) for wish in filters.choices)
    by_days = choice.season is None  # the season of a day that is named is a guess
    parts = [_resolve_choice(held, wish, by_days) for wish in wishes]
    found = {document.document_id: document for part in parts for document in part.documents}
    passed = {document.document_id: document for part in parts for document in part.left_out}
    left_out = tuple(passed[key] for key in passed if key not in found)
    missing = dict.fromkeys(part.why for part in parts if not part.documents)
    if not found:
        return Scope((), "; ".join(missing), left_out)
    chosen = _complete_choices(found.values(), choice)
    days = {wish.on for wish in wishes}
    reasons = [f"the question names {filters.label}", *missing]
    if any(all(_contradicts(wish, one) for one in chosen) for wish in filters.choices):
        reasons.append(f"what is chosen goes before that: {_choice_words(choice)}")
    day = days.pop() if len(days) == 1 else None
    return Scope(tuple(found.values()), "; ".join(reasons), left_out, day)


def _resolve_choice(held: Sequence[Document], choice: ScopeChoice, by_days: bool = False) -> Scope:
    """Return the documents that a choice selects, and those that it allows and leaves out.

    Without a season: the newest issue of the newest season of each family, several where they
    cannot be ordered (`Editions.list_ambiguous`), and every document without a family. With one:
    the newest issues of that season. A chosen issue or day replaces "newest"; a chosen document
    (its id, or at least ID_PREFIX_LENGTH characters of its beginning) replaces all the rest, as
    chosen documents do. Samples are not seen beside other documents, unless the choice names their
    family or one of them: a question does so by the name of their series alone. With `by_days`, of
    documents whose days are known the day counts, and not the season.
    """
    name = choice.document
    if name is not None and not any(document.matches_id(name) for document in held):
        message = (
            f"The library holds no rulebook {name[:80]}: see the list of documents for its id."
        )
        raise LibraryError(message, code="unknown_document")
    if choice.competition:
        return _resolve_competition(held, choice)
    matching = tuple(document for document in held if _matches(document, choice, by_days))
    is_exact = bool(name) or choice.documents is not None
    seen = matching if is_exact or choice.family else without_samples(held, matching)
    found = tuple(seen) if is_exact else Editions(_list_in_force(held, seen, choice)).list_newest()
    ids = {document.document_id for document in found}
    left_out = tuple(document for document in matching if document.document_id not in ids)
    if not found:
        others = held if choice.family else without_samples(held, held)
        return Scope((), _explain_empty(others, choice), left_out)
    words = _choice_words(choice)
    why = f"chosen: {words}" if words else _BY_DEFAULT
    return Scope(found, why, left_out, choice.on)


def _resolve_competition(held: Sequence[Document], choice: ScopeChoice) -> Scope:
    """Return the layers of the competition that a document is of, as they lie on the chosen day.

    Any issue of a document names it. Of a document that several competitions share: what they
    share, without supplements, since to choose one of these leaves out the others (`Layers`).
    """
    layers = Layers(held, choice.on)
    named = [one for one in held if one.matches_id(choice.competition or "")]
    named += [one for one in held if any(is_same_rulebook(one, other) for other in named)]
    found = [one for one in layers.list_competitions() if not set(named).isdisjoint(one)]
    if not found:
        return Scope((), _say_no_competition(choice, is_held=bool(named)), day=choice.on)
    shared, *others = found
    if others:
        supplements = {one.above for one in layers.in_force if one.said.kind == "supplements"}
        in_all = set(shared).intersection(*others) - supplements
        shared = tuple(one for one in shared if one in in_all)
    seen = tuple(one for one in shared if one.document_id not in layers.replaced_ids)
    base, *above = shared
    name = " + ".join((base.label, *(one.rulebook for one in above)))
    return Scope(seen, f"chosen: {name}", day=choice.on)


def _say_no_competition(choice: ScopeChoice, is_held: bool) -> str:
    if not is_held:
        return f"the library does not hold {(choice.competition or '')[:80]}"
    day = f", as they are in force on {choice.on}" if choice.on else ""
    return f"nothing is said of how documents stand to the chosen one{day}"


def _list_in_force(
    held: Sequence[Document], seen: Sequence[Document], choice: ScopeChoice
) -> Sequence[Document]:
    """Return documents without those in whose place another one is in force on the day.

    With a season or an issue that is chosen, that is another one of these. Without them, those are
    left out too that come into force later than today, where others of their family are in force,
    and what has ended above a document that has not.
    """
    is_named = choice.season is not None or choice.issue is not None
    layers = Layers(seen if is_named else held, choice.on)
    there = [one for one in seen if one.document_id not in layers.replaced_ids]
    if is_named or choice.on:
        return there
    there = [one for one in there if one not in layers.ended]
    today = date.today().isoformat()
    begun = [one for one in there if (one.valid_from or "") <= today]
    families = {one.family for one in begun}
    return [one for one in there if one in begun or one.family not in families]


def _matches(document: Document, choice: ScopeChoice, by_days: bool) -> bool:
    has_days = by_days and choice.on is not None and document.valid_from is not None
    return (
        (choice.document is None or document.matches_id(choice.document))
        and (choice.documents is None or document.document_id in choice.documents)
        and (choice.season in (None, document.season) or has_days)
        and choice.family in (None, document.family)
        and choice.issue in (None, document.issue)
        and (choice.on is None or document.is_in_force(choice.on))
    )


def _overlay(wish: ScopeChoice, choice: ScopeChoice) -> ScopeChoice:
    """Return a wish of the question with what is chosen in its place.

    Chosen documents are all; an issue or a day of a season that is not chosen does not count.
    """
    if choice.document or choice.documents is not None or choice.competition:
        return choice if choice.on or choice.competition is None else replace(choice, on=wish.on)
    if _contradicts(replace(wish, family=None), choice):
        wish = ScopeChoice(family=wish.family)
    return replace(wish, **_chosen_fields(choice))


def _complete_choices(found: Iterable[Document], choice: ScopeChoice) -> list[ScopeChoice]:
    """Return a choice; for chosen documents one each, with its season, issue and family."""
    if choice.document is None and choice.documents is None and choice.competition is None:
        return [choice]
    return [
        ScopeChoice(season=document.season, family=document.family, issue=document.issue)
        for document in found
    ]


def _contradicts(wish: ScopeChoice, choice: ScopeChoice) -> bool:
    """True where a question names another season, issue, day or rulebook than the chosen one."""
    return any(
        getattr(wish, name) not in (None, value) for name, value in _chosen_fields(choice).items()
    )


def _chosen_fields(choice: ScopeChoice) -> dict[str, Any]:
    return {name: value for name, value in asdict(choice).items() if value is not None}


def _explain_empty(held: Sequence[Document], choice: ScopeChoice) -> str:
    if not held:
        return "the library is empty; add a rulebook first"
    if choice.documents is not None:
        return "no document is ticked"
    family = [document for document in held if choice.family in (None, document.family)]
    related = family or held
    wanted, having = f" of {_choice_words(choice)}", "; ".join(other.label for other in related)
    if choice.season is not None and choice.season not in {other.season for other in related}:
        of_family = f" of {choice.family}" if choice.family and family else ""
        wanted = f"{of_family} of season {choice.season}"
        having = join_seasons(related) or "none with a season"
    return f"the library holds no document{wanted}; it holds {having}"


def _choice_words(choice: ScopeChoice) -> str:
    words = {
        "document": choice.document and choice.document[:12],
        "family": choice.family,
        "season": choice.season,
        "issue": choice.issue,
        "competition": choice.competition and choice.competition[:12],
        "day": choice.on,
        "ticked": None if choice.documents is None else "documents",
    }
    return ", ".join(f"{name} {value}" for name, value in words.items() if value is not None)


class RestrictedLibrary(Library):
    """The documents of a library that a choice allows, their earlier issues among them.

    Another document raises LibraryError `unknown_document`, as if it were not there.
    """

    def __init__(self, library: Library, allowed: ScopeChoice) -> None:
        super().__init__(library.place, library.mode, library.embedding, library.read_limits)
        self._allowed = allowed

    __eq__ = object.__eq__
    __hash__ = object.__hash__  # what is kept of the whole library is not for it

    def list_every_document(self) -> tuple[Document, ...]:
        """Return what is allowed, with rulings on it unless documents are named one by one."""
        every, allowed = super().list_every_document(), self._allowed
        scope = resolve_scope((one for one in every if not one.interprets), allowed)
        ids = {document.document_id for document in (*scope.documents, *scope.left_out)}
        is_exact = allowed.document is not None or allowed.documents is not None
        return tuple(
            one
            for one in every
            if one.document_id in ids or (not is_exact and ids.intersection(one.interprets))
        )

    def select_clauses(self, clause_ids: Iterable[str]) -> list[Clause]:
        seen, found = self._seen_ids(), super().select_clauses(clause_ids)
        return [clause for clause in found if clause.document_id in seen]

    def find_entry(self, document_id: str) -> tuple[Document, str]:
        entry = super().find_entry(document_id)
        if document_id in self._seen_ids():
            return entry
        message = f"The library holds no document {document_id[:80]} that may be seen here."
        raise LibraryError(message, code="unknown_document")

    def _seen_ids(self) -> set[str]:
        return {document.document_id for document in self.list_every_document()}
