"""Where a statement contradicts the sentences that it cites, or says more or less than they do.

Both are read by the one reader of sentences and compared thing by thing: amounts and the words
around them, sides of an event, duties and whom they oblige, exceptions, negations, cases. What a
draft says in its own words is compared; a quote has the rule's own strength.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from core.grammar import (
    Amount,
    Duty,
    Sentence,
    alphanumeric_only,
    article_label,
    cue_pattern,
    find_cues,
    find_verdict,
    read_sentence,
)
from core.library import coverage
from core.verification.evidence import shorten_text
from core.verification.statements import ParsedDraft, Piece, Statement, plain_words, squeeze
from core.verification.types import DraftCheck, doubt_or_fail

MIN_ALIKE = 0.5
"""Share of a statement's words that the sentence must have which it is held against."""
MIN_UNCITED = 0.6
"""The same where the statement cites nothing, and so may be on something else."""
Difference = tuple[bool, str]
"""Whether a statement is proved to contradict its clauses, and how it differs from them."""

_SIDES = {"at least": 1, "more than": 1, "at most": -1, "less than": -1}
"""Which side of a limit is allowed."""
_COMPLEMENTS = {
    "less than": "at least",
    "more than": "at most",
    "at least": "less than",
    "at most": "more than",
}
"""What is left beside an amount that decides which of two cases holds."""
_RESTRICTING = ("exception", "only", "requires", "must_not")
_EXCEPTIONS = ("exception", "naming_exception")
_DENYING = ("negation", "forbidding")
_OTHERWISE = ("condition", "exactly", "negation")
"""What says in other words that something is only so in one case."""
_PLAIN = (
    *("determiner", "copula", "must", "may", "should", "will", "barrier", "by", "of", "to", "or"),
    *("turning", "relative", "existing", "universal", "negation", "between", "within", "exactly"),
    *("at_least", "at_most", "more", "less", "more_or_equal", "less_or_equal", "maximum"),
    *("minimum", "behind_at_least", "behind_at_most", "up_to", "before", "after"),
)
"""Categories of words that do not say what a sentence is about."""
_ABSOLUTE, _UNTOLD = cue_pattern("absolute"), cue_pattern("untold")
_SEPARATOR = re.compile(r"[,;:(|]|\b(?:and|or|but|while|whereas|against|und|oder|et|ou)\b")
_PARTS = re.compile(
    r"[;:]\s|,\s(?:and|but|or|while|however)\s|,\s(?=und\s|aber\s|et\s|mais\s)"
)
_DEEDS = re.compile(r"[,;:(]|\b(?:and|or|und|oder|et|ou)\b")
_TAG = re.compile(r"(?i)^\W*[\[(]\s*([\w ]{2,20}?)\s*only\s*[\])]")


def compare_statement(statement: Statement, draft: ParsedDraft) -> Iterator[DraftCheck]:
    """Yield a failed check for each thing that a statement says otherwise than what it cites.

    What is proved is fatal, all else a doubt. A statement that cites nothing is held against the
    sentences that the draft cites and that have most of its words.
    """
    sources = statement.sources or draft.sources
    pieces = draft.pieces_of(sources)
    words = _find_words(statement.own)
    if not statement.sources:
        pieces = [one for one in pieces if coverage(words, one.text) >= MIN_UNCITED]
    if not pieces or not words or _UNTOLD.search(statement.own):
        return
    articles = ", ".join(dict.fromkeys(article_label(source.article) for source in sources))
    subject = shorten_text(statement.own)
    compared = _Comparison(statement, draft, pieces)
    for is_proved, what in dict.fromkeys(compared.find_differences()):
        reason = "contradicts" if is_proved else "differs"
        yield doubt_or_fail("duty", subject, f"“{subject}” {what}, {articles}.", reason)


