"""How likely quotes answer a question: a logistic estimate from what is measured of them.

The weights are learned by tests/benchmarks/learn_confidence.py. Nothing is quoted or accepted here.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

from core.agent.question import Question
from core.agent.types import Source
from core.library import match_words
from core.limits import coverage, find_quantities, stem_words

_FILE = Path(__file__).with_name("confidence.toml")
_USUAL_RARITY = 8.0
"""The weight of a word that one clause of 3,000 has (its inverse document frequency)."""
_COMPARED = 8
"""Clauses of which the words are compared: as many as one search finds."""
_PIECE_WORDS = 60
"""Words of a clause that are compared where no piece of it was found to be nearest."""


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
        """Return how likely the quotes answer the question, 0 to 1."""
        return apply_weights(self.right[search_mode(question)], measures)

    def estimate_answerable(self, question: Question, measures: Mapping[str, float]) -> float:
        """Return how likely any clause answers the question, 0 to 1."""
        return apply_weights(self.answerable[search_mode(question)], measures)


def search_mode(question: Question) -> str:
    """Return which weights hold for how a question's clauses are searched."""
    return "by_meaning" if question.by_meaning else "by_words"


@cache
def load_confidence() -> Confidence:
    """Read the weights that come with the program."""
    return Confidence(**tomllib.loads(_FILE.read_text(encoding="utf-8")))


def apply_weights(weights: Mapping[str, float], measures: Mapping[str, float]) -> float:
    """Return the logistic function of the weighted sum; measures without a weight do not count."""
    known = ((name, weight) for name, weight in weights.items() if name != "constant")
    total = weights["constant"] + sum(weight * measures[name] for name, weight in known)
    return 1 / (1 + exp(-total))


def measure_match(
    question: Question, ranked: Sequence[Source], quotes: Sequence[str]
) -> dict[str, float]:
    """Return what is known of ranked clauses and of the draft's quotes, each about 0 to 1.

    The first quote is from the first clause. Raises ValueError where nothing is ranked.
    """
    first, *_ = nearest = ranked[:_COMPARED]
    text = f"{first.title} {' '.join(first.breadcrumb)} {first.document} {first.text}"
    share = coverage(question.words, text, question.weights)
    known = [weight for weight in question.weights.values() if weight]
    rarity = sum(known) / len(known) / _USUAL_RARITY if known else 0.0
    matches = [_match_piece(question, source) for source in nearest if question.by_meaning]
    usual = sum(source.nearness for source in nearest) / len(nearest)
    left_out = 1 - len(quotes[0].split()) / max(1, len(first.text.split()))
    return {
        "words_met": matches[0][0] if matches else 0.0,
        "words_met_best": max((met for met, _ in matches), default=0.0),
        "on_question": matches[0][1] if matches else 0.0,
        "first_by_words": float(first.words >= max(source.words for source in nearest)),
        "stands_out": first.nearness - usual,
        "share_of_rare": share * rarity,
        "unknown": len(question.unknown) / max(1, len(question.words)),
        "strange_names": float(bool(question.strange_names)),
        "quotes_amount": float(any(map(find_quantities, quotes))),
        "lacks_asked": float(not any(has_asked_amount(question, quote) for quote in quotes)),
        "left_out": max(0.0, left_out),
    }


def _match_piece(question: Question, source: Source) -> tuple[float, float]:
    """Return how far a clause's nearest piece meets the question's words, and they its words."""
    piece = source.near_words or " ".join(source.text.split()[:_PIECE_WORDS])
    match = match_words(question.text, "\n".join(filter(None, (source.title, piece))))
    weighed = [
        (near, question.weights[stem] or _USUAL_RARITY)
        for word, near in match.question
        for stem in stem_words(word) & question.words.keys()
    ]
    whole = sum(weight for _, weight in weighed)
    return sum(near * weight for near, weight in weighed) / (whole or 1.0), match.text_mean


def find_least_met(question: Question, source: Source, quote: str) -> float:
    """Return how near the quote's nearest word is to the word that it meets least; 1 for none."""
    if not question.by_meaning:
        return 1.0
    match = match_words(question.text, f"{source.title}\n{quote}")
    asked = (near for word, near in match.question if stem_words(word) & question.words.keys())
    return min(asked, default=1.0)


def has_asked_amount(question: Question, text: str) -> bool:
    """True where a text has an amount of a kind that is asked for, or none is asked for."""
    kinds = {amount.kind for amount in find_quantities(text)}
    return not question.kinds or bool(kinds & question.kinds)
