"""What kind of answer a question asks for, and how near to it a passage of a rule is."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

from core.agent import Question
from core.grammar import (
    AMOUNTS,
    UNITS,
    Amount,
    ReadPassage,
    find_cues,
    find_sanctions,
    list_cues,
    list_words,
    read_sentence,
    stem_words,
)
from core.library import content_words, coverage, held_stems

_MEASURES = frozenset(measure for measure, _ in UNITS.values())
_HOW_MUCH = re.compile(r"(?i)\bhow much\b(?: (?P<what>\w+))?")
_DAYS, _TIMES = (
    frozenset(kind for one in AMOUNTS if one.name == name for kind in one.kinds)
    for name in ("date", "deadline")
)
_DAY, _TIME = ("|".join(list_words(name)) for name in ("asked_days", "asked_times"))
_ASKS_WHEN = re.compile(rf"(?i)(?:^|[.;:!?])\W*(?:\w+ )?(?:(?P<day>{_DAY})|{_TIME})\b(?![^?]*,)")
"""Such words as the first or second one of a sentence: not in "What happens when ...", nor in a
clause beside the question, as in "When wet, how wide ...?"."""
_ASKS = re.compile(rf"(?i)(?:^|[.;?!]\s+|\band\s+)(?:{list_cues('question').any})\b")
LIMIT_ROLES = ("limit", "sanction")
"""Of amounts that answer a question for one."""

Nearness = tuple[int, float]


@dataclass(frozen=True, slots=True)
class AskedAnswer:
    """What a question asks for: its words by stem, the kind and direction of an amount, a sanction.

    A value is given of `kinds` alone; `hinted` are others that may be meant. `sanctions` are the
    kinds that the question names. It may ask for `several` things: "What is it, and when is it
    paid?".
    """

    question: Question
    words: Mapping[str, str]
    extent: frozenset[str]
    """The stems of words for the length asked for: "tall", "height"."""
    brought: frozenset[object]
    """The keys of amounts that the question brings: "three days late"."""
    kinds: frozenset[str]
    hinted: frozenset[str]
    counts: bool
    several: bool
    is_sanction: bool
    sanctions: frozenset[str]
    weights: Mapping[str, float] | None = None
    """What each word weighs where passages are compared; without, all weigh the same."""

    def weigh_words(self, texts: Sequence[str]) -> "AskedAnswer":
        """Return the same, with words that weigh the more the fewer of some texts have them."""
        having = Counter(stem for text in texts for stem in held_stems(self.words, text))
        weights = {stem: log(1 + len(texts) / max(1, having[stem])) for stem in self.words}
        return replace(self, weights=weights)

    def is_met(self, amount: Amount) -> bool:
        """True of an amount of the kind asked for, whichever way it goes."""
        if amount.kind != "amount":
            return amount.kind in self.kinds
        if self.counts:
            return not amount.unit and not stem_words(amount.thing).isdisjoint(self.words)
        if self.kinds:
            return amount.measure in self.kinds
        return self.question.is_of_side(amount)

    def accepts(self, amount: Amount) -> bool:
        """True where that is a proved limit, and no minimum where a maximum is asked for."""
        is_rule = amount.role in LIMIT_ROLES and amount.proved
        return is_rule and not self.question.is_opposite(amount)

    def names_sanction(self, text: str) -> bool:
        """True of a text with a sanction where one is asked for, of the kinds that are named."""
        found = {*find_sanctions(text)} if self.is_sanction else set()
        return bool(found & self.sanctions if self.sanctions else found)

    def measure(self, title: str, read: ReadPassage) -> Nearness:
        """Return how near a passage is: by what is asked for, then by the question's words in it.

        What is asked for is in it, a length by its name (3), is in it (2), may be (1), or is not.
        The words are those in it with what leads to it, and in it alone, which counts half: a long
        lead is not on each of its items. An amount that the question brings counts as a word.
        """
        one, amounts = read.passage, read.sentence.amounts
        level = 1 if any(amount.measure in self.hinted for amount in amounts) else 0
        if self.select(amounts) or self.names_sanction(one.text):
            level = 2
        own = f"{one.label} {one.text}"
        if level > 1 and not self.extent.isdisjoint(stem_words(f"{one.column} {own}")):
            level = 3
        all_words = describe_passage(title, read)
        whole, inner = (coverage(self.words, text, self.weights) for text in (all_words, own))
        share = (2 * whole + inner) / 3
        count = len(self.words)
        if self.brought:
            share = (share * count + any(a.key in self.brought for a in amounts)) / (count + 1)
        return level, share

    def select(self, amounts: Iterable[Amount]) -> list[Amount]:
        """Return the amounts asked for, without a minimum where a maximum is asked for."""
        return [a for a in amounts if self.is_met(a) and not self.question.is_opposite(a)]


def describe_passage(title: str, read: ReadPassage) -> str:
    """Return the words of a passage with those that lead to it."""
    one = read.passage
    return " ".join((title, one.lead, one.column, one.label, one.text))


def read_asked_answer(question: str, is_sanction: bool) -> AskedAnswer:
    """Return what a question asks for; a sanction where it was classified as one for a penalty."""
    asked, words = Question(question), content_words(question)
    (kinds, asking), how = _find_kinds(asked), asked.how
    meant = [
        one
        for one in AMOUNTS
        if not {*one.nouns}.isdisjoint(words.values()) or how in (*one.adjectives, *one.related)
    ]
    lengths = (one for one in meant if one.is_extent)
    extents = (word for o in lengths for word in (*o.adjectives, *o.nouns, *o.related))
    own = [one for one in read_sentence(question).amounts if one.unit]
    asking |= {*content_words(" ".join(question[one.start : one.end] for one in own)).values()}
    nouns = {
        noun
        for one in AMOUNTS
        if not one.owner and (one.kinds & kinds or not kinds)
        for noun in one.nouns
    }
    return AskedAnswer(
        question=asked,
        words={  # the amount itself is what nouns for amounts and "maximum" mean
            stem: word
            for stem, word in words.items()
            if word not in {*nouns, *asking, how} and not find_cues(word, "minimum", "maximum")
        },
        extent=stem_words(" ".join(extents)),
        brought=frozenset(one.key for one in own),
        kinds=kinds,
        hinted=_hint_kinds(asked, kinds, frozenset().union(*(one.kinds for one in meant))),
        counts=bool(asked.counted),
        several=len(_ASKS.findall(question)) > 1,
        is_sanction=is_sanction,
        sanctions=frozenset(find_sanctions(question)),
    )


def _find_kinds(asked: Question) -> tuple[frozenset[str], set[str]]:
    """Return the kinds of amount that are asked for, and words that only ask when."""
    kinds, when = asked.asked_kinds, _ASKS_WHEN.search(asked.text)
    if when:
        kinds = _DAYS if when["day"] else _TIMES
    if how_much := _HOW_MUCH.search(asked.text):
        kinds |= _MEASURES & {how_much["what"]}
    return kinds, {*when[0].lower().split()} if when else set()


def _hint_kinds(asked: Question, kinds: frozenset[str], hinted: frozenset[str]) -> frozenset[str]:
    """Return the kinds of amount that may be meant beside those that are asked for."""
    if _HOW_MUCH.search(asked.text) and not kinds | hinted:
        return _MEASURES
    if asked.asks_whether:
        return frozenset()
    return hinted | {"share"} if kinds or hinted else hinted
