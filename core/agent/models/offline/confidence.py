"""How likely a first quote answers a question: a logistic estimate from what is measured of it.

The weights are learned (`confidence.toml` says from what). Nothing is quoted or accepted here.
"""

import tomllib
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Any

from core.agent.evidence import split_sentences
from core.agent.question import Question
from core.agent.text.quantities import find_quantities
from core.agent.text.stems import coverage, stem_words
from core.agent.types import Source

_FILE = Path(__file__).with_name("confidence.toml")
_LEARNED: Mapping[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
ACCEPTED_FROM: float = _LEARNED["accepted_from"]
"""The likelihood from which the estimate alone accepts an answer."""
REFUSED_BELOW: float = _LEARNED["refused_below"]
"""The likelihood of any answer below which nothing is quoted."""


def measure_match(question: Question, ranked: Sequence[Source], quote: str) -> dict[str, float]:
    """Return what is known of the first of some ranked clauses and its quote, each about 0 to 1."""
    first, *others = ranked
    best_other = max((source.nearness for source in others), default=0.0)
    text = f"{join_headings(first)} {first.text}"
    shares = (coverage(question.words, s, question.weights) for s in split_sentences(quote))
    title = stem_words(first.title)
    asked = [weight for stem, weight in question.weights.items() if stem in title]
    kinds = {quantity.kind for quantity in find_quantities(quote)}
    known = [weight for weight in question.weights.values() if weight]
    return {
        "nearness": first.nearness,
        "lead": first.nearness - best_other,
        "words": first.words,
        "first_by_words": float(first.words >= max((s.words for s in others), default=0.0)),
        "coverage": coverage(question.words, text, question.weights),
        "own_coverage": coverage(question.words, first.text, question.weights),
        "sentence": max(shares, default=0.0),
        "title": sum(asked) / sum(known) if known else 0.0,
        "title_asked": len(title & question.words.keys()) / len(title) if title else 0.0,
        "amount_found": float(bool(kinds & question.kinds)),
        "amount_lacking": float(bool(question.kinds) and not kinds & question.kinds),
        "unknown": len(question.unknown) / max(1, len(question.words)),
        "few_words": 1 / (1 + len(known)),
        "rarity": sum(known) / (8 * len(known)) if known else 0.0,
    }


def estimate(target: str, measures: Mapping[str, float]) -> float:
    """Return the likelihood, 0 to 1, of a target: `right` (this quote answers the question) or
    `answerable` (some clause does)."""
    weights: Mapping[str, float] = _LEARNED[target]
    total = weights["constant"] + sum(weights[name] * value for name, value in measures.items())
    return 1 / (1 + exp(-total))


def join_headings(source: Source) -> str:
    """Return the titles above a clause and its document's name."""
    return " ".join((source.title, *source.breadcrumb, source.document))
