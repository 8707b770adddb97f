"""A question about a value, to start with: on a limit that a document itself sets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from core.grammar import AMOUNTS, title_within_sentence
from core.library import (
    DerivedKind,
    Document,
    Library,
    load_derived,
    obtain_derived,
    suggest_questions,
)
from core.registers import LIMITS, LimitsRegister
from core.sheets.compliance import check_values
from core.sheets.limit_search import LimitIndex
from core.sheets.verdicts import overall_verdict

MAX_TITLE_WORDS = 4
MAX_DOCUMENTS = 4
"""Documents whose questions are looked at; more would keep the first page waiting."""


def suggest_value_question(library: Library, documents: Iterable[Document]) -> str:
    """Return a question on a value by the first document that a kept one is of, else ""."""
    few = islice(documents, MAX_DOCUMENTS)
    return next(filter(None, (load_derived(library, one, VALUE_QUESTIONS) for one in few)), "")


def suggest_examples(library: Library, documents: Sequence[Document]) -> list[str]:
    """Return questions that documents answer, the first on a value if they set one."""
    questions = suggest_questions(library, documents)
    value = suggest_value_question(library, documents)
    return [value, *questions[:3]] if value else questions


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


VALUE_QUESTIONS = DerivedKind(
    "value_questions",
    3,
    lambda library, document: find_value_question(obtain_derived(library, document, LIMITS)),
    str.encode,
    bytes.decode,
    inputs=lambda library, document: (LIMITS.version, LIMITS.inputs(library, document)),
)
