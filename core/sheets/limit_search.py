"""Which limits a parameter of a sheet may mean: by words that few limits of its kind share."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, permutations
from math import fsum, log, sqrt

from rapidfuzz import fuzz

from core.grammar import AMOUNTS, STOP_WORDS, fold_accents, list_cues, list_words, stem_words
from core.library import DocumentMeanings, content_words, synonyms_of
from core.registers import LayerNotes, Limit, LimitsRegister, RowLink, find_override
from core.sheets.limit_confidence import MAX_FACTOR, estimate_log_odds, measure_size
from core.sheets.limited_things import LENGTH_WORDS
from core.sheets.sheet_amounts import SheetAmount, in_one_unit

_NEGATED = re.compile(
    rf"(?i)\b(?:non|{list_cues('without', 'absent').any}|"
    rf"{''.join(f'(?<!{verb} )' for verb in list_cues('modal'))}not)[\s-]+"
    r"(?:(?:a|an|any|the)\s+)?([a-z]+)"
)
_COUNT_OF = re.compile(r"(?i)\b(?:number|count) of\b")
_LENGTHS = tuple(
    stem_words(" ".join((*one.adjectives, *one.nouns, *one.comparatives)))
    for one in AMOUNTS
    if one.is_extent
)
"""The words of each length that things have: "wide", "wider" and "width"."""
_EXTENTS = frozenset(
    number for number, group in enumerate(LENGTH_WORDS) if group & frozenset(list_words("extent"))
)
"""Those of the lengths of things that a thing has itself: a width, no distance."""
_DISTANCE = frozenset(n for n, group in enumerate(LENGTH_WORDS) if "distance" in group)
_FROM = re.compile(rf"(?i)\s*(?:away\s+)?(?:from|{list_cues('place').any})\s")
"""Behind a number that is a distance, whichever way it goes: "no lower than 50 mm below"."""
_OPPOSITES = frozenset(
    sides
    for pair in list_words("opposite")
    for sides in permutations(stem for side in pair.split("/") for stem in stem_words(side))
)
"""Words for one of two like things, with the word for the other, as stems; in both orders."""
_MATERIALS = tuple(stem_words(group.replace("/", " ")) for group in list_words("material"))
"""The words for each material, as stems."""
_STOP_STEMS = stem_words(" ".join(STOP_WORDS))
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?\b")
_REMARK = re.compile(r"\(([^()]*)\)")
_SUBSCRIPT = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
_COMPARED = list_cues("smaller", "larger", "place", "comparing").any
_BOUNDS = re.compile(
    rf"(?i)\b(?:(?:{list_cues('extreme').any})\.?"
    rf"|at (?:least|most)|not?\s(?:{_COMPARED})(?:\sthan)?)\b"
)
"""Words of a comparison, which say nothing of what is compared, but "wider" that it is a width."""
MEASURING = stem_words(
    " ".join(word for one in AMOUNTS for word in (one.name, *one.nouns, *one.kinds))
) - {"wheelbas"}
"""Words that say what an amount measures, and nothing of what it is of."""
MIN_LETTERS, MIN_LIKENESS = 4, 88
"""Letters of a word that may be misspelled, and likeness of words that are one, of 100. A word
of four letters may have one more, one of nine a wrong one or two that changed places."""
MIN_NEARNESS = 0.4
"""The least nearness in meaning of a clause that has none of the words, a cosine of the vectors of
e5. By those of MiniLM, which are farther apart, it was 0.25."""
MAX_UNSAID = 0.5
"""Share of a limit's words that a row leaves out, from which it is not on the very thing.
tests/benchmarks/value_verdicts.py counts the verdicts that are wrong."""
LEVELS = (1.0, 0.9, 0.7)
"""What a word counts that a limit says itself, that its title says, that a heading above says. The
weights of what is measured with these are learned, by tests/benchmarks/learn_limits.py."""
_Places = dict[str, set[int]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A limit that a parameter may mean, with the table row that leads to it, if one does."""

    limit: Limit
    own: frozenset[str]
    heading: frozenset[str]
    outer: frozenset[str]
    lengths: frozenset[int]
    """The lengths of things that it names, as `find_lengths` does."""
    pairs: frozenset[tuple[str, ...]]
    """Words of its subject that stand side by side, as stems."""
    heading_pairs: frozenset[tuple[str, ...]]
    """The same of its title and the headings above."""
    link: RowLink | None = None

    @classmethod
    def from_limit(cls, limit: Limit, link: RowLink | None) -> "Candidate":
        own = " ".join((limit.lead, limit.subject, limit.condition, link.name if link else ""))
        *outer, title = limit.heading.split(" / ")
        above = " ".join(outer[-2:])
        return cls(
            limit,
            limit_words(own),
            limit_words(title),
            limit_words(above),
            find_own_lengths(limit),
            _stem_pairs(limit.subject),
            _stem_pairs(limit.heading),
            link,
        )

    @property
    def led(self) -> frozenset[str]:
        """The words of the table row that leads to it."""
        return limit_words(self.link.name) if self.link else frozenset()

    @property
    def use(self) -> frozenset[str]:
        """Those of them that tell this use from others: "structural", of tubes for it."""
        return self.led - limit_words(self.limit.wording)

    @property
    def words(self) -> frozenset[str]:
        return self.own | self.heading | self.outer

    @property
    def articles(self) -> tuple[str, ...]:
        led = (self.link.article,) if self.link else ()
        return tuple(dict.fromkeys((self.limit.article, *led)))


