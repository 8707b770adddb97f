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
from core.limits import coverage, find_quantities, stem_words

_FILE = Path(__file__).with_name("confidence.toml")
_USUAL_RARITY = 8.0
"""The weight of a word that one clause of 3,000 has (its inverse document frequency)."""


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
    """Return the logistic function of the weighted sum."""
    total = weights["constant"] + sum(weights[name] * value for name, value in measures.items())
    return 1 / (1 + exp(-total))


def measure_match(
    question: Question, ranked: Sequence[Source], quoted: Sequence[Source]
) -> dict[str, float]:
    """Return what is known of the first of some ranked clauses, each about 0 to 1.

    `quoted` are those that the draft quotes. Raises ValueError where nothing is ranked.
    """
    first, *others = ranked
    nearest = max((source.nearness for source in others), default=0.0)
    text = f"{first.title} {' '.join(first.breadcrumb)} {first.document} {first.text}"
    share = coverage(question.words, text, question.weights)
    known = sorted((weight for weight in question.weights.values() if weight), reverse=True)
    rarest = [stem for stem, weight in question.weights.items() if weight in known[:2]]
    rarity = sum(known) / len(known) / _USUAL_RARITY if known else 0.0
    title = stem_words(first.title)
    parent = first.article.rpartition(".")[0]
    return {
        "nearness": first.nearness,
        "lead": first.nearness - nearest,
        "score": first.score,
        "nearest": float(first.nearness >= nearest),
        "first_by_words": float(first.words >= max((s.words for s in others), default=0.0)),
        "rarest_words": coverage({stem: question.words[stem] for stem in rarest}, text),
        "all_words": float(share > 0.99),
        "share_of_rare": share * rarity,
        "title_asked": len(title & question.words.keys()) / len(title) if title else 0.0,
        "unknown": len(question.unknown) / max(1, len(question.words)),
        "strange_names": float(bool(question.strange_names)),
        "lacks_asked": float(not any(has_asked_amount(question, one.text) for one in quoted)),
        "few_words": 1 / (1 + len(known)),
        "siblings": sum(s.article.rpartition(".")[0] == parent for s in quoted) / len(quoted),
    }


def has_asked_amount(question: Question, text: str) -> bool:
    """True where a text has an amount of a kind that is asked for, or none is asked for."""
    kinds = {amount.kind for amount in find_quantities(text)}
    return not question.kinds or bool(kinds & question.kinds)
