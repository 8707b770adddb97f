"""What speaks against a verdict on a value: doubts, each a question that is still open.

A doubt is a function of a value and the limits that it may be of. It returns what is missing, or
None where it has nothing to ask. A verdict is said where none of them asks.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.grammar import find_cues
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
from core.sheets.limited_things import find_head, find_measured, find_thing, names_thing
from core.sheets.row_conditions import OPERATOR, find_gates, is_in_band, says
from core.sheets.sheet_amounts import Amount, compute_margin, keeps

SURE = 0.75
"""The probability from which something is taken to be so: that one rule is meant, or that none is.
What is less likely than the rest, beside the best, is not meant.
"""
MAX_NAMED = 3
"""Articles and uses that are named where none is plainly meant."""
_FROM_BELOW = frozenset(("at least", "more than"))
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
    amount: Amount
    said: Sequence[ParameterWord]
    meant: Sequence[Reading]
    """The limits that are meant, or as likely that they have to be asked about."""
    applying: Sequence[Reading]
    """All limits that hold under the conditions of the row, the likeliest first."""
    of_articles: Sequence[Limit]
    """All limits of the articles that are meant, as far as the value can be compared with them."""
    probability: float
    """That a clause is meant that decides as the best does, 0 to 1."""

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


def ask_variant(case: ValueCase) -> str | None:
    """Ask whether it is of "wet" tyres, where the title of the rule says so and the row does not.

    "Rain tyres" are "wet weather tyres", and so of the variant "wet".
    """
    for variant in dict.fromkeys(limit.variant for limit in case.limits):
        words = limit_words(variant)
        is_named = any(words <= other for word in case.said for other in word.synonyms)
        if not is_named and not says(variant, case.said):
            return f"whether it is of “{variant}”"
    return None


def ask_condition(case: ValueCase) -> str | None:
    """Ask for the condition of a limit that the row does not speak of.

    A value that keeps all limits of an article keeps "if it is welded, at least 2 mm" also where
    nothing is welded; one that breaks those for all conditions breaks the one that holds.
    """
    conditions = {(one.condition, one.relation) for one in case.of_articles}
    one_sided = {one.relation for one in case.of_articles} - {"equal", "between"}
    is_one_way = bool(one_sided) and len(one_sided & _FROM_BELOW) in (0, len(one_sided))
    verdicts = case.verdicts | {keeps(case.amount, one) for one in case.of_articles}
    is_alike = verdicts == {True} or (verdicts == {False} and is_one_way and len(conditions) > 1)
    for limit in case.limits:
        if is_in_band(case.text, limit):
            continue
        if OPERATOR.search(limit.condition):
            return f"the value for “{limit.condition}”"
        for gate in find_gates(limit.condition):
            if not is_alike and not says(gate, case.said):
                return f"whether this holds: “{gate}”"
    return None


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


def ask_kind(case: ValueCase) -> str | None:
    """Ask whether it is of this, where each limit is on another kind of the same thing."""
    kinds = [find_contrary(one.words, one.candidate) for one in case.matches]
    return f"whether it is of this: the rule is on “{kinds[0]}”" if all(kinds) else None


def ask_use(case: ValueCase) -> str | None:
    """Ask which use it has, where a table has its limits for uses and the row names none."""
    led = [one for one in case.matches if one.candidate.link]
    if not led or not all(one.unsaid >= one.candidate.use for one in led):
        return None
    uses = dict.fromkeys(one.candidate.link.name.strip() for one in led if one.candidate.link)
    named = ", ".join(list(uses)[:MAX_NAMED])
    return f"whether it is one of those that the rule is for: {named}"


def ask_name(case: ValueCase) -> str | None:
    """Ask whether it is of this, where no limit says either word of "fuel tank"."""
    unnamed = []
    for match in case.matches:
        words = {word.stem for word in match.words.own} - match.said - MEASURING
        pairs = (pair for pair in sorted(match.words.pairs) if words >= {*pair})
        unnamed.append(as_written(next(pairs, ()), match.words.parameter))
    named = f"whether it is of this: the rule names no word of “{unnamed[0]}”"
    return named if all(unnamed) else None


def ask_thing(case: ValueCase) -> str | None:
    """Ask whether it is of what is limited: of the tube that a harness is held by, where a harness
    is asked for; of a share of what, where the rule is on another.
    """
    if all(_is_of_other(one, case.amount) for one in case.matches):
        return f"whether it is what this limits: “{case.limits[0].subject}”"
    return None


def _is_of_other(match: Match, amount: Amount) -> bool:
    """True of a size that names a thing, of a limit on a thing that the parameter does not name,
    and of one that does not name the thing of a value that keeps it: of an oil tank's height,
    where a camera's is asked for. What a share is of its unit does not say either.
    """
    thing = find_thing(match.candidate.limit)
    if names_thing(match.candidate.limit) or (thing and not thing & match.words.stems):
        return True
    named = find_measured(match.words.parameter)
    is_kept = match.candidate.limit.source != "table" and keeps(amount, match.candidate.limit)
    if named and is_kept and not named & match.said:
        return True
    head = find_head(match.words.parameter)
    heads = [word for word in match.words.own if word.stem in head]
    is_of_anything = amount.bases.keys() <= {"share"}
    return is_of_anything and not all(word.is_in(match.candidate.words) for word in heads)


def ask_clause(case: ValueCase) -> str | None:
    """Ask which clause is meant, where a value keeps those of several that are not plainly all on
    what is named.
    """
    clauses = {limit.clause_id for limit in case.limits}
    if case.verdicts == {False} or len(clauses) == 1 or all(one.is_named for one in case.matches):
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
    asked = (f"which way Article {one.article} goes: “{one}” is not proved" for one in unproved)
    return next(asked, None)


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


def name_articles(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """Return the articles of limits, and of the tables that lead to them, each once."""
    return tuple(dict.fromkeys(article for one in candidates for article in one.articles))


OF_CHOICE: frozenset[Doubt] = frozenset(
    (ask_variant, ask_kind, ask_use, ask_name, ask_thing, ask_clause, ask_rule)
)
"""Doubts that whoever picks the rule has answered."""
DOUBTS: tuple[Doubt, ...] = (
    ask_variant,
    ask_condition,
    ask_denial,
    ask_open_choice,
    ask_limit,
    ask_kind,
    ask_use,
    ask_name,
    ask_thing,
    ask_clause,
    ask_rule,
    ask_proof,
    ask_duty,
    ask_direction,
    ask_sign,
    ask_figure,
    ask_action,
)
"""All doubts, in the order in which they are asked."""
