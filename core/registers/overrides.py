"""Which rules a layer above overrides, adds to or contradicts: decided here, and asked everywhere.

A rule is overridden where another layer changes its article by number, or says otherwise of the
same thing, and that layer prevails (`Layer.prevails`). Where nothing says which prevails, the
contradiction is unsettled. `core.library.layers` decides what lies above what.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from core.grammar import (
    Amount,
    Sentence,
    article_label,
    extract_part,
    find_article_changes,
    list_cues,
    read_sentence,
    stem_content_words,
    stem_words,
)
from core.library import (
    Document,
    Layer,
    Layers,
    Library,
    Relation,
    article_steps,
    is_at_or_below,
)
from core.registers.document_sentences import SENTENCES
from core.rulebook import Clause

MIN_SAME = 0.75
"""Share of each other's words from which two sentences are on one thing, as in drafts (`MIN_SAME`
of core.verification.comparison)."""
MIN_SAME_ARTICLE = 0.5
"""The same for two clauses with one number and title."""
MAX_NAMED = 5
"""Rules that a rule above is shown with: of a whole chapter that it changes it names none."""
_MIN_WORDS = 2
_MODALS = stem_words(" ".join(list_cues("modal")))
_SIDES = {"at least": 1, "more than": 1, "at most": -1, "less than": -1}
_OPPOSED = ({"must", "must not"}, {"may", "must not"})
_CAUTIONS = {
    "overridden": "overridden by {}",
    "overrides": "in place of {}",
    "supplemented": "{} adds to it",
    "unsettled": "{} says otherwise, and nothing says which prevails",
}
LayerKind = Literal["overridden", "overrides", "supplemented", "unsettled"]


@dataclass(frozen=True, slots=True)
class LayerNote:
    """What a rule of another layer means for a rule; `clause_id` to `document` are the other's.

    The rule is overridden by the other one, or overrides it; the other adds to it; or both
    contradict each other, and nothing says which prevails. `said` is what was said of both
    documents. `words` are the sentences of the rule that it is about; empty for all of them.
    """

    kind: LayerKind
    clause_id: str
    article: str
    document_id: str
    document: str
    said: Relation
    words: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where the other rule stands: "Article H 2.1, 2025 Handbook"."""
        return f"{article_label(self.article)}, {self.document}"

    @property
    def caution(self) -> str:
        """What to know of the rule because of the other one."""
        return _CAUTIONS[self.kind].format(self.place)

    def is_about(self, quote: str) -> bool:
        """True of a quote with words that it is about."""
        own = _squeeze(quote)
        return not self.words or any(
            words in own or own in words for words in map(_squeeze, self.words)
        )


def find_prevailing(notes: Iterable[LayerNote], quote: str, value: Decimal) -> LayerNote | None:
    """Return the note by which an amount of a quoted sentence is not the law, or not for sure.

    A note on words of the sentence is on the amounts in these words alone.
    """
    for note in notes:
        if note.kind in ("overridden", "unsettled") and note.is_about(quote):
            named = [one.value for words in note.words for one in read_sentence(words).amounts]
            if not named or value in named:
                return note
    return None


LayerNotes = Mapping[str, tuple[LayerNote, ...]]
"""The notes on rules, by clause id."""


def list_layer_notes(
    library: Library, chosen_ids: Collection[str] = (), day: str | None = None
) -> LayerNotes:
    """Return what the layers of a library mean for each other's rules, as `Layers` orders them.

    Raises LibraryError as `Library.clauses`.
    """
    layers = Layers(library.documents(), day, chosen_ids)
    return _collect_notes(library, library.state, layers.in_force) if layers.every else {}