@dataclass(frozen=True, slots=True)
class ParameterWord:
    """A word of a parameter, by stem, and what rulebooks say for it."""

    stem: str
    synonyms: tuple[frozenset[str], ...] = ()

    def is_in(self, words: frozenset[str]) -> bool:
        return self.stem in words or any(other <= words for other in self.synonyms)


@dataclass(frozen=True, slots=True)
class RowWords:
    """The words of a row: its parameter's own, those that it has in brackets, its note's."""

    own: tuple[ParameterWord, ...] = ()
    remarks: tuple[ParameterWord, ...] = ()
    noted: tuple[ParameterWord, ...] = ()
    written: frozenset[tuple[str, ...]] = frozenset()
    """Words that stand side by side in its parameter, as stems."""
    pairs: frozenset[tuple[str, ...]] = frozenset()
    """Those that do so in some limit of the rulebook too."""
    lengths: frozenset[int] = frozenset()
    """The lengths of things that it names, as `find_lengths` does."""
    parameter: str = ""

    @property
    def things(self) -> tuple[ParameterWord, ...]:
        """Its parameter's words for a thing; what its unit says too are words for one in need."""
        return tuple(word for word in self.own if word.stem not in MEASURING) or self.own

    @property
    def stems(self) -> frozenset[str]:
        """All that it says, in its own words and the rulebook's."""
        others = (stem for word in self.all for other in word.synonyms for stem in other)
        return frozenset((*others, *(word.stem for word in self.all)))

    @property
    def all(self) -> tuple[ParameterWord, ...]:
        return (*self.own, *self.remarks, *self.noted)

    def is_of_other_thing(self, one: Candidate) -> bool:
        """True of a limit on wheels, where "steering wheel" is asked for."""
        words = one.words
        return any(thing in words and kind not in words for kind, thing in self.pairs)

    def is_of_whole(self, one: Candidate) -> bool:
        """True of a limit on a battery segment, where "battery" is asked for."""
        told = self.stems
        return any(thing in told and part not in told | MEASURING for thing, part in one.pairs)


@dataclass(frozen=True, slots=True)
class Match:
    """A limit that a parameter may mean, and how plainly it does: the odds beside no rule's, as a
    logarithm.
    """

    candidate: Candidate
    log_odds: float
    measures: Mapping[str, float]
    said: frozenset[str] = frozenset()
    """The words of the parameter and the note that stand in the limit or above it."""
    unsaid: frozenset[str] = frozenset()
    """The words of the table row that leads to it which neither says."""
    is_named: bool = False
    """True of a limit on the very thing that is named, and on little else."""
    words: RowWords = RowWords()
    """What was looked up; empty where a person picked its article."""


