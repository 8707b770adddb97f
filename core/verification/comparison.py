"""Where a statement contradicts the sentences that it cites, or says more or less than they do.

Both are read by the one reader of sentences and compared thing by thing: amounts and the words
around them, sides of an event, duties and whom they oblige, exceptions, sanctions, negations. What
a draft says in its own words is compared; a quote has the rule's own strength.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import chain

from core.grammar import (
    MODAL_CUES,
    Amount,
    Duty,
    Sentence,
    alphanumeric_only,
    amount_keys,
    article_label,
    find_cues,
    find_sanctions,
    find_verdict,
    list_cues,
    list_words,
    read_sentence,
    stem_words,
)
from core.library import MIN_COVERAGE, MIN_SAME, coverage
from core.verification.evidence import shorten_text
from core.verification.statement_checks import UNTOLD
from core.verification.statements import (
    CLEARLY_MORE,
    FIXED,
    SEPARATOR,
    WAYS,
    ParsedDraft,
    Statement,
    StatementPiece,
    plain_words,
    squeeze,
    words_beside,
)
from core.verification.types import DraftCheck, Source, doubt_or_fail

MIN_UNCITED = 0.6
"""Share of the words of a statement that cites nothing from which a sentence is about it. It may be
on something else, so `MIN_COVERAGE` is too little."""
_EVENT, _KNOWN_BY = 3, 50
"""The first words that say which event is meant, and the characters that show what is quoted."""
Difference = tuple[bool, str]
"""Whether a statement is proved to contradict its clauses, and how it differs from them."""

_RESTRICTING = ("exception", "only", "requires", "must_not")
_EXCEPTIONS = ("exception", "naming_exception")
_DENYING = ("negation", "forbidding")
_COMPARED = ("later", "earlier", "more", "less")
_FIRM = ("must", "only", "requires", "universal", "must_not", *_DENYING)
_PLAIN = (
    *("determiner", "copula", "barrier", "by", "of", "to", "or", "turning", "relative", "existing"),
    *("universal", "negation", "between", "within", "exactly", "at_least", "at_most", "more"),
    *("less", "more_or_equal", "less_or_equal", "maximum", "minimum", "behind_at_least"),
    *("behind_at_most", "before", "after", "should", *MODAL_CUES),
)
"""Categories of words that do not say what a sentence is about."""
_ABSOLUTE = list_cues("absolute").pattern
_PARTS = re.compile(r"[;:]\s|,\s(?:and|but|or|while|however)\s|,\s(?=und\s|aber\s|et\s|mais\s)")
_UNSURE = re.compile(r"/|\bper\b|\b\d{1,3}[.,]\d{3}\s")
"""A compound unit, or a number that is a thousand in one language and a decimal in another."""
_NAME = re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-Þ][a-zà-ÿ]{3,}")
_TAG = re.compile(r"(?i)^\W*[\[(]\s*([\w ]{2,20}?)\s*only\s*[\])]")
_CONTRARY = {
    order: tuple(map(stem_words, order))
    for pair in (*list_words("contrary"), *list_words("opposite"))
    for one, other in [pair.split("/")]
    for order in ((one, other), (other, one))
}
"""Pairs of contrary words, each way, with their stems."""


def compare_statement(
    statement: Statement, draft: ParsedDraft, spoken: str, known: Sequence[Source] = ()
) -> Iterator[DraftCheck]:
    """Yield a failed check for each thing that a statement says otherwise than what it cites.

    What is proved is fatal, all else a doubt. A statement that cites nothing is held against the
    sentences that the draft cites and that have most of its words. `spoken` are the question and
    what is known beside the clauses: what they name is no addition. `known` are all clauses found:
    who is named there is an actor of the rulebook.
    """
    sources = statement.sources or draft.sources
    own = statement.own
    if UNTOLD.search(own):
        own = "; ".join(part for part in _split(own) if not UNTOLD.search(part))
    words = _find_words(own)
    pieces = [
        piece
        for piece in draft.pieces_of(sources)
        if statement.sources or coverage(words, piece.text) >= MIN_UNCITED
    ]
    if not pieces or not words:
        return
    articles = ", ".join(dict.fromkeys(article_label(source.article) for source in sources))
    subject = shorten_text(own)
    one = _StatementComparison(replace(statement, own=own), draft, pieces, spoken, known)
    found = one.find_differences()
    for is_proved, what in dict.fromkeys(found):
        reason = "contradicts" if is_proved else "differs"
        yield doubt_or_fail("duty", subject, f"“{subject}” {what}, {articles}.", reason)


class _StatementComparison:
    """A statement beside the sentences that it cites."""

    def __init__(
        self,
        statement: Statement,
        draft: ParsedDraft,
        pieces: Sequence[StatementPiece],
        spoken: str,
        sources: Sequence[Source],
    ) -> None:
        self.statement, self.draft, self.pieces = statement, draft, pieces
        self.spoken, self.sources = spoken, sources
        self.text = statement.own
        self.own = read_sentence(statement.own)
        amounts = [(one.start, one.end) for one in _find_amounts(self.own)]
        self.words = _find_words(_cut_out(self.own.text, amounts))
        self.keys = {one.key for one in _find_amounts(self.own)}
        self.known = "\n".join(piece.text for piece in pieces)
        self.closest = max(pieces, key=lambda one: coverage(self.words, one.text))
        self.is_close = self._is_near(self.closest)
        self.limits = [(one, piece) for piece in pieces for one in _find_amounts(piece.sentence)]
        self.duties = [
            (duty, piece)
            for piece in pieces
            for duty in (*piece.sentence.duties, piece.sentence.led_duty)
            if duty and not duty.in_passing
        ]

    @cached_property
    def context(self) -> str:
        """The question, and all that the cited clauses and their headings say."""
        cited = (" ".join((one.document, *one.breadcrumb, one.text)) for one in self.draft.sources)
        return "\n".join((self.spoken, *cited))

    def find_differences(self) -> Iterator[Difference]:
        """Yield all differences."""
        keys = {one.key for one, _ in self.limits}
        for one in _find_amounts(self.own):
            if one.key not in keys:
                yield from self._compare_unit(one)
            elif one.relation not in (None, "between"):
                rules = [
                    each for each in self.limits if each[0].relation and each[0].key == one.key
                ]
                yield from self._compare_limit(one, rules) if rules else ()
        for duty in self.own.duties:
            if not duty.in_passing:
                yield from self._compare_duty(duty)
        yield from self._find_added_duty()
        yield from self._find_other_sanction()
        yield from self._find_swapped_amounts()
        yield from self._compare_sides()
        yield from self._find_lost_restriction()
        yield from self._find_turned_parts()
        yield from self._find_contrary()
        yield from self._find_cut_quote()
        yield from self._find_added_condition()
        yield from self._find_added_names()

    def _has(self, *names: str) -> bool:
        return bool(find_cues(self.text, *names))

    def _is_alike(self, piece: StatementPiece) -> bool:
        """True of a sentence that has the statement's words and denies as it does."""
        return self._is_near(piece) and not _is_turned(self.text, piece.text)

    def _is_near(self, piece: StatementPiece) -> bool:
        return coverage(self.words, piece.text) >= MIN_COVERAGE

    def _keeps_duty(self, piece: StatementPiece) -> bool:
        """True where a statement says the duty of a sentence: the same, and of the same verb."""
        return any(
            duty.modality == rule.modality
            and _find_verbs(duty, self.own, 1) & _find_verbs(rule, piece.sentence, 2)
            for duty in self.own.duties
            for rule in piece.sentence.duties
        )

    def _compare_limit(
        self, one: Amount, rules: Sequence[tuple[Amount, StatementPiece]]
    ) -> Iterator[Difference]:
        """Yield how a limit is turned round or blurred, or made one that admits nothing else."""
        rule, piece = max(rules, key=lambda each: coverage(self.words, each[1].text))
        ways = {WAYS.get(other.relation or "", FIXED) for other, _ in rules}
        compare = self._turns_side if one.relation in WAYS else self._fixes_bound
        if (is_proved := compare(one, rule, piece, ways)) is not None:
            yield is_proved, f"says “{one}” where it is “{rule}”"

    def _turns_side(
        self, one: Amount, rule: Amount, piece: StatementPiece, ways: Set[tuple[int, bool]]
    ) -> bool | None:
        """Return whether a bound is proved to be on the other side; None where it is not there."""
        way = side, is_strict = WAYS[one.relation or ""]
        sides = {other for other, _ in ways}
        is_proved = one.proved and rule.proved and self._is_near(piece)
        is_threshold = "threshold" in (one.role, rule.role)
        if is_threshold and (-side, not is_strict) in ways:  # the other of two cases
            is_other = is_proved and way not in ways and self._is_alike(piece)
            return self._keeps_duty(piece) if is_other else None
        if side not in sides:
            return is_proved if -side in sides else None
        return False if is_proved and is_threshold and way not in ways else None

    def _fixes_bound(
        self, one: Amount, rule: Amount, piece: StatementPiece, ways: Set[tuple[int, bool]]
    ) -> bool | None:
        """Return whether a bound is proved to be said as a value; None where it is not said so."""
        if any(not side for side, _ in ways):
            return None
        before = " ".join(self.text[: one.start].split()[-2:])
        if not find_cues(before, "exactly"):  # "exactly the"
            is_limit = one.role == "limit" and one.is_governed and one.proved
            return rule.proved if is_limit else None
        if any(strict for _, strict in ways):
            return None if _is_turned(self.text, piece.text) else False
        if rule.role != "threshold" or self._has("only", "negation"):
            return self._has(*_FIRM) and not find_verdict(self.text, True)
        return None

    def _compare_unit(self, one: Amount) -> Iterator[Difference]:
        """Yield a number that the clauses and the question say with another unit."""
        for rule, _ in self.limits:
            is_plain = not _UNSURE.search(f"{one.unit} {rule.unit} {one.text} ")
            is_other = one.measure and rule.measure and is_plain
            if is_other and one.value == rule.value and one.key not in amount_keys(self.context):
                yield True, f"says “{one}” where it is “{rule}”"
                return

    def _compare_duty(self, duty: Duty) -> Iterator[Difference]:
        """Yield a duty or an actor other than that of the same verb in the clauses."""
        words = _find_words(duty.what)
        near = [one for one in self.duties if coverage(words, one[1].text) >= MIN_COVERAGE]
        for verb in _find_verbs(duty, self.own, 1):
            every = [one for one in near if verb in _find_verbs(one[0], one[1].sentence, 2)]
            if not every:
                continue
            known = [one for one in every if one[1] is self.closest] or every
            rule, piece = known[0]
            if verb not in _find_words(duty.actor):
                yield from self._compare_actor(duty.actor, [other.actor for other, _ in known])
            if any(other.modality == duty.modality for other, _ in known):
                yield from self._find_widened_duty(duty, known)
                continue
            said, written = self.text[duty.start : duty.end], piece.text[rule.start : rule.end]
            if said == written or self._means_same(duty, rule, piece):
                continue
            same = (at for other, at in every if other.modality == duty.modality)
            is_proved = rule.is_main and not any(map(self._is_near, same))
            is_proved = is_proved and not self._may_except(rule, piece)
            yield is_proved, f"says “{said}” where it says “{written}” of “{duty.what[:60]}”"

    def _means_same(self, duty: Duty, rule: Duty, piece: StatementPiece) -> bool:
        """True where another modality says the same: "is limited to 5 m", "must drive without"."""
        modalities = {duty.modality, rule.modality}
        rules = _find_bounds(piece.sentence, rule.start)
        is_bound = "must" not in modalities and bool(self.keys & rules.keys())
        if modalities == {"must", "must not"}:
            bounds = _find_bounds(self.own, duty.start)
            is_bound = bool(bounds.items() & rules.items()) or _is_turned(self.text, piece.text)
        return is_bound or not duty.end or not duty.is_main

    def _may_except(self, rule: Duty, piece: StatementPiece) -> bool:
        """True of a ban with an exception that the statement may be on."""
        if rule.modality != "must not":
            return False
        written = piece.text[rule.start : rule.end]
        is_only = find_cues(written, "must_not") and not find_cues(written, *_DENYING)
        if is_only or self._has("condition", *_RESTRICTING):
            return True
        if not (excepted := find_cues(piece.text, "exception")):
            return bool(find_cues(self.known, *_EXCEPTIONS))
        words = _find_words(_until_comma(piece.text, excepted[0].end))
        return coverage(words, self.text) > MIN_COVERAGE

    def _find_added_duty(self) -> Iterator[Difference]:
        """Yield a duty of a kind that the clauses do not have at all."""
        known = {duty.modality for duty, _ in self.duties}
        is_open = self.is_close and not find_cues(self.closest.text, "only", "requires")
        bounds = self.keys & {one.key for one, _ in self.limits if one.is_compared}
        for duty in self.own.duties if is_open and not bounds else ():
            is_own = duty.is_main and duty.end and not duty.in_passing
            if is_own and known - {"should"} and duty.modality not in (*known, "may"):
                yield False, f"says “{self.text[duty.start : duty.end]}”, which it does not"

    def _find_widened_duty(
        self, duty: Duty, rules: Sequence[tuple[Duty, StatementPiece]]
    ) -> Iterator[Difference]:
        """Yield a duty of all where the rules oblige those under an amount: "under 14 years"."""
        rules = [one for one in rules if self._is_near(one[1])] or rules
        bounds = [
            [one for one in _find_amounts(piece.sentence) if one.text in rule.actor]
            for rule, piece in rules
        ]
        keys = {one.key for found in bounds for one in found}
        is_told = keys & self.keys or self._has("condition", "exception")
        if find_cues(duty.actor, "universal") and all(bounds) and not is_told:
            yield True, f"says “{duty.actor}” where it says “{rules[0][0].actor}”"

    def _find_other_sanction(self) -> Iterator[Difference]:
        """Yield a sanction where the sentence on the same thing names another one."""
        own = find_sanctions(self.text)
        named = find_sanctions(self.closest.text) if own and self.is_close else ()
        if named and not {*own} & {*named}:
            least = coverage(self.words, self.closest.text) - CLEARLY_MORE
            near = (one.text for one in self.pieces if coverage(self.words, one.text) > least)
            is_elsewhere = any({*own} & {*find_sanctions(text)} for text in near)
            is_proved = not is_elsewhere and not self._has("negation")
            yield is_proved, f"says “{', '.join(own)}” where it says “{', '.join(named)}”"

    def _compare_actor(self, actor: str, names: Sequence[str]) -> Iterator[Difference]:
        words = _find_words(actor)
        if words and all(_find_words(name) and not coverage(words, name) for name in names):
            agents = sum(bool(find_cues(name, "agent")) for name in (actor, names[0]))
            texts = "\n".join((self.known, *(one.text for one in self.sources)))
            signs = agents + (coverage(words, texts) == 1)
            if signs > 1:
                yield signs > 2, f"says “{actor}” where it says “{names[0]}”"

    def _find_swapped_amounts(self) -> Iterator[Difference]:
        """Yield amounts that are said of what the clauses say another amount of.

        It is proved where both are swapped, or the other one is in a sibling item or row. Only then
        does it count for numbers of things.
        """
        own = [one for one in _find_amounts(self.own) if one.key != ("", Decimal(1))]
        rules = [(rule, *_find_near(piece, rule), piece) for rule, piece in self.limits if own]
        swaps = (self._find_swap(one, rules) for one in own if one.upper is None)
        found = [one for one in swaps if one]
        keys = {one.key for one, _, _ in found}
        is_swapped = len(keys) > 1 and any(other.key in keys for _, other, _ in found)
        for one, other, is_proved in found:
            if is_swapped or is_proved or one.measure:
                yield is_swapped or is_proved, f"says “{one}” of what it says “{other}” of"

    def _find_swap(
        self,
        one: Amount,
        rules: Sequence[tuple[Amount, frozenset[str], frozenset[str], StatementPiece]],
    ) -> tuple[Amount, Amount, bool] | None:
        """Return an amount, the one that rules say of its words instead, and whether that is so."""
        mine = [each for each in rules if each[0].key == one.key]
        others = [
            each for each in rules if each[0].key != one.key and each[0].measure == one.measure
        ]
        if not mine or not others:
            return None
        words, _ = _find_near(StatementPiece(self.text, True, self.own), one)
        known = frozenset(chain.from_iterable(near for _, _, near, _ in mine))
        other, close, near, piece = max(others, key=lambda each: len(words & each[1] - known))
        count = len(words & close - known)
        if not count or any(words & own_close - near for _, own_close, _, _ in mine):
            return None
        is_sibling = all(_are_siblings(piece, place) for *_, place in mine)
        return one, other, is_sibling or (count > 1 and bool(one.measure))

    def _compare_sides(self) -> Iterator[Difference]:
        """Yield what is said to be before an event and is after it, or the other way round."""
        for side, event, written in _find_sides(self.text):
            known = [
                (other_side, piece)
                for piece in self.pieces
                for other_side, other, _ in _find_sides(piece.text)
                if event and (event[0] in other[:2] or len({*event} & {*other}) * 2 >= len(event))
            ]
            sides = {other for other, piece in known if piece is self.closest}
            if event and sides and side not in sides:
                is_alone = side not in {other for other, _ in known}
                is_proved = is_alone and self._is_alike(self.closest)
                yield is_proved, f"says “{written}” where it is the other side"

    def _find_lost_restriction(self) -> Iterator[Difference]:
        """Yield a restriction that the statement leaves out, or says not to be."""
        text = self.closest.text
        absolute = [*_ABSOLUTE.finditer(self.text)]
        if any(
            not any(m.start() < one.end and one.start < m.end() for m in absolute)
            for one in find_cues(self.text, *_RESTRICTING, "naming_exception")
        ):
            return
        if absolute:  # which is said of a part
            words = _find_words(next(filter(_ABSOLUTE.search, _split(self.text)), self.text))
            text = max((one.text for one in self.pieces), key=lambda one: coverage(words, one))
            if found := self._deny_absolute(text):
                yield found[0], f"says “{absolute[0][0]}”{found[1]}"
                return
        if self.is_close and not self._has("doubtful"):
            yield from self._find_lost_only(text)
            yield from self._find_lost_exception(text)

    def _deny_absolute(self, text: str) -> Difference | None:
        """Return whether rules are proved to restrict what "always" is said of, and how."""
        restrictions = find_cues(text, *_RESTRICTING, "condition", "circumstance")
        is_bound = any(one.relation in WAYS for one in read_sentence(text).amounts)
        is_restricted = restrictions or is_bound or find_cues(self.known, *_RESTRICTING)
        if _ABSOLUTE.search(text) or not is_restricted:
            return None
        near = (one.text for one in self.pieces if self._is_near(one))
        is_proved = bool(restrictions) and not any(map(_ABSOLUTE.search, near))
        return is_proved, f" where it says “{restrictions[0].text}”" if restrictions else ""

    def _find_lost_only(self, text: str) -> Iterator[Difference]:
        """Yield the "only", or the kind of things in brackets, that a statement leaves out."""
        tag, only = _TAG.match(text), find_cues(text, "only")
        if tag and not coverage(_find_words(tag[1]), self.text):
            yield self._has("universal"), f"leaves out “{tag[0].strip()}”"
        is_limited = self._has("condition", "exactly", "negation")
        is_permitted = any(one.modality == "may" for one in self.own.duties)
        if only and not tag and is_permitted and not is_limited:
            yield self._has("universal"), f"leaves out “{only[0].text}”"

    def _find_lost_exception(self, text: str) -> Iterator[Difference]:
        """Yield an exception that neither the statement nor another one says."""
        found = find_cues(text, "exception")
        is_strict = any(one.end and one.modality.startswith("must") for one in self.own.duties)
        is_firm = is_strict and self._has("universal")
        if not found or (self._has("turning", "condition") and not is_firm):
            return
        lost = text[found[0].start :]
        others = " ".join(one.text for one in self.draft.statements)
        is_quoted = alphanumeric_only(lost[:_KNOWN_BY]) in alphanumeric_only(self.statement.text)
        keys = {one.key for one in _find_amounts(read_sentence(lost))}
        is_told = coverage(_find_words(lost), others) >= MIN_COVERAGE and keys <= self.keys
        if not is_told and not is_quoted:
            yield is_strict, f"leaves out “{shorten_text(lost)}”"

    def _find_turned_parts(self) -> Iterator[Difference]:
        """Yield a part that denies what a part of the clauses with the same words does not."""
        rules = [(part, _find_words(part)) for part in _split(self.known)]
        for part in _split(self.text):
            words = _find_words(part)
            shares = ((coverage(words, rule), coverage(own, part), rule) for rule, own in rules)
            share, back, rule = max(shares, key=lambda one: one[0] + one[1], default=(0, 0, ""))
            is_same = len(words) > 1 and share >= MIN_SAME and back >= MIN_COVERAGE
            if not is_same or not _is_turned(part, rule):
                continue
            denied = [text for text in (part, rule) if find_cues(text, *_DENYING)]
            amounts = chain.from_iterable(read_sentence(text).amounts for text in denied)
            is_bound = any(one.relation in WAYS for one in amounts)
            if not is_bound and not find_cues(f"{part}\n{rule}", *_EXCEPTIONS):
                yield back >= MIN_SAME, f"turns “{shorten_text(rule)}” round"

    def _find_contrary(self) -> Iterator[Difference]:
        """Yield a word whose contrary is said in its place."""
        own, rule = stem_words(self.text), stem_words(self.closest.text)
        for (word, contrary), (one, other) in _CONTRARY.items():
            if one <= own and other <= rule and not other <= own and not one <= rule:
                yield False, f"says “{word}” where it says “{contrary}”"

    def _find_cut_quote(self) -> Iterator[Difference]:
        """Yield a quote that leaves out what restricts it, which nothing else says."""
        for passage in self.statement.passages:
            quote = squeeze(passage.strip('“”„"«» '))
            for piece in self.pieces if len(quote.split()) > 2 else ():
                before, found, behind = squeeze(piece.text).partition(quote)
                rest = f"{before} {behind}"
                cues = find_cues(rest, *_RESTRICTING, "at_most", "at_least")
                if found and cues and coverage(_find_words(rest), self.text) < MIN_COVERAGE:
                    is_proved = bool(_ABSOLUTE.search(self.text))
                    yield is_proved, f"quotes no more than “{shorten_text(passage)}”"

    def _find_added_condition(self) -> Iterator[Difference]:
        """Yield a condition or exception of which the clauses say nothing."""
        has_own = find_cues(self.known, "condition", "exception")
        for one in find_cues(self.text, "condition", "exception"):
            written = _until_comma(self.text, one.start)
            words = _find_words(written)
            share = coverage(words, self.known)
            is_known = share >= 0.34 or (share and has_own) or _ABSOLUTE.search(written)
            if len(words) > 1 and not is_known:
                yield False, f"adds “{shorten_text(written)}”"

    def _find_added_names(self) -> Iterator[Difference]:
        """Yield a name that nobody else names; in German every noun looks like one."""
        languages = {self.own.language, self.closest.sentence.language}
        names = [] if "de" in languages else _NAME.findall(self.text)
        known = stem_words(f"{self.known}\n{self.context}") if names else frozenset()
        for name in names:
            if not stem_words(name) <= known and not find_cues(name, "reference"):
                yield False, f"names “{name}”, which it does not"


