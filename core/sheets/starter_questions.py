"""Questions that documents answer by their terms and topics, and one on a clause."""

import re
from collections.abc import Sequence

from core.grammar import article_label
from core.library import Document, Library
from core.rulebook import Clause

QUESTIONS_SHOWN = 4
MAX_TERMS = 40
"""Terms of a document whose uses are counted: each is looked for in all of its clauses."""
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
_LONGEST_ACRONYM = 5
"""Letters of a title in capitals that is no plain word."""


def suggest_sample_questions(documents: Sequence[Document]) -> list[str]:
    """Questions on the sample rulebooks; none where another document is among them."""
    if not all(document.family in SAMPLE_QUESTIONS for document in documents):
        return []
    samples = [q for document in documents for q in SAMPLE_QUESTIONS[document.family or ""]]
    return list(dict.fromkeys(samples))[:QUESTIONS_SHOWN]


def list_term_questions(library: Library, document: Document) -> list[str]:
    """Ask what the terms mean that a document defines: names of words first, the most used ones."""
    clauses = [c for c in library.clauses(document.document_id) if c.status == "in_force"]
    terms = dict.fromkeys(term for clause in clauses for term in clause.defines)
    names = [term for term in terms if term[:1].isupper()][:MAX_TERMS]
    uses = {term: sum(term in clause.text for clause in clauses) for term in names}
    ranked = sorted(uses, key=lambda term: (" " not in term, -uses[term]))
    return [f"What does “{term}” mean?" for term in ranked]


def list_topic_questions(library: Library, document: Document) -> list[str]:
    """Ask for the rules on the topics that titles throughout a document name."""
    clauses = library.clauses(document.document_id)
    named = [c for c in clauses if c.status == "in_force" and _NUMBER.fullmatch(c.article)]
    titled = [clause for clause in named if _is_topic(clause.title)]
    with_text = [clause for clause in titled if len(clause.text) > 60]
    titles = dict.fromkeys(clause.title for clause in with_text or titled)
    spread = [*titles][:: max(1, len(titles) // QUESTIONS_SHOWN)][:QUESTIONS_SHOWN]
    return [f"What are the rules on {title_within_sentence(title)}?" for title in spread]


def _is_topic(title: str) -> bool:
    short = 0 < len(title.split()) <= MAX_TITLE_WORDS and 3 < len(title) < 50
    return short and title[-1].isalnum() and not any(map(str.isdigit, title))


def question_about_clause(clause: Clause) -> str:
    """A question that this clause answers."""
    on = f" on {title_within_sentence(clause.title)}" if _is_topic(clause.title) else ""
    return f"What does {article_label(clause.article)}{on} say?"


def title_within_sentence(title: str) -> str:
    """A title without capitals, except those of names and of acronyms like "DRS" or "ERS-K"."""
    if title.isupper():
        is_acronym = " " not in title and sum(map(str.isalpha, title)) <= _LONGEST_ACRONYM
        return title if is_acronym else title.lower()
    return title[:1].lower() + title[1:] if title[1:].islower() else title