class WordIndex:
    """The words of a register's limits: which limits hold each, and how much each says."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._total = len(candidates)
        self._places: tuple[_Places, ...] = tuple(defaultdict(set) for _ in LEVELS)
        for place, one in enumerate(candidates):
            for level, words in zip(self._places, (one.own, one.heading, one.outer), strict=True):
                for word in words:
                    level[word].add(place)
        self._counts = Counter(word for one in candidates for word in one.words)
        self._pairs = frozenset[tuple[str, ...]]().union(
            *(_stem_pairs(one.limit.wording) for one in candidates)
        )
        self._expanded: dict[ParameterWord, ParameterWord] = {}
        self._holders: dict[ParameterWord, dict[int, float]] = {}

    def read_row(self, parameter: str, note: str) -> RowWords:
        """Return the words of a row, as this register says them."""
        own = self.words_of(_REMARK.sub(" ", parameter)) or self.words_of(parameter)
        remarks = tuple(word for word in self.words_of(parameter) if word not in own)
        noted = (word for word in self.words_of(note) if word not in (*own, *remarks))
        written, lengths = _stem_pairs(parameter), find_lengths(f"{parameter} {note}")
        return RowWords(
            own, remarks, tuple(noted), written, written & self._pairs, lengths, parameter
        )

    def words_of(self, text: str) -> tuple[ParameterWord, ...]:
        """Return the words of a parameter or a note, with what this register says for them.

        A word in brackets counts only where some limit has it: "wheelbase (setup B)".
        """
        remarks = parameter_words(" ".join(_REMARK.findall(text)))
        words = parameter_words(self._join(_REMARK.sub(" ", text)))
        known = [word for word in remarks if word not in words and self._count(word)]
        return (*map(self._expand, words), *known)

    def holders_of(self, word: ParameterWord) -> dict[int, float]:
        """Return the limits that say a word or a synonym of it, and how plainly; 0 to 1."""
        if word not in self._holders:
            holders: dict[int, float] = {}
            for weight, places in reversed(tuple(zip(LEVELS, self._places, strict=True))):
                found = set(places.get(word.stem, ()))
                for other in word.synonyms:
                    found |= set.intersection(*(places.get(part, set()) for part in other))
                holders |= dict.fromkeys(found, weight)
            self._holders[word] = holders
        return self._holders[word]

    def weigh(self, stems: Iterable[str]) -> float:
        """Return the weight of a limit's words together."""
        return fsum(log(1 + self._total / self._counts[stem]) for stem in stems)

    def weight(self, word: ParameterWord) -> float:
        """Return the weight of a word. A word of no limit weighs like a word of a few."""
        total = self._total or 1
        return log(1 + total / (self._count(word) or sqrt(total)))

    def _join(self, text: str) -> str:
        """Return a text with words joined that the register writes as one: "wheel base"."""
        joined: list[str] = []
        for word in text.split():
            whole = joined[-1] + word if joined else word
            if whole.isalpha() and whole != word and stem_words(whole) & self._counts.keys():
                joined[-1] = whole
            else:
                joined.append(word)
        return " ".join(joined)

    def _expand(self, word: ParameterWord) -> ParameterWord:
        """Return a word with those that it misspells, if no limit has it."""
        if word in self._expanded:
            return self._expanded[word]
        self._expanded[word] = word
        if self._count(word) or len(word.stem) < MIN_LETTERS:
            return word
        near = (one for one in self._counts if fuzz.ratio(word.stem, one) >= MIN_LIKENESS)
        found = tuple(frozenset((one,)) for one in near)
        self._expanded[word] = replace(word, synonyms=(*word.synonyms, *found))
        return self._expanded[word]

    def _count(self, word: ParameterWord) -> int:
        """Return how many limits hold a word."""
        others = (min(self._counts[part] for part in other) for other in word.synonyms if other)
        return max(self._counts[word.stem], max(others, default=0))


