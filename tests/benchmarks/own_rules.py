"""Questions on the rules of any library, made from the rules themselves, so that answers are known.

Each question is made from one sentence: from what it calls an amount, from who must do what, from a
title, or from some of its words. As people do not know a rule's words, a part of them is left out
or gives way to others of near meaning.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from core.grammar import Amount, find_article_numbers, read_passages
from core.library import content_words
from core.registers import threatens_sanction
from core.rulebook import Clause

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LONGEST_PHRASE = 14
"""Words of an actor, a deed or a thing that a person still asks for as a whole."""
_NEAR, _SAME = 0.45, 0.9
"""Cosines of two words between which one may be said for the other."""
_WORD = re.compile(r"[A-Za-z][a-z]{3,}")
_MOST = {
    "at most": "maximum",
    "at least": "minimum",
    "less than": "maximum",
    "more than": "minimum",
}
_HOW = {
    "length": ("How long is {}?", "How far is {}?", "What size is {}?"),
    "mass": ("How heavy is {}?", "How much does {} weigh?"),
    "time": ("How long is {}?", "When is {}?"),
    "money": ("How much is {}?", "What is the price of {}?"),
}


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """A question, the clause that answers it, and words one of which an answer says."""

    question: str
    clause_id: str
    sentence: str
    says: str
    kind: str


class Vocabulary:
    """Words of many rulebooks; `vectors` has a row of length 1 for each."""

    def __init__(self, words: Sequence[str], vectors: "NDArray[np.float32]") -> None:
        self.words, self._vectors = words, vectors

    @cached_property
    def _near(self) -> Mapping[str, list[str]]:
        cosines = self._vectors @ self._vectors.T
        found = {}
        for word, row in zip(self.words, cosines, strict=True):
            best = [n for n in np.argsort(-row)[:12] if _NEAR <= row[n] < _SAME]
            found[word] = [self.words[n] for n in best if self.words[n][:4] != word[:4]]
        return found

    def reword(self, text: str, share: float, random: Random) -> str:
        """Return a text with about this share of its words said by others of near meaning."""

        def say(found: re.Match[str]) -> str:
            others = self._near.get(found[0].lower(), [])[:4]
            return random.choice(others) if others and random.random() < share else found[0]

        return _WORD.sub(say, text)


def ask_of_clause(clause: Clause, words: Vocabulary, random: Random) -> Iterator[OwnQuestion]:
    """Yield questions that a clause answers, one or two a sentence."""
    for read in read_passages(clause.text, (), ("en",)):
        sentence, passage = read.sentence, read.passage
        plain: list[tuple[str, str, str]] = []
        for one in sentence.amounts:
            if one.kind == "amount" and one.role == "limit" and one.proved and one.thing:
                plain += [(q, one.text, "amount") for q in _ask_for_amount(one, random)]
        for duty in sentence.duties:
            if duty.is_main and not duty.in_passing and duty.what:
                who, what, when = map(_ask_words, (duty.actor, duty.what, duty.condition))
                asked = _ask_for_duty(duty.modality, who, what, when, random)
                plain += [(q, passage.quote, "duty") for q in asked]
        if threatens_sanction(passage.text):
            breach = _some_words(passage.text, random)
            plain.append((f"What is the penalty for {breach}?", passage.quote, "penalty"))
        if len(_stems(passage.text)) >= 4:
            plain.append((_some_words(passage.text, random), passage.quote, "words"))
            titled = f"{clause.title} {_some_words(passage.text, random, most=3)}".capitalize()
            if clause.title and len(clause.title.split()) <= 8:
                plain.append((f"What about {titled.lower()}?", passage.quote, "title"))
        for question, says, kind in plain:
            if len(_stems(question)) >= 2 and not find_article_numbers(question):
                share = random.choice((0.0, 0.15, 0.3, 0.5))
                said = words.reword(question, share, random) if share else question
                yield OwnQuestion(said, clause.clause_id, passage.quote, says, kind)


def _stems(text: str) -> Mapping[str, str]:
    return content_words(text)


def _ask_words(text: str) -> str:
    words = re.sub(r"\([^)]*\)", " ", text).split()
    is_whole = "…" not in text and len(words) <= _LONGEST_PHRASE
    return " ".join(words).strip(" ,.;:") if is_whole else ""


def _ask_for_amount(one: Amount, random: Random) -> Iterator[str]:
    thing = _ask_words(one.thing)
    if not thing:
        return
    most = _MOST.get(one.relation or "", "")
    thing = re.sub(rf"(?i)^(?:the |a |an |any )?(?:{most} )?" if most else "(?i)^the ", "", thing)
    if most:
        yield f"What is the {most} {thing}?"
    for how in random.sample(_HOW.get(one.measure, ()), k=min(1, len(_HOW.get(one.measure, ())))):
        yield how.format(f"the {thing}")
    if not one.unit:
        yield f"How many {thing}?"


def _ask_for_duty(modality: str, who: str, what: str, when: str, random: Random) -> list[str]:
    asked = []
    if modality in ("must", "should") and who:
        asked += [f"Must {who} {what}?", f"What must {who} do {when}?" if when else ""]
        asked.append(f"Who has to {what}?")
    elif who:
        asked += [
            f"May {who} {what}?",
            f"Are {who} allowed to {what}?",
            f"Can {who} {what} {when}?",
        ]
    else:
        asked += [f"Is it allowed to {what}?", f"Does one have to {what}?"]
    asked = [" ".join(one.replace(" ?", "?").split()) for one in asked if one]
    return random.sample(asked, 1)


def _some_words(text: str, random: Random, most: int = 8) -> str:
    """Return words of a text in their order, the longer ones rather, as keywords."""
    found = list(dict.fromkeys(_stems(text).values()))
    keep = random.randint(2, max(2, min(most, len(found))))
    chosen = {*random.sample(found, min(keep, len(found)))}
    return " ".join(word for word in found if word in chosen)
