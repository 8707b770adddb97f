"""What speaks against a verdict on a value: doubts, each a question that is still open.

A doubt is a function of a value and the limits that it may be of. It returns what is missing, or
None where it has nothing to ask. A verdict is said where none of them asks.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from core.grammar import find_cues, find_figures, find_quantities, list_kinds
from core.registers import Limit
from core.sheets.limit_search import (
    MEASURING,
    Candidate,
    Match,
    ParameterWord,
    as_written,
    find_contrary,
    limit_words,
)
from core.sheets.limited_things import find_head, find_measured_thing, find_thing, names_thing
from core.sheets.row_conditions import (
    OPERATOR,
    find_gates,
    is_in_band,
    is_of_case,
    says,
)
from core.sheets.sheet_amounts import SheetAmount, compute_margin, keeps

SURE = 0.75
"""The probability from which something is taken to be so: that one rule is meant, or that none is.
What is less likely than the rest, beside the best, is not meant. Chosen by the eight sheets of
tests/benchmarks/sheet_verdicts.py and 30 questions.
"""
MAX_NAMED = 3
"""Articles and uses that are named where none is plainly meant."""
_FROM_BELOW = frozenset(("at least", "more than"))
_ALTERNATIVE = re.compile(r"(?i)\bor\s+(?:[a-z]+\s+){0,2}$")
_WITHOUT = re.compile(r"(?i)\bwithout\s+(?:(?:an?|any|the|its|their)\s+)?([a-z]+)")


@dataclass(frozen=True, slots=True)
class Reading:
    """Limits that hold together, the minimum and the maximum of one thing, and what they decide."""

    matches: tuple[Match, ...]
    is_kept: bool

    @property
    def best(self) -> Match:
        """The match that is most plainly meant."""
        return self.matches[0]

    @property
    def clause_id(self) -> str:
        return self.best.candidate.limit.clause_id


@dataclass(frozen=True, slots=True)
class ValueCase:
    """A value, what its row says, and the limits that it may be of."""

    text: str
    amount: SheetAmount
    said: Sequence[ParameterWord]
    meant: Sequence[Reading]
    """The limits that are meant, or as likely that they have to be asked about."""
    applying: Sequence[Reading]
    """All limits that hold under the conditions of the row, the likeliest first."""
    of_articles: Sequence[Limit]
    """All limits of the articles that are meant, as far as the value can be compared with them."""
    probability: float
    """That a clause is meant that decides as the best does, 0 to 1."""
    counted: frozenset[str] = frozenset()
    """The stems of what a count is of, where its unit says so: "drivers"."""

    @property
    def matches(self) -> list[Match]:
        return [match for reading in self.meant for match in reading.matches]

    @property
    def candidates(self) -> list[Candidate]:
        return list(dict.fromkeys(match.candidate for match in self.matches))

    @property
    def limits(self) -> tuple[Limit, ...]:
        return tuple(dict.fromkeys(one.limit for one in self.candidates))

    @property
    def verdicts(self) -> set[bool]:
        return {reading.is_kept for reading in self.meant}

    def counts(self, limit: Limit) -> bool:
        """True of a limit whose number is of the things that are counted."""
        figures = (one for one in find_figures(limit.quote) if one.value == limit.value)
        return any(not self.counted.isdisjoint(one.counted) for one in figures)

    @property
    def nearest(self) -> Limit:
        """The limit that the value is nearest to."""
        return min(self.limits, key=lambda limit: abs(compute_margin(self.amount, limit)))


Doubt = Callable[[ValueCase], str | None]


def find_doubt(case: ValueCase, *, is_picked: bool) -> str | None:
    """Return what is missing for a verdict; None where nothing is.

    Whoever picked a rule has said which one is meant, and of which variant the row is.
    """
    doubts = [doubt for doubt in DOUBTS if not (is_picked and doubt in OF_CHOICE)]
    return next(filter(None, (doubt(case) for doubt in doubts)), None)


def ask_unit(case: ValueCase) -> str | None:
    """Ask for the value in the kind of days that a rule counts: working days are no days."""
    other = (one for one in case.limits if not case.amount.converts_to(one.kind))
    return next((f"the value in {one.unit}: {case.amount.unit} are others" for one in other), None)


def ask_count(case: ValueCase) -> str | None:
    """Ask what is counted where the limits are on a number of other things."""
    if not case.counted or all(map(case.counts, case.limits)):
        return None
    return f"whether it counts what this limits: “{case.nearest.subject}”"


def ask_variant(case: ValueCase) -> str | None:
    """Ask whether it is of the variant that the title of the likeliest rule names."""
    return next(filter(None, map(doubt_variant, case.meant[0].matches)), None)


def ask_kind(case: ValueCase) -> str | None:
    """Ask whether it is of the class that alone a broken limit is for, unless all are broken."""
    kinds = {frozenset(list_kinds(one.wording)) for one in case.of_articles}
    is_any_kept = any(keeps(case.amount, one) for one in case.of_articles)
    if False not in case.verdicts or (len(kinds) > 1 and not is_any_kept):
        return None
    unsaid = (list_kinds(one.wording) - list_kinds(case.text) for one in case.limits)
    asked = next((min(one) for one in unsaid if one), None)
    return f"whether it is of “{asked}”" if asked else None


def ask_condition(case: ValueCase) -> str | None:
    """Ask for the condition of a limit that the row does not speak of.

    A value that keeps all limits of an article keeps "if it is welded, at least 2 mm" also where
    nothing is welded; one that breaks those for all conditions breaks the one that holds.
    """
    conditions = {(one.condition, one.relation) for one in case.of_articles}
    one_sided = {one.relation for one in case.of_articles} - {"equal", "between"}
    is_one_way = bool(one_sided) and len(one_sided & _FROM_BELOW) in (0, len(one_sided))
    verdicts = case.verdicts | {keeps(case.amount, one) for one in case.of_articles}
    is_alike = verdicts == {False} and is_one_way and len(conditions) > 1
    is_alike |= verdicts == {True} and not any(map(_has_unread_alternative, case.limits))
    for limit in case.limits:
        if is_in_band(case.text, limit):
            continue
        if OPERATOR.search(limit.condition):
            return f"the value for “{limit.condition}”"
        for gate in find_gates(limit.condition):
            is_said = says(gate, case.said) and list_kinds(gate) <= list_kinds(case.text)
            if not is_said and (is_of_case(gate) or not is_alike):
                return f"whether this holds: “{gate}”"
    return None


def _has_unread_alternative(limit: Limit) -> bool:
    """True of "1.2 mm if made of steel or 3 mm if made of brass", where the 3 mm are no limit."""
    if limit.source == "table":
        return False
    others = [one for one in find_quantities(limit.quote) if one.kind == limit.kind]
    return any(
        one.value not in (limit.value, limit.upper, limit.other_end)
        and _ALTERNATIVE.search(limit.quote[: one.start])
        for one in others
    )


def ask_denial(case: ValueCase) -> str | None:
    """Ask whether it is without what a row speaks of and a limit excludes ("without fuel")."""
    stems = {word.stem for word in case.said}
    for limit in case.limits:
        for part in _WITHOUT.findall(f"{limit.lead} {limit.subject}"):
            if limit_words(part) <= stems and not limit_words(f"without {part}") & stems:
                return f"whether it is without {part}"
    return None


def ask_open_choice(case: ValueCase) -> str | None:
    """Ask for the other amount of "whichever is smaller"."""
    is_open = any(find_cues(f"{limit.lead} {limit.quote}", "choice") for limit in case.limits)
    return "the other amount, of which the rule takes one" if is_open else None


def ask_limit(case: ValueCase) -> str | None:
    """Ask which limit is meant, where they decide otherwise: up to four are named."""
    if len(case.verdicts) == 1:
        return None
    described = dict.fromkeys(f"{one} ({one.subject}, {one.article})" for one in case.limits)
    return f"which of these is meant: {'; '.join(list(described)[:4])}"


def ask_match(case: ValueCase) -> str | None:
    """Ask whether it is of what the likeliest limit is on, where something speaks against each."""
    doubts = [find_match_doubt(one, case.amount) for one in case.matches]
    return doubts[0] if all(doubts) else None


def find_match_doubt(match: Match, amount: SheetAmount) -> str | None:
    """Return what speaks against it that a limit is on what is named; None where nothing does."""
    doubts = (doubt_kind(match), doubt_use(match), doubt_name(match), doubt_thing(match, amount))
    return next(filter(None, doubts), None)


def doubt_variant(match: Match) -> str | None:
    """Doubt a limit on "wet" tyres, where the title of the rule says so and the row does not.

    "Rain tyres" are "wet weather tyres", and so of the variant "wet".
    """
    variant, said = match.candidate.limit.variant, match.words.all
    words = limit_words(variant)
    is_named = any(words <= other for word in said for other in word.synonyms)
    return None if is_named or says(variant, said) else f"whether it is of “{variant}”"


def doubt_kind(match: Match) -> str | None:
    """Doubt a limit on another kind of the same thing."""
    kind = find_contrary(match.words, match.candidate)
    return f"whether it is of this: the rule is on “{kind}”" if kind else None


def doubt_use(match: Match) -> str | None:
    """Doubt a limit that a table has for a use which the row does not name."""
    link = match.candidate.link
    if link is None or not match.unsaid >= match.candidate.use:
        return None
    return f"whether this is the {link.name.strip()}"


def doubt_name(match: Match) -> str | None:
    """Doubt a limit that says neither word of "fuel tank"."""
    words = {word.stem for word in match.words.own} - match.said - MEASURING
    pairs = (pair for pair in sorted(match.words.pairs) if words >= {*pair})
    unnamed = as_written(next(pairs, ()), match.words.parameter)
    return f"whether it is of this: the rule names no word of “{unnamed}”" if unnamed else None


def doubt_thing(match: Match, amount: SheetAmount) -> str | None:
    """Doubt a limit on another thing: on the tube that a harness is held by, where a harness is
    asked for; a size that names a thing; a share of something else.

    A value that keeps a limit also has to be of the thing that the limit names: of an oil tank's
    height, where a camera's is asked for.
    """
    limit = match.candidate.limit
    thing, named = find_thing(limit), find_measured_thing(match.words.parameter)
    is_unnamed = limit.source != "table" and keeps(amount, limit) and not named & match.said
    is_of_anything = amount.bases.keys() <= {"share"}
    head = find_head(match.words.parameter) if is_of_anything else frozenset()
    if (
        names_thing(limit)
        or (thing and not thing & match.words.stems)
        or (named and is_unnamed)
        or not all(one.is_in(match.candidate.words) for one in match.words.own if one.stem in head)
    ):
        return f"whether it is what this limits: “{limit.subject}”"
    return None


def ask_clause(case: ValueCase) -> str | None:
    """Ask which clause is meant, where a value keeps those of several that are not plainly all on
    what is named.
    """
    is_one = len({limit.clause_id for limit in case.limits}) == 1
    if case.verdicts == {False} or is_one or all(one.is_named for one in case.matches):
        return None
    return f"which rule is meant: {', '.join(name_articles(case.candidates))}"


def ask_rule(case: ValueCase) -> str | None:
    """Ask which rule is meant, where none is likely enough."""
    if case.probability >= SURE:
        return None
    found = name_articles(one.best.candidate for one in case.applying)[:MAX_NAMED]
    return f"which rule is meant: perhaps {', '.join(found)}"


def ask_proof(case: ValueCase) -> str | None:
    """Ask which way a limit goes that is not proved, unless a proved one beside it is broken."""
    if case.verdicts == {False} and any(limit.proved for limit in case.limits):
        return None
    unproved = (limit for limit in case.limits if not limit.proved)
    asked = (
        f"a look at Article {one.article}: it is not proved that it asks for “{one}”"
        for one in unproved
    )
    return next(asked, None)


def ask_number(case: ValueCase) -> str | None:
    """Ask how many there are, where a rule limits that too: "two bottles of at least 5 l"."""
    if True not in case.verdicts:
        return None
    said = frozenset(chain.from_iterable(one.counted for one in find_figures(case.text)))
    for limit in case.limits:
        for figure in find_figures(limit.quote) if limit.kind else ():
            if not figure.quantity and not said.isdisjoint(figure.counted):
                return f"how many there are: Article {limit.article} says {figure.text}"
    return None


def ask_duty(case: ValueCase) -> str | None:
    """Ask for a binding rule, where a broken one only recommends."""
    is_advice = all(limit.modality == "should" for limit in case.limits)
    is_broken = False in case.verdicts
    return "a binding rule: this one only recommends (should)" if is_broken and is_advice else None


def ask_direction(case: ValueCase) -> str | None:
    """Ask whether more or less is allowed, where a value is not the one that a rule gives."""
    if True in case.verdicts or any(limit.relation != "equal" for limit in case.limits):
        return None
    return f"whether more or less is allowed: Article {case.nearest.article} gives one amount"


def ask_sign(case: ValueCase) -> str | None:
    """Ask how a value below zero is meant where the rule's is not, or the reverse."""
    is_below = any(value < 0 for value in case.amount.bases.values())
    if all((limit.value < 0) == is_below or not limit.value for limit in case.limits):
        return None
    return "whether its sign is meant as the rule's"


