"""How likely quotes answer a question: a logistic estimate from what is measured of them.

The weights are learned by tests/benchmarks/learn_confidence.py. Nothing is quoted or accepted here.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import repeat
from math import exp
from pathlib import Path
from typing import Literal

from core.agent.question import Question, read_amounts
from core.grammar import (
    amount_kinds_in,
    detect_language,
    find_figures,
    find_quantities,
    find_sanctions,
    stem_words,
)
from core.library import content_words, coverage, held_stems, match_words
from core.rulebook import english_rarity
from core.verification import Source

_FILE = Path(__file__).with_name("confidence.toml")
_USUAL_RARITY = 8.0
"""The weight of a word that one clause of 3,000 has (its inverse document frequency)."""
_COMPARED = 8
"""Clauses of which the words are compared: as many as one search finds."""
_NEAR_WORD = 0.5
"""The cosine of two words from which one may stand for the other, by the vectors of e5. By those of
MiniLM, where all words are farther apart, it was 0.45."""
_RARE_IN_ENGLISH = 10.0
"""The rarity of a word that names a thing. In 132 right answers the words that no rule has and no
quoted word is near are below 9.4, with one exception; "beard" and "umbrella" are above 12."""
_LONG = 10
"""Words of a long question that count. The weight of the `length` is learned with it, by
tests/benchmarks/learn_confidence.py."""
_CLOSE_BEHIND = 40
"""Characters behind a number among which the word is for what it counts: "two or more drivers"."""
_PIECE_WORDS = 60
"""Words of a clause that are compared where no piece of it was found to be nearest: as many as the
longest piece has."""

MEASURED_LANGUAGES = ("en",)
"""Those of what tests/benchmarks/learn_confidence.py learns from."""
Weights = Mapping[str, Mapping[str, float]]
"""A weight for each measure and a `constant`, for a search `by_meaning` and one `by_words`."""


@dataclass(frozen=True)
class Confidence:
    """The learned weights, and from which likelihood on an answer is accepted or refused.

    `right` estimates that the quotes answer the question, `answerable` that some clause does.
    """

    right: Weights
    answerable: Weights
    accepted_from: float
    refused_below: float

    def estimate_right(self, question: Question, measures: Mapping[str, float]) -> float:
        """Return how likely the quotes answer the question, 0 to 1, in whole percents.

        So it is told, and an estimate of "80%" must not fall short of 80%.
        """
        return round(apply_weights(self.right[search_mode(question)], measures), 2)

    def estimate_answerable(self, question: Question, measures: Mapping[str, float]) -> float:
        """Return how likely any clause answers the question, 0 to 1."""
        return apply_weights(self.answerable[search_mode(question)], measures)


def search_mode(question: Question) -> str:
    """Return which weights hold for how a question's clauses are searched."""
    return "by_meaning" if question.by_meaning else "by_words"


def read_language(evidence: Iterable[Source]) -> str | None:
    """Return the ISO 639 code of the language of what was found; None where it says too little."""
    return _detect_language(tuple(source.text for source in evidence))


@lru_cache(maxsize=16)
def _detect_language(texts: tuple[str, ...]) -> str | None:
    """Read the language of some texts once: the proofs and doubts of a draft all ask for it."""
    return detect_language(" ".join(texts))


def knows_language(question: Question, evidence: Iterable[Source]) -> bool:
    """True where a question and rules are in one language, and answers in it were measured."""
    rules = read_language(evidence)
    return rules in MEASURED_LANGUAGES and detect_language(question.text) in (None, rules)


@cache
def load_confidence() -> Confidence:
    """Read the weights that come with the program."""
    return Confidence(**tomllib.loads(_FILE.read_text(encoding="utf-8")))


def apply_weights(weights: Mapping[str, float], measures: Mapping[str, float]) -> float:
    """Return the logistic function of the weighted sum; measures without a weight do not count."""
    known = ((name, weight) for name, weight in weights.items() if name != "constant")
    total = weights["constant"] + sum(weight * measures[name] for name, weight in known)
    return 1 / (1 + exp(-total))


@dataclass(frozen=True, slots=True)
class _TextMatch:
    """For each word of a question, by stem, how near a text's nearest word is, and if it has it."""

    near: Mapping[str, float]
    has: Mapping[str, float]
    text_mean: float
    """How near the text's words are to the question's, in the mean."""

    @property
    def met(self) -> Mapping[str, float]:
        return {stem: max(near, self.has[stem]) for stem, near in self.near.items()}