class _Comparison:
    """A statement beside the sentences that it cites."""

    def __init__(self, statement: Statement, draft: ParsedDraft, pieces: Sequence[Piece]) -> None:
        self.statement = statement
        self.draft = draft
        self.pieces = pieces
        self.text = statement.own
        self.own = read_sentence(statement.own)
        self.words = _find_words(statement.own)
        self.closest = max(pieces, key=lambda one: coverage(self.words, one.text))
        self.is_close = coverage(self.words, self.closest.text) >= MIN_ALIKE
        self.limits = [
            (one, piece) for piece in pieces for one in _find_amounts(piece.sentence) if one.relation
        ]
        self.duties = [
            (duty, piece)
            for piece in pieces
            for duty in (*piece.sentence.duties, piece.sentence.led_duty)
            if duty and not duty.in_passing
        ]

    def find_differences(self) -> Iterator[Difference]:
        """Yield all differences."""
        for one in _find_amounts(self.own):
            rules = [(rule, piece) for rule, piece in self.limits if rule.key == one.key]
            if rules and one.relation not in (None, "between"):
                yield from self._compare_limit(one, rules)
        yield from self._find_swapped()
        yield from self._compare_sides()
        for duty in self.own.duties:
            if not duty.in_passing:
                yield from self._compare_duty(duty)
        yield from self._find_lost_exception()
        yield from self._find_turned()
        yield from self._find_cut_quote()
        yield from self._find_other_case()
        yield from self._find_added_condition()

    def _has(self, *names: str) -> bool:
        return bool(find_cues(self.text, *names))

    def _is_alike(self, piece: Piece) -> bool:
        """True of a sentence that has the statement's words and denies as it does."""
        is_near = coverage(self.words, piece.text) >= MIN_ALIKE
        return is_near and not _is_turned(self.text, piece.text)

    def _compare_limit(
        self, one: Amount, rules: Sequence[tuple[Amount, Piece]]
    ) -> Iterator[Difference]:
        """Yield how a limit is turned round or blurred, or made one that admits nothing else."""
        rule, piece = rules[0]
        said = f"says “{one}” where it is “{rule}”"
        relations = {other.relation for other, _ in rules}
        side, sides = _SIDES.get(one.relation or "", 0), {_SIDES.get(r or "", 0) for r in relations}
        is_proved = one.proved and rule.proved
        is_threshold = "threshold" in (one.role, rule.role)
        if is_threshold and _COMPLEMENTS.get(one.relation or "") in relations:
            if is_proved and self._is_alike(piece) and one.relation not in relations:
                yield False, said
        elif side and -side in sides and side not in sides:
            yield is_proved, said
        elif side and side in sides and one.relation not in relations:
            if is_proved and is_threshold:
                yield False, said
        elif not side and 0 not in sides:
            is_exact = bool(find_cues(self.text[max(0, one.start - 14) : one.start], "exactly"))
            is_strict = bool(relations & {"more than", "less than"})
            names = ("must", "only", "requires", "universal", "forbidding", "negation", "must_not")
            if is_exact and is_strict and not _is_turned(self.text, piece.text):
                yield False, said
            elif is_exact and not is_strict and (rule.role != "threshold" or self._has("only")):
                yield self._has(*names) and not find_verdict(self.text, True), said
            elif not is_exact and one.role == "limit" and one.is_governed and one.proved:
                yield False, said

    def _find_swapped(self) -> Iterator[Difference]:
        """Yield amounts that are said of what the clauses say another amount of."""
        rules = [
            (rule, _find_near(piece, rule, closely=True), _find_near(piece, rule, closely=False))
            for rule, piece in self.limits
        ]
        found: list[tuple[Amount, Amount]] = []
        own = Piece(self.text, True, self.own)
        for one in _find_amounts(self.own):
            words = _find_near(own, one, closely=True)
            mine = [(close, near) for rule, close, near in rules if rule.key == one.key]
            others = [
                each for each in rules if each[0].key != one.key and each[0].measure == one.measure
            ]
            is_pronoun = one.key == ("", 1)
            if not mine or not others or one.upper is not None or is_pronoun:
                continue
            known = frozenset(chain.from_iterable(near for _, near in mine))
            other, close, near = max(others, key=lambda each: len(words & each[1] - known))
            if words & close - known and not any(words & own_close - near for own_close, _ in mine):
                found.append((one, other))
        keys = {one.key for one, _ in found}
        is_swapped = len(keys) > 1 and any(other.key in keys for _, other in found)
        for one, other in found:
            yield is_swapped, f"says “{one}” of what it says “{other}” of"

    def _compare_sides(self) -> Iterator[Difference]:
        """Yield what is said to be before an event and is after it, or the other way round."""
        for side, event, written in _find_sides(self.text):
            known = [
                (other_side, piece)
                for piece in self.pieces
                for other_side, other, _ in _find_sides(piece.text)
                if event[:1] == other[:1] and 2 * len({*event} & {*other}) >= len(event)
            ]
            sides = {other for other, piece in known if piece is self.closest}
            others = [piece for other, piece in known if other != side]
            if event and others and (sides or {side}) != {side} and side not in sides:
                is_proved = self._is_alike(others[0]) and side not in {other for other, _ in known}
                yield is_proved, f"says “{written}” where it is the other side"

    def _compare_duty(self, duty: Duty) -> Iterator[Difference]:
        """Yield a duty or an actor other than that of the same verb in the clauses."""
        texts = " ".join(piece.text for piece in self.pieces)
        is_excepted = bool(find_cues(texts, *_EXCEPTIONS))
        near = [
            (rule, piece)
            for rule, piece in self.duties
            if coverage(_find_words(duty.what), piece.text) >= MIN_ALIKE
        ]
        actor = _find_words(duty.actor)
        for verb in _find_verbs(duty, self.own, 1):
            known = [one for one in near if verb in _find_verbs(one[0], one[1].sentence, 2)]
            if not known:
                continue
            rule, piece = known[0]
            names = [other.actor for other, _ in known]
            if actor and all(_find_words(name) and not coverage(actor, name) for name in names):
                agents = sum(bool(find_cues(name, "agent")) for name in (duty.actor, rule.actor))
                is_there = coverage(actor, texts) == 1
                if agents + is_there > 1:
                    what = f"says “{duty.actor}” where it says “{rule.actor}”"
                    yield agents + is_there > 2, what
            is_told = duty.end and duty.is_main
            if not is_told or any(other.modality == duty.modality for other, _ in known):
                continue
            is_both = {duty.modality, rule.modality} == {"must", "must not"}
            if is_both and _is_turned(self.text, piece.text):  # "must drive without"
                continue
            words = piece.text[rule.start : rule.end]
            is_only = bool(find_cues(words, "must_not")) and not find_cues(words, *_DENYING)
            is_open = rule.modality == "must not" and (is_only or is_excepted)
            what = f"says “{duty.modality}” where it says “{rule.modality}” of “{duty.what[:60]}”"
            yield rule.is_main and not is_open, what

    def _find_lost_exception(self) -> Iterator[Difference]:
        """Yield a restriction that the statement leaves out, or says not to be."""
        text = self.closest.text
        restrictions = find_cues(text, *_RESTRICTING)
        conditions = find_cues(text, "condition", "circumstance")
        absolute = [*_ABSOLUTE.finditer(self.text)]
        kept = [
            one
            for one in find_cues(self.text, *_RESTRICTING, "naming_exception")
            if not any(m.start() < one.end and one.start < m.end() for m in absolute)
        ]
        if absolute and not kept and not _ABSOLUTE.search(text):
            is_bound = any(one.relation in _SIDES for one in self.closest.sentence.amounts)
            others = any(find_cues(one.text, *_RESTRICTING) for one in self.pieces)
            if restrictions or conditions or is_bound or others:
                is_proved = bool(restrictions or conditions)
                words = (*restrictions, *conditions)
                limit = f" where it says “{words[0].text}”" if words else ""
                yield is_proved, f"says “{absolute[0][0]}”{limit}"
                return
        if not self.is_close or kept or self._has("doubtful"):
            return
        is_universal = self._has("universal")
        tag = _TAG.match(text)
        if tag:
            if not coverage(_find_words(tag[1]), self.text):
                yield is_universal, f"leaves out “{tag[0].strip()}”"
        elif find_cues(text, "only") and self.own.duties and not self._has(*_OTHERWISE):
            yield is_universal, f"leaves out “{find_cues(text, 'only')[0].text}”"
        if (found := find_cues(text, "exception")) and not self._has("turning", "condition"):
            yield from self._check_exception(text[found[0].start :])

    def _check_exception(self, lost: str) -> Iterator[Difference]:
        others = " ".join(one.text for one in self.draft.statements)
        is_told = coverage(_find_words(lost), others) >= MIN_ALIKE
        is_quoted = alphanumeric_only(lost)[:40] in alphanumeric_only(self.statement.text)
        if not is_told and not is_quoted:
            is_strict = any(one.modality in ("must", "must not") for one in self.own.duties)
            yield is_strict, f"leaves out “{shorten_text(lost)}”"

    def _find_turned(self) -> Iterator[Difference]:
        """Yield a part that denies what a part of the clauses with the same words does not."""
        rules = [part for piece in self.pieces for part in _split(piece.text)]
        for part in _split(self.text):
            words = _find_words(part)
            rule = max(rules, key=lambda one: coverage(words, one) + coverage(_find_words(one), part))
            share = coverage(words, rule)
            share, back = coverage(words, rule), coverage(_find_words(rule), part)
            is_bound = any(
                one.relation in _SIDES for text in (part, rule) for one in read_sentence(text).amounts
            )
            if len(words) > 1 and share >= 0.75 and back >= MIN_ALIKE and not is_bound:
                if _is_turned(part, rule):
                    yield back >= 0.75, f"turns “{shorten_text(rule)}” round"

    def _find_cut_quote(self) -> Iterator[Difference]:
        """Yield a quote that leaves out what restricts it, which nothing else says."""
        for passage in self.statement.passages:
            quote = squeeze(passage.strip('“”„"«» '))
            for piece in self.pieces if len(quote.split()) > 2 else ():
                before, found, behind = squeeze(piece.text).partition(quote)
                rest = f"{before} {behind}"
                cues = find_cues(rest, *_RESTRICTING, "condition", "at_most", "at_least")
                if found and cues and coverage(_find_words(rest), self.text) < MIN_ALIKE:
                    is_proved = bool(_ABSOLUTE.search(self.text))
                    yield is_proved, f"quotes no more than “{shorten_text(passage)}”"

    def _find_other_case(self) -> Iterator[Difference]:
        """Yield a part whose case is that of one sentence, and what follows that of another."""
        cases = [tuple(map(_find_tokens, _split_case(piece.sentence))) for piece in self.pieces]
        every = [case | result for case, result in cases]
        for part in re.split(r";\s|,\s(?:and|but|while)\s", self.text):
            own = [*map(_find_tokens, _split_case(read_sentence(part)))]
            distinct = [
                [
                    own[side] & case[side] - frozenset().union(*every[:at], *every[at + 1 :])
                    for at, case in enumerate(cases)
                ]
                for side in (0, 1)
            ]
            places = [[at for at, one in enumerate(found) if one] for found in distinct]
            if [len(one) for one in places] == [1, 1] and places[0] != places[1]:
                case, result = places[0][0], places[1][0]
                if len(distinct[1][result]) > 1:
                    what = f"“{shorten_text(self.pieces[result].text)}”"
                    yield False, f"says of another case what it says in {what}"

    def _find_added_condition(self) -> Iterator[Difference]:
        """Yield a condition or exception of which the clauses say nothing."""
        known = "\n".join(piece.text for piece in self.pieces)
        has_own = find_cues(known, "condition", "exception")
        for one in find_cues(self.text, "condition", "exception"):
            written = re.split(r"[,;.]", self.text[one.start :])[0]
            words = _find_words(written)
            share = coverage(words, known)
            is_known = share >= 0.34 or (share and has_own) or _ABSOLUTE.search(written)
            if len(words) > 1 and not is_known:
                yield False, f"adds “{shorten_text(written)}”"