@lru_cache(maxsize=8_000)
def _find_words(text: str) -> Mapping[str, str]:
    """Return what a text is about: its words by stem, without amounts and cues of grammar."""
    cues = [(one.start, one.end) for one in find_cues(text, *_PLAIN)]
    words = plain_words(_cut_out(text, cues))
    return {stem: word for stem, word in words.items() if not find_cues(word, "negation")}


def _cut_out(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text without some of its parts, which are given in order."""
    for start, end in reversed(spans):
        text = f"{text[:start]} {text[end:]}"
    return text


def _find_amounts(sentence: Sentence) -> list[Amount]:
    return [one for one in sentence.amounts if one.kind == "amount"]


def _find_near(piece: StatementPiece, one: Amount) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words around an amount up to a comma, and those up to the next amounts."""
    text = piece.text
    if text[one.start : one.end] != one.text:  # a cell, whose row is its text
        return (frozenset(_find_words(text)),) * 2
    close, near = words_beside(text, one, _find_amounts(piece.sentence))
    return frozenset(_find_words(close)), frozenset(_find_words(near))


def _are_siblings(one: StatementPiece, other: StatementPiece) -> bool:
    """True of two items of a list, or two rows of a table."""
    is_list = bool(one.sentence.lead) and one.sentence.lead == other.sentence.lead
    is_table = one.text.startswith("|") and other.text.startswith("|")
    return one is not other and (is_list or is_table)


def _find_sides(text: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield "before" or "after", the words of the event that it is said of, and how it is said."""
    for one in find_cues(text, "before", "after"):
        if not one.has("of", "barrier", "existing", "relative"):
            event = _until_comma(text, one.end)
            side = "before" if one.has("before") else "after"
            yield side, [*_find_words(event)][:_EVENT], shorten_text(f"{one.text}{event}")


def _find_bounds(sentence: Sentence, start: int) -> dict[tuple[str, Decimal], str | None]:
    """Return the relations of amounts from a place on: "may be up to 5 m" binds as a ban does."""
    found = (one for one in sentence.amounts if one.is_compared and one.start >= start)
    return {one.key: one.relation for one in found}


def _find_verbs(duty: Duty, sentence: Sentence, count: int) -> frozenset[str]:
    """Return the first words of all that a duty is to do; in German the last."""
    starts = (one.start - duty.end for one in sentence.duties if one.start > duty.end)
    what = duty.what[: max(1, min(starts, default=len(duty.what)))] if duty.end else duty.what
    is_place = any(not one.has("to") for one in find_cues(what.partition(" ")[0], "barrier"))
    if duty.end and (is_place or not _find_words(what)):  # "fires are allowed in the pit"
        return frozenset([*_find_words(sentence.text[: duty.start])][:count])
    parts = [[*_find_words(part)] for part in SEPARATOR.split(what.lstrip(" :,"))]
    is_last = sentence.language == "de"
    return frozenset(chain.from_iterable(one[-count:] if is_last else one[:count] for one in parts))


@lru_cache(maxsize=4_000)
def _is_turned(text: str, other: str) -> bool:
    """True where one of two texts denies what the other does not."""
    return _has_denial(text, other) != _has_denial(other, text)


def _has_denial(text: str, other: str) -> bool:
    """True of a text that denies, in words that another does not have; "not without" does not."""
    found = [
        one
        for one in find_cues(text, *_DENYING)
        if not coverage(plain_words(one.text), other)
        and (text[: one.start].strip(' "“') or text[one.end :][:1] not in (",", "."))  # "No, it"
        and not find_cues(" ".join(text[one.end :].split()[:2]), *_COMPARED)
    ]
    return bool(found) and not any(one.has("lacking") for one in found)


def _until_comma(text: str, start: int) -> str:
    """Return what stands in a text from a place to the next mark that ends a phrase."""
    return re.split(r"[,;:()]|\.(?!\d)", text[start:])[0]


def _split(text: str) -> list[str]:
    """Return the parts of a text."""
    return [part for line in text.splitlines() for part in _PARTS.split(line) if part.strip()]
