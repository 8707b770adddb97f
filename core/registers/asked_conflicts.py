"""Rules of documents in layers that answer one question otherwise, in whatever words.

`core.registers.overrides` compares sentences that share most of their words. A question says itself
what thing is meant: the sentences of two documents that hold most of its words may be on that one
thing. These words prove nothing, so a rule is never overridden by them.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import combinations, product
from math import log
from typing import Literal, Protocol

from core.grammar import Amount, ReadPassage, Sentence, find_cues, stem_words
from core.library import (
    MIN_COVERAGE,
    MIN_SAME,
    Document,
    Layer,
    Layers,
    Library,
    content_words,
    synonyms_of,
)
from core.registers.document_sentences import SENTENCES
from core.registers.overrides import (
    LayerNote,
    LayerNotes,
    Said,
    compare_layers,
    find_conflict,
    has_opposites,
    list_names,
    meet,
)

_WORDS_OF_GRAMMAR = (
    *("barrier", "determiner", "existing", "of", "pronoun", "copula", "weak_negation"),
    *("at_least", "at_most", "more", "less", "minimum", "maximum", "before", "after", "between"),
    "multiplied",
)
"""Cues that are in questions on anything."""
_LEAST_SHARED = 2
"""Words of a question that both sentences hold: with one alone, anything may be meant."""


class _Question(Protocol):
    """A parsed question: its `kinds` of amount, or what is `counted`, if it asks for one."""

    @property
    def text(self) -> str: ...
    @property
    def kinds(self) -> frozenset[str]: ...
    @property
    def counted(self) -> frozenset[str]: ...
    @property
    def asks_for_thing(self) -> bool: ...
    def asks_for(self, amount: Amount, /) -> bool: ...


def list_layer_notes(
    library: Library,
    chosen_ids: Collection[str] = (),
    day: str | None = None,
    *,
    has_own: bool = False,
    question: _Question | None = None,
) -> LayerNotes:
    """Return what the layers of a library mean for each other's rules, as `Layers` orders them.

    With `has_own` the words that a rule quotes to take them away are overridden by itself. With a
    question also where the chosen documents and others answer it otherwise: only the passages of a
    document that hold most of the question are compared. Raises LibraryError as `Library.clauses`.
    """
    layers = Layers(library.documents(), day, chosen_ids).in_force
    if not layers:
        return {}
    today = date.today().isoformat()
    notes = compare_layers(library, library.state, layers, day or today, has_own)
    if question is None:
        return notes
    found = defaultdict(list, {key: [*known] for key, known in notes.items()})
    for layer in layers:
        ids = {layer.above.document_id, layer.below.document_id}
        if layer.said.kind not in ("interprets", "replaces") and not ids.isdisjoint(chosen_ids):
            for clause_id, note in _compare_answers(library, layer, notes, question):
                found[clause_id].append(note)
    return {clause_id: tuple(known) for clause_id, known in found.items()}


def _read_words(question: str) -> Mapping[str, str]:
    """Return the words that say what thing is meant, without those of grammar: "en", "up to"."""
    rest = list(question)
    for cue in find_cues(question, *_WORDS_OF_GRAMMAR):
        rest[cue.start : cue.end] = " " * (cue.end - cue.start)
    return content_words("".join(rest))


def _cut_to_answer(question: _Question, sentence: Sentence) -> Sentence | None:
    """Return a sentence with what may answer a question alone; None where an amount is missing.

    What asks for a thing is answered by no duty: "must be dry" and "must not be wet" agree.
    """
    amounts = tuple(filter(question.asks_for, sentence.amounts))
    asks_amount = bool(question.kinds or question.counted)
    if asks_amount and not amounts:
        return None
    answer = replace(sentence, amounts=amounts)
    if asks_amount or question.asks_for_thing:
        return replace(answer, duties=(), led_duty=None)
    return answer


def _compare_answers(
    library: Library, layer: Layer, notes: LayerNotes, question: _Question
) -> Iterator[tuple[str, LayerNote]]:
    """Yield notes on the answers of two documents that differ, with the ids of their clauses."""
    names = stem_words(f"{layer.above.citation_label} {layer.below.citation_label}")
    words = {stem: word for stem, word in _read_words(question.text).items() if stem not in names}
    sides = [_index_passages(library, one) for one in (layer.below, layer.above)]
    weights = _weigh_words(words, sides)
    words = {stem: word for stem, word in words.items() if stem in weights}

    def weigh(stems: frozenset[str]) -> float:
        return sum(weights[stem] for stem in stems)

    answers = [one.group_answers(words, question) for one in sides]
    met = {
        (held, other): weigh(held & other)
        for held, other in product(*answers)
        if _are_on_one(held, other, words, weigh)
    }
    nearest = _list_nearest(answers, met)
    if any(_find_conflict(*pair) for own in nearest for pair in combinations(own, 2)):
        return  # it is unclear which answer of one document is meant
    for under, over in product(*nearest):
        if _is_noted(under, notes, over) or _is_noted(over, notes, under):
            continue
        is_apart = under.is_apart_from(over) or _is_set_apart(under.subject, over.subject)
        if not is_apart and (conflict := _find_conflict(under, over)):
            yield from meet(layer, under, over, conflict, "unclear").list_notes(layer)


def _is_noted(answer: Said, notes: LayerNotes, other: Said) -> bool:
    """True of an answer that is overridden, or known to meet the other one."""
    return any(
        note.clause_id == other.clause.clause_id
        or (note.kind == "overridden" and note.is_about(answer.words))
        for note in notes.get(answer.clause.clause_id, ())
    )


def _weigh_words(words: Mapping[str, str], sides: Sequence["_PassageIndex"]) -> dict[str, float]:
    """Return how much each word that passages hold tells, by stem: more where fewer hold it."""
    counts = {stem: sum(len(one.find(stem, word)) for one in sides) for stem, word in words.items()}
    count = sum(len(one.passages) for one in sides)
    return {stem: log(1 + count / number) for stem, number in counts.items() if number}


def _list_nearest(
    answers: Sequence[Mapping[frozenset[str], Sequence[Said]]],
    met: Mapping[tuple[frozenset[str], frozenset[str]], float],
) -> list[list[Said]]:
    """Return the answers of each document in the pairs that share most of a question."""
    most = max(met.values(), default=0.0)
    pairs = [pair for pair, weight in met.items() if weight == most]
    return [
        [one for held in {pair[side] for pair in pairs} for one in own[held]]
        for side, own in enumerate(answers)
    ]


def _are_on_one(
    held: frozenset[str],
    other: frozenset[str],
    words: Mapping[str, str],
    weigh: Callable[[frozenset[str]], float],
) -> bool:
    """True of words held by two sentences that are most of a question's, and of one of both."""
    shared = held & other
    return (
        len({words[stem] for stem in shared}) >= _LEAST_SHARED
        and weigh(shared) >= MIN_COVERAGE * weigh(frozenset(words))
        and weigh(shared) >= MIN_SAME * min(weigh(held), weigh(other))
    )


