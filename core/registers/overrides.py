"""Which rules a layer above overrides, adds to or contradicts: decided here, and asked everywhere.

A rule is overridden where another layer changes its article by number, or says otherwise of the
same thing, and that layer prevails (`Layer.prevails`). Where nothing says which prevails, the
contradiction is unsettled. `core.library.layers` decides what lies above what.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain, permutations
from math import ceil
from typing import Literal

from core.grammar import (
    UNITS,
    Amount,
    ChangeReader,
    ReadPassage,
    Sentence,
    alphanumeric_only,
    article_label,
    find_cues,
    list_cues,
    list_kinds,
    list_words,
    read_sentence,
    stem_content_words,
    stem_words,
)
from core.library import (
    MIN_SAME,
    Document,
    Layer,
    Library,
    Relation,
    article_steps,
    content_words,
    held_stems,
    is_at_or_below,
    synonyms_of,
)
from core.registers.document_sentences import SENTENCES
from core.rulebook import Clause, find_dates

MAX_NAMED = 5
"""Rules that a rule above is shown with: of a whole chapter that it changes it names none."""
_SAID_OF_THINGS = stem_words(" ".join(list_cues("modal"))) | stem_words(
    " ".join(
        one.removesuffix(r"\w*")
        for one in list_cues("minimum", "maximum", "exactly", "more", "less")
        if one.endswith(r"\w*") or one in list_cues("minimum", "maximum", "exactly")
    )
)
"""Stems of words of duty, and of those that compare amounts."""
_OPPOSITES = tuple(tuple(one.split("/")) for one in list_words("opposite", "contrary"))
_WHICH = frozenset(chain(list_cues("ordinal"), *_OPPOSITES))
"""Words for one of several like things, which count as they are written."""
_BEGINS = re.compile(rf"(?i)\b(?:{'|'.join(list_words('beginning_change'))})\s(.{{,24}})")
_NEW_WORDS = re.compile(r"[:“„«\"]")
"""What is before the words that a change brings in."""
_VERB = list_cues("modal", "auxiliary").pattern
_CHAPTER_NUMBER = re.compile(r"^(?:[A-Z]{0,3}[\s.]?\d[\d.]*|[A-Z]{1,3}(?=\s))\W*")
_ITEM = re.compile(r"^\s*\(?\w{1,3}[.)]\s+")
_MARK = re.compile(r"(?<![\w.'’])(?:\d+(?:\.\d+)*|[B-Z]|[b-z]|(?<=\w\s)A)(?![\w'’)])")
"""Numbers and letters that name one of several like things: "class B"."""
_SPELLINGS = dict(one.split("/") for one in list_words("spellings"))
_SPELLED = re.compile(
    rf"(?:(?<=\w\w)|\b)({'|'.join(_SPELLINGS)})(?=(?:s|d|r|rs|ed|ing)?\b)", re.IGNORECASE
)
_PER = "|".join(list_words("for_each"))
_EACH = re.compile(rf"(?i)\s*(?:(?:[^\W\d_]+\s+){{0,3}}?(?:{_PER})\s|/|an?\s)\s*([^\W\d_]+)")
"""What an amount is counted over: "4 litres of fuel per day"."""
_EACH_OF_UNIT = re.compile(rf"(?i)(?:/|\s(?:{_PER}|an?)\s)\s*([^\W\d_]+)$")
_LONGEST_RATE = 3600
"""Seconds of the longest time that a rate is measured by: over a day things are counted."""
_TOLD_KINDS = ("amount", "date", "tolerance")
_SIDES = {"at least": 1, "more than": 1, "at most": -1, "less than": -1}
_OPPOSED = ({"must", "must not"}, {"may", "must not"}, {"must", "need not"})
_NOTES_OF_CHANGES: Mapping[str, "LayerKind"] = {
    "changed": "overridden",
    "unclear": "unclear",
    "cited": "unclear",
    "limited": "supplemented",
    "supplemented": "supplemented",
}
_CAUTIONS = {
    "overridden": "overridden by {}",
    "overrides": "in place of {}",
    "supplemented": "{} adds to it or makes exceptions",
    "unsettled": "{} says otherwise, and nothing says which prevails",
    "unclear": "{} may change it",
}
LayerKind = Literal["overridden", "overrides", "supplemented", "unsettled", "unclear"]


@dataclass(frozen=True, slots=True)
class LayerNote:
    """What a rule of another layer means for a rule; `clause_id` to `document` are the other's.

    The rule is overridden by the other one, or overrides it; the other adds to it; both contradict
    each other, and nothing says which prevails; or the other names it, and it is unclear what that
    changes. `said` is what was said of both documents. `words` are the sentences of the rule that
    it is about, empty for all of them; `sentence` is the other one's, empty where none is known.
    """

    kind: LayerKind
    clause_id: str
    article: str
    document_id: str
    document: str
    said: Relation
    words: tuple[str, ...] = ()
    sentence: str = ""
    amended: str = ""
    """The sentence as it reads with quoted words put in place of others; empty without any."""

    @property
    def place(self) -> str:
        """Where the other rule stands: "Article H 2.1, 2025 Handbook"."""
        return f"{article_label(self.article)}, {self.document}"

    @staticmethod
    def find_lifted(texts: Mapping[str, str], notes: "LayerNotes") -> set[str]:
        """Return the clauses that only permit and are deleted, with those that only delete them.

        What such a clause made an exception from answers in its place. `texts` are by clause id.
        """
        return {
            clause_id
            for permission, text in texts.items()
            for note in notes.get(permission, ())
            if note.kind == "overridden" and not note.words
            if _list_said_modalities(text) == {"may"}
            if not _brings_in(texts.get(note.clause_id, ":"))
            for clause_id in (permission, note.clause_id)
        }

    @property
    def caution(self) -> str:
        """What to know of the rule because of the other one."""
        return _CAUTIONS[self.kind].format(self.place)

    @property
    def is_against(self) -> bool:
        """True where the rule alone is not the law, or not for sure."""
        return self.kind in ("overridden", "unsettled", "unclear")

    @property
    def wording(self) -> str:
        """The other one's sentence, empty where it only names in brackets what it changes."""
        before_bracket, opening, _ = self.sentence.rpartition("(")
        is_bracketed = bool(opening) and self.sentence.rstrip(" .").endswith(")")
        said = read_sentence(self.sentence)
        is_rule = any(one.unit for one in said.amounts) or _VERB.search(before_bracket)
        return self.sentence if is_rule or not is_bracketed else ""

    def is_about(self, quote: str) -> bool:
        """True of a quote with words that it is about."""
        own = alphanumeric_only(quote)
        return not self.words or any(
            words in own or own in words for words in map(alphanumeric_only, self.words)
        )

    def list_values(self) -> list[Decimal]:
        """Return the amounts in the words that it is about."""
        return [one.value for words in self.words for one in read_sentence(words).amounts]

    def covers(self, rule: str) -> bool:
        """True where it is about all the words of a rule."""
        own = alphanumeric_only(rule)
        return not self.words or any(own in alphanumeric_only(words) for words in self.words)

    def leads(self, question: str, quote: str) -> bool:
        """True where the other rule answers before this one, of which `quote` is shown.

        It does where it overrides the rule, and where its sentence is on the class that is asked
        for, or has words of the question that the quote lacks. Of a rule that it may change, it
        also does where both have the same words of the question.
        """
        if self.kind not in ("unclear", "supplemented"):
            return self.kind == "overridden"
        words = content_words(question)
        own, others = ({*held_stems(words, one)} for one in (self.sentence, quote))
        is_on_class = not list_kinds(question).isdisjoint(list_kinds(self.sentence))
        return is_on_class or bool(own - others) or (self.kind == "unclear" and own == others)