@lru_cache(maxsize=8_000)
def _find_words(text: str) -> Mapping[str, str]:
    """Return what a text is about: its words by stem, without amounts and cues of grammar."""
    for one in reversed(find_cues(text, *_PLAIN)):
        text = f"{text[: one.start]} {text[one.end :]}"
    return plain_words(text)


def _find_amounts(sentence: Sentence) -> list[Amount]:
    return [one for one in sentence.amounts if one.kind == "amount"]


def _find_tokens(text: str) -> frozenset[object]:
    amounts = _find_amounts(read_sentence(text))
    keys = ((*one.key, side) for one in amounts for side in {0, _SIDES.get(one.relation or "", 0)})
    return frozenset((*_find_words(text), *keys))


def _find_near(piece: Piece, one: Amount, *, closely: bool) -> frozenset[str]:
    """Return the words around an amount up to the next ones, or `closely` to the next comma."""
    text = piece.text
    if text[one.start : one.end] != one.text:  # a cell, whose row is its text
        return frozenset(_find_words(text))
    others = _find_amounts(piece.sentence)
    first = max((other.end for other in others if other.end <= one.start), default=0)
    last = min((other.start for other in others if other.start >= one.end), default=len(text))
    if closely:
        first = max((m.end() for m in _SEPARATOR.finditer(text, first, one.start)), default=first)
        last = min((m.start() for m in _SEPARATOR.finditer(text, one.end, last)), default=last)
    return frozenset(_find_words(f"{text[first : one.start]} {text[one.end : last]}"))


