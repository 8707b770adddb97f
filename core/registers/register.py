"""The limits register of a document: a row for each limit, and why other numbers have none."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar

from core.copied_fields import copy_fields
from core.grammar import (
    UNITS,
    ClauseLimit,
    alphanumeric_only,
    articles_in,
    collect_limits,
    read_figure_limits,
    read_passages,
    split_cells,
    strip_marker,
)
from core.registers.document_sentences import DocumentSentences, read_sentences
from core.registers.overrides import LayerNote, LayerNotes, find_prevailing
from core.rulebook import Clause, Figure

Rule = TypeVar("Rule")
_FORMER = "words that this rule takes out of another one"
_NOT_READ: Mapping[Figure, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit(ClauseLimit):
    """A limit with the clause that sets it."""

    document_id: str
    clause_id: str
    article: str
    page: int | None
    heading: str
    variant: str
    """By which words its title differs from another: "Wet" beside "Dry Tires"."""
    in_force: bool
    overridden: str = ""
    """By what it is overridden or contradicted in another layer; empty where it is not."""

    @property
    def kind(self) -> str:
        """What it measures: "length", "mass" ...; empty for a count."""
        return UNITS[self.unit][0] if self.unit in UNITS else ""

    @property
    def wording(self) -> str:
        """All that says what it is on, with the headings above it."""
        return " ".join((self.heading, self.lead, self.subject, self.condition))

    def allows(self, margin: Decimal) -> bool:
        """True of a distance that keeps the limit: not below 0, and above it where it is strict."""
        return margin > 0 if self.relation in ("more than", "less than") else margin >= 0

    def __str__(self) -> str:
        """The limit as people write it: "at least 25.0 mm", "2 to 5 Hz"."""
        value = UNITS.format(self.value, self.unit)
        if self.relation == "between" and self.upper is not None:
            return f"{self.value:f} to {UNITS.format(self.upper, self.unit)}"
        return value if self.relation == "equal" else f"{self.relation} {value}"


@dataclass(frozen=True, slots=True)
class RowLink:
    """A row of a table without limits that leads to rows with them: "Main Hoop | Size A"."""

    label: str
    name: str
    clause_id: str
    article: str
    page: int | None
    quote: str


@dataclass(frozen=True, slots=True)
class UnreadNumbers:
    """A clause with numbers or figures and no limit, and why."""

    document_id: str
    article: str
    page: int | None
    reason: str
    words: str
    in_force: bool


@dataclass(frozen=True, slots=True)
class LimitsRegister:
    """All limits of a document, and its clauses with a number and no limit."""

    limits: tuple[Limit, ...]
    unread: tuple[UnreadNumbers, ...]
    links: tuple[RowLink, ...] = ()

    @classmethod
    def join(cls, registers: Collection["LimitsRegister"]) -> "LimitsRegister":
        """Return the registers of several documents as one."""
        parts = ((getattr(one, field.name) for one in registers) for field in fields(cls))
        return cls(*(tuple(chain.from_iterable(part)) for part in parts))

    @property
    def binding(self) -> list[Limit]:
        """The limits that values are held against: those in force that are limits for certain."""
        return [one for one in self.limits if one.in_force and not one.may_limit_nothing]

    def mark_overridden(self, notes: LayerNotes) -> "LimitsRegister":
        """Return the register with what other layers mean for its limits."""
        limits = (mark_overridden(one, find_override(notes, one)) for one in self.limits)
        return replace(self, limits=tuple(limits))

    def amend(self, notes: LayerNotes) -> "LimitsRegister":
        """Return the register with limits in words that amend a rule, on what that rule is on."""
        return replace(self, limits=tuple(_amend(one, notes) for one in self.limits))

    @property
    def summary(self) -> str:
        """One sentence that says how many limits there are, and how many clauses have none."""
        reasons = Counter(one.reason for one in self.unread if one.in_force)
        counts = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        in_force = sum(limit.in_force for limit in self.limits)
        later = sum(not limit.in_force and not limit.overridden for limit in self.limits)
        apart = f" and {later} of deleted or later text" if later else ""
        unproved = sum(limit.in_force and not limit.proved for limit in self.limits)
        doubted = f", {unproved} of them not proved" if unproved else ""
        overridden = sum(bool(limit.overridden) for limit in self.limits)
        apart += f", {overridden} overridden or contradicted elsewhere" if overridden else ""
        return (
            f"{in_force} limits in force{doubted}{apart}. Clauses with a number and no limit:"
            f" {sum(reasons.values())} ({counts})."
        )


def find_override(notes: LayerNotes, limit: Limit) -> LayerNote | None:
    """Return the note by which a limit does not decide, None where there is none."""
    return find_prevailing(notes.get(limit.clause_id, ()), limit.quote, limit.value)


def mark_overridden(rule: Rule, note: LayerNote | None) -> Rule:
    """Return a limit or an obligation with what a note says of it: not in force if overridden."""
    if note is None:
        return rule
    read: Any = rule
    caution = note.caution if note.clause_id != read.clause_id else _FORMER
    in_force = read.in_force and note.kind != "overridden"
    marked: Rule = replace(read, overridden=caution, in_force=in_force)
    return marked


def _amend(limit: Limit, notes: LayerNotes) -> Limit:
    """Return a limit as the sentence reads that its words amend, if that is proved."""
    for note in notes.get(limit.clause_id, ()):
        if note.kind == "overrides" and note.amended:
            for one in collect_limits(read_passages(note.amended))[0]:
                if one.proved and (one.value, one.unit) == (limit.value, limit.unit):
                    return replace(copy_fields(Limit, one, limit), quote=limit.quote)
    return limit


FigureTexts = Mapping[Figure, tuple[str, ...]]
"""What text recognition reads on figures."""


def read_register(
    clauses: Iterable[Clause],
    texts: FigureTexts = _NOT_READ,
    sentences: DocumentSentences | None = None,
) -> LimitsRegister:
    """List the limits of a document's clauses, and account for every clause with a number.

    `texts` are the words of figures. `sentences` are those of the clauses, parsed here where they
    are not given.
    """
    clauses = tuple(clauses)
    sentences = sentences or read_sentences(clauses)
    language, *_ = sentences.languages
    variants = _find_variants(clauses)
    limits: list[Limit] = []
    unread: list[UnreadNumbers] = []
    for clause in clauses:
        found, omitted = collect_limits(sentences.find_passages(clause.clause_id), clause.title)
        drawn = {
            figure: read_figure_limits(texts.get(figure, ()), figure.caption, language)
            for figure in clause.figures
        }
        variant = variants.get(clause.clause_id, "")
        limits += [_locate(clause, one, variant) for one in found]
        limits += [
            replace(_locate(clause, one, variant), page=figure.page)
            for figure, of_figure in drawn.items()
            for one in of_figure
        ]
        reasons = [(one.reason, one.quote) for one in omitted]
        unread += _account(clause, found, reasons, {figure for figure in drawn if drawn[figure]})
    return LimitsRegister(tuple(limits), tuple(unread), tuple(_find_links(clauses, limits)))


def page_of(clause: Clause, quote: str) -> int | None:
    """Return the page on which words of a clause begin, None in a document without pages."""
    words = alphanumeric_only(quote)[:60]
    pages = (place.page for place in clause.places if words in alphanumeric_only(place.words))
    return next(pages, clause.page_first)


def is_in_force(clause: Clause) -> bool:
    """True of a clause that is neither deleted nor for a later season."""
    return clause.status == "in_force" and clause.future is None


def _locate(clause: Clause, limit: ClauseLimit, variant: str) -> Limit:
    return copy_fields(
        Limit,
        limit,
        clause,
        subject=limit.subject or clause.title,
        page=page_of(clause, limit.quote),
        heading=" / ".join(filter(None, (*clause.breadcrumb, clause.title))),
        variant=variant,
        in_force=is_in_force(clause),
    )


def _find_variants(clauses: Iterable[Clause]) -> dict[str, str]:
    """Return by which words the titles of clauses differ from those beside them, by clause."""
    beside: dict[tuple[tuple[str, ...], str], list[tuple[Clause, list[str]]]] = defaultdict(list)
    for clause in clauses:
        if words := clause.title.casefold().split():
            beside[clause.breadcrumb, words[-1]].append((clause, words))
    return {
        clause.clause_id: " ".join(words[:-1])
        for titles in beside.values()
        if len({tuple(words) for _, words in titles}) > 1
        for clause, words in titles
    }


def _find_links(clauses: Iterable[Clause], limits: Iterable[Limit]) -> Iterator[RowLink]:
    """Yield the rows of tables that name a row with limits in one of their cells."""
    labels = {limit.label: limit.label for limit in limits if len(limit.label.split()) > 1}
    for clause in clauses:
        lines = (line for line in clause.text.splitlines() if line.startswith("|"))
        for line, cells in ((line, split_cells(line)) for line in lines):
            words = (cell for cell in cells if len(alphanumeric_only(cell)) > 2)
            name = strip_marker(next(words, ""))
            for cell in cells:
                if cell in labels and cell != name:
                    page = page_of(clause, line)
                    yield RowLink(cell, name, clause.clause_id, clause.article, page, line)


def _account(
    clause: Clause,
    limits: Sequence[ClauseLimit],
    omitted: Sequence[tuple[str, str]],
    figures_read: Set[Figure],
) -> Iterable[UnreadNumbers]:
    """Yield why a clause with a number has no limit, and its pictures, which are not read.

    `omitted` are its numbers that are none, each a reason and a quote.
    """

    def row(page: int | None, reason: str, words: str) -> UnreadNumbers:
        document = clause.document_id
        return UnreadNumbers(document, clause.article, page, reason, words, is_in_force(clause))

    for figure in clause.figures:
        if figure.kind == "figure" and figure not in figures_read:
            yield row(figure.page, "figure that is not read", figure.caption)
    if limits:
        return
    if omitted:
        reasons, quotes = zip(*omitted, strict=True)
        [(reason, _)] = Counter(reasons).most_common(1)
        yield row(page_of(clause, quotes[0]), reason, quotes[0])
    elif line := next((one for one in clause.text.splitlines() if _has_digit(one)), ""):
        reason = "citation" if articles_in(clause.text) else "number within a name"
        yield row(page_of(clause, line), reason, line[:200])


def _has_digit(text: str) -> bool:
    return any(map(str.isdecimal, text))