def find_prevailing(
    notes: Iterable[LayerNote], quote: str, value: Decimal | None = None
) -> LayerNote | None:
    """Return the note by which a quoted sentence, or its amount, is not the law, or not for sure.

    Of several that is what overrides it. A note on words of the sentence is on the amounts in these
    words alone. What only adds to a rule is not beside its amounts, unless it is on its words.
    """
    found = [
        note
        for note in notes
        if note.is_about(quote)
        if note.is_against or (value is not None and note.kind == "supplemented" and note.words)
        if value is None or value in (note.list_values() or (value,))
    ]
    return min(found, key=lambda one: one.kind != "overridden", default=None)


LayerNotes = Mapping[str, tuple[LayerNote, ...]]
"""The notes on rules, by clause id."""


def _brings_in(text: str) -> bool:
    """True of a change with words of its own: a duty, an amount, or what it quotes."""
    has_amount = any(one.unit for one in read_sentence(text).amounts)
    return has_amount or bool(_list_said_modalities(text) or _NEW_WORDS.search(text))


def _list_said_modalities(text: str) -> set[str]:
    """Return the modalities that words of duty in a text say."""
    return {one.modality for one in read_sentence(text).duties if one.is_main and one.end}


@lru_cache(maxsize=16)
def compare_layers(
    library: Library, _state: str, layers: tuple[Layer, ...], day: str, has_own: bool
) -> LayerNotes:
    """Compare documents once for each state of the library, set of layers and day.

    With `has_own` the words that a rule quotes to take them away are overridden by itself.
    """
    found: dict[str, dict[LayerNote, None]] = defaultdict(dict)
    for layer in layers:
        others = dict.fromkeys(
            one.below
            for one in layers
            if one.above == layer.above and one.below.family != layer.below.family
        )
        for one in _compare_layer(library, layer, (*others,)):
            if (one.from_day or "") <= day and (has_own or one.under != one.over):
                for clause_id, note in one.list_notes(layer):
                    found[clause_id][note] = None
    return {clause_id: tuple(notes) for clause_id, notes in found.items()}


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two rules on one thing, of which `over` prevails where `kind` is "overridden"."""

    kind: LayerKind
    under: Clause
    over: Clause
    words: tuple[str, ...] = ()
    over_words: tuple[str, ...] = ()
    is_one_of_few: bool = True
    """False where so many rules are under one that it does not name them."""
    sentence: str = ""
    """The sentence of the rule above that names the other, if it does."""
    amended: str = ""
    """The sentence of the rule below as the one above has it read."""
    from_day: str | None = None
    """The ISO date from which on the rule above holds, if it says one itself."""

    def list_notes(self, layer: Layer) -> Iterator[tuple[str, LayerNote]]:
        """Yield the notes on the rules, each with the id of its clause."""
        said = "".join(self.over_words[:1]) or self.sentence
        sides = [(self.kind, self.under, self.over, self.words, said)]
        is_named = self.is_one_of_few and bool(self.under.text) and self.under != self.over
        if self.kind == "unsettled" or (self.kind == "overridden" and is_named):
            kind: LayerKind = "unsettled" if self.kind == "unsettled" else "overrides"
            sides += [(kind, self.over, self.under, self.over_words, "".join(self.words[:1]))]
        labels = {one.document_id: one.citation_label for one in (layer.above, layer.below)}
        for side, clause, other, words, sentence in sides:
            place = other.clause_id, other.article, other.document_id, labels[other.document_id]
            yield (
                clause.clause_id,
                LayerNote(side, *place, layer.said, words, sentence, self.amended),
            )


def _full(clause: Clause) -> str:
    return f"{clause.title} {clause.text}"


@lru_cache(maxsize=256)
def _compare_layer(
    library: Library, layer: Layer, others: tuple[Document, ...]
) -> tuple[Meeting, ...]:
    """Compare two documents, once while their rows stay the same.

    `others` are further documents below the one above.
    """
    found = _find_meetings(library, layer, others)
    return tuple(_leave_out_taken(library, layer, found))


def _leave_out_taken(library: Library, layer: Layer, found: Iterable[Meeting]) -> Iterator[Meeting]:
    """Yield what an amendment of an earlier issue changed where the later one still says it.

    Where that says otherwise, it may have taken the change in.
    """
    if layer.said.kind != "amends" or layer.said_of == layer.below:
        yield from found
        return
    former = {
        article_steps(one.article): _squeeze(_full(one))
        for one in library.clauses(layer.said_of.document_id)
    }
    for one in found:
        before = former.get(article_steps(one.under.article), "")
        is_above = one.under.document_id != layer.below.document_id
        words = one.words or (_full(one.under),)
        if is_above or all(_squeeze(each) in before for each in words):
            yield one


def _find_meetings(
    library: Library, layer: Layer, others: tuple[Document, ...]
) -> Iterator[Meeting]:
    if layer.said.kind == "interprets":
        return
    above, below = (
        [one for one in library.clauses(document.document_id) if one.status == "in_force"]
        for document in (layer.above, layer.below)
    )
    if layer.said.kind == "replaces":
        for first in [one for one in above if one.clause_id == layer.said.clause_id] or above[:1]:
            yield from (Meeting("overridden", one, first, is_one_of_few=False) for one in below)
        return
    names, has_things = zip(
        *(_describe(library, one) for one in (layer.below, layer.above, *others)), strict=True
    )
    reader = ChangeReader(
        has_things[0],
        names[0],
        names[1],
        has_things[1],
        tuple(zip(names[2:], has_things[2:], strict=True)),
        nouns=ChangeReader.find_nouns((one.text for one in (*above, *below)), has_things[0]),
    )
    changed = [*_find_changed(layer, above, below, reader)]
    yield from changed
    known = {(one.under.clause_id, one.over.clause_id) for one in changed}
    for meeting in _find_differing(library, layer, above, below):
        if known.isdisjoint(permutations((meeting.under.clause_id, meeting.over.clause_id))):
            yield meeting


def _describe(library: Library, document: Document) -> tuple[str, Callable[[str], bool]]:
    """Return the names of a document, and what tells which articles it has in force."""
    clauses = [one for one in library.clauses(document.document_id) if one.status == "in_force"]
    label = f"{document.label} {document.rulebook}"
    return ChangeReader.name_document(label, [one.text for one in clauses]), _Things(clauses).has


class _Things:
    """The articles of a document, and the tables and other things with captions in them."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._clauses = clauses
        steps = [article_steps(one.article) for one in clauses]
        self._numbers = {*steps, *(one[:1] for one in steps if not one[0].isdigit())}
        self._captions: dict[str, list[Clause]] = defaultdict(list)
        for clause in clauses:
            for caption in ChangeReader.find_captions(clause.text):
                self._captions[caption].append(clause)
            letters = re.match(r"[A-Z]{1,3}(?=[\s.]?\d)", clause.article)
            titles = (_CHAPTER_NUMBER.sub("", one).casefold() for one in clause.breadcrumb)
            for name in (*([letters[0]] if letters else []), *titles):
                self._captions[f"Chapter {name}"].append(clause)

    def has(self, name: str) -> bool:
        """True of an article by its number, and of what has its caption in one by its name."""
        return article_steps(name) in self._numbers or name in self._captions

    def find(self, name: str, last: str | None, has_following: bool) -> list[Clause]:
        """Return the clauses of what is named, with those below it, or of a range of articles."""
        if name in self._captions:
            return self._captions[name]
        first = self._list_places(name)
        end = self._list_places(last) if last else []
        if has_following:
            parent = article_steps(name)[:-1]
            end = [
                place
                for place, one in enumerate(self._clauses)
                if place >= first[0] and article_steps(one.article)[: len(parent)] == parent
            ]
        if end:
            return [*self._clauses[min(first[0], end[0]) : max(first[-1], end[-1]) + 1]]
        return [self._clauses[place] for place in first]

    def _list_places(self, article: str) -> list[int]:
        heading = f"{article.casefold()} "
        return [
            place
            for place, one in enumerate(self._clauses)
            if is_at_or_below(one.article, article)
            or any(f"{above.casefold()} ".startswith(heading) for above in one.breadcrumb)
        ]


