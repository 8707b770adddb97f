"""The clauses that come near to a question without answering it."""

from collections.abc import Iterable
from itertools import islice

from core.agent.question import Question
from core.library import MIN_COVERAGE, coverage
from core.verification import Source


def select_near(question: Question, sources: Iterable[Source]) -> tuple[Source, ...]:
    """Return the first four clauses that have half of what a question says; others would mislead.

    A word weighs by its rarity in the scope; one that no clause has as much as the rarest other.
    A question without words, that names an article only, is near to what was found for it.
    """
    rarest = max(question.weights.values(), default=0.0)
    weights = {stem: weight or rarest for stem, weight in question.weights.items()}

    def share(source: Source) -> float:
        text = " ".join((source.title, *source.breadcrumb, source.text))
        return coverage(question.words, text, weights)

    near = (s for s in sources if not question.words or share(s) >= MIN_COVERAGE)
    return tuple(islice(near, 4))
