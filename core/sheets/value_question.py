"""Questions to start with: on values, penalties and terms that documents themselves set."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest

from core.grammar import AMOUNTS
from core.library import DerivedKind, Document, Library
from core.registers import LIMITS, PENALTIES, Limit, LimitsRegister
from core.sheets.compliance import check_values
from core.sheets.limit_search import LimitIndex
from core.sheets.starter_questions import (
    QUESTIONS_SHOWN,
    list_term_questions,
    list_topic_questions,
    suggest_sample_questions,
    title_within_sentence,
)
from core.sheets.verdicts import overall_verdict

MIN_BREACH = 7
"""Words that name a breach: of fewer most leave out what is meant ("who exceeds the limit")."""
_WHO_BREACHES = re.compile(
    r"((?:^(?:[\w-]+\s){1,3}(?:who|which|that)|\b(?:any|an?|every|each)\s(?:[\w-]+\s){1,3}who)"
    r"\s[^,;:.()\"“”]{4,70})$",
    re.IGNORECASE,
)
_EXTREME = re.compile(r"(?:minimum|maximum)\b", re.IGNORECASE)
_NAMED_EXTREME = re.compile(
    r"\b(?:minimum|maximum) (?:[a-z-]+ ){1,2}(?:"
    + "|".join(re.escape(noun) for amount in AMOUNTS for noun in amount.nouns)
    + r")\b"
)
_ITS_NUMBER = re.compile(r"^[A-Z.]*\d\S*\s+")
_REFERS = re.compile(r"\b(?:this|these|those|such|above|below|same|Article)\b", re.IGNORECASE)
MAX_DOCUMENTS = 4
"""Documents whose questions are looked at; more would keep the first page waiting."""


def suggest_examples(library: Library, documents: Sequence[Document]) -> list[str]:
    """Return questions on a value, a penalty and a term that documents set, of each in turn.

    Where there are none: on topics. What is not derived from a document yet is left out.
    """
    if samples := suggest_sample_questions(documents):
        value = suggest_value_question(library, documents)
        return [value, *samples[:3]] if value else samples
    few = documents[:MAX_DOCUMENTS]
    values = [VALUE_QUESTIONS.load(library, one) or "" for one in few]
    limits, penalties, terms, topics, extremes = (
        _in_turn([list_questions(library, one) for one in few]) for list_questions in KINDS
    )
    asked = _in_turn([[*filter(None, values), *limits], penalties, terms])
    return list(dict.fromkeys((*asked, *topics, *extremes)))[:QUESTIONS_SHOWN]


def suggest_value_question(library: Library, documents: Iterable[Document]) -> str:
    """Return a question on a value by the first document that a kept one is of, else ""."""
    few = islice(documents, MAX_DOCUMENTS)
    return next(filter(None, (VALUE_QUESTIONS.load(library, one) for one in few)), "")


def _in_turn(lists: Iterable[Sequence[str]]) -> list[str]:
    """Return different questions, the first of each list before the second of any."""
    return list(dict.fromkeys(one for turn in zip_longest(*lists) for one in turn if one))


def _list_limit_questions(library: Library, document: Document) -> list[str]:
    """Ask for the limits of which a title names what they measure, and of what: "Tyre width"."""
    register = LIMITS.load(library, document)
    named = _list_named_limits(register) if register else ()
    titles = [title_within_sentence(title) for title, _ in named if " " in title]
    is_whole = {title: bool(_EXTREME.match(title)) for title in titles}
    return [f"What is the {'' if is_whole[one] else 'limit on '}{one}?" for one in titles]


def _list_penalty_questions(library: Library, document: Document) -> list[str]:
    """Ask for the penalties of whom a rule names by what they do: "a driver who ...".

    The words of other breaches are understood beside their rule alone.
    """
    kept = PENALTIES.load(library, document) or {}
    breaches = (row.breach.rstrip(" .") for found in kept.values() for row in found.rows)
    named = (match[1] for breach in breaches if (match := _WHO_BREACHES.search(breach)))
    clear = (one for one in named if not _REFERS.search(one) and len(one.split()) >= MIN_BREACH)
    return [
        f"What is the penalty for {title_within_sentence(one)}?" for one in dict.fromkeys(clear)
    ]


def _list_extreme_questions(library: Library, document: Document) -> list[str]:
    """Ask for extremes that sentences name with a word on what is meant: "maximum wall thickness".

    They are read off the text, so that a document without titles has some before its limits are.
    """
    texts = (
        clause.text
        for clause in library.clauses(document.document_id)
        if clause.status == "in_force"
    )
    named = (match[0] for text in texts for match in _NAMED_EXTREME.finditer(text))
    return [f"What is the {one}?" for one in islice(dict.fromkeys(named), QUESTIONS_SHOWN)]


KINDS = (
    _list_limit_questions,
    _list_penalty_questions,
    list_term_questions,
    list_topic_questions,
    _list_extreme_questions,
)


def find_value_question(register: LimitsRegister) -> str:
    """Return a question whether a value is allowed that the register calls legal, else ""."""
    index = LimitIndex(register)
    for title, limit in _list_named_limits(register):
        question = f"May the {title_within_sentence(title)} be {limit.value:f} {limit.unit}?"
        if overall_verdict(check_values(question, [index])) == "legal":
            return question
    return ""


def _list_named_limits(register: LimitsRegister) -> Iterator[tuple[str, Limit]]:
    """Yield each title of up to four words that names what its one limit measures, with that limit.

    A title above several limits leaves open which is meant.
    """
    limits = [limit for limit in register.limits if limit.in_force]
    counts = Counter(limit.heading for limit in limits)
    for limit in limits:
        title = _ITS_NUMBER.sub("", limit.heading.rpartition(" / ")[2])
        words = title.casefold().split()
        nouns = {noun for one in AMOUNTS if limit.kind in one.kinds for noun in one.nouns}
        is_name = bool(words) and len(words) <= 4 and words[-1] in nouns
        if is_name and counts[limit.heading] == 1:
            yield title, limit


VALUE_QUESTIONS = DerivedKind(
    "value_questions",
    5,
    lambda library, document: find_value_question(LIMITS.obtain(library, document)),
    str.encode,
    bytes.decode,
    inputs=lambda library, document: (LIMITS.version, LIMITS.inputs(library, document)),
)
