"""A sheet of values checked against registers of limits: a verdict for each row and rulebook.

"Legal" is said only where the words, the condition and the unit of a row point to one rule; else
the row says what is missing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from core.limits.compliance_question import measures_the_same
from core.limits.limit_search import (
    MEASURING,
    Candidate,
    LimitIndex,
    Match,
    ParameterWord,
    is_of_part,
    measures_another_length,
    missing_words,
)
from core.limits.quantities import UNITS, find_quantities, format_quantity
from core.limits.register import Limit, RowLink
from core.limits.row_conditions import find_missing_condition, is_in_band
from core.limits.sheet_amounts import Amount, is_ambiguous, parse_amount, parse_value

SheetVerdict = Literal["legal", "not legal", "cannot tell", "no rule"]
MIN_SHARE, PLAIN_SHARE = 0.5, 0.7
"""Share of a parameter's words, by weight, from which a rule that holds them is decided on; the
second where limits of several rules may be meant, or an exact value."""
WEAK_SHARE = 0.4
"""Share below which no rule is on the parameter at all."""
MAX_COMMON = 0.05
"""Share of all limits that may hold the rarest word a row and a rule have in common."""
MIN_KNOWN = 0.6
"""Share of the words that the rulebook knows; the others would be on something else in it."""
ALONE = 0.5
"""Part of the best score up to which no rule of another article is meant."""
MIN_OWN = 0.2
"""Share of a rule's own words that a row must say where the rule sets one exact value."""
CLOSE = 0.93
"""Part of the best score from which another limit may be meant too."""
BESIDE = 0.4
"""Part of the best score from which an opposite limit of the same article may be meant too."""
MOSTLY = 0.5
"""Share of its own words from which such a limit is meant too, however few they are."""


COLUMNS = ("id", "parameter", "value", "unit", "note")
"""The columns of a sheet."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A value of a team's sheet, in its own words."""

    id: str
    parameter: str
    value: str
    unit: str = ""
    note: str = ""
    decimal_comma: bool = False

    @property
    def cells(self) -> dict[str, str]:
        """Its cells by the columns of a sheet."""
        return {name: getattr(self, name) for name in COLUMNS}

    @property
    def key(self) -> str:
        """What is the same in the next issue of the sheet: the parameter's words, folded."""
        return " ".join(self.parameter.casefold().split())

    @property
    def text(self) -> str:
        """All that it says beside its value."""
        return f"{self.parameter}; {self.note}"

    @property
    def subject(self) -> str:
        """The parameter without conditions that are amounts: "bleed resistor, 48 V pack"."""
        first, *more = self.parameter.split(",")
        return ",".join((first, *(part for part in more if not find_quantities(part))))

    @property
    def remarks(self) -> str:
        """The note, and the conditions of the parameter."""
        conditions = filter(find_quantities, self.parameter.split(",")[1:])
        return ", ".join((*conditions, self.note))


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The verdict on a row by one rulebook. `missing` says what would decide it."""

    id: str
    verdict: SheetVerdict
    limits: tuple[Limit, ...] = ()
    articles: tuple[str, ...] = ()
    margin: str = ""
    missing: str = ""
    links: tuple[RowLink, ...] = ()
    """The rows of tables that lead to the limits."""
    score: float = 0.0
    """How much of the parameter's words, by weight, the best limit has."""

    @property
    def limit(self) -> str:
        """The limits, as people write them."""
        return " or ".join(dict.fromkeys(map(str, self.limits)))


def check_row(
    row: SheetRow, index: LimitIndex, chosen: Mapping[str, str] | None = None
) -> SheetResult:
    """Check a row against a register.

    `chosen` are the articles that a person picked for parameters, by `SheetRow.key`.
    """
    if row.value.startswith("="):
        return _undecided(row, (), "its value: a formula is not computed, write the number")
    if is_ambiguous(row.value, row.decimal_comma):
        sign = "point" if row.decimal_comma else "comma"
        return _undecided(
            row, (), f"whether {row.value} is a thousand or a decimal: write no {sign}"
        )
    value = parse_value(row.value, row.decimal_comma)
    if value is None:
        return SheetResult(row.id, "no rule", missing="a number: limits are checked, words are not")
    amount = parse_amount(value, row.unit)
    if amount is None:
        return _undecided(row, (), f"a known unit: {row.unit!r} is none")
    return check_amount(row, amount, index, (chosen or {}).get(row.key, ""))


