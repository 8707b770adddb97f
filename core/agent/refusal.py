"""Why nothing was found: words and articles that the searched documents do not have."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.question import read_question
from core.library import Document, Library, Scope
from core.rulebook import article_label, canonical_number, find_article_numbers, split_part

_PLAIN_NUMBER = re.compile(r"([A-Z]*)\.?\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a question names that documents do not have."""

    words: tuple[str, ...] = ()
    """Words of the question that no clause has."""
    articles: tuple[str, ...] = ()
    """A sentence for each article that a document does not have, and which is its last."""


def explain_refusal(library: Library, documents: Sequence[Document], question: str) -> Refusal:
    """Explain why documents do not answer a question. Raises LibraryError `unreadable`."""
    asked = read_question(library, question, Scope(tuple(documents), ""))
    named = [split_part(article)[0] for article in find_article_numbers(question)]
    sentences = [
        sentence
        for number in dict.fromkeys(named)
        for document in documents
        if (sentence := _describe_missing(library, document, number))
    ]
    return Refusal(asked.unknown, tuple(sentences))


def _describe_missing(library: Library, document: Document, number: str) -> str:
    """Return "There is no Article 99.9 in ...; the last is 59.4."; empty if there is one."""
    articles = [clause.article for clause in library.clauses(document.document_id)]
    wanted = canonical_number(number)
    if any(f"{canonical_number(article)}.".startswith(f"{wanted}.") for article in articles):
        return ""
    letters = _letters_before_number(number)
    parent = wanted.rpartition(".")[0]
    alike = [article for article in articles if _letters_before_number(article) == letters]
    below = [a for a in alike if canonical_number(a).startswith(f"{parent}.")] if parent else []
    last = (below or alike or [""])[-1]
    known = f"; the last{f' of {parent}' if below else ''} is {last}" if last else ""
    return f"There is no {article_label(number)} in {document.citation_label}{known}."


def _letters_before_number(article: str) -> str | None:
    """Return the letters before a plain number: "B" of "B1.2"; None for other articles."""
    match = _PLAIN_NUMBER.fullmatch(article)
    return match[1] if match else None