def ask_figure(case: ValueCase) -> str | None:
    """Ask for a look at a figure that was read by text recognition."""
    if any(limit.source != "figure" for limit in case.limits):
        return None
    page = case.nearest.page
    return f"a look at the figure on page {page}, which was read by text recognition"


def ask_action(case: ValueCase) -> str | None:
    """Ask what is done in a range in which something is forbidden."""
    if ("must not", "between") in {(one.modality, one.relation) for one in case.limits}:
        return "what is done in this range, in which something is forbidden"
    return None


def ask_award(case: ValueCase) -> str | None:
    """Ask whether points are kept to: a rule mostly says how many are given, not what is legal."""
    is_given = set(case.amount.bases) == {"points"} and True in case.verdicts
    return "whether the rule asks for these points or gives them" if is_given else None


def name_articles(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """Return the articles of limits, and of the tables that lead to them, each once."""
    return tuple(dict.fromkeys(article for one in candidates for article in one.articles))


OF_CHOICE: frozenset[Doubt] = frozenset((ask_variant, ask_kind, ask_match, ask_clause, ask_rule))
"""Doubts that whoever picks the rule has answered."""
DOUBTS: tuple[Doubt, ...] = (
    ask_unit,
    ask_count,
    ask_variant,
    ask_kind,
    ask_condition,
    ask_denial,
    ask_open_choice,
    ask_limit,
    ask_match,
    ask_clause,
    ask_rule,
    ask_proof,
    ask_number,
    ask_duty,
    ask_direction,
    ask_sign,
    ask_figure,
    ask_action,
    ask_award,
)
"""All doubts, in the order in which they are asked."""
