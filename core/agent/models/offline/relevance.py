"""How much a clause is about a question, and whether it tells what the question wants to be told."""

from collections.abc import Sequence

from core.agent.models.offline.sought import Sought, Told, sought, told
from core.agent.text.compliance_question import brought, subject
from core.agent.text.stems import content_words, covered, rarity
from core.agent.types import Intent, Source
from core.rulebook.structure import numbering

FOUND = 0.5
"""Share of the question's words from which a clause is quoted as an answer."""
MOST = 0.75
"""Share of the question's words from which the quoted clauses are taken to be about it."""
TELLING = 0.25
"""What it counts for, beside the share of the question's words, that a clause tells what is asked for."""


def asked_words(question: str) -> dict[str, str]:
    """The words of a question that a clause should hold; a value that it brings for a check is none of them."""
    return subject(question) if brought(question) else content_words(question)


def wanted_by(question: str, intent: Intent) -> Sought | None:
    """What a question wants to be told, where it is neither of a topic or an article as a whole nor of a value.

    The fine that is asked for may be another penalty.
    """
    if intent == "SUMMARY" or numbering.articles_named(question) or brought(question):
        return None
    wanted = sought(question)
    return None if wanted and intent == "PENALTY" and "money" in wanted.kinds else wanted


def telling(question: str, intent: Intent, evidence: Sequence[Source]) -> dict[str, Told]:
    """By clause id, where clauses tell what a question wants to be told, and are about the question."""
    wanted = wanted_by(question, intent)
    if wanted is None:
        return {}
    words = asked_words(question)
    weights = rarity(words, [f"{source.title} {source.text}" for source in evidence])
    found = ((source.clause_id, told(wanted, words, source, weights)) for source in evidence)
    return {clause_id: one for clause_id, one in found if one is not None and one.share >= FOUND}


def relevance(words: dict[str, str], source: Source, tells: Told | None = None) -> float:
    """Share of the question's words a clause covers, more where it tells what is asked for.

    A word found in its headings only counts half, unless its own title says all of them.
    """
    own = covered(words, source.text)
    if len(words) > 1 and covered(words, source.title) == 1:
        own = 1.0
    share = own + (covered(words, f"{source.text} {heading(source)}") - own) / 2
    return share + TELLING if tells else share


def heading(source: Source) -> str:
    """What a clause stands under: its titles, and its document's name."""
    return " ".join((source.title, *source.breadcrumb, source.document))