@lru_cache(maxsize=16)
def _collect_notes(library: Library, _state: str, layers: tuple[Layer, ...]) -> LayerNotes:
    """Collect once for each state of the library and each set of layers."""
    found: dict[str, dict[LayerNote, None]] = defaultdict(dict)
    for layer in layers:
        labels = {one.document_id: one.citation_label for one in (layer.above, layer.below)}
        stands = _StillStands(library, layer)
        for one in filter(stands.allows, _compare_layer(library, layer)):
            for clause, kind, other, words in one.sides:
                note = LayerNote(
                    kind,
                    other.clause_id,
                    other.article,
                    other.document_id,
                    labels[other.document_id],
                    layer.said,
                    words,
                )
                found[clause.clause_id][note] = None
    return {clause_id: tuple(notes) for clause_id, notes in found.items()}


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Two rules on one thing, of which `over` prevails where `kind` is "overridden"."""

    kind: LayerKind
    under: Clause
    over: Clause
    words: tuple[str, ...] = ()
    over_words: tuple[str, ...] = ()
    is_one_of_few: bool = True
    """False where so many rules are under one that it does not name them."""

    @property
    def sides(self) -> Iterator[tuple[Clause, LayerKind, Clause, tuple[str, ...]]]:
        """Each rule that is to be noted, what it is, the other one, and its words."""
        yield self.under, self.kind, self.over, self.words
        if self.kind == "unsettled":
            yield self.over, "unsettled", self.under, self.over_words
        elif self.kind == "overridden" and self._is_named:
            yield self.over, "overrides", self.under, self.over_words

    @property
    def _is_named(self) -> bool:
        return self.is_one_of_few and bool(self.under.text) and self.under != self.over


class _StillStands:
    """Tells whether a later issue still says what an amendment of an earlier one changed.

    Where it says otherwise, it may have taken the change in.
    """

    def __init__(self, library: Library, layer: Layer) -> None:
        self._former: dict[tuple[str, ...], str] | None = None
        self._below_id = layer.below.document_id
        if layer.said.kind == "amends" and layer.said_of != layer.below:
            former = library.clauses(layer.said_of.document_id)
            self._former = {article_steps(one.article): _squeeze(_full(one)) for one in former}

    def allows(self, meeting: _Meeting) -> bool:
        """True unless it is on words below that the earlier issue did not have."""
        under = meeting.under
        if self._former is None or under.document_id != self._below_id:
            return True
        former = self._former.get(article_steps(under.article), "")
        words = meeting.words or (_full(under),)
        return all(_squeeze(one) in former for one in words)


def _full(clause: Clause) -> str:
    return f"{clause.title} {clause.text}"


def _compare_layer(library: Library, layer: Layer) -> Iterator[_Meeting]:
    if layer.said.kind == "interprets":
        return
    above, below = (
        [one for one in library.clauses(document.document_id) if one.status == "in_force"]
        for document in (layer.above, layer.below)
    )
    if layer.said.kind == "replaces":
        first = next((one for one in above if one.clause_id == layer.said.clause_id), above[0])
        yield from (_Meeting("overridden", one, first, is_one_of_few=False) for one in below)
        return
    changed = [*_find_changed(layer, above, below)]
    yield from changed
    known = {(one.under.clause_id, one.over.clause_id) for one in changed}
    for one, words, other, other_words in _find_differing(library, layer, above, below):
        if (one.clause_id, other.clause_id) in known:
            continue
        if layer.prevails is False:
            yield _Meeting("overridden", other, one, (other_words,), (words,))
        else:
            kind: LayerKind = "overridden" if layer.prevails else "unsettled"
            yield _Meeting(kind, one, other, (words,), (other_words,))


def _find_changed(
    layer: Layer, above: Iterable[Clause], below: Sequence[Clause]
) -> Iterator[_Meeting]:
    """Yield what is changed by the number of its article; with an article all below it.

    What names the article that it changes prevails, unless it is said that the rules below do.
    """
    keys = {article_steps(one.article) for one in below}
    for clause in above:
        texts = (clause.title, clause.text)
        for change in find_article_changes(texts, lambda number: article_steps(number) in keys):
            kind: LayerKind = "supplemented"
            if change.kind == "changed":
                is_sure = layer.prevails is not False and not layer.is_unsure
                kind = "overridden" if is_sure else "unsettled"
            meant = [one for one in below if is_at_or_below(one.article, change.article)]
            is_few = sum(bool(one.text) for one in meant) <= MAX_NAMED
            quoted = change.quoted if change.kind == "changed" else ()
            for one in meant:
                former = tuple(_find_quoted(one, quoted))
                if change.part and (item := extract_part(one.text, change.part)):
                    former = former or (item,)
                yield _Meeting(kind, one, clause, former, is_one_of_few=is_few)
                if quoted and former:  # the change quotes words that it takes away
                    yield _Meeting(kind, clause, clause, former)


def _find_quoted(clause: Clause, quoted: Iterable[str]) -> Iterator[str]:
    yield from (words for words in quoted if _squeeze(words) in _squeeze(clause.text))


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of a clause, with the stems that say what it is on."""

    clause: Clause
    words: str
    sentence: Sentence
    stems: frozenset[str]