class LimitIndex:
    """The limits of one register, ready to be looked up by words."""

    def __init__(self, register: LimitsRegister, meanings: DocumentMeanings | None = None) -> None:
        self.meanings = meanings
        self.notes: LayerNotes = {}
        links = defaultdict(list)
        for link in register.links:
            links[link.label].append(link)
        self._candidates = [
            Candidate.from_limit(limit, link)
            for limit in register.binding
            for link in links.get(limit.label, (None,))
        ]
        self._rows: dict[tuple[str, ...], list[Limit]] = defaultdict(list)
        for limit in register.limits:
            self._rows[limit.clause_id, limit.quote].append(limit)
        self._by_kind: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(self._candidates):
            self._by_kind[one.limit.kind].append(place)
        self.words = WordIndex(self._candidates)

    def counts(self, word: str) -> bool:
        """True of a word for things that some limit is on a number of."""
        stems = stem_words(word)
        return any(stems & self._candidates[place].own for place in self._by_kind.get("", ()))

    def with_layers(self, notes: LayerNotes) -> "LimitIndex":
        """Return the same limits with what other layers mean for them."""
        index = copy(self)
        index.notes = notes
        return index

    def _is_former(self, limit: Limit) -> bool:
        """True of a limit in words that a rule quotes to take them away."""
        note = find_override(self.notes, limit)
        return note is not None and note.clause_id == limit.clause_id

    def with_meanings(self, meanings: DocumentMeanings | None) -> "LimitIndex":
        """Return the same limits, looked up with these vectors of their clauses."""
        index = copy(self)
        index.meanings = meanings
        return index

    def find(
        self,
        amount: SheetAmount,
        parameter: str,
        note: str,
        column: tuple[int, int] | None = None,
    ) -> list[Match]:
        """Return the limits that a value can be compared with, the best match first.

        `column` is the place of the value, and their number, where several are one size: only the
        limits count that have this place among as many of their row.

        A word in brackets speaks for the limits that have it, and against none: "wheelbase (setup
        B)", "vapour pressure (DVPE)".

        Raises LibraryError `embedding` and SettingsError, as `EmbeddingModel`.
        """
        words = self.words.read_row(parameter, note)
        near = self.meanings.nearness(parameter) if self.meanings else None
        lengths = words.lengths if "length" in amount.bases else frozenset()
        matches = (
            self._match(place, size, words, near)
            for place, size in self._list_sizes(amount)
            if _is_on_length(self._candidates[place].lengths, lengths)
            and (not column or self._column_of(place) == column)
        )
        return sorted(filter(None, matches), key=lambda match: match.log_odds, reverse=True)

    def find_of_measure(self, amount: SheetAmount, parameter: str) -> list[Candidate]:
        """Return the limits that say what a parameter measures ("power"), of whatever thing.

        None of a length or a mass, which every thing has.
        """
        if amount.bases.keys() & {"length", "mass"}:
            return []
        said = (word for word in self.words.words_of(parameter) if word.stem in MEASURING)
        held = frozenset[int]().union(*map(self.words.holders_of, said))
        return [self._candidates[place] for place, _ in self._list_sizes(amount) if place in held]

    def _match(
        self, place: int, size: float, words: RowWords, near: Mapping[str, float] | None
    ) -> Match | None:
        """Measure how plainly the words of a row mean a limit; None where only its unit speaks for
        it.
        """
        one, index = self._candidates[place], self.words
        own, remarked, noted = (
            sum(index.weight(word) * index.holders_of(word).get(place, 0.0) for word in some)
            for some in (words.things, words.remarks, words.noted)
        )
        nearness = (near or {}).get(one.limit.clause_id, 0.0)
        if not (own or remarked or nearness >= MIN_NEARNESS):
            return None
        whole = sum(map(index.weight, words.things)) + remarked
        things = one.own - MEASURING
        measures = {
            "words": (own + remarked + noted / 2) / (whole or 1.0),
            "other_size": size,
            "unsaid": index.weigh(things - words.stems) / (index.weigh(things) or 1.0),
            "other_thing": float(words.is_of_other_thing(one)),
            "of_part": float(words.is_of_whole(one)),
            **({"nearness": nearness} if near else {}),
        }
        is_named = _is_very_thing(measures) and (
            not one.lengths or bool(one.lengths & words.lengths)
        )
        if is_named:  # of the very thing the size says nothing: a gross breach is a breach
            measures["other_size"] = 0.0
        return Match(
            one,
            estimate_log_odds(measures),
            measures,
            frozenset(word.stem for word in words.all if place in index.holders_of(word)),
            one.led - {word.stem for word in words.all},
            is_named,
            words,
        )

    def _list_sizes(self, amount: SheetAmount) -> Iterator[tuple[int, float]]:
        """Yield the places of the limits that a value can be compared with, and how far it is from
        the nearest amount of their clause; none that is far from it where another is near.
        """
        sizes: dict[int, float] = {}
        nearest: dict[str, float] = {}
        for place in self._comparable(amount):
            limit = self._candidates[place].limit
            value, low, high = in_one_unit(amount, limit)
            if high is None and limit.other_end is not None and limit.value:
                high = low * limit.other_end / limit.value
            sizes[place] = measure_size(value, (low, low if high is None else high))
            nearest[limit.clause_id] = min(sizes[place], nearest.get(limit.clause_id, MAX_FACTOR))
        for place, size in sizes.items():
            of_clause = nearest[self._candidates[place].limit.clause_id]
            if size < MAX_FACTOR or of_clause >= MAX_FACTOR:
                yield place, of_clause

    def row_of(self, limit: Limit) -> list[Limit]:
        """Return the limits of the row or the sentence that sets a limit, in order."""
        return self._rows[limit.clause_id, limit.quote]

    def _column_of(self, place: int) -> tuple[int, int]:
        """Return which of how many limits of its kind in its row a limit is."""
        limit = self._candidates[place].limit
        same = [one for one in self.row_of(limit) if one.kind == limit.kind]
        return same.index(limit), len(same)

    def of_article(self, amount: SheetAmount, article: str) -> list[Match]:
        """Return the limits of an article that a value can be compared with."""
        candidates = (self._candidates[place] for place in self._comparable(amount))
        return [Match(one, 0.0, {}) for one in candidates if article in one.articles]

    def _comparable(self, amount: SheetAmount) -> Iterator[int]:
        """Yield the places of the limits in a unit of a value's kind."""
        for kind in amount.bases or ("",):
            for place in self._by_kind.get(kind, ()):
                limit = self._candidates[place].limit
                if amount.is_comparable(limit.unit) and not self._is_former(limit):
                    yield place


