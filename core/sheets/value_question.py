"""A question about a value, to start with: on a limit that a document itself sets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from core.grammar import AMOUNTS, title_within_sentence
from core.library import Document, Library, suggest_questions
from core.registers import (
    LimitsRegister,
    list_register_paths,
    load_register,
    read_new_registers,
    save_register,
)
from core.sheets.compliance import check_values
from core.sheets.limit_search import LimitIndex
from core.sheets.verdicts import overall_verdict

MAX_TITLE_WORDS = 4
MAX_DOCUMENTS = 4
"""Documents whose registers are loaded for a question; more would keep the first page waiting."""


def read_missing_registers(library: Library) -> None:
    """Read and keep the registers that are missing, each with its value question."""
    for path in read_new_registers(library):
        _value_question(path)


def suggest_value_question(library: Library, documents: Iterable[Document]) -> str:
    """Return a question on a value by the first document whose kept register has one, else ""."""
    for document in islice(documents, MAX_DOCUMENTS):
        kept = map(_value_question, list_register_paths(library, document))
        if question := next((one for one in kept if one is not None), ""):
            return question
    return ""


def suggest_examples(library: Library, documents: Sequence[Document]) -> list[str]:
    """Return questions that documents answer, the first on a value if they set one."""
    questions = suggest_questions(library, documents)
    value = suggest_value_question(library, documents)
    return [value, *questions[:3]] if value else questions


def _value_question(path: Path) -> str | None:
    """Return the value question of a kept register, which keeps it; None without a register."""
    register = load_register(path)
    if register and register.value_question is None:
        register = replace(register, value_question=find_value_question(register))
        save_register(path, register)
    return register.value_question if register else None


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
