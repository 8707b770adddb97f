"""A question about a value, to start with: on a limit that a document itself sets."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from core.library import Document, Library
from core.limits.compliance import check_values
from core.limits.limit_search import LimitIndex
from core.limits.quantities import AMOUNTS
from core.limits.storage import load_kept_index
from core.limits.verdicts import overall_verdict
from core.rulebook import title_within_sentence

MAX_DOCUMENTS = 4
"""Documents whose limits are looked up; more would keep the first page waiting."""
MAX_TITLE_WORDS = 4


def suggest_value_question(library: Library, documents: Sequence[Document]) -> str | None:
    """Return a question whether a value is allowed that these documents call legal.

    None without one, and where the limits of a document are not read yet: they could say otherwise.
    """
    indexes = [load_kept_index(library, document) for document in documents[:MAX_DOCUMENTS]]
    known = [index for index in indexes if index]
    if len(known) < len(documents):
        return None
    for question in chain.from_iterable(map(_list_questions, known)):
        if overall_verdict(check_values(question, known)) == "legal":
            return question
    return None


def _list_questions(index: LimitIndex) -> Iterator[str]:
    """Yield "May the wheelbase be 1525 mm?" for each title that names what its one limit measures.

    A title above several limits leaves open which is meant.
    """
    limits = [limit for limit in index.register.limits if limit.in_force]
    counts = Counter(limit.heading for limit in limits)
    for limit in limits:
        title = limit.heading.rpartition(" / ")[2]
        words = title.casefold().split()
        nouns = {noun for one in AMOUNTS if limit.kind in one.kinds for noun in one.nouns}
        is_name = bool(words) and len(words) <= MAX_TITLE_WORDS and words[-1] in nouns
        if is_name and counts[limit.heading] == 1:
            value = f"{limit.value:f} {limit.unit}"
            yield f"May the {title_within_sentence(title)} be {value}?"