def _find_changed(
    layer: Layer, above: Sequence[Clause], below: Sequence[Clause], reader: ChangeReader
) -> Iterator[Meeting]:
    """Yield what is changed, added to or named by its number; with an article all below it.

    What names the article that it changes prevails, unless it is said that the rules below do.
    """
    things = _Things(below)
    kept = {_squeeze(_full(one)) for one in below}
    for clause in (one for one in above if _squeeze(_full(one)) not in kept):
        heading = " ".join(clause.breadcrumb[-1:])
        met: list[Meeting] = []
        for change in reader.find_changes(clause.title, clause.text, heading=heading):
            meant = things.find(change.article, change.last, change.has_following)
            own = {
                place: f"{_full(one)} {one.breadcrumb}"
                for place, one in enumerate(meant)
                if article_steps(one.article) == article_steps(change.article)
            }
            change, held = change.settle([one.text for one in meant], own)
            kind = _NOTES_OF_CHANGES[change.kind]
            if change.kind == "changed" and (layer.prevails is False or layer.is_unsure):
                kind = "unsettled"
            found = [
                Meeting(
                    kind,
                    meant[place],
                    clause,
                    words,
                    is_one_of_few=sum(bool(one.text) for one in meant) <= MAX_NAMED,
                    sentence=change.sentence,
                    amended=change.amend(meant[place].text),
                    from_day=_find_first_day(change.sentence),
                )
                for place, words in held.items()
            ]
            met += found
            if change.quoted and kind == "overridden":  # they are no rule of the one above
                met += [replace(one, under=clause) for one in found]
        yield from _leave_out_repeated(met)