def _find_differing(
    library: Library, layer: Layer, above: Sequence[Clause], below: Sequence[Clause]
) -> Iterator[tuple[Clause, str, Clause, str]]:
    """Yield clauses of both documents that say otherwise of one thing, with their sentences.

    The one of the document below comes first.
    """
    lower = _list_said(library, layer.below, below)
    by_stem: dict[str, list[int]] = defaultdict(list)
    for place, said in enumerate(lower):
        for stem in said.stems:
            by_stem[stem].append(place)
    for upper in _list_said(library, layer.above, above):
        counts = Counter(place for stem in upper.stems for place in by_stem.get(stem, ()))
        for place, shared in counts.items():
            one = lower[place]
            is_same = _has_same_name(one.clause, upper.clause)
            least = MIN_SAME_ARTICLE if is_same else MIN_SAME
            enough = shared >= least * max(len(one.stems), len(upper.stems))
            if enough and shared >= _MIN_WORDS and _contradicts(one.sentence, upper.sentence):
                yield one.clause, one.words, upper.clause, upper.words


def _has_same_name(one: Clause, other: Clause) -> bool:
    is_numbered = article_steps(one.article) == article_steps(other.article)
    return is_numbered and one.title.casefold() == other.title.casefold()


def _list_said(library: Library, document: Document, clauses: Iterable[Clause]) -> list[_Said]:
    kept = SENTENCES.obtain(library, document)
    return [
        _Said(clause, one.passage.quote, one.sentence, _stem_subject(clause, one.sentence))
        for clause in clauses
        for one in kept.find_passages(clause.clause_id)
        if one.sentence.amounts or one.sentence.main_duties
    ]


def _stem_subject(clause: Clause, sentence: Sentence) -> frozenset[str]:
    """Return the stems of the words that say what a sentence is on, with its title's."""
    rest = list(sentence.text)
    for one in sentence.amounts:
        rest[one.start : one.end] = " " * (one.end - one.start)
    stems = stem_content_words(f"{clause.title} {sentence.lead} {''.join(rest)}").keys()
    return frozenset(stem for stem in stems if stem.isalpha()) - _MODALS


def _contradicts(one: Sentence, other: Sentence) -> bool:
    """True of two sentences on one thing of which only one can be followed."""
    amounts = [
        (mine, theirs)
        for mine in _list_amounts(one)
        for theirs in _list_amounts(other)
        if mine.measure == theirs.measure and _is_same_side(mine, theirs)
    ]
    if amounts and all(mine.key != theirs.key for mine, theirs in amounts):
        return True
    duties = [{duty.modality for duty in said.main_duties} for said in (one, other)]
    return any({first, second} in _OPPOSED for first in duties[0] for second in duties[1])


def _list_amounts(sentence: Sentence) -> list[Amount]:
    return [one for one in sentence.amounts if one.kind == "amount"]


def _is_same_side(one: Amount, other: Amount) -> bool:
    sides = {_SIDES.get(relation or "", 0) for relation in (one.relation, other.relation)}
    return sides != {1, -1}


def _squeeze(text: str) -> str:
    return re.sub(r"\W+", "", text.casefold())
