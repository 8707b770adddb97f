"""A question about a value, to start with: on a limit that a document itself sets."""

from collections import Counter
from collections.abc import Iterator

from core.grammar import AMOUNTS, title_within_sentence
from core.limits.compliance import check_values
from core.limits.limit_search import LimitIndex
from core.limits.register import LimitsRegister
from core.limits.verdicts import overall_verdict

MAX_TITLE_WORDS = 4


def find_value_question(register: LimitsRegister) -> str:
    """Return a question whether a value is allowed that the register calls legal, else ""."""
    index = LimitIndex(register)
    for question in _list_questions(register):
        if overall_verdict(check_values(question, [index])) == "legal":
            return question
    return ""


def _list_questions(register: LimitsRegister) -> Iterator[str]:
    """Yield "May the wheelbase be 1525 mm?" for each title that names what its one limit measures.

    A title above several limits leaves open which is meant.
    """
    limits = [limit for limit in register.limits if limit.in_force]
    counts = Counter(limit.heading for limit in limits)
    for limit in limits:
        title = limit.heading.rpartition(" / ")[2]
        words = title.casefold().split()
        nouns = {noun for one in AMOUNTS if limit.kind in one.kinds for noun in one.nouns}
        is_name = bool(words) and len(words) <= MAX_TITLE_WORDS and words[-1] in nouns
        if is_name and counts[limit.heading] == 1:
            yield f"May the {title_within_sentence(title)} be {limit.value:f} {limit.unit}?"