def _leave_out_repeated(met: Sequence[Meeting]) -> Iterator[Meeting]:
    """Yield meetings without those on words of a rule of which another is on all."""
    whole = {(one.under.clause_id, one.kind) for one in met if not one.words}
    for one in met:
        is_gone = (one.under.clause_id, "overridden") in whole and one.kind != "overridden"
        if not is_gone and not (one.words and (one.under.clause_id, one.kind) in whole):
            yield one


def _find_first_day(sentence: str) -> str | None:
    """Return the ISO date from which on a change holds, if it is said before the new words."""
    said = _BEGINS.search(re.split(r"[:“„«\"]", sentence)[0])
    return next(iter(find_dates(said[1])), None) if said else None


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a clause, with the stems, numbers and letters that say what it is on."""

    clause: Clause
    words: str
    sentence: Sentence
    subject: frozenset[str]

    @classmethod
    def read(cls, clause: Clause, one: ReadPassage) -> "Said":
        """Return the sentence of a passage of a clause."""
        return cls(clause, one.passage.quote, one.sentence, _read_subject(clause, one.sentence))

    def has_word_apart_from(self, other: "Said") -> bool:
        """True with a word that the other is not on; names with a capital are none."""
        words = " ".join(re.findall(r"(?<![\w/.-])[^\W\d_]{3,}(?![\w/-])", self.sentence.text))
        plain = _stem_subject(" ".join(one for one in words.split() if one.islower()))
        return not other.subject.issuperset(plain)

    @property
    def key(self) -> tuple[frozenset[str], str]:
        """What a sentence that stands unchanged in another document shares."""
        return self.subject, _squeeze(self.words)

    def is_apart_from(self, other: "Said") -> bool:
        """True where both differ by the word alone that they begin with: "Entries close ..."."""
        own, others = self.subject - other.subject, other.subject - self.subject
        first, theirs = (frozenset(_stem_subject(one.words)[:1]) for one in (self, other))
        same = {stem for one in own for word in synonyms_of(one) for stem in stem_words(word)}
        return bool(own) and (own, others) == (first, theirs) and same.isdisjoint(others)

    def is_named_as(self, other: "Said") -> bool:
        """True where the articles of both have one number or one title."""
        title = self.clause.title.casefold()
        is_titled = bool(title) and title == other.clause.title.casefold()
        return is_titled or article_steps(self.clause.article) == article_steps(
            other.clause.article
        )


def _find_differing(
    library: Library, layer: Layer, above: Sequence[Clause], below: Sequence[Clause]
) -> Iterator[Meeting]:
    """Yield rules of both documents that say otherwise of one thing, with their sentences.

    A sentence that stands in both documents contradicts nothing: it is confirmed.
    """
    lower = _list_said(library, layer.below, below)
    upper = _list_said(library, layer.above, above)
    kept = {one.key for one in lower} & {one.key for one in upper}
    index = _SubjectIndex([one for one in lower if one.key not in kept])
    unclear = {*_list_unclear(lower), *_list_unclear(upper)}
    for over in (one for one in upper if one.key not in kept):
        alike = index.find_alike(over)
        is_same = any(one.subject == over.subject for one in alike)
        is_sure = is_same and over.subject not in unclear
        for under, conflict in _list_conflicts(alike, over, is_same):
            if under.is_named_as(over) or (is_sure and len(over.subject) > 1):
                yield meet(layer, under, over, conflict, "overridden" if is_sure else "unsettled")


def _list_conflicts(
    alike: Sequence[Said], over: Said, is_same: bool
) -> list[tuple[Said, "_Conflict"]]:
    """Return the sentences that one contradicts; of sentences that are only like it none where one
    of them is what it was, and those alone that it has in other words, if it has any so.
    """
    found = [(one, _find_conflict(one, over)) for one in alike if not one.is_apart_from(over)]
    kinds = {kind for _, kind in found}
    if not is_same and None in kinds:
        return []
    only_reworded = not is_same and "reworded" in kinds
    return [
        (one, kind) for one, kind in found if kind and (kind == "reworded" or not only_reworded)
    ]


def meet(
    layer: Layer, under: "Said", over: "Said", conflict: "_Conflict", kind: LayerKind
) -> Meeting:
    """Return how two sentences meet; `kind` is what the rule becomes that does not prevail."""
    if conflict == "reworded":
        kind = "unclear"
    elif conflict == "stricter" and layer.prevails is not True and not layer.is_unsure:
        kind = "supplemented"  # both can be followed
    elif layer.prevails is None:
        kind = "unsettled"
    elif kind != "unsettled" and not layer.prevails:
        under, over = over, under
    return Meeting(kind, under.clause, over.clause, (under.words,), (over.words,))


def _list_said(library: Library, document: Document, clauses: Iterable[Clause]) -> list[Said]:
    kept = SENTENCES.obtain(library, document)
    return [
        Said.read(clause, one)
        for clause in clauses
        if not clause.is_preamble
        for one in kept.find_passages(clause.clause_id)
        if not one.passage.quote.startswith("|") or one.sentence.amounts
    ]


def _stem_subject(text: str) -> list[str]:
    """Return the stems of what a text is on, however its words are spelled: "colour", "color"."""
    spelled = _SPELLED.sub(lambda one: _SPELLINGS[one[1].casefold()], text)
    return [stem for stem in stem_content_words(spelled) if stem not in _SAID_OF_THINGS]


def _read_subject(clause: Clause, sentence: Sentence) -> frozenset[str]:
    """Return the stems, numbers and letters that say what a sentence is on, with its title's.

    Its amounts, the words that compare them, and those of duty say what is ruled on it.
    """
    rest = list(sentence.text)
    told = [(one.start, one.end) for one in sentence.main_duties if one in sentence.duties]
    told += [(one.start, one.end) for one in sentence.amounts if _is_told(one, sentence)]
    for start, end in told:
        rest[start:end] = " " * (end - start)
    text = " ".join((clause.title, sentence.lead, _ITEM.sub("", "".join(rest))))
    stems = {stem for stem in _stem_subject(text) if len(stem) > 1}
    which = {one for one in re.findall(r"[^\W\d_]+", text.casefold()) if one in _WHICH}
    return frozenset(stems | which | {*_MARK.findall(text)})


def _is_told(amount: Amount, sentence: Sentence) -> bool:
    """True of an amount that is ruled, not of a number that names a thing: "crew 1 must"."""
    if amount.kind != "amount" or amount.unit or amount.relation not in (None, "equal"):
        return amount.kind in _TOLD_KINDS
    counted = re.match(r"\W*([^\W\d_]+)", sentence.text[amount.end :])
    stems = stem_content_words(counted[1]).keys() - _SAID_OF_THINGS if counted else set()
    return bool(stems) or amount.upper is not None


class _SubjectIndex:
    """Sentences, found by what they are on."""

    def __init__(self, said: Sequence[Said]) -> None:
        self._said = said
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(said):
            for stem in one.subject:
                self._places[stem].append(place)

    def find_alike(self, other: Said) -> list[Said]:
        """Return the sentences on the same, else those that share most words.

        They share `MIN_SAME` of them at least, and no word excludes one of the other's. Each shares
        one of the rarest, as many as may be missing and one more: only these are looked up.
        """
        rarest = sorted(other.subject, key=lambda stem: len(self._places.get(stem, ())))
        missing = len(rarest) - ceil(MIN_SAME * len(rarest))
        places = {place for stem in rarest[: missing + 1] for place in self._places.get(stem, ())}
        found = (self._said[place] for place in sorted(places))
        near = [one for one in found if _is_near(one.subject, other.subject)]
        shares = [
            len(one.subject & other.subject) / len(one.subject | other.subject) for one in near
        ]
        return [one for one, share in zip(near, shares, strict=True) if share == max(shares)]


def _is_near(one: frozenset[str], other: frozenset[str]) -> bool:
    is_alike = len(one & other) >= MIN_SAME * max(len(one), len(other))
    return is_alike and not has_opposites(one, other)


def has_opposites(one: frozenset[str], other: frozenset[str]) -> bool:
    """True of two subjects where a word that only one has excludes one that only the other has."""
    return any(
        (first in one - other and second in other - one)
        or (second in one - other and first in other - one)
        for first, second in _OPPOSITES
    )


def list_names(subject: frozenset[str]) -> set[str]:
    """Return the words of a subject that name one of several like things: "first", "2", "b"."""
    return {one for one in subject if one in _WHICH or len(one) == 1 or one[0].isdigit()}


def _list_unclear(said: Iterable[Said]) -> Iterator[frozenset[str]]:
    """Yield the words by which one document says several things: they do not tell what is meant."""
    groups: dict[frozenset[str], list[Said]] = defaultdict(list)
    for one in said:
        groups[one.subject].append(one)
    for subject, group in groups.items():
        first, *others = group
        if any(_find_conflict(first, one) for one in others):
            yield subject


_Conflict = Literal["contradicts", "stricter", "reworded"]


def _find_conflict(under: Said, over: Said) -> _Conflict | None:
    """Return how a sentence differs from one below on the same thing.

    It is reworded where only words differ, and each has some that the other lacks: "a rolling
    start", "a standing start".
    """
    if conflict := find_conflict(under.sentence, over.sentence):
        return conflict
    is_swapped = under.has_word_apart_from(over) and over.has_word_apart_from(under)
    return "reworded" if is_swapped else None


def find_conflict(under: Sentence, over: Sentence) -> Literal["contradicts", "stricter"] | None:
    """Return how the duties or amounts of a sentence differ from those of one below.

    It is stricter where whoever follows it follows the one below, too.
    """
    modalities, others = _list_modalities(under), _list_modalities(over)
    if modalities.isdisjoint(others) and any(
        {one, other} in _OPPOSED for one in modalities for other in others
    ):
        return "contradicts"
    found = {*_compare_bounds(_list_bounds(under), _list_bounds(over))}
    return "contradicts" if "contradicts" in found else "stricter" if found else None


def _list_modalities(sentence: Sentence) -> set[str]:
    return {
        "need not" if find_cues(sentence.text[one.start : one.end], "free") else one.modality
        for one in sentence.main_duties
    }


@dataclass(frozen=True, slots=True)
class _Bound:
    """An end of what is allowed: `side` is 1 for the least, -1 for the most, 0 for it alone."""

    measure: str
    side: int
    value: Decimal | str
    each: str = ""
    """What it is counted over, "day"; empty where nothing is named."""

    def is_comparable(self, other: "_Bound") -> bool:
        """True without arithmetic."""
        is_one = self.each == other.each or not (self.each and other.each)
        return self.measure == other.measure and is_one


def _list_bounds(sentence: Sentence) -> list[_Bound]:
    found: list[_Bound] = []
    for one in sentence.amounts:
        measure, value = one.key
        each = _find_each(one, sentence.text)
        if one.kind == "date":
            found.append(_Bound("date", 0, " ".join(re.findall(r"\w+", one.name.casefold()))))
        elif one.kind == "amount" and one.upper is not None:
            upper = value * one.upper / one.value if one.value else one.upper
            found += (_Bound(measure, 1, value, each), _Bound(measure, -1, upper, each))
        elif one.kind == "amount":
            is_end = one.role != "threshold"  # "above 20 knots" begins another case
            side = is_end * _SIDES.get(one.relation or "", 0)
            found.append(_Bound(measure, side, value, each))
    return found


def _find_each(amount: Amount, text: str) -> str:
    """Return what an amount is counted over, by stem; empty for units of rates: "km/h"."""
    if not (found := _EACH_OF_UNIT.search(amount.text) or _EACH.match(text, amount.end)):
        return ""
    kind, size = UNITS[found[1]] if found[1] in UNITS else ("", Decimal(0))
    return "" if kind == "time" and size <= _LONGEST_RATE else "".join(stem_words(found[1]))


def _compare_bounds(under: Sequence[_Bound], over: Sequence[_Bound]) -> Iterator[_Conflict]:
    """Yield how bounds differ, each compared with the one of its measure and side in its place."""
    lower = [*(Counter(under) - Counter(over)).elements()]
    upper = [*(Counter(over) - Counter(under)).elements()]
    for mine in lower:
        rivals = [one for one in upper if one.is_comparable(mine)]
        theirs = next((one for one in rivals if one.side == mine.side), None)
        theirs = theirs or next((one for one in rivals if 0 in (one.side, mine.side)), None)
        if theirs:
            upper.remove(theirs)
            yield "stricter" if _is_stricter(theirs, mine) else "contradicts"


def _is_stricter(over: _Bound, under: _Bound) -> bool:
    if isinstance(over.value, str) or isinstance(under.value, str):
        return False
    return bool(under.side) and (over.value - under.value) * under.side > 0


def _squeeze(text: str) -> str:
    """Return a text without spaces, in small letters. Its signs count: "1.6 m" is not "16 m"."""
    return "".join(text.split()).casefold()