@lru_cache(maxsize=5_000)
def parameter_words(text: str) -> tuple[ParameterWord, ...]:
    """Return the words of a parameter or a note that say what a value is of."""
    found = content_words(_COUNT_OF.sub(" ", _prepare(text)))
    return tuple(
        ParameterWord(stem, tuple(_other_words(stem, word)))
        for stem, word in found.items()
        if not stem[:1].isdigit()
    )


def _other_words(stem: str, word: str) -> Iterator[frozenset[str]]:
    """Yield the stems of what rulebooks say for a word, and of words for the same length."""
    for one in dict.fromkeys((stem, word)):
        yield from filter(None, map(stem_words, synonyms_of(one)))
    for length in _LENGTHS:
        if stem in length:
            yield from (frozenset((one,)) for one in length - {stem})


def find_contrary(words: RowWords, one: Candidate) -> str:
    """Return what a limit is of, where a parameter names another kind of the same thing: of the
    front wing, where "rear wing" is asked for; another material. Empty where it does not.

    Both kinds are told apart in the limits of the rulebook, or they are opposites. What is measured
    is no thing: "outer" and "outside diameter" are one.
    """
    said = limit_words(f"{one.limit.subject} {one.limit.condition}")
    own, others, around = (
        [group for group in _MATERIALS if group & some] for some in (words.stems, said, one.words)
    )
    others = others or around
    if own and others and not any(group in others for group in own):
        return as_written((min(others[0] & one.words),), one.limit.wording)
    found = (
        (other, thing)
        for kind, thing in sorted(words.written)
        if thing in one.words - MEASURING and kind not in one.words | _STOP_STEMS
        for other, same in sorted(one.pairs | one.heading_pairs)
        if same == thing and _is_other_kind(words, one, (kind, thing), other)
    )
    return as_written(next(found, ()), one.limit.wording)