def check_amount(
    row: SheetRow,
    amount: Amount,
    index: LimitIndex,
    picked: str = "",
    column: tuple[int, int] | None = None,
) -> SheetResult:
    """Check the value of a row, which is read, against a register.

    `picked` is the article that a person picked. `column` is the place of the value, and their
    number, where several are written as one size.
    """
    if picked:
        matches = index.of_article(amount, picked)
        if not matches:
            return _undecided(row, (), f"a value that Article {picked} limits, in its unit")
    else:
        matches = index.find(amount, row.subject, row.remarks, column)
    if not matches or matches[0].score < WEAK_SHARE:
        return SheetResult(row.id, "no rule", missing="a rule on it: none has these words and unit")
    said = (*index.words_of(row.subject), *index.words_of(row.remarks))
    result = _decide(row, amount, matches, said, index, is_picked=bool(picked))
    result = replace(result, score=matches[0].score)
    if result.verdict not in ("legal", "not legal") or picked:
        return result
    meant = matches[0].candidate
    doubt = is_of_part(meant, said) and f"a rule on it: {meant.limit.article} is on a part of it"
    if result.verdict == "legal":
        doubt = doubt or _find_doubt(row.text, amount, matches, result.limits, said)
    return replace(result, verdict="cannot tell", margin="", missing=doubt) if doubt else result


def check_nearest(
    row: SheetRow,
    amount: Amount,
    near: Iterable[str],
    index: LimitIndex,
    column: tuple[int, int] | None = None,
) -> SheetResult | None:
    """Check a value by the clause that is nearest in meaning; None where that decides nothing.

    `near` are the ids of such clauses, the nearest first. Of the first one's limits those that say
    most of the row are meant. Limits whose words say more, or as much in the other clauses, may be
    meant too: all have to decide alike.
    """
    limits = [found for key in near if (found := index.of_clause(amount, key, column))]
    if not limits:
        return None
    said = (*index.words_of(row.subject), *index.words_of(row.remarks))
    telling = [word for word in said if word.stem not in MEASURING]
    counts = [sum(word.is_in(one.words) for word in telling) for one in limits[0]]
    meant = [one for one, count in zip(limits[0], counts, strict=True) if count == max(counts)]
    matches = index.find(amount, row.subject, row.remarks, column)
    candidates = [*meant, *_find_rivals(meant, matches, limits[1:])]
    verdicts, is_alike = _weigh(amount, candidates, index)
    missing = find_missing_condition(row.text, candidates, said, is_picked=False, is_alike=is_alike)
    if missing or len(verdicts) > 1 or any(is_of_part(one, said) for one in meant):
        return None
    return replace(_conclude(row, amount, meant, verdicts.pop()), score=1.0)


def _find_rivals(
    meant: Sequence[Candidate], matches: Sequence[Match], near: Iterable[Sequence[Candidate]]
) -> list[Candidate]:
    """Return the limits that say more of a row than those that are meant, and those of other near
    clauses that say as much.
    """
    scores = {one.candidate: one.score for one in matches}
    own = max(scores.get(one, 0.0) for one in meant)
    rivals = [one for one, score in scores.items() if score > own and one not in meant]
    return rivals + [one for found in near for one in found if scores.get(one, 0.0) >= own]


def check_sheet(
    rows: Iterable[SheetRow],
    indexes: Mapping[str, LimitIndex],
    chosen: Mapping[str, Mapping[str, str]] | None = None,
) -> Iterator[tuple[str, SheetResult]]:
    """Yield the results of all rows, each with the id of its document.

    `chosen` are for each document the articles that a person picked, as in `check_row`.
    """
    for row in rows:
        for document_id, index in indexes.items():
            yield document_id, check_row(row, index, (chosen or {}).get(document_id))


def uncovered_limits(limits: Iterable[Limit], results: Iterable[SheetResult]) -> list[Limit]:
    """Return the limits in force that no row answers."""
    answered = {limit for result in results for limit in result.limits}
    return [limit for limit in limits if limit.in_force and limit not in answered]


def _undecided(row: SheetRow, candidates: Sequence[Candidate], missing: str) -> SheetResult:
    limits = tuple(dict.fromkeys(one.limit for one in candidates))
    return SheetResult(
        row.id, "cannot tell", limits, _articles(candidates), "", missing, _links(candidates)
    )


def _articles(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(article for one in candidates for article in one.articles))


def _links(candidates: Sequence[Candidate]) -> tuple[RowLink, ...]:
    return tuple(dict.fromkeys(one.link for one in candidates if one.link))


