"""Questions that documents answer, for an empty chat and for a clause."""

import re
from collections import Counter
from collections.abc import Sequence

from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import Clause, article_label, title_within_sentence

QUESTIONS_SHOWN = 4
MAX_TITLE_WORDS = 6
"""A longer title is usually a sentence or a list, and makes no question."""
SAMPLE_QUESTIONS = {
    "meridian-sporting": (
        "What is the pit lane speed limit?",
        "What is the penalty for an unsafe release?",
    ),
    "meridian-technical": (
        "What is the minimum mass of the car?",
        "May metal matrix composites be used?",
    ),
}
"""Questions for the sample rulebooks, by family."""
_NUMBER = re.compile(r"[A-Z]{0,3}[.]?[0-9]+([.][0-9]+)+")
"""The number of a rule, not of an appendix: "34.7", "B1.1.2", "GR.1.1"."""


def suggest_questions(library: Library, documents: Sequence[Document]) -> list[str]:
    """Up to QUESTIONS_SHOWN different questions, some on each document."""
    if documents and all(document.family in SAMPLE_QUESTIONS for document in documents):
        samples = [q for document in documents for q in SAMPLE_QUESTIONS[document.family or ""]]
        return list(dict.fromkeys(samples))[:QUESTIONS_SHOWN]
    share = max(1, QUESTIONS_SHOWN // max(1, len(documents)))
    numbers: Counter[str] = Counter()
    found = []
    for document in documents:
        articles, clauses = _find_examples(library, document.document_id)
        numbers.update(articles)
        found += [(clause, document) for clause in clauses[:share]]
    titled = [(clause, document) for clause, document in found if _is_topic(clause.title)]
    questions = (
        question_about_clause(clause, document if numbers[clause.article] > 1 else None)
        for clause, document in titled or found
    )
    return list(dict.fromkeys(questions))[:QUESTIONS_SHOWN]


def _find_examples(library: Library, document_id: str) -> tuple[frozenset[str], list[Clause]]:
    """All article numbers of a document, and clauses throughout it with a title and enough text."""
    clauses = library.clauses(document_id)
    examples = [
        clause
        for clause in clauses
        if clause.status == "in_force"
        and _NUMBER.fullmatch(clause.article)
        and len(clause.text) > 60
    ]
    examples = [clause for clause in examples if _is_topic(clause.title)] or examples
    spread = examples[:: max(1, len(examples) // QUESTIONS_SHOWN)][:QUESTIONS_SHOWN]
    return frozenset(clause.article for clause in clauses), spread


def _is_topic(title: str) -> bool:
    short = 0 < len(title.split()) <= MAX_TITLE_WORDS and 3 < len(title) < 50
    return short and title[-1].isalnum() and not any(map(str.isdigit, title))


def question_about_clause(clause: Clause, document: Document | None = None) -> str:
    """A question that this clause answers; give the `document` if others have its number too."""
    on = f" on {title_within_sentence(clause.title)}" if _is_topic(clause.title) else ""
    of = f" in {document.label}" if document else ""
    return f"What does {article_label(clause.article)}{on}{of} say?"
