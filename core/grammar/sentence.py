"""A sentence with its amounts and duties, read once: other rooms ask here what a rule says.

The modules beside it find amounts, relations, roles and duties; here they become one `Sentence`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain

from core.grammar.amounts import WrittenAmount, find_amounts
from core.grammar.comparisons import Relation
from core.grammar.cues import Piece, find_language, scan
from core.grammar.duties import Duty, find_duties
from core.grammar.number_groups import OwnNumbers
from core.grammar.quantities import UNITS
from core.grammar.relations import Bound, find_bounds
from core.grammar.roles import Role, find_features, weigh_roles
from core.grammar.scopes import NEGATIONS, ScannedSentence
from core.grammar.sentences import split_sentences

CONDITIONAL, UNLIKELY = "in a condition", "a number that may be no limit"
"""Doubts of amounts that may limit nothing: no value is held against them."""
MIN_SHARE = 0.6
"""How likely a role is from which the relation of an amount is proved."""
MIN_FIXED_SHARE = 0.7
"""The same for an amount that nothing is compared with."""
SURE_SHARE = 0.9
"""The same for the limit of a condition, which may be a threshold. tests/benchmarks/sentences.py
counts the relations that are proved with these shares, and the wrong ones of them."""
_ONE_OF = re.compile(r"(?i)one\s+of\b")
_OPEN_LEAD = re.compile(r"[:;—–-]\s*$")


@dataclass(frozen=True, slots=True)
class Amount(WrittenAmount):
    """An amount of a sentence and what it is for.

    `relation` is how it is allowed: "at most" of "must not exceed". `doubt` says why that is not
    proved; empty where it is. `thing` are the words that say what it is of. `side` is "before" or
    "after" an event for times.
    """

    role: Role = "tolerance"
    relation: Relation | None = None
    doubt: str = ""
    side: str = ""
    thing: str = ""
    is_compared: bool = False
    is_governed: bool = False
    """True of one under a duty that obliges."""
    is_required: bool = False
    """True of a threshold that something is only allowed with: "eligible if ... at least"."""

    @property
    def key(self) -> tuple[str, Decimal]:
        """What two spellings of one amount share: its measure and its value in the base unit."""
        if self.unit not in UNITS:
            return "", self.value.normalize()
        return self.measure, (self.value * UNITS[self.unit][1]).normalize()

    def __str__(self) -> str:
        """The amount as people write it: "at least 25.0 mm", "2 to 5 Hz"."""
        value = UNITS.format(self.value, self.unit)
        if self.upper is not None:
            return f"{self.value:f} to {UNITS.format(self.upper, self.unit)}"
        return value if self.relation in (None, "equal") else f"{self.relation} {value}"

    @property
    def proved(self) -> bool:
        """True where each factor of its relation is known."""
        return self.relation is not None and not self.doubt


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with what leads to it, its amounts in order, and its duties.

    `duties` are its own, those in passing too; `led_duty` is what leads to it and it completes.
    """

    text: str
    lead: str
    language: str
    amounts: tuple[Amount, ...]
    duties: tuple[Duty, ...]
    led_duty: Duty | None = None

    @property
    def main_duties(self) -> tuple[Duty, ...]:
        """Its duties, without those in passing and in conditions; else the one that leads to it."""
        own = tuple(duty for duty in self.duties if duty.is_main)
        if own or self.led_duty is None:
            return own
        return (self.led_duty,)


@lru_cache(maxsize=4_000)
def find_cues(text: str, *names: str) -> tuple[Piece, ...]:
    """Return the cues of a text that are of one of these categories (`cues/en.toml`), in order."""
    return tuple(one for one in _scan_text(text) if one.has(*names))


@lru_cache(maxsize=4_000)
def _scan_text(text: str) -> tuple[Piece, ...]:
    return scan(text, find_language(text))


def find_verdict(text: str, legal: bool) -> bool:
    """True of a text that says of something that it is legal, or that it is not."""
    pieces = _scan_text(text)
    if any(one.has("yes" if legal else "no") for one in pieces[:2]):
        return True
    if not legal and any(one.has("illegal") for one in pieces):
        return True
    return any(
        one.has("legal")
        and legal != any(before.has("negation") for before in pieces[max(0, place - 3) : place])
        for place, one in enumerate(pieces)
    )


@lru_cache(maxsize=4_000)
def has_duty(text: str) -> bool:
    """True of a text that obliges, forbids, or says what is permitted, not only what may be."""
    duties = read_sentence(text).duties
    said = ((one.modality, text[one.start : one.end]) for one in duties if one.end)
    return any(modality != "may" or " " in words for modality, words in said)


@lru_cache(maxsize=4_000)
def read_sentence(
    text: str,
    lead: str = "",
    language: str = "",
    axis_unit: str = "mm",
    own_numbers: OwnNumbers | None = None,
) -> Sentence:
    """Return a sentence read once. `language` is found where it is not told.

    `axis_unit` is the unit of coordinates ("Z=90"), which print none; `own_numbers` is true of the
    numbers of the document's own articles.
    """
    language = language or find_language(f"{lead} {text}")
    pieces, bounds = scan_sentence(text, lead, language, axis_unit, own_numbers)
    duties = find_duties(pieces, text, language)
    amounts = tuple(_read_amounts(pieces, bounds, text))
    led = _find_led_duty(_last_sentence(lead), language, pieces, text)
    if led and duties and not duties[-1].end:  # what leads to it says what the sentence orders
        led = replace(led, actor=led.actor or duties[-1].actor)
        duties = duties[:-1]
    return Sentence(text, lead, language, amounts, duties, led)