def _decide(
    row: SheetRow,
    amount: Amount,
    matches: Sequence[Match],
    said: Sequence[ParameterWord],
    index: LimitIndex,
    *,
    is_picked: bool,
) -> SheetResult:
    close = [one.candidate for one in _select_close(matches)]
    named = [
        one for one in _select_named(close, said) if is_in_band(row.text, one.limit) is not False
    ]
    candidates = _add_other_ends(named, matches)
    if not candidates:
        return _undecided(row, close, "a rule for this condition")
    has_band = any(is_in_band(row.text, one.limit) for one in candidates)
    verdicts, is_alike = _weigh(amount, candidates, index)
    missing = find_missing_condition(row.text, candidates, said, is_picked, is_alike)
    if not is_picked and not _is_plain(matches, candidates, said, has_band):
        found = _articles(candidates)[:3]
        if len(found) > 1 or not missing:
            missing = f"which rule is meant: perhaps {', '.join(found)}"
        return _undecided(row, candidates[:3], missing)
    if missing or len(verdicts) > 1:
        return _undecided(row, candidates, missing or _ask_which(candidates))
    return _conclude(row, amount, candidates, verdicts.pop())


def _weigh(
    amount: Amount, candidates: Sequence[Candidate], index: LimitIndex
) -> tuple[set[bool], bool]:
    """Return the candidates' verdicts, and whether all limits of their articles decide alike.

    Of those that the value can be compared with: which of them apply, conditions decide. All that
    break it have to be for several conditions: one alone may not apply.
    """
    verdicts = {
        all(limit.allows(compute_margin(amount, limit)) for limit in both)
        for both in _pair_ends(candidates)
    }
    others = [
        match.candidate.limit
        for article in _articles(candidates)
        for match in index.of_article(amount, article)
    ]
    all_verdicts = {one.allows(compute_margin(amount, one)) for one in others} | verdicts
    is_for_several = len({(one.condition, one.relation) for one in others}) > 1
    is_one_way = len({_direction(one) for one in others} | {0}) == 2
    is_broken = verdicts == {False} and is_for_several and is_one_way
    return verdicts, len(all_verdicts) == 1 and (verdicts == {True} or is_broken)


def _ask_which(candidates: Sequence[Candidate]) -> str:
    """Return what is missing where the candidates decide otherwise: up to four are named."""
    described = dict.fromkeys(
        f"{one.limit} ({one.limit.subject}, {one.limit.article})" for one in candidates
    )
    named = "; ".join(list(described)[:4])
    return f"which of these is meant: {named}"


def _select_close(matches: Sequence[Match]) -> list[Match]:
    """Return the matches that are about as good as the best."""
    return [one for one in matches if one.score >= CLOSE * matches[0].score]


def _add_other_ends(named: Sequence[Candidate], matches: Sequence[Match]) -> list[Candidate]:
    """Return candidates with the maximum that stands beside a minimum in its sentence."""
    ends = {
        (one.limit.article, one.limit.quote, one.limit.other_end, one.limit.value) for one in named
    }
    beside = (
        one.candidate
        for one in matches
        for limit in (one.candidate.limit,)
        if (limit.article, limit.quote, limit.value, limit.other_end) in ends
    )
    return list(dict.fromkeys((*named, *beside)))


def _find_doubt(
    text: str,
    amount: Amount,
    matches: Sequence[Match],
    limits: Sequence[Limit],
    said: Sequence[ParameterWord],
) -> str:
    """Return why a value is not called legal although it keeps the limits that were found."""
    best = matches[0]
    meant = best.candidate.limit
    is_other_length = meant.kind == "length" and not measures_the_same(text, meant.wording)
    close = _select_close(matches)
    if is_other_length or any(measures_another_length(one.candidate, said) for one in close):
        return f"a rule on this length: {meant.article} is on another of the thing"
    if best.share < PLAIN_SHARE and _share_said(best.candidate, said) < MIN_OWN:
        return f"which rule is meant: perhaps {meant.article}"
    for one in matches:
        other = one.candidate.limit
        is_beside = other.article == meant.article and other not in limits
        is_opposite = is_beside and _direction(other) * _direction(meant) < 0
        is_broken = is_opposite and not other.allows(compute_margin(amount, other))
        if is_broken and _may_be_meant(one, best, said):
            return f"which of these is meant: {meant}; {other} ({other.article})"
    return ""


def _may_be_meant(other: Match, best: Match, said: Sequence[ParameterWord]) -> bool:
    """True of a limit that is named nearly as well, or has hardly any words of its own."""
    if _share_said(other.candidate, said) >= MOSTLY:
        return True
    is_told_apart = any(
        word.is_in(best.candidate.own) and not word.is_in(other.candidate.words) for word in said
    )
    return other.score >= BESIDE * best.score and not is_told_apart


def _direction(limit: Limit) -> int:
    """Return 1 for a limit from below, -1 for one from above, 0 for another."""
    return {"at least": 1, "more than": 1, "at most": -1, "less than": -1}.get(limit.relation, 0)