def measure_match(
    question: Question, ranked: Sequence[Source], quotes: Sequence[str]
) -> dict[str, float]:
    """Return what is known of ranked clauses and of the draft's quotes, each about 0 to 1.

    The first quote is from the first clause. Raises ValueError where nothing is ranked. A word
    weighs what it says: the rarer in the scope, or in English, the more. One that the document's
    name has is met.
    """
    first, *others = nearest = ranked[:_COMPARED]
    in_scope = {stem: weight or _USUAL_RARITY for stem, weight in question.weights.items()}
    in_english = {
        stem: max(map(english_rarity, word.split())) for stem, word in question.words.items()
    }
    headings = " ".join((first.title, *first.breadcrumb))
    texts = (*map(_nearest_piece, nearest), f"{headings}\n{quotes[0]}")
    *pieces, quoted = _match_texts(question, texts)
    held = [
        coverage(question.words, " ".join((one.title, *one.breadcrumb, one.text)), in_scope)
        for one in nearest
    ]
    rivals = [n for n, source in enumerate(others, 1) if not _is_beside(first, source)]
    named = stem_words(first.document) & quoted.met.keys()
    said = {**quoted.met, **dict.fromkeys(named, 1.0)}
    unmet = {stem: float(met < _NEAR_WORD) for stem, met in said.items()}
    strange = [
        unmet[stem]
        for stem, rarity in in_english.items()
        if rarity >= _RARE_IN_ENGLISH and not question.weights[stem]
    ]
    missed = [(1 - min(1.0, met)) * in_scope[stem] for stem, met in said.items()]
    share = coverage(question.words, f"{headings} {first.document} {first.text}", question.weights)
    known = [weight for weight in question.weights.values() if weight]
    rarity = sum(known) / max(1, len(known)) / _USUAL_RARITY

    return {
        "weakest_in_scope": max(missed, default=0.0) / _USUAL_RARITY,
        "title_asked": coverage(content_words(first.title), question.text) if first.title else 0.0,
        "words_met": _weighted_mean(pieces[0].met, in_scope),
        "rare_met_best": max(_weighted_mean(piece.met, in_english) for piece in pieces),
        "unmet": _weighted_mean(unmet, in_english),
        "strange_unmet": max(strange, default=0.0),
        "has_best": max(held),
        "length": min(1.0, len(question.words) / _LONG),
        "asks_whether": float(question.asks_whether),
        "asks_for_thing": float(question.asks_for_thing),
        "lead": _find_lead(pieces, rivals, in_scope, "near"),
        "lead_by_words": _find_lead(pieces, rivals, in_scope, "has"),
        "on_question": pieces[0].text_mean,
        "first_by_words": float(first.words >= max(source.words for source in nearest)),
        "stands_out": first.nearness - sum(source.nearness for source in nearest) / len(nearest),
        "share_of_rare": share * rarity,
        "unknown": len(question.unknown) / max(1, len(question.words)),
        "strange_names": float(bool(question.strange_names)),
        "quotes_amount": float(any(map(find_quantities, quotes))),
        "lacks_asked": float(not any(has_asked_amount(question, quote) for quote in quotes)),
        "left_out": max(0.0, 1 - len(quotes[0].split()) / max(1, len(first.text.split()))),
    }


def _find_lead(
    pieces: Sequence[_TextMatch],
    rivals: Iterable[int],
    weights: Mapping[str, float],
    kind: Literal["near", "has"],
) -> float:
    """Return by how much the first piece meets the question better than its best rival."""
    values = [_weighted_mean(getattr(piece, kind), weights) for piece in pieces]
    return values[0] - max((values[n] for n in rivals), default=0.0)


def _match_texts(question: Question, texts: Sequence[str]) -> Iterator[_TextMatch]:
    matches = match_words(question.text, texts) if question.by_meaning else repeat(None)
    for text, match in zip(texts, matches, strict=False):
        near = dict.fromkeys(question.words, 0.0)
        for word, nearness in match.question if match else ():
            for stem in stem_words(word) & near.keys():
                near[stem] = max(near[stem], nearness)
        held = held_stems(question.words, text)
        has = {stem: float(stem in held) for stem in question.words}
        yield _TextMatch(near, has, match.text_mean if match else 0.0)


def _nearest_piece(source: Source) -> str:
    """Return the piece of a clause that is nearest to the question, with the clause's title.

    Where none was found to be, that is its beginning.
    """
    piece = source.near_words or " ".join(source.text.split()[:_PIECE_WORDS])
    return "\n".join(filter(None, (source.title, piece)))


def _is_beside(source: Source, other: Source) -> bool:
    """True of clauses of one article, or one above or below the other."""
    numbers = sorted((source.whole_article, other.whole_article), key=len)
    groups = {number.rpartition(".")[0] or number for number in numbers}
    is_related = len(groups) == 1 or numbers[1].startswith(f"{numbers[0]}.")
    return is_related and source.document_id == other.document_id


def _weighted_mean(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    whole = sum(weights[key] for key in values)
    return sum(value * weights[key] for key, value in values.items()) / (whole or 1.0)


def has_asked_amount(question: Question, text: str) -> bool:
    """True where a text has an amount of a kind that is asked for, or none is asked for.

    Where only "how much" is asked, or only for an extreme, any number will do, or for an extreme
    any sanction.
    """
    extreme = question.asks_for_extreme
    if not question.kinds:
        if question.how == "much":
            return bool(find_figures(text))
        return not extreme or bool(find_figures(text) or find_sanctions(text))
    fitting, opposite = read_amounts(question, text) if extreme else ((), ())
    is_opposite = opposite and not fitting  # a minimum is no maximum
    return not is_opposite and bool(question.kinds & amount_kinds_in(text))


def has_asked_count(question: Question, text: str) -> bool:
    """True where a number in a text, or its table, counts what is asked for, or nothing is."""
    counted = question.counted
    behind = (text[figure.end :][:_CLOSE_BEHIND] for figure in find_figures(text))
    return not counted or "|" in text or any(counted & stem_words(words) for words in behind)
