"""How likely quotes answer a question: a logistic estimate from what is measured of them.

The weights are learned by tests/benchmarks/learn_confidence.py. Nothing is quoted or accepted here.
"""

import tomllib
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Any

from core.agent.question import Question
from core.agent.types import Source
from core.limits import coverage, stem_words

_FILE = Path(__file__).with_name("confidence.toml")
_LEARNED: Mapping[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
ACCEPTED_FROM: float = _LEARNED["accepted_from"]
"""The likelihood of a right answer from which the estimate alone accepts it."""
REFUSED_BELOW: float = _LEARNED["refused_below"]
"""The likelihood of any answer below which nothing is quoted."""
_USUAL_RARITY = 8.0
"""The weight of a word that one clause of 3,000 has (its inverse document frequency)."""


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
        "siblings": sum(s.article.rpartition(".")[0] == parent for s in quoted) / len(quoted),
    }


def estimate(target: str, measures: Mapping[str, float]) -> float:
    """Return the likelihood, 0 to 1, of a target: `right` (the quotes answer the question) or
    `answerable` (some clause does)."""
    weights: Mapping[str, float] = _LEARNED[target]
    total = weights["constant"] + sum(weights[name] * value for name, value in measures.items())
    return 1 / (1 + exp(-total))