def _share_said(candidate: Candidate, said: Sequence[ParameterWord]) -> float:
    """Return the share of a candidate's own words, or of those at its amount, that a row says."""
    missing = missing_words(candidate, said)
    near = candidate.near or candidate.own
    shares = (len(words - missing) / len(words or "?") for words in (candidate.own, near))
    return max(shares)


def _is_plain(
    matches: Sequence[Match],
    candidates: Sequence[Candidate],
    said: Sequence[ParameterWord],
    has_band: bool,
) -> bool:
    """True where a row's words leave no doubt which rule is meant."""
    best, articles = matches[0], _articles(candidates)
    rivals = (one.score for one in matches if one.candidate.limit.article not in articles)
    is_alone = next(rivals, 0.0) <= ALONE * best.score
    is_exact = not has_band and any(one.limit.relation == "equal" for one in candidates)
    is_spread = len({one.limit.article for one in candidates}) > 1
    least = PLAIN_SHARE if is_exact or is_spread else MIN_SHARE
    is_about = (is_alone or best.known >= MIN_KNOWN) and (
        not is_exact or _share_said(best.candidate, said) >= MIN_OWN
    )
    return best.score >= least and is_about and best.rarest <= MAX_COMMON


def _pair_ends(candidates: Sequence[Candidate]) -> Iterable[Sequence[Limit]]:
    """Return limits that hold together: the minimum and the maximum of a row or a sentence."""
    pairs: dict[object, list[Limit]] = {}
    for one in candidates:
        limit = one.limit
        if limit.label:
            key: object = (limit.article, limit.quote, one.link)
        elif limit.other_end is not None:
            key = (limit.article, limit.quote, frozenset((limit.value, limit.other_end)))
        else:
            key = (limit, one.link)
        pairs.setdefault(key, []).append(limit)
    return pairs.values()


def _conclude(
    row: SheetRow, amount: Amount, candidates: Sequence[Candidate], is_kept: bool
) -> SheetResult:
    """Return the verdict of limits that agree, with the margin to the nearest."""
    limits = tuple(dict.fromkeys(one.limit for one in candidates))
    nearest = min(limits, key=lambda limit: abs(compute_margin(amount, limit)))
    rounded = compute_margin(amount, nearest).quantize(Decimal("0.0001")).normalize()
    margin = format_quantity(rounded, nearest.unit).strip()
    result = SheetResult(
        row.id, "cannot tell", limits, _articles(candidates), margin, "", _links(candidates)
    )
    if not is_kept and all(limit.modality == "should" for limit in limits):
        return replace(result, missing="a binding rule: this one only recommends (should)")
    if all(limit.source == "figure" for limit in limits):
        missing = f"a look at the figure on page {nearest.page}, which was read by text recognition"
        return replace(result, missing=missing)
    if any(limit.modality == "must not" and limit.relation == "between" for limit in limits):
        return replace(
            result, missing="what is done in this range, in which something is forbidden"
        )
    return replace(result, verdict="legal" if is_kept else "not legal")


def _select_named(
    candidates: Sequence[Candidate], said: Sequence[ParameterWord]
) -> list[Candidate]:
    """Return the candidates that the row names: all that they say beside the others is said.

    Where none is named so, all may be meant.
    """
    words = [one.own | one.heading for one in candidates]
    shared = frozenset.intersection(*words) if words else frozenset()
    # Words of one letter and numbers name nothing.
    fillers = {word for one in candidates for word in one.own if len(word) < 2 or word.isdigit()}
    named = [one for one in candidates if missing_words(one, said) <= shared | fillers]
    return named or list(candidates)


def in_one_unit(amount: Amount, limit: Limit) -> tuple[Decimal, Decimal, Decimal | None]:
    """Return a value and both ends of a limit in one unit."""
    if limit.unit not in UNITS or amount.is_count:
        return amount.value, limit.value, limit.upper
    kind, factor = UNITS[limit.unit]
    upper = None if limit.upper is None else limit.upper * factor
    return amount.bases[kind], limit.value * factor, upper


def compute_margin(amount: Amount, limit: Limit) -> Decimal:
    """Return what is left to a limit, negative beyond it, in the limit's unit."""
    value, lower, upper = in_one_unit(amount, limit)
    factor = UNITS[limit.unit][1] if limit.unit in UNITS else Decimal(1)
    match limit.relation:
        case "at most" | "less than":
            left = lower - value
        case "between" if upper is not None:
            left = min(value - lower, upper - value)
        case "equal":
            left = -abs(value - lower)
        case _:
            left = value - lower
    return left / factor