def _find_sides(text: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield "before" or "after", the words of the event that it is said of, and how it is said."""
    for one in find_cues(text, "before", "after"):
        if not one.has("of", "barrier", "existing", "relative"):
            event = re.split(r"[,;:.()]", text[one.end :])[0]
            written = " ".join(f"{one.text}{event}".split()[:5])
            side = "before" if one.has("before") else "after"
            yield side, [*_find_words(event)][:3], written


def _find_verbs(duty: Duty, sentence: Sentence, count: int) -> frozenset[str]:
    """Return the first words of all that a duty is to do; in German the last."""
    ends = (one.start for one in sentence.duties if one.start > duty.end)
    what = duty.what[: max(1, min(ends, default=duty.end + 500) - duty.end)] if duty.end else duty.what
    if find_cues(what[:12], "barrier") and not find_cues(what[:12], "copula"):
        return frozenset()  # "is allowed in the pit"
    parts = [[*_find_words(part)] for part in _DEEDS.split(what.lstrip(" :,"))]
    is_last = sentence.language == "de"
    return frozenset(
        chain.from_iterable(one[-count:] if is_last else one[:count] for one in parts)
    )


@lru_cache(maxsize=4_000)
def _is_turned(text: str, other: str) -> bool:
    """True where one of two texts denies what the other does not."""
    own, others = (
        [
            one
            for one in find_cues(words, *_DENYING)
            if not find_cues(words[one.end :].lstrip()[:12], "later", "earlier", "more", "less")
        ]
        for words in (text, other)
    )
    counts = (
        sum(not coverage(plain_words(one.text), beside) for one in cues)
        for cues, beside in ((own, other), (others, text))
    )
    return sum(counts) % 2 == 1


def _split(text: str) -> list[str]:
    """Return the parts of a sentence."""
    return [part for part in _PARTS.split(text) if part.strip()]


def _split_case(sentence: Sentence) -> tuple[str, str]:
    """Return in which case a sentence holds, or of what, and what it then says."""
    text = sentence.text
    names = ("must", "may", "must_not", "should", "will", "copula", "definition", "free")
    ends = [one.start for one in find_cues(text, *names, "forbidding")]
    end = min((*ends, *(m.start() for m in re.finditer(r":\s", text))), default=0)
    for one in find_cues(text, "condition"):
        stop = one.end + len(re.split(r"[,;]", text[one.end :])[0])
        if one.start < end:
            return text[:stop], text[stop:]
        return f"{text[:end]} {text[one.start : stop]}", text[end : one.start] + text[stop:]
    return text[:end], text[end:]
