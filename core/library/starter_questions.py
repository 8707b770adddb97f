"""Questions that documents answer, for an empty chat and for a clause."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from core.grammar import article_label, find_sanctions, title_within_sentence
from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import Clause

QUESTIONS_SHOWN = 4
MAX_TITLE_WORDS = 6
"""A longer title is usually a sentence or a list, and makes no question."""
SAMPLE_QUESTIONS = {
    "meridian-sporting": (
        "What is the pit lane speed limit?",
        "What is the penalty for an unsafe release?",
    ),
    "meridian-technical": (
        "May the mass of the car be 640 kg?",
        "May metal matrix composites be used?",
    ),
}
"""Questions for the sample rulebooks, by family."""
_NUMBER = re.compile(r"(?:[A-Z]{1,4}[ .]?)?[0-9]+(?:[.][0-9]+)*")
"""The number of a rule, not of an appendix: "34.7", "B1.1.2", "GR.1.1", "T 2.1", "5"."""


def suggest_questions(library: Library, documents: Sequence[Document]) -> list[str]:
    """Up to QUESTIONS_SHOWN different questions, on each document in turn."""
    if documents and all(document.family in SAMPLE_QUESTIONS for document in documents):
        samples = [q for document in documents for q in SAMPLE_QUESTIONS[document.family or ""]]
        return list(dict.fromkeys(samples))[:QUESTIONS_SHOWN]
    numbers: Counter[str] = Counter()
    examples = []
    for document in documents:
        clauses = library.clauses(document.document_id)
        numbers.update({clause.article for clause in clauses})
        examples.append([(clause, document) for clause in _find_examples(clauses)])
    in_turn = [one for turn in zip_longest(*examples) for one in turn if one]
    in_turn.sort(key=lambda one: not _is_topic(one[0].title))
    questions = (
        _ask_about(clause, document if numbers[clause.article] > 1 else None)
        for clause, document in in_turn[:QUESTIONS_SHOWN]
    )
    return list(dict.fromkeys(questions))


def _find_examples(clauses: Sequence[Clause]) -> list[Clause]:
    """Clauses throughout a document that their number names: with a topic and a text, or either."""
    uses = Counter(clause.article for clause in clauses)
    named = [
        clause
        for clause in clauses
        if clause.status == "in_force"
        and uses[clause.article] == 1
        and _NUMBER.fullmatch(clause.article)
    ]
    topics = [clause for clause in named if _is_topic(clause.title)]
    texts = [clause for clause in named if len(clause.text) > 60]
    examples = [clause for clause in texts if _is_topic(clause.title)] or topics or texts
    asked = [clause for clause in texts if _names_penalty(clause) or clause.defines] or examples
    return asked[:: max(1, len(asked) // QUESTIONS_SHOWN)][:QUESTIONS_SHOWN]


def _names_penalty(clause: Clause) -> bool:
    """True of a clause that says what a breach costs, below a title that names the breach."""
    return bool(clause.sanctions) and _is_topic(clause.title) and not find_sanctions(clause.title)


def _ask_about(clause: Clause, document: Document | None) -> str:
    """Ask for the penalty or the definition in a clause, else for what it says."""
    of = f" in {document.label}" if document else ""
    if _names_penalty(clause):
        return f"What is the penalty for {title_within_sentence(clause.title)}{of}?"
    if clause.defines:
        return f"What does “{clause.defines[0]}” mean{of}?"
    return question_about_clause(clause, document)


def _is_topic(title: str) -> bool:
    short = 0 < len(title.split()) <= MAX_TITLE_WORDS and 3 < len(title) < 50
    return short and title[-1].isalnum() and not any(map(str.isdigit, title))


def question_about_clause(clause: Clause, document: Document | None = None) -> str:
    """A question that this clause answers; give the `document` if others have its number too."""
    on = f" on {title_within_sentence(clause.title)}" if _is_topic(clause.title) else ""
    of = f" in {document.label}" if document else ""
    return f"What does {article_label(clause.article)}{on}{of} say?"