def _is_other_kind(words: RowWords, one: Candidate, pair: tuple[str, ...], other: str) -> bool:
    kind, thing = pair
    is_apart = pair in words.pairs and (other, thing) in one.pairs
    return other not in words.stems | MEASURING and (is_apart or (kind, other) in _OPPOSITES)


def as_written(stems: Iterable[str], text: str) -> str:
    """Return words by their stems as a text has them: "safety harness"."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    found = {stem: word for word in reversed(words) for stem in stem_words(word)}
    return " ".join(found.get(stem, stem) for stem in stems)


def find_lengths(text: str) -> frozenset[int]:
    """Return which lengths of things a text names, by number: a width, a distance."""
    words = set(re.findall(r"[a-z]+", text.casefold()))
    return frozenset(number for number, group in enumerate(LENGTH_WORDS) if group & words)


def _is_very_thing(measures: Mapping[str, float]) -> bool:
    """True of a limit on the very thing that is named, and on little else."""
    is_other = measures["other_thing"] or measures["of_part"]
    return measures["words"] >= 1 and measures["unsaid"] < MAX_UNSAID and not is_other


def _is_on_length(own: frozenset[int], asked: frozenset[int]) -> bool:
    """True of a limit on one of the lengths that are asked for: a width is no depth of the area."""
    extents = (own & _EXTENTS, asked & _EXTENTS)
    return not asked or bool(extents[0] & extents[1] if all(extents) else own & asked)


def find_own_lengths(limit: Limit) -> frozenset[int]:
    """Return which lengths a limit is on, by number: of "14 m wide and 11 m deep" the second is a
    depth. Where nothing by the number says it, all that its words name.
    """
    before, number, behind = limit.subject.rpartition("…")
    named = find_lengths(limit.wording)
    tail = re.split(r"[,;]|\band\b", before)[-1]
    own = find_lengths(" ".join(behind.split()[:1])) or find_lengths(tail)
    named |= _DISTANCE if _FROM.match(behind) else frozenset()
    return own | (named - _EXTENTS) if number and own & _EXTENTS else named


def limit_words(text: str) -> frozenset[str]:
    """Return the stems of a rule's words; "non welded" and "without a diffuser" are one each."""
    return stem_words(_prepare(text)) - STOP_WORDS


def _stem_pairs(text: str) -> frozenset[tuple[str, ...]]:
    """Return the stems of words that stand side by side in a text, as "brake" and "light"."""
    return frozenset(
        (*stem_words(one), *stem_words(other))
        for part in re.split(r"[^\w\s-]", _POSSESSIVE.sub("", fold_accents(text)))
        for one, other in pairwise(re.findall(r"[^\W\d_]+", part))
        if not STOP_WORDS & {one, other}
    )


def _prepare(text: str) -> str:
    return _NEGATED.sub(r"not\1", _BOUNDS.sub(_keep_length, _SUBSCRIPT.sub("", text)))


def _keep_length(bound: re.Match[str]) -> str:
    words = (word for word in bound[0].casefold().split() if find_lengths(word))
    return f" {' '.join(words)} "