def _find_conflict(under: Said, over: Said) -> Literal["contradicts", "stricter"] | None:
    """Return how an answer differs from one below; an amount that both name is no difference."""

    def name(one: Amount) -> tuple[object, ...]:
        return one.kind, one.key, one.upper, one.name  # a date has no value

    both = {*map(name, under.sentence.amounts)} & {*map(name, over.sentence.amounts)}
    own, other = (
        replace(one, amounts=tuple(each for each in one.amounts if name(each) not in both))
        for one in (under.sentence, over.sentence)
    )
    return find_conflict(own, other)


def _is_set_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """True of subjects that are on different ones of several like things."""
    names, others = list_names(one), list_names(other)
    return has_opposites(one, other) or bool(names - others and others - names)


class _PassageIndex:
    """The passages of a document with an amount or a duty, found by their words."""

    def __init__(self, passages: Sequence[tuple[Said, ReadPassage]]) -> None:
        self.passages = [said for said, _ in passages]
        self._places: dict[str, set[int]] = defaultdict(set)
        for place, (said, read) in enumerate(passages):
            one = read.passage
            words = (said.clause.title, one.lead, one.column, one.label, one.text)
            for stem in stem_words(" ".join(words)):
                self._places[stem].add(place)

    def find(self, stem: str, word: str) -> set[int]:
        """Return the places of the passages with a word, or with one that means the same."""
        same = [[stem], *map(stem_words, synonyms_of(word))]
        return set[int]().union(
            *(
                set.intersection(*(self._places.get(one, set()) for one in stems))
                for stems in same
                if stems
            )
        )

    def group_answers(
        self, words: Mapping[str, str], question: _Question
    ) -> dict[frozenset[str], list[Said]]:
        """Return the passages that may answer the question by the words that they hold."""
        held: dict[int, set[str]] = defaultdict(set)
        for stem, word in words.items():
            for place in self.find(stem, word):
                held[place].add(stem)
        found: dict[frozenset[str], list[Said]] = defaultdict(list)
        for place, stems in held.items():
            said = self.passages[place]
            if sentence := _cut_to_answer(question, said.sentence):
                found[frozenset(stems)].append(replace(said, sentence=sentence))
        return found


@lru_cache(maxsize=32)
def _index_passages(library: Library, document: Document) -> _PassageIndex:
    """Index a document once while its row stays the same."""
    kept = SENTENCES.obtain(library, document)
    return _PassageIndex(
        [
            (Said.read(clause, read), read)
            for clause in library.clauses(document.document_id)
            if clause.status == "in_force"
            for read in kept.find_passages(clause.clause_id)
            if read.sentence.amounts or read.sentence.main_duties
        ]
    )