def scan_sentence(
    text: str,
    lead: str,
    language: str,
    axis_unit: str = "mm",
    own_numbers: OwnNumbers | None = None,
) -> tuple[ScannedSentence, list[tuple[WrittenAmount, Bound | None]]]:
    """Return a sentence's pieces, and its amounts with their bounds, as `read_sentence` has them.

    None is the bound of a date, a reference, a name or a tolerance.
    """
    amounts = find_amounts(text, language, axis_unit, own_numbers or (lambda _: False))
    own = scan(text, language, map(_span, amounts))
    pieces = ScannedSentence(_scan_lead(_last_sentence(lead), language), own)
    return pieces, [*zip(amounts, find_bounds(pieces, amounts), strict=True)]


def _span(amount: WrittenAmount) -> tuple[int, int, bool]:
    return amount.start, amount.end, amount.is_count


def _last_sentence(lead: str) -> str:
    """Return the last sentence of what leads to another, which goes on in it."""
    parts = chain.from_iterable(map(split_sentences, re.split(r"(?<=:)\s+(?=\S)", lead.strip())))
    return next(reversed([*parts]), "")


@lru_cache(maxsize=1_000)
def _scan_lead(lead: str, language: str) -> tuple[Piece, ...]:
    pieces = scan(lead, language, map(_span, find_amounts(lead, language)))
    return tuple(replace(piece, amount=-1) for piece in pieces)


def _read_amounts(
    pieces: ScannedSentence, bounds: Sequence[tuple[WrittenAmount, Bound | None]], text: str
) -> Iterator[Amount]:
    for number, (one, bound) in enumerate(bounds):
        tolerance = one.value if one.kind == "tolerance" else one.tolerance
        if one.kind != "tolerance":
            place = pieces.amounts[number]
            likely = weigh_roles(find_features(pieces, place, one, bound))
            role = max(likely, key=lambda name: likely[name])
            is_some = _ONE_OF.match(text, one.start) and not one.unit
            if is_some and not (bound and bound.is_direct):
                role = "other"  # "one of the drivers" is a driver, and counts none
            is_required = _is_required(pieces, place)
            read = Amount(
                **asdict(one),
                role=role,
                thing=_find_thing(text, one),
                is_required=role == "threshold" and is_required,
            )
            yield _relate(read, bound, likely, is_required) if bound else read
        if tolerance is not None:
            yield Amount(one.text, one.start, one.end, tolerance, unit=one.unit, kind="tolerance")


def _relate(
    amount: Amount, bound: Bound, likely: Mapping[Role, float], is_required: bool
) -> Amount:
    """Return an amount with the relation that its bound gives it."""
    is_as_said = amount.role == "threshold" and bound.as_said
    return replace(
        amount,
        relation=bound.as_said if is_as_said else bound.relation,
        doubt=bound.doubt or _doubt_role(bound, likely, amount.role, is_required),
        side=bound.side,
        is_compared=bound.is_direct,
        is_governed=bound.scope.duty == "must",
    )


def _is_required(pieces: ScannedSentence, place: int) -> bool:
    """True of an amount in "only if", "provided that" and the conditions of who is eligible.

    In "unless" it is one where nothing is allowed else: "nobody may drive unless".
    """
    is_denied = pieces.has_any(range(len(pieces.pieces)), *NEGATIONS)
    return any(
        one.has("requires") and (is_denied or not one.has("exception"))
        for one in pieces.pieces[:place]
    )


def _doubt_role(bound: Bound, likely: Mapping[Role, float], role: Role, is_required: bool) -> str:
    """Return why a relation is not proved by what its amount is for; empty where it is."""
    if role == "sanction":
        return ""
    if role not in ("limit", "threshold"):
        return "a number that is no limit"
    if role == "threshold" and not bound.is_direct:
        return "a threshold that nothing is compared with"
    if role == "limit" and bound.limit_doubt:
        return bound.limit_doubt
    is_conditional = bound.is_conditional and not is_required
    if role == "limit" and is_conditional and likely["limit"] < SURE_SHARE:
        return CONDITIONAL
    is_known = likely[role] >= MIN_FIXED_SHARE
    if bound.is_direct and not bound.as_said:  # else a limit and a threshold are not allowed alike
        is_known = likely[role] >= MIN_SHARE or likely["limit"] + likely["threshold"] >= (
            MIN_FIXED_SHARE
        )
    return "" if is_known else UNLIKELY


def _find_thing(text: str, amount: WrittenAmount) -> str:
    """Return the words around an amount that say what it is of."""
    behind = re.split(r"[,;.:(]\s", text[amount.end :])[0].split()[:8]
    before = re.split(r"[;:]\s", text[: amount.start])[-1].split()[-10:]
    return " ".join((*before, "…", *behind)).strip()


def _find_led_duty(lead: str, language: str, scanned: ScannedSentence, text: str) -> Duty | None:
    """Return the duty that leads to a sentence which goes on with it; None where none does."""
    goes_on = _OPEN_LEAD.search(lead) or text[:1].islower()
    is_penalty = re.search(r":\s", text) and any(
        one.has("sanction") for one in scanned.pieces[scanned.first :]
    )
    if not lead or not goes_on or is_penalty:
        return None
    found = find_duties(ScannedSentence((), scanned.pieces[: scanned.first - 1]), lead, language)
    main = [duty for duty in found if duty.is_main and duty.end]
    if not main:
        return None
    duty = main[-1]
    if scanned.has(scanned.first - 3, "requires"):  # "may be of any size provided:"
        return replace(duty, modality="must", actor="")
    if duty.modality == "must" and scanned.has(scanned.first, "negation"):
        return replace(duty, modality="must not")
    return duty
